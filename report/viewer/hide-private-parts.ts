// The public part of a match, for viewers who must not know more. While people play, every viewer gets only this part,
// because a second window must not tell players more than they may know.
import { isPersonSpec } from '../../state/model-identity.ts';
import type { Manifest } from '../../state/record.ts';
import { selectSeen } from './perspective.ts';
import type { ViewedMatch, ViewedPlayer } from './viewed-match.ts';

/**
 * Returns whether a match that is not over has secrets which the people who play it must not learn.
 *
 * @example hasSecrets(manifest, { isOver: false }) // true if a person plays
 */
export const hasSecrets = ({ setup }: Pick<Manifest, 'setup'>, { isOver }: { isOver: boolean }): boolean =>
  !isOver && Object.values(setup.models).some(isPersonSpec);

/** Text shown in place of a hidden role, side or model. */
const hidden = 'hidden';

/** Name of a viewer without a seat. It cannot be the name of a player, because names begin with a capital letter. */
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
    notes: [
      'This page shows only what all players know. If no player can see your screen, view --operator shows everything.',
    ],
    players: players.map(({ name }): ViewedPlayer => ({
      ...{ name, role: hidden, team: hidden, model: hidden, isBot: false, knownTo: [] },
    })),
    steps: steps.flatMap((step) => selectSeen(step, onlooker) ?? []),
    ...{ sources: [], hasPrompts: false },
  };
}
