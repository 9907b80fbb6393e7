// Creates plans of tournaments for tests: built-in bots on the smallest built-in board, plus the changes of each test.
import { TournamentPlan } from '../../../deception/tournament-plan/tournament-plan.ts';
import { boards } from '../../../state/boards.ts';

/** Different bots with short names. */
export const fieldOfBots = {
  calm: { model: 'bot:classic' },
  liar: { model: 'bot:classic?lie=0.9' },
  dice: { model: 'bot:random' },
};

export const createTournamentPlan = (changes: Partial<TournamentPlan> = {}): TournamentPlan =>
  TournamentPlan.parse({
    ...{ name: 'trial', entrants: fieldOfBots, format: 'round-robin', selfPlay: false, design: 'all' },
    ...{ boards: [boards['classic-8']], rules: ['arena'], deals: 3, seed: 1 },
    ...changes,
  });
