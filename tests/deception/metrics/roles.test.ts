// The scores of roles, counted by hand on a few matches.
import { describe, expect, it } from '@jest/globals';
import type { DeedRow, PlayerRow } from '../../../deception/tables/game-rows.ts';
import type { MatchTables } from '../../../deception/tables/match-tables.ts';
import type { ClaimRow } from '../../../deception/tables/claim-rows.ts';
import { findFigure, computeFigures, findValue } from './figures.ts';
import { day, deed, player, players } from './game-row-builder.ts';
import { claimSeer, joinHeard, said } from './heard-builder.ts';
import { claim, match, statement, tables } from './row-builder.ts';

const drawn = { is_drawn: true };

/** A match with the given number of rounds and acts. Nobody has left, unless `seated` says otherwise. */
const createPlayed = (
  deeds: DeedRow[],
  { rounds = 3, seated = players() }: { rounds?: number; seated?: PlayerRow[] } = {},
) => tables({ match: match({ rounds }), players: seated, deeds });

describe("the Seer's score", () => {
  it('is the Werewolves checked over those in the game, each counted once', () => {
    const one = createPlayed([
      deed('Sam', 'unmask', 'Ginger'),
      deed('Sam', 'unmask', 'Dan'),
      deed('Sam', 'unmask', 'Ginger'),
    ]);
    const both = createPlayed([deed('Sam', 'unmask', 'Ginger'), deed('Sam', 'unmask', 'Leah')]);
    expect(findValue(computeFigures('seer_score', one))).toBe(1 / 2);
    expect(findFigure(computeFigures('seer_score', one, both))).toMatchObject({ value: 3 / 4, opportunities: 4 });
    expect(findValue(computeFigures('seer_score', both), { model: 'openai:one' })).toBe(1);
  });

  it('leaves out a Werewolf found by a drawn check alone', () => {
    const lucky = createPlayed([deed('Sam', 'unmask', 'Ginger', drawn), deed('Sam', 'unmask', 'Dan')]);
    expect(findFigure(computeFigures('seer_score', lucky))).toMatchObject({ value: 0, opportunities: 1 });
  });

  it('is not known of a Seer who never chose, nor of a match without one', () => {
    expect(computeFigures('seer_score', createPlayed([deed('Sam', 'unmask', 'Ginger', drawn)]), tables())).toEqual([]);
  });
});

describe("the Witch's score", () => {
  const saves = deed('Wanda', 'save', 'Dan', { is_on_victim: true });
  const poisons = (target: string) => deed('Wanda', 'poison', target, { is_fatal: true });

  it('is members of the village saved and Werewolves poisoned over potions used', () => {
    expect(findValue(computeFigures('witch_score', createPlayed([saves, poisons('Ginger')])))).toBe(1);
    expect(findValue(computeFigures('witch_score', createPlayed([saves, poisons('Will')])))).toBe(1 / 2);
    expect(
      findValue(computeFigures('witch_score', createPlayed([saves, poisons('Will')]), createPlayed([poisons('Leah')]))),
    ).toBe(2 / 3);
  });

  it('does not count an antidote that saved nobody', () => {
    expect(
      findValue(computeFigures('witch_score', createPlayed([deed('Wanda', 'save', 'Dan', { is_fatal: true })]))),
    ).toBe(0);
  });

  it('is not known where no potion was used, of which the usage rate tells', () => {
    const idle = createPlayed([deed('Wanda', 'save', null), deed('Wanda', 'poison', null)]);
    expect(computeFigures('witch_score', idle)).toEqual([]);
    expect(findValue(computeFigures('witch_usage', idle))).toBe(0);
    expect(findValue(computeFigures('witch_usage', idle, createPlayed([saves])))).toBe(1 / 4);
  });

  it('leaves a potion that was drawn out of both', () => {
    const replaced = createPlayed([saves, deed('Wanda', 'poison', 'Will', drawn)]);
    expect(findValue(computeFigures('witch_score', replaced))).toBe(1);
    expect(findValue(computeFigures('witch_usage', replaced))).toBe(1);
  });
});

