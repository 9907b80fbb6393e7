// When a tournament may end: only after an unbroken series of blocks, and with the promised error level, in every
// format.
import { describe, expect, it } from '@jest/globals';
import type { TournamentPlan } from '../../../deception/tournament-plan/tournament-plan.ts';
import { estimatePromise, simulateReached } from '../../../deception/tournament/promised-precision.ts';
import { countDealsForPrecision, simulatePrecision } from '../../../deception/tournament/tournament-precision.ts';
import { listTournamentMatches, type TournamentMatch } from '../../../deception/tournament-plan/tournament-schedule.ts';
import { TournamentScores } from '../../../deception/tournament/tournament-stopping.ts';
import { draw } from '../../../state/random.ts';
import type { Team } from '../../../state/teams.ts';
import { createTournamentPlan } from '../tournament-plan/plans.ts';
import { itLong } from '../../it-long.ts';

const two = { one: { model: 'bot:classic' }, two: { model: 'bot:random' } };
const decide = { decide: true as const, alpha: 0.05 };

/** Creates a function that lets the side of this entrant win. */
const favour = (name: string) => (match: TournamentMatch) =>
  match.seats.find(({ entrant }) => entrant === name)?.team ?? null;

/** Plays all blocks in the order of the schedule. `choose` returns the winner of each match. */
function playAll(plan: TournamentPlan, choose: (match: TournamentMatch) => Team | null) {
  const matches = listTournamentMatches(plan);
  const scores = new TournamentScores(plan, matches);
  for (const match of matches) scores.record(match, choose(match));
  return scores;
}

describe('a stopping rule', () => {
  it('ends a tournament in which one entrant wins all, after as many deals in whichever order matches end', () => {
    const plan = createTournamentPlan({ entrants: two, format: 'head-to-head', deals: 30, stop: decide });
    const whole = playAll(plan, favour('one'));
    expect(whole.evaluate()).toMatchObject({ decidedDeals: 8, pairs: [{ difference: 1, deals: 30 }] });
    const scores = new TournamentScores(plan, listTournamentMatches(plan));
    const [first, ...others] = listTournamentMatches(plan);
    for (const match of others) scores.record(match, favour('one')(match));
    expect(scores.evaluate()).toMatchObject({ decidedDeals: null, pairs: [{ deals: 0 }] }); // the first match is missing
    scores.record(first!, favour('one')(first!));
    expect(scores.evaluate()).toEqual(whole.evaluate());
  });

  it('looks at nothing but whole blocks, of a cyclic design at K − 1 deals each', () => {
    const names = Array.from({ length: 4 }, (_, place) => `e${place}`);
    const entrants = Object.fromEntries(names.map((name) => [name, { model: `openai:${name}` }]));
    const plan = createTournamentPlan({
      entrants,
      design: 'cyclic',
      deals: 90,
      stop: { ...decide, pairs: [['e0', 'e1']] },
    });
    const scores = playAll(plan, (match) => favour('e0')(match) ?? 'villagers');
    const { decidedDeals, pairs } = scores.evaluate()!;
    expect(decidedDeals! % 3).toBe(0);
    expect(pairs[0]!.deals).toBe(30);
  });

  it('ends a tournament under conditions when it is decided in each, not by all of them together unless it is pooled', () => {
    const conditions = { honesty: ['unsaid', 'forbidden'] };
    const crossed = createTournamentPlan({
      entrants: two,
      format: 'head-to-head',
      deals: 40,
      conditions,
      stop: decide,
    });
    /**
     * Entrant `one` wins every match in which the rules do not mention honesty. In all others, each side wins equally
     * often.
     */
    const inOne = (match: TournamentMatch) =>
      match.condition === 'honesty-unsaid' ? favour('one')(match) : match.deal % 2 ? 'werewolves' : 'villagers';
    const state = playAll(crossed, inOne).evaluate()!;
    expect(state.decidedDeals).toBeNull();
    expect(state.pairs.map(({ condition, decidedAt }) => [condition, decidedAt === null])).toEqual([
      ['honesty-unsaid', false],
      ['honesty-forbidden', true],
    ]);
    const pooled = playAll({ ...crossed, stop: { ...decide, pooled: true } }, inOne).evaluate()!;
    expect(pooled.decidedDeals).toBeGreaterThan(0);
    // α is divided between the conditions, so two conditions take longer than one.
    expect(playAll(crossed, favour('one')).evaluate()!.decidedDeals).toBeGreaterThan(8);
  });

  it('knows who scores more in mixed tables and by role', () => {
    const mixed = createTournamentPlan({ format: 'mixed', deals: 60, stop: { ...decide, pairs: [['calm', 'dice']] } });
    const wins = ({ seats }: TournamentMatch) => {
      const pack = seats.filter(({ team }) => team === 'werewolves');
      return pack.some(({ entrant }) => entrant === 'dice') ? 'villagers' : 'werewolves';
    };
    expect(playAll(mixed, wins).evaluate()!.pairs[0]!.low).toBeGreaterThan(0);
    const byRole = createTournamentPlan({
      ...{ format: 'by-role', role: 'Seer', baseline: { model: 'bot:classic' }, deals: 20 },
      stop: { ...decide, pairs: [['calm', 'dice']] },
    });
    const seer = ({ seats }: TournamentMatch) => seats.find(({ role }) => role === 'Seer')!.entrant;
    const state = playAll(byRole, (match) => (seer(match) === 'calm' ? 'villagers' : 'werewolves')).evaluate()!;
    expect(state).toMatchObject({ decidedDeals: 8, pairs: [{ difference: 1 }] });
  });

  it('ends a tournament of equal entrants in at most 5 % though it looks after every deal, and by precision when it is reached', () => {
    const plan = createTournamentPlan({ entrants: two, format: 'head-to-head', deals: 60, stop: decide });
    const matches = listTournamentMatches(plan);
    const runs = 80;
    const ended = Array.from({ length: runs }, (_, run) => {
      const chance = draw(run, 'equal entrants');
      const scores = new TournamentScores(plan, matches);
      for (const match of matches) scores.record(match, chance.fraction() < 0.69 ? 'werewolves' : 'villagers');
      return scores.evaluate()!.decidedDeals !== null;
    }).filter(Boolean).length;
    expect(ended / runs).toBeLessThan(0.05 + 2 * Math.sqrt((0.05 * 0.95) / runs));
    const precise = createTournamentPlan({
      ...{ entrants: two, format: 'head-to-head', deals: 300, stop: { precision: 0.3, alpha: 0.05 } },
    });
    const chance = draw(1, 'precise');
    const state = playAll(precise, () => (chance.fraction() < 0.5 ? 'werewolves' : 'villagers')).evaluate()!;
    expect(state.decidedDeals).toBeGreaterThan(30); // a fixed sample reaches this precision after 24 deals
    expect(state.decidedDeals).toBeLessThan(300);
  });
});

