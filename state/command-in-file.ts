// Names of this program's commands in reports and pages. They have a file of their own because the viewer's page is
// bundled with this file.
import { quoteForShell } from './text.ts';

/**
 * Returns a command line for a report or a page. It always begins with `npx wolfgraph`, which works both in a clone and
 * with an installed package. The bytes of a report therefore do not depend on how the command that wrote it was
 * started.
 *
 * @example formatCommandInFile('show', 'runs/my match') // "npx wolfgraph show 'runs/my match'"
 */
export const formatCommandInFile = (command: string, ...words: readonly string[]) =>
  ['npx wolfgraph', command, ...words.map(quoteForShell)].join(' ');
