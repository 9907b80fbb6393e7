// Pictures of single matches: the width of bars shows votes, the length of bars shows bids, letters show roles, and
// arrows join boxes.
import { describe, expect, it } from '@jest/globals';
import { drawFlow, drawMomentBids, drawMomentVotes } from '../../report/pictures/moment-pictures.ts';

const listWidths = (svg: string) => [...svg.matchAll(/<rect[^>]* width="([\d.]+)"/g)].map(([, width]) => Number(width));

describe('votes during a debate', () => {
  const votes = [
    { turn: '1: Ann', target: 'Bob', targetRole: 'Werewolf', isTargetWerewolf: true, voterRoles: ['Seer', 'Villager', 'Villager'] }, // prettier-ignore
    { turn: '1: Ann', target: 'Cid', targetRole: 'Witch', isTargetWerewolf: false, voterRoles: ['Werewolf'] },
    {
      turn: 'the ballot',
      target: 'Bob',
      targetRole: 'Werewolf',
      isTargetWerewolf: true,
      voterRoles: ['Seer', 'Witch'],
    },
  ];
  const { svg, table, description } = drawMomentVotes(votes);

  it('are bars as wide as the votes, which stand in the table', () => {
    const [three, one, two] = listWidths(svg);
    expect((three! + 2) / (one! + 2)).toBeCloseTo(3, 5); // a pixel is left free on either side
    expect((two! + 2) / (one! + 2)).toBeCloseTo(2, 5);
    expect(table).toEqual([
      ['Turn', 'Votes for', 'Role', 'Votes', 'Of'],
      ['1: Ann', 'Bob', 'Werewolf', '3', 'Seer, Villager, Villager'],
      ['1: Ann', 'Cid', 'Witch', '1', 'Werewolf'],
      ['the ballot', 'Bob', 'Werewolf', '2', 'Seer, Witch'],
    ]);
  });

  it('have a letter for the role of each voter, two where roles begin alike, and say what they stand for', () => {
    for (const letters of ['S V V', 'We', 'S Wi']) expect(svg).toContain(`>${letters}</text>`);
    expect(description).toContain('S Seer, V Villager, We Werewolf, Wi Witch');
    expect(svg).toContain('S Seer, V Villager, We Werewolf, Wi Witch');
  });
});

it('bids after a statement are bars as long as the bids, with none for a bid that could not be read', () => {
  const { svg, table } = drawMomentBids(
    [
      { player: 'Bob', role: 'Werewolf', isWerewolf: true, bid: 4 },
      { player: 'Cid', role: 'Villager', isWerewolf: false, bid: 2 },
      { player: 'Dan', role: 'Villager', isWerewolf: false, bid: null },
    ],
    4,
  );
  const [four, two, ...others] = listWidths(svg);
  expect(four! / two!).toBeCloseTo(2, 5);
  expect(others).toEqual([]);
  expect(table.at(-1)).toEqual(['Dan', 'Villager', '']);
});

it('a flow has a box for each step and says where each leads', () => {
  const box = (text: string, column: number, row: number) => ({ text, note: '', column, row });
  const boxes = [box('sleep', 0, 0), box('talk', 1, 0), box('<vote>', 1, 1)];
  const { svg, table } = drawFlow(
    { name: 'flow', title: 'A game', description: 'How it goes.' },
    { headings: ['night', 'day'], boxes, arrows: [[0, 1], [1, 2], [2, 0]] }, // prettier-ignore
  );
  expect(listWidths(svg)).toHaveLength(3);
  expect(svg).toContain('&lt;vote&gt;');
  expect(svg.match(/<path/g)).toHaveLength(3);
  expect(table.slice(1).map(([step, of, , leads]) => [step, of, leads])).toEqual([
    ['sleep', 'night', 'talk'],
    ['talk', 'day', '<vote>'],
    ['<vote>', 'day', 'sleep'],
  ]);
});
