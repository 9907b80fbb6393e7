// Prompts as files, so that a reviewer sees every change of wording in a diff.
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@jest/globals';
import type { AnyPrompt } from '../../prompts/prompt.ts';
import { expectFile, getUpdateMode } from '../expected-file.ts';

const folder = path.join(import.meta.dirname, 'snapshots');

/** Everything that a model receives. */
const textOf = ({ system, user, schema }: AnyPrompt) =>
  `# System\n\n${system}\n\n# User\n\n${user}\n\n# Schema of the answer\n\n${JSON.stringify(schema, null, 2)}\n`;

/**
 * Compares a prompt with its file. A missing file is written (except in CI); under --updateSnapshot the file is
 * rewritten.
 */
export const expectSnapshot = (name: string, prompt: AnyPrompt): void =>
  expectFile(path.join(folder, name), textOf(prompt));

/** Expects that there are no other files. Under --updateSnapshot, removes them. */
export function expectNoOther(names: readonly string[]) {
  const others = readdirSync(folder).filter((name) => !names.includes(name) && !name.startsWith('family.'));
  if (getUpdateMode() === 'all') for (const name of others) rmSync(path.join(folder, name));
  else expect(others).toEqual([]);
}
