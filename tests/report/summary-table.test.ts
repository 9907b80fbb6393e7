// The end of a match on the console.
import { describe, expect, it } from '@jest/globals';
import { summarizeMatch } from '../../deception/summary.ts';
import { duration } from '../../report/numbers.ts';
import { endLine } from '../../report/outcome.ts';
import { callsLine, summaryTable } from '../../report/summary-table.ts';
import { called, matchOf, names, oneDay, said, sheriffDay } from '../deception/match-builder.ts';

const cells = (table: string, name: string) =>
  table
    .split('\n')
    .find((line) => line.startsWith(`│ ${name}`))!
    .split('│')
    .slice(1, -1)
    .map((cell) => cell.trim());

describe('the table at the end', () => {
  it('has a line for each player, debates and ballots apart', () => {
    const table = summaryTable(summarizeMatch(matchOf(oneDay())), { reveal: false });
    expect(cells(table, 'Ginger')).toEqual([
      ...['Ginger', 'Werewolf', 'openai:two', 'exiled on day 1', '1 / 1', '1 / 1', '0 / 0', '0.55 / 0.45'],
    ]);
    expect(cells(table, 'Will')).toEqual([
      'Will',
      'Villager',
      'openai:one',
      'survived',
      '0 / 0',
      '– / –',
      '– / –',
      '– / –',
    ]);
    expect(table).toContain('statements in debates / explanations of ballots');
  });

  it('does not say that all was said in debates where there was a Sheriff', () => {
    const table = summaryTable(summarizeMatch(matchOf(sheriffDay())), { reveal: false });
    expect(table).toContain('Figures: public statements / explanations of ballots.');
  });

  it('keeps to debates where no ballot was explained, and to figures that there are', () => {
    const table = summaryTable(summarizeMatch(matchOf([said('1.1', 'Dan')])), { reveal: true });
    expect(cells(table, 'Dan')).toEqual(['Dan', 'Seer', 'openai:one', 'survived', '1']);
  });

  it('shows no roles of a match that goes on, unless they are to be revealed', () => {
    const summary = summarizeMatch(matchOf([said('1.1', 'Dan')]));
    expect(summaryTable(summary, { reveal: false })).not.toMatch(/Werewolf|Seer/);
    expect(summaryTable(summary, { reveal: true })).toMatch(/Werewolf/);
  });

  it('says that bots played', () => {
    const summary = summarizeMatch(matchOf(oneDay(), [], { bots: names }));
    expect(summaryTable(summary, { reveal: false })).toContain('say nothing about any language model');
  });
});

describe('the line about model calls', () => {
  const line = (...answers: ReturnType<typeof called>[]) => callsLine(summarizeMatch(matchOf([], answers)));

  it('gives calls, time, tokens, cost and faults', () => {
    expect(line(called('Dan', 'bid', { tokens: { in: 1200, out: 7, cached: null, reasoning: null } }))).toBe(
      '1 model call in 1.0 s; 1,200 tokens in, 7 out; cost USD 0.2500; 0 fallbacks, 0 refusals, 0 missing analyses.',
    );
  });

  it('says that prompts were shortened, where any were', () => {
    expect(line(called('Dan', 'bid', { left_out: 3 }))).toMatch(/0 missing analyses, 1 shortened prompt\.$/);
    expect(line(called('Dan', 'bid'))).not.toContain('shortened');
  });

  it('calls unknown what is unknown', () => {
    expect(line(called('Dan', 'bid', { tokens: null, cost: null }))).toContain('; tokens unknown; cost unknown;');
  });

  it.each([
    [999, '999 ms'],
    [59_940, '59.9 s'],
    [59_960, '1 min 0 s'],
    [125_000, '2 min 5 s'],
  ])('writes %i ms as %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });
});

describe('the last line of the story', () => {
  it('says how the match ended, or that it did not', () => {
    expect(endLine(summarizeMatch(matchOf(oneDay())))).toBe(
      'The match is won by the village: no Werewolf left. It took 1 round.',
    );
    expect(endLine(summarizeMatch(matchOf([said('2.1', 'Dan')])))).toBe(
      'The match was not played to its end: its record stops in round 2.',
    );
  });
});
