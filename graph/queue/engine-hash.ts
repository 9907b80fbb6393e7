// The hash of the sources that decide what a match is: workers must have the same ones as the command that queues, whatever
// else differs between their commits, and wherever a package has none.
import { hash } from 'node:crypto';
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';

/** The folders of what plays a match. */
const players = ['state', 'prompts', 'models', 'nodes', 'graph'];

/** Whatever these import is part of it too, but what only counts, queues, imports or reports matches. */
const others = /^(graph\/(annotation|import|pool|queue|tournament)|deception\/(summary|statistics))\//;

/** In a package, beside the compiled code, which holds no sources. */
export const engineFile = 'engine.sha256';

const ownRoot = path.join(import.meta.dirname, '../..');

/** The hash of this program's sources; where it is a package, the one that was made when it was packed. */
export function readEngineHash(root = ownRoot): string {
  const file = path.join(root, engineFile);
  return getDisk().exists(file) ? getDisk().readText(file).trim() : hashEngine(root);
}

/** @example hashEngine(root) === hashEngine(clone) // the same sources, however their lines end */
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

/** The sources of ours that one imports, by their paths from the root. */
const listImports = (file: string, text: string) =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g)].map(([, imported]) =>
    path.posix.join(path.posix.dirname(file), imported!),
  );

const listSources = (root: string, folder: string): string[] =>
  getDisk()
    .list(path.join(root, folder))
    .flatMap(({ name, kind }) => (kind === 'folder' ? listSources(root, `${folder}/${name}`) : `${folder}/${name}`))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
