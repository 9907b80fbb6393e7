// Reads the folder of a recorded match, and damages copies of it.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extractLink } from '../models/record/chain.ts';
import { AnswerLine, formatCallKey } from '../state/record.ts';

export { forgeRecord as forge } from '../tools/faults/record-damage.ts';

export const readLines = (file: string) => readFileSync(file, 'utf8').split('\n').slice(0, -1);

/** Reads the recorded answers of a match; empty if nothing was recorded. */
export function readAnswers(folder: string): AnswerLine[] {
  const file = path.join(folder, 'answers.ndjson');
  return existsSync(file) ? readLines(file).map(parseAnswer) : [];
}

/** Parses a line of answers.ndjson. Leaves out the fields that all lines share. */
export function parseAnswer(line: string): AnswerLine {
  const { epoch, ...answer } = JSON.parse(extractLink(line).text) as AnswerLine & { epoch?: number };
  void epoch;
  return AnswerLine.parse(answer);
}

/** Lists the names of all prompts of a finished match, sorted. */
export const readPrompts = (folder: string) =>
  gunzipSync(readFileSync(path.join(folder, 'prompts.ndjson.gz')))
    .toString()
    .trim()
    .split('\n')
    .map((line) => formatCallKey(JSON.parse(line) as AnswerLine))
    .sort();

/** Reads all files of a folder: name → contents. */
export const readContents = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'base64')]));

/** Copies a finished match in the state that it would have if it had been stopped before its end. */
export function copyUnfinished(folder: string, copy: string): string {
  cpSync(folder, copy, { recursive: true });
  for (const name of ['deception_summary.json', 'prompts.ndjson.gz']) rmSync(path.join(copy, name));
  return copy;
}

/** Rewrites a file of a folder. */
export const rewrite = (folder: string, name: string, change: (text: string) => string) =>
  writeFileSync(path.join(folder, name), change(readFileSync(path.join(folder, name), 'utf8')));

/** Rewrites one line of a file, counted from 1. */
export const rewriteLine = (folder: string, name: string, number: number, change: (line: string) => string) =>
  rewrite(folder, name, (text) =>
    text
      .split('\n')
      .map((line, index) => (index === number - 1 ? change(line) : line))
      .join('\n'),
  );

/** Names of subfolders, such as the matches of a set beside its plan. */
export const listFolderNames = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