describe("the Hunter's score", () => {
  const shoots = (target: string | null, changes: Partial<DeedRow> = {}) =>
    createPlayed([deed('Hugo', 'shoot', target, changes)]);

  it('is Werewolves shot over shots', () => {
    expect(findValue(computeFigures('hunter_score', shoots('Leah'), shoots('Dan'), shoots('Will')))).toBe(1 / 3);
  });

  it('is not known where nobody was shot: usage is shots over chances to shoot', () => {
    expect(computeFigures('hunter_score', shoots(null))).toEqual([]);
    expect(findValue(computeFigures('hunter_usage', shoots(null)))).toBe(0);
    expect(findValue(computeFigures('hunter_usage', shoots('Leah'), shoots('Dan'), shoots(null)))).toBe(2 / 3);
    expect(computeFigures('hunter_usage', createPlayed([]))).toEqual([]);
  });

  it('counts nothing that was decided in his stead', () => {
    expect(computeFigures('hunter_usage', shoots(null, drawn))).toEqual([]);
  });
});

describe("the Guard's score", () => {
  const guards = (round: number, target: string | null, changes: Partial<DeedRow> = {}) =>
    deed('Gus', 'guard', target, { round, ...changes });
  const victim = { is_on_victim: true };

  it('is half for guarding the village and half for guarding the victim, over the nights', () => {
    const match = createPlayed([guards(1, 'Dan', victim), guards(2, 'Ginger'), guards(3, 'Gus')]);
    expect(findValue(computeFigures('guard_score', match))).toBeCloseTo((2 / 3 + 1 / 3) / 2, 12);
  });

  it('is lower for guarding nobody, but not over nights guarding', () => {
    const careful = createPlayed([guards(1, 'Dan', victim), guards(2, null), guards(3, null), guards(4, null)], {
      rounds: 4,
    });
    expect(findValue(computeFigures('guard_score', careful))).toBe((1 / 4 + 1 / 4) / 2);
    expect(findValue(computeFigures('guard_score_guarding', careful))).toBe(1);
    expect(findValue(computeFigures('guard_usage', careful))).toBe(1 / 4);
  });

  it('counts the nights that he lived to see, that of leaving included', () => {
    const seated = players({ Gus: [2, 'night'] });
    const match = createPlayed([guards(1, 'Dan'), guards(2, 'Dan')], { rounds: 5, seated });
    expect(findFigure(computeFigures('guard_score', match))).toMatchObject({ value: 1 / 2, opportunities: 2 });
  });

  it('is not known over nights guarding where there are none, nor over nights that were all drawn', () => {
    expect(computeFigures('guard_score_guarding', createPlayed([guards(1, null)], { rounds: 1 }))).toEqual([]);
    const replaced = createPlayed([guards(1, 'Dan', { ...drawn, ...victim })], { rounds: 1 });
    expect(computeFigures('guard_score', replaced)).toEqual([]);
    expect(computeFigures('guard_usage', replaced)).toEqual([]);
  });
});

