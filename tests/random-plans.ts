// Random boards, rules and seeds for fast-check. They are drawn from the registers of roles and rules, so new roles and
// rules are covered.
import fc from 'fast-check';
import { z } from 'zod';
import { type Board, readBoard } from '../state/boards.ts';
import { roles } from '../state/roles/index.ts';
import { getCountedSide, type Role } from '../state/roles/role.ts';
import type { Rule, RuleValue } from '../state/rules/rule.ts';
import { isInactive, rulebook } from '../state/rulebook.ts';

const pack = [...roles.values()].filter((role) => getCountedSide(role) === 'werewolves');
const isPack = (name: string) => pack.some((role) => role.name === name);

/** Draws the number of players with a role: up to five Werewolves, two of a special role, eight Villagers. */
const anyCount = ({ name, special }: Role) => fc.integer({ min: 0, max: isPack(name) ? 5 : special ? 2 : 8 });

const doesFit = (counts: Readonly<Record<string, number>>) => {
  const entries = Object.entries(counts);
  const seats = entries.reduce((sum, [, count]) => sum + count, 0);
  const wolves = entries.reduce((sum, [name, count]) => (isPack(name) ? sum + count : sum), 0);
  return wolves > 0 && wolves * 2 < seats && seats >= 6 && seats <= 16;
};

/** Boards of 6 to 16 players with any mix of roles in which Werewolves are a minority. */
export const anyBoard = fc
  .record(Object.fromEntries([...roles.values()].map((role) => [role.name, anyCount(role)])))
  .filter(doesFit)
  .map((counts) => readBoard({ name: 'any', roles: counts }));

/** Lists the values of an option, from its schema. For a numeric range, lists the three lowest. */
export function listValues({ schema }: Pick<Rule, 'schema'>): RuleValue[] {
  const shape = z.toJSONSchema(schema) as {
    type?: string;
    enum?: RuleValue[];
    const?: RuleValue;
    anyOf?: { type?: string; const?: RuleValue }[];
    minimum?: number;
    maximum?: number;
  };
  if (shape.enum) return shape.enum;
  if (shape.const !== undefined) return [shape.const];
  if (shape.type === 'boolean') return [true, false];
  if (shape.anyOf?.some(({ type }) => type === 'null')) return [null];
  if (shape.anyOf?.every((one) => one.const !== undefined)) return shape.anyOf.map((one) => one.const!);
  if (shape.type === 'integer')
    return [0, 1, 2].map((more) => shape.minimum! + more).filter((value) => value <= shape.maximum!);
  throw new Error(`No values are known of the schema ${JSON.stringify(shape)}.`);
}

/** Draws a value. Expensive rules change least often, e.g. analyses, which everybody is asked after every statement. */
const anyValue = (name: string, rule: Rule) =>
  name === 'analysis'
    ? fc.constantFrom('off', 'off', 'off', ...listValues(rule))
    : fc.constantFrom(...listValues(rule));

type RuleSet = Record<string, RuleValue>;

const anyOptions: fc.Arbitrary<RuleSet> = fc.record(
  Object.fromEntries(Object.entries(rulebook).map(([name, rule]) => [name, anyValue(name, rule)])),
);

const isOnlyKind = ({ roles: counts }: Board, special: boolean) =>
  [...roles.values()].every((role) => isPack(role.name) || role.special === special || (counts[role.name] ?? 0) === 0);

/**
 * Selects rules that can be played together on a board. Leaves out rules that have no effect or exclude another rule.
 */
function selectPlayable(board: Board, drawn: RuleSet): RuleSet {
  const rules = { ...drawn };
  if (rules['beliefs'] === 'each-statement' && rules['analysis'] === 'off') rules['beliefs'] = 'off';
  if (rules['honesty'] === 'forbidden' && rules['coaching'] === 'paper') rules['coaching'] = 'none';
  if (rules['wins'] === 'edge' && (isOnlyKind(board, true) || isOnlyKind(board, false))) rules['wins'] = 'parity';
  if (rules['analysis'] !== 'off' && Number(rules['debatePasses']) > 1) rules['debatePasses'] = 1; // many statements
  return Object.fromEntries(Object.entries(rules).filter(([name]) => !isInactive(name, rules, board)));
}

export const anySeed = fc.integer({ min: 0, max: 1e9 });

export interface Plan {
  board: Board;
  rule: RuleSet;
  seed: number;
}

/** A board, with rules that can be played on it. */
export const anyPlan: fc.Arbitrary<Plan> = anyBoard.chain((board) =>
  fc.record({
    board: fc.constant(board),
    rule: anyOptions.map((drawn) => selectPlayable(board, drawn)),
    seed: anySeed,
  }),
);
