// Every command with every hostile record: each command ends with a message and within 350 MB, calls nobody, reports
// sound records, and neither writes nor shows anything outside.
import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { quoteActingName } from '../../state/text.ts';
import { expectDecent, listRuns } from '../hostile/command-checks.ts';
import { type CommandJob, mostMemory, runJobs } from '../hostile/command-runner.ts';
import { buildHostileFolder, outsideWord, soundName } from '../hostile/hostile-folder.ts';
import {
  fewFolderCommands,
  fewRecordCommands,
  folderCommands,
  listCommands,
  listJobs,
  recordCommands,
  servers,
  type Place,
} from '../hostile/record-commands.ts';
import { openTrap } from '../hostile/trap-server.ts';
import { readTable } from '../csv.ts';
import { openOpenaiServer } from '../openai-server.ts';
import { legally, reaching } from '../scripts/local-model.ts';
import { run } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const describeLinux = process.platform === 'linux' ? describe : describe.skip;

const root = createTemporaryFolder();
const at = (...names: string[]) => path.join(root, ...names);
const trap = await openTrap();
const secret = 'trap-secret-0123456789';
const env = { TRAP_SECRET: secret, OPENAI_API_KEY: secret };
const { groups, other, set, tournament, outside } = await buildHostileFolder(at('hostile'), trap.address);
const pool = at('pool');
await run('pool', ['build', other, '--out', pool]);
const local = await openOpenaiServer((request) => {
  try {
    return legally(request);
  } catch {
    return { text: '{"claims":[]}' }; // the question is not to a player but to a judge, who gives claims
  }
});

/**
 * Groups of records on which commands that ask a model are also run. These commands write the model's answers into a
 * folder that already holds hostile files.
 */
const areAsked = /^(annotations|claims|reflections|links$|names$)/;
const listAsked = (folder: string, out: string): CommandJob[] =>
  [
    ['annotate', folder, '--model', 'openai:gpt'] as const,
    [
      'report',
      folder,
      '--judge',
      'openai:gpt',
      '--out',
      `${out}-judged`,
      '--no-baselines',
      '--resamples',
      '2',
    ] as const,
    ['pool', 'build', folder, '--reflect', 'openai:gpt', '--out', path.join(out, 'reflected')] as const,
  ].map(([script, ...args]) => ({ script, args, env: reaching(local).env! }));

/**
 * Lists the commands that report one record with tables. The record names a judge; a command that obeyed it would ask
 * this judge.
 */
const listTable = (record: string, out: string): CommandJob[] => [
  { script: 'report', args: [record, '--out', out, '--no-baselines', '--resamples', '2'], env },
];

/**
 * Special files that are tested only in the folder with all special files. Commands treat each like a special file that
 * has tests of its own.
 */
const likeOthers: ReadonlySet<string> = new Set(['full-device', 'linked-pipe', 'socket', 'dead-link', 'late-zeros']);

const chains = groups.map(({ name, folder, records, isTriedByAll }) => {
  const place: Place = { out: at('out', name), other, plan: tournament.plan, pool };
  const tried = /^(values-|earlier$)/.test(name) ? [] : records.filter((record) => !likeOthers.has(record.name));
  const single = tried.map((record) => path.join(folder, record.name));
  const tables = isTriedByAll ? [folderCommands, recordCommands] : [fewFolderCommands, fewRecordCommands];
  return [
    ...listJobs(tables[0]!, folder, place, env),
    ...single.flatMap((record) => listJobs(tables[1]!, record, { ...place, out: `${record}-out` }, env)),
    ...(name === 'addresses' ? single.flatMap((record) => listTable(record, `${record}-report`)) : []),
    ...(areAsked.test(name) ? listAsked(folder, place.out) : []),
  ];
});
const { plan } = tournament;
const ofPlayed = [set, tournament].map(({ folder, resume: [script, ...args] }): CommandJob[] => [
  { script: 'tournament', args: [plan, '--out', folder, '--status'] },
  { script: 'report', args: [folder, '--out', at('out', path.basename(folder)), '--no-baselines', '--resamples', '2'] },
  { script, args },
]);
chains.unshift(...ofPlayed);
const before = hashAll(outside);
const ended = await runJobs(chains);
await trap.close();
await local.close();
const runs = listRuns(chains, ended, root);

/** Hashes each file: name → hash. */
function hashAll(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name))
      .map((file) => [path.relative(folder, file), hash('sha256', readFileSync(file))]),
  );
}

