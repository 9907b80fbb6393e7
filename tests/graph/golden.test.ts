// Golden matches: records of earlier versions still read, play and add up as they did.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { replayMatch } from '../../graph/play-match.ts';
import { recordFiles } from '../../state/record.ts';

const folder = path.join(import.meta.dirname, '..', 'golden');
const matches = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());

describe('a golden match', () => {
  // The wording of prompts is pinned by the snapshots, so it may have changed since.
  it.each(matches.map(({ name }) => name))('%s gives the same events and the same summary again', async (name) => {
    const { summary } = await replayMatch(path.join(folder, name), { allowChangedPrompts: true });
    const recorded: unknown = JSON.parse(readFileSync(path.join(folder, name, recordFiles.summary), 'utf8'));
    expect(JSON.parse(JSON.stringify(summary))).toEqual(recorded);
  });
});
