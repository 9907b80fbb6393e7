// Reads YAML that a user wrote or received. Limits on sizes keep parsing fast, and ambiguous contents are rejected.
import { type Alias, isAlias, isScalar, type Node, type Pair, parseDocument, visit, type YAMLMap } from 'yaml';
import { UsageError } from '../state/usage-error.ts';
import { UnusableFile } from './machine/disk.ts';
import { getDisk } from './machine/machine.ts';

/**
 * Limits on the number of characters, of names in all objects together, and of aliases (`*name`). They are hundreds of
 * times higher than real files need.
 */
const most = { characters: 500_000, keys: 10_000, aliases: 100 };

/**
 * Parses a YAML text, including JSON. Throws a UsageError that begins with `what` if it is not YAML, too large or
 * empty, repeats a name, or contains a forbidden tag or name.
 *
 * @example parseYaml('match.yaml', 'seed: 7') // { seed: 7 }
 */
export function parseYaml(what: string, text: string): unknown {
  if (text.length > most.characters)
    throw new UsageError(`${what} is too long: ${text.length} characters, at most ${most.characters}.`);
  try {
    const document = parseDocument(text, { uniqueKeys: false, logLevel: 'error' }); // the yaml package compares each key with every other
    const [fault] = document.errors;
    if (fault) throw fault;
    const [warning] = document.warnings;
    if (warning) throw new Error(explainWarning(warning.message));
    if (document.contents === null) throw new Error('it is empty.');
    checkNodes(document.contents, (alias) => alias.resolve(document));
    return document.toJS({ maxAliasCount: most.aliases });
  } catch (error) {
    const isTooDeep = error instanceof RangeError; // stack overflow
    const words = isTooDeep ? 'its values are nested too deeply.' : (error as Error).message.trim();
    throw new UsageError(`${what} cannot be read: ${words}`, { cause: error });
  }
}

/** Largest size in bytes of a file that a user named. */
const mostBytes = 2 ** 20;

/**
 * Reads a file or pipe that a user named, of at most 1 MB. Throws a UsageError if it does not exist or is a folder.
 * `expected`: what the user should name, e.g. "a YAML file".
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
    ? `${message.trim()}\nTags such as !include or !!timestamp are not supported. Write the value itself, without a tag.`
    : message;

/** Throws an error for too many names, duplicate or forbidden names, and for a value that contains itself. */
function checkNodes(contents: Node | null, resolve: (alias: Alias) => unknown): void {
  let keys = 0;
  visit(contents, {
    Map: (_, { items }: YAMLMap) => {
      keys += items.length;
      if (keys > most.keys) throw new Error(`it has more than ${most.keys} names.`);
      const seen = new Set<string>();
      for (const name of items.map(readKey)) {
        if (seen.has(name)) throw new Error(`"${name}" occurs twice in the same object.`);
        seen.add(name);
      }
    },
    Alias: (_, alias, path) => {
      if (path.includes(resolve(alias) as Node))
        throw new Error(`*${alias.source} refers to a value that contains it.`);
    },
  });
}

function readKey({ key }: Pair): string {
  if (isAlias(key)) throw new Error(`The alias *${key.source} is used as a key. Write the key itself.`);
  const name = isScalar(key) ? String(key.value) : JSON.stringify(key);
  if (name === '__proto__') throw new Error('the name "__proto__" is not allowed.');
  return name;
}
