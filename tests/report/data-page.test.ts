// The data page names everything that a record holds.
// docs/data.md must name every field of every file that a match leaves.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { DeceptionSummary } from '../../deception/summary-schema.ts';
import { columnsOf, tableNames } from '../../deception/tables/columns.ts';
import { DeceptionType, GameEvent } from '../../state/event.ts';
import { AnswerLine, Manifest, recordFiles } from '../../state/record.ts';
import { rulebook } from '../../state/rulebook.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../docs/data.md'), 'utf8');

/** Code spans of the page, also the last parts of dotted names. */
const mentioned = new Set([...page.matchAll(/`([^`\n]+)`/g)].flatMap(([, code]) => [code!, code!.split('.').at(-1)!]));

/** The names of all properties, however deep. */
function keysOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keysOf);
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, ...rest } = schema as { properties?: object };
  return [...Object.keys(properties ?? {}), ...Object.values({ ...rest, ...properties }).flatMap(keysOf)];
}

const propertiesOf = (schema: z.ZodType) => [
  ...new Set(keysOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))),
];

/** The names in the first column of the table under a heading. */
function describedUnder(heading: string): string[] {
  const [, section] = page.split(`\n${heading}\n`);
  const rows = section!.split(/\n#+ /)[0]!.match(/^\| `[^|]*\|/gm) ?? [];
  return rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
}

describe('docs/data.md', () => {
  it.each([
    ['the manifest', propertiesOf(Manifest)],
    ['the answers', propertiesOf(AnswerLine)],
    ['the events', propertiesOf(GameEvent)],
    ['the types of events', GameEvent.options.map(({ shape }) => shape.type.value)],
    ['the types of deception', DeceptionType.options],
    ['the summary', propertiesOf(DeceptionSummary)],
    ['the rules', Object.keys(rulebook)],
    ['the files', Object.values(recordFiles)],
  ])('names everything in %s', (_file, names) => {
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !mentioned.has(name))).toEqual([]);
  });

  it.each(tableNames)('says what every column of the table of %s is, and of no other', (table) => {
    const names = columnsOf(table).map(({ name }) => name);
    expect(describedUnder(`### Table \`${table}\``).sort()).toEqual([...names].sort());
  });
});
