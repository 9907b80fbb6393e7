// The public part of a match: for onlookers, and while people play who must not learn more from a second window.
import { isPersonSpec } from '../../state/model-identity.ts';
import type { Manifest } from '../../state/record.ts';
import { selectSeen } from './perspective.ts';
import type { ViewedMatch, ViewedPlayer } from './viewed-match.ts';

/**
 * Returns whether a match has secrets from people who play in it: it is not over.
 *
 * @example hasSecrets(manifest, { isOver: false }) // true if a person plays
 */
export const hasSecrets = ({ setup }: Pick<Manifest, 'setup'>, { isOver }: { isOver: boolean }): boolean =>
  !isOver && Object.values(setup.models).some(isPersonSpec);

/** Stands where a role, side or model is hidden. */
const hidden = 'hidden';

/** Viewer without a seat. Names of players begin with a capital letter. */
const onlooker = 'onlooker';

/**
 * Returns what everybody may know of a match: events that all players saw, without roles, models, seed, thoughts,
 * judgments, verdicts and prompts.
 *
 * @example hidePrivateParts(match).players[0]?.role // 'hidden'
 */
export function hidePrivateParts(match: ViewedMatch): ViewedMatch {
  const { id, board, rules, isOver, ending, players, steps } = match;
  return {
    ...{ id, board, rules, seed: null, isOver, ending },
    notes: ['Only what all players know is shown. view --operator shows everything, if no player can see it.'],
    players: players.map(({ name }): ViewedPlayer => ({
      ...{ name, role: hidden, team: hidden, model: hidden, isBot: false, knownTo: [] },
    })),
    steps: steps.flatMap((step) => selectSeen(step, onlooker) ?? []),
    ...{ sources: [], hasPrompts: false },
  };
}
