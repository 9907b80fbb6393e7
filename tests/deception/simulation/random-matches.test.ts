// Matches played by chance: whoever reads their events cannot tell that no graph has played them.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  playOut,
  randomMatches,
  words,
  type Ground,
  type RandomMatch,
} from '../../../deception/simulation/random-matches.ts';
import { rulesOn } from '../../../state/board-rules.ts';
import { boards, readBoard } from '../../../state/boards.ts';
import type { RuleValue } from '../../../state/rule.ts';
import { presets } from '../../../state/rules.ts';
import type { Setup } from '../../../state/setup.ts';
import type { Shapes } from '../../question.ts';
import { anyPlan } from '../../random-plans.ts';
import { rulesBroken } from '../../referee.ts';
import { legalAnswer, ScriptedModel } from '../../scripted-model.ts';
import { playDeal } from '../../table.ts';

const ground = (board: string, rules = 'wolf', rule: Readonly<Record<string, RuleValue>> = {}): Ground => ({
  board: readBoard(board),
  rules: rulesOn(boards[board]!, rules, rule),
});

const anyGrounds = (count: number): Ground[] =>
  fc
    .sample(anyPlan, { seed: 7, numRuns: count })
    .map(({ board, rule }) => ({ board, rules: rulesOn(board, 'wolf', rule) }));

const first = (on: Ground, seed = 1): RandomMatch => [...randomMatches(on, 1, seed)][0]!;

const winnerOf = ({ events }: Pick<RandomMatch, 'events'>) => {
  const last = events.at(-1)!;
  return last.type === 'ended' ? last.winner : undefined;
};

interface Choice {
  value: unknown;
  /** All values that were legal. */
  of: readonly unknown[];
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

/** What was chosen in an answer, out of what; nothing is chosen in words. */
function choicesIn(fields: Shapes, answer: Readonly<Record<string, unknown>>): Choice[] {
  return Object.entries(fields).flatMap(([name, shape]): Choice[] => {
    const value = answer[name];
    if (shape.kind === 'choice') return [{ value, of: shape.of }];
    if (shape.kind === 'boolean') return [{ value, of: [true, false] }];
    if (shape.kind === 'integer')
      return [{ value, of: upTo(shape.to - shape.from + 1).map((more) => shape.from + more) }];
    if (shape.kind === 'fractions')
      return shape.of.map((of) => ({
        value: (value as Record<string, number>)[of],
        of: upTo(101).map((percent) => percent / 100),
      }));
    return [];
  });
}

/** Plays a deal through the graph between models that answer at random, and keeps every choice by action and player. */
async function throughGraph(setup: Setup, seed: number) {
  const chosen = new Map<string, Choice[]>();
  const model = new ScriptedModel((question) => {
    const drawn = Object.entries(legalAnswer(question, seed));
    const isText = (name: string) => question.fields[name]!.kind === 'text';
    const answer = Object.fromEntries(drawn.map(([name, value]) => [name, isText(name) ? words : value]));
    const key = `${question.action} ${question.player}`;
    chosen.set(key, [...(chosen.get(key) ?? []), ...choicesIn(question.fields, answer)]);
    return answer;
  });
  const { events } = await playDeal(setup, model);
  return { events, chosen };
}

describe('a match played by the rules alone', () => {
  it.each<[string, Ground]>([
    ['classic-8 as in Werewolf Arena', ground('classic-8', 'arena')],
    ['plus-9 as in WereWolf-Plus', ground('plus-9', 'plus')],
    ['plus-12-sheriff as in WereWolf-Plus', ground('plus-12-sheriff', 'plus')],
    [
      'plus-12-sheriff with bids',
      ground('plus-12-sheriff', 'wolf', { debateTurns: 2, exile: 'plurality', exileTies: 'pk' }),
    ],
    ...anyGrounds(10).map((on, index): [string, Ground] => [`any board under any rules, number ${index + 1}`, on]),
  ])('is the match that the graph plays where the same is chosen, and the same is to choose: %s', async (_name, on) => {
    const { setup } = first(on);
    const { events, chosen } = await throughGraph(setup, 3);
    const alone = playOut(setup, (action, by, choices) => {
      const { value, of } = chosen.get(`${action} ${by}`)!.shift()!;
      expect(new Set<unknown>(choices)).toEqual(new Set(of));
      return choices.find((choice) => choice === value)!;
    });
    expect(alone).toEqual(events.filter(({ type }) => type !== 'thought'));
    expect([...chosen.values()].flat()).toEqual([]); // nothing that was asked there was not asked here
  });
});

describe('random matches', () => {
  it('go by the rules of any board', () => {
    for (const on of [...anyGrounds(60), ...Object.keys(boards).map((board) => ground(board, 'plus'))])
      for (const { setup, events } of randomMatches(on, 2, 1))
        expect({ ...on, broken: rulesBroken(setup, events) }).toMatchObject({ broken: [] });
  });

  it('are the same for the same seed, each by itself', () => {
    const on = ground('plus-12-sheriff', 'plus');
    const longer = [...randomMatches(on, 3, 1)];
    expect([...randomMatches(on, 2, 1)]).toEqual(longer.slice(0, 2));
    expect(longer[0]).not.toEqual(longer[1]);
    expect(first(on, 2)).not.toEqual(longer[0]);
  });

  it('are dealt and played under the rules given, without analyses', () => {
    const { setup } = first(ground('classic-8', 'wolf', { beliefs: 'each-statement' }));
    expect(setup.rules).toMatchObject({ ...presets['wolf'], analysis: 'off', beliefs: 'each-round' });
    expect(setup.board.name).toBe('classic-8');
  });

  /** Published for 100,000 games each: everybody votes for any other, and the Doctor may protect himself. */
  it.each([
    ['most votes exile and a draw decides ties', { exile: 'plurality', exileTies: 'random' }, 0.777],
    ['most votes exile and a tie exiles nobody', { exile: 'plurality', exileTies: 'nobody' }, 0.871],
    ['more than half of the living exile', { exile: 'majority' }, 0.964],
  ])('are won by the Werewolves as often as is known where %s', (_name, rule, published) => {
    const games = 600; // three standard errors are .05, and the rates differ by .09
    const on = ground('classic-8', 'wolf', { ...rule, debateTurns: 1, pack: 'one', maxRounds: 50 });
    const won = [...randomMatches(on, games, 1)].filter((match) => winnerOf(match) === 'werewolves').length;
    const error = Math.sqrt((published * (1 - published)) / games);
    expect(Math.abs(won / games - published)).toBeLessThan(0.003 + 3 * error);
  });
});
