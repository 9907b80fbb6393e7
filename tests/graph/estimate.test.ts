// Estimates of calls, tokens and cost: counted in matches of bots on the same board.
import { describe, expect, it } from '@jest/globals';
import { listModelPairs } from '../../deception/design/schedule.ts';
import {
  compareTurns,
  estimateAssumptions,
  estimateBeliefs,
  estimateBothTurns,
  estimateMatches,
  estimateWithFullMemory,
  findTurn,
} from '../../graph/estimate.ts';
import { playMatch } from '../../graph/play-match.ts';
import type { CallsByModel, MatchSet } from '../../graph/match-set.ts';
import { type MatchPlan, prepareMatch } from '../../graph/prepare-match.ts';
import { formatBeliefs, formatMemorySaving } from '../../scripts/console/estimate-text.ts';
import { identifyModel } from '../../state/model-identity.ts';
import { createBoard } from '../table.ts';
import { itLong } from '../it-long.ts';

const env = { OPENAI_API_KEY: 'none', ANTHROPIC_API_KEY: 'none' };
const small: MatchPlan = { board: createBoard(1, 1, 1, 3), rules: 'arena', rule: { debateTurns: 1, maxRounds: 1 } };
const priced = 'openai:tiny?structured=family&priceIn=1&priceOut=10';

const none: readonly CallsByModel[] = [];

/** Estimates a plan from two matches of bots. `sample`: other matches to use. */
function estimate(plan: MatchPlan, { matches = 10, concurrency = 1000, sample = 2, recorded = none } = {}) {
  const set = { seed: 1, matches, planOf: (seed: number) => ({ ...small, ...plan, seed }) };
  return estimateMatches(set, { env, concurrency, recorded, mostRuns: sample });
}

itLong(
  'an estimate with memory=retrieval is compared with memory=full, which takes more tokens and as many calls',
  async () => {
    const talk = { debateTurns: 4, maxRounds: 3, ballots: 'public', exile: 'majority', maxWords: 200 };
    const plan: MatchPlan = { ...small, board: createBoard(1, 1, 1, 5), model: priced };
    const listOf = (rule: MatchPlan['rule']) => {
      const set = { seed: 1, matches: 4, planOf: (seed: number) => ({ ...plan, rule: { ...talk, ...rule }, seed }) };
      const options = { env, concurrency: 1000, mostRuns: 1 };
      return Promise.all([estimateMatches(set, options), estimateWithFullMemory(set, options)]);
    };
    const [some, all] = await listOf({ memory: 'retrieval', historyK: 2 });
    expect(all!.calls).toBe(some.calls);
    expect(some.tokens!.in).toBeLessThan(all!.tokens!.in);
    expect(formatMemorySaving(some, all)).toMatch(
      /^memory=retrieval takes [\d,]+ tokens in; memory=full would take [\d,]+: [1-9]\d?% less\.$/,
    );
    expect((await listOf({ memory: 'summary' }))[1]).toBeNull();
  },
);

it('an estimate says what beliefs after every statement would add, to no bots and not where they are asked', async () => {
  const estimateOf = (rule: MatchPlan['rule'], model = priced) =>
    estimateBeliefs(
      { seed: 1, matches: 4, planOf: (seed) => ({ ...small, rule: { ...small.rule, ...rule }, model, seed }) },
      { env, concurrency: 1000 },
    );
  const more = await estimateOf({ analysis: 'peer' });
  expect(more).toMatchObject({ calls: 0 }); // beliefs are asked for together with the analyses
  expect(more!.tokens!.out).toBeGreaterThan(0);
  expect(more!.cost).toBeCloseTo((more!.tokens!.in + 10 * more!.tokens!.out) / 1e6, 9);
  expect((await estimateOf({ analysis: 'off' }))!.calls).toBeGreaterThan(0);
  expect(formatBeliefs(more)).toMatch(
    /^With beliefs=each-statement, .*: 0\smore\scalls,\s[\d,]+\smore\stokens\sin\sand/,
  );
  const none = [await estimateOf({ analysis: 'peer', beliefs: 'each-statement' }), await estimateOf({}, 'bot:classic')];
  expect([none, none.map(formatBeliefs)]).toEqual([
    [null, null],
    [null, null],
  ]);
});

