// Removes the words of a person who played: `npm run redact -- STUDY --person NAME`.
import path from 'node:path';
import { getDisk } from '../models/machine/machine.ts';
import { isLocked } from '../models/record/lock.ts';
import { createWriteError, RecordError } from '../models/record/ndjson.ts';
import { redactRecord } from '../models/record/redact-record.ts';
import { pluralize, sanitizeText } from '../report/format.ts';
import { nameCommand } from '../state/command-name.ts';
import { recordFiles } from '../state/record.ts';
import { quoteActingName } from '../state/text.ts';
import { findCacheFolder } from './command/cache-folder.ts';
import { type CommandIO, createCommand, exitCodes, runScript } from './command/command-line.ts';
import { checkNotBehindLink } from './command/match-folder.ts';
import { findTraces } from './redact/find-traces.ts';

const about =
  'Remove the words of a person who played, with everything that may repeat them: the words of that person’s matches and their forks, matches whose players remembered them, pools, banks and reports. What is left of a record verifies as redacted, and cannot be replayed. See docs/guides/human-players.md.';

/** Caches of this user that may contain texts of matches, or figures made from such texts. */
const caches = ['reports', 'viewer', 'embeddings'];

/** Lists the records and files that hold the words of a person, and removes the words. */
export function runRedact(argv: readonly string[], io: CommandIO): number {
  const { stdout, stderr } = io;
  const program = createCommand('redact', about, io)
    .argument('<study>', 'folder of the study, or of one match')
    .requiredOption('--person <name>', 'the person: alice for matches with human:alice, unnamed for human')
    .option('--dry-run', 'only list what would be removed')
    .addHelpText(
      'after',
      `
Removed words cannot be restored. Example:
  ${nameCommand('redact')} runs/session --person p01 --dry-run

Exit codes: 0 done, 1 something cannot be searched or written, 2 wrong usage.`,
    )
    .parse(argv, { from: 'user' });
  const { person, dryRun: isDry = false } = program.opts<{ person: string; dryRun?: boolean }>();
  const [study] = program.args as [string];
  io.step?.('Searching for what the person said', 0, 0);
  const traces = findTraces(study, person);
  const open = traces.records.filter(({ isDone }) => !isDone);
  for (const { folder } of traces.records) {
    checkNotBehindLink(folder, [study]);
    if (isLocked(path.join(folder, recordFiles.lock)))
      throw new RecordError(
        `${folder} is being played by another process. Nothing was removed. Stop the match, then run the same command again.`,
      );
  }
  const tell = (place: string, what: string) => stdout.write(`${sanitizeText(`${quoteActingName(place)}: ${what}`)}\n`);
  for (const { folder, why } of open) tell(folder, `${isDry ? 'would lose all words' : 'loses all words'} (${why})`);
  for (const file of traces.files) tell(file.path, `${isDry ? 'would be removed' : 'is removed'} (${file.why})`);
  const ownCaches = caches.map((name) => findCacheFolder(name, io)).filter((folder) => getDisk().exists(folder));
  for (const folder of ownCaches) tell(folder, `${isDry ? 'would be emptied' : 'is emptied'} (cache of all studies)`);
  // Files are removed before records are redacted: copies are found by the words in the records, so the command can
  // still find them if it was interrupted.
  if (!isDry) {
    for (const folder of [...traces.files.map((file) => file.path), ...ownCaches]) removeOrExplain(folder);
    for (const { folder } of open) redactRecord(folder, [traces.person]);
  }
  for (const file of traces.unread)
    stderr.write(`${sanitizeText(`${quoteActingName(file)} cannot be searched: check it yourself.`)}\n`);
  const done = traces.records.length - open.length;
  const parts = [
    `${pluralize(open.length, 'record')} ${isDry ? 'to redact' : 'redacted'}`,
    ...(done > 0 ? [`${done} redacted before`] : []),
    `${pluralize(traces.files.length, 'file or folder', 'files or folders')} ${isDry ? 'to remove' : 'removed'}`,
  ];
  stdout.write(`${parts.join(', ')}.${isDry ? ' Dry run: nothing was changed.' : ''}\n`);
  return traces.unread.length > 0 ? exitCodes.other : exitCodes.done;
}

function removeOrExplain(place: string): void {
  try {
    getDisk().remove(place);
  } catch (error) {
    throw createWriteError(place, error);
  }
}

if (import.meta.main) await runScript(runRedact);
