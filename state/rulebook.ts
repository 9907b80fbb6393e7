// The rules of a match: the register of all options, how the rules of a board are read from them, and how
// rules are described in a few words.
import { z } from 'zod';
import { type Board, boards } from './boards.ts';
import { getRole, roles } from './roles/index.ts';
import { presets, resolvePreset } from './presets.ts';
import { describeIssue, describeNearName, UsageError } from './usage-error.ts';
import { commonRules, type Rules } from './rules/common-rules.ts';
import type { Rule, RuleValue, RuleValues } from './rules/rule.ts';

/** Every option of a match by name: the common ones, then those of all roles. */
export const rulebook: Readonly<Record<string, Rule>> = Object.fromEntries([
  ...Object.entries(commonRules as unknown as Record<string, Rule>), // each option is typed more narrowly than a register can be
  ...[...roles.values()].flatMap((role) => Object.entries(role.rules)),
]);

// Reading rules.

/** Where rules come from besides the preset and single options. */
interface RuleSources {
  board?: Board | undefined;
  /** The rules of a match that was begun before: they replace those of preset and board. */
  recorded?: RuleValues | undefined;
}

/**
 * The rules of a match on a board in full: defaults, then the preset, then the board's own, then single options.
 * `recorded` are the rules of a match that was begun before: they replace those of preset and board, and options that
 * had no effect there keep their value. Throws a UsageError with the reason for options that are unknown or make no
 * sense on this board.
 *
 * @example resolveBoardRules(readBoard('classic-8'), 'arena', { debateTurns: 4 }).debateTurns // 4
 */
export function resolveBoardRules(
  board: Board,
  preset: string,
  options: Readonly<Record<string, unknown>> = {},
  recorded?: RuleValues,
): Rules {
  const rules = readRules(preset, options, { board, recorded });
  const kinds = new Set(
    listDealtRoles(board)
      .filter(({ team }) => team === 'villagers')
      .map(({ special }) => special),
  );
  if (rules.wins === 'edge' && kinds.size < 2)
    throw new UsageError(
      `Rule "wins" cannot be "edge" on board "${board.name}": its village has no ${kinds.has(true) ? 'players without a special role' : 'special roles'}.`,
    );
  return rules;
}

/**
 * The same where no board need be given. Options without an effect among the others, or on the board, get their idle
 * value. Throws a UsageError that names the value and the known ones, or says why it makes no sense.
 */
export function readRules(
  preset: string,
  options: Readonly<Record<string, unknown>> = {},
  { board, recorded }: RuleSources = {},
): Rules {
  const base = presets[resolvePreset(preset)];
  const beneath: Readonly<Record<string, unknown>> = recorded
    ? fillRecordedRules(recorded)
    : { ...base, ...board?.rules };
  const asked = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const rules = resetInactiveOptions(validateRules({ ...beneath, ...asked }), asked, { board, recorded });
  if (rules.beliefs === 'each-statement' && rules.analysis === 'off')
    throw new UsageError(
      'Rule "beliefs" cannot be "each-statement" where "analysis" is "off": they are asked together.',
    );
  if (rules.honesty === 'forbidden' && rules.coaching === 'paper')
    throw new UsageError(
      'Rule "coaching" cannot be "paper" where "honesty" is "forbidden": its advice invites some to deceive.',
    );
  return rules;
}

/** Every option, given or by default. Throws a UsageError for an unknown name or a value that its schema refuses. */
function validateRules(given: Readonly<Record<string, unknown>>): Rules {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(rulebook, name))
      throw new UsageError(
        `Unknown rule ${JSON.stringify(name)}. ${describeNearName(name, Object.keys(rulebook))}Known rules: ${Object.keys(rulebook).join(', ')}.`,
      );
  }
  const full = Object.fromEntries(
    Object.entries(rulebook).map(([name, rule]) => [name, given[name] === undefined ? rule.default : given[name]]),
  );
  for (const [name, value] of Object.entries(full)) {
    const fault = describeRuleFault(name, value);
    if (fault !== null) throw new UsageError(`Rule "${name}" cannot be ${JSON.stringify(value)}: it ${fault}.`);
  }
  return full as Rules;
}

/**
 * What a value of a known option must be, to follow its name and "it"; null where it is one.
 *
 * @example describeRuleFault('debateTurns', 0) // 'must be 1 or more'
 */
export function describeRuleFault(name: string, value: unknown): string | null {
  const { success, error } = rulebook[name]!.schema.safeParse(value, { error: describeIssue });
  return success ? null : z.prettifyError(error).replace(/^✖ /, '');
}

/** The rules of a record in full: options that were added after it was written have the value that was played until then. */
export const fillRecordedRules = (rules: RuleValues): Rules =>
  ({
    ...Object.fromEntries(
      Object.entries(rulebook).map(([name, rule]) => [name, rule.before === undefined ? rule.default : rule.before]),
    ),
    ...rules,
  }) as Rules;

/**
 * Reads `key=value` as typed on a command line: `true`, `false`, `null` and numbers become values of their type. Throws a
 * UsageError for anything else.
 *
 * @example readRuleFlag('debateTurns=4') // ['debateTurns', 4]
 */
