// How a match ended, in words.
import type { DeceptionSummary, PlayerFigures } from '../deception/summary-schema.ts';
import type { EventOf } from '../state/event.ts';
import { teams } from '../state/teams.ts';

/** E.g. "The match is won by the village: no Werewolf left." */
export const endingText = ({ winner, reason }: Pick<EventOf<'ended'>, 'winner' | 'reason'>) =>
  winner === null
    ? `The match ends without a winner: ${reason}.`
    : `The match is won by ${teams[winner].label}: ${reason}.`;

/** The same for a whole match, which may have been interrupted. */
export const endLine = ({ winner, end_reason, rounds }: Pick<DeceptionSummary, 'winner' | 'end_reason' | 'rounds'>) =>
  end_reason === null
    ? `The match was not played to its end: its record stops in round ${rounds}.`
    : `${endingText({ winner, reason: end_reason })} It took ${rounds} round${rounds === 1 ? '' : 's'}.`;

/** What became of a player, e.g. "exiled on day 2". */
export function fateText({ left }: Pick<PlayerFigures, 'left'>): string {
  if (left === null) return 'survived';
  return {
    night: `removed in night ${left.round}`,
    exile: `exiled on day ${left.round}`,
    last_act: `taken along in round ${left.round}`,
  }[left.cause];
}
