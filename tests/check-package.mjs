// Packs the project, installs the archive in an empty one, and plays a match there: from the command line, and from ten
// lines of TypeScript that are type-checked. `.ci/run` calls it; it needs the npm registry.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const place = mkdtempSync(path.join(tmpdir(), 'wolfgraph-package-'));
const at = (...parts) => path.join(place, ...parts);
const isWindows = process.platform === 'win32';
const npm = isWindows ? 'npm.cmd' : 'npm';
const run = (program, args, cwd = place) =>
  execFileSync(program, args, {
    ...{ cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    shell: isWindows && program === npm, // which Node starts no other way
  });
const commitOf = (folder) => run('git', ['rev-parse', 'HEAD'], folder).trim();

const program = `
import { boards, playMatch, report } from 'wolfgraph';

const { folder, summary } = await playMatch({ board: 'classic-8', seed: 7, model: 'bot:classic', out: 'runs' });
const { files } = await report(['runs'], { resamples: 20 });
const winner: 'villagers' | 'werewolves' | null = summary.winner;
if (folder === null || files.length === 0 || !('classic-8' in boards)) throw new Error('No match was reported.');
console.log(winner);
// @ts-expect-error: an option that is not there
await playMatch({ bord: 'classic-8' }).then(() => process.exit(1), (error: Error) => console.log(error.message));
`;

try {
  const archive = run(npm, ['pack', '--silent', '--pack-destination', place], root).trim().split('\n').at(-1);
  writeFileSync(at('package.json'), '{ "name": "study", "private": true, "type": "module" }');
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const tools = ['typescript', '@types/node'].map((name) => `${name}@${devDependencies[name]}`);
  run(npm, ['install', '--silent', '--no-audit', '--no-fund', at(archive), ...tools]);

  // The study is a repository of its own, whose commit is not Wolfgraph's.
  run('git', ['init', '--quiet']);
  const author = ['-c', 'user.name=study', '-c', 'user.email=study@example.org'];
  run('git', [...author, 'commit', '--quiet', '--allow-empty', '--message', 'study']);

  const bin = at('node_modules/wolfgraph/dist/scripts/wolfgraph.mjs');
  const told = run(process.execPath, [bin, 'match', '--seed', '3', '--out', 'played']);
  const [id] = readdirSync(at('played'));
  if (!told.includes(`wolfgraph show played/${id}`) || told.includes('npm run')) throw new Error(`It told:\n${told}`);
  const { commit } = JSON.parse(readFileSync(at(`played/${id}/manifest.json`), 'utf8')).made_by;
  if (commit !== commitOf(root)) throw new Error(`The record names the commit ${commit}.`);
  run(process.execPath, [bin, 'report', 'played', '--no-baselines']);
  if (!existsSync(at('played/report/report.md'))) throw new Error('There is no report.');
  run(process.execPath, [bin, 'show', `played/${id}`, '--html']);
  if (!readFileSync(at(`played/${id}/match.html`), 'utf8').includes(id)) throw new Error('There is no match.html.');
  run(process.execPath, [bin, 'verify', 'played']);
  run(process.execPath, [bin, 'validate', '--claims', '--corpus', 'table', '--split', 'development']);

  writeFileSync(at('study.ts'), program);
  const strict = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
  run(process.execPath, [at('node_modules/typescript/bin/tsc'), ...strict, 'study.ts']);
  const said = run(process.execPath, ['study.ts']);
  if (!/^(villagers|werewolves|null)\nplayMatch has no option bord\./.test(said)) throw new Error(`It said:\n${said}`);
  console.log('The package installs, plays, reports, verifies and type-checks.');
} finally {
  rmSync(place, { recursive: true, force: true });
}
