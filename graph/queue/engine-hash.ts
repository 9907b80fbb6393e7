// The hash of the sources that determine matches. Workers and the command that queues matches must have equal hashes.
// Their commits may differ, and a package may have no sources.
import { hash } from 'node:crypto';
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';

/** Folders of the code that plays a match. */
const players = ['state', 'prompts', 'models', 'nodes', 'graph'];

/**
 * Modules that only count, queue, import or report matches. They are excluded although the code that plays a match
 * imports some of them.
 */
const others = /^(graph\/(annotation|import|pool|queue|tournament)|deception\/(summary|statistics))\//;

/** File with the hash, beside the compiled code of a package, which has no sources. */
export const engineFile = 'engine.sha256';

const ownRoot = path.join(import.meta.dirname, '../..');

/** Returns the hash of this program's sources. In a package, returns the hash that was computed when it was packed. */
export function readEngineHash(root = ownRoot): string {
  const file = path.join(root, engineFile);
  return getDisk().exists(file) ? getDisk().readText(file).trim() : hashEngine(root);
}

/**
 * Returns the hash of the sources in the folder `root` that determine matches.
 *
 * @example hashEngine(root) === hashEngine(clone) // the same sources, however their lines end
 */
export function hashEngine(root = ownRoot): string {
  const texts = new Map<string, string>();
  const open = players.flatMap((folder) => listSources(root, folder));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (others.test(file) || texts.has(file)) continue;
    const text = getDisk().readText(path.join(root, file)).replaceAll('\r\n', '\n');
    texts.set(file, text);
    open.push(...listImports(file, text));
  }
  return hash('sha256', JSON.stringify([...texts].sort(([one], [other]) => (one < other ? -1 : 1))));
}

/** Lists the project's own sources that a source imports, as paths from the root. */
const listImports = (file: string, text: string) =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g)].map(([, imported]) =>
    path.posix.join(path.posix.dirname(file), imported!),
  );

const listSources = (root: string, folder: string): string[] =>
  getDisk()
    .list(path.join(root, folder))
    .flatMap(({ name, kind }) => (kind === 'folder' ? listSources(root, `${folder}/${name}`) : `${folder}/${name}`))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
