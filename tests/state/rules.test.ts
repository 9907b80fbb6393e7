// Rules: presets, single options, and reasons for refusals.
import { describe, expect, it } from '@jest/globals';
import { boards, readBoard } from '../../state/boards.ts';
import { listPresetNames, presets } from '../../state/presets.ts';
import {
  describeRules,
  listGroundWords,
  readRuleFlag,
  readRules,
  resolveBoardRules,
  rulebook,
} from '../../state/rulebook.ts';
import { UsageError } from '../../state/usage-error.ts';

const refusal = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error('It was not refused.');
};

describe('the preset wolf', () => {
  it('has 6 turns, bids of all to 10, ties by lot, majority, public and analysed ballots, hidden scores, kept thoughts, and a pack that votes', () => {
    expect(readRules('wolf')).toEqual({
      debateTurns: 6,
      disclose: false,
      debateOrder: 'bidding',
      debatePasses: 1,
      debateLead: 'seed',
      bidScale: 10,
      turn: 'bid',
      bidders: 'all',
      bidTies: 'lot',
      exile: 'majority',
      exileTies: 'nobody',
      reveal: 'none',
      ballots: 'public',
      syntheticVotes: false,
      analysis: 'both',
      analyzeBallots: true,
      questions: 'probability',
      questionOrder: 'fixed',
      selfReport: 'without-notes',
      scores: 'hidden',
      scoresFrom: 'all',
      beliefs: 'off',
      sheriff: false,
      sheriffWeight: 1.5,
      pack: 'vote',
      wins: 'parity',
      maxRounds: 10,
      memory: 'summary',
      historyK: 5,
      historyRetriever: 'bm25',
      thoughts: 'kept',
      ballotReasons: true,
      peerSuspects: true,
      sheriffCandidates: 'volunteers',
      voteSummary: false,
      maxWords: 80,
      honesty: 'unsaid',
      coaching: 'none',
      choiceTemperature: null,
      talkTemperature: null,
      protectSelf: true,
      protectRepeat: true,
      guardSelf: true,
      guardRepeat: false,
      guardAndAntidote: 'lives',
      witchSelfSave: 'first-night',
      witchBothPotions: false,
      hunterPoisoned: false,
      checkTells: 'role',
    });
  });
});

describe('the preset arena', () => {
  it('differs from wolf in turns, bids, ballots, synthetic votes, analysis, the pack and temperatures', () => {
    expect(readRules('arena')).toEqual({
      ...readRules('wolf'),
      debateTurns: 8,
      bidScale: 4,
      bidders: 'others',
      bidTies: 'named-twice',
      thoughts: 'none',
      ballots: 'secret',
      syntheticVotes: true,
      analysis: 'off',
      analyzeBallots: false,
      scores: 'hidden',
      pack: 'one',
      choiceTemperature: 0.5,
      talkTemperature: 1,
    });
  });
});

