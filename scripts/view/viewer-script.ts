// The viewer's script as one text: in a package it is there, in a clone it is bundled from its sources, which takes some 50 ms.
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';

const root = path.join(import.meta.dirname, '../..');

/** Made by `npm pack`, so that a package needs neither esbuild nor Preact. */
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

/** So that nothing in it ends the element that holds it. */
const escapeEnds = (script: string) => script.replaceAll('</', '<\\/');
