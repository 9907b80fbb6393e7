// The test of drift: how often it reports a change for a model that changes during a study, and for one that does not.
import { describe, expect, it } from '@jest/globals';
import { createTimedMatch, describeDrift, testDrift, type TimedMatch } from '../../../deception/summary/model-drift.ts';
import { draw } from '../../../state/random.ts';
import { match, statement } from '../metrics/row-builder.ts';
import { listAnsweringServers } from '../../../deception/record/call-figures.ts';
import { called, manifestOf } from '../match-builder.ts';
import { itLong } from '../../it-long.ts';

const options = { resamples: 199, seed: 1 };
/** Number of studies without drift. `tests/long/many-repetitions.test.ts` plays 500. */
const studies = Number(process.env['WOLFGRAPH_RUNS'] ?? 100);

interface Study {
  deals: number;
  replicates?: number;
  /** Share of lies in the first and in the second half of the study. */
  rates: readonly [number, number];
  seed?: number;
}

/**
 * Plays a study in which each deal has its own lie rate. The second of its two arms lies more, and is played after the
 * first.
 */
function playStudy({ deals, replicates = 1, rates, seed = 1 }: Study): TimedMatch[] {
  const chance = draw(seed, 'drift in tests');
  const arms = ['one', 'other'];
  const all = deals * arms.length * replicates;
  return Array.from({ length: deals }, () => (chance.fraction() - 0.5) / 5).flatMap((hardness, deal) =>
    Array.from({ length: replicates }, (_, replicate) => replicate).flatMap((replicate) =>
      arms.map((arm, at): TimedMatch => {
        const place = (replicate * deals + deal) * arms.length + at;
        const rate = rates[place < all / 2 ? 0 : 1] + hardness + at / 5;
        const lies = Array.from({ length: 20 }, () => chance.fraction()).filter((one) => one < rate).length;
        return {
          ...{ deal: `d${deal}`, arm },
          models: [
            {
              ...{ model: 'gpt', startedAt: new Date(1e12 + place * 6e4).toISOString() },
              amounts: {
                'lie rate': { part: lies, whole: 20 },
                words: { part: 300 + Math.floor(100 * chance.fraction()), whole: 20 },
                fallbacks: { part: 0, whole: 60 },
              },
            },
          ],
        };
      }),
    ),
  );
}

describe('drift', () => {
  it('is found where the lie rate changes halfway, and in no other figure', () => {
    const drift = testDrift(playStudy({ deals: 30, rates: [0.2, 0.45] }), options);
    const [lies, words, fallbacks] = drift;
    expect(lies).toMatchObject({ model: 'gpt', figure: 'lie rate', matches: 60, deals: 30 });
    expect(lies!.second_half! - lies!.first_half!).toBeGreaterThan(0.15);
    expect(lies!.p_adjusted).toBeLessThanOrEqual(0.05);
    expect(words!.p_adjusted).toBeGreaterThan(0.05);
    expect(fallbacks!.p).toBeNull(); // all figures are equal
    expect(describeDrift(drift)).toMatch(
      /gpt \(debate statements of both sides with a lie \d+\.\d % → \d+\.\d %\)\. The provider may have changed/,
    );
  });

  it('is found within deals that are played several times', () => {
    const [lies] = testDrift(playStudy({ deals: 10, replicates: 4, rates: [0.2, 0.5] }), options);
    expect(lies!.p_adjusted).toBeLessThanOrEqual(0.05);
  });

  itLong.each([
    ['played once', 1],
    ['played three times', 3],
  ])('is called so in about one of twenty studies without any, deals being %s', (_, replicates) => {
    const found = Array.from({ length: studies }, (__, seed) =>
      testDrift(playStudy({ deals: 12, replicates, rates: [0.3, 0.3], seed }), { resamples: 99, seed }),
    ).filter((drift) => describeDrift(drift) !== null).length;
    expect(found).toBeGreaterThan(0);
    expect(found).toBeLessThanOrEqual(0.05 * studies + 3 * Math.sqrt(0.05 * 0.95 * studies)); // with p > .99
  });

  it('has no test under ten deals, and no caution then', () => {
    const drift = testDrift(playStudy({ deals: 9, rates: [0.1, 0.9] }), options);
    expect(drift).toEqual([]);
    expect(describeDrift(drift)).toBeNull();
  });

  it('does not take another arm for drift: which opponents were played first', () => {
    const halves = (['early', 'late'] as const).flatMap((arm, at) =>
      playStudy({ deals: 15, rates: [0.2 + at / 4, 0.2 + at / 4], seed: at + 1 }).map((one) => ({
        ...{ deal: `${arm} ${one.deal}`, arm: `${arm} ${one.arm}` },
        models: one.models.map((model) => ({
          ...model,
          startedAt: new Date(Date.parse(model.startedAt) + at * 1e10).toISOString(),
        })),
      })),
    );
    expect(describeDrift(testDrift(halves, options))).toBeNull();
  });
});

describe('what is kept of a match', () => {
  const [manifest, first, second] = [
    manifestOf(),
    { ...called('Dan', 'bid'), started_at: '2026-01-01T00:00:02Z' },
    { ...called('Dan', 'debate'), started_at: '2026-01-01T00:00:01Z', mark: 'fallback' as const },
  ];
  const servers = listAnsweringServers({
    manifest: { ...manifest, setup: { ...manifest.setup, bots: [] } },
    answers: [first, second],
  });

  it('is the first call of a model, its debate statements with a lie, their words, and its questions without an answer', () => {
    const model = servers[0]!.model;
    const statements = [
      statement({ kind: 'debate', model, is_bot: false, verdict: 'lie', words: 10 }),
      statement({ kind: 'debate', model, is_bot: false, verdict: null, words: 20 }),
      statement({ kind: 'ballot', model, is_bot: false, verdict: 'lie', words: 99 }),
    ];
    expect(createTimedMatch({ match: match({}), statements }, servers)!.models).toEqual([
      {
        ...{ model, startedAt: '2026-01-01T00:00:01Z' },
        amounts: {
          'lie rate': { part: 1, whole: 2 },
          words: { part: 30, whole: 2 },
          fallbacks: { part: 1, whole: 2 },
        },
      },
    ]);
  });

  it('is nothing of an imported match', () => {
    expect(createTimedMatch({ match: match({ imported: 'werewolf-arena' }), statements: [] }, servers)).toBeNull();
  });
});
