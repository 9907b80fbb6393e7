// Matches with every role and office are replayed and resumed byte for byte, under every preset.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { replayMatch } from '../../graph/play-match.ts';
import { presets, readRules } from '../../state/rules.ts';
import { rewrite, unfinishedCopy } from '../record-folder.ts';
import { play } from '../table.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const out = temporaryFolder();
const eventsIn = (folder: string) => readFileSync(path.join(folder, 'events.ndjson'), 'utf8');

describe.each(Object.keys(presets))('a match on plus-12-sheriff under %s', (rules) => {
  const few = readRules(rules).debateOrder === 'bidding' ? { debateTurns: 1, analyzeBallots: false } : {};
  const plan = { board: 'plus-12-sheriff', rules, rule: { ...few, maxRounds: 2 }, seed: 2, model: 'bot:random', out };

  it('is replayed from its record, and goes on from any half of it', async () => {
    const { folder, events, lines } = await play({ ...plan, id: `whole-${rules}` });
    expect((await replayMatch(folder!)).events).toEqual(events);
    for (const share of [0.3, 0.8]) {
      const id = `${rules}-${share * 10}`;
      const copy = unfinishedCopy(folder!, path.join(out, id));
      rewrite(copy, 'answers.ndjson', (text) => {
        const kept = text.split('\n').slice(0, Math.floor(lines.length * share));
        return `${kept.join('\n')}\n`;
      });
      const rest = await play({ ...plan, id });
      expect(rest.live.length).toBe(lines.length - Math.floor(lines.length * share));
      expect(eventsIn(copy)).toBe(eventsIn(folder!));
    }
  });
});
