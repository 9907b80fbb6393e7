// Metrics of the village's ballots, beliefs and powers, counted by hand on a few matches.
import { describe, expect, it } from '@jest/globals';
import type { RoundRow } from '../../../deception/tables/game-rows.ts';
import { findFigure, computeFigures, findValue } from './figures.ts';
import { ballots, day, deed, players } from './game-row-builder.ts';
import { belief, match, tables } from './row-builder.ts';

describe('irp_votes', () => {
  it("is the village's ballots on Werewolves over its ballots, whatever the Werewolves vote", () => {
    const figures = computeFigures(
      'irp_votes',
      tables({
        ballots: [
          ...ballots({ Dan: 'Ginger', Sam: 'Will', Will: 'Dan', Ginger: 'Leah', Leah: 'Dan' }),
          ...ballots({ Dan: 'Leah' }, { round: 2 }),
        ],
      }),
    );
    expect(findFigure(figures)).toMatchObject({ value: 2 / 4, opportunities: 4 });
    expect(findValue(figures, { round: '1' })).toBe(1 / 3);
    expect(findValue(figures, { role: 'Villager' })).toBe(2 / 3);
  });

  it('counts the last vote of a day: the second one where a tie was decided again', () => {
    const tied = tables({
      ballots: [
        ...ballots({ Dan: 'Sam', Sam: 'Dan', Will: 'Will' }, { vote: 'pseudo' }),
        ...ballots({ Dan: 'Sam', Sam: 'Ginger', Will: 'Sam' }),
        ...ballots({ Dan: 'Ginger', Will: 'Sam' }, { vote: 'exile_again' }),
      ],
    });
    expect(findFigure(computeFigures('irp_votes', tied))).toMatchObject({ value: 1 / 2, opportunities: 2 });
  });

  it('counts no drawn ballot, nor any vote but that for exile', () => {
    const others = tables({
      ballots: [
        ...ballots({ Dan: 'Ginger' }, { is_drawn: true }),
        ...ballots({ Dan: 'Ginger' }, { vote: 'synthetic', step: 1 }),
        ...ballots({ Dan: 'Ginger' }, { vote: 'sheriff', step: 1 }),
      ],
    });
    expect(computeFigures('irp_votes', others)).toEqual([]);
  });
});

describe('irp_asked', () => {
  const of = (about: string, p_werewolf: number, changes: Parameters<typeof belief>[0] = {}) =>
    belief({ about, p_werewolf, is_werewolf: about === 'Ginger', ...changes });

  it('is the sides told right over the sides told, of which 0.5 is none', () => {
    const asked = tables({ beliefs: [of('Ginger', 0.6), of('Leah', 0.9), of('Sam', 0.1), of('Will', 0.5)] });
    expect(findFigure(computeFigures('irp_asked', asked), { could_know: 'false' })).toMatchObject({
      value: 2 / 3,
      opportunities: 3,
    });
  });

  it('takes the last answers of each day', () => {
    const changed = tables({
      beliefs: [of('Ginger', 0.2), of('Ginger', 0.8, { step: 4 }), of('Ginger', 0.1, { round: 2, step: 2 })],
    });
    expect(findValue(computeFigures('irp_asked', changed), { could_know: 'false' })).toBe(1 / 2);
  });

  it('is of the village alone, and tells apart those who could know', () => {
    const knowing = of('Ginger', 1, { observer: 'Sam', could_know: true });
    const wolf = of('Dan', 0.9, { observer: 'Leah', observer_team: 'werewolves' });
    const figures = computeFigures('irp_asked', tables({ beliefs: [knowing, wolf, of('Ginger', 0.3)] }));
    expect(findValue(figures, { could_know: 'true' })).toBe(1);
    expect(findValue(figures, { could_know: 'false' })).toBe(0);
  });
});

