// Prompts as files, so that a reviewer sees every change of wording in a diff.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@jest/globals';
import type { AnyPrompt } from '../../prompts/prompt.ts';

const folder = path.join(import.meta.dirname, 'snapshots');

/** As Jest treats its own snapshots: `all` under --updateSnapshot, `none` in CI, else `new`. */
const updating = (): string => {
  const { snapshotState } = expect.getState() as { snapshotState?: { _updateSnapshot?: string } };
  return snapshotState?._updateSnapshot ?? 'none';
};

/** Everything that a model is given. */
const textOf = ({ system, user, schema }: AnyPrompt) =>
  `# System\n\n${system}\n\n# User\n\n${user}\n\n# Schema of the answer\n\n${JSON.stringify(schema, null, 2)}\n`;

/** Compares a prompt with its file, which is written where it is missing (except in CI) or under --updateSnapshot. */
export function expectSnapshot(name: string, prompt: AnyPrompt) {
  const file = path.join(folder, name);
  const kept = contents(file);
  if (updating() === 'all' || (updating() === 'new' && kept === null)) writeFileSync(file, textOf(prompt));
  else if (kept === null) throw new Error(`${file} is missing. Run npm test -- --updateSnapshot and commit it.`);
  else expect(textOf(prompt)).toBe(kept);
}

/** Expects no file beside these; under --updateSnapshot removes it. */
export function expectNoOther(names: readonly string[]) {
  const others = readdirSync(folder).filter((name) => !names.includes(name));
  if (updating() === 'all') for (const name of others) rmSync(path.join(folder, name));
  else expect(others).toEqual([]);
}

function contents(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
