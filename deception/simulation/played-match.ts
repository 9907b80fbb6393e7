// A match that is being played by the rules alone, and how its players choose.
import type { GameEvent } from '../../state/event.ts';
import type { Game } from '../../state/game.ts';
import { survivors } from '../../state/night.ts';

/** Answers for `by`: one of `choices`. `action` is the name that the question has in a record. */
export type Choose = <Choice>(action: string, by: string, choices: readonly Choice[]) => Choice;

/** The game is changed in place: it is nobody else's, and its log has only what rules read. */
export interface PlayedMatch {
  readonly game: Game;
  /** All that has happened, in order. */
  readonly events: GameEvent[];
  readonly choose: Choose;
}

/** Stands for whatever is said or written: by chance nothing is meant by it. */
export const words = 'I have nothing in particular to say.';

/** What no rule ever asks after; a log without it is a fraction as long, and so is the time that a match takes. */
const unread: ReadonlySet<GameEvent['type']> = new Set(['bid', 'ballot', 'proposal', 'summary']);

/** Lets events happen: who dies in them is gone. */
export function happen({ game, events }: PlayedMatch, news: readonly GameEvent[]): void {
  for (const event of news) {
    events.push(event);
    if (event.audience !== 'moderator' && !unread.has(event.type)) game.gameLogs.push(event);
  }
  if (news.some(({ type }) => type === 'death')) game.alivePlayers = survivors(game.alivePlayers, news);
}
