// Options that decide nothing beside the others, or on a board where nobody has what they are about.
import type { Board } from './boards.ts';
import type { Rules } from './common-rules.ts';
import { roleNamed, roles } from './roles/index.ts';
import type { Rule, RuleValue, RuleValues } from './rule.ts';
import { rulebook } from './rulebook.ts';
import { UsageError } from './usage-error.ts';

type Table = Pick<Board, 'name' | 'roles'>;

/** Where the values of options come from. */
interface Sources {
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
export function withoutIdle(rules: Rules, { asked, board, recorded }: Sources): Rules {
  const settled = Object.entries(rulebook).map(([name, rule]): [string, RuleValue] => {
    const value = rules[name]!;
    const rest = rule.idle ?? rule.default;
    if (value === rest || !isIdle(name, rules, board)) return [name, value];
    if (recorded && recorded[name] === value && isIdle(name, recorded, board)) return [name, value];
    const unmet = unmetNeed(rule, rules);
    const isOfBoard = board?.rules?.[name] === value && (!unmet || board.rules[unmet.option] === rules[unmet.option]);
    if (asked[name] === undefined && !isOfBoard) return [name, rest];
    if (unmet)
      throw new UsageError(
        `Rule "${name}" decides nothing where "${unmet.option}" is not ${unmet.values.map((known) => JSON.stringify(known)).join(' or ')}: leave it out, or set "${unmet.option}".`,
      );
    throw new UsageError(
      `Rule "${name}" decides nothing on board "${board!.name}": ${missingFrom(board!, name)}. Leave it out.`,
    );
  });
  return Object.fromEntries(settled) as Rules;
}

/** Whether an option decides nothing among these rules, on this board where one is given. */
export const isIdle = (name: string, rules: RuleValues, board?: Table) =>
  unmetNeed(rulebook[name]!, rules) !== null || (board !== undefined && missingFrom(board, name) !== null);

/** The roles that somebody has on a board. */
export const dealtRoles = ({ roles: counts }: Pick<Board, 'roles'>) =>
  Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [roleNamed(name)] : []));

/** The option for want of whose value this one decides nothing, or null. */
function unmetNeed({ needs = {} }: Rule, rules: RuleValues) {
  const unmet = Object.entries(needs).find(([option, values]) => !values.includes(rules[option]!));
  return unmet ? { option: unmet[0], values: unmet[1] } : null;
}

/** Who is missing on a board for an option to decide anything, e.g. "nobody is Guard there"; null: nobody. */
function missingFrom(board: Table, name: string): string | null {
  const { needsPower } = rulebook[name]!;
  const dealt = dealtRoles(board);
  const owner = [...roles.values()].find((role) => Object.hasOwn(role.rules, name));
  if (owner && !dealt.includes(owner)) return `nobody is ${owner.name} there`;
  const isHeld = dealt.some(({ powers }) => powers.some(({ verb }) => verb === needsPower));
  return needsPower === undefined || isHeld ? null : `nobody can ${needsPower} there`;
}
