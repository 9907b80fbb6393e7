// The scores of roles, counted by hand on a few matches.
import { describe, expect, it } from '@jest/globals';
import type { DeedRow, PlayerRow } from '../../../deception/tables/game-rows.ts';
import { figureIn, figuresOf, valueIn } from './figures.ts';
import { deed, player, players } from './game-row-builder.ts';
import { match, tables } from './row-builder.ts';

const drawn = { is_drawn: true };

/** A match of so many rounds with these deeds; nobody left, unless `seated` says otherwise. */
const played = (deeds: DeedRow[], { rounds = 3, seated = players() }: { rounds?: number; seated?: PlayerRow[] } = {}) =>
  tables({ match: match({ rounds }), players: seated, deeds });

describe("the Seer's score", () => {
  it('is the Werewolves checked over those in the game, each counted once', () => {
    const one = played([
      deed('Sam', 'unmask', 'Ginger'),
      deed('Sam', 'unmask', 'Dan'),
      deed('Sam', 'unmask', 'Ginger'),
    ]);
    const both = played([deed('Sam', 'unmask', 'Ginger'), deed('Sam', 'unmask', 'Leah')]);
    expect(valueIn(figuresOf('seer_score', one))).toBe(1 / 2);
    expect(figureIn(figuresOf('seer_score', one, both))).toMatchObject({ value: 3 / 4, opportunities: 4 });
    expect(valueIn(figuresOf('seer_score', both), { model: 'openai:one' })).toBe(1);
  });

  it('leaves out a Werewolf found by a drawn check alone', () => {
    const lucky = played([deed('Sam', 'unmask', 'Ginger', drawn), deed('Sam', 'unmask', 'Dan')]);
    expect(figureIn(figuresOf('seer_score', lucky))).toMatchObject({ value: 0, opportunities: 1 });
  });

  it('is not known of a Seer who never chose, nor of a match without one', () => {
    expect(figuresOf('seer_score', played([deed('Sam', 'unmask', 'Ginger', drawn)]), tables())).toEqual([]);
  });
});

describe("the Witch's score", () => {
  const saves = deed('Wanda', 'save', 'Dan', { is_on_victim: true });
  const poisons = (target: string) => deed('Wanda', 'poison', target, { is_fatal: true });

  it('is members of the village saved and Werewolves poisoned over potions used', () => {
    expect(valueIn(figuresOf('witch_score', played([saves, poisons('Ginger')])))).toBe(1);
    expect(valueIn(figuresOf('witch_score', played([saves, poisons('Will')])))).toBe(1 / 2);
    expect(valueIn(figuresOf('witch_score', played([saves, poisons('Will')]), played([poisons('Leah')])))).toBe(2 / 3);
  });

  it('does not count an antidote that saved nobody', () => {
    expect(valueIn(figuresOf('witch_score', played([deed('Wanda', 'save', 'Dan', { is_fatal: true })])))).toBe(0);
  });

  it('is not known where no potion was used, of which the usage rate tells', () => {
    const idle = played([deed('Wanda', 'save', null), deed('Wanda', 'poison', null)]);
    expect(figuresOf('witch_score', idle)).toEqual([]);
    expect(valueIn(figuresOf('witch_usage', idle))).toBe(0);
    expect(valueIn(figuresOf('witch_usage', idle, played([saves])))).toBe(1 / 4);
  });

  it('leaves a potion that was drawn out of both', () => {
    const replaced = played([saves, deed('Wanda', 'poison', 'Will', drawn)]);
    expect(valueIn(figuresOf('witch_score', replaced))).toBe(1);
    expect(valueIn(figuresOf('witch_usage', replaced))).toBe(1);
  });
});