describe('single options', () => {
  it('go before the preset', () => {
    expect(readRules('arena', { debateTurns: 2, ballots: 'public' })).toEqual({
      ...readRules('arena'),
      debateTurns: 2,
      ballots: 'public',
    });
  });

  it.each([
    ['debateTurns', 0, 'must be 1 or more'],
    ['debateTurns', 41, 'must be at most 40'],
    ['debateTurns', 2.5, 'must be a whole number'],
    ['debateTurns', 'six', 'must be a number'],
    ['bidScale', 5, 'must be one of 4, 10'],
    ['exile', 'random', 'must be one of majority, plurality'],
    ['exileTies', 'both', 'must be one of nobody, random, pk'],
    ['reveal', 'all', 'must be one of none, team, role'],
    ['ballots', true, 'must be one of secret, public'],
    ['syntheticVotes', 'yes', 'must be true or false'],
    ['analysis', 'none', 'must be one of both, self, peer, off'],
    ['analyzeBallots', 1, 'must be true or false'],
    ['questions', 'old', 'must be one of probability, paper'],
    ['questionOrder', 'drawn', 'must be one of fixed, random'],
    ['selfReport', 'notes', 'must be one of with-notes, without-notes'],
    ['scores', 'bars', 'must be one of hidden, bands, numbers'],
    ['beliefs', 'always', 'must be one of off, each-round, each-statement'],
    ['pack', 'all', 'must be one of one, vote'],
    ['maxRounds', 0, 'must be 1 or more'],
    ['memory', 'none', 'must be one of summary, full'],
    ['thoughts', 'some', 'must be one of this-round, kept'],
    ['maxWords', 4, 'must be 5 or more'],
    ['honesty', 'no', 'must be one of unsaid, permitted, required, forbidden'],
    ['coaching', 'both', 'must be one of none, paper'],
    ['choiceTemperature', 2.1, 'must be at most 2'],
    ['talkTemperature', -1, 'must be 0 or more'],
    ['protectSelf', 'no', 'must be true or false'],
    ['protectRepeat', 0, 'must be true or false'],
    ['checkTells', 'side', 'must be one of role, team'],
    ['debateOrder', 'seats', 'must be one of bidding, round-robin'],
    ['debatePasses', 6, 'must be at most 5'],
    ['debateLead', 'first', 'must be one of seed, rotation'],
    ['sheriff', 'yes', 'must be true or false'],
    ['sheriffWeight', 3, 'must be one of 1, 1.5, 2'],
    ['wins', 'all', 'must be one of parity, majority, edge'],
    ['guardSelf', 1, 'must be true or false'],
    ['guardRepeat', 'no', 'must be true or false'],
    ['guardAndAntidote', 'both', 'must be one of lives, dies'],
    ['witchSelfSave', true, 'must be one of always, first-night, never'],
    ['witchBothPotions', 2, 'must be true or false'],
    ['hunterPoisoned', 'no', 'must be true or false'],
  ])('refuse %s=%j with what was expected', (name, value, expected) => {
    const message = refusal(() => readRules('wolf', { [name]: value }));
    expect(message).toContain(`Rule "${name}" cannot be ${JSON.stringify(value)}: `);
    expect(message).toContain(expected);
  });

  it.each(['turns', 'debateturns', 'constructor', 'toString'])('refuse the name %s, with all known ones', (name) => {
    expect(refusal(() => readRules('wolf', { [name]: 3 }))).toBe(
      `Unknown rule "${name}". ${
        new Map([
          ['debateturns', 'Did you mean "debateTurns"? '],
          ['turns', 'Did you mean "turn"? '],
        ]).get(name) ?? ''
      }Known rules: ${Object.keys(rulebook).join(', ')}.`,
    );
  });

  it('may be null where that is a value, whatever the preset says', () => {
    expect(readRules('arena', { choiceTemperature: null }).choiceTemperature).toBeNull();
    expect(refusal(() => readRules('wolf', { debateTurns: null }))).toContain('Rule "debateTurns" cannot be null');
  });

  it('refuse advice that invites to deceive where lying is forbidden', () => {
    expect(refusal(() => readRules('wolf', { honesty: 'forbidden', coaching: 'paper' }))).toContain(
      'Rule "coaching" cannot be "paper" if "honesty" is "forbidden"',
    );
  });

  it('refuse beliefs with each analysis where nothing is analysed', () => {
    expect(refusal(() => readRules('wolf', { beliefs: 'each-statement', analysis: 'off' }))).toContain(
      'Rule "beliefs" cannot be "each-statement" if "analysis" is "off"',
    );
  });
});

it.each(['werewolf', 'constructor', 'toString', '__proto__'])('refuses the rules %s, with the known ones', (name) => {
  expect(refusal(() => readRules(name))).toBe(`Unknown rules "${name}". Known rules: ${listPresetNames()}.`);
});

it('gives every option a default that it allows, and says what it decides', () => {
  for (const { schema, default: usual, about } of Object.values(rulebook)) {
    expect(schema.parse(usual)).toBe(usual);
    expect(about).toMatch(/^[A-Z].+\.$/);
  }
});

describe('an option as typed on a command line', () => {
  it.each([
    ['debateTurns=2', 'debateTurns', 2],
    ['choiceTemperature=0.5', 'choiceTemperature', 0.5],
    ['syntheticVotes=true', 'syntheticVotes', true],
    ['syntheticVotes=false', 'syntheticVotes', false],
    ['choiceTemperature=null', 'choiceTemperature', null],
    ['beliefs=each-round', 'beliefs', 'each-round'],
    ['honesty=', 'honesty', ''],
    ['honesty=a=b', 'honesty', 'a=b'],
    ['honesty=constructor', 'honesty', 'constructor'],
    ['choiceTemperature= ', 'choiceTemperature', ' '],
  ])('%s is read', (flag, name, value) => {
    expect(readRuleFlag(flag)).toEqual([name, value]);
  });

  it.each(['debateTurns', '=2', 'debate turns=2', ''])('%j is refused', (flag) => {
    expect(refusal(() => readRuleFlag(flag))).toBe(`--rule takes key=value, not "${flag}".`);
  });
});

