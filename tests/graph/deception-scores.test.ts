// Suspicion scores: the match's state, its summary and the viewer contain the same figures, under every preset.
import { describe, expect, it } from '@jest/globals';
import { listReplayStates } from '../../graph/annotation/statement-states.ts';
import { summarizeMatch } from '../../deception/summary/match-summary.ts';
import { buildViewedMatch } from '../../report/viewer/viewed-match.ts';
import { boards } from '../../state/boards.ts';
import { createInitialSuspicion } from '../../state/deal.ts';
import { type GameEvent, isEventOfType } from '../../state/events.ts';
import type { DeceptionScores, Setup } from '../../state/game.ts';
import { presets } from '../../state/presets.ts';
import { readRules } from '../../state/rulebook.ts';
import { manifestOf } from '../deception/match-builder.ts';
import { createLegalAnswer, ScriptedModel } from '../scripted-model.ts';
import { dealTable, type Options, playNodes } from '../table.ts';
import { itLong } from '../it-long.ts';

const recordOf = (setup: Setup, events: readonly GameEvent[]) => ({
  manifest: { ...manifestOf(), setup: { ...manifestOf().setup, ...setup } },
  events,
  answers: [],
});

/** Returns the final scores as a browser computes them: each pair's last value, or the value at the start. */
function readViewedScores(setup: Setup, events: readonly GameEvent[]): DeceptionScores {
  const scores = structuredClone(createInitialSuspicion(setup.players.map(({ name }) => name)));
  for (const { suspicion = {} } of buildViewedMatch(recordOf(setup, events)).steps)
    for (const [observer, targets] of Object.entries(suspicion)) Object.assign(scores[observer]!, targets);
  return scores;
}

const analyzed: Options = { analysis: 'both' };
const spoken: readonly Options[] = [
  { ballots: 'secret' },
  { ballots: 'public', analyzeBallots: false },
  { ballots: 'public', analyzeBallots: true, scoresFrom: 'all', scores: 'numbers' },
  { ballots: 'public', analyzeBallots: true, scoresFrom: 'debate', scores: 'bands' },
];
/** Every value of every rule under each preset, alternating between the two boards. */
const tables = Object.keys(presets).flatMap((rules, place) =>
  [{}, ...spoken].map((rule, turn) => {
    const board = [boards['classic-8']!, boards['plus-8']!][(place + turn) % 2]!;
    return [rules, board.name, { ...analyzed, ...board.rules, ...rule }] as const;
  }),
);

const playTable = async (rules: string, board: string, rule: Options) => {
  // Few turns, because every listener rates every statement.
  const few = readRules(rules).debateOrder === 'bidding' ? { debateTurns: 3 } : {};
  const setup = dealTable({ board: boards[board]!, rules, rule: { maxRounds: 2, ...few, ...rule } });
  const model = new ScriptedModel((question) => createLegalAnswer(question));
  return { setup, model, ...(await playNodes(setup, model)) };
};

describe('the scores of a match', () => {
  const areTheSame = async (rules: string, board: string, rule: Options) => {
    const { setup, game, events } = await playTable(rules, board, rule);
    const { deceptionScores: state } = game as { deceptionScores: DeceptionScores };
    expect(
      Object.values(state)
        .flatMap((targets) => Object.values(targets))
        .some(({ round }) => round !== null),
    ).toBe(true);
    expect(summarizeMatch(recordOf(setup, events)).deception_scores).toEqual(state);
    expect(readViewedScores(setup, events)).toEqual(state);
    const { said, game: last } = listReplayStates(recordOf(setup, events)).at(-1)!;
    const heard = new Set(said.map(({ id }) => id));
    const changed = events
      .filter(isEventOfType('assessment'))
      .filter(({ statement }) => heard.has(statement))
      .map(({ by, about }) => `${by} ${about}`);
    for (const [observer, targets] of Object.entries(last.deceptionScores))
      for (const [target, score] of Object.entries(targets))
        if (!changed.includes(`${observer} ${target}`)) expect(score).toEqual(state[observer]![target]);
  };
  const title = 'are the same in state, summary and viewer: %s on %s, %j';
  const rulesEach = spoken.length + 1;
  /** Whether `npm test` plays a table: one of each preset, each under other rules. */
  const isQuick = (at: number) => at % rulesEach === Math.floor(at / rulesEach) % rulesEach;

  it.each(tables.filter((_, at) => isQuick(at)))(title, areTheSame);
  itLong.each(tables.filter((_, at) => !isQuick(at)))(title, areTheSame);

  it('count explanations of votes where the rules say so, and the debate has a series of its own', async () => {
    const rule = { ...analyzed, ballots: 'public', analyzeBallots: true };
    const all = await playTable('wolf', 'classic-8', { ...rule, scoresFrom: 'all', scores: 'hidden' });
    const debate = await playTable('wolf', 'classic-8', { ...rule, scoresFrom: 'debate', scores: 'hidden' });
    const [ofAll, ofDebate] = [all, debate].map(({ setup, events }) => summarizeMatch(recordOf(setup, events)));
    expect(ofAll!.deception_scores).not.toEqual(ofAll!.debate_deception_scores);
    expect(ofDebate!.deception_scores).toEqual(ofDebate!.debate_deception_scores);
    expect(ofAll!.debate_deception_scores).toEqual(ofDebate!.debate_deception_scores);
  });

  it('are what players are shown, of explanations of votes too', async () => {
    const rule = { ...analyzed, ballots: 'public', analyzeBallots: true, scores: 'numbers' };
    const tell = async (scoresFrom: string) => {
      const { model } = await playTable('wolf', 'classic-8', { ...rule, scoresFrom });
      const prompts = model.asked.map(({ messages }) => messages.map(({ content }) => content).join('\n'));
      return { prompts, reminders: prompts.flatMap((text) => /How deceptive you rated.*/.exec(text) ?? []) };
    };
    const [all, debate] = [await tell('all'), await tell('debate')];
    expect(all.prompts[0]).toContain('The latest ratings count most; explanations of votes count too.');
    expect(debate.prompts[0]).toContain('The latest ratings count most; explanations of votes are left out.');
    expect(all.reminders).not.toEqual(debate.reminders);
  });
});
