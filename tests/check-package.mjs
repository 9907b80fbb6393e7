// Packs the project, installs the archive in an empty project, and plays a match there with the Node that runs this
// file: from the command line, and from ten lines of type-checked TypeScript. `.ci/run` calls this file; it needs the
// npm registry.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const place = mkdtempSync(path.join(tmpdir(), 'wolfgraph-package-'));
const at = (...parts) => path.join(place, ...parts);
const isWindows = process.platform === 'win32';
const npm = isWindows ? 'npm.cmd' : 'npm';
/** Every process started here that runs `node` uses the same Node, as npm and the installed command do. */
const env = { ...process.env, PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter) };
const run = (program, args, cwd = place) =>
  execFileSync(program, args, {
    ...{ cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], env },
    shell: isWindows && program === npm, // Windows starts npm only through a shell
  });
const commitOf = (folder) => run('git', ['rev-parse', 'HEAD'], folder).trim();

const program = `
import { boards, playMatch, report } from 'wolfgraph';

const { folder, summary } = await playMatch({ board: 'classic-8', seed: 7, model: 'bot:classic', out: 'runs' });
const { files } = await report(['runs'], { resamples: 20 });
const winner: 'villagers' | 'werewolves' | null = summary.winner;
if (folder === null || files.length === 0 || !('classic-8' in boards)) throw new Error('No match was reported.');
console.log(winner);
// @ts-expect-error: an unknown option
await playMatch({ bord: 'classic-8' }).then(() => process.exit(1), (error: Error) => console.log(error.message));
`;

try {
  const archive = run(npm, ['pack', '--silent', '--pack-destination', place], root).trim().split('\n').at(-1);
  writeFileSync(at('package.json'), '{ "name": "study", "private": true, "type": "module" }');
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const tools = ['typescript', '@types/node'].map((name) => `${name}@${devDependencies[name]}`);
  run(npm, ['install', '--silent', '--no-audit', '--no-fund', at(archive), ...tools]);

  // The study has a git repository of its own, whose commit is not Wolfgraph's.
  run('git', ['init', '--quiet']);
  const author = ['-c', 'user.name=study', '-c', 'user.email=study@example.org'];
  run('git', [...author, 'commit', '--quiet', '--allow-empty', '--message', 'study']);

  const installed = JSON.parse(readFileSync(at('node_modules/wolfgraph/package.json'), 'utf8'));
  for (const key of ['scripts', 'devDependencies', 'optionalDependencies', 'overrides'])
    if (key in installed) throw new Error(`The package has ${key}.`);
  const bin = at('node_modules/wolfgraph', installed.bin.wolfgraph);
  const wolfgraph = (...args) =>
    isWindows ? run(process.execPath, [bin, ...args]) : run(at('node_modules/.bin/wolfgraph'), args);
  const told = wolfgraph('match', '--seed', '3', '--out', 'played');
  const [id] = readdirSync(at('played'));
  if (!told.includes(`wolfgraph show played/${id}`) || told.includes('npm run')) throw new Error(`It told:\n${told}`);
  const { commit } = JSON.parse(readFileSync(at(`played/${id}/manifest.json`), 'utf8')).made_by;
  if (commit !== commitOf(root)) throw new Error(`The record names the commit ${commit}.`);
  wolfgraph('report', 'played', '--no-baselines');
  if (!existsSync(at('played/report/report.md'))) throw new Error('There is no report.');
  wolfgraph('show', `played/${id}`, '--html');
  if (!readFileSync(at(`played/${id}/match.html`), 'utf8').includes(id)) throw new Error('There is no match.html.');
  wolfgraph('verify', 'played');
  wolfgraph('validate', '--claims', '--corpus', 'table', '--split', 'development');

  writeFileSync(at('study.ts'), program);
  const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  run(process.execPath, [at('node_modules/typescript/bin/tsc'), ...strict, 'study.ts']);
  const said = run(process.execPath, ['study.ts']);
  if (!/^(villagers|werewolves|null)\nplayMatch has no option bord\./.test(said)) throw new Error(`It said:\n${said}`);
  console.log(`The package installs, plays, reports, verifies and type-checks on Node ${process.versions.node}.`);
} finally {
  rmSync(place, { recursive: true, force: true });
}
