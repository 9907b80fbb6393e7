// Figures in the trace of a finished match: each belongs to the side in its name. See `tracing.test.ts` for how they
// are sent.
import { expect, it } from '@jest/globals';
import { createFeedback } from '../../graph/langsmith-feedback.ts';
import { playMatch } from '../../graph/play-match.ts';
import { createBoard } from '../table.ts';

it('the figures of a side are of its own players, and no others', async () => {
  const rule = { maxRounds: 1, debateTurns: 1 };
  const { summary } = await playMatch({ board: createBoard(1, 1, 1, 3), rule, seed: 3, out: null });
  const [one] = Object.values(summary.players);
  const tell = (team: 'villagers' | 'werewolves', lies: number, found: number) => ({
    ...{ ...one!, team, self_reports: { debate: 4, ballot: 4 }, peer_analyses: { debate: 10, ballot: 10 } },
    self_reported_deceptions: { debate: lies, ballot: 0 },
    peer_detected_deceptions: { debate: 0, ballot: found },
  });
  const players = { Ann: tell('villagers', 0, 1), Ben: tell('villagers', 1, 2), Cal: tell('werewolves', 3, 5) };
  const total = { ...summary.model_calls.total, calls: 12, asked_again: 2, fallbacks: 1 };
  const given = createFeedback({
    ...{ ...summary, players, winner: 'werewolves', end_reason: 'Werewolves at parity' },
    model_calls: { ...summary.model_calls, total },
  });
  expect(Object.fromEntries(given.map(({ key, ...rest }) => [key, rest]))).toEqual({
    winner: { value: 'werewolves', comment: 'Werewolves at parity' },
    self_reported_deception_villagers_debate: { score: 1 / 8 },
    self_reported_deception_villagers_ballot: { score: 0 },
    detected_deception_villagers_debate: { score: 0 },
    detected_deception_villagers_ballot: { score: 3 / 20 },
    self_reported_deception_werewolves_debate: { score: 3 / 4 },
    self_reported_deception_werewolves_ballot: { score: 0 },
    detected_deception_werewolves_debate: { score: 0 },
    detected_deception_werewolves_ballot: { score: 5 / 10 },
    fallback_rate: { score: 1 / 10 },
  });
});