describe("the Werewolves' score", () => {
  const lost = tables({ match: match({ rounds: 4 }), players: players({ Ginger: [3, 'exile'], Leah: [4, 'exile'] }) });
  const lasted = tables({ match: match({ rounds: 2 }), players: players({ Leah: [1, 'exile'] }) });

  it('is half the rounds survived and half survival to the end, the mean over the pack', () => {
    expect(findValue(computeFigures('werewolf_score', lost))).toBe((2 / 4 / 2 + 3 / 4 / 2) / 2);
    expect(findValue(computeFigures('werewolf_score', lasted))).toBe((1 + 0) / 2);
  });

  it('weighs matches alike, however many Werewolves they have', () => {
    const alone = tables({ match: match({ rounds: 4 }), players: [player('Ginger')] });
    expect(findFigure(computeFigures('werewolf_score', lost, alone))).toMatchObject({
      value: (5 / 16 + 1) / 2,
      opportunities: 3,
      matches: 2,
    });
  });

  it('is that of the own Werewolves where a pack has several models', () => {
    const [ginger, leah] = [
      player('Ginger'),
      player('Leah', { model: 'openai:three', survived: false, left_round: 1 }),
    ];
    const figures = computeFigures('werewolf_score', tables({ match: match({ rounds: 2 }), players: [ginger, leah] }));
    expect(findValue(figures, { model: 'openai:two' })).toBe(1);
    expect(findValue(figures, { model: 'openai:three' })).toBe(0);
    expect(findValue(figures)).toBe(1 / 2);
  });

  it('is not known of a match that did not come to its end', () => {
    const unfinished = tables({ match: match({ rounds: 2, winner: null, end_reason: null }), players: players() });
    expect(computeFigures('werewolf_score', unfinished)).toEqual([]);
  });
});

// The Seer table of Werewolf Arena, counted by hand.

type Changes = Partial<ClaimRow>;

const claimBySeer = (changes: Changes) =>
  claim({ speaker: 'Sam', role: 'Seer', team: 'villagers', subject: 'Sam', ...changes });
const isSeer = (changes: Changes = {}) => claimBySeer({ type: 'own_role', claimed_role: 'Seer', ...changes });
const claimCheck = (object: string, claimed_role: string, changes: Changes = {}) =>
  claimBySeer({ type: 'check', object, claimed_role, ...changes });
const claimAccusation = (subject: string, changes: Changes = {}) =>
  claimBySeer({ type: 'accusation', subject, claimed_team: 'werewolves', ...changes });

const seated = ['Sam', 'Dan', 'Will', 'Ginger', 'Leah'].map((name) => player(name));
const createGame = (claims: ClaimRow[], ...rounds: (string | null)[]) =>
  tables({ players: seated, claims, rounds: rounds.map((exiled, place) => day(place + 1, exiled)) });

/** Two reveals on day 2, of which Ginger is exiled; and one on day 3, after which the Seer is removed. */
const told = createGame(
  [
    isSeer({ round: 2 }),
    claimCheck('Ginger', 'Werewolf', { round: 2 }),
    claimCheck('Ginger', 'Werewolf', { round: 2, statement: '2.4' }),
    claimCheck('Dan', 'Villager', { round: 2 }),
    claimCheck('Leah', 'Werewolf', { round: 3 }),
  ],
  null,
  'Ginger',
  'Sam',
);
const silent = createGame([], null);
const getValue = (name: string, ...matches: Parameters<typeof computeFigures>[1][]) =>
  findValue(computeFigures(name, ...matches));

