// How many follow the Sheriff, counted by hand on a few days.
import { describe, expect, it } from '@jest/globals';
import type { RoundRow } from '../../../deception/tables/game-rows.ts';
import { figureIn, figuresOf, valueIn } from './figures.ts';
import { ballots, day, players } from './game-row-builder.ts';
import { tables } from './row-builder.ts';

const good = { sheriff_team: 'villagers' };
const bad = { sheriff_team: 'werewolves' };

/** A day on which these voted first, the Sheriff recommended Will, and these voted again. */
const advised = (before: Record<string, string>, after: Record<string, string>, changes: Partial<RoundRow> = {}) =>
  tables({
    players: players(),
    rounds: [day(1, null, { sheriff: 'Sam', sheriff_team: 'villagers', recommended: 'Will', ...changes })],
    ballots: [...ballots(before, { vote: 'pseudo' }), ...ballots(after)],
  });

/** Of five, Dan comes round, Hugo agreed already, Gus will not, Will is the one himself; the Sheriff comes round too. */
const before = { Sam: 'Gus', Dan: 'Ginger', Hugo: 'Will', Gus: 'Dan', Will: 'Gus' };
const after = { Sam: 'Will', Dan: 'Will', Hugo: 'Will', Gus: 'Dan', Will: 'Gus' };
const usual = advised(before, after);

describe('the influence of the Sheriff', () => {
  it('is the others who come round to the recommendation over all others', () => {
    expect(figureIn(figuresOf('sheriff_influence', usual), good)).toMatchObject({ value: 1 / 4, opportunities: 4 });
  });

  it("is, as Helmsman has it, all who come round to the Sheriff's own ballot over all, the Sheriff among them", () => {
    expect(valueIn(figuresOf('sheriff_own_ballot_influence', usual), good)).toBe(2 / 5);
    const disloyal = advised(before, { ...after, Sam: 'Ginger', Gus: 'Ginger' });
    expect(valueIn(figuresOf('sheriff_own_ballot_influence', disloyal), good)).toBe(2 / 5);
    expect(valueIn(figuresOf('sheriff_influence', disloyal), good)).toBe(1 / 4);
  });

  it('is, among those who did not agree and could follow, who comes round: not the one who is recommended', () => {
    expect(figureIn(figuresOf('sheriff_persuasion', usual), good)).toMatchObject({ value: 1 / 2, opportunities: 2 });
  });

  it('does not take those who leave the recommended player for followers', () => {
    const repelled = advised({ Sam: 'Will', Dan: 'Will' }, { Sam: 'Will', Dan: 'Ginger' });
    expect(valueIn(figuresOf('sheriff_influence', repelled), good)).toBe(0);
    expect(figuresOf('sheriff_persuasion', repelled)).toEqual([]);
  });

  it('is told apart for good and bad Sheriffs, each with the own model', () => {
    const wolf = advised(
      { Leah: 'Will', Dan: 'Ginger' },
      { Leah: 'Will', Dan: 'Will' },
      { sheriff: 'Leah', sheriff_team: 'werewolves' },
    );
    const figures = figuresOf('sheriff_influence', usual, wolf);
    expect(valueIn(figures, bad)).toBe(1);
    expect(valueIn(figures, { ...bad, model: 'openai:two' })).toBe(1);
    expect(valueIn(figures, { ...good, model: 'openai:one' })).toBe(1 / 4);
  });
});

describe('a day has no part in it', () => {
  const names = ['sheriff_influence', 'sheriff_own_ballot_influence', 'sheriff_persuasion'];

  it.each(names)('without a Sheriff or a recommendation (%s)', (name) => {
    const silent = advised(before, after, { recommended: null });
    const none = advised(before, after, { sheriff: null, sheriff_team: null });
    expect(figuresOf(name, silent, none)).toEqual([]);
  });

  it.each(names)('by a second vote between the tied (%s)', (name) => {
    const tied = tables({
      ...usual,
      ballots: [...usual.ballots, ...ballots({ Gus: 'Will' }, { vote: 'exile_again' })],
    });
    expect(valueIn(figuresOf(name, tied), good)).toBe(valueIn(figuresOf(name, usual), good));
  });

  it('by a voter with a drawn ballot, before or after', () => {
    const [first, second] = [ballots(before, { vote: 'pseudo' }), ballots(after)];
    const drawn = (of: typeof first, voter: string) =>
      of.map((row) => (row.voter === voter ? { ...row, is_drawn: true } : row));
    const lots = tables({ ...usual, ballots: [...drawn(first, 'Dan'), ...drawn(second, 'Gus')] });
    expect(figureIn(figuresOf('sheriff_influence', lots), good)).toMatchObject({ value: 0, opportunities: 2 });
    const own = tables({ ...usual, ballots: [...first, ...drawn(second, 'Sam')] });
    expect(figuresOf('sheriff_own_ballot_influence', own)).toEqual([]);
    expect(valueIn(figuresOf('sheriff_influence', own), good)).toBe(1 / 4);
  });
});
