// The rows of players: who sat where, how long, and whether they won.
import { isType } from '../../state/event.ts';
import { isTurn } from '../../state/debate.ts';
import { seatsOf, type MatchRecord } from '../match-record.ts';
import { sum } from '../ratios.ts';
import type { PlayerRow } from './game-rows.ts';
import { wordsIn } from './turns.ts';

/** In seat order. */
export function playerRows({ manifest, events }: MatchRecord): PlayerRow[] {
  const winner = events.find(isType('ended'))?.winner ?? null;
  const deaths = events.filter(isType('death'));
  return seatsOf(manifest).map(({ name, role, team, model, isBot }, index) => {
    const left = deaths.find(({ player }) => player === name);
    const turns = events.filter(isTurn).filter(({ by }) => by === name);
    return {
      match_id: manifest.id,
      player: name,
      seat: index + 1,
      role,
      team,
      model,
      is_bot: isBot,
      survived: left === undefined,
      left_round: left?.round ?? null,
      left_cause: left?.cause ?? null,
      has_won: winner === null ? null : winner === team,
      turns: turns.length,
      words: sum(turns.map(wordsIn)),
    };
  });
}
