// Who may bid, who speaks next, and which turn was the last.
import { tiedToday } from './ballots.ts';
import { draw } from './draw.ts';
import { isType, type EventOf, type Occasion } from './event.ts';
import type { Game } from './game.ts';
import type { Rules } from './common-rules.ts';
import { sheriffOf } from './sheriff.ts';

export type Turn = EventOf<'statement'> | EventOf<'silence'>;

const [isStatement, isSilence] = [isType('statement'), isType('silence')];

export const isTurn = (event: { type: string }): event is Turn => isStatement(event) || isSilence(event);

/** A turn on this occasion; undefined: in the debate. */
export const isTurnFor =
  (occasion: Occasion | undefined) =>
  (event: { type: string }): event is Turn =>
    isTurn(event) && event.occasion === occasion;

/** Today's last public turn, spoken or silent. */
export function lastTurn({ gameLogs, roundNum }: Pick<Game, 'gameLogs' | 'roundNum'>): Turn | undefined {
  const last = gameLogs.findLast(isTurn);
  return last?.round === roundNum ? last : undefined;
}

/** Turns taken on this occasion in a round; undefined: in the debate. Of the events of a Game or of a View. */
export const turnsTaken = (events: readonly { type: string }[], round: number, occasion?: Occasion): number =>
  events.filter(isTurnFor(occasion)).filter((turn) => turn.round === round).length;

/** The turns of a day's debate. */
export const turnsOf = (rules: Rules, living: number): number =>
  rules.debateOrder === 'bidding' ? rules.debateTurns : rules.debatePasses * living;

/** Whether the debate of today goes on. Nobody leaves while it lasts. */
export const hasTurnsLeft = ({ gameLogs, roundNum, setup, alivePlayers }: Game) =>
  turnsTaken(gameLogs, roundNum) < turnsOf(setup.rules, alivePlayers.length);

/** Whether the next turn of the debate is bid for: not where everybody speaks in order, nor where the Sheriff opens. */
export const isBidFor = (game: Game) =>
  game.setup.rules.debateOrder === 'bidding' &&
  (sheriffOf(game) === null || turnsTaken(game.gameLogs, game.roundNum) > 0);

/** The living who may bid for the next turn, in seat order: all but whoever has just spoken. */
export const bidders = (game: Game) => game.alivePlayers.filter((name) => name !== lastTurn(game)?.by);

/** Names that stand in `text` as whole words, in the order of `names`. */
export const mentioned = (text: string, names: readonly string[]) =>
  names.filter((name) => new RegExp(`(?<![\\p{L}\\p{N}_])${name}(?![\\p{L}\\p{N}_])`, 'u').test(text));

/** Who speaks next in the debate. */
export function nextSpeaker(game: Game): string {
  if (game.setup.rules.debateOrder === 'round-robin') return nextInOrder(game);
  return isBidFor(game) ? highestBidder(game) : sheriffOf(game)!;
}

/** The highest bid; among equals, those named in the statement before count twice in a keyed draw. */
function highestBidder(game: Game): string {
  const { roundNum, step, bids, setup } = game;
  const eligible = bidders(game);
  const readable = eligible.filter((name) => typeof bids[name] === 'number');
  const highest = Math.max(...readable.map((name) => bids[name]!));
  const tied = readable.length > 0 ? readable.filter((name) => bids[name] === highest) : eligible;
  const last = lastTurn(game);
  const named = last?.type === 'statement' ? mentioned(last.text, tied) : [];
  return draw(setup.seed, 'speaker', roundNum, step).pick([...tied, ...named]);
}

/** Around the table, from whoever leads and in the direction that the Sheriff has chosen. */
function nextInOrder(game: Game): string {
  const { alivePlayers, gameLogs, roundNum } = game;
  const chosen = gameLogs.filter(isType('speaking_order')).find(({ round }) => round === roundNum);
  const around = chosen?.direction === 'down' ? alivePlayers.toReversed() : alivePlayers;
  const first = around.indexOf(lead(game));
  return around[(first + turnsTaken(gameLogs, roundNum)) % around.length]!;
}

/** Who speaks first where everybody speaks in order: the Sheriff, or as the rules say. */
function lead(game: Game): string {
  const { setup, alivePlayers, roundNum } = game;
  const sheriff = sheriffOf(game);
  if (sheriff !== null) return sheriff;
  if (setup.rules.debateLead === 'seed') return draw(setup.seed, 'first speaker', roundNum).pick(alivePlayers);
  const seats = setup.players.map(({ name }) => name);
  const from = (roundNum - 1) % seats.length;
  return [...seats.slice(from), ...seats].find((name) => alivePlayers.includes(name))!;
}

/** Those between whom today's ballot was tied and who have not spoken again yet, in seat order. */
export function pkSpeakers(game: Game): string[] {
  const { gameLogs, roundNum } = game;
  const spoken = gameLogs.filter(isTurnFor('pk')).filter(({ round }) => round === roundNum);
  return (tiedToday(game) ?? []).filter((name) => !spoken.some(({ by }) => by === name));
}

/** The id of the statement that is made next. */
export const statementId = ({ roundNum, step }: Pick<Game, 'roundNum' | 'step'>) => `${roundNum}.${step + 1}`;
