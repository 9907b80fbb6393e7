// Progress of a study, from its records and its plan: by pairing, by state, in money and in time.
import { describe, expect, it } from '@jest/globals';
import { groupPairings, type PlannedPlace, StudyPlan } from '../../../deception/design/study-plan.ts';
import {
  type MatchState,
  measureStudy,
  type ModelUse,
  type StudyLook,
  type StudyMatch,
} from '../../../deception/design/study-progress.ts';

const now = Date.parse('2026-11-26T12:00:00Z');
const minute = 60_000;

const createUse = (model: string, more: Partial<ModelUse> = {}): ModelUse => ({
  ...{ model, calls: 100, questions: 90, refused: 1, askedAgain: 10, fallbacks: 2 },
  ...{ tokensIn: 1000, tokensOut: 50, cached: 400, cost: 0.5, callsOfUnknownCost: 0, ...more },
});

const place = (seed: number, werewolves: string, villagers: string): PlannedPlace => ({
  ...{ seed, folder: `${werewolves}-${villagers}`, board: 'classic-8', werewolves, villagers, name: null },
  ...{ rules: 'preset wolf@2', models: [...new Set([werewolves, villagers])].sort() },
});

const pairs = [
  ['a', 'a'],
  ['a', 'b'],
  ['b', 'a'],
  ['b', 'b'],
] as const;

const plan: StudyPlan = StudyPlan.parse({
  ...{ study_version: 1, begun_at: '2026-11-26T11:00:00Z', played_since: '2026-11-26T11:00:00Z', runs: 2 },
  ...{ judge: null, max_cost: 150, concurrency: 32, expected: { calls: 400, cost: 2 } },
  pairings: groupPairings([1, 2, 3].flatMap((seed) => pairs.map(([pack, village]) => place(seed, pack, village)))),
});

const match = (
  seed: number,
  [werewolves, villagers]: readonly [string, string],
  state: MatchState,
  more: Partial<StudyMatch> = {},
): StudyMatch => ({
  ...{ path: `${werewolves}-${villagers}/classic-8-${seed}-0f3a`, id: `classic-8-${seed}-0f3a`, seed, state },
  ...{ board: 'classic-8', rules: 'preset wolf@2', werewolves, villagers, now: '', error: null },
  models: [...new Set([werewolves, villagers])].sort(),
  ...{ begunAt: now - 10 * minute, changedAt: now - minute, uses: [createUse('a'), createUse('b')], ...more },
});

const look = (more: Partial<StudyLook> = {}): StudyLook => ({
  plan,
  servers: [],
  isPlayed: true,
  playedSince: now - 60 * minute,
  now,
  ...more,
});

describe('a plan', () => {
  it('has its deals as runs of seeds, by folder and board', () => {
    expect(plan.pairings).toHaveLength(4);
    expect(plan.pairings[1]).toMatchObject({ folder: 'a-b', seeds: [[1, 3]], matches: 3 });
    const scattered = groupPairings([9, 1, 2, 2, 5].map((seed) => place(seed, 'a', 'b')));
    expect(scattered).toMatchObject([{ seeds: [[1, 2], [5, 5], [9, 9]], matches: 5 }]); // prettier-ignore
  });

  it('says in one run of seeds what is scattered without end, so that it stays small', () => {
    const many = groupPairings(Array.from({ length: 5000 }, (_, index) => place(2 * index, 'a', 'b')));
    expect(many).toMatchObject([{ seeds: [[0, 9998]], matches: 5000 }]);
    expect(StudyPlan.shape.pairings.safeParse(many).success).toBe(true);
  });
});

