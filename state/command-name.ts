// Names of this program's commands in messages. They match how the running process was started, so that readers can
// copy them.
import { quoteForShell } from './text.ts';

/** The part of a command line before the command's name. */
export type CommandPrefix = 'npm run' | 'wolfgraph' | 'npx wolfgraph';

/** Whether the program runs in a clone. TypeScript runs only there, because the package contains compiled code. */
const isClone = () => import.meta.url.endsWith('.ts');

let chosen: CommandPrefix | undefined;

/**
 * Sets the part of a command line before the command's name. Called when the process starts, before anything is
 * printed.
 */
export function setCommandPrefix(prefix: CommandPrefix | undefined): void {
  chosen = prefix;
}

const getPrefix = (): CommandPrefix => chosen ?? (isClone() ? 'npm run' : 'wolfgraph');

/**
 * Returns the beginning of a command line, to which the caller appends options and arguments.
 *
 * @example `${nameCommand('match')} --matches 100` // 'npm run match -- --matches 100', or 'wolfgraph match --matches 100'
 */
export const nameCommand = (command: string) =>
  getPrefix() === 'npm run' ? `npm run ${command} --` : `${getPrefix()} ${command}`;

/**
 * Returns a command line for a message, with words quoted where a shell needs it. For text written to a file, use
 * `formatCommandInFile`, because readers of the file may have installed Wolfgraph in another way.
 *
 * @example formatCommand('report', 'runs', '--judge', 'openai:a?b=1&c=2') // "npm run report -- runs --judge 'openai:a?b=1&c=2'"
 */
export function formatCommand(command: string, ...words: readonly string[]): string {
  if (words.length === 0) return `${getPrefix()} ${command}`;
  // With `--json`, a program reads the output. Without `--silent`, npm would print the script's command line before it.
  const begin = words.includes('--json')
    ? nameCommand(command).replace(/^npm run/, 'npm run --silent')
    : nameCommand(command);
  return [begin, ...words.map(quoteForShell)].join(' ');
}

/**
 * Returns the text with the commands of reports and pages (`npx wolfgraph …`) replaced by the form in which the running
 * process was started, so that a terminal shows only one form.
 *
 * @example nameCommandsAsStarted('`npx wolfgraph report runs` resumes.') // '`npm run report -- runs` resumes.'
 */
export const nameCommandsAsStarted = (text: string): string =>
  text.replaceAll(/npx wolfgraph ([a-z]+)(?= (.)|)/g, (_, command: string, next?: string) =>
    next === undefined ? `${getPrefix()} ${command}` : nameCommand(command),
  );
