// Rows of the viewer's list that are not separate matches.
import { describe, expect, it } from '@jest/globals';
import { splitForks } from '../../report/viewer/list-page.ts';
import { createUnreadableMatch } from '../../report/viewer/match-list.ts';

describe('the list of matches', () => {
  const row = createUnreadableMatch('a', '');

  it('has forks under their origin, and as rows where the origin is not there', () => {
    const fork = { statement: '1.2', arm: 'keep', copy: 1 };
    const rows = [
      { ...row, path: 'study/origin', id: 'origin' },
      { ...row, path: 'lies/a', id: 'a', fork: { ...fork, match: 'origin' } },
      { ...row, path: 'lies/b', id: 'b', fork: { ...fork, match: 'elsewhere' } },
    ];
    const { matches, forksOf } = splitForks(rows);
    expect(matches.map(({ id }) => id)).toEqual(['origin', 'b']);
    expect([...forksOf].map(([origin, forks]) => [origin, forks.map(({ id }) => id)])).toEqual([['origin', ['a']]]);
    expect(splitForks([row]).matches).toEqual([row]);
  });
});
