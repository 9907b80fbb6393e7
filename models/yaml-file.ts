// Reads YAML that a user wrote, or was given: bounded in size, so that nothing in it can take long or mean something else.
import { type Alias, isAlias, isScalar, type Node, type Pair, parseDocument, visit, type YAMLMap } from 'yaml';
import { UsageError } from '../state/usage-error.ts';
import { UnusableFile } from './machine/disk.ts';
import { getDisk } from './machine/machine.ts';

/** Characters, names in all objects together, and repetitions by `*name`. Hundreds of times what any file here needs. */
const most = { characters: 500_000, keys: 10_000, aliases: 100 };

/**
 * The value that a YAML text says, JSON included. Throws a UsageError that begins with `what` where it is no YAML, is too
 * large, is empty, repeats a name, or holds a tag or a name that is not allowed.
 *
 * @example parseYaml('match.yaml', 'seed: 7') // { seed: 7 }
 */
export function parseYaml(what: string, text: string): unknown {
  if (text.length > most.characters)
    throw new UsageError(`${what} is too long: ${text.length} characters, at most ${most.characters}.`);
  try {
    const document = parseDocument(text, { uniqueKeys: false, logLevel: 'error' }); // yaml compares each key with each
    const [fault] = document.errors;
    if (fault) throw fault;
    const [warning] = document.warnings;
    if (warning) throw new Error(explainWarning(warning.message));
    if (document.contents === null) throw new Error('it is empty.');
    checkNodes(document.contents, (alias) => alias.resolve(document));
    return document.toJS({ maxAliasCount: most.aliases });
  } catch (error) {
    const isTooDeep = error instanceof RangeError; // the stack is full
    const words = isTooDeep ? 'its values lie too deep within one another.' : (error as Error).message.trim();
    throw new UsageError(`${what} cannot be read: ${words}`, { cause: error });
  }
}

/** In bytes, of a file that a user named. */
const mostBytes = 2 ** 20;

/**
 * The text of a file or pipe that a user named, of at most 1 MB. Throws a UsageError that says so where there is none, or a
 * folder; `expected`: what is to be named, e.g. "a YAML file".
 */
export function readUserFile(file: string, expected: string): string {
  try {
    return getDisk().readInput(file, mostBytes);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const known: Readonly<Record<string, string>> = {
      ENOENT: `There is no file ${file}.`,
      EISDIR: `${file} is a folder. Name ${expected}.`,
    };
    const words = error instanceof UnusableFile ? message : `${file} cannot be read: ${message.trim()}`;
    throw new UsageError(known[code ?? ''] ?? words, { cause: error });
  }
}

const explainWarning = (message: string) =>
  /^Unresolved tag/.test(message)
    ? `${message.trim()}\nTags such as !include or !!timestamp are not known here. Write the value itself, without a tag.`
    : message;

/** Throws an error for names that are too many, twice in one object or not allowed, and for a value within itself. */
function checkNodes(contents: Node | null, resolve: (alias: Alias) => unknown): void {
  let keys = 0;
  visit(contents, {
    Map: (_, { items }: YAMLMap) => {
      keys += items.length;
      if (keys > most.keys) throw new Error(`it has more than ${most.keys} names.`);
      const seen = new Set<string>();
      for (const name of items.map(readKey)) {
        if (seen.has(name)) throw new Error(`"${name}" stands twice in the same object.`);
        seen.add(name);
      }
    },
    Alias: (_, alias, path) => {
      if (path.includes(resolve(alias) as Node)) throw new Error(`*${alias.source} stands within what it names.`);
    },
  });
}

function readKey({ key }: Pair): string {
  if (isAlias(key)) throw new Error(`*${key.source} stands in the place of a name. Write the name itself.`);
  const name = isScalar(key) ? String(key.value) : JSON.stringify(key);
  if (name === '__proto__') throw new Error('the name "__proto__" is not allowed.');
  return name;
}
