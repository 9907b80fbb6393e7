// The summary as a page: complete, marked where bots played, and safe to show.
import { describe, expect, it } from '@jest/globals';
import { summarizeMatch } from '../../deception/summary.ts';
import { summaryMarkdown } from '../../report/markdown.ts';
import { markdownText } from '../../report/markdown-text.ts';
import { called, matchOf, names, oneDay, sheriffDay, votedAgain } from '../deception/match-builder.ts';

const page = (...record: Parameters<typeof matchOf>) => summaryMarkdown(summarizeMatch(matchOf(...record)));

/** The cells of the first row that starts so. */
const row = (text: string, ...start: string[]) =>
  text
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    )
    .find((cells) => start.every((cell, at) => cells[at] === cell));

describe('the page', () => {
  it('says at its top that bots played', () => {
    const bots = page(oneDay(), [], { bots: names }).split('\n');
    expect(bots[2]).toBe(
      '> **Built-in bots played in all seats. These figures say nothing about any language model.**',
    );
    expect(page(oneDay())).not.toContain('Built-in bots');
  });

  it('keeps debates and ballots apart', () => {
    const [, debates, ballots] = page(oneDay()).split(/^## (?:Statements in debates|Explanations of ballots)$/m);
    expect(row(debates!, 'Dan', 'Seer')).toEqual(['Dan', 'Seer', '1', '1', '0', '0', '3', '2', '1', '0.53', '0']);
    expect(row(ballots!, 'Dan', 'Seer')).toEqual(['Dan', 'Seer', '1', '0', '–', '–', '1', '1', '1', '0.55', '1']);
  });

  it('sets campaign, recommendation and PK apart from the debate where there were any', () => {
    const text = page(sheriffDay());
    expect(row(text, 'Campaign')).toEqual(['Campaign', '1', '1', '1', '100 %', '2', '1', '50 %', '0.55']);
    expect(row(text, 'Debate')).toEqual(['Debate', '1', '1', '0', '0 %', '1', '0', '0 %', '0.30']);
    expect(row(text, 'Recommendation')).toEqual(['Recommendation', '1', '0', '–', '–', '1', '1', '100 %', '0.70']);
    expect(row(text, 'Ballot after a tie')).toEqual(['Ballot after a tie', '1', '0', '–', '–', '0', '–', '–', '–']);
    expect(page(oneDay())).not.toContain('By occasion');
  });

  it('calls statements those of debates only where all of them are', () => {
    expect(page(oneDay())).toContain('- Statements analysed: 2 statements in debates, 2 explanations of ballots');
    expect(page(sheriffDay())).toContain('- Statements analysed: 3 public statements, 0 explanations of ballots');
    expect(page(sheriffDay())).toContain('\n## Public statements\n');
    expect(page(sheriffDay())).not.toMatch(/statements in debates/i);
    expect(page([votedAgain(1, 'Dan', 'Will')])).toContain('\n## Statements in debates\n');
  });

  it('shows a dash, never a zero, where nothing is known', () => {
    expect(row(page(oneDay()), 'Leah', '0')).toEqual(['Leah', '0', '1', '0', '0', '1.00', '–', '–', '–']);
  });

  it('says that a kind of statement was not made', () => {
    expect(page([])).toContain('## Explanations of ballots\n\nNone were made.');
  });

  it('gives the cost as a lower bound where some calls have none', () => {
    const answers = [called('Dan', 'bid'), called('Dan', 'bid', { cost: null })];
    expect(row(page([], answers), 'all', '')!.at(-1)).toBe('at least USD 0.2500');
  });

  it('counts shortened prompts beside the faults', () => {
    const text = page([], [called('Dan', 'vote', { left_out: 3 }), called('Dan', 'bid')]);
    expect(row(text, 'By', '')!.indexOf('Shortened')).toBe(8);
    expect(row(text, 'all', '')![8]).toBe('1');
    expect(row(text, 'action', 'bid')![8]).toBe('0');
  });

  it('lists refusals by role, model and action', () => {
    const text = page([], [called('Dan', 'debate', { mark: 'refusal' })]);
    expect(row(text, 'Seer', 'openai:one')).toEqual(['Seer', 'openai:one', 'debate', '1']);
  });

  it('has tables of which every row has as many cells as the head', () => {
    const models = Object.fromEntries(names.map((name) => [name, 'openai:a|b\n| c | <b>']));
    const tables = page(oneDay(), [], { models })
      .split(/\n\n+/)
      .filter((part) => part.startsWith('|'));
    for (const table of tables) {
      const widths = table.split('\n').map((line) => line.match(/(?<!\\)\|/g)!.length);
      expect(new Set(widths).size).toBe(1);
    }
    expect(tables.length).toBeGreaterThan(5);
  });
});

describe('text in Markdown', () => {
  it.each([
    ['a | b', 'a \\| b'],
    ['one\n\n# two', 'one \\# two'],
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['**bold** _it_ `code` ~~no~~', '\\*\\*bold\\*\\* \\_it\\_ \\`code\\` \\~\\~no\\~\\~'],
    ['[click](https://x.y) ![i](j)', '\\[click\\](https:\\/\\/x.y) \\!\\[i\\](j)'],
    ['&lt; $x$ \\', '&amp;lt; \\$x\\$ \\\\'],
    ['www.evil.example', 'www\\.evil.example'],
    ['evil@evil.example, @ 5', 'evil@<!-- -->evil.example, @ 5'],
    ['abc\u202edef\u0007\u001b[31m\u200b', 'abc def \\[31m'],
  ])('shows %j as it is', (text, shown) => {
    expect(markdownText(text)).toBe(shown);
  });
});
