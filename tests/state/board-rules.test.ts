// Rules on a board: which make no sense together or at a table, and why they are refused.
import { describe, expect, it } from '@jest/globals';
import { describeRules, rulesOn } from '../../state/board-rules.ts';
import { boards, readBoard } from '../../state/boards.ts';
import { presets, readRules } from '../../state/rules.ts';
import { UsageError } from '../../state/usage-error.ts';

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
    [{ exileTies: 'pk' }, 'Rule "exileTies" decides nothing where "exile" is not "plurality"'],
    [{ exileTies: 'random' }, 'Rule "exileTies" decides nothing where "exile" is not "plurality"'],
    [{ analysis: 'off', scores: 'numbers' }, 'Rule "scores" decides nothing where "analysis" is not "both" or "peer"'],
    [{ analysis: 'self', scores: 'bands' }, 'Rule "scores" decides nothing where "analysis" is not "both" or "peer"'],
    [
      { ballots: 'secret', analyzeBallots: true },
      'Rule "analyzeBallots" decides nothing where "ballots" is not "public"',
    ],
    [
      { analysis: 'off', analyzeBallots: true },
      'Rule "analyzeBallots" decides nothing where "analysis" is not "both" or "self" or "peer"',
    ],
  ])('is refused: %j', (rule, message) => {
    expect(() => on('classic-8', rule)).toThrow(UsageError);
    expect(() => on('classic-8', rule)).toThrow(message);
  });

  it('has its default where a preset brought it', () => {
    const rules = on('classic-8', { debateOrder: 'round-robin' }, 'arena');
    expect(rules).toMatchObject({ debateTurns: 6, bidScale: 10, debateOrder: 'round-robin' });
    expect(on('plus-8', { exile: 'majority' }, 'plus').exileTies).toBe('nobody');
  });

  it('is hidden or off where nothing is analysed, and may be asked to be', () => {
    const nothing = { scores: 'hidden', analyzeBallots: false };
    expect(on('classic-8', { analysis: 'off' })).toMatchObject(nothing);
    expect(on('classic-8', { analysis: 'off', ...nothing })).toMatchObject(nothing);
    expect(on('classic-8', { ballots: 'secret' })).toMatchObject({ scores: 'bands', analyzeBallots: false });
    expect(() => on('classic-8', { analyzeBallots: true }, 'arena')).toThrow('"analysis" is not "both"');
  });

  it('has its default where the board brought it and a single option makes it idle', () => {
    const board = { ...readBoard('plus-8'), rules: { sheriff: true, sheriffWeight: 2 } };
    expect(rulesOn(board, 'wolf').sheriffWeight).toBe(2);
    expect(rulesOn(board, 'wolf', { sheriff: false })).toMatchObject({ sheriff: false, sheriffWeight: 1.5 });
  });

  it('is passed over where the preset makes that of a board idle', () => {
    const board = { ...readBoard('classic-8'), rules: { debateTurns: 4 } };
    expect(rulesOn(board, 'wolf').debateTurns).toBe(4);
    expect(rulesOn(board, 'plus').debateTurns).toBe(6);
  });

  it('is refused where the board contradicts itself', () => {
    const own = (rules: Record<string, string | number | boolean>) => () =>
      rulesOn({ ...readBoard('classic-8'), rules }, 'wolf');
    expect(own({ sheriff: false, sheriffWeight: 2 })).toThrow('Rule "sheriffWeight" decides nothing');
    expect(own({ guardSelf: false })).toThrow('nobody is Guard there');
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
    ['plus-9', { guardAndAntidote: 'dies' }, 'nobody is Guard there'],
    [
      'plus-8',
      { guardAndAntidote: 'dies' },
      'Rule "guardAndAntidote" decides nothing on board "plus-8": nobody can save',
    ],
  ])('that nobody has on %s is refused: %j', (board, rule, message) => {
    expect(() => on(board, rule)).toThrow(UsageError);
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

describe('a match that was begun before', () => {
  const recorded = { ...readRules('wolf'), exileTies: 'random', guardAndAntidote: 'dies', debatePasses: 3 };
  const resumed = (options = {}) => rulesOn(readBoard('plus-8'), 'wolf', options, recorded);

  it('keeps options that decided nothing in it', () => {
    expect(resumed()).toEqual(recorded);
    expect(resumed({ exileTies: 'random' })).toEqual(recorded);
    expect(resumed({ maxRounds: 3 })).toEqual({ ...recorded, maxRounds: 3 });
  });

  it('takes no more of them', () => {
    expect(() => resumed({ exileTies: 'pk' })).toThrow('Rule "exileTies" decides nothing');
    const played = { ...recorded, exile: 'plurality' };
    expect(rulesOn(readBoard('plus-8'), 'wolf', { exile: 'majority' }, played).exileTies).toBe('nobody');
  });
});

describe('rules in a few words', () => {
  const onBoard = (name: string, rule = {}, preset = 'wolf') =>
    describeRules(on(name, rule, preset), { name, roles: boards[name]!.roles });

  it('are the nearest preset and what differs from it', () => {
    expect(onBoard('classic-8', {}, 'arena')).toBe('preset arena');
    expect(onBoard('classic-8', { honesty: 'forbidden', maxRounds: 3 }, 'arena')).toBe(
      'preset arena with maxRounds=3, honesty=forbidden',
    );
  });

  it.each(Object.keys(boards).flatMap((board) => Object.keys(presets).map((preset) => [preset, board])))(
    'are preset %s and no more on %s',
    (preset, board) => {
      expect(onBoard(board, {}, preset)).toBe(`preset ${preset}`);
    },
  );

  it('are no more than the preset on a board without a role that it has a rule for', () => {
    const board = { name: 'talk-only', roles: { Werewolf: 2, Villager: 7 } };
    expect(describeRules(rulesOn(board, 'plus'), board)).toBe('preset plus');
  });

  it('leave out what decides nothing', () => {
    expect(onBoard('classic-8', { ballots: 'secret' })).toBe('preset wolf with ballots=secret');
    expect(onBoard('plus-8', { sheriff: false }, 'plus')).toBe('preset plus with sheriff=false');
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
