// Golden matches: records of earlier versions still read, play and add up as they did.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { replayMatch } from '../../graph/play-match.ts';
import { recordFiles } from '../../state/record.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { rulebook } from '../../state/rules/rules.ts';

const folder = path.join(import.meta.dirname, '..', 'golden');
const matches = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());

/** A summary without the options that have their default, so that a new option leaves the golden summaries as they are. */
function withoutDefaults({ rules, ...rest }: { rules: RuleValues }) {
  const isOwn = ([name, value]: [string, unknown]) => value !== rulebook[name]?.default;
  return { ...rest, rules: Object.fromEntries(Object.entries(rules).filter(isOwn)) };
}

describe('a golden match', () => {
  // The wording of prompts is pinned by the snapshots, so it may have changed since.
  it.each(matches.map(({ name }) => name))('%s gives the same events and the same summary again', async (name) => {
    const { summary } = await replayMatch(path.join(folder, name), { allowChangedPrompts: true });
    const read = (text: string) => withoutDefaults(JSON.parse(text) as { rules: RuleValues });
    const recorded = readFileSync(path.join(folder, name, recordFiles.summary), 'utf8');
    expect(read(JSON.stringify(summary))).toEqual(read(recorded));
  });
});
