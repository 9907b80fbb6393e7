// Notes in a report on matches whose prompts differ from the sealed prompts.
import { formatCommandInFile } from '../../state/command-in-file.ts';

/** Maximum number of matches that a note names. All further matches are only counted. */
const mostNamed = 5;

/**
 * Lists the notes on changed prompts. No figure depends on stored prompts, so the matches still count, but readers must
 * know of the change. `faults`: for each match, a sentence about its prompts; null if they are unchanged.
 *
 * @example listPromptNotes(['runs/a/prompts.ndjson.gz is missing, and was there when it was sealed.', null])
 */
export function listPromptNotes(faults: readonly (string | null)[]): string[] {
  const found = faults.filter((fault) => fault !== null);
  if (found.length === 0) return [];
  const rest = found.length - mostNamed;
  const more = rest > 0 ? ` And ${rest} more: ${formatCommandInFile('verify', 'FOLDER')} names all.` : '';
  return [
    `The prompts of ${found.length} ${found.length === 1 ? 'match' : 'matches'} are not as they were sealed, so do not quote them. They were not read: figures rest on answers and events, which are as sealed. ${found.slice(0, mostNamed).join(' ')}${more}`,
  ];
}
