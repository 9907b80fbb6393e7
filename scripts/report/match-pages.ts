// Pages of single matches that a report links to. Existing pages are reused, and missing pages are written.
import { setImmediate as turn } from 'node:timers/promises';
import path from 'node:path';
import type { SampledExamples } from '../../deception/summary/example-sampler.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import type { LinkedExamples } from '../../report/example-lists.ts';
import { placeDrafts, writeDrafts } from '../command/replace-files.ts';
import { explainLink, isBehindLink } from '../command/match-folder.ts';

/** Path of a match's page. `show --html` writes to the same file. */
const locatePage = (folder: string) => path.join(folder, 'match.html');

/** Adds to each example the path of its match's page relative to the report; null if there is none. */
export const addPageLinks = (counted: readonly SampledExamples[], out: string): LinkedExamples[] =>
  counted.map(({ shown, ...one }) => ({
    ...one,
    shown: shown.map((example) => {
      const page = locatePage(example.folder);
      const href = getDisk().exists(page)
        ? path.relative(out, page).split(path.sep).map(encodeURIComponent).join('/')
        : null;
      return { ...example, href };
    }),
  }));

/**
 * Writes the page of each match with an example, unless an up-to-date page exists. Writes nothing behind a link within
 * the `named` folders. `warn`: called about such links, and about pages that cannot be written. Throws the reason of an
 * abort.
 */
export async function writeMatchPages(
  counted: readonly SampledExamples[],
  named: readonly string[],
  { signal, warn }: { signal?: AbortSignal | undefined; warn?: ((message: string) => void) | undefined } = {},
): Promise<void> {
  const { renderMatchDocument } = await import('../../report/viewer/viewer-document.ts');
  const { readWholeMatch } = await import('../view/read-match.ts');
  const { buildViewerScript } = await import('../command/page-script.ts');
  const script = await buildViewerScript();
  const folders = new Set(counted.flatMap(({ shown }) => shown.map(({ folder }) => folder)));
  for (const folder of [...folders].sort()) {
    if (isBehindLink(folder, named)) {
      warn?.(`No page is written: ${explainLink(folder)}`);
      continue;
    }
    await turn(); // lets signals be handled
    signal?.throwIfAborted();
    const [page, text] = [locatePage(folder), renderMatchDocument(await readWholeMatch(folder), script)];
    try {
      if (!isThere(page, text)) placeDrafts(writeDrafts([[page, text]]));
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      warn?.(error.message);
    }
  }
}

/** Returns whether the file has exactly this content. A file that is longer or unreadable counts as different. */
function isThere(page: string, text: string): boolean {
  try {
    return getDisk().readText(page, Buffer.byteLength(text)) === text;
  } catch {
    return false;
  }
}
