// Tables in Markdown, and what tables show of a schema.
import { markdownTable } from 'markdown-table';
import { z } from 'zod';

/** The part of a JSON Schema that describes one value. */
export interface Shape {
  type?: string;
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  anyOf?: Shape[];
  description?: string;
  properties?: Record<string, Shape>;
}

/** Returns the JSON Schema of a value that a user writes. */
export const readShape = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;

/** Formats a text as code in Markdown. */
export const quoteCode = (text: string) => `\`${text}\``;

/** Prints a table in Markdown, and escapes bars within cells. */
export const printTable = (head: string[], rows: string[][]) =>
  markdownTable([head, ...rows.map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')))]);

/** Prints a table of words and their meanings, under `head`. */
export const printMeanings = (head: string, meanings: Readonly<Record<string, string>>) =>
  printTable(
    [head, 'meaning'],
    Object.entries(meanings).map(([word, meaning]) => [quoteCode(word), meaning]),
  );
