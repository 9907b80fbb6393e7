// The words of a person in a record, and texts that repeat them.
import path from 'node:path';
import { readTextLines, RecordError } from '../../models/record/ndjson.ts';
import { recordFiles } from '../../state/record.ts';
import { parseJson } from '../../state/text.ts';

/** Minimum number of words in a text that is searched for in other files. Anybody could have written a shorter text. */
const fewestWords = 6;

/** Number of consecutive words that identify a part of a longer text, e.g. if the text was cut. */
const runLength = 8;

/** Splits a text into words. The words are the same whether a file holds the text as JSON, HTML, Markdown or CSV. */
const splitWords = (text: string): string[] =>
  text
    .replaceAll(/\\+u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/\\+[nrt]/g, ' ')
    .replaceAll(/&#x([0-9a-fA-F]{1,5});/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&(quot|apos|amp|lt|gt|nbsp);/g, ' ')
    .replaceAll(/<\/?[a-z][^<>]*>/gi, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];

/** Finds texts that repeat what a person said. */
export class PersonWords {
  readonly #runs = new Map<number, Set<string>>();

  /** Adds a text, unless the text is too short to be recognized. */
  add(text: string): void {
    const words = splitWords(text);
    if (words.length < fewestWords) return;
    const length = Math.min(words.length, runLength);
    const runs = this.#runs.get(length) ?? new Set();
    this.#runs.set(length, runs);
    for (let at = 0; at + length <= words.length; at += 1) runs.add(words.slice(at, at + length).join(' '));
  }

  /** Adds everything that a player wrote in the record of a folder, as far as the record is readable. */
  addRecord(folder: string, players: readonly string[]): void {
    const isTheirs = (name: unknown) => typeof name === 'string' && players.includes(name);
    for (const line of readLinesIfSound(path.join(folder, recordFiles.answers))) {
      const { player, raw } = line as { player?: unknown; raw?: unknown };
      if (isTheirs(player) && typeof raw === 'string')
        for (const text of listTexts(parseJson(raw) ?? raw)) this.add(text);
    }
    for (const line of readLinesIfSound(path.join(folder, recordFiles.events)))
      if (isTheirs((line as { by?: unknown }).by)) for (const text of listTexts(line)) this.add(text);
  }

  /**
   * Whether `text` repeats a whole added text of six or seven words, or eight consecutive words of a longer added text.
   */
  isIn(text: string): boolean {
    if (this.#runs.size === 0) return false;
    const words = splitWords(text);
    return [...this.#runs].some(([length, runs]) =>
      words.some((_, at) => runs.has(words.slice(at, at + length).join(' '))),
    );
  }
}

/** Lists all texts in a value, at any depth. */
export function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

/**
 * Reads the lines of a record file without checking the hash chain. Returns an empty list for a file that cannot be
 * read.
 */
export function readLinesIfSound(file: string): object[] {
  try {
    return readTextLines(file).flatMap((line) => {
      const value = parseJson(line);
      return typeof value === 'object' && value !== null ? [value] : [];
    });
  } catch (error) {
    if (error instanceof RecordError) return [];
    throw error;
  }
}
