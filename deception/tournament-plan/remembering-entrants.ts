// Players with experience in a tournament: checks that the names in a plan match players of the tournament.
import { deal } from '../../state/deal.ts';
import { getModelLabel, identifyModel } from '../../state/model-identity.ts';
import { namePool } from '../../state/player-names.ts';
import { resolveBoardRules } from '../../state/rulebook.ts';
import { Team } from '../../state/teams.ts';
import { UsageError } from '../../state/usage-error.ts';
import { resolveSeatReference } from '../experience/seat-references.ts';
import { baselineName, type TournamentPlan } from './tournament-plan.ts';
import { listExperienceArms } from './tournament-schedule.ts';

type Seated = Pick<TournamentPlan, 'entrants' | 'baseline' | 'boards'>;

/** Lists every word that can refer to one or more players, except names of players. */
function listCalled({ entrants, baseline, boards }: Seated): string[] {
  const dealt = [...new Set(boards.flatMap(({ roles }) => Object.keys(roles).filter((role) => roles[role]! > 0)))];
  const seated = { ...entrants, ...(baseline && { [baselineName]: baseline }) };
  const models = Object.values(seated).flatMap(({ model, roles = {} }) => [
    model,
    ...dealt.flatMap((role) => roles[role] ?? []),
  ]);
  const called = models.map(identifyModel).flatMap((identity) => [identity, getModelLabel(identity)]);
  return [...new Set([...Object.keys(seated), ...dealt, ...Team.options, ...called])];
}

const listPlayers = ({ boards }: Pick<TournamentPlan, 'boards'>): string[] => [
  ...new Set(boards.flatMap(({ names }) => names ?? namePool)),
];

/**
 * Returns the names that a plan's words refer to. Throws a UsageError for a word that matches nobody in the tournament,
 * and for an ambiguous word.
 *
 * @example resolveRememberingEntrants(plan, ['learner', 'seer']) // ['learner', 'Seer']
 */
export function resolveRememberingEntrants(plan: Seated, words: readonly string[]): string[] {
  const called = listCalled(plan);
  const known = [...called, ...listPlayers(plan)];
  return words.map((word) => {
    const meant = resolveSeatReference(word, known);
    if (meant !== null) return meant;
    throw new UsageError(
      `experience.seats: nobody in this tournament is called ${word}. Name who remembers earlier matches: ${called.join(', ')}, or the players ${listPlayers(plan).join(', ')}.`,
    );
  });
}

/**
 * Throws a UsageError for words that match nobody. Also throws a UsageError for players who are never dealt a seat,
 * because their experience arm would have no memories.
 */
export function checkRememberingEntrants(plan: TournamentPlan): void {
  for (const { experience } of listExperienceArms(plan)) {
    if (experience?.seats === undefined) continue;
    const meant = resolveRememberingEntrants(plan, experience.seats);
    const called = listCalled(plan);
    if (!meant.some((word) => called.includes(word)) && !isEverDealt(plan, meant))
      throw new UsageError(
        `experience.seats: ${meant.join(', ')} sit${meant.length === 1 ? 's' : ''} at no table of this tournament, so no player would remember earlier matches. Name players who are dealt, or an entrant, a role or a side.`,
      );
  }
}

function isEverDealt({ boards, deals, seed, rules, rule }: TournamentPlan, names: readonly string[]): boolean {
  return boards.some((board) => {
    const common = { board, rules: resolveBoardRules(board, rules[0]!, rule) };
    for (let index = 0; index < deals; index++)
      if (deal({ ...common, seed: seed + index }).players.some(({ name }) => names.includes(name))) return true;
    return false;
  });
}
