// A match as it is told while it is played: its lines, and how they are set, with the count of votes and colours.
import colors from 'picocolors';
import type { MatchListener } from '../../graph/play-match.ts';
import { renderStoryLine } from '../../report/story.ts';
import type { EventOf, GameEvent } from '../../state/events.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { createBallotWeigher, findBadgeHolder } from '../../state/sheriff.ts';
import { tally } from '../../state/steps/voting.ts';
import { formatMatchHeader } from './header.ts';
import type { Logger } from './logger.ts';

export interface StoryShown {
  reveal: boolean;
  isColored: boolean;
  isSeedDrawn: boolean;
}

/** Listens to a match and tells it to the log. */
export function tellStory(log: Logger, shown: StoryShown): MatchListener {
  let layOut: ReturnType<typeof openStoryLayout> = (_event, line) => line;
  return {
    onStart: ({ manifest, folder, recorded }) => {
      layOut = openStoryLayout(shown.isColored, manifest.setup.rules);
      if (folder !== null) log.openFile(folder);
      log.tell(formatMatchHeader(manifest, shown));
      if (recorded > 0)
        log.tell(`\nGoing on after ${recorded} recorded answers; the story is told from its beginning.`);
    },
    onEvents: (events) => {
      for (const event of events) {
        const line = renderStoryLine(event, shown);
        if (line !== null) log.tell(layOut(event, line));
      }
    },
    onAnswer: (line, isRecorded) => {
      const { round, step, action, player, attempt, model, ms, retries, mark, error } = line;
      if (!isRecorded) log.note('answer', { round, step, action, player, attempt, model, ms, retries, mark, error });
    },
    onWarning: (message) => log.warn(message),
  };
}

/** Sets the lines of one match, which must come in order. `isColored`: colours are for terminals. */
export function openStoryLayout(isColored: boolean, rules: RuleValues): (event: GameEvent, line: string) => string {
  const paint = colors.createColors(isColored);
  const offices: GameEvent[] = [];
  let ballots: (EventOf<'ballot'> | EventOf<'pseudo_ballot'>)[] = [];
  /** Clears the table for the next ballot. */
  const counted = () => {
    const count = tally(ballots, createBallotWeigher(rules, findBadgeHolder(offices)));
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
const isOutcome = ({ type }: GameEvent) =>
  type === 'death' || type === 'no_exile' || type === 'exile_survived' || type === 'tie';
