// Boards, rules and seeds of all kinds, for fast-check.
import fc from 'fast-check';
import { readBoard } from '../state/boards.ts';
import { boardOf } from './table.ts';

const counts = fc.record({
  werewolves: fc.integer({ min: 1, max: 5 }),
  seers: fc.integer({ min: 0, max: 2 }),
  doctors: fc.integer({ min: 0, max: 2 }),
  villagers: fc.integer({ min: 0, max: 9 }),
});

/** Boards of 6 to 12 players, the Werewolves fewer than the others. */
export const anyBoard = counts
  .filter(({ werewolves, seers, doctors, villagers }) => {
    const others = seers + doctors + villagers;
    return werewolves < others && werewolves + others >= 6 && werewolves + others <= 12;
  })
  .map(({ werewolves, seers, doctors, villagers }) => readBoard(boardOf(werewolves, seers, doctors, villagers)));

const one = fc.constantFrom;

/** Rules that can be played; few statements and rounds, so that many matches can be. */
export const anyRules = fc
  .record({
    debateTurns: fc.integer({ min: 1, max: 3 }),
    maxRounds: fc.integer({ min: 1, max: 4 }),
    bidScale: one(4, 10),
    exile: one('majority', 'plurality'),
    exileTies: one('nobody', 'random'),
    reveal: one('none', 'team', 'role'),
    ballots: one('secret', 'public'),
    syntheticVotes: fc.boolean(),
    analysis: one('both', 'self', 'peer', 'off'),
    analyzeBallots: fc.boolean(),
    scores: one('hidden', 'bands', 'numbers'),
    beliefs: one('off', 'each-round', 'each-statement'),
    pack: one('one', 'vote'),
    memory: one('summary', 'full'),
    maxWords: one(5, 80),
    coaching: one('none', 'paper'),
    protectSelf: fc.boolean(),
    protectRepeat: fc.boolean(),
    checkTells: one('role', 'team'),
  })
  .map((rule) => (rule.analysis === 'off' && rule.beliefs === 'each-statement' ? { ...rule, beliefs: 'off' } : rule));

export const anySeed = fc.integer({ min: 0, max: 1e9 });
