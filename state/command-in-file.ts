// How reports and pages name our commands. A file of its own, since the viewer's page is bundled with it.
import { quoteForShell } from './text.ts';

/**
 * Returns a command line for a report or a page. `npx wolfgraph` runs in a clone, where the package is a dependency and
 * where it is installed for all; the same records so give the same bytes, however the command was started that wrote them.
 *
 * @example formatCommandInFile('show', 'runs/my match') // "npx wolfgraph show 'runs/my match'"
 */
export const formatCommandInFile = (command: string, ...words: readonly string[]) =>
  ['npx wolfgraph', command, ...words.map(quoteForShell)].join(' ');