describe('both ways to take a turn', () => {
  const options = { env, concurrency: 1000, mostRuns: 1 };
  const debateTurns = 2;
  const listSet = (rule: MatchPlan['rule'], more: Partial<MatchSet> = {}, model = priced): MatchSet => ({
    ...{ seed: 1, matches: 2, ...more },
    planOf: (seed) => ({ ...small, rule: { ...small.rule, debateTurns, ...rule }, model, seed }),
  });
  const compare = async (set: MatchSet, mostRuns = 1) => {
    const some = { ...options, mostRuns };
    return estimateBothTurns(set, await estimateMatches(set, some), some);
  };

  it.each(['bid', 'draft'])(
    'are compared over the same course, for matches of turn=%s: a call and an answer waited for less a turn',
    async (turn) => {
      const set = listSet({ turn });
      const { bid, draft } = (await compare(set))!;
      expect(bid.calls - draft.calls).toBe(2 * debateTurns); // two matches with one round each
      expect(bid.latencies - draft.latencies).toBe(debateTurns);
      expect([bid.rounds, draft.rounds]).toEqual([1, 1]);
      expect(draft.tokens!.out).toBeGreaterThan(bid.tokens!.out);
      const own = await estimateMatches(set, options);
      expect({ bid, draft }[turn]).toEqual(own);
    },
  );

  itLong(
    'also for the pairs of a crossed design, but not where nobody bids, where only bots play, or where arms differ',
    async () => {
      const arms = listModelPairs([priced, `${priced}&temperature=0`]);
      const crossed = (await compare(listSet({}, { arms, matches: 1 }), arms.length))!;
      expect(crossed.bid.calls - crossed.draft.calls).toBe(arms.length * debateTurns);
      const inOrder = (seed: number) => ({
        ...small,
        rule: { maxRounds: 1, debateOrder: 'round-robin' },
        model: priced,
        seed,
      });
      expect(await compare({ seed: 1, matches: 2, planOf: inOrder })).toBeNull();
      expect(await compare(listSet({}, {}, 'bot:classic'))).toBeNull();
      const setups = await Promise.all(
        (['bid', 'draft'] as const).map(async (turn) => {
          const { manifest } = await prepareMatch(
            { ...small, rule: { ...small.rule, turn }, model: priced, seed: 1 },
            env,
            0,
          );
          return manifest.setup;
        }),
      );
      expect(setups.map((setup) => findTurn([setup]))).toEqual(['bid', 'draft']);
      expect(findTurn(setups)).toBeNull();
    },
  );

  it('are scaled to as many rounds where they took another course', () => {
    const usage = { calls: 100, tokens: { in: 1000, out: 10 }, cost: 2, latencies: 20, rounds: 2 };
    const { bid, draft } = compareTurns('draft', usage, { ...usage, rounds: 4 });
    expect(draft).toEqual(usage);
    expect(bid).toEqual({ calls: 50, tokens: { in: 500, out: 5 }, cost: 1, latencies: 10, rounds: 2 });
  });
});

