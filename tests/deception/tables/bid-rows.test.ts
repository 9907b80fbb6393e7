// The rows of bids: how much each wanted the turn, and who got it.
import path from 'node:path';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { bidRows } from '../../../deception/tables/bid-rows.ts';
import { readRecord } from '../../../models/record/recorder.ts';
import { happened, matchOf, said, silent } from '../match-builder.ts';

const bid = (step: number, by: string, amount: number | null, round = 1) =>
  happened({ round, type: 'bid', audience: [by], by, step, bid: amount });

const rowsOf = (...events: Parameters<typeof matchOf>[0]) => bidRows(matchOf(events));

describe('the row of a bid', () => {
  it('says what was bid on which scale, and whose bid got the turn', () => {
    const rows = rowsOf(bid(0, 'Dan', 4), bid(0, 'Will', 2), bid(0, 'Leah', null), said('1.1', 'Dan'));
    expect(rows.map(({ bidder, bid: amount, scale, is_speaker: speaks }) => [bidder, amount, scale, speaks])).toEqual([
      ['Dan', 4, 10, true],
      ['Will', 2, 10, false],
      ['Leah', null, 10, false],
    ]);
    expect(rows[0]).toMatchObject({ round: 1, step: 0, bidder_role: 'Seer', bidder_team: 'villagers' });
  });

  it('says that a silent player had the turn too', () => {
    expect(rowsOf(bid(0, 'Dan', 4), silent('1.1', 'Dan'))[0]!.is_speaker).toBe(true);
  });

  it('says whether the statement just before named the bidder, by a whole word', () => {
    const rows = rowsOf(
      said('1.1', 'Dan', { text: 'I doubt Willow and Leah.' }),
      bid(1, 'Will', 1),
      bid(1, 'Leah', 1),
      said('1.2', 'Leah', { text: 'Why, Dan?' }),
      bid(2, 'Will', 1),
      bid(2, 'Dan', 3),
    );
    expect(rows.map(({ step, bidder, is_mentioned: named }) => [step, bidder, named])).toEqual([
      [1, 'Will', false],
      [1, 'Leah', true],
      [2, 'Will', false],
      [2, 'Dan', true],
    ]);
  });

  it('knows of nobody named before the first turn of a day, or by a silent player', () => {
    const rows = rowsOf(
      said('1.1', 'Dan', { text: 'Leah!' }),
      bid(0, 'Leah', 1, 2),
      silent('2.1', 'Dan'),
      bid(1, 'Leah', 1, 2),
    );
    expect(rows.map((row) => row.is_mentioned)).toEqual([false, false]);
  });

  it('has no speaker for a turn that never came', () => {
    expect(rowsOf(bid(0, 'Dan', 4), bid(0, 'Will', 2)).map((row) => row.is_speaker)).toEqual([false, false]);
  });
});

describe('in recorded matches', () => {
  const golden = path.join(import.meta.dirname, '../../golden');
  const folders = readdirSync(golden, { withFileTypes: true }).filter((entry) => entry.isDirectory());

  it.each(folders.map(({ name }) => name))('of %s one of the highest bidders has each turn', (name) => {
    const turns = Map.groupBy(bidRows(readRecord(path.join(golden, name))), ({ round, step }) => `${round} ${step}`);
    for (const bids of turns.values()) {
      const speakers = bids.filter((row) => row.is_speaker);
      expect(speakers).toHaveLength(1);
      const readable = bids.flatMap(({ bid: amount }) => amount ?? []);
      expect(speakers[0]!.bid).toBe(readable.length === 0 ? null : Math.max(...readable));
    }
  });
});
