// Boards, rules and seeds of all kinds, for fast-check.
import fc from 'fast-check';
import { readBoard, type Board } from '../state/boards.ts';
import { roles } from '../state/roles/index.ts';
import type { RuleValue } from '../state/rule.ts';

const upTo = (max: number) => fc.integer({ min: 0, max });

/** Boards of 6 to 16 players with any mix of the roles, the Werewolves fewer than the others. */
export const anyBoard = fc
  .record({
    Werewolf: fc.integer({ min: 1, max: 5 }),
    Seer: upTo(2),
    Doctor: upTo(2),
    Guard: upTo(2),
    Witch: upTo(2),
    Hunter: upTo(2),
    Villager: upTo(8),
  })
  .filter(({ Werewolf, ...village }) => {
    const others = Object.values(village).reduce((sum, count) => sum + count, 0);
    return Werewolf < others && Werewolf + others >= 6 && Werewolf + others <= 16;
  })
  .map((counts) => readBoard({ name: 'any', roles: counts }));

const one = fc.constantFrom;

/** Rules by what they need: few statements and rounds, so that many matches can be played. */
const anyOptions = fc
  .record({
    debateTurns: fc.integer({ min: 1, max: 2 }),
    debateOrder: one('bidding', 'round-robin'),
    debatePasses: fc.integer({ min: 1, max: 2 }),
    debateLead: one('seed', 'rotation'),
    bidScale: one(4, 10),
    maxRounds: fc.integer({ min: 1, max: 3 }),
    exile: one('majority', 'plurality'),
    exileTies: one('nobody', 'random', 'pk'),
    reveal: one('none', 'team', 'role'),
    ballots: one('secret', 'public'),
    syntheticVotes: fc.boolean(),
    analysis: one('both', 'self', 'peer', 'off', 'off', 'off', 'off'), // what costs most changes least
    analyzeBallots: fc.boolean(),
    scores: one('hidden', 'bands', 'numbers'),
    beliefs: one('off', 'each-round', 'each-statement'),
    pack: one('one', 'vote'),
    wins: one('parity', 'majority', 'edge'),
    sheriff: fc.boolean(),
    sheriffWeight: one(1, 1.5, 2),
    memory: one('summary', 'full'),
    maxWords: one(5, 80),
    coaching: one('none', 'paper'),
  })
  .map(
    ({
      debateTurns,
      bidScale,
      debatePasses,
      debateLead,
      sheriffWeight,
      exileTies,
      scores,
      analyzeBallots,
      ...rule
    }) => ({
      ...rule,
      ...(rule.exile === 'plurality' ? { exileTies } : {}),
      ...(rule.analysis === 'both' || rule.analysis === 'peer' ? { scores } : {}),
      ...(rule.analysis !== 'off' && rule.ballots === 'public' ? { analyzeBallots } : {}),
      ...(rule.debateOrder === 'bidding' ? { debateTurns, bidScale } : { debateLead }),
      ...(rule.debateOrder === 'round-robin' && rule.analysis === 'off' ? { debatePasses } : {}),
      ...(rule.sheriff ? { sheriffWeight } : {}),
      ...(rule.analysis === 'off' && rule.beliefs === 'each-statement' ? { beliefs: 'off' } : {}),
    }),
  );

/** What each role brings to the rules. */
const ofRoles: Readonly<Record<string, fc.Arbitrary<Record<string, RuleValue>>>> = {
  Doctor: fc.record({ protectSelf: fc.boolean(), protectRepeat: fc.boolean() }),
  Guard: fc.record({ guardSelf: fc.boolean(), guardRepeat: fc.boolean() }),
  Seer: fc.record({ checkTells: one('role', 'team') }),
  Witch: fc.record({ witchSelfSave: one('always', 'first-night', 'never'), witchBothPotions: fc.boolean() }),
  Hunter: fc.record({ hunterPoisoned: fc.boolean() }),
};
const clash = fc.record({ guardAndAntidote: one('lives', 'dies') });

const rulesOf = ({ roles: counts }: Board): fc.Arbitrary<Record<string, RuleValue>> => {
  const has = (role: string) => (counts[role] ?? 0) > 0;
  const brought = [...roles.keys()].filter(has).flatMap((role) => ofRoles[role] ?? []);
  const all = [anyOptions, ...brought, ...(has('Guard') && has('Witch') ? [clash] : [])];
  const hasBothKinds = has('Villager') && Object.keys(ofRoles).some(has); // or the rule `edge` is refused
  return fc
    .tuple(...all)
    .map((parts) => Object.assign({}, ...parts) as Record<string, RuleValue>)
    .map((rule) => (rule['wins'] === 'edge' && !hasBothKinds ? { ...rule, wins: 'parity' } : rule));
};

export const anySeed = fc.integer({ min: 0, max: 1e9 });

export interface Plan {
  board: Board;
  rule: Record<string, RuleValue>;
  seed: number;
}

/** A board with rules that can be played on it. */
export const anyPlan: fc.Arbitrary<Plan> = anyBoard.chain((board) =>
  fc.record({ board: fc.constant(board), rule: rulesOf(board), seed: anySeed }),
);
