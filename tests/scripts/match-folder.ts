// Reads the contents of a match's folder.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { AnswerLine, Manifest } from '../../state/record.ts';

const listFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();

/** Path below the folder → contents, decompressed. */
export function filesIn(folder: string): Record<string, string> {
  const names = listFiles(folder);
  return Object.fromEntries(
    names.map((name) => {
      const bytes = readFileSync(path.join(folder, name));
      return [name, (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')];
    }),
  );
}

/** File → contents of the events and prompts of the matches under a folder. */
export const readMatches = (folder: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filesIn(folder)).filter(([file]) => /events\.ndjson$|prompts\.ndjson\.gz$/.test(file)),
  );

/** File name → bytes and time of the last change, to show that nothing was written. */
export const stateOf = (folder: string) =>
  listFiles(folder).map((name) => {
    const file = path.join(folder, name);
    return [name, statSync(file).mtimeMs, readFileSync(file, 'base64')] as const;
  });

export const eventsIn = (folder: string) => readFileSync(path.join(folder, 'events.ndjson'), 'utf8');

export const answersIn = (folder: string) =>
  readFileSync(path.join(folder, 'answers.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AnswerLine);

export const manifestIn = (folder: string) =>
  JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as Manifest;