describe("the Hunter's score", () => {
  const shoots = (target: string | null, changes: Partial<DeedRow> = {}) =>
    played([deed('Hugo', 'shoot', target, changes)]);

  it('is Werewolves shot over shots', () => {
    expect(valueIn(figuresOf('hunter_score', shoots('Leah'), shoots('Dan'), shoots('Will')))).toBe(1 / 3);
  });

  it('is not known where nobody was shot: usage is shots over chances to shoot', () => {
    expect(figuresOf('hunter_score', shoots(null))).toEqual([]);
    expect(valueIn(figuresOf('hunter_usage', shoots(null)))).toBe(0);
    expect(valueIn(figuresOf('hunter_usage', shoots('Leah'), shoots('Dan'), shoots(null)))).toBe(2 / 3);
    expect(figuresOf('hunter_usage', played([]))).toEqual([]);
  });

  it('counts nothing that was decided in his stead', () => {
    expect(figuresOf('hunter_usage', shoots(null, drawn))).toEqual([]);
  });
});

describe("the Guard's score", () => {
  const guards = (round: number, target: string | null, changes: Partial<DeedRow> = {}) =>
    deed('Gus', 'guard', target, { round, ...changes });
  const victim = { is_on_victim: true };

  it('is half for guarding the village and half for guarding the victim, over the nights', () => {
    const match = played([guards(1, 'Dan', victim), guards(2, 'Ginger'), guards(3, 'Gus')]);
    expect(valueIn(figuresOf('guard_score', match))).toBeCloseTo((2 / 3 + 1 / 3) / 2, 12);
  });

  it('is lower for guarding nobody, but not over nights guarding', () => {
    const careful = played([guards(1, 'Dan', victim), guards(2, null), guards(3, null), guards(4, null)], {
      rounds: 4,
    });
    expect(valueIn(figuresOf('guard_score', careful))).toBe((1 / 4 + 1 / 4) / 2);
    expect(valueIn(figuresOf('guard_score_guarding', careful))).toBe(1);
    expect(valueIn(figuresOf('guard_usage', careful))).toBe(1 / 4);
  });

  it('counts the nights that he lived to see, that of leaving included', () => {
    const seated = players({ Gus: [2, 'night'] });
    const match = played([guards(1, 'Dan'), guards(2, 'Dan')], { rounds: 5, seated });
    expect(figureIn(figuresOf('guard_score', match))).toMatchObject({ value: 1 / 2, opportunities: 2 });
  });

  it('is not known over nights guarding where there are none, nor over nights that were all drawn', () => {
    expect(figuresOf('guard_score_guarding', played([guards(1, null)], { rounds: 1 }))).toEqual([]);
    const replaced = played([guards(1, 'Dan', { ...drawn, ...victim })], { rounds: 1 });
    expect(figuresOf('guard_score', replaced)).toEqual([]);
    expect(figuresOf('guard_usage', replaced)).toEqual([]);
  });
});

describe("the Werewolves' score", () => {
  const lost = tables({ match: match({ rounds: 4 }), players: players({ Ginger: [3, 'exile'], Leah: [4, 'exile'] }) });
  const lasted = tables({ match: match({ rounds: 2 }), players: players({ Leah: [1, 'exile'] }) });

  it('is half the rounds survived and half survival to the end, the mean over the pack', () => {
    expect(valueIn(figuresOf('werewolf_score', lost))).toBe((2 / 4 / 2 + 3 / 4 / 2) / 2);
    expect(valueIn(figuresOf('werewolf_score', lasted))).toBe((1 + 0) / 2);
  });

  it('weighs matches alike, however many Werewolves they have', () => {
    const alone = tables({ match: match({ rounds: 4 }), players: [player('Ginger')] });
    expect(figureIn(figuresOf('werewolf_score', lost, alone))).toMatchObject({
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
    const figures = figuresOf('werewolf_score', tables({ match: match({ rounds: 2 }), players: [ginger, leah] }));
    expect(valueIn(figures, { model: 'openai:two' })).toBe(1);
    expect(valueIn(figures, { model: 'openai:three' })).toBe(0);
    expect(valueIn(figures)).toBe(1 / 2);
  });

  it('is not known of a match that did not come to its end', () => {
    const unfinished = tables({ match: match({ rounds: 2, winner: null, end_reason: null }), players: players() });
    expect(figuresOf('werewolf_score', unfinished)).toEqual([]);
  });
});
