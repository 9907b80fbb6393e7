// Runs every command that reads records on damaged records. Lists forbidden results: a stack trace, a wrong exit code,
// or a damaged record that is called sound.
import path from 'node:path';
import fc from 'fast-check';
import { getDisk } from '../../models/machine/machine.ts';
import { recordFiles } from '../../state/record.ts';
import { runAnnotate } from '../../scripts/annotate.ts';
import { type CommandFunction, type CommandIO, exitCodes, runCommand } from '../../scripts/command/command-line.ts';
import { runCompare } from '../../scripts/compare.ts';
import { runMatch } from '../../scripts/match.ts';
import { runPlan } from '../../scripts/plan.ts';
import { runReplay } from '../../scripts/replay.ts';
import { runReport } from '../../scripts/report.ts';
import { runShow } from '../../scripts/show.ts';
import { runVerify } from '../../scripts/verify.ts';
import { type Damage, damagedFiles, damageKinds, damageRecord, hashRecord } from './record-damage.ts';

/** Up to three changes to the files of a record, and the record's number. */
export const randomDamages: fc.Arbitrary<{ record: number; damages: Damage[] }> = fc.record({
  record: fc.nat(),
  damages: fc.array(
    fc.record({
      file: fc.constantFrom(...damagedFiles),
      how: fc.constantFrom(...damageKinds),
      at: fc.integer({ min: 0, max: 9999 }).map((part) => part / 10_000),
      choice: fc.nat(10_000),
      isForged: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

/** Undamaged records; copies of them are damaged. */
export interface SoundRecords {
  /** Folders of records of one deal, played by different models. The last record is never damaged. */
  folders: readonly string[];
  /** Folder for copies of records and the commands' output. */
  work: string;
}

/** Plays two short matches of one deal in `work`. Throws if they cannot be played. */
export async function playSoundRecords(work: string, others: readonly string[] = []): Promise<SoundRecords> {
  const folders: string[] = [];
  for (const model of ['bot:classic', 'bot:random']) {
    const out = path.join(work, 'sound', model.replace(':', '-'));
    const { code, said } = await run(runMatch, [...short, '--model', model, '--out', out, '--quiet'], work);
    if (code !== exitCodes.done) throw new Error(said);
    folders.push(path.join(out, getDisk().list(out)[0]!.name));
  }
  return { folders: [folders[0]!, ...others, folders[1]!], work };
}

const short = ['--seed', '1', '--rules', 'arena', '--rule', 'debateTurns=1', '--rule', 'maxRounds=1'];

/** Runs a command in this process to its end, with caches in `work`. */
async function run(command: CommandFunction, argv: readonly string[], work: string) {
  let said = '';
  const stream = {
    write: (text: string, written?: () => void) => {
      said += text;
      written?.();
    },
  };
  const io: CommandIO = {
    ...{ stdout: stream, stderr: stream, env: { XDG_CACHE_HOME: path.join(work, 'cache') } }, // no key, so no call
    listenToSignals: () => new AbortController().signal,
    releaseSignals: () => undefined,
  };
  const code = await runCommand(command, argv, io);
  return { code, said };
}

/** Lists every command that reads records, with its arguments. */
function listCommands(folder: string, sound: string, work: string): [name: string, CommandFunction, string[]][] {
  const out = (name: string) => path.join(work, 'out', name);
  return [
    ['verify', runVerify, [folder]],
    ['recover', runVerify, [folder, '--recover', '--out', out('recovered')]],
    ['show', runShow, [folder]],
    ['replay', runReplay, [folder]],
    ['annotate', runAnnotate, [folder, '--model', 'openai:gpt-4o', '--dry-run']],
    ['report', runReport, [folder]],
    ['report of several', runReport, [folder, sound, '--out', out('report'), '--resamples', '2', '--no-baselines']],
    ['compare', runCompare, [folder, sound, '--out', out('compared'), '--resamples', '2']],
    ['plan', runPlan, [folder, sound, '--effect', '.2', '--json']],
    ['match', runMatch, ['--id', path.basename(folder), '--out', path.dirname(folder), '--quiet']],
    ['match of its manifest', runMatch, [path.join(folder, 'manifest.json'), '--out', out('again'), '--quiet']],
  ];
}

/** Commands that may exit with 0 only if the record is sound. Only `verify` reads prompts. */
const strict = ['verify', 'show', 'replay'];

const known: readonly number[] = Object.values(exitCodes);

/** Patterns of messages that no command should print. */
const unthought =
  /\n {4}at |\b(Type|Range|Reference|Syntax)Error\b|Cannot read propert|Cannot convert|is not a function|is not iterable|is not defined|Maximum call stack|Invalid array length/;

/**
 * Runs commands on one damaged record, and lists their forbidden results, one line each. If no commands are named, runs
 * all of them.
 */
export async function findFuzzFaults(
  { folders, work }: SoundRecords,
  { record, damages: changes }: { record: number; damages: readonly Damage[] },
  names?: readonly string[],
): Promise<string[]> {
  const disk = getDisk();
  const choices = folders.slice(0, -1);
  const chosen = choices[record % choices.length]!;
  const sound = folders.at(-1)!;
  const place = path.join(work, 'damaged');
  const folder = path.join(place, path.basename(chosen));
  for (const used of [place, path.join(work, 'out')]) disk.remove(used);
  disk.makeFolder(folder);
  disk.makeFolder(path.join(work, 'out'));
  for (const { name } of disk.list(chosen)) disk.write(path.join(folder, name), disk.read(path.join(chosen, name)));
  damageRecord(folder, changes, sound);
  const isForged = changes.some((change) => change.isForged);
  const isSealed = /"seal"/.test(disk.readText(path.join(chosen, 'deception_summary.json')));
  const hasPrompts = disk.exists(path.join(chosen, recordFiles.prompts));
  const isChanged = (withPrompts: boolean) =>
    hashRecord(folder, withPrompts && hasPrompts) !== hashRecord(chosen, withPrompts && hasPrompts);
  const faults: string[] = [];
  for (const [name, command, argv] of listCommands(folder, sound, work)) {
    if (names && !names.includes(name)) continue;
    const { code, said } = await run(command, argv, work);
    const words = said.slice(0, 600);
    if (!known.includes(code)) faults.push(`${name} ends with ${code}: ${words}`);
    if (unthought.test(said)) faults.push(`${name}: ${unthought.exec(said)![0].trim()}: ${words}`);
    if (isSealed && !isForged && strict.includes(name) && code === exitCodes.done && isChanged(name === 'verify'))
      faults.push(`${name} takes a changed record for sound: ${words}`);
  }
  return faults;
}
