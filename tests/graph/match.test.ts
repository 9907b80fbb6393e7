// Whole matches by bots on every board and under every rule, refereed, and played twice.
import { describe, expect, it } from '@jest/globals';
import { boards, seatsOf, type Board } from '../../state/boards.ts';
import { isType } from '../../state/event.ts';
import { presets } from '../../state/rules.ts';
import { rulesBroken } from '../referee.ts';
import { boardOf, play, type Options } from '../table.ts';

const tables: Board[] = [
  ...Object.values(boards),
  boardOf(1, 1, 1, 3),
  boardOf(2, 1, 1, 3),
  boardOf(3, 1, 1, 5),
  boardOf(4, 2, 2, 4),
];
const bots = ['bot:classic', 'bot:random'];
const combinations = tables.flatMap((board) =>
  Object.keys(presets).flatMap((rules) => bots.map((model) => ({ seats: seatsOf(board).length, board, rules, model }))),
);

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

describe('a whole match', () => {
  it.each(combinations)(
    'of $seats under the rules $rules by $model goes by them to its end, and the same again',
    async ({ seats, board, rules, model }) => {
      const plan = { board, rules, model, seed: 3, rule: { debateTurns: seats > 8 ? 1 : 2 } };
      const [first, second] = [await play(plan), await play(plan)];
      expect(rulesBroken(first.setup, first.events)).toEqual([]);
      expect(JSON.stringify(second.events)).toBe(JSON.stringify(first.events));
    },
  );

  it.each(variations)('goes by the rule %j to its end, and the same again', async (rule) => {
    const plan = { board: boardOf(2, 1, 1, 2), seed: 5, rule: { debateTurns: 2, maxRounds: 2, ...rule } };
    const [first, second] = [await play(plan), await play(plan)];
    expect(rulesBroken(first.setup, first.events)).toEqual([]);
    expect(JSON.stringify(second.events)).toBe(JSON.stringify(first.events));
  });

  it.each(Object.keys(presets))('has as many statements a day as the rules %s say', async (rules) => {
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
