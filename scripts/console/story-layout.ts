// How the lines of a story are set: an empty line before each part of a round, the count of votes, colours.
import colors from 'picocolors';
import { tally } from '../../state/ballots.ts';
import type { EventOf, GameEvent } from '../../state/event.ts';

/** Sets the lines of one match, which must come in order. `isColored`: colours are for terminals. */
export function storyLayout(isColored: boolean): (event: GameEvent, line: string) => string {
  const paint = colors.createColors(isColored);
  let ballots: EventOf<'ballot'>[] = [];
  return (event, line) => {
    const styled = event.audience === 'everyone' ? line : paint.dim(line);
    if (event.type === 'ballot') {
      ballots.push(event);
      return ballots.length === 1 ? `\n${styled}` : styled;
    }
    if (isHeading(event)) return `\n${paint.bold(line)}`;
    if (isOutcome(event)) {
      const count = tally(ballots).map(([name, votes]) => `${name} ${votes}`);
      ballots = [];
      return count.length === 0 ? `\n${paint.bold(line)}` : paint.bold(`${line} Votes: ${count.join(', ')}.`);
    }
    return styled;
  };
}

/** Night, day, and the end of the match. */
const isHeading = (event: GameEvent) =>
  event.type === 'round_started' ||
  event.type === 'quiet_night' ||
  event.type === 'ended' ||
  (event.type === 'death' && event.cause === 'night');

/** Of a vote. */
const isOutcome = ({ type }: GameEvent) => type === 'death' || type === 'no_exile';