describe('the survival of key roles', () => {
  const seated = players({ Sam: [1, 'night'], Dan: [1, 'exile'], Wanda: [2, 'night'] });

  it('is that of players of the village with powers, at the end', () => {
    const figures = computeFigures('ksr_end', tables({ players: seated }));
    expect(findFigure(figures)).toMatchObject({ value: 2 / 4, opportunities: 4 });
    expect(findValue(figures, { role: 'Witch' })).toBe(0);
    expect(findValue(figures, { role: 'Werewolf' })).toBeUndefined();
  });

  it('is higher after the last exile, where a night took one of them since', () => {
    expect(findValue(computeFigures('ksr_last_exile', tables({ players: seated })))).toBe(3 / 4);
  });

  it('takes a shot before the exile of the same day for earlier, and one that follows from it for later', () => {
    const before = players({ Hugo: [1, 'night'], Sam: [1, 'last_act'], Dan: [1, 'exile'] });
    const after = players({ Hugo: [1, 'exile'], Sam: [1, 'last_act'] });
    expect(findValue(computeFigures('ksr_last_exile', tables({ players: before })))).toBe(2 / 4);
    expect(findValue(computeFigures('ksr_last_exile', tables({ players: after })))).toBe(3 / 4);
    expect(findValue(computeFigures('ksr_end', tables({ players: after })))).toBe(2 / 4);
  });

  it('is not known without an exile, nor before the end', () => {
    expect(computeFigures('ksr_last_exile', tables({ players: players({ Sam: [1, 'night'] }) }))).toEqual([]);
    const unfinished = tables({ match: match({ winner: null, end_reason: null }), players: seated });
    expect(computeFigures('ksr_end', unfinished, unfinished)).toEqual([]);
    expect(computeFigures('ksr_last_exile', unfinished)).toEqual([]);
  });
});

describe('the rate of key roles exiled', () => {
  const found = deed('Sam', 'unmask', 'Ginger');
  const guards = deed('Gus', 'guard', 'Dan');
  const seated = players({ Wanda: [1, 'night'] });

  it('is half survival and half the mean of the scores that there are', () => {
    const used = tables({ players: seated, deeds: [found, guards, deed('Wanda', 'poison', null)] });
    // 3 of 4 live. The Seer's score is 1/2, and so is the Guard's, for his one night; Witch and Hunter have no score.
    expect(findValue(computeFigures('kre', used), { model: 'openai:one' })).toBe((3 / 4 + 1 / 2) / 2);
    const poisoned = tables({ players: seated, deeds: [found, guards, deed('Wanda', 'poison', 'Leah')] });
    expect(findValue(computeFigures('kre', poisoned))).toBeCloseTo((3 / 4 + (1 / 2 + 1 / 2 + 1) / 3) / 2, 12);
  });

  it('is a mean over matches that have it', () => {
    const used = tables({ players: seated, deeds: [found, guards] });
    const lost = tables({ match: match({ winner: null, end_reason: null }), players: seated, deeds: [found] });
    const without = tables({ players: players().filter(({ role }) => role === 'Villager') });
    expect(findFigure(computeFigures('kre', used, lost, without))).toMatchObject({
      value: (3 / 4 + 1 / 2) / 2,
      matches: 1,
    });
  });
});

describe('voting success', () => {
  const days = tables({
    rounds: [day(1, 'Ginger'), day(2, 'Dan'), day(3), day(4, 'Leah')],
    ballots: [
      ...ballots({ Dan: 'Ginger', Will: 'Ginger', Sam: 'Will', Leah: 'Ginger' }),
      ...ballots({ Will: 'Dan', Sam: 'Dan', Leah: 'Dan', Wanda: 'Leah' }, { round: 2 }),
      ...ballots({ Will: 'Leah', Sam: 'Hugo' }, { round: 3 }),
      ...ballots({ Will: 'Leah', Sam: 'Leah' }, { round: 4 }),
      ...ballots({ Wanda: 'Leah' }, { round: 4, is_drawn: true }),
    ],
  });

  it('is days that exiled a Werewolf over days that exiled anybody', () => {
    const figures = computeFigures('vss_days', days);
    expect(findFigure(figures)).toMatchObject({ value: 2 / 3, opportunities: 3 });
    expect(findValue(figures, { model: 'openai:one' })).toBe(2 / 3);
    expect(findValue(figures, { round: '3' })).toBeUndefined();
  });

  it("is, by ballots, the village's for an exiled Werewolf over its own for anybody exiled", () => {
    const figures = computeFigures('vss_ballots', days);
    expect(findFigure(figures)).toMatchObject({ value: 4 / 6, opportunities: 6 });
    expect(findValue(figures, { role: 'Seer' })).toBe(1 / 2);
  });

  it('has no value where nobody was exiled', () => {
    const quiet = tables({ rounds: [day(1)], ballots: ballots({ Dan: 'Ginger' }) });
    expect(computeFigures('vss_days', quiet)).toEqual([]);
    expect(computeFigures('vss_ballots', quiet)).toEqual([]);
  });
});

// Shares of voters who follow the Sheriff, counted by hand on a few days.

const good = { sheriff_team: 'villagers' };
const bad = { sheriff_team: 'werewolves' };

