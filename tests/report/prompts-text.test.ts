// The text of prompts lists them in the order in which they were asked.
import { describe, expect, it } from '@jest/globals';
import { renderPrompts } from '../../report/prompts-text.ts';
import type { KeptPrompt } from '../../report/viewer/viewed-match.ts';

const kept = (round: number, step: number, attempt: number, player = 'Dan'): KeptPrompt => ({
  ...{ round, step, attempt, player, action: 'synthetic_vote', isSealed: attempt < 2 },
  messages: [{ role: 'user', content: `Asked at ${round}.${step}.${attempt}.` }],
});
const prompts = [kept(2, 1, 1), kept(1, 4, 2), kept(1, 4, 1), kept(1, 10, 1, 'Leah')];
const readHeads = (text: string) => text.split('\n').filter((line) => line.startsWith('Round '));

describe('prompts to read', () => {
  it('stand by round, step and attempt, and one that was not sent is marked', () => {
    expect(readHeads(renderPrompts(prompts, {}))).toEqual([
      'Round 1, step 4: Dan, synthetic vote',
      'Round 1, step 4: Dan, synthetic vote, attempt 2 (THIS PROMPT WAS CHANGED AFTER THE MATCH AND IS NOT THE ONE THAT WAS SENT)',
      'Round 1, step 10: Leah, synthetic vote',
      'Round 2, step 1: Dan, synthetic vote',
    ]);
  });

  it('are those of one player or round where these are named', () => {
    expect(readHeads(renderPrompts(prompts, { player: 'Leah' }))).toEqual(['Round 1, step 10: Leah, synthetic vote']);
    expect(readHeads(renderPrompts(prompts, { round: 2 }))).toEqual(['Round 2, step 1: Dan, synthetic vote']);
    expect(renderPrompts(prompts, { player: 'Leah', round: 2 })).toBe('No prompt matches this selection.\n');
  });
});
