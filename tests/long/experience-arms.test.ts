// The three arms of an experiment with memory: one command plays them on the same deals. Whether a planted effect is
// found is tested in tests/long/experience-effect.test.ts.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import { computeReward } from '../../deception/experience/outcome.ts';
import type { Report } from '../../deception/summary/report-schema.ts';
import { isEventOfType } from '../../state/events.ts';
import { play } from '../table.ts';
import { listFolderNames } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { manifestIn } from '../scripts/match-folder.ts';
import { run } from '../scripts/process.ts';

const root = createTemporaryFolder();
const at = (...names: string[]) => path.join(root, ...names);
const rule = { analysis: 'off', debateTurns: 3, maxRounds: 2 };
const entrants = { heedful: 'bot:classic?memory=1', dice: 'bot:random' };

const writePlan = (changes: object = {}) => {
  const plan = {
    ...{ name: 'memory', entrants, format: 'head-to-head', rule, deals: 2, seed: 500 },
    ...{ experience: { pool: 'pool', from: 'any', seats: ['heedful'] } },
    ...{ conditions: { experience: ['none', 'pool', 'shuffled'] }, ...changes },
  };
  writeFileSync(at('memory.yaml'), stringify(plan));
  return at('memory.yaml');
};

describe('an experiment with memory', () => {
  const out = at('out');
  beforeAll(async () => {
    mkdirSync(at('past'));
    writeFileSync(at('past.yaml'), stringify({ rule, villagers: 'bot:classic', werewolves: 'bot:random' }));
    await run('match', [at('past.yaml'), '--matches', '8', '--out', at('past'), '--quiet']);
    const built = await run('pool', ['build', at('past'), '--out', at('pool')]);
    expect(built).toMatchObject({ code: 0 });
    expect(await run('tournament', [writePlan(), '--out', out, '--quiet'])).toMatchObject({ code: 0, stderr: '' });
  });
  const village = (arm: string) => path.join(out, `pack-dice_village-heedful__experience-${arm}`);

  it('plays each deal in each arm, and its manifests say which', () => {
    const folders = readdirSync(out).filter((name) => name.includes('__'));
    expect(folders).toHaveLength(6);
    const settings = ['none', 'pool', 'shuffled'].map((arm) => {
      const [first, ...others] = listFolderNames(village(arm));
      expect(others).toHaveLength(1);
      const { setup, tournament } = manifestIn(path.join(village(arm), first!));
      expect(tournament!.condition).toBe(`experience-${arm}`);
      if (setup.experience) {
        const team = setup.players.filter(({ team: of }) => of === 'villagers').map(({ name }) => name);
        expect(setup.experience.seats).toEqual(team);
      }
      return setup.experience?.arm ?? 'none';
    });
    expect(settings).toEqual(['none', 'pool', 'shuffled']);
  });

  it('has its arms as conditions, one each wherever the entrant sits who remembers', async () => {
    const csv = at('report');
    await run('report', [out, '--out', csv, '--resamples', '10', '--no-baselines', '--no-cache', '--no-judge']);
    const { conditions } = JSON.parse(readFileSync(path.join(csv, 'report.json'), 'utf8')) as Report;
    const { values } = conditions.find(({ name }) => name === 'experience')!;
    const found =
      /^(none|(pool|shuffled) of \w{12}, k=3 good=0\.5 from=any reward=result who=heedful, found by pairs by bm25.*, wording \w+)$/;
    expect(values.map(({ value, matches }) => [found.exec(value)?.[2] ?? value, matches])).toEqual([
      ['none', 4],
      ['pool', 4],
      ['shuffled', 4],
    ]);
    const compared = await run('compare', [
      village('pool'),
      village('shuffled'),
      '--out',
      at('compared'),
      '--no-cache',
    ]);
    expect(compared.stderr).toBe('');
    const page = readFileSync(path.join(at('compared'), 'comparison.md'), 'utf8');
    expect(page).toMatch(/experience[^\n]*pool of[^\n]*shuffled of/);
  });

  it('has one line in its report where everybody remembers the same', async () => {
    await run('report', [village('pool'), '--out', at('one-arm'), '--resamples', '10', '--no-baselines', '--no-judge']);
    const page = readFileSync(path.join(at('one-arm'), 'report.md'), 'utf8');
    expect(page).toMatch(/\n- Players remembered: pool of [^\n]*who=heedful[^\n]*\.\n/);
  });

  it('is refused with a pool that was changed, without a pool, and with arms that are none', async () => {
    const refused = async (changes: object) =>
      (await run('tournament', [writePlan(changes), '--out', at('new'), '--dry-run'])).stderr;
    expect(await refused({ experience: undefined })).toContain('"pool" has no pool. Name one for all');
    expect(await refused({ conditions: { experience: ['none', 'pol'] } })).toContain('"pol" is no arm');
    expect(await refused({ conditions: { experience: ['pool', { arm: 'pool' }] } })).toContain('two different arms');
    expect(await refused({ conditions: { honesty: [{ k: 2 }, 'unsaid'] } })).toContain(
      'Only conditions.experience may contain settings',
    );
    expect(await refused({ seed: 3 })).toMatch(/experiences of deals that are to be played: classic-8-3-/);
    expect(await refused({ experience: 'nowhere' })).toMatch(/memory\.yaml, experience: .*nowhere is not a pool/);
  });
});

describe('a reward less chance', () => {
  it('of both sides of a match cancels out, since one side wins by chance where the other does not', async () => {
    const { events, manifest } = await play({ model: 'bot:random', rule: { analysis: 'off', debateTurns: 1 } });
    const { winner } = events.find(isEventOfType('ended'))!;
    const [won, lost] = [true, false].map((hasWon) => {
      const { name } = manifest.setup.players.find(({ team }) => (team === winner) === hasWon)!;
      return computeReward('chance', { manifest, events }, name, 1)!;
    });
    expect(won! + lost!).toBeCloseTo(0, 4);
    expect(won!).toBeGreaterThan(0);
  });
});
