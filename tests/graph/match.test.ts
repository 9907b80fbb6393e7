// Whole matches by bots on every board and under every rule, refereed, and played twice.
import { describe, expect, it } from '@jest/globals';
import { boards, type Board } from '../../state/boards.ts';
import { isType } from '../../state/event.ts';
import { presets, readRules } from '../../state/rules.ts';
import { rulesBroken } from '../referee.ts';
import { boardOf, play, type Options } from '../table.ts';

/** Every board under every preset. More seeds than these few by the environment: `WOLFGRAPH_SEEDS=200`. */
const combinations = Object.keys(boards).flatMap((board) =>
  Object.keys(presets).flatMap((rules) => [
    { board, rules, model: 'bot:random', seeds: Number(process.env['WOLFGRAPH_SEEDS'] ?? 2) },
    { board, rules, model: 'bot:classic', seeds: Number(process.env['WOLFGRAPH_SEEDS'] ?? 1) },
  ]),
);

/** Every role at one table of nine. */
const everyRole: Board = {
  name: 'every-role',
  roles: { Werewolf: 2, Seer: 1, Doctor: 1, Guard: 1, Witch: 1, Hunter: 1, Villager: 2 },
};

/** Every value of every option that a whole match shows, alone or with what it needs. */
const variations: Options[] = [
  { debateTurns: 1 },
  { bidScale: 4 },
  { exile: 'plurality', exileTies: 'nobody', maxRounds: 4 },
  { exile: 'plurality', exileTies: 'random' },
  { reveal: 'team', exile: 'plurality' },
  { reveal: 'role', exile: 'plurality' },
  { ballots: 'secret' },
  { syntheticVotes: true },
  { analysis: 'self' },
  { analysis: 'peer' },
  { analysis: 'off' },
  { analyzeBallots: false },
  { scores: 'hidden' },
  { scores: 'numbers' },
  { beliefs: 'each-round' },
  { beliefs: 'each-statement', analysis: 'peer' },
  { beliefs: 'each-round', analysis: 'off', syntheticVotes: true },
  { pack: 'one' },
  { memory: 'full' },
  { protectSelf: false },
  { protectRepeat: false, maxRounds: 5 },
  { protectSelf: false, protectRepeat: false, exile: 'plurality', exileTies: 'random' },
  { checkTells: 'team' },
  { maxWords: 5 },
  { honesty: 'required', coaching: 'paper' },
  { honesty: 'forbidden' },
];

/** The same for the options of the roles and of the office that came later. */
const ofOffices: Options[] = [
  { exile: 'plurality', exileTies: 'pk' },
  { wins: 'majority' },
  { wins: 'edge' },
  { debateOrder: 'round-robin', debatePasses: 2 },
  { debateOrder: 'round-robin', debateLead: 'rotation', maxRounds: 4 },
  { debateOrder: 'round-robin', sheriff: true },
  { sheriff: true, sheriffWeight: 1, exile: 'plurality', exileTies: 'pk' },
  { sheriff: true, sheriffWeight: 2 },
  { sheriff: true, ballots: 'secret', syntheticVotes: true, beliefs: 'each-round' },
  { guardSelf: false, guardRepeat: true },
  { guardAndAntidote: 'dies' },
  { witchSelfSave: 'always' },
  { witchSelfSave: 'never' },
  { witchBothPotions: true },
  { hunterPoisoned: true },
];

describe('a whole match', () => {
  it.each(combinations)(
    'on $board under the rules $rules by $model goes by them to its end without a fallback, and the same again',
    async ({ board, rules, model, seeds }) => {
      const rule = readRules(rules).debateOrder === 'bidding' ? { debateTurns: 1 } : {};
      for (let seed = 1; seed <= seeds; seed++) {
        const plan = { board, rules, model, seed, rule };
        const { setup, events, lines } = await play(plan);
        expect(rulesBroken(setup, events)).toEqual([]);
        expect(lines.filter(({ mark }) => mark)).toEqual([]);
        expect(events.at(-1)).toMatchObject({ type: 'ended' });
        if (seed === 1 && model === 'bot:random')
          expect(JSON.stringify((await play(plan)).events)).toBe(JSON.stringify(events));
      }
    },
    600_000,
  );

  it.each(variations)('goes by the rule %j to its end, and the same again', async (rule) => {
    const plan = { board: boardOf(2, 1, 1, 2), seed: 5, rule: { debateTurns: 2, maxRounds: 2, ...rule } };
    const [first, second] = [await play(plan), await play(plan)];
    expect(rulesBroken(first.setup, first.events)).toEqual([]);
    expect(JSON.stringify(second.events)).toBe(JSON.stringify(first.events));
  });

  it.each(ofOffices)('of every role goes by the rule %j to its end', async (rule) => {
    const few = rule['debateOrder'] === 'round-robin' ? {} : { debateTurns: 1 };
    const plan = { board: everyRole, seed: 2, model: 'bot:random', rule: { analysis: 'off', ...few, ...rule } };
    const { setup, events } = await play(plan);
    expect(rulesBroken(setup, events)).toEqual([]);
  });

  it.each(['wolf', 'arena'])('has as many statements a day as the rules %s say', async (rules) => {
    const { setup, events } = await play({ rules, seed: 2 });
    expect(rulesBroken(setup, events)).toEqual([]);
    const turns = events.filter(isType('statement')).filter(({ round }) => round === 1);
    expect(turns).toHaveLength({ wolf: 6, arena: 8 }[rules]!);
  });

  it('is another one under another seed', async () => {
    const rule = { debateTurns: 1 };
    const matches = await Promise.all([1, 2, 3, 4].map((seed) => play({ seed, rule })));
    expect(new Set(matches.map(({ events }) => JSON.stringify(events))).size).toBe(4);
    expect(new Set(matches.map(({ setup }) => JSON.stringify(setup.players))).size).toBe(4);
  });

  it('is the same whoever else is being played at the same time', async () => {
    const plan = { seed: 4, rule: { debateTurns: 2 } };
    const alone = await play(plan);
    const beside = await Promise.all([play(plan), play({ ...plan, seed: 5 }), play({ ...plan, concurrency: 1 })]);
    expect(beside[0].events).toEqual(alone.events);
    expect(beside[2].events).toEqual(alone.events);
  });
});
