// Rules: presets, single options, and what is answered to options that cannot be.
import { describe, expect, it } from '@jest/globals';
import { rulebook } from '../../state/rulebook.ts';
import { presets, readRuleFlag, readRules } from '../../state/rules.ts';
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
  it('has 6 turns, bids to 10, majority, public and analysed ballots, scores in bands, and a pack that votes', () => {
    expect(readRules('wolf')).toEqual({
      debateTurns: 6,
      debateOrder: 'bidding',
      debatePasses: 1,
      debateLead: 'seed',
      bidScale: 10,
      exile: 'majority',
      exileTies: 'nobody',
      reveal: 'none',
      ballots: 'public',
      syntheticVotes: false,
      analysis: 'both',
      analyzeBallots: true,
      scores: 'bands',
      beliefs: 'off',
      sheriff: false,
      sheriffWeight: 1.5,
      pack: 'vote',
      wins: 'parity',
      maxRounds: 10,
      memory: 'summary',
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
    ['debateTurns', 0, 'Too small: expected number to be >=1'],
    ['debateTurns', 41, 'Too big: expected number to be <=40'],
    ['debateTurns', 2.5, 'expected int'],
    ['debateTurns', 'six', 'expected number, received string'],
    ['bidScale', 5, 'expected one of 4|10'],
    ['exile', 'random', 'expected one of "majority"|"plurality"'],
    ['exileTies', 'both', 'expected one of "nobody"|"random"|"pk"'],
    ['reveal', 'all', 'expected one of "none"|"team"|"role"'],
    ['ballots', true, 'expected one of "secret"|"public"'],
    ['syntheticVotes', 'yes', 'expected boolean, received string'],
    ['analysis', 'none', 'expected one of "both"|"self"|"peer"|"off"'],
    ['analyzeBallots', 1, 'expected boolean, received number'],
    ['scores', 'bars', 'expected one of "hidden"|"bands"|"numbers"'],
    ['beliefs', 'always', 'expected one of "off"|"each-round"|"each-statement"'],
    ['pack', 'all', 'expected one of "one"|"vote"'],
    ['maxRounds', 0, 'Too small: expected number to be >=1'],
    ['memory', 'none', 'expected one of "summary"|"full"'],
    ['maxWords', 4, 'Too small: expected number to be >=5'],
    ['honesty', 'no', 'expected one of "unsaid"|"permitted"|"required"|"forbidden"'],
    ['coaching', 'both', 'expected one of "none"|"paper"'],
    ['choiceTemperature', 2.1, 'Too big: expected number to be <=2'],
    ['talkTemperature', -1, 'Too small: expected number to be >=0'],
    ['protectSelf', 'no', 'expected boolean, received string'],
    ['protectRepeat', 0, 'expected boolean, received number'],
    ['checkTells', 'side', 'expected one of "role"|"team"'],
    ['debateOrder', 'seats', 'expected one of "bidding"|"round-robin"'],
    ['debatePasses', 6, 'Too big: expected number to be <=5'],
    ['debateLead', 'first', 'expected one of "seed"|"rotation"'],
    ['sheriff', 'yes', 'expected boolean, received string'],
    ['sheriffWeight', 3, 'expected one of 1|1.5|2'],
    ['wins', 'all', 'expected one of "parity"|"majority"|"edge"'],
    ['guardSelf', 1, 'expected boolean, received number'],
    ['guardRepeat', 'no', 'expected boolean, received string'],
    ['guardAndAntidote', 'both', 'expected one of "lives"|"dies"'],
    ['witchSelfSave', true, 'expected one of "always"|"first-night"|"never"'],
    ['witchBothPotions', 2, 'expected boolean, received number'],
    ['hunterPoisoned', 'no', 'expected boolean, received string'],
  ])('refuse %s=%j with what was expected', (name, value, expected) => {
    const message = refusal(() => readRules('wolf', { [name]: value }));
    expect(message).toContain(`Rule "${name}" cannot be ${JSON.stringify(value)}: `);
    expect(message).toContain(expected);
  });

  it.each(['turns', 'debateturns', 'constructor', 'toString'])('refuse the name %s, with all known ones', (name) => {
    expect(refusal(() => readRules('wolf', { [name]: 3 }))).toBe(
      `Unknown rule "${name}". Known rules: ${Object.keys(rulebook).join(', ')}.`,
    );
  });

  it('may be null where that is a value, whatever the preset says', () => {
    expect(readRules('arena', { choiceTemperature: null }).choiceTemperature).toBeNull();
    expect(refusal(() => readRules('wolf', { debateTurns: null }))).toContain('Rule "debateTurns" cannot be null');
  });

  it('refuse advice that invites to deceive where lying is forbidden', () => {
    expect(refusal(() => readRules('wolf', { honesty: 'forbidden', coaching: 'paper' }))).toContain(
      'Rule "coaching" cannot be "paper" where "honesty" is "forbidden"',
    );
  });

  it('refuse beliefs with each analysis where nothing is analysed', () => {
    expect(refusal(() => readRules('wolf', { beliefs: 'each-statement', analysis: 'off' }))).toContain(
      'Rule "beliefs" cannot be "each-statement" where "analysis" is "off"',
    );
  });
});

it.each(['werewolf', 'constructor', 'toString', '__proto__'])('refuses the rules %s, with the known ones', (name) => {
  expect(refusal(() => readRules(name))).toBe(
    `Unknown rules "${name}". Known rules: ${Object.keys(presets).join(', ')}.`,
  );
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
