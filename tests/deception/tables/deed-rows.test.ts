// The rows of deeds: powers and last acts, used or left unused.
import { describe, expect, it } from '@jest/globals';
import { deedRows } from '../../../deception/tables/deed-rows.ts';
import { happened, matchOf, removed } from '../match-builder.ts';

const night = (rest: object) => happened({ phase: 'night', ...rest });
const picked = (target: string, changes: object = {}) =>
  night({ type: 'pick', audience: ['Ginger'], verb: 'eliminate', target, ...changes });
const acted = (by: string, verb: string, target: string, changes: object = {}) =>
  night({ type: 'acted', audience: [by], by, verb, target, ...changes });
const passed = (by: string, verb: string, changes: object = {}) =>
  night({ type: 'passed', audience: [by], by, verb, ...changes });
const shoots = (by: string, target: string) => happened({ type: 'last_act', by, verb: 'shoot', target });
const shot = (player: string) => happened({ type: 'death', player, cause: 'last_act' });

const rowsOf = (...events: Parameters<typeof matchOf>[0]) => deedRows(matchOf(events));

describe('the row of a deed', () => {
  it('says who did what to whom', () => {
    expect(rowsOf(acted('Dan', 'unmask', 'Ginger'))).toEqual([
      {
        ...{ match_id: 'm1', round: 1, verb: 'unmask', aim: 'learn', is_joint: false, is_last_act: false },
        ...{ by: 'Dan', by_role: 'Seer', by_team: 'villagers', by_model: 'openai:one', by_is_bot: false },
        ...{ target: 'Ginger', target_role: 'Werewolf', target_team: 'werewolves' },
        ...{ is_on_victim: false, is_fatal: false, is_drawn: false },
      },
    ]);
  });

  it("says which were drawn in the player's stead", () => {
    const rows = rowsOf(
      acted('Dan', 'unmask', 'Ginger', { mark: 'fallback' }),
      picked('Will', { mark: 'refusal' }),
      passed('Dan', 'guard', { mark: 'fallback' }),
    );
    expect(rows.map((row) => row.is_drawn)).toEqual([true, true, true]);
  });

  it('has no target where a power was left unused', () => {
    expect(rowsOf(picked('Will'), passed('Dan', 'guard'))[1]).toMatchObject({
      ...{ by: 'Dan', verb: 'guard', aim: 'shield', is_last_act: false },
      ...{ target: null, target_role: null, target_team: null, is_on_victim: null, is_fatal: null },
    });
  });
});

describe('a deed of the pack', () => {
  it('is one row by its first living member', () => {
    expect(rowsOf(picked('Will'), removed(1, 'Will', 'night'))).toMatchObject([
      { by: 'Ginger', by_model: 'openai:two', is_joint: true, verb: 'eliminate', is_on_victim: true, is_fatal: true },
    ]);
  });

  it('makes its target the victim of that night alone, whether or not anybody saved it', () => {
    const rows = rowsOf(
      picked('Will'),
      acted('Dan', 'protect', 'Will'),
      acted('Dan', 'unmask', 'Leah'),
      acted('Dan', 'protect', 'Will', { round: 2 }),
    );
    expect(rows.map(({ verb, is_on_victim: on, is_fatal: fatal }) => [verb, on, fatal])).toEqual([
      ['eliminate', true, false],
      ['protect', true, false],
      ['unmask', false, false],
      ['protect', false, false],
    ]);
  });
});

describe('a deed in the night', () => {
  it('is fatal where its target left in that night, not by day or in another one', () => {
    const fatal = (...events: Parameters<typeof matchOf>[0]) =>
      rowsOf(acted('Dan', 'poison', 'Will'), ...events)[0]!.is_fatal;
    expect(fatal(removed(1, 'Will', 'night'))).toBe(true);
    expect(fatal(removed(1, 'Will', 'exile'))).toBe(false);
    expect(fatal(removed(2, 'Will', 'night'))).toBe(false);
    expect(fatal(removed(1, 'Leah', 'night'))).toBe(false);
  });

  it('counts though who did it left in the same night', () => {
    expect(rowsOf(picked('Dan'), acted('Dan', 'unmask', 'Ginger'), removed(1, 'Dan', 'night'))).toHaveLength(2);
  });
});

describe('a last act', () => {
  it('says whom it took along, without any victim of a night', () => {
    expect(rowsOf(picked('Dan'), removed(1, 'Dan', 'night'), shoots('Dan', 'Ginger'), shot('Ginger'))[1]).toMatchObject(
      {
        ...{ by: 'Dan', verb: 'shoot', aim: 'harm', is_last_act: true, is_joint: false },
        ...{ target: 'Ginger', is_on_victim: null, is_fatal: true },
      },
    );
  });

  it('is one too where it is left undone, by night or by day', () => {
    const rows = rowsOf(passed('Dan', 'shoot'), passed('Will', 'shoot', { phase: 'day' }));
    expect(rows).toMatchObject([
      { by: 'Dan', verb: 'shoot', is_last_act: true, target: null, is_fatal: null },
      { by: 'Will', verb: 'shoot', is_last_act: true, target: null, is_fatal: null },
    ]);
  });
});