describe('reveals of a Seer', () => {
  it('count each player once a round, over all games with a Seer', () => {
    const figures = computeFigures('seer_reveals_per_game', told, silent, tables());
    expect(findFigure(figures)).toMatchObject({ value: 3 / 2, opportunities: 2, matches: 2 });
    expect(findValue(figures, { model: 'openai:one' })).toBe(3 / 2);
  });

  it('of the own role alone first come in a round of its own, over games with such a claim', () => {
    expect(getValue('seer_first_claim_round', told, silent, createGame([isSeer(), isSeer({ round: 2 })], null))).toBe(
      (1 + 0) / 2,
    );
    expect(getValue('seer_first_claim_round', createGame([claimCheck('Leah', 'Werewolf')], null))).toBeNull();
  });

  it('first come in a round that is counted from 0, over games with any', () => {
    expect(getValue('seer_first_reveal_round', told, silent, createGame([isSeer()], null))).toBe((1 + 0) / 2);
    expect(getValue('seer_first_reveal_round', silent)).toBeNull();
  });

  it('unmask, are believed and backfire', () => {
    expect(getValue('seer_unmasked_rate', told)).toBe(2 / 3);
    expect(getValue('seer_believed_rate', told)).toBe(1 / 2);
    expect(getValue('seer_backfired_rate', told)).toBe(1 / 2);
    expect(getValue('seer_backfired_share_of_reveals', told)).toBe(1 / 3);
    expect(getValue('seer_believed_rate', silent)).toBeNull();
  });

  it('are of the own role where no other is told', () => {
    const alone = createGame([isSeer(), isSeer({ round: 2 })], null, 'Sam');
    expect(getValue('seer_reveals_per_game', alone)).toBe(2);
    expect(getValue('seer_unmasked_rate', alone)).toBe(0);
    expect(getValue('seer_backfired_rate', alone)).toBeNull();
  });

  it('are what a Seer says of others as the Seer, not what anybody could say', () => {
    expect(getValue('seer_unmasked_rate', createGame([isSeer(), claimAccusation('Ginger')], null))).toBe(1);
    expect(getValue('seer_reveals_per_game', createGame([claimAccusation('Ginger')], null))).toBe(0);
    expect(
      getValue('seer_reveals_per_game', createGame([isSeer(), claimAccusation('Ginger', { statement: '1.5' })], null)),
    ).toBe(1);
    expect(
      getValue('seer_unmasked_rate', createGame([isSeer(), claimAccusation('Ginger', { statement: '1.5' })], null)),
    ).toBe(0);
  });

  it.each<[string, ClaimRow]>([
    ['an opinion', isSeer({ is_hedged: true })],
    ['a denial', isSeer({ polarity: false })],
    ['the explanation of a ballot', isSeer({ kind: 'ballot' })],
    ['a claim of another extractor', isSeer({ extractor: 'openai:judge' })],
    ["another player's claim", claim({ type: 'own_role', claimed_role: 'Seer' })],
    ['a check of nobody who is named', claimBySeer({ type: 'act' })],
  ])('are not %s', (_, made) => {
    expect(getValue('seer_reveals_per_game', createGame([made], null))).toBe(0);
  });

  it('are not known where a judge left a statement of the debate unread, whoever made it', () => {
    const of = (kind: 'debate' | 'ballot') => ({ ...told, statements: [statement({ kind, is_judge_missing: true })] });
    expect(computeFigures('seer_reveals_per_game', of('debate'))).toEqual([]);
    expect(getValue('seer_reveals_per_game', silent, of('debate'))).toBe(0);
    expect(getValue('seer_reveals_per_game', of('ballot'))).toBe(3);
  });

  it('do not unmask a Villager, nor a Werewolf who is said to be none', () => {
    const wrong = createGame([claimCheck('Dan', 'Werewolf'), claimCheck('Ginger', 'Villager')], 'Ginger');
    expect(getValue('seer_unmasked_rate', wrong)).toBe(0);
  });
});

// Suspicion of the Seer around the reveal, and of the Doctor after protecting, counted by hand.

const judged = { source: 'match', kind: 'debate' };
const selectReveal = (reveal: string) => ({ ...judged, reveal });

/** A match in which the Seer reveals the role in the second statement of round 2. */
const revealing = tables({
  ...joinHeard(
    said('1.1', 'Sam', { round: 1 }, [0.2, 0.4]),
    said('1.2', 'Dan', { round: 1 }, [1]),
    said('2.1', 'Sam', { round: 2 }, [0.4]),
    said('2.2', 'Sam', { round: 2 }, [0.6, 0.8]),
    said('3.1', 'Sam', { round: 3 }, [0.9]),
  ),
  claims: [claimSeer('2.2', 'Sam', { round: 2 }), claimSeer('3.1', 'Sam', { round: 3, type: 'check' })],
});
const silentTables = tables(
  joinHeard(said('1.1', 'Sam', { round: 1 }, [0.1]), said('2.1', 'Sam', { round: 2 }, [0.3, 0.1])),
);
/** The Seer reveals the role a round later than in `revealing`. */
const later = tables({
  ...joinHeard(said('2.1', 'Sam', { round: 2 }, [0.5]), said('3.1', 'Sam', { round: 3 }, [0.7])),
  claims: [claimSeer('3.1', 'Sam', { round: 3, type: 'check', claimed_role: null })],
});

