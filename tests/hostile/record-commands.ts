// Every command that reads records, with its arguments: for a whole folder, and for a single record.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { shortest } from '../scripts/process.ts';
import type { CommandJob } from './command-runner.ts';

/** Paths that a command needs besides a folder of records. */
export interface Place {
  /** An output folder for the command. */
  out: string;
  /** A sound match of the same deal by another model. */
  other: string;
  /** The plan of a tournament of bots. */
  plan: string;
  /** A sound pool. */
  pool: string;
}

const quick = ['--no-baselines', '--resamples', '2'];

const scripts = path.join(import.meta.dirname, '../../scripts');

/** Lists the commands of the project: all scripts that run as programs, except the one that starts the others. */
export const listCommands = (): string[] =>
  readdirSync(scripts)
    .filter((file) => file.endsWith('.ts') && readFileSync(path.join(scripts, file), 'utf8').includes('runScript('))
    .map((file) => path.basename(file, '.ts'))
    .filter((name) => name !== 'wolfgraph');

/**
 * Commands that serve until they are stopped. `view` is tested by requests. `studio` reads no record and is tested in
 * `hostile-studio`.
 */
export const servers = ['studio', 'view'];

/** Arguments of each command; empty for a command that reads no record. */
export const folderCommands: Readonly<Record<string, (folder: string, place: Place) => string[][]>> = {
  match: (folder) => [
    [...shortest, '--out', folder, '--seed', '1', '--matches', '2', '--dry-run'],
    [...shortest, '--out', folder, '--seed', '1', '--quiet'], // searches the folder for an earlier match
  ],
  tournament: (folder, { plan }) => [
    [plan, '--out', folder, '--status'],
    [plan, '--out', folder, '--dry-run'],
  ],
  worker: (folder) => [['--database', 'postgres://wolf@127.0.0.1:1/none', '--models', folder]],
  view: () => [],
  studio: () => [],
  show: (folder) => [[folder]],
  report: (folder, { out }) => [
    [folder, '--out', out, ...quick],
    [folder, '--out', out, ...quick, '--no-tables', '--match-pages', '--no-cache'],
  ],
  plan: (folder) => [[folder, '--effect', '.2', '--json']],
  compare: (folder, { other, out }) => [
    [folder, other, '--out', out, '--resamples', '2'],
    [folder, '--annotators', 'openai:gpt', 'openai:other', '--out', out],
  ],
  fork: (folder, { out }) => [
    [folder, '--where', 'kind=debate', '--arms', 'neutral', '--out', path.join(out, 'forks'), '--dry-run'],
    ['--out', folder, '--dry-run'],
  ],
  annotate: (folder) => [[folder, '--model', 'openai:gpt', '--dry-run']],
  label: (folder, { out }) => [[folder, '--no-judge', '--n', '5', '--out', path.join(out, 'sheet.csv')]],
  pool: (folder, { out }) => [['build', folder, '--out', path.join(out, 'pool')]],
  export: (folder, { out }) => [['lies', folder, '--out', path.join(out, 'bank'), '--with-judgments', '--no-cache']],
  bank: (folder) => [['score', folder, '--scores', folder]],
  import: (folder, { out }) =>
    ['arena', 'kaggle'].map((format) => ['--format', format, folder, '--out', path.join(out, 'imported')]),
  verify: (folder) => [[folder]],
  replay: (folder) => [[folder]],
  redact: (folder) => [[folder, '--person', 'alice', '--dry-run']],
  simulate: (folder) => [['--board', folder, '--games', '10']],
  validate: (folder) => [
    ['--claims', '--judge', 'openai:gpt', '--answers', folder, '--corpus', 'table', '--split', 'test', '--dry-run'],
  ],
  doctor: (folder) => [['--out', folder]],
};

/** Commands on single records, in the form of `folderCommands`. */
export const recordCommands: typeof folderCommands = {
  match: (record, { out }) => [
    [path.join(record, 'manifest.json'), '--out', path.join(out, 'again'), '--quiet'],
    ['--id', path.basename(record), '--out', path.dirname(record), '--quiet'],
  ],
  tournament: () => [],
  worker: () => [],
  view: () => [],
  studio: () => [],
  show: (record, { out }) => [[record], [record, '--prompts'], [record, '--html', path.join(out, 'match.html')]],
  report: (record) => [[record]],
  plan: () => [],
  compare: () => [],
  fork: (record, { out }) => [
    [record, '--where', 'kind=debate', '--arms', 'neutral', '--out', path.join(out, 'forks'), '--dry-run'],
  ],
  annotate: () => [],
  label: () => [],
  pool: (record, { pool }) => [['find', pool, record, '--player', 'Jackson', '--round', '1', '--moment', 'ballot']],
  export: (record, { out }) => [['lies', record, '--out', path.join(out, 'bank'), '--no-cache']],
  bank: () => [],
  import: () => [],
  verify: (record, { out }) => [[record], [record, '--recover', '--out', path.join(out, 'recovered')]],
  replay: () => [],
  redact: () => [],
  simulate: () => [],
  validate: () => [],
  doctor: () => [],
};

/**
 * Commands that are run only on records with strange neighbors, and on folders for which all commands would take too
 * long.
 */
export const fewRecordCommands: Partial<typeof folderCommands> = {
  match: (record) => [['--id', path.basename(record), '--out', path.dirname(record), '--quiet']],
  show: (record, { out }) => [
    [record, '--html', path.join(out, 'match.html')],
    [record, '--judge', 'openai:gpt'],
  ],
  report: (record) => [[record]],
};

/** The commands among `folderCommands` that read every record of a folder. */
export const fewFolderCommands: Partial<typeof folderCommands> = {
  ...{
    plan: folderCommands['plan']!,
    annotate: folderCommands['annotate']!,
    label: folderCommands['label']!,
    pool: folderCommands['pool']!,
  },
  ...{ verify: folderCommands['verify']!, compare: folderCommands['compare']! },
  report: (folder, place) => folderCommands['report']!(folder, place).slice(0, 1),
};

/** Lists all jobs of a table of commands for a folder or a record, in the order of the table. */
export const listJobs = (
  table: Partial<typeof folderCommands>,
  folder: string,
  place: Place,
  env: Readonly<Record<string, string>>,
): CommandJob[] =>
  Object.entries(table).flatMap(([script, list]) =>
    (list?.(folder, place) ?? []).map((args) => ({ script: script as CommandJob['script'], args, env })),
  );
