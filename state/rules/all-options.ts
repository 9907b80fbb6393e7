// Every option of a match, the common ones and those of all roles, and which of them have no effect on a board.
import type { Board } from '../boards.ts';
import { getRole, roles } from '../roles/index.ts';
import { UsageError } from '../usage-error.ts';
import { commonRules, type Rules } from './options.ts';
import type { Rule, RuleValue, RuleValues } from './rule.ts';

/** Every option by name. */
export const rulebook: Readonly<Record<string, Rule>> = Object.fromEntries([
  ...Object.entries(commonRules as unknown as Record<string, Rule>), // each option is typed more narrowly than a register can be
  ...[...roles.values()].flatMap((role) => Object.entries(role.rules)),
]);

// Options that decide nothing beside the others, or on a board where nobody has what they are about.

type BoardRoles = Pick<Board, 'name' | 'roles'>;

/** Where the values of options come from. */
interface OptionSources {
  /** Single options, which somebody has just asked for. */
  asked: Readonly<Record<string, unknown>>;
  board?: Board | undefined;
  /** The rules of a match that was begun before. */
  recorded?: RuleValues | undefined;
}

/**
 * Puts options that decide nothing to their idle value, but leaves those alone that decided nothing in a recorded match
 * either. Throws a UsageError for one that was asked for, or that its own board makes idle.
 */
export function resetInactiveOptions(rules: Rules, { asked, board, recorded }: OptionSources): Rules {
  const settled = Object.entries(rulebook).map(([name, rule]): [string, RuleValue] => {
    const value = rules[name]!;
    const rest = rule.idle ?? rule.default;
    if (value === rest || !isInactive(name, rules, board)) return [name, value];
    if (recorded && recorded[name] === value && isInactive(name, recorded, board)) return [name, value];
    const unmet = findUnmetNeed(rule, rules);
    const isOfBoard = board?.rules?.[name] === value && (!unmet || board.rules[unmet.option] === rules[unmet.option]);
    if (asked[name] === undefined && !isOfBoard) return [name, rest];
    if (unmet)
      throw new UsageError(
        `Rule "${name}" decides nothing where "${unmet.option}" is not ${unmet.values.map((known) => JSON.stringify(known)).join(' or ')}: leave it out, or set "${unmet.option}".`,
      );
    throw new UsageError(
      `Rule "${name}" decides nothing on board "${board!.name}": ${describeMissingRole(board!, name)}. Leave it out.`,
    );
  });
  return Object.fromEntries(settled) as Rules;
}

/** Whether an option decides nothing among these rules, on this board where one is given. */
export const isInactive = (name: string, rules: RuleValues, board?: BoardRoles) =>
  findUnmetNeed(rulebook[name]!, rules) !== null || (board !== undefined && describeMissingRole(board, name) !== null);

/** The roles that somebody has on a board. */
export const listDealtRoles = ({ roles: counts }: Pick<Board, 'roles'>) =>
  Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [getRole(name)] : []));

/** The option for want of whose value this one decides nothing, or null. */
function findUnmetNeed({ needs = {} }: Rule, rules: RuleValues) {
  const unmet = Object.entries(needs).find(([option, values]) => !values.includes(rules[option]!));
  return unmet ? { option: unmet[0], values: unmet[1] } : null;
}

/** Who is missing on a board for an option to decide anything, e.g. "nobody is Guard there"; null: nobody. */
function describeMissingRole(board: BoardRoles, name: string): string | null {
  const { needsPower } = rulebook[name]!;
  const dealt = listDealtRoles(board);
  const owner = [...roles.values()].find((role) => Object.hasOwn(role.rules, name));
  if (owner && !dealt.includes(owner)) return `nobody is ${owner.name} there`;
  const isHeld = dealt.some(({ powers }) => powers.some(({ verb }) => verb === needsPower));
  return needsPower === undefined || isHeld ? null : `nobody can ${needsPower} there`;
}