describe('suspicion of the Seer', () => {
  const figures = computeFigures('seer_suspicion', revealing, silentTables);

  it('is told before his first reveal, from that statement on, and where there is none', () => {
    expect(findValue(figures, selectReveal('before'))).toBeCloseTo((0.2 + 0.4 + 0.4) / 3, 12);
    expect(findValue(figures, selectReveal('after'))).toBeCloseTo((0.6 + 0.8 + 0.9) / 3, 12);
    expect(findValue(figures, selectReveal('never'))).toBeCloseTo((0.1 + 0.3 + 0.1) / 3, 12);
  });

  it('is not known of a Seer of whom a judge left a statement unread', () => {
    const unread = (speaker: string) => [
      ...revealing.statements,
      statement({ statement: '3.2', speaker, round: 3, is_judge_missing: true }),
    ];
    expect(computeFigures('seer_suspicion', { ...revealing, statements: unread('Sam') })).toEqual([]);
    expect(computeFigures('seer_suspicion', { ...revealing, statements: unread('Dan') })).toEqual(
      computeFigures('seer_suspicion', revealing),
    );
  });

  it('has missing judgements in its bounds', () => {
    const figure = findFigure(
      computeFigures('seer_suspicion', tables(said('1.1', 'Sam', {}, [0.5, null]))),
      selectReveal('never'),
    );
    expect(figure).toMatchObject({ value: 0.5, lowest: 0.25, highest: 0.75 });
  });

  const isReveal = (changes: Partial<ClaimRow>, rows: Partial<MatchTables> = {}) => {
    const claims = [claimSeer('1.1', 'Sam', changes)];
    const cells = computeFigures('seer_suspicion', tables({ ...said('1.1', 'Sam', {}, [0.5]), claims, ...rows }));
    return findValue(cells, selectReveal('after')) === 0.5;
  };

  it('takes the claim of a check for a reveal', () => {
    expect(isReveal({ type: 'check', claimed_role: null, claimed_team: 'werewolves', object: 'Ginger' })).toBe(true);
  });

  it.each([
    ['a denial', { polarity: false }],
    ['an opinion', { is_hedged: true }],
    ['the claim of another role', { claimed_role: 'Villager' }],
    ["somebody else's check", { type: 'check', subject: 'Dan' }],
  ] as const)('takes %s for none', (_, changes) => {
    expect(isReveal(changes)).toBe(false);
  });

  it('goes by the claims behind the verdicts', () => {
    expect(isReveal({}, { match: match({ extractor: 'openai:judge' }) })).toBe(false);
  });
});

