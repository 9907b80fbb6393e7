// Rules on a board: which make no sense together or at a table, and why they are refused.
import { describe, expect, it } from '@jest/globals';
import { rulesOn } from '../../state/board-rules.ts';
import { boards, readBoard } from '../../state/boards.ts';
import { presets, readRules } from '../../state/rules.ts';

const on = (board: string, rule: Record<string, unknown> = {}, preset = 'wolf') =>
  rulesOn(readBoard(board), preset, rule);

describe('the preset plus', () => {
  it('has the rules as the paper has them', () => {
    expect(readRules('plus')).toEqual({
      ...readRules('wolf'),
      debateOrder: 'round-robin',
      exile: 'plurality',
      exileTies: 'pk',
      analysis: 'off',
      analyzeBallots: false,
      scores: 'hidden',
      beliefs: 'each-round',
      checkTells: 'team',
      wins: 'majority',
    });
  });

  it.each(Object.keys(boards).flatMap((board) => Object.keys(presets).map((preset) => [preset, board])))(
    'and every other: %s can be played on %s',
    (preset, board) => {
      expect(on(board, {}, preset).sheriff).toBe(boards[board]!.rules?.['sheriff'] ?? false);
    },
  );
});

describe('an option that decides nothing beside the others', () => {
  it.each([
    [{ sheriffWeight: 2 }, 'Rule "sheriffWeight" decides nothing where "sheriff" is not true'],
    [{ debatePasses: 2 }, 'Rule "debatePasses" decides nothing where "debateOrder" is not "round-robin"'],
    [{ debateLead: 'rotation' }, 'Rule "debateLead" decides nothing where "debateOrder" is not "round-robin"'],
    [
      { debateOrder: 'round-robin', debateTurns: 3 },
      'Rule "debateTurns" decides nothing where "debateOrder" is not "bidding"',
    ],
    [
      { debateOrder: 'round-robin', bidScale: 4 },
      'Rule "bidScale" decides nothing where "debateOrder" is not "bidding"',
    ],
  ])('is refused: %j', (rule, message) => {
    expect(() => on('classic-8', rule)).toThrow(RangeError);
    expect(() => on('classic-8', rule)).toThrow(message);
  });

  it('has its default where a preset brought it', () => {
    const rules = on('classic-8', { debateOrder: 'round-robin' }, 'arena');
    expect(rules).toMatchObject({ debateTurns: 6, bidScale: 10, debateOrder: 'round-robin' });
  });

  it('may be asked for at its default', () => {
    expect(on('classic-8', { sheriffWeight: 1.5 }).sheriffWeight).toBe(1.5);
  });
});

describe('an option of a role', () => {
  it.each([
    [
      'classic-8',
      { guardSelf: false },
      'Rule "guardSelf" decides nothing on board "classic-8": nobody is Guard there.',
    ],
    ['plus-9', { protectSelf: false }, 'Rule "protectSelf" decides nothing on board "plus-9": nobody is Doctor there.'],
    ['plus-10', { hunterPoisoned: true }, 'nobody is Hunter there'],
    ['plus-8', { witchBothPotions: true }, 'nobody is Witch there'],
  ])('that nobody has on %s is refused: %j', (board, rule, message) => {
    expect(() => on(board, rule)).toThrow(RangeError);
    expect(() => on(board, rule)).toThrow(message);
  });

  it('has its default on a board without the role where a preset brought it', () => {
    const board = { name: 'no-seer', roles: { Werewolf: 2, Guard: 1, Villager: 5 } };
    expect(rulesOn(board, 'plus').checkTells).toBe('role');
  });

  it('is kept where somebody has the role', () => {
    expect(on('plus-9', { hunterPoisoned: true, witchSelfSave: 'never' })).toMatchObject({
      hunterPoisoned: true,
      witchSelfSave: 'never',
    });
  });
});

describe('the rule wins=edge', () => {
  it('needs a village of both kinds', () => {
    const plain = { name: 'plain', roles: { Werewolf: 2, Villager: 6 } };
    const special = { name: 'special', roles: { Werewolf: 2, Seer: 2, Doctor: 2, Witch: 1 } };
    expect(() => rulesOn(plain, 'wolf', { wins: 'edge' })).toThrow('its village has no special roles');
    expect(() => rulesOn(special, 'wolf', { wins: 'edge' })).toThrow('no players without a special role');
    expect(on('plus-12', { wins: 'edge' }).wins).toBe('edge');
  });
});

it('a board’s own rules come before the preset and after single options', () => {
  const board = { name: 'mine', roles: { Werewolf: 2, Villager: 5 }, rules: { exile: 'plurality', maxRounds: 4 } };
  expect(rulesOn(board, 'wolf', { maxRounds: 3 })).toMatchObject({ exile: 'plurality', maxRounds: 3 });
  expect(on('plus-12-sheriff', { sheriff: false }).sheriff).toBe(false);
});
