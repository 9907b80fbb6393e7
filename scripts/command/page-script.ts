// The script of a page as one text: part of the package, or bundled from its sources in a clone, which takes about 50
// ms.
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';

const root = path.join(import.meta.dirname, '../..');

/** @example renderMatchDocument(match, await buildViewerScript()) */
export const buildViewerScript = (): Promise<string> => buildPageScript('viewer');

/**
 * Returns the script of a page: the viewer's or that of a seat.
 *
 * @example await buildPageScript('seat')
 */
export async function buildPageScript(page: 'viewer' | 'seat'): Promise<string> {
  // Made by `npm pack`, so that the package needs neither esbuild nor Preact.
  const built = path.join(root, 'report', page, `${page}.js`);
  if (getDisk().exists(built)) return escapeEnds(getDisk().readText(built));
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    ...{ entryPoints: [path.join(root, 'report', page, `${page}-app.ts`)], write: false, bundle: true, minify: true },
    ...{ format: 'iife', target: 'es2024', legalComments: 'none', charset: 'ascii' },
  });
  return escapeEnds(outputFiles[0]!.text);
}

/** Escapes anything that would end the surrounding element. */
const escapeEnds = (script: string) => script.replaceAll('</', '<\\/');
