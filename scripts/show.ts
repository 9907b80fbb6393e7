// Prints a recorded match as text: `npm run show -- <folder>`.
import path from 'node:path';
import { checkMeantSeats, meantJudge } from '../deception/claims/meant-claims.ts';
import { listSeats } from '../deception/record/match-record.ts';
import { RecordError } from '../models/record/ndjson.ts';
import type { StoredRecord } from '../models/record/recorder.ts';
import type { StoredPrompts } from '../models/record/stored-prompts.ts';
import { sanitizeText } from '../report/format.ts';
import { formatCommand } from '../state/command-name.ts';
import { UsageError } from '../state/usage-error.ts';
import { canPaint, writePainted } from './command/guarded-output.ts';
import type { ShownParts } from './view/read-match.ts';
import { type CommandIO, createRecordCommand, readCount, runScript } from './command/command-line.ts';
import { quoteActingName } from '../state/text.ts';

interface Flags {
  lies?: boolean;
  player?: string;
  round?: number;
  prompts?: boolean;
  html?: string | true;
  judge?: string | false;
  operator?: boolean;
}

export async function runShow(argv: readonly string[], io: CommandIO): Promise<void> {
  const about =
    'Print a match as text: statements with verdicts, private reasoning, labels and votes. Verdicts come from the judge that the match names, if it has judged it, else from the rules.';
  const program = createRecordCommand('show', about, io)
    .option('--lies', 'show only statements with a lie')
    .option('--player <name>', 'show only acts by or against this player')
    .option('--round <n>', 'show only this round', readCount)
    .option(
      '--judge <name>',
      "show the verdicts of this judge, whose answers `report --judge` has cached; 'rules' for the verdicts of the rules",
    )
    .option('--no-judge', 'show the rules’ verdicts')
    .option('--html [file]', 'write the match as one page for a browser (default: match.html in its folder)')
    .option('--operator', 'show everything while people still play; no player may see this output')
    .option('--prompts', 'print the prompts as they were sent, restricted by --player and --round')
    .parse(argv, { from: 'user' });
  const [named] = program.args as [string];
  const {
    lies = false,
    player,
    round,
    prompts = false,
    html,
    judge,
    operator: isOperator = false,
  } = program.opts<Flags>();
  if (lies && prompts)
    throw new UsageError('--lies shows statements, but --prompts shows questions. Remove one of the two.');
  if (prompts && typeof judge === 'string')
    throw new UsageError('--judge selects verdicts, but --prompts shows none. Remove one of the two.');
  if (
    html !== undefined &&
    (lies || prompts || player !== undefined || round !== undefined || typeof judge === 'string')
  )
    throw new UsageError('--html writes the whole match, which the page itself can filter. Remove the other options.');
  const { resolveMatchFolder } = await import('./command/match-folder.ts');
  const { readRecord } = await import('../models/record/recorder.ts');
  const folder = resolveMatchFolder(named);
  const record = readRecord(folder);
  const warn = (fault: string | null) => {
    if (fault !== null) io.stderr.write(`Warning: ${sanitizeText(fault)}\n`);
  };
  const known = record.manifest.setup.players.map(({ name }) => name);
  if (player !== undefined && !known.includes(player))
    throw new UsageError(`Nobody in this match is called "${player}". Players: ${known.join(', ')}.`);
  if (html !== undefined) {
    const file = html === true ? path.join(folder, 'match.html') : html;
    const { findPromptsFault } = await import('../models/record/stored-prompts.ts');
    io.stdout.write(`${quoteActingName(await writeMatchPage(folder, file, { isOperator }))}\n`);
    warn(findPromptsFault(folder, record));
    return;
  }
  const { hasSecrets } = await import('../report/viewer/hide-private-parts.ts');
  const isOver = record.events.at(-1)?.type === 'ended';
  if (!isOperator && hasSecrets(record.manifest, { isOver })) {
    const { renderStoryLine } = await import('../report/story.ts');
    const lines = record.events.flatMap((event) => renderStoryLine(event, { reveal: false }) ?? []);
    io.stdout.write(`${lines.map(sanitizeText).join('\n')}\n`);
    return warn('People still play this match: only what all players know is shown. --operator shows everything.');
  }
  if (prompts) {
    const { renderPrompts } = await import('../report/prompts-text.ts');
    const { prompts: stored, fault } = await readPrompts(folder, record);
    io.stdout.write(renderPrompts(stored, { player, round }));
    warn(fault);
    return;
  }
  const { renderTranscript } = await import('../report/transcript.ts');
  const claims = await readClaims(folder, record, judge === false ? 'rules' : judge);
  const { findPromptsFault } = await import('../models/record/stored-prompts.ts');
  warn(findPromptsFault(folder, record));
  const { default: colors } = await import('picocolors');
  const paint = colors.createColors(canPaint(io.stdout, io.env) && !io.env['NO_COLOR']);
  writePainted(
    io.stdout,
    renderTranscript(record, {
      ...{ ...claims, liesAlone: lies, player, round },
      paint: (verdict, text) =>
        verdict === 'lie' ? paint.red(text) : verdict === 'true' || verdict === 'kept' ? paint.green(text) : text,
    }),
  );
}

/**
 * Returns the claims of the chosen source or, by default, of the source that reports use. Throws a UsageError if the
 * chosen judge has not judged the match.
 */
async function readClaims(folder: string, record: StoredRecord, chosen: string | undefined) {
  const { findSource } = await import('../report/viewer/perspective.ts');
  const { readMatchReadings } = await import('./view/read-match.ts');
  const readings = await readMatchReadings(folder, record, chosen);
  const sources = readings.map(({ source }) => source);
  const found = readings.find(
    ({ source }) => source === (chosen === undefined ? sources[0] : findSource(sources, chosen)),
  );
  if (found === undefined && chosen === meantJudge) checkMeantSeats(record.manifest.id, listSeats(record.manifest));
  if (found === undefined && chosen !== undefined && chosen !== 'rules')
    throw new UsageError(
      `${chosen} has not judged all of this match. Available verdicts: ${sources.join(', ')}. To ask this judge: ${formatCommand('report', folder, '--judge', chosen)}`,
    );
  const { source, tables } = found ?? { source: null, tables: { claims: [] } };
  return { claims: tables.claims.filter(({ extractor }) => extractor === source), source };
}

/** Writes the page of a match and returns the path of the file. */
async function writeMatchPage(folder: string, file: string, shown: ShownParts): Promise<string> {
  const { writeWhole } = await import('../models/record/recorder.ts');
  const { renderMatchDocument } = await import('../report/viewer/viewer-document.ts');
  const { readWholeMatch } = await import('./view/read-match.ts');
  const { buildViewerScript } = await import('./command/page-script.ts');
  writeWhole(file, renderMatchDocument(await readWholeMatch(folder, shown), await buildViewerScript()));
  return file;
}

/**
 * Reads the prompts of a match. Throws a UsageError for a record without prompts, such as an imported or unfinished
 * one.
 */
async function readPrompts(folder: string, record: StoredRecord): Promise<StoredPrompts> {
  const { readStoredPrompts } = await import('../models/record/stored-prompts.ts');
  const { prompts, fault } = await readStoredPrompts(folder, record);
  if (prompts.length > 0) return { prompts, fault };
  if (fault !== null) throw new RecordError(fault);
  throw new UsageError(
    `${folder} has no prompts: prompts are written when a match ends, and imported matches have none.`,
  );
}

if (import.meta.main) await runScript(runShow);
