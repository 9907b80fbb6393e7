// Parts that all served pages share: the bundled script, and the headers that keep the page private. The package
// contains the script; in a clone it is bundled from its sources (about 50 ms).
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';

const root = path.join(import.meta.dirname, '../..');

/**
 * Headers of all answers of the viewer and of people's pages. Browsers must not store answers, guess their type, or
 * exchange data with other sites.
 */
export const privateHeaders = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** @example renderMatchDocument(match, await buildViewerScript()) */
export const buildViewerScript = (): Promise<string> => buildPageScript('viewer');

/**
 * Returns the script of a page: of the viewer, or of a person's seat.
 *
 * @example await buildPageScript('seat')
 */
export async function buildPageScript(page: 'viewer' | 'seat'): Promise<string> {
  // Path of the script that `npm pack` made, so that the package needs neither esbuild nor Preact.
  const built = path.join(root, 'report', page, `${page}.js`);
  if (getDisk().exists(built)) return escapeEnds(getDisk().readText(built));
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    ...{ entryPoints: [path.join(root, 'report', page, `${page}-app.ts`)], write: false, bundle: true, minify: true },
    ...{ format: 'iife', target: 'es2024', legalComments: 'none', charset: 'ascii' },
  });
  return escapeEnds(outputFiles[0]!.text);
}

/** Escapes everything in a script that would end the HTML element around it. */
const escapeEnds = (script: string) => script.replaceAll('</', '<\\/');
