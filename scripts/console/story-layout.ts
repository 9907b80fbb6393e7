// How the lines of a story are set: an empty line before each part of a round, the count of votes, colours.
import colors from 'picocolors';
import { tally } from '../../state/ballots.ts';
import type { EventOf, GameEvent } from '../../state/event.ts';
import type { RuleValues } from '../../state/rule.ts';
import { badgeHolder, weightUnder } from '../../state/sheriff.ts';

/** Sets the lines of one match, which must come in order. `isColored`: colours are for terminals. */
export function storyLayout(isColored: boolean, rules: RuleValues): (event: GameEvent, line: string) => string {
  const paint = colors.createColors(isColored);
  const offices: GameEvent[] = [];
  let ballots: (EventOf<'ballot'> | EventOf<'pseudo_ballot'>)[] = [];
  /** Clears the table for the next ballot. */
  const counted = () => {
    const count = tally(ballots, weightUnder(rules, badgeHolder(offices)));
    ballots = [];
    return count.map(([name, votes]) => `${name} ${votes}`).join(', ');
  };
  return (event, line) => {
    if (event.type === 'elected' || event.type === 'badge') offices.push(event);
    const styled = event.audience === 'everyone' ? line : paint.dim(line);
    if (event.type === 'ballot' || event.type === 'pseudo_ballot') {
      ballots.push(event);
      return ballots.length === 1 ? `\n${styled}` : styled;
    }
    if (isHeading(event)) return `\n${paint.bold(line)}`;
    const count = event.audience === 'everyone' && ballots.length > 0 ? counted() : '';
    if (isOutcome(event)) return count === '' ? `\n${paint.bold(line)}` : paint.bold(`${line} Votes: ${count}.`);
    return count === '' ? styled : `${paint.bold(`Pseudo-votes: ${count}.`)}\n${styled}`;
  };
}

/** Night, day, and the end of the match. */
const isHeading = (event: GameEvent) =>
  event.type === 'round_started' ||
  event.type === 'quiet_night' ||
  event.type === 'ended' ||
  (event.type === 'death' && event.cause === 'night');

/** Of a vote. */
const isOutcome = ({ type }: GameEvent) => type === 'death' || type === 'no_exile' || type === 'tie';