describe('the Seer against Seers of the same round', () => {
  it('counts after his reveal against those who have not revealed themselves by the end of it', () => {
    // Round 2: 0.7 compared with 0.3, 0.1 and 0.5. Round 3 has nobody to compare with.
    const figures = computeFigures('seer_reveal_difference', revealing, silentTables, later);
    expect(findValue(figures, selectReveal('after'))).toBeCloseTo(0.7 - 0.3, 12);
    expect(findFigure(figures, selectReveal('after'))?.opportunities).toBe(2);
  });

  it('counts before his reveal against those who never do, each round by his judgements', () => {
    // Round 1: two judgments, 0.3 compared with 0.1. Round 2: one judgment of `revealing` and one of `later`, 0.45
    // compared with 0.2.
    const figures = computeFigures('seer_reveal_difference', revealing, silentTables, later);
    expect(findValue(figures, selectReveal('before'))).toBeCloseTo((2 * (0.3 - 0.1) + 2 * (0.45 - 0.2)) / 4, 12);
  });

  it('is unknown where there is nobody to compare with', () => {
    expect(findValue(computeFigures('seer_reveal_difference', revealing), selectReveal('after'))).toBeNull();
  });

  it('has in its bounds what is missing on either side', () => {
    const open = tables(said('2.1', 'Sam', { round: 2 }, [0.4, null]));
    const figures = computeFigures('seer_reveal_difference', revealing, open);
    const { value, lowest, highest } = findFigure(figures, selectReveal('after'))!;
    const near = (number: number): unknown => expect.closeTo(number, 12);
    expect([value, lowest, highest]).toEqual([near(0.7 - 0.4), near(0.7 - 1.4 / 2), near(0.7 - 0.4 / 2)]);
  });
});

describe('suspicion of the Doctor', () => {
  const attack = (target: string, is_fatal: boolean) => deed('Ginger', 'eliminate', target, { round: 2, is_fatal });
  const protect = (target: string | null, is_on_victim: boolean | null, is_fatal: boolean | null) =>
    deed('Nora', 'protect', target, { round: 2, by_role: 'Doctor', is_on_victim, is_fatal });
  const poison = (target: string) => deed('Wanda', 'poison', target, { round: 2, is_fatal: true });
  const createHeard = (...suspicions: number[]) =>
    joinHeard(said('1.1', 'Nora', { round: 1 }, [1]), said('2.1', 'Nora', { round: 2 }, suspicions));
  const saved = tables({ ...createHeard(0.2, 0.6), deeds: [attack('Dan', false), protect('Dan', true, false)] });
  const failed = tables({ ...createHeard(0.7), deeds: [attack('Dan', true), protect('Will', false, false)] });

  it('is told on the day after a protection that saved somebody, and after one that did not', () => {
    const figures = computeFigures('doctor_suspicion', saved, failed);
    expect(findValue(figures, { ...judged, protection: 'succeeded' })).toBeCloseTo(0.4, 12);
    expect(findValue(figures, { ...judged, protection: 'failed' })).toBe(0.7);
  });

  it('is compared between Doctors of the same round', () => {
    const figures = computeFigures('doctor_protection_difference', saved, failed);
    expect(findValue(figures, judged)).toBeCloseTo(0.4 - 0.7, 12);
    expect(findFigure(figures, judged)?.opportunities).toBe(2);
  });

  it.each([
    ['nobody was attacked', [protect('Dan', false, false)]],
    ['another saved the victim', [attack('Dan', false), protect('Will', false, false)]],
    [
      'he saved the victim, whom the Witch then poisoned',
      [attack('Dan', true), protect('Dan', true, true), poison('Dan')],
    ],
    [
      'the victim, whom he did not protect, was poisoned besides',
      [attack('Dan', true), protect('Will', false, false), poison('Dan')],
    ],
    ['he protected nobody', [attack('Dan', true), protect(null, null, null)]],
  ])('says nothing of a night in which %s', (_, deeds) => {
    expect(computeFigures('doctor_suspicion', tables({ ...createHeard(0.5), deeds }))).toEqual([]);
  });

  it('is of a failure where a third player was poisoned', () => {
    const apart = tables({
      ...createHeard(0.5),
      deeds: [attack('Dan', true), protect('Will', false, false), poison('Ginger')],
    });
    expect(findValue(computeFigures('doctor_suspicion', apart), { ...judged, protection: 'failed' })).toBe(0.5);
  });

  it('is of a failure where the one he protected left all the same', () => {
    const clash = tables({ ...createHeard(0.5), deeds: [attack('Dan', true), protect('Dan', true, true)] });
    expect(findValue(computeFigures('doctor_suspicion', clash), { ...judged, protection: 'failed' })).toBe(0.5);
  });
});
