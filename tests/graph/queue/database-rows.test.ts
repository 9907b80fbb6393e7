// Rows of the database: an error about an unreadable row names the faulty place, and everything else continues.
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { parseRows, parseSoundRows, UnreadableRow } from '../../../graph/queue/database-rows.ts';

const Row = z.object({ pace: z.object({ calls: z.number() }) });
const sound = { pace: { calls: 1 } };
const unsound = { pace: { calls: 'many\nmore' } };

describe('a row that cannot be read', () => {
  it('is named with the place in it, in one line', () => {
    const read = () => parseRows(Row, [sound, unsound], 'A row of spring');
    expect(read).toThrow(UnreadableRow);
    expect(read).toThrow(/^A row of spring in the database cannot be read: pace\.calls [^\n]+\.$/);
  });

  it('is left out where the others do without it', () => {
    expect(parseSoundRows(Row, [unsound, sound])).toEqual([sound]);
    expect(parseRows(Row, [sound], 'A row')).toEqual([sound]);
  });
});
