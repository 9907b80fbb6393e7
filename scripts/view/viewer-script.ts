// The viewer's script as one text: part of the package, or bundled from its sources in a clone, which takes about 50
// ms.
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';

const root = path.join(import.meta.dirname, '../..');

/** Made by `npm pack`, so that the package needs neither esbuild nor Preact. */
const built = path.join(root, 'report/viewer/viewer.js');

/** @example renderMatchDocument(match, await buildViewerScript()) */
export async function buildViewerScript(): Promise<string> {
  if (getDisk().exists(built)) return escapeEnds(getDisk().readText(built));
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    ...{ entryPoints: [path.join(root, 'report/viewer/viewer-app.ts')], write: false, bundle: true, minify: true },
    ...{ format: 'iife', target: 'es2024', legalComments: 'none', charset: 'ascii' },
  });
  return escapeEnds(outputFiles[0]!.text);
}

/** Escapes anything that would end the surrounding element. */
const escapeEnds = (script: string) => script.replaceAll('</', '<\\/');
