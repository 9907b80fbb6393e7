// Simulated games: Algorithm 1 of Werewolf Arena against known probabilities, and matches played at random by the rules.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countTable, countVillageWins, simulate } from '../../../deception/baseline/village-win-simulation.ts';
import {
  type BoardAndRules,
  playToEnd,
  type RandomMatch,
  playRandomMatches,
  randomStatementText,
} from '../../../deception/play/random-matches.ts';
import { boards, readBoard } from '../../../state/boards.ts';
import type { Setup } from '../../../state/game.ts';
import { draw } from '../../../state/random.ts';
import type { RuleValue } from '../../../state/rules/rule.ts';
import { presets } from '../../../state/presets.ts';
import { resolveBoardRules } from '../../../state/rulebook.ts';
import type { Shapes } from '../../question.ts';
import { anyPlan } from '../../random-plans.ts';
import { listRulesBroken } from '../../referee.ts';
import { createLegalAnswer, ScriptedModel } from '../../scripted-model.ts';
import { playDeal } from '../../table.ts';
import { eight, expectVillageShare, tablesOfKnownChance } from '../known-chances.ts';
import { itLong } from '../../it-long.ts';

describe('Algorithm 1', () => {
  it.each(tablesOfKnownChance)('lets the village win as often as it must: %s', (_table, table, chance) => {
    expectVillageShare(table, chance, 10_000); // in more games: tests/long/wins-by-chance.test.ts
  });

  it('is decided by the first day where there are three: one is removed, and the two left vote for each other', () => {
    expect(countVillageWins({ players: 3, werewolves: 1, isProtected: false, isSeen: false }, 1000, draw(1))).toBe(0);
  });

  it('gives the same games for the same seed, and others for another', () => {
    const [one, same, other] = [1, 1, 2].map((seed) => simulate(eight, 5000, seed));
    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('sets the paper’s figures beside its own table only', () => {
    expect(simulate(eight, 10, 1).map(({ published }) => published)).toEqual([0.012, 1]);
    expect(simulate({ ...eight, players: 9 }, 10, 1).map(({ published }) => published)).toEqual([null, null]);
  });

  it('gives the interval of Wilson for games', () => {
    const [{ village_wins: wins, interval } = { village_wins: NaN, interval: [NaN, NaN] }] = simulate(eight, 10_000, 1);
    const [z, share] = [1.959964, wins / 10_000];
    const spread = (z * Math.sqrt((share * (1 - share)) / 10_000 + z ** 2 / 4e8)) / (1 + z ** 2 / 10_000);
    expect(interval[1] - interval[0]).toBeCloseTo(2 * spread, 6);
  });

  it('takes its numbers from a board: a shield for every night protects, a potion does not', () => {
    expect(countTable(boards['classic-8']!)).toEqual({ players: 8, werewolves: 2, isProtected: true });
    expect(countTable(boards['plus-12']!)).toEqual({ players: 12, werewolves: 4, isProtected: true });
    expect(countTable(boards['plus-9']!)).toEqual({ players: 9, werewolves: 3, isProtected: false });
  });

  it.each([
    [{ players: 8, werewolves: 4 }, /4 Werewolves among 8 players/],
    [{ players: 8, werewolves: 0 }, /at least 1/],
    [{ players: 300, werewolves: 2 }, /at most 255/],
  ])('says what no game can be made of: %j', (numbers, words) => {
    expect(() => countVillageWins({ ...eight, ...numbers }, 1, draw(1))).toThrow(words);
  });
});

// Matches played at random: their events look exactly like those of matches played by the graph.

const createGround = (
  board: string,
  rules = 'wolf',
  rule: Readonly<Record<string, RuleValue>> = {},
): BoardAndRules => ({
  board: readBoard(board),
  rules: resolveBoardRules(boards[board]!, rules, rule),
});

const drawGrounds = (count: number): BoardAndRules[] =>
  fc
    .sample(anyPlan, { seed: 7, numRuns: count })
    .map(({ board, rule }) => ({ board, rules: resolveBoardRules(board, 'wolf', rule) }));

const playFirst = (on: BoardAndRules, seed = 1): RandomMatch => [...playRandomMatches(on, 1, seed)][0]!;

interface Choice {
  value: unknown;
  /** All legal values of the choice. */
  of: readonly unknown[];
}

const countUpTo = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Lists the choices in an answer, each with its alternatives. Free text is not a choice. */
function listChoices(fields: Shapes, answer: Readonly<Record<string, unknown>>): Choice[] {
  return Object.entries(fields).flatMap(([name, shape]): Choice[] => {
    const value = answer[name];
    if (shape.kind === 'choice') return [{ value, of: shape.of }];
    if (shape.kind === 'boolean') return [{ value, of: [true, false] }];
    if (shape.kind === 'integer')
      return [{ value, of: countUpTo(shape.to - shape.from + 1).map((more) => shape.from + more) }];
    if (shape.kind === 'fractions')
      return shape.of.map((of) => ({
        value: (value as Record<string, number>)[of],
        of: countUpTo(101).map((percent) => percent / 100),
      }));
    return [];
  });
}

/** Plays a deal through the graph between models that answer at random, and keeps every choice by action and player. */
async function playThroughGraph(setup: Setup, seed: number) {
  const chosen = new Map<string, Choice[]>();
  const model = new ScriptedModel((question) => {
    const drawn = Object.entries(createLegalAnswer(question, seed));
    const isText = (name: string) => question.fields[name]!.kind === 'text';
    const answer = Object.fromEntries(drawn.map(([name, value]) => [name, isText(name) ? randomStatementText : value]));
    const key = `${question.action} ${question.player}`;
    chosen.set(key, [...(chosen.get(key) ?? []), ...listChoices(question.fields, answer)]);
    return answer;
  });
  const { events } = await playDeal(setup, model);
  return { events, chosen };
}

describe('a match played by the rules alone', () => {
  const grounds: [string, BoardAndRules][] = [
    ['classic-8 as in Werewolf Arena', createGround('classic-8', 'arena', { debateTurns: 3, maxRounds: 3 })],
    ['plus-9 as in WereWolf-Plus', createGround('plus-9', 'plus')],
    ['plus-12-sheriff as in WereWolf-Plus', createGround('plus-12-sheriff', 'plus', { maxRounds: 4 })],
    [
      'plus-12-sheriff with bids',
      createGround('plus-12-sheriff', 'wolf', { debateTurns: 2, maxRounds: 3, exile: 'plurality', exileTies: 'pk' }),
    ],
    ...drawGrounds(4).map((on, index): [string, BoardAndRules] => [
      `any board under any rules, number ${index + 1}`,
      on,
    ]),
  ];
  const isTheSame = async (_name: string, on: BoardAndRules) => {
    const { setup } = playFirst(on);
    const { events, chosen } = await playThroughGraph(setup, 3);
    const alone = playToEnd(setup, (action, by, choices) => {
      const { value, of } = chosen.get(`${action} ${by}`)!.shift()!;
      expect(new Set<unknown>(choices)).toEqual(new Set(of));
      return choices.find((choice) => choice === value)!;
    });
    expect(alone).toEqual(events.filter(({ type }) => type !== 'thought'));
    expect([...chosen.values()].flat()).toEqual([]); // the graph made no other choices
  };
  const title = 'is the match that the graph plays where the same is chosen, and the same is to choose: %s';

  it.each(grounds.slice(0, 3))(title, isTheSame);
  itLong.each(grounds.slice(3))(title, isTheSame);
});

describe('random matches', () => {
  it('go by the rules of any board', () => {
    for (const on of [...drawGrounds(10), ...Object.keys(boards).map((board) => createGround(board, 'plus'))])
      for (const { setup, events } of playRandomMatches(on, 1, 1))
        expect({ ...on, broken: listRulesBroken(setup, events) }).toMatchObject({ broken: [] });
  });

  it('are the same for the same seed, each by itself', () => {
    const on = createGround('plus-12-sheriff', 'plus');
    const longer = [...playRandomMatches(on, 3, 1)];
    expect([...playRandomMatches(on, 2, 1)]).toEqual(longer.slice(0, 2));
    expect(longer[0]).not.toEqual(longer[1]);
    expect(playFirst(on, 2)).not.toEqual(longer[0]);
  });

  it('are dealt and played under the rules given, without analyses', () => {
    const { setup } = playFirst(createGround('classic-8', 'wolf', { beliefs: 'each-statement' }));
    expect(setup.rules).toMatchObject({ ...presets['wolf@2'], analysis: 'off', beliefs: 'each-round' });
    expect(setup.board.name).toBe('classic-8');
  });
});
