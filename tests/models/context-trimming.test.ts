// A question is shortened to fit its model's context: by no more than necessary, and never because an estimate was too
// low.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildMatchGraph, computeSuperstepLimit } from '../../graph/match-graph.ts';
import { createBudget } from '../../models/budget.ts';
import type { PromptMessage } from '../../models/model.ts';
import { buildConversation, estimateMessages, estimateTokens, findTrimLevel } from '../../models/context-trimming.ts';
import { createFallbackLimit } from '../../models/fallback-limit.ts';
import { getCallLimiters } from '../../models/limiters-by-server.ts';
import { createModelClient } from '../../models/model-client.ts';
import { EventLog } from '../../models/record/event-log.ts';
import { createMemoryRecorder, readRecord } from '../../models/record/recorder.ts';
import { systemClock } from '../../models/machine/clock.ts';
import { createCorrection } from '../../prompts/compose.ts';
import { vote } from '../../prompts/voting.ts';
import { listTrimLevels } from '../../state/trimming-order.ts';
import { createInitialState } from '../../state/deal.ts';
import { draw } from '../../state/random.ts';
import { createView } from '../../state/view.ts';
import { gameAt, said, summary, thought } from '../game.ts';

const words = 'Somebody at this table knows more than he says. '.repeat(4);
const events = [1, 2, 3].flatMap((round) => [
  said(`${round}.1`, 'Dan', words),
  thought(round, 'Sam', 'bid', words),
  said(`${round}.2`, 'Will', words),
  ...(round < 3 ? [summary(round, 'Sam', words)] : []),
]);
const prompt = vote.put(
  createView(gameAt({ events, round: 3, step: 2, rules: { memory: 'full', thoughts: 'kept' } }), 'Sam'),
  draw(1, 'options'),
);
const computeSize = (leftOut: number, further: readonly PromptMessage[] = []) =>
  estimateMessages(buildConversation(prompt, leftOut, further));
const createContext = (prompt: number) => ({ tokens: 2 * prompt, prompt });

describe('a question', () => {
  it('is put whole where it fits, to the token, and where no limit is known', () => {
    expect(findTrimLevel(prompt, [], createContext(computeSize(0)))).toBe(0);
    expect(findTrimLevel(prompt, [], undefined)).toBe(0);
    expect(buildConversation(prompt, 0).map(({ content }) => content)).toEqual([prompt.system, prompt.user]);
  });

  it('goes without earlier rounds first, each as a whole, then without what was said today', () => {
    expect(listTrimLevels(prompt.view)).toEqual([3, 6, 7, 8, 9, 10, 11]);
    expect(findTrimLevel(prompt, [], createContext(computeSize(0) - 1))).toBe(3);
    expect(findTrimLevel(prompt, [], createContext(computeSize(3) - 1))).toBe(6);
    expect(findTrimLevel(prompt, [], createContext(computeSize(6) - 1))).toBe(7);
  });

  it('goes without all that it can where even that may not do', () => {
    expect(findTrimLevel(prompt, [], createContext(100))).toBe(11);
    const first = vote.put(createView(gameAt(), 'Sam'), draw(1, 'options'));
    expect(findTrimLevel(first, [], createContext(100))).toBe(0);
  });

  it('fits any context that can hold it, and is not shortened by a cut too much', () => {
    const counts = [0, ...listTrimLevels(prompt.view)];
    fc.assert(
      fc.property(fc.integer({ min: computeSize(11), max: computeSize(0) + 10 }), fc.boolean(), (room, isAgain) => {
        const further = isAgain ? createCorrection('x'.repeat(400), 'there was no JSON object in it.') : [];
        const leftOut = findTrimLevel(prompt, further, createContext(room));
        const before = counts[counts.indexOf(leftOut) - 1];
        if (computeSize(11, further) <= room) expect(computeSize(leftOut, further)).toBeLessThanOrEqual(room);
        if (before !== undefined) expect(computeSize(before, further)).toBeGreaterThan(room);
      }),
    );
  });
});

describe('the estimate', () => {
  it('is a third of a token for a character, and the bytes of those beyond ASCII', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('abcdef')).toBe(2);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('ä', 'ж', '猫', '🐺', '“') }), (text) => {
        expect(estimateTokens(text)).toBeGreaterThanOrEqual(Buffer.byteLength(text));
      }),
    );
  });

  it('has eight tokens for what a chat template sets around a message', () => {
    expect(estimateMessages([])).toBe(0);
    expect(estimateMessages([{ content: '' }, { content: 'abcdef' }])).toBe(8 + 8 + 2);
  });

  /** Prompts of a golden match, with the tokens that the server counted. A few words have changed since. */
  const counted: { tokens: number; estimate: number }[] = [];

  beforeAll(async () => {
    const golden = path.join(import.meta.dirname, '..', 'golden');
    for (const name of readdirSync(golden).filter((match) => /^arena.*-tinyllama$/.test(match))) {
      const { manifest, answers } = readRecord(path.join(golden, name));
      const recorder = createMemoryRecorder(manifest, answers);
      const prompted: (typeof recorder)['logPrompt'] = (key, messages) => {
        const line = recorder.get(key);
        if (line?.tokens) counted.push({ tokens: line.tokens.in, estimate: estimateMessages(messages) });
      };
      const nothing = () => undefined;
      const door = createModelClient({
        ...{ seats: {}, seed: manifest.setup.seed, answerStore: { ...recorder, logPrompt: prompted }, metadata: {} },
        ...{
          budget: createBudget(null),
          fallbackLimit: createFallbackLimit(1),
          limiters: getCallLimiters(systemClock),
          concurrency: 1,
          priority: 0,
          clock: systemClock,
          signal: new AbortController().signal,
        },
        ...{ allowChangedPrompts: true, recordedOnly: true, warn: nothing, onCalls: nothing, onAnswer: nothing },
      });
      const { board, rules, seed, players } = manifest.setup;
      const graph = buildMatchGraph({ client: door, events: new EventLog(nothing) });
      await graph.invoke(createInitialState({ board, rules, seed, players }), {
        recursionLimit: computeSuperstepLimit(manifest.setup),
      });
    }
  });

  it('is above what a server counted for the prompts of the golden matches, but not by half', () => {
    expect(counted.length).toBeGreaterThan(0);
    const shares = counted.map(({ tokens, estimate }) => tokens / estimate);
    expect(Math.max(...shares)).toBeLessThan(1);
    expect(Math.min(...shares)).toBeGreaterThan(0.59);
  });
});
