// Tournaments that take a second.
import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** Writes a plan of matches of one round without analyses, with these additional lines, and returns its path. */
export function writeShortPlan(folder: string, name: string, ...lines: readonly string[]): string {
  const file = path.join(folder, `${name}.yaml`);
  const rule = 'rule: { debateTurns: 1, maxRounds: 1, analysis: off }';
  writeFileSync(file, [`name: ${name}`, 'rules: arena', rule, ...lines].join('\n'));
  return file;
}
