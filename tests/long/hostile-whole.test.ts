// Every command that reads records, in a separate process, on a folder of all hostile records: it ends, stays below 350
// MB and reports the sound records. The viewer serves them all.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import pLimit from 'p-limit';
import { readTable } from '../csv.ts';
import { expectDecent, type CommandRun } from '../hostile/command-checks.ts';
import { mostMemory } from '../hostile/command-runner.ts';
import { buildHostileFolder, outsideWord, soundName } from '../hostile/hostile-folder.ts';
import { readPeak, splitPeak, startLimited } from '../hostile/limited-script.ts';
import { fewFolderCommands, folderCommands, listJobs } from '../hostile/record-commands.ts';
import { openTrap } from '../hostile/trap-server.ts';
import { run } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const describeLinux = process.platform === 'linux' ? describe : describe.skip;

const root = createTemporaryFolder();
const at = (...names: string[]) => path.join(root, ...names);
const trap = await openTrap();
const env = { TRAP_SECRET: 'trap-secret', OPENAI_API_KEY: 'trap-secret' };
const { groups, records, other, tournament } = await buildHostileFolder(at('hostile'), trap.address);
const pool = at('pool');
await run('pool', ['build', other, '--out', pool]);

/** Commands that read all records, or search them for matches. `hostile-records` tests the other commands. */
const { match, tournament: goOn, report, show } = folderCommands;
const commands = { ...fewFolderCommands, match: match!, tournament: goOn!, report: report!, show: show! };
const jobs = listJobs(commands, records, { out: at('out'), other, plan: tournament.plan, pool }, env);
const limit = pLimit(2);
const runs = await Promise.all(
  jobs.map(({ script, args }) =>
    limit(async (): Promise<CommandRun> => {
      const { code, stdout, stderr } = await startLimited(script, args, { env }).ended;
      const told = splitPeak(stderr);
      const typed = [script, ...args].join(' ').replaceAll(root, '');
      return { typed, code, output: stdout + told.stderr, peak: told.peak, isPolluted: false };
    }),
  ),
);
const viewed = await view();
await trap.close();

/** Requests everything from a viewer. Returns the answers for each match. */
async function view() {
  const { child, said, ended } = startLimited('view', [records, '--no-cache'], { env });
  let printed = '';
  child.stdout.on('data', (text: string) => (printed += text));
  await said('Press Ctrl-C to stop.');
  const address = printed.trim();
  const ask = async (what: string) => {
    const response = await fetch(address + what);
    return { status: response.status, text: await response.text() };
  };
  const list = JSON.parse((await ask('api/matches')).text) as { matches: { path: string; id: string }[] };
  const matches: { path: string; statuses: number[]; text: string }[] = [];
  for (const match of list.matches) {
    const folder = encodeURIComponent(match.path);
    const page = match.path.split('/').map(encodeURIComponent).join('/');
    const answers = [];
    for (const what of [`api/match?path=${folder}`, `api/prompts?path=${folder}&moment=1.1`, `page/${page}/match.html`])
      answers.push(await ask(what));
    matches.push({
      path: match.path,
      statuses: answers.map(({ status }) => status),
      text: answers.map(({ text }) => text).join('\n'),
    });
  }
  const linked = [];
  for (const name of ['pictures/picture.svg', 'pictures/table.csv', 'report.json'])
    linked.push((await ask(`page/links/report/${name}`)).status);
  const last = await ask('api/matches');
  const peak = readPeak(child.pid!);
  child.kill('SIGTERM');
  await ended;
  return { matches, linked, last: last.status, peak };
}

describeLinux('every command over all hostile records', () => {
  expectDecent(runs);

  it('takes less than 350 MB', () => {
    expect(runs.filter(({ peak }) => peak > mostMemory).map(({ typed, peak }) => ({ typed, peak }))).toEqual([]);
    expect(runs.filter(({ peak }) => peak > 0)).toHaveLength(runs.length);
  });

  it('calls nobody', () => {
    expect({ requests: trap.requests, connections: trap.countConnections() }).toEqual({ requests: [], connections: 0 });
  });

  it('reports the sound record and names each that is left out', () => {
    const { left_out: leftOut } = JSON.parse(readFileSync(at('out', 'report.json'), 'utf8')) as {
      left_out: { folder: string }[];
    };
    const counted = readTable(readFileSync(at('out', 'matches.csv'), 'utf8')).map((row) => row['match_id']);
    expect(counted).toContain(soundName);
    const named = new Set(leftOut.map(({ folder }) => folder));
    const lost = groups
      .filter(({ folder }) => folder.startsWith(records))
      .flatMap(({ folder, records }) =>
        records.filter(({ fate }) => fate === 'left out').map(({ name }) => path.join(folder, name)),
      );
    expect(lost.filter((folder) => !named.has(folder))).toEqual([]);
  });
});

describeLinux('the viewer', () => {
  it('serves every sound record beside all others, and goes on', () => {
    const sound = viewed.matches.filter(({ path: folder }) => path.basename(folder) === soundName);
    expect(sound.length).toBeGreaterThan(10);
    for (const { path: folder, statuses } of sound)
      expect({ folder, statuses: [statuses[0], statuses[2]] }).toEqual({ folder, statuses: [200, 200] });
    const odd = viewed.matches.filter(({ statuses }) => statuses.some((status) => ![200, 404].includes(status)));
    expect(odd.map(({ path: folder, statuses }) => ({ folder, statuses }))).toEqual([]);
    expect(viewed.last).toBe(200);
  });

  it('serves nothing that lies elsewhere', () => {
    expect(viewed.linked).toEqual([404, 404, 404]);
    expect(viewed.matches.filter(({ text }) => text.includes(outsideWord)).map(({ path: folder }) => folder)).toEqual(
      [],
    );
  });

  it('takes less than 350 MB and ends when it is told to', () => {
    expect(viewed.peak).toBeGreaterThan(0);
    expect(viewed.peak).toBeLessThan(mostMemory);
  });
});
