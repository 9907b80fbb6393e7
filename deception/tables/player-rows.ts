// The rows of players: who sat where, how long, and whether they won.
import { isType } from '../../state/event.ts';
import { isTurnFor } from '../../state/debate.ts';
import { roleNamed } from '../../state/roles/index.ts';
import { seatsOf, type MatchRecord } from '../match-record.ts';
import { sum } from '../ratios.ts';
import type { PlayerRow } from './game-rows.ts';
import { wordsIn } from './turns.ts';

/** In seat order. */
export function playerRows({ manifest, events }: MatchRecord): PlayerRow[] {
  const winner = events.find(isType('ended'))?.winner ?? null;
  const deaths = events.filter(isType('death'));
  const debated = events.filter(isTurnFor(undefined));
  const first = debated.filter(({ round }) => round === 1);
  const speakers = [...new Set(first.map(({ by }) => by))];
  return seatsOf(manifest).map(({ name, role, team, model, isBot }, index) => {
    const place = deaths.findIndex(({ player }) => player === name);
    const left = deaths[place];
    const turns = debated.filter(({ by }) => by === name);
    return {
      match_id: manifest.id,
      player: name,
      seat: index + 1,
      role,
      team,
      is_special: roleNamed(role).special,
      model,
      is_bot: isBot,
      survived: left === undefined,
      left_round: left?.round ?? null,
      left_cause: left?.cause ?? null,
      left_place: left ? place + 1 : null,
      has_won: winner === null ? null : winner === team,
      speaking_position: speakers.includes(name) ? speakers.indexOf(name) + 1 : null,
      turns: turns.length,
      words: sum(turns.map(wordsIn)),
    };
  });
}