// Rules on a board: combinations that make no sense, and descriptions.

const on = (board: string, rule: Record<string, unknown> = {}, preset = 'wolf') =>
  resolveBoardRules(readBoard(board), preset, rule);

describe('the preset plus', () => {
  it('has the rules as the paper has them', () => {
    expect(readRules('plus')).toEqual({
      ...readRules('wolf'),
      bidders: 'others',
      bidTies: 'named-twice',
      thoughts: 'this-round',
      debateOrder: 'round-robin',
      exile: 'plurality',
      exileTies: 'pk',
      analysis: 'off',
      analyzeBallots: false,
      scores: 'hidden',
      beliefs: 'each-round',
      checkTells: 'team',
      wins: 'majority',
      hunterPoisoned: true,
      witchSelfSave: 'always',
      choiceTemperature: 1,
      talkTemperature: 1,
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
    [{ sheriffWeight: 2 }, 'Rule "sheriffWeight" has no effect unless "sheriff" is true'],
    [{ debatePasses: 2 }, 'Rule "debatePasses" has no effect unless "debateOrder" is "round-robin"'],
    [{ debateLead: 'rotation' }, 'Rule "debateLead" has no effect unless "debateOrder" is "round-robin"'],
    [
      { debateOrder: 'round-robin', debateTurns: 3 },
      'Rule "debateTurns" has no effect unless "debateOrder" is "bidding"',
    ],
    [{ debateOrder: 'round-robin', bidScale: 4 }, 'Rule "bidScale" has no effect unless "debateOrder" is "bidding"'],
    [{ exileTies: 'pk' }, 'Rule "exileTies" has no effect unless "exile" is "plurality"'],
    [{ exileTies: 'random' }, 'Rule "exileTies" has no effect unless "exile" is "plurality"'],
    [{ analysis: 'off', scores: 'numbers' }, 'Rule "scores" has no effect unless "analysis" is "both" or "peer"'],
    [{ analysis: 'self', scores: 'bands' }, 'Rule "scores" has no effect unless "analysis" is "both" or "peer"'],
    [{ ballots: 'secret', analyzeBallots: true }, 'Rule "analyzeBallots" has no effect unless "ballots" is "public"'],
    [
      { analysis: 'off', analyzeBallots: true },
      'Rule "analyzeBallots" has no effect unless "analysis" is "both" or "self" or "peer"',
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
    expect(on('classic-8', { ballots: 'secret' }, 'wolf@1')).toMatchObject({ scores: 'bands', analyzeBallots: false });
    expect(() => on('classic-8', { analyzeBallots: true }, 'arena')).toThrow('unless "analysis" is "both"');
  });

  it('has its default where the board brought it and a single option makes it idle', () => {
    const board = { ...readBoard('plus-8'), rules: { sheriff: true, sheriffWeight: 2 } };
    expect(resolveBoardRules(board, 'wolf').sheriffWeight).toBe(2);
    expect(resolveBoardRules(board, 'wolf', { sheriff: false })).toMatchObject({ sheriff: false, sheriffWeight: 1.5 });
  });

  it('is passed over where the preset makes that of a board idle', () => {
    const board = { ...readBoard('classic-8'), rules: { debateTurns: 4 } };
    expect(resolveBoardRules(board, 'wolf').debateTurns).toBe(4);
    expect(resolveBoardRules(board, 'plus').debateTurns).toBe(6);
  });

  it('is refused where the board contradicts itself', () => {
    const own = (rules: Record<string, string | number | boolean>) => () =>
      resolveBoardRules({ ...readBoard('classic-8'), rules }, 'wolf');
    expect(own({ sheriff: false, sheriffWeight: 2 })).toThrow('Rule "sheriffWeight" has no effect');
    expect(own({ guardSelf: false })).toThrow('nobody is Guard there');
  });

  it('may be asked for at its default', () => {
    expect(on('classic-8', { sheriffWeight: 1.5 }).sheriffWeight).toBe(1.5);
  });
});

describe('an option of a role', () => {
  it.each([
    ['classic-8', { guardSelf: false }, 'Rule "guardSelf" has no effect on board "classic-8": nobody is Guard there.'],
    // Setting the rule to its default is refused too.
    ['classic-8', { guardSelf: true }, 'Rule "guardSelf" has no effect on board "classic-8"'],
    ['plus-9', { protectSelf: false }, 'Rule "protectSelf" has no effect on board "plus-9": nobody is Doctor there.'],
    ['plus-10', { hunterPoisoned: true }, 'nobody is Hunter there'],
    ['plus-8', { witchBothPotions: true }, 'nobody is Witch there'],
    ['plus-9', { guardAndAntidote: 'dies' }, 'nobody is Guard there'],
    [
      'plus-8',
      { guardAndAntidote: 'dies' },
      'Rule "guardAndAntidote" has no effect on board "plus-8": nobody can save',
    ],
  ])('that nobody has on %s is refused: %j', (board, rule, message) => {
    expect(() => on(board, rule)).toThrow(UsageError);
    expect(() => on(board, rule)).toThrow(message);
  });

  it('has its default on a board without the role where a preset brought it', () => {
    const board = { name: 'no-seer', roles: { Werewolf: 2, Guard: 1, Villager: 5 } };
    expect(resolveBoardRules(board, 'plus').checkTells).toBe('role');
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
  const resumed = (options = {}) => resolveBoardRules(readBoard('plus-8'), 'wolf', options, recorded);

  it('keeps options that decided nothing in it', () => {
    expect(resumed()).toEqual(recorded);
    expect(resumed({ exileTies: 'random' })).toEqual(recorded);
    expect(resumed({ maxRounds: 3 })).toEqual({ ...recorded, maxRounds: 3 });
  });

  it('takes no more of them', () => {
    expect(() => resumed({ exileTies: 'pk' })).toThrow('Rule "exileTies" has no effect');
    const played = { ...recorded, exile: 'plurality' };
    expect(resolveBoardRules(readBoard('plus-8'), 'wolf', { exile: 'majority' }, played).exileTies).toBe('nobody');
  });
});

describe('rules in a few words', () => {
  const onBoard = (name: string, rule = {}, preset = 'wolf') =>
    describeRules(on(name, rule, preset), { name, roles: boards[name]!.roles });

  it('are the nearest preset and what differs from it', () => {
    expect(onBoard('classic-8', {}, 'arena')).toBe('preset arena@2');
    expect(onBoard('classic-8', { honesty: 'forbidden', maxRounds: 3 }, 'arena')).toBe(
      'preset arena@2 with maxRounds=3, honesty=forbidden',
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
    expect(describeRules(resolveBoardRules(board, 'plus'), board)).toBe('preset plus@2');
  });

  it('are words of a command that plays the same', () => {
    expect(listGroundWords('classic-8', on('classic-8'))).toEqual([]);
    expect(listGroundWords('plus-12', on('plus-12', { maxRounds: 3 }, 'arena'))).toEqual(
      ['--board', 'plus-12', '--rules', 'arena@2', '--rule', 'maxRounds=3'], // prettier-ignore
    );
    expect(listGroundWords('tiny', on('classic-8')).slice(0, 2)).toEqual(['--board', 'FILE']);
  });

  it('leave out what decides nothing', () => {
    expect(onBoard('classic-8', { ballots: 'secret' })).toBe('preset wolf@2 with ballots=secret');
    expect(onBoard('plus-8', { sheriff: false }, 'plus')).toBe('preset plus@2 with sheriff=false');
  });
});

describe('the rule wins=edge', () => {
  it('needs a village of both kinds', () => {
    const plain = { name: 'plain', roles: { Werewolf: 2, Villager: 6 } };
    const special = { name: 'special', roles: { Werewolf: 2, Seer: 2, Doctor: 2, Witch: 1 } };
    expect(() => resolveBoardRules(plain, 'wolf', { wins: 'edge' })).toThrow('its village has no special roles');
    expect(() => resolveBoardRules(special, 'wolf', { wins: 'edge' })).toThrow('no players without a special role');
    expect(on('plus-12', { wins: 'edge' }).wins).toBe('edge');
  });
});

it('a board’s own rules come before the preset and after single options', () => {
  const board = { name: 'mine', roles: { Werewolf: 2, Villager: 5 }, rules: { exile: 'plurality', maxRounds: 4 } };
  expect(resolveBoardRules(board, 'wolf', { maxRounds: 3 })).toMatchObject({ exile: 'plurality', maxRounds: 3 });
  expect(on('plus-12-sheriff', { sheriff: false }).sheriff).toBe(false);
});
