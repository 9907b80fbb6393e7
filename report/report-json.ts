// A report as JSON that people can look through: a figure stands in one line.
import type { Report } from '../deception/summary/report-schema.ts';

/** The same report always gives the same text. */
export const renderReportJson = (report: Report) => `${serializeValue(report, '')}\n`;

/** In one line where nothing in it holds objects or lists of its own, but for the cell of a figure. */
function serializeValue(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null || isFlat(value)) return JSON.stringify(value);
  const within = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const lines = Array.isArray(value)
    ? value.map((item) => `${within}${serializeValue(item, within)}`)
    : Object.entries(value).map(([key, item]) => `${within}${JSON.stringify(key)}: ${serializeValue(item, within)}`);
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

const isFlat = (value: object) =>
  'cell' in value || Object.values(value).every((item) => typeof item !== 'object' || item === null);
