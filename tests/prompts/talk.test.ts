// Bidding, speaking and summing up: what players are asked by day.
import { describe, expect, it } from '@jest/globals';
import { bid } from '../../prompts/bid.ts';
import { correction } from '../../prompts/correction.ts';
import { debate } from '../../prompts/debate.ts';
import { summarize } from '../../prompts/summarize.ts';
import { draw } from '../../state/draw.ts';
import { view } from '../../state/view.ts';
import { gameAt, said, type Moment } from '../game.ts';

const ask = (question: typeof bid | typeof debate | typeof summarize, moment: Moment = {}) =>
  question.put(view(gameAt(moment), 'Sam'), draw(1), undefined);

describe('a bid', () => {
  it('from 0 to 4 means what the words of the Werewolf Arena paper say', () => {
    const { user } = ask(bid, { rules: { bidScale: 4 } });
    expect(user).toContain(
      [
        '0: I would like to observe and listen for now.',
        '1: I have some general thoughts to share with the group.',
        '2: I have something critical and specific to contribute to this discussion.',
        '3: It is absolutely urgent for me to speak next.',
        '4: Someone has addressed me directly and I must respond.',
      ].join('\n'),
    );
    expect(user).toContain('"bid": whole number from 0 to 4,');
  });

  it('from 0 to 10 means the same in steps', () => {
    const { user } = ask(bid, { rules: { bidScale: 10 } });
    for (const step of ['0: I would', '1 to 3: ', '4 to 6: ', '7 to 9: ', '10: Someone'])
      expect(user).toContain(`\n${step}`);
    expect(user).toContain('"bid": whole number from 0 to 10,');
  });

  it('is for the statement that comes next', () => {
    const events = [said('1.1', 'Dan', 'One.'), said('1.2', 'Will', 'Two.')];
    expect(ask(bid, { events }).user).toContain("Statement 3 of 6 in today's debate comes next.");
  });

  it.each([
    [4, 4, true],
    [4, 5, false],
    [10, 10, true],
    [10, 11, false],
    [10, -1, false],
    [10, 2.5, false],
  ])('on a scale to %i of %d is legal: %s', (bidScale, value, isLegal) => {
    const { answer } = ask(bid, { rules: { bidScale } });
    expect(answer.safeParse({ reasoning: '', bid: value }).success).toBe(isLegal);
  });
});

describe('a statement', () => {
  it('has a limit of words, and is read by all', () => {
    const events = ['1.1', '1.2', '1.3', '1.4', '1.5'].map((id) => said(id, 'Dan', 'Well.'));
    const { user } = ask(debate, { events, rules: { maxWords: 40 } });
    expect(user).toContain("It is your turn: statement 6 of 6 in today's debate. All players will read it.");
    expect(user).toContain('"statement": string, what you say to everybody, at most 40 words');
  });
});

describe('a summary', () => {
  it('is all that is remembered where memory is the summary', () => {
    expect(ask(summarize, { rules: { memory: 'summary' } }).user).toContain(
      'you will not remember the words of the debate',
    );
    expect(ask(summarize, { rules: { memory: 'full' } }).user).not.toContain('you will not remember');
  });
});

it('has no replacement for bids, statements and summaries: what cannot be had is missing', () => {
  for (const question of [bid, debate, summarize]) expect(ask(question).fallback).toBeUndefined();
});

it('tells the moment and who is still in the game', () => {
  const { user } = ask(bid, { round: 3, gone: ['Dan', 'Leah'] });
  expect(user).toContain('\nIt is day 3. Still in the game: Ginger, Sam, Paul, Will, Bert, Mason.\n');
});

describe('a player whose answer could not be used', () => {
  it('sees it again with what was wrong', () => {
    expect(correction('Seven.', 'there was no JSON object in it.')).toEqual([
      { role: 'assistant', content: 'Seven.' },
      {
        role: 'user',
        content:
          'Your answer could not be used: there was no JSON object in it. Answer again with one JSON object of the shape given above and nothing else.',
      },
    ]);
  });

  it('sees the beginning of a long one, and a word where there was none', () => {
    expect(correction('x'.repeat(9000), 'too long.')[0].content).toMatch(/^x{200,2000} …$/);
    expect(correction('x'.repeat(200), 'wrong.')[0].content).toBe('x'.repeat(200));
    expect(correction('', 'empty.')[0].content).toBe('(nothing)');
  });

  it('sees no half of a character', () => {
    for (const start of ['', 'a'])
      expect(correction(`${start}${'🐺'.repeat(2000)}`, 'no JSON.')[0].content.isWellFormed()).toBe(true);
  });
});