describeLinux('every command over hostile records', () => {
  it('is tried', () => {
    for (const table of [folderCommands, recordCommands])
      expect(Object.keys(table).sort()).toEqual(listCommands().sort());
    const typed = new Set(runs.map(({ typed }) => typed.split(' ')[0]));
    expect(listCommands().filter((name) => !typed.has(name))).toEqual(servers);
  });

  expectDecent(runs);

  it('takes less than 350 MB', () => {
    expect(runs.filter((run) => run.peak > mostMemory).map(({ typed, peak }) => ({ typed, peak }))).toEqual([]);
  });

  it('calls nobody and shows no key', () => {
    expect(trap.requests).toEqual([]);
    expect(trap.countConnections()).toBe(0);
    expect(runs.filter(({ output }) => output.includes(secret)).map(({ typed }) => typed)).toEqual([]);
  });

  it('neither shows nor changes what lies elsewhere', () => {
    expect(runs.filter(({ output }) => output.includes(outsideWord)).map(({ typed }) => typed)).toEqual([]);
    expect(hashAll(outside)).toEqual(before);
  });
});

describeLinux.each(groups.map(({ name, ...group }) => [name, group] as const))('of %s', (name, { folder, records }) => {
  const read = (file: string) => readFileSync(at('out', name, file), 'utf8');

  it('a report counts what is sound, and names what it leaves out', () => {
    const { left_out: leftOut } = JSON.parse(read('report.json')) as { left_out: { folder: string }[] };
    const counted = new Set(readTable(read('matches.csv')).map((row) => row['match_id']));
    const named = new Set(leftOut.map((one) => one.folder));
    const fates = records.map(({ name, id = name }) => ({
      name,
      fate: counted.has(id) ? 'counted' : named.has(quoteActingName(path.join(folder, name))) ? 'left out' : 'lost',
    }));
    const right = records.map(({ name, fate }, index) => ({
      name,
      fate:
        fate === 'not over'
          ? 'left out'
          : fate === 'either' && fates[index]!.fate !== 'lost'
            ? fates[index]!.fate
            : fate,
    }));
    expect(fates).toEqual(right);
    expect(counted).toContain(soundName);
    if (name === 'names') expect(named).not.toContain(path.join(folder, soundName)); // although another record has the same id
  });

  it('verify names each record that a report leaves out, and no sound one', () => {
    const { output } = runs.find(({ typed }) => typed.startsWith('verify') && typed.endsWith(`/${name}`))!;
    const told = (one: string) => output.includes(`/${name}/${one}`);
    expect(records.filter(({ fate, name: one }) => fate === 'left out' && !told(one))).toEqual([]);
    expect(told(soundName)).toBe(false);
  });
});

describeLinux.each([
  ['set', set],
  ['tournament', tournament],
])('a %s of which matches were damaged', (name, { folder, resume, damaged }) => {
  const find = (...typed: string[]) => runs.find((run) => run.typed === typed.join(' ').replaceAll(root, ''))!;
  const findUnnamed = (output: string) => damaged.filter((one) => !output.includes(one));

  it('is gone on with by the same command, which names them', () => {
    expect(damaged).toHaveLength(4);
    const { code, output } = find(...resume);
    expect({ code, unnamed: findUnnamed(output) }).toEqual({ code: 1, unnamed: [] });
  });

  it('is reported without them, a tournament with what its leaderboard lacks', () => {
    const { left_out: leftOut } = JSON.parse(readFileSync(at('out', name, 'report.json'), 'utf8')) as {
      left_out: { folder: string }[];
    };
    expect(leftOut.map((one) => path.basename(one.folder)).sort()).toEqual([...damaged].sort());
    expect(readTable(readFileSync(at('out', name, 'matches.csv'), 'utf8'))).toHaveLength(4);
    const { output } = runs.find(({ typed }) => typed.startsWith(`report ${folder} `.replaceAll(root, '')))!;
    if (name === 'tournament') expect(output).toContain('4 of 8 planned matches were found.');
  });

  if (name === 'tournament')
    it('has a state that counts the sound ones', () => {
      const { code, output } = find('tournament', plan, '--out', folder, '--status');
      expect(output).toContain('4 of 8 matches done, 0 under way, 0 waiting, 4 failed; 2 of 4 deals complete');
      expect({ code, unnamed: findUnnamed(output) }).toEqual({ code: 0, unnamed: [] });
    });
});
