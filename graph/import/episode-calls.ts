// Assigns each call of an episode to a place in the record: the resulting statement, ballot or night act.
import type { GameEvent } from '../../state/events.ts';
import { isEventOfType } from '../../state/events.ts';
import type { EpisodeCall } from './kaggle-episode-format.ts';
import type { RecordedCall } from './imported-match.ts';
import type { ImportReplay } from './recorded-game-replay.ts';
import { findVerb } from './timeline-format.ts';

/** Night 0 and day 1 of the source are round 1 of the record. */
const findRound = ({ day, isByNight }: EpisodeCall) => (isByNight ? day + 1 : day);

/**
 * Returns the calls with round, step and action as in the record of a match. A statement's step is one less than its
 * number, and ballots come after the last statement. Calls for statements that the import left out keep step 0.
 *
 * @example createEpisodeCalls(calls, replay)[0].action // 'unmask'
 */
export function createEpisodeCalls(
  calls: readonly EpisodeCall[],
  { events }: Pick<ImportReplay, 'events'>,
): RecordedCall[] {
  const said = Map.groupBy(events.filter(isEventOfType('statement')), ({ round, by }) => getTurnKey(round, by));
  return calls.map((call) => {
    const { player, kind, action, prompt, raw, error, tokens, cost, at } = call;
    const round = findRound(call);
    const statement = kind === 'statement' ? said.get(getTurnKey(round, player))?.shift() : undefined;
    return {
      ...{ round, step: findStep(kind, round, statement, events), action: nameAction(kind, action), player },
      ...{ prompt, raw, error, tokens, cost, started_at: at },
    };
  });
}

const getTurnKey = (round: number, player: string) => `${round} ${player}`;

function findStep(
  kind: EpisodeCall['kind'],
  round: number,
  statement: { id: string } | undefined,
  events: readonly GameEvent[],
): number {
  if (kind === 'ballot')
    return events.filter(isEventOfType('statement')).filter((event) => event.round === round).length;
  return statement === undefined ? 0 : Number(statement.id.split('.')[1]) - 1;
}

function nameAction(kind: EpisodeCall['kind'], action: string): string {
  if (kind === 'statement') return 'debate';
  return kind === 'ballot' ? 'vote' : (findVerb(action) ?? action.toLowerCase());
}