describe('an estimate', () => {
  it('has as many calls as the matches themselves where bots play', async () => {
    const { calls, seeds, models, cost, seconds } = await estimate({}, { matches: 5, sample: 5 });
    let actual = 0;
    for (const seed of seeds)
      actual += (await playMatch({ ...small, seed, out: null })).summary.model_calls.total.calls;
    expect(seeds).toEqual([1, 2, 3, 4, 5]);
    expect(calls).toBe(actual);
    expect({ models, cost, seconds }).toEqual({
      models: { 'bot:classic': { calls, tokens: null, cost: 0 } },
      cost: 0,
      seconds: 0,
    });
  });

  it('is the same for language models, with tokens and money', async () => {
    const bots = await estimate({});
    const { calls, tokens, cost, models } = await estimate({ model: priced });
    expect(calls).toBe(bots.calls);
    expect(tokens!.in / calls).toBeGreaterThan(500); // the rules alone take as many tokens
    expect(tokens!.out / calls).toBeGreaterThan(60);
    expect(cost).toBeCloseTo((tokens!.in + 10 * tokens!.out) / 1e6);
    expect(models).toEqual({ [identifyModel(priced)]: { calls, tokens, cost } });
  });

  it('says what caches may save, and what reasoning would add, as far as prices are known', async () => {
    const listed = await estimate({ model: 'openai:gpt-4o?structured=family' });
    expect(listed.costWithCache).toBeLessThan(listed.cost!);
    expect(listed.costWithCache).toBeGreaterThan(listed.cost! / 2); // cached input costs half
    expect(listed.costOfReasoning).toBeCloseTo((listed.calls * 100 * 10) / 1e6, 1);
    const mixed = await estimate({
      villagers: 'openai:gpt-4o?structured=family',
      werewolves: 'openai:gpt-4o-mini?structured=family',
    });
    const parts = mixed.costOfReasoningByModel;
    expect(parts['openai:gpt-4o?structured=family']! + parts['openai:gpt-4o-mini?structured=family']!).toBeCloseTo(
      mixed.costOfReasoning!,
    );
    expect(parts['openai:gpt-4o?structured=family']).toBeCloseTo(
      (mixed.models['openai:gpt-4o?structured=family']!.calls * 100 * 10) / 1e6,
      1,
    );
    expect(await estimate({ model: priced })).toMatchObject({ costWithCache: null }); // no price of cached input
    expect(await estimate({ model: 'openai:own?structured=family' })).toMatchObject({
      costWithCache: null,
      costOfReasoning: null,
    });
    expect(await estimate({})).toMatchObject({ costWithCache: null, costOfReasoning: null }); // bots
  });

  it('prices what is written into a cache, where that has a price of its own', async () => {
    const claude = await estimate({ model: 'anthropic:claude-haiku-4-5' }); // in 1, out 5, read .1, written 1.25
    const { in: input, out } = claude.tokens!;
    expect(claude.cost).toBeCloseTo((1.25 * input + 5 * out) / 1e6, 3);
    expect(claude.costWithCache).toBeLessThan(claude.cost!);
    expect(claude.costWithCache).toBeGreaterThan((0.1 * input + 5 * out) / 1e6);
  });

  it('grows with the number of matches', async () => {
    const [ten, thousand] = [await estimate({ model: priced }), await estimate({ model: priced }, { matches: 1000 })];
    expect(thousand.seeds).toEqual(ten.seeds);
    expect(thousand.calls).toBe(100 * ten.calls);
    expect(thousand.cost! / ten.cost!).toBeCloseTo(100);
  });

  it('takes statements to be as long as the rules allow', async () => {
    const [brief, long] = await Promise.all(
      [100, 200].map((maxWords) => estimate({ model: priced, rule: { ...small.rule, maxWords } })),
    );
    expect(long!.calls).toBe(brief!.calls); // both estimates are of the same match
    expect(long!.tokens!.in).toBeGreaterThan(brief!.tokens!.in);
    expect(long!.tokens!.out).toBeGreaterThan(brief!.tokens!.out);
  });

  it('knows the cost of each model, and of all only where every price is known', async () => {
    const { models, cost } = await estimate({
      villagers: 'openai:mine?structured=family',
      werewolves: priced,
      roles: { Seer: 'bot:random' },
    });
    expect(models['openai:mine?structured=family']).toMatchObject({ cost: null });
    expect(models[identifyModel(priced)]!.cost).toBeGreaterThan(0);
    expect(models['bot:random']).toMatchObject({ tokens: null, cost: 0 });
    expect(cost).toBeNull();
  });
});

describe('of a match that is begun', () => {
  const createPart = (calls: number) => new Map([[identifyModel(priced), calls]]);

  it('only what is left is estimated, and never less than nothing', async () => {
    const whole = await estimate({ model: priced });
    const { mean } = whole.callsOfOne;
    expect(10 * mean).toBeCloseTo(whole.calls);
    const half = await estimate({ model: priced }, { recorded: [createPart(mean / 2), createPart(mean / 2)] });
    expect(half.calls).toBe(Math.round(9 * mean));
    expect(half.cost! / whole.cost!).toBeCloseTo(0.9);
    expect(half.callsOfOne).toEqual(whole.callsOfOne);
    const longer = await estimate({ model: priced }, { recorded: [createPart(10 * mean)] });
    expect(longer.calls).toBe(Math.round(9 * mean));
  });

  it('the calls of one model say nothing of those of another', async () => {
    const plan = { villagers: priced, werewolves: 'openai:other?structured=family' };
    const { models } = await estimate(plan);
    const begun = await estimate(plan, { recorded: [createPart(1e6)] });
    expect(begun.models['openai:other?structured=family']).toEqual(models['openai:other?structured=family']);
    expect(begun.models[identifyModel(priced)]!.calls / models[identifyModel(priced)]!.calls).toBeCloseTo(0.9);
  });
});

describe('the answers that wait for one another', () => {
  // Expected calls of a single round: the night, the first bid, then each statement and the questions after it, the
  // vote.
  it.each([1, 3])('are counted: two a turn, the night and the vote, in a debate of %i', async (debateTurns) => {
    const plan = { model: priced, rule: { debateTurns, maxRounds: 1 } };
    expect((await estimate(plan)).latencies).toBe(2 * debateTurns + 2);
  });

  it('are those of language models alone', async () => {
    const { latencies } = await estimate({ roles: { Seer: priced } });
    expect(latencies).toBeGreaterThan(0);
    expect(latencies).toBeLessThan(4);
  });

  it('say how long matches take, unless the limit on calls does', async () => {
    const plan = { model: priced };
    const { secondsPerAnswer } = estimateAssumptions;
    expect((await estimate(plan)).seconds).toBe(4 * secondsPerAnswer);
    const { seconds, calls } = await estimate(plan, { concurrency: 2 });
    expect(seconds).toBe((calls / 2) * secondsPerAnswer);
  });
});