describe('the precision of a plan', () => {
  const pair = createTournamentPlan({ entrants: two, format: 'head-to-head', deals: 40 });

  it('is that of a binomial share where it can be worked out, and the same every time', () => {
    const assumption = { share: 0.5, dealSpread: 0 };
    const found = simulatePrecision(pair, assumption);
    const { difference, differenceSpread } = found;
    // In each match either entrant wins with probability ½, so the difference of a deal is −1, 0 or 1, with standard
    // deviation √½.
    expect(differenceSpread).toBeCloseTo(Math.SQRT1_2, 1);
    expect((difference! / (2.023 * differenceSpread!)) * Math.sqrt(40)).toBeCloseTo(1, 3);
    expect(simulatePrecision(pair, assumption)).toEqual(found);
  });

  itLong('is what simulated tournaments reach', () => {
    const promised = estimatePromise(pair)!;
    expect(promised).toBeCloseTo(simulatePrecision(pair).difference!, 10);
    const reached = [1, 2, 3, 4].map((run) => simulateReached(pair, { run, resamples: 99 })!);
    expect(Math.abs(reached.reduce((sum, one) => sum + one / 4, 0) / promised - 1)).toBeLessThan(0.2);
    expect(estimatePromise({ ...pair, deals: 9 })).toBeNull();
  });

  itLong('grows with deals as it says, by whole blocks', () => {
    const found = simulatePrecision(pair);
    const deals = countDealsForPrecision(pair, found, 0.1)!;
    expect(simulatePrecision({ ...pair, deals }).difference).toBeLessThanOrEqual(0.1);
    expect(simulatePrecision({ ...pair, deals: deals - 1 }).difference).toBeGreaterThan(0.1);
    const cyclic = createTournamentPlan({ design: 'cyclic' });
    for (const width of [0.1, 0.11, 0.12]) expect(countDealsForPrecision(cyclic, found, width)! % 2).toBe(0);
  });

  itLong('promises nothing of deals that make no whole block, as the report rates none', () => {
    const names = Array.from({ length: 4 }, (_, place) => `e${place}`);
    const entrants = Object.fromEntries(names.map((name) => [name, { model: `openai:${name}` }]));
    const cyclic = createTournamentPlan({ entrants, design: 'cyclic', deals: 11 });
    expect(simulatePrecision(cyclic).score).toBeNull(); // 11 deals are not a whole number of blocks
    expect(simulatePrecision({ ...cyclic, deals: 12 }).score).not.toBeNull();
  });

  it('says what the schedule does not tell, and nothing under ten deals', () => {
    expect(simulatePrecision({ ...pair, deals: 12 }).refused.join()).toContain('selfPlay: true');
    expect(simulatePrecision(createTournamentPlan({ format: 'self-play', deals: 12 }))).toMatchObject({
      difference: null,
    });
    expect(simulatePrecision({ ...pair, deals: 9 })).toMatchObject({ difference: null, score: null, winRate: null });
  });
});
