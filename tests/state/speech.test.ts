// What a prompt goes without that has no room for all that its player has seen.
import { describe, expect, it } from '@jest/globals';
import { gallery } from '../prompts/prompt-samples.ts';
import { historyText } from '../../prompts/history.ts';
import { cuts, leftOut } from '../../state/speech.ts';
import type { GameEvent } from '../../state/event.ts';
import { view } from '../../state/view.ts';
import { acted, exiled, gameAt, learned, removed, said, silent, summary, thought, votedFor } from '../game.ts';

const proposal = (by: string, reason: string): GameEvent => ({
  ...{ round: 1, phase: 'night', audience: ['Ginger', 'Leah'], type: 'proposal', by },
  ...{ verb: 'eliminate', target: 'Bert', reason, ballot: 1 },
});

const events: GameEvent[] = [
  learned(1, 'Sam', 'Leah', 'Werewolf'),
  proposal('Ginger', 'LOUD'),
  removed(1, 'Bert'),
  thought(1, 'Sam', 'bid', 'T1'),
  thought(1, 'Leah', 'bid', 'L1'),
  said('1.1', 'Dan', 'S1'),
  silent('1.2', 'Will'),
  votedFor(1, 'Dan', 'Leah', 'E1'),
  votedFor(1, 'Will', 'Dan'),
  exiled(1, 'Mason'),
  summary(1, 'Sam', 'SUM'),
  summary(1, 'Leah', 'LSUM'),
  acted(2, 'Sam', 'unmask', 'Dan'),
  said('2.1', 'Dan', 'S2'),
  thought(2, 'Sam', 'bid', 'T2'),
  said('2.2', 'Will', 'S3'),
];
const viewOf = (me: string, memory: string) => view(gameAt({ events, round: 2, rules: { memory } }), me);
const sam = viewOf('Sam', 'full');
const wordsOf = (count: number, seen = sam) =>
  leftOut(seen, count).map((event) =>
    'text' in event ? event.text : 'reasoning' in event ? event.reasoning : event.type,
  );

describe('what is left out', () => {
  it('is speech from the oldest on, own thoughts and reasons of ballots included, and at last own summaries', () => {
    expect(wordsOf(Infinity)).toEqual(['T1', 'S1', 'silence', 'ballot', 'S2', 'T2', 'S3', 'SUM']);
    expect(wordsOf(3)).toEqual(['T1', 'S1', 'silence']);
    expect(wordsOf(0)).toEqual([]);
  });

  it('is nothing that is not remembered anyway', () => {
    expect(wordsOf(Infinity, viewOf('Sam', 'summary'))).toEqual(['T1', 'S2', 'T2', 'S3', 'SUM']);
  });

  it('is all of an earlier round or none of it, and of this round as little as need be', () => {
    expect(cuts(sam)).toEqual([4, 5, 6, 7, 8]);
    expect(cuts(viewOf('Sam', 'summary'))).toEqual([1, 2, 3, 4, 5]);
    const later = view(gameAt({ events: [...events, summary(2, 'Sam', 'SUM2')], round: 3 }), 'Sam');
    expect(cuts(later)).toEqual([1, 2, 3, 4]); // a thought in each round, two summaries
    expect(cuts(view(gameAt(), 'Sam'))).toEqual([]);
  });
});

describe('a shortened prompt', () => {
  it('keeps what has happened, and says where words are missing', () => {
    expect(historyText(sam, 5)).toBe(
      [
        'What you have seen so far:',
        '',
        'Night 1:',
        '- You learned that Leah is a Werewolf.',
        '- Bert left the game in the night.',
        '',
        'Day 1:',
        '- Dan voted for Leah.',
        '- Will voted for Dan.',
        '- Mason left the game, exiled by vote.',
        '- Your summary of the round: "SUM"',
        '',
        'Night 2:',
        '- You chose to unmask Dan.',
        '',
        'Day 2:',
        '- (What was said and thought up to here is left out: there is no room for it.)',
        '- You thought (bid): "T2"',
        '- Will said: "S3"',
      ].join('\n'),
    );
  });

  it('says so too where own summaries are gone', () => {
    expect(historyText(sam, 8)).toMatch(
      /unmask Dan\.\n\nDay 2:\n- \(What was said and thought up to here, with your oldest summaries, is left out: there is no room for it\.\)$/,
    );
    expect(historyText(sam, 8)).not.toContain('SUM');
  });

  it('keeps what the pack proposed, without the reasons', () => {
    const short = historyText(viewOf('Leah', 'full'), 1);
    expect(short).toContain(
      '- Ginger proposed to the other Werewolves to remove Bert.\n- (What was said and thought up to here is left out',
    );
    expect(short).not.toContain('LOUD');
  });

  it('holds nothing but the note that the whole one does not hold', () => {
    const bare = (line: string) => line.replace(/: ".*"$/, '.');
    for (const me of ['Sam', 'Leah', 'Dan'])
      for (const memory of ['full', 'summary']) {
        const seen = viewOf(me, memory);
        const whole = historyText(seen).split('\n');
        for (const count of cuts(seen)) {
          const others = historyText(seen, count)
            .split('\n')
            .filter((line) => !whole.includes(line) && !whole.map(bare).includes(line));
          expect(others).toEqual([expect.stringMatching(/^- \(What was said and thought up to here.* is left out/)]);
        }
      }
  });

  it('is shorter with every further cut', () => {
    for (const me of ['Sam', 'Leah', 'Dan']) {
      const seen = viewOf(me, 'full');
      const lengths = cuts(seen).map((count) => historyText(seen, count).length);
      expect(lengths.toSorted((one, other) => other - one)).toEqual(lengths);
    }
  });

  it('differs from the whole one in what was seen alone', () => {
    for (const { prompt } of gallery('arena')) {
      const task = (user: string) => user.slice(user.search(/\n\nIt is (night|day) \d+\. /));
      expect(prompt.without(0)).toBe(prompt.user);
      expect(task(prompt.without(Infinity))).toBe(task(prompt.user));
    }
  });
});
