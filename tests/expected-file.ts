// Compares texts with committed files, so that a reviewer sees every change in a diff.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@jest/globals';
import { hashText } from '../state/hash-text.ts';
import { readTable } from './csv.ts';

/**
 * Returns how files are updated, as Jest updates its own snapshots: `all` under --updateSnapshot, `none` in CI,
 * otherwise `new`.
 */
export const getUpdateMode = (): string => {
  const { snapshotState } = expect.getState() as { snapshotState?: { _updateSnapshot?: string } };
  return snapshotState?._updateSnapshot ?? 'none';
};

/**
 * Compares a text with a file. A missing file is written (except in CI); under --updateSnapshot the file is rewritten.
 */
export function expectFile(file: string, text: string): void {
  const kept = readFileOrNull(file);
  const mode = getUpdateMode();
  if (mode === 'all' || (mode === 'new' && kept === null)) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  } else if (kept === null) throw new Error(`${file} is missing. Run npm test -- --updateSnapshot and commit it.`);
  else expect(text).toBe(kept);
}

function readFileOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

const outputs = path.join(import.meta.dirname, 'outputs', 'expected');

/** Rounds numbers to the digits on which all versions of Node agree. */
const roundNumbers = (text: string) =>
  text.replace(/-?\d+\.\d{9,}(?:e[+-]?\d+)?/g, (number) => String(Number(Number(number).toPrecision(9))));

/** Compares the output of a command with a file in tests/outputs/expected. */
export const expectOutput = (name: string, text: string): void =>
  expectFile(path.join(outputs, `${name}.txt`), `${roundNumbers(text).trimEnd()}\n`);

/**
 * Compares long outputs with a file that contains a hash of each part. A failure names the parts that changed. To see
 * the changes, run the command before and after them.
 */
export function expectSameParts(name: string, parts: Readonly<Record<string, string>>): void {
  const lines = Object.entries(parts).map(([part, text]) => `${hashText(roundNumbers(text)).slice(0, 12)}  ${part}`);
  expectFile(path.join(outputs, `${name}.txt`), `${lines.join('\n')}\n`);
}

/**
 * Splits a file of a report into parts: a page at its headings, a table into columns, figures and JSON by metric.
 * Scripts for browsers are left out.
 */
export function splitOutput(name: string, text: string): Record<string, string> {
  if (name.endsWith('.csv')) return splitTable(name, readTable(text));
  if (name.endsWith('.json')) return splitJson(name, JSON.parse(text) as Record<string, unknown>);
  if (name.endsWith('.html') || name.endsWith('.md')) return splitPage(name, text);
  return { [name]: text };
}

/** Appends a text to a part, which may already have text. */
function addToPart(parts: Record<string, string>, name: string, text: string) {
  parts[name] = `${parts[name] ?? ''}${text}`;
}

/** Splits a page into parts: the text under each heading. */
function splitPage(name: string, text: string): Record<string, string> {
  const parts: Record<string, string> = {};
  const isHtml = name.endsWith('.html');
  const page = isHtml ? text.replace(/<script(?! type="application\/json")[^>]*>.*?<\/script>/gs, '') : text;
  for (const part of page.split(isHtml ? /(?=<h[1-4][\s>])/ : /^(?=#{1,4} )/m)) {
    const head = isHtml ? /^<h[1-4].*?>(.*?)<\/h/s.exec(part)?.[1] : /^#+ (.*)/.exec(part)?.[1];
    addToPart(parts, `${name} › ${(head ?? '').replace(/<[^>]*>/g, '').trim()}`, part);
  }
  return parts;
}

/** Splits a table into parts: its columns, or the values of its rows by metric. */
function splitTable(name: string, rows: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const parts: Record<string, string> = {};
  for (const row of rows)
    if (row['metric'] !== undefined) addToPart(parts, `${name} › ${row['metric']}`, `${JSON.stringify(row)}\n`);
    else for (const [column, cell] of Object.entries(row)) addToPart(parts, `${name} › ${column}`, `${cell}\n`);
  return parts;
}

/** Splits an object into parts: its properties, and each metric. */
function splitJson(name: string, content: Readonly<Record<string, unknown>>): Record<string, string> {
  const parts: Record<string, string> = {};
  for (const [key, value] of Object.entries(content))
    if (key === 'metrics' && Array.isArray(value))
      for (const metric of value as { name: string }[]) parts[`${name} › ${metric.name}`] = JSON.stringify(metric);
    else parts[`${name} › ${key}`] = JSON.stringify(value);
  return parts;
}