/** A day with these first votes, the Sheriff's recommendation of Will, and these second votes. */
const createAdvice = (before: Record<string, string>, after: Record<string, string>, changes: Partial<RoundRow> = {}) =>
  tables({
    players: players(),
    rounds: [day(1, null, { sheriff: 'Sam', sheriff_team: 'villagers', recommended: 'Will', ...changes })],
    ballots: [...ballots(before, { vote: 'pseudo' }), ...ballots(after)],
  });

/**
 * Five voters. Sam, the Sheriff, and Dan change to Will, Hugo already voted for Will, Gus keeps his vote, and Will is
 * the target.
 */
const before = { Sam: 'Gus', Dan: 'Ginger', Hugo: 'Will', Gus: 'Dan', Will: 'Gus' };
const after = { Sam: 'Will', Dan: 'Will', Hugo: 'Will', Gus: 'Dan', Will: 'Gus' };
const usual = createAdvice(before, after);

describe('the influence of the Sheriff', () => {
  it('is the others who come round to the recommendation over all others', () => {
    expect(findFigure(computeFigures('sheriff_influence', usual), good)).toMatchObject({
      value: 1 / 4,
      opportunities: 4,
    });
  });

  it("is, as Helmsman has it, all who come round to the Sheriff's own ballot over all, the Sheriff among them", () => {
    expect(findValue(computeFigures('sheriff_own_ballot_influence', usual), good)).toBe(2 / 5);
    const disloyal = createAdvice(before, { ...after, Sam: 'Ginger', Gus: 'Ginger' });
    expect(findValue(computeFigures('sheriff_own_ballot_influence', disloyal), good)).toBe(2 / 5);
    expect(findValue(computeFigures('sheriff_influence', disloyal), good)).toBe(1 / 4);
  });

  it('is, among those who did not agree and could follow, who comes round: not the one who is recommended', () => {
    expect(findFigure(computeFigures('sheriff_persuasion', usual), good)).toMatchObject({
      value: 1 / 2,
      opportunities: 2,
    });
  });

  it('does not take those who leave the recommended player for followers', () => {
    const repelled = createAdvice({ Sam: 'Will', Dan: 'Will' }, { Sam: 'Will', Dan: 'Ginger' });
    expect(findValue(computeFigures('sheriff_influence', repelled), good)).toBe(0);
    expect(computeFigures('sheriff_persuasion', repelled)).toEqual([]);
  });

  it('is told apart for good and bad Sheriffs, each with the own model', () => {
    const wolf = createAdvice(
      { Leah: 'Will', Dan: 'Ginger' },
      { Leah: 'Will', Dan: 'Will' },
      { sheriff: 'Leah', sheriff_team: 'werewolves' },
    );
    const figures = computeFigures('sheriff_influence', usual, wolf);
    expect(findValue(figures, bad)).toBe(1);
    expect(findValue(figures, { ...bad, model: 'openai:two' })).toBe(1);
    expect(findValue(figures, { ...good, model: 'openai:one' })).toBe(1 / 4);
  });
});

describe('a day has no part in it', () => {
  const names = ['sheriff_influence', 'sheriff_own_ballot_influence', 'sheriff_persuasion'];

  it.each(names)('without a Sheriff or a recommendation (%s)', (name) => {
    const silent = createAdvice(before, after, { recommended: null });
    const none = createAdvice(before, after, { sheriff: null, sheriff_team: null });
    expect(computeFigures(name, silent, none)).toEqual([]);
  });

  it.each(names)('by a second vote between the tied (%s)', (name) => {
    const tied = tables({
      ...usual,
      ballots: [...usual.ballots, ...ballots({ Gus: 'Will' }, { vote: 'exile_again' })],
    });
    expect(findValue(computeFigures(name, tied), good)).toBe(findValue(computeFigures(name, usual), good));
  });

  it('by a voter with a drawn ballot, before or after', () => {
    const [first, second] = [ballots(before, { vote: 'pseudo' }), ballots(after)];
    const drawn = (of: typeof first, voter: string) =>
      of.map((row) => (row.voter === voter ? { ...row, is_drawn: true } : row));
    const lots = tables({ ...usual, ballots: [...drawn(first, 'Dan'), ...drawn(second, 'Gus')] });
    expect(findFigure(computeFigures('sheriff_influence', lots), good)).toMatchObject({ value: 0, opportunities: 2 });
    const own = tables({ ...usual, ballots: [...first, ...drawn(second, 'Sam')] });
    expect(computeFigures('sheriff_own_ballot_influence', own)).toEqual([]);
    expect(findValue(computeFigures('sheriff_influence', own), good)).toBe(1 / 4);
  });
});
