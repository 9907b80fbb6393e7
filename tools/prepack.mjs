// Creates what `npm pack` puts into the package: dist/, compiled from TypeScript, because Node does not strip types
// below node_modules. Other files of the project, such as corpora, are packed too. While npm packs, the package's own
// package.json replaces the project's; `postpack.mjs` restores the project's.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const at = (...parts) => path.join(root, ...parts);

rmSync(at('dist'), { recursive: true, force: true });
execFileSync(process.execPath, [at('node_modules/typescript/bin/tsc'), '-p', at('tsconfig.build.json')], {
  cwd: root,
  stdio: 'inherit',
});
cpSync(at('scripts/validate/corpora'), at('dist/scripts/validate/corpora'), {
  recursive: true,
  filter: (file) => !file.endsWith('.ts'),
});
const { build } = await import('esbuild');
const small = { bundle: true, minify: true, format: 'iife', target: 'es2024', legalComments: 'none', charset: 'ascii' };
for (const page of ['viewer', 'seat'])
  await build({
    ...{ entryPoints: [at(`report/${page}/${page}-app.ts`)], outfile: at(`dist/report/${page}/${page}.js`) },
    ...small,
  });
const { engineFile, hashEngine } = await import('../dist/graph/queue/engine-hash.js');
writeFileSync(at('dist', engineFile), `${hashEngine(root)}\n`);
if (existsSync(at('package.json.kept'))) renameSync(at('package.json.kept'), at('package.json')); // an earlier run was killed
const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const { name, version, type } = manifest;
writeFileSync(at('dist/package.json'), `${JSON.stringify({ name, version, type, commit: readCommit() })}\n`);

// Removes parts that users of the package do not need: the project's scripts and tools, and the Node that `npm ci`
// installs.
for (const key of ['private', 'scripts', 'devDependencies', 'optionalDependencies', 'overrides']) delete manifest[key];
manifest.bin.wolfgraph = `dist/${manifest.bin.wolfgraph}`;
const api = manifest.exports['.'].replace('./', './dist/').replace(/\.ts$/, '');
manifest.exports['.'] = { types: `${api}.d.ts`, default: `${api}.js` };
renameSync(at('package.json'), at('package.json.kept'));
writeFileSync(at('package.json'), `${JSON.stringify(manifest, null, 2)}\n`);

/** Reads the commit of this checkout. Returns null outside of a checkout. */
function readCommit() {
  try {
    const told = execFileSync('git', ['rev-parse', '--show-prefix', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
    return /^[0-9a-f]{40,64}$/.test(told) ? told : null;
  } catch {
    return null;
  }
}
