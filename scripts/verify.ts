// Checks that records are complete and sealed, and that replaying them yields the same events: `npm run verify --
// <folders>`.
import path from 'node:path';
import { type CommandIO, createCommand, exitCodes, runScript } from './command/command-line.ts';
import { canPaint, writePainted } from './command/guarded-output.ts';
import { findRecords, resolveMatchFolder } from './command/match-folder.ts';
import { getMachine } from '../models/machine/machine.ts';
import { formatRoughTime, sanitizeText } from '../report/format.ts';
import { quoteActingName } from '../state/text.ts';
import type { RecordVerdict } from './verify/verify-worker.ts';
import { formatCommand } from '../state/command-name.ts';

const about =
  'Check every record below the folders: complete, as it was sealed, and leading to the same events when replayed without calls. See docs/evidence/reliability.md.';

interface VerifyFlags {
  allowChangedPrompts?: boolean;
  recover?: boolean;
  out?: string;
}

/** Runs the command. `name`: name by which the command was started. */
export async function runVerify(argv: readonly string[], io: CommandIO, name = 'verify'): Promise<number> {
  const program = createCommand(name, about, io)
    .argument('<folders...>', 'folders of matches, or folders that contain some, e.g. runs')
    .option('--allow-changed-prompts', 'compare only events, not the prompts that led to them')
    .option('--recover', 'copy the sound part of one damaged record to a new folder, without changing the record')
    .option('--out <folder>', 'with --recover: the new folder (default: recovered, next to the record)')
    .addHelpText(
      'after',
      `
Prints one line for each fault, then a summary in one line.

Exit codes: 0 all sound, 1 faults, 2 wrong usage or no match found.`,
    )
    .parse(argv, { from: 'user' });
  const { recover, out, allowChangedPrompts = false } = program.opts<VerifyFlags>();
  if (!recover && out === undefined) {
    return checkAll([...new Set(findRecords(program.args))], { allowChangedPrompts }, io);
  }
  const [named, ...others] = program.args as [string, ...string[]];
  if (!recover) program.error('error: --out needs --recover');
  if (allowChangedPrompts) program.error('error: --recover replays nothing: remove --allow-changed-prompts');
  if (others.length > 0) program.error('error: --recover takes one folder');
  return recoverOne(resolveMatchFolder(named), out, io);
}

/** Milliseconds between updates of the progress line on a terminal, and between progress lines in a log. */
const [paintEvery, tellEvery] = [1000, 10_000];

async function checkAll(
  folders: readonly string[],
  options: { allowChangedPrompts: boolean },
  { stdout, stderr, env }: CommandIO,
): Promise<number> {
  const { openVerifiers } = await import('./verify/verify-worker.ts');
  const { shareWork } = await import('./report/report-worker.ts');
  const isPainted = canPaint(stderr, env);
  const verdicts: RecordVerdict[] = [];
  const { clock } = getMachine();
  const begun = clock.elapsed();
  const describeProgress = () => {
    const spent = clock.elapsed() - begun;
    const left = verdicts.length === 0 ? null : (spent / verdicts.length) * (folders.length - verdicts.length);
    return `${verdicts.length} of ${folders.length} records checked${left === null ? '' : `; about ${formatRoughTime(left)} left`}`;
  };
  const paint = (end = '') => isPainted && writePainted(stderr, `\r\u001b[K${describeProgress()}${end}`);
  // Without a terminal, prints separate lines at intervals instead of updating one line.
  const stop = clock.repeat(isPainted ? paintEvery : tellEvery, () =>
    isPainted ? paint() : stderr.write(`${describeProgress()}\n`),
  );
  const tell = (verdict: RecordVerdict) => {
    verdicts.push(verdict);
    const { folder, faults, notes } = verdict;
    paint(faults.length > 0 ? '\n' : '');
    for (const fault of faults) stdout.write(`${formatFault(folder, fault)}\n`);
    for (const note of notes) stderr.write(`${sanitizeText(note)}\n`);
  };
  const { verifiers, close } = openVerifiers(folders.length, options);
  try {
    await shareWork(verifiers, folders, (verify, folder) => verify(folder), tell);
  } finally {
    stop();
    await close();
  }
  if (isPainted) writePainted(stderr, '\r\u001b[K');
  stdout.write(`${summarizeVerdicts(verdicts)}\n`);
  const damaged = verdicts.filter(({ faults }) => faults.length > 0);
  if (damaged.some(({ faults }) => !faults.some((fault) => fault.includes('--recover'))))
    stderr.write(`A match can resume from its sound answers: ${formatCommand('verify', '--recover', 'FOLDER')}\n`);
  return verdicts.some(({ faults }) => faults.length > 0) ? exitCodes.other : exitCodes.done;
}

/** Formats one line that begins with the folder. */
function formatFault(folder: string, fault: string): string {
  const [line, place] = [sanitizeText(fault), quoteActingName(folder)];
  return line.startsWith(place) ? line : `${place}: ${line}`;
}

/**
 * Summarizes all verdicts in one line.
 *
 * @example summarizeVerdicts(verdicts) // '30 records: sealed 30 of 30, replayed 28 of 30, 2 imported, which cannot be replayed'
 */
export function summarizeVerdicts(verdicts: readonly RecordVerdict[]): string {
  const count = (is: (verdict: RecordVerdict) => boolean) => verdicts.filter(is).length;
  const isSound = ({ faults }: RecordVerdict) => faults.length === 0;
  const redacted = count((one) => isSound(one) && one.isRedacted);
  const isWhole = (one: RecordVerdict) => isSound(one) && !one.isRedacted;
  const finished = count((one) => isWhole(one) && one.isFinished);
  const sealed = count((one) => isWhole(one) && one.isSealed);
  const replayed = count(({ replayed: how }) => how !== null);
  const reworded = count(({ replayed: how }) => how === 'other wording');
  const parts: [number, string][] = [
    [verdicts.length - count(isSound), 'damaged'],
    [count((one) => isSound(one) && !one.isFinished), 'under way (truncated lines at their end would go unnoticed)'],
    [finished - sealed, 'of schema 1, which has no seal'],
    [redacted, 'redacted as sealed, which can no longer be replayed'],
    [finished - replayed, 'imported, which cannot be replayed'],
  ];
  const told = parts.flatMap(([number, words]) => (number === 0 ? [] : [`${number} ${words}`]));
  const isBlind = verdicts.some(({ replayed: how }) => how === 'prompts not compared'); // either all records were replayed so, or none
  const wording = isBlind ? ' (prompts not compared)' : reworded === 0 ? '' : ` (${reworded} in other wording)`;
  const checked =
    finished === 0 ? [] : [`sealed ${sealed} of ${finished}`, `replayed ${replayed} of ${finished}${wording}`];
  return `${verdicts.length} ${verdicts.length === 1 ? 'record' : 'records'}: ${[...checked, ...told].join(', ')}`;
}

async function recoverOne(folder: string, named: string | undefined, { stdout, stderr }: CommandIO): Promise<number> {
  const { recoverRecord } = await import('../models/record/recover-record.ts');
  const { formatResumeCommand } = await import('./command/resume-command.ts');
  const out = named ?? path.join(path.dirname(folder), 'recovered');
  const recovered = recoverRecord(folder, out);
  if (recovered.fault !== null) stderr.write(`${sanitizeText(recovered.fault)}\n`);
  const again = formatResumeCommand(path.basename(recovered.folder), out);
  stdout.write(`${sanitizeText(`${recovered.folder}: ${recovered.answers} sound answers. To resume: ${again}`)}\n`);
  return exitCodes.done;
}

if (import.meta.main) await runScript(runVerify);
