// A match as it is told on the console while it is played.
import colors from 'picocolors';
import Table from 'cli-table3';
import type { MatchListener, MatchResult } from '../graph/play-match.ts';
import { storyLine } from '../report/story.ts';
import { callsLine, summaryTable } from '../report/summary-table.ts';
import type { GameEvent } from '../state/event.ts';
import type { Manifest } from '../state/record.ts';
import type { OperatorLog } from './operator-log.ts';
import type { Progress } from './progress.ts';

interface Shown {
  reveal: boolean;
  /** Colours are for terminals. */
  isColored: boolean;
}

/** Listens to a match and tells it to the log. */
export function tellStory(log: OperatorLog, progress: Progress, shown: Shown): MatchListener {
  const paint = colors.createColors(shown.isColored);
  const tell = (line: string) => progress.around(() => log.tell(line));
  const style = (event: GameEvent, line: string) => {
    if (event.type === 'round_started' || event.type === 'ended') return paint.bold(`\n${line}`);
    if (event.type === 'death' || event.type === 'quiet_night' || event.type === 'no_exile') return paint.yellow(line);
    return event.audience === 'everyone' ? line : paint.dim(line);
  };
  return {
    onStart: ({ manifest, folder, recorded }) => {
      if (folder !== null) log.openFile(folder);
      tell(header(manifest, shown.reveal));
      if (recorded > 0) tell(`Going on after ${recorded} recorded answers.`);
    },
    onEvents: (events) => {
      for (const event of events) {
        const line = storyLine(event, { reveal: shown.reveal });
        if (line !== null) tell(style(event, line));
      }
    },
    onCalls: (underWay) => progress.calls(underWay),
    onAnswer: (line, isRecorded) => {
      progress.answer(line);
      const { round, step, action, player, attempt, model, ms, retries, mark, error } = line;
      if (!isRecorded) log.note('answer', { round, step, action, player, attempt, model, ms, retries, mark, error });
    },
    onWarning: (message) => progress.around(() => log.warn(message)),
  };
}

/** Who plays, and by which rules; roles only with `reveal`. */
function header({ id, setup }: Manifest, reveal: boolean): string {
  const table = new Table({
    head: ['Player', ...(reveal ? ['Role'] : []), 'Model'],
    style: { head: [], border: [], compact: true },
  });
  for (const { name, role } of setup.players) table.push([name, ...(reveal ? [role] : []), setup.models[name]!]);
  const roles = Object.entries(setup.board.roles).map(([role, count]) => `${count} ${role}`);
  return [
    `Match ${id}: board ${setup.board.name} (${roles.join(', ')}), seed ${setup.seed}.`,
    ...(setup.honesty_sentence === null ? [] : [`All players read: "${setup.honesty_sentence}"`]),
    ...(setup.bots.length === 0
      ? []
      : [
          setup.bots.length === setup.players.length
            ? 'All players are built-in bots: this is no language model’s play.'
            : `Built-in bots, not language models: ${setup.bots.join(', ')}.`,
        ]),
    table.toString(),
  ].join('\n');
}

/** What is left to say when the match is over. */
export const farewell = ({ folder, summary }: MatchResult): string =>
  [
    '',
    summaryTable(summary, { reveal: true }),
    callsLine(summary),
    ...(folder === null ? [] : [`Record and summary: ${folder}`]),
  ].join('\n');
