// The hash of the sources that decide what a match is: workers must have the same ones as the command that queues, whatever
// else differs between their commits, and wherever a package has none.
import { hash } from 'node:crypto';
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';

/** Folders and files of the sources; what only counts, queues, imports or reports matches is not among them. */
const sources = [
  ...['state', 'prompts', 'models', 'nodes', 'graph'],
  ...['deception/experience', 'deception/record/suspicion-scores.ts'],
];
const others = /^graph\/(annotation|import|queue|tournament)\//;

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
  const files = sources
    .flatMap((source) => (source.endsWith('.ts') ? [source] : listSources(root, source)))
    .filter((file) => !others.test(file))
    .sort();
  const texts = files.map((file) => [file, getDisk().readText(path.join(root, file)).replaceAll('\r\n', '\n')]);
  return hash('sha256', JSON.stringify(texts));
}

const listSources = (root: string, folder: string): string[] =>
  getDisk()
    .list(path.join(root, folder))
    .flatMap(({ name, kind }) => (kind === 'folder' ? listSources(root, `${folder}/${name}`) : `${folder}/${name}`))
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
