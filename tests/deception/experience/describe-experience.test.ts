// Descriptions of experience as a condition: the descriptions of two arms differ exactly if their settings differ.
import { describe, expect, it } from '@jest/globals';
import { describeExperience } from '../../../deception/experience/describe-experience.ts';
import type { ExperienceSetup } from '../../../state/experience-setup.ts';
import type { Manifest } from '../../../state/record.ts';
import { matchOf } from '../match-builder.ts';

const { manifest } = matchOf([], []);
const names = manifest.setup.players.map(({ name }) => name);
const common: ExperienceSetup = {
  ...{ pool: 'a'.repeat(64), retriever: 'bm25+ 1', reward: 'result', arm: 'pool', k: 3, threshold: 0, good: 0.5 },
  ...{
    from: 'own',
    role: 'own',
    seat: 'any',
    wording: 'w1',
    seats: names,
    rank: 'likeness',
    moments: ['debate', 'ballot', 'night'],
  },
};
const tell = (changes: Partial<ExperienceSetup> = {}, ofManifest: Partial<Manifest> = {}) =>
  describeExperience({
    ...manifest,
    ...ofManifest,
    setup: { ...manifest.setup, experience: { ...common, ...changes } },
  });

describe('what players remembered', () => {
  it('is nothing without experience, and else arm, pool, settings, retriever and wording', () => {
    expect(describeExperience(manifest)).toBeNull();
    expect(tell()).toBe('pool of aaaaaaaaaaaa, k=3 good=0.5 from=own reward=result, found by bm25+ 1, wording w1');
    const changes: Partial<ExperienceSetup>[] = [
      ...[{ retriever: 'cosine of x' }, { reward: 'vote' as const }, { wording: 'w2' }, { arm: 'shuffled' as const }],
      ...[{ pool: 'b'.repeat(64) }, { k: 1 }, { threshold: 2 }, { good: 1 }, { from: 'any' as const }],
    ];
    expect(new Set([tell(), ...changes.map((change) => tell(change))]).size).toBe(changes.length + 1);
  });

  it('is the same wherever those sit who were asked for, and in all blocks of a pool that grows', () => {
    const learner = { experience_seats: ['learner'] };
    expect(tell({ seats: names.slice(0, 2) }, learner)).toBe(tell({ seats: names }, learner));
    expect(tell({}, learner)).toContain('who=learner');
    // Records of earlier versions do not name the player who was asked.
    expect(tell({ seats: names.slice(0, 1) })).toMatch(/who=\w+,/);
    const grown = { experience_grown_from: 'c'.repeat(64) };
    const [first, second] = [
      tell({ pool: 'a'.repeat(64) }, { experience_block: 1, ...grown }),
      tell({ pool: 'b'.repeat(64) }, { experience_block: 2, ...grown }),
    ];
    expect(first).toMatch(/^pool of a growing pool begun with cccccccccccc, k=3/);
    expect(second).toBe(first);
    expect(tell({}, { experience_block: 1 })).not.toBe(first);
  });
});