describe('a study', () => {
  it('counts its matches by state and by pairing, and what is to come', () => {
    const study = measureStudy(
      [
        match(1, pairs[0], 'finished'),
        match(2, pairs[0], 'under way', { now: 'day 2, statement 5' }),
        match(1, pairs[1], 'failed', { error: 'The key is refused.' }),
        match(1, pairs[2], 'stopped'),
        match(2, pairs[2], 'unreadable', { seed: null, board: '', rules: '', models: [], error: 'no JSON', uses: [] }),
      ],
      look(),
    );
    expect(study).toMatchObject({ planned: 12, finished: 1, underWay: 1, failed: 2, stopped: 1, toCome: 7, others: 0 });
    expect(study.state).toBe('running');
    expect(study.pairings.map(({ finished, underWay, failed, stopped, planned }) => [finished, underWay, failed, stopped, planned])).toEqual([[1, 1, 0, 0, 3], [0, 0, 1, 0, 3], [0, 0, 1, 1, 3], [0, 0, 0, 0, 3]]); // prettier-ignore
    expect(study.running).toMatchObject([{ now: 'day 2, statement 5', seconds: 600 }]);
    expect(study.failures.map(({ error }) => error)).toEqual(['The key is refused.', 'no JSON']);
  });

  it.each([
    ['rules', { rules: 'preset arena@2' }],
    ['models', { models: ['a', 'c'] }],
    ['a deal', { seed: 9 }],
    ['a board', { board: 'wolf-9' }],
    ['a folder', { path: 'elsewhere/classic-8-1-0f3a' }],
  ])('leaves out a match of other %s, and says that it lies there', (_, other) => {
    const study = measureStudy([match(1, pairs[0], 'finished'), match(2, pairs[0], 'finished', other)], look());
    expect(study).toMatchObject({ finished: 1, others: 1, toCome: 11 });
    expect(study.spent.calls).toBe(200);
  });

  it('expects of each pairing what its finished matches took, and takes off what those under way have had', () => {
    const dear = [createUse('a', { cost: 4, calls: 1000 })];
    const study = measureStudy(
      [
        match(1, pairs[0], 'finished'),
        match(1, pairs[3], 'finished', { uses: dear }),
        match(2, pairs[3], 'under way', { uses: [createUse('a', { cost: 3, calls: 700 })] }),
      ],
      look(),
    );
    // Expected cost: 2 matches at 1.0, 3 + 3 at the mean 2.5, 2 at 4.0.
    expect(study.expected?.cost).toBeCloseTo(1 + 2 * 1 + 6 * 2.5 + 4 + 2 * 4);
    expect(study.expected?.calls).toBeCloseTo(200 + 2 * 200 + 6 * 600 + 1000 + 2 * 1000);
    expect(study.spent.knownCost).toBe(8);
  });

  it('expects what the estimate said before the first match is over', () => {
    const { expected } = measureStudy(
      [match(1, pairs[0], 'under way', { uses: [createUse('a', { cost: 1 })] })],
      look(),
    );
    expect(expected).toEqual({ calls: 12 * 400, cost: 24, tokensIn: null, tokensOut: null });
    expect(measureStudy([], look({ plan: { ...plan, expected: null } })).expected).toBeNull();
  });

  it('says how long it takes by the pace of the last minutes, and nothing while nobody plays it', () => {
    // Within ten minutes, 2 matches made 200 calls each, so the pace is 40 calls a minute. 10 of 200 matches are left.
    const matches = [match(1, pairs[0], 'finished', { changedAt: now }), match(1, pairs[1], 'finished', { changedAt: now })]; // prettier-ignore
    const study = measureStudy(matches, look());
    expect(study.secondsLeft).toBeCloseTo((2000 / 40) * 60);
    expect(study.matchesPerHour).toBeCloseTo(12);
    expect(measureStudy(matches, look({ isPlayed: false }))).toMatchObject({ state: 'stopped', secondsLeft: null });
  });

  it('forgets the pace of before it was interrupted', () => {
    const matches = [
      match(1, pairs[0], 'finished', { begunAt: now - 9 * minute, changedAt: now - 8 * minute }),
      match(1, pairs[1], 'finished', { begunAt: now - minute, changedAt: now }),
    ];
    const { secondsLeft } = measureStudy(matches, look({ playedSince: now - minute }));
    expect(secondsLeft).toBeCloseTo((10 * 200 * 60) / 200); // 200 calls in the last minute
  });

  it('is complete once all planned matches are over, whatever else lies there', () => {
    const all = [1, 2, 3].flatMap((seed) => pairs.map((pair) => match(seed, pair, 'finished')));
    expect(measureStudy([...all, match(7, pairs[0], 'failed')], look({ isPlayed: false }))).toMatchObject({ state: 'complete', finished: 12, toCome: 0, failed: 0, others: 1 }); // prettier-ignore
  });

  it('adds up refusals, fallbacks and cost by model, a cost of which nothing is known being none', () => {
    const free = createUse('c', { cost: 0, callsOfUnknownCost: 100 });
    const study = measureStudy([match(1, pairs[0], 'finished'), match(2, pairs[0], 'finished', { uses: [createUse('a'), free] })], look()); // prettier-ignore
    expect(study.models).toMatchObject([
      { model: 'a', questions: 180, refused: 2, fallbacks: 4, cost: 1 },
      { model: 'b', questions: 90 },
      { model: 'c', callsOfUnknownCost: 100 },
    ]);
    expect(study.spent).toMatchObject({ knownCost: 1.5, callsOfUnknownCost: 100, cached: 1600 });
    expect(measureStudy([match(1, pairs[0], 'finished', { uses: [free] })], look()).spent.knownCost).toBeNull();
  });

  it('without a plan is what lies there, by folder', () => {
    const study = measureStudy([match(1, pairs[0], 'finished'), match(1, pairs[1], 'under way')], look({ plan: null }));
    expect(study).toMatchObject({ planned: null, toCome: null, finished: 1, underWay: 1, others: 0, state: 'running' });
    expect(study.pairings.map(({ folder, planned }) => [folder, planned])).toEqual([['a-a', 1], ['a-b', 1]]); // prettier-ignore
    expect(measureStudy([match(1, pairs[0], 'finished')], look({ plan: null, planned: 5 }))).toMatchObject({ planned: 5, toCome: 4 }); // prettier-ignore
  });
});