export function readRuleFlag(flag: string): [name: string, value: RuleValue] {
  const [, name, text] = /^(\w+)=(.*)$/.exec(flag) ?? [];
  if (name === undefined || text === undefined) throw new UsageError(`--rule takes key=value, not "${flag}".`);
  const words = new Map<string, RuleValue>([
    ['true', true],
    ['false', false],
    ['null', null],
  ]);
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text));
  return [name, words.has(text) ? words.get(text)! : isNumber ? Number(text) : text];
}

// Options without an effect: they need another option, or a role or power that nobody has on the board.

type BoardRoles = Pick<Board, 'name' | 'roles'>;

/** Whether an option has no effect among these rules, or on this board where one is given. */
export const isInactive = (name: string, rules: RuleValues, board?: BoardRoles) =>
  findUnmetNeed(rulebook[name]!, rules) !== null || (board !== undefined && describeMissingRole(board, name) !== null);

/**
 * The options in which two sets of rules differ on a board, without those that decide nothing under either.
 *
 * @example listDecidingRules({ ...rules, maxRounds: 3 }, rules, board) // ['maxRounds']
 */
export const listDecidingRules = (one: RuleValues, other: RuleValues, board: BoardRoles): string[] =>
  Object.keys(rulebook).filter(
    (name) => one[name] !== other[name] && !(isInactive(name, one, board) && isInactive(name, other, board)),
  );

/** Whether `now` is an option's default, and `kept` what was played before it was known, so that nobody need have asked for either. */
export function isFormerDefault(name: string, kept: RuleValue, now: RuleValue): boolean {
  const { before, default: today } = rulebook[name]!;
  return before !== undefined && before !== today && kept === before && now === today;
}

/**
 * Sets options without an effect to their idle value, except where they had none in the recorded match either. Throws a
 * UsageError for one that the user has just asked for (`asked`), or that its own board sets in vain.
 */
function resetInactiveOptions(
  rules: Rules,
  asked: Readonly<Record<string, unknown>>,
  { board, recorded }: RuleSources,
): Rules {
  const settled = Object.entries(rulebook).map(([name, rule]): [string, RuleValue] => {
    const value = rules[name]!;
    const rest = rule.idle ?? rule.default;
    const isAsked = asked[name] !== undefined;
    if ((value === rest && !isAsked) || !isInactive(name, rules, board)) return [name, value];
    if (recorded && recorded[name] === value && isInactive(name, recorded, board)) return [name, value];
    const unmet = findUnmetNeed(rule, rules);
    if (value === rest && unmet) return [name, value]; // says what is so anyway
    const isOfBoard = board?.rules?.[name] === value && (!unmet || board.rules[unmet.option] === rules[unmet.option]);
    if (!isAsked && !isOfBoard) return [name, rest];
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

/** Another option, with the values that this one needs there to have an effect; null where it has all it needs. */
function findUnmetNeed({ needs = {} }: Rule, rules: RuleValues) {
  const unmet = Object.entries(needs).find(([option, values]) => !values.includes(rules[option]!));
  return unmet ? { option: unmet[0], values: unmet[1] } : null;
}

/** The role or power that is missing on a board for an option to have an effect, e.g. "nobody is Guard there", or null. */
function describeMissingRole(board: BoardRoles, name: string): string | null {
  const { needsPower } = rulebook[name]!;
  const dealt = listDealtRoles(board);
  const owner = [...roles.values()].find((role) => Object.hasOwn(role.rules, name));
  if (owner && !dealt.includes(owner)) return `nobody is ${owner.name} there`;
  const isHeld = dealt.some(({ powers }) => powers.some(({ verb }) => verb === needsPower));
  return needsPower === undefined || isHeld ? null : `nobody can ${needsPower} there`;
}

// What follows from the roles of a board.

/** The roles that somebody has on a board. */
export const listDealtRoles = ({ roles: counts }: Pick<Board, 'roles'>) =>
  Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [getRole(name)] : []));

/** The roles of the village on a board that have powers, by name. */
export const listSpecialRoles = (board: Pick<Board, 'roles'>) =>
  listDealtRoles(board)
    .filter(({ team, special }) => team === 'villagers' && special)
    .map(({ name }) => name);

// Describing rules.

/**
 * The nearest preset as it is played on the board, and the options that differ from it. Those without an effect there
 * are not named.
 *
 * @example describeRules(rules, board) // 'preset arena@2 with debateTurns=4'
 */
export function describeRules(rules: RuleValues, { name, roles }: Pick<Board, 'name' | 'roles'>): string {
  const board = { name, roles, rules: getBoardRules({ name, roles }) };
  const [nearest] = Object.keys(presets)
    .map((preset) => ({ preset, others: listDifferingRules(rules, readRules(preset, {}, { board }), board) }))
    .sort((one, other) => one.others.length - other.others.length);
  const { preset, others } = nearest!;
  return others.length === 0 ? `preset ${preset}` : `preset ${preset} with ${others.join(', ')}`;
}

/** The rules that a known board brings; a record does not keep those of another. */
function getBoardRules({ name, roles }: Pick<Board, 'name' | 'roles'>): RuleValues {
  const known = Object.hasOwn(boards, name) ? boards[name] : undefined;
  return known && JSON.stringify(known.roles) === JSON.stringify(roles) ? (known.rules ?? {}) : {};
}

const listDifferingRules = (rules: RuleValues, preset: RuleValues, board: Board) =>
  Object.entries(rules)
    .filter(([name, value]) => value !== preset[name] && !isInactive(name, rules, board))
    .map(([name, value]) => `${name}=${String(value)}`);
