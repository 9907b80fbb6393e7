// The rows of ballots: every vote of a match, from the election of a Sheriff to what was asked in private.
import type { GameEvent } from '../../state/event.ts';
import { seatFinder, type MatchRecord } from '../match-record.ts';
import type { BallotRow } from './game-rows.ts';

type Cast = Pick<BallotRow, 'vote' | 'step' | 'target' | 'is_drawn'> & { by: string };

/** In the order in which they were cast. */
export function ballotRows({ manifest, events }: MatchRecord): BallotRow[] {
  const seatOf = seatFinder(manifest);
  return events.flatMap((event) => {
    const cast = castIn(event);
    if (cast === null) return [];
    const [voter, target] = [seatOf(cast.by), seatOf(cast.target)];
    return [
      {
        match_id: manifest.id,
        round: event.round,
        vote: cast.vote,
        step: cast.step,
        voter: voter.name,
        voter_role: voter.role,
        voter_team: voter.team,
        voter_model: voter.model,
        voter_is_bot: voter.isBot,
        target: target.name,
        target_role: target.role,
        target_team: target.team,
        is_drawn: cast.is_drawn,
      },
    ];
  });
}

function castIn(event: GameEvent): Cast | null {
  switch (event.type) {
    case 'ballot':
      return { ...cast(event), vote: event.id === `${event.round}.pk.${event.by}` ? 'exile_again' : 'exile' };
    case 'pseudo_ballot':
      return { ...cast(event), vote: 'pseudo' };
    case 'badge_ballot':
      return { ...cast(event), vote: 'sheriff', step: event.ballot };
    case 'synthetic_vote':
      return { ...cast(event), vote: 'synthetic', step: event.step };
    default:
      return null;
  }
}

const cast = ({ by, target, mark }: { by: string; target: string; mark?: unknown }) => ({
  by,
  target,
  step: null,
  is_drawn: mark !== undefined,
});
