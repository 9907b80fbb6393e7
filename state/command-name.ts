// How messages name our commands, so that a reader can type them: as the running process was started.
import { quoteForShell } from './text.ts';

/** What comes before the name of a command. */
export type CommandPrefix = 'npm run' | 'wolfgraph' | 'npx wolfgraph';

/** TypeScript runs in a clone only; the package holds what was compiled from it. */
const isClone = () => import.meta.url.endsWith('.ts');

let chosen: CommandPrefix | undefined;

/** Sets what comes before the names of commands. The start of the process calls this, before anything is printed. */
export function setCommandPrefix(prefix: CommandPrefix | undefined): void {
  chosen = prefix;
}

const getPrefix = (): CommandPrefix => chosen ?? (isClone() ? 'npm run' : 'wolfgraph');

/**
 * Returns the beginning of a command line, behind which options and arguments stand as they are.
 *
 * @example `${nameCommand('match')} --matches 100` // 'npm run match -- --matches 100', or 'wolfgraph match --matches 100'
 */
export const nameCommand = (command: string) =>
  getPrefix() === 'npm run' ? `npm run ${command} --` : `${getPrefix()} ${command}`;

/**
 * Returns a command line for a message, each word quoted where a shell would read it otherwise. A file may be read by
 * somebody who has Wolfgraph in another way: use `formatCommandInFile` there.
 *
 * @example formatCommand('report', 'runs', '--judge', 'openai:a?b=1&c=2') // "npm run report -- runs --judge 'openai:a?b=1&c=2'"
 */
export function formatCommand(command: string, ...words: readonly string[]): string {
  if (words.length === 0) return `${getPrefix()} ${command}`;
  // npm prints what it runs before the output of a script, and a program reads the output here.
  const begin = words.includes('--json')
    ? nameCommand(command).replace(/^npm run/, 'npm run --silent')
    : nameCommand(command);
  return [begin, ...words.map(quoteForShell)].join(' ');
}
