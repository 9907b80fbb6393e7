// Makes what `npm pack` puts into the package: dist/, compiled from TypeScript, since Node strips no types below
// node_modules. What the tree holds besides, as corpora, goes along.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
const page = { entryPoints: [at('report/viewer/viewer-app.ts')], outfile: at('dist/report/viewer/viewer.js') };
const small = { bundle: true, minify: true, format: 'iife', target: 'es2024', legalComments: 'none', charset: 'ascii' };
await build({ ...page, ...small });
const { engineFile, hashEngine } = await import('../dist/graph/queue/engine-hash.js');
writeFileSync(at('dist', engineFile), `${hashEngine(root)}\n`);
const { name, version, type } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
writeFileSync(at('dist/package.json'), `${JSON.stringify({ name, version, type, commit: readCommit() })}\n`);

/** Of this checkout; null outside of one. */
function readCommit() {
  try {
    const told = execFileSync('git', ['rev-parse', '--show-prefix', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
    return /^[0-9a-f]{40,64}$/.test(told) ? told : null;
  } catch {
    return null;
  }
}
