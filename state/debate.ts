// Who may bid, who speaks next, and which statement was the last.
import { draw } from './draw.ts';
import type { EventOf, GameEvent } from './event.ts';
import type { Game } from './game.ts';

type Turn = EventOf<'statement'> | EventOf<'silence'>;

/** The last turn of today's debate, spoken or silent. */
export function lastTurn({ gameLogs, roundNum }: Pick<Game, 'gameLogs' | 'roundNum'>): Turn | undefined {
  const last = gameLogs.findLast(
    (event: GameEvent): event is Turn => event.type === 'statement' || event.type === 'silence',
  );
  return last?.round === roundNum ? last : undefined;
}

/** The living who may bid for the next turn, in seat order: all but whoever has just spoken. */
export const bidders = (game: Game) => game.alivePlayers.filter((name) => name !== lastTurn(game)?.by);

/** Names that stand in `text` as whole words, in the order of `names`. */
export const mentioned = (text: string, names: readonly string[]) =>
  names.filter((name) => new RegExp(`(?<![\\p{L}\\p{N}_])${name}(?![\\p{L}\\p{N}_])`, 'u').test(text));

/** Who speaks next: the highest bid; among equals, those named in the statement before count twice in a keyed draw. */
export function nextSpeaker(game: Game): string {
  const { roundNum, step, bids, setup } = game;
  const eligible = bidders(game);
  const readable = eligible.filter((name) => typeof bids[name] === 'number');
  const highest = Math.max(...readable.map((name) => bids[name]!));
  const tied = readable.length > 0 ? readable.filter((name) => bids[name] === highest) : eligible;
  const last = lastTurn(game);
  const named = last?.type === 'statement' ? mentioned(last.text, tied) : [];
  return draw(setup.seed, 'speaker', roundNum, step).pick([...tied, ...named]);
}

/** The id of the statement that is made next. */
export const statementId = ({ roundNum, step }: Pick<Game, 'roundNum' | 'step'>) => `${roundNum}.${step + 1}`;
