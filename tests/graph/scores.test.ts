// Suspicion scores: how they come about in a match, and what their owner sees of them.
import { describe, expect, it } from '@jest/globals';
import type { GameEvent } from '../../state/event.ts';
import type { Question } from '../question.ts';
import { scoresFrom } from '../referee.ts';
import { legalAnswer, ScriptedModel } from '../scripted-model.ts';
import { boardOf, dealt, playDeal, type Options } from '../table.ts';

const matches = new Map<string, ReturnType<typeof playWith>>();
/** A match under a rule, played once. */
function played(rule: Options) {
  const key = JSON.stringify(rule);
  if (!matches.has(key)) matches.set(key, playWith(rule));
  return matches.get(key)!;
}

async function playWith(rule: Options) {
  const setup = dealt({ board: boardOf(2, 1, 1, 4), rule: { debateTurns: 3, maxRounds: 2, ...rule }, seed: 2 });
  const model = new ScriptedModel((question) => legalAnswer(question));
  const { events, game } = await playDeal(setup, model);
  const votes = model.asked.filter(({ action }) => action === 'vote');
  /** Own scores of the living who were heard, when a vote was asked for, recomputed from the events before it. */
  const scoresAt = ({ player, round, alive }: Question) => {
    const isBefore = (event: GameEvent) =>
      event.round < round || (event.type === 'assessment' && event.round === round && event.kind === 'debate');
    const scores = scoresFrom(setup, events.filter(isBefore))[player]!;
    return alive
      .filter((name) => name !== player && scores[name]!.round !== null)
      .map((name) => [name, scores[name]!.score] as const);
  };
  return { setup, events, game, votes, scoresAt };
}

const shown = ({ messages }: Question, before: string) =>
  messages[1]!.content
    .split('\n')
    .find((line) => line.startsWith(before))
    ?.slice(before.length, -1);

describe('suspicion scores', () => {
  it('stand in the state as the analyses make them', async () => {
    const { setup, events, game } = await played({});
    for (const [observer, targets] of Object.entries(scoresFrom(setup, events)))
      for (const [target, { score, round }] of Object.entries(targets)) {
        expect(game.deceptionScores[observer]![target]!.score).toBeCloseTo(score, 12);
        expect(game.deceptionScores[observer]![target]!.round).toBe(round);
      }
  });

  it('are shown to their owner before a vote, with scores=numbers', async () => {
    const { votes, scoresAt } = await played({ scores: 'numbers' });
    expect(votes.length).toBeGreaterThan(10);
    for (const vote of votes) {
      const told = shown(vote, 'How deceptive their statements have seemed to you so far, from 0 to 1: ')!;
      const numbers = told.split(', ').map((each) => each.split(' '));
      expect(numbers.map(([name]) => name)).toEqual(scoresAt(vote).map(([name]) => name));
      for (const [index, [, score]] of scoresAt(vote).entries())
        expect(Math.abs(Number(numbers[index]![1]) - score)).toBeLessThan(0.00501); // two digits are shown
    }
  });

  it('are shown as those above 0.6 and those below 0.4, with scores=bands', async () => {
    const { votes, scoresAt } = await played({});
    const band = (vote: Question, within: (score: number) => boolean) =>
      scoresAt(vote)
        .filter(([, score]) => within(score))
        .map(([name]) => name)
        .join(', ') || undefined;
    for (const vote of votes) {
      expect(shown(vote, 'Their statements have seemed deceptive to you so far: ')).toBe(
        band(vote, (score) => score > 0.6),
      );
      expect(shown(vote, 'Their statements have seemed honest to you so far: ')).toBe(
        band(vote, (score) => score < 0.4),
      );
    }
  });

  it('are not shown with scores=hidden', async () => {
    const { votes } = await played({ scores: 'hidden' });
    for (const { messages } of votes) expect(messages[1]!.content).not.toMatch(/have seemed/);
  });
});
