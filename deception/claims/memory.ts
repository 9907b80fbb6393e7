// Which public words and votes still stood in the prompt that a statement was made from.
import { newGame } from '../../state/deal.ts';
import { isType, type EventOf } from '../../state/event.ts';
import type { Game } from '../../state/game.ts';
import { survivors } from '../../state/night.ts';
import type { AnswerLine } from '../../state/record.ts';
import { isForgotten, leftOut } from '../../state/speech.ts';
import { view, type SeenEvent } from '../../state/view.ts';
import type { MatchRecord } from '../match-record.ts';
import type { Utterance } from './claim.ts';

/**
 * Whether an earlier statement or ballot was in the prompt of `said`, made after the first `before` events. What the own
 * summary may have kept of it is not looked at.
 */
export type Memory = (said: Utterance, before: number, of: EventOf<'statement'> | EventOf<'ballot'>) => boolean;

export function memoryOf({ manifest, events, answers }: MatchRecord): Memory {
  const { setup } = manifest;
  const short = answers.filter(({ left_out: count }) => count !== undefined);
  const seenAt = (before: number, me: string, { round }: Utterance) => {
    const log = events.slice(0, before).filter(({ audience }) => audience !== 'moderator');
    const alivePlayers = survivors(
      setup.players.map(({ name }) => name),
      log,
    );
    return view(
      {
        ...(newGame(setup) as Game),
        alivePlayers,
        roundNum: round,
        phase: 'day',
        step: 0,
        gameLogs: log,
        winner: null,
      },
      me,
    );
  };
  return (said, before, of) => {
    const count = countOf(said, short);
    if (setup.rules.memory !== 'summary' && count === 0) return true;
    const seen = seenAt(before, said.by, said);
    const isIt = (event: SeenEvent) => (isType('statement')(event) || isType('ballot')(event)) && event.id === of.id;
    if (seen.events.some((event) => isIt(event) && isForgotten(event, seen))) return false;
    // A ballot without its reasons is still a ballot.
    return of.type === 'ballot' || !leftOut(seen, count).some(isIt);
  };
}

/** How much speech the prompt went without: the answer is found by its words. */
function countOf(said: Utterance, short: readonly AnswerLine[]): number {
  const line = short.find(
    ({ player, round, answer }) =>
      player === said.by &&
      round === said.round &&
      Object.values(answer ?? {}).some(
        (value) => typeof value === 'string' && value.startsWith(said.text.slice(0, 40)),
      ),
  );
  return line?.left_out ?? 0;
}
