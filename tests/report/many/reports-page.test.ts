// The page on reports names every field of one, and every reason for which a record is left out.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { leftOutReasons, Report } from '../../../deception/report/report-schema.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/reports.md'), 'utf8');
const mentioned = new Set([...page.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!));

/** The names of all properties, however deep. */
function keysOf(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema.flatMap(keysOf);
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, ...rest } = schema as { properties?: object };
  return [...Object.keys(properties ?? {}), ...Object.values({ ...rest, ...properties }).flatMap(keysOf)];
}

describe('docs/reports.md', () => {
  it.each([
    ['every field of a report', [...new Set(keysOf(z.toJSONSchema(Report)))]],
    ['every reason to leave a record out', leftOutReasons],
  ])('names %s', (_, names) => {
    expect(names.length).toBeGreaterThan(4);
    expect(names.filter((name) => !mentioned.has(name))).toEqual([]);
  });
});
