// Whole matches by bots on every board and under every rule, refereed, and played twice.
import { describe, expect, it } from '@jest/globals';
import { boards, type Board } from '../../state/boards.ts';
import { isType } from '../../state/event.ts';
import { presets, readRules } from '../../state/rules.ts';
import { rulesBroken } from '../referee.ts';
import { boardOf, play, type Options } from '../table.ts';

/**
 * Every board under every preset, with both bots at each table: which of them is the pack goes by turns. Random boards
 * under random rules stand in `properties.test.ts`. More seeds by the environment: `WOLFGRAPH_SEEDS=200`.
 */
const combinations = Object.keys(boards).flatMap((board, row) =>
  Object.keys(presets).map((rules, column) => ({
    board,
    rules,
    werewolves: (row + column) % 2 === 0 ? 'bot:random' : 'bot:classic',
    villagers: (row + column) % 2 === 0 ? 'bot:classic' : 'bot:random',
  })),
);
const seeds = Number(process.env['WOLFGRAPH_SEEDS'] ?? 1);

/** Where everybody analyses everything, two rounds show it all. */
const few = (rules: string): Options => {
  const { debateOrder, analysis } = readRules(rules);
  return { ...(debateOrder === 'bidding' && { debateTurns: 1 }), ...(analysis !== 'off' && { maxRounds: 2 }) };
};

/** Every role at one table of nine. */
const everyRole: Board = {
  name: 'every-role',
  roles: { Werewolf: 2, Seer: 1, Doctor: 1, Guard: 1, Witch: 1, Hunter: 1, Villager: 2 },
};

/** Every value of every option that a whole match shows; several in one match where neither hides the other. */
const variations: Options[] = [
  { debateTurns: 1, bidScale: 4, maxWords: 5, protectSelf: false },
  { exile: 'plurality', exileTies: 'nobody', maxRounds: 4, analysis: 'off', protectRepeat: false },
  { exile: 'plurality', exileTies: 'random', reveal: 'team', memory: 'full' },
  { exile: 'plurality', reveal: 'role', ballots: 'secret', scores: 'numbers' },
  { syntheticVotes: true, analysis: 'self', checkTells: 'team' },
  { analysis: 'peer', beliefs: 'each-statement', honesty: 'forbidden' },
  { analyzeBallots: false, scores: 'hidden', pack: 'one', beliefs: 'each-round' },
  { beliefs: 'each-round', analysis: 'off', syntheticVotes: true, honesty: 'required', coaching: 'paper' },
  { protectSelf: false, protectRepeat: false, exile: 'plurality', exileTies: 'random', maxRounds: 5, analysis: 'off' },
];

/** The same for the options of the roles and of the office that came later. */
const ofOffices: Options[] = [
  { exile: 'plurality', exileTies: 'pk', wins: 'majority', guardSelf: false, guardRepeat: true },
  { wins: 'edge', guardAndAntidote: 'dies', witchBothPotions: true },
  { debateOrder: 'round-robin', debatePasses: 2, witchSelfSave: 'always' },
  { debateOrder: 'round-robin', debateLead: 'rotation', maxRounds: 4, witchSelfSave: 'never' },
  { debateOrder: 'round-robin', sheriff: true, hunterPoisoned: true },
  { sheriff: true, sheriffWeight: 1, exile: 'plurality', exileTies: 'pk' },
  { sheriff: true, sheriffWeight: 2, ballots: 'secret', syntheticVotes: true, beliefs: 'each-round' },
];

describe('a whole match', () => {
  it.each(combinations)(
    'on $board under the rules $rules, the pack by $werewolves, goes by them to its end without a fallback',
    async ({ board, rules, werewolves, villagers }) => {
      for (let seed = 1; seed <= seeds; seed++) {
        const { setup, events, lines } = await play({ board, rules, werewolves, villagers, seed, rule: few(rules) });
        expect(rulesBroken(setup, events)).toEqual([]);
        expect(lines.filter(({ mark }) => mark)).toEqual([]);
        expect(events.at(-1)).toMatchObject({ type: 'ended' });
      }
    },
    600_000,
  );

  it.each(variations)('goes by the rules %j to its end', async (rule) => {
    const plan = { board: boardOf(2, 1, 1, 2), seed: 5, rule: { debateTurns: 2, maxRounds: 2, ...rule } };
    const { setup, events } = await play(plan);
    expect(rulesBroken(setup, events)).toEqual([]);
  });

  it.each(ofOffices)('of every role goes by the rules %j to its end', async (rule) => {
    const turns = rule['debateOrder'] === 'round-robin' ? {} : { debateTurns: 1 };
    const plan = { board: everyRole, seed: 2, model: 'bot:random', rule: { analysis: 'off', ...turns, ...rule } };
    const { setup, events } = await play(plan);
    expect(rulesBroken(setup, events)).toEqual([]);
  });

  it.each(Object.keys(presets))('of the same seed is the same again under the rules %s', async (rules) => {
    const plan = { rules, board: everyRole, seed: 3, rule: { ...few(rules), sheriff: true, maxRounds: 2 } };
    const mixed = { ...plan, werewolves: 'bot:random' };
    const [first, second] = [await play(mixed), await play(mixed)];
    expect(JSON.stringify(second.events)).toBe(JSON.stringify(first.events));
  });

  it.each(['wolf', 'arena'])('has as many statements a day as the rules %s say', async (rules) => {
    const { setup, events } = await play({ rules, seed: 2, rule: { maxRounds: 1 }, model: 'bot:random' });
    expect(rulesBroken(setup, events)).toEqual([]);
    const turns = events.filter(isType('statement')).filter(({ round }) => round === 1);
    expect(turns).toHaveLength({ wolf: 6, arena: 8 }[rules]!);
  });

  it('is another one under another seed, and the same whoever else is being played at the same time', async () => {
    const plan = { seed: 4, rule: { debateTurns: 1, maxRounds: 2 }, model: 'bot:random' };
    const alone = await play(plan);
    const [same, bySteps, ...others] = await Promise.all([
      play(plan),
      play({ ...plan, concurrency: 1 }),
      ...[1, 2, 3].map((seed) => play({ ...plan, seed })),
    ]);
    expect(same.events).toEqual(alone.events);
    expect(bySteps.events).toEqual(alone.events);
    const matches = [alone, ...others];
    expect(new Set(matches.map(({ events }) => JSON.stringify(events))).size).toBe(4);
    expect(new Set(matches.map(({ setup }) => JSON.stringify(setup.players))).size).toBe(4);
  });
});
