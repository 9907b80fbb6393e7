// The rulebook: the register of all rules, how the rules of a match are resolved, and how they are described in a few
// words.
import { z } from 'zod';
import { type Board, boards, readBoard } from './boards.ts';
import { defaultPlan } from './game.ts';
import { getRole, roles } from './roles/index.ts';
import { presets, resolvePreset } from './presets.ts';
import { describeIssue, describeNearName, UsageError } from './usage-error.ts';
import { commonRules, type Rules } from './rules/common-rules.ts';
import type { Rule, RuleValue, RuleValues } from './rules/rule.ts';

/** All rules of a match by name: first the common rules, then the rules of all roles. */
export const rulebook: Readonly<Record<string, Rule>> = Object.fromEntries([
  ...Object.entries(commonRules as unknown as Record<string, Rule>), // each rule has a narrower type than the register can have
  ...[...roles.values()].flatMap((role) => Object.entries(role.rules)),
]);

// Reading rules.

/** Sources of rules besides the preset and single options. */
interface RuleSources {
  board?: Board | undefined;
  /** Rules of a match that has already begun. They replace the rules of preset and board. */
  recorded?: RuleValues | undefined;
}

/**
 * Returns all rules of a match on a board. Defaults come first, overridden in turn by the preset, the board's own rules
 * and single options. `recorded` holds the rules of a match that has already begun. They replace the rules of preset
 * and board, and rules that had no effect in that match keep their value. Throws a UsageError with the reason if an
 * option is unknown or makes no sense on this board.
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
 * Returns all rules of a match, with or without a board. Rules that have no effect, because of other rules or on the
 * board, get their idle value. Throws a UsageError that names the value and the known values, or says why the value
 * makes no sense.
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
      'Rule "beliefs" cannot be "each-statement" if "analysis" is "off", because beliefs are asked for together with analyses.',
    );
  if (rules.honesty === 'forbidden' && rules.coaching === 'paper')
    throw new UsageError(
      'Rule "coaching" cannot be "paper" if "honesty" is "forbidden", because its advice tells some players to deceive.',
    );
  return rules;
}

/** Returns every rule, given or by default. Throws a UsageError if a name is unknown or a schema rejects a value. */
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
 * Returns the requirement that a value of a known rule violates, as words to follow the rule's name; null if the value
 * is valid.
 *
 * @example describeRuleFault('debateTurns', 0) // 'must be 1 or more'
 */
export function describeRuleFault(name: string, value: unknown): string | null {
  const { success, error } = rulebook[name]!.schema.safeParse(value, { error: describeIssue });
  return success ? null : z.prettifyError(error).replace(/^✖ /, '');
}

/**
 * Completes the rules of a record. Rules that were added after the record was written get the value that had been
 * implied until then.
 */
export const fillRecordedRules = (rules: RuleValues): Rules =>
  ({
    ...Object.fromEntries(
      Object.entries(rulebook).map(([name, rule]) => [name, rule.before === undefined ? rule.default : rule.before]),
    ),
    ...rules,
  }) as Rules;

/**
 * Parses `key=value` from a command line. `true`, `false`, `null` and numbers become values of their type. Throws a
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

// Rules without an effect: they need a certain value of another rule, or a role or power that nobody has on the board.

type BoardRoles = Pick<Board, 'name' | 'roles'>;

/** Returns whether a rule has no effect given the other rules, or on the board if one is given. */
export const isInactive = (name: string, rules: RuleValues, board?: BoardRoles) =>
  findUnmetNeed(rulebook[name]!, rules) !== null || (board !== undefined && describeMissingRole(board, name) !== null);

/**
 * Lists the rules in which two sets of rules differ on a board. Leaves out rules without an effect under either set.
 *
 * @example listDecidingRules({ ...rules, maxRounds: 3 }, rules, board) // ['maxRounds']
 */
export const listDecidingRules = (one: RuleValues, other: RuleValues, board: BoardRoles): string[] =>
  Object.keys(rulebook).filter(
    (name) => one[name] !== other[name] && !(isInactive(name, one, board) && isInactive(name, other, board)),
  );

/**
 * Returns whether `now` is a rule's default, and `kept` the value that was implied before the rule existed. If so, the
 * user may have chosen neither of the two values.
 */
export function isFormerDefault(name: string, kept: RuleValue, now: RuleValue): boolean {
  const { before, default: today } = rulebook[name]!;
  return before !== undefined && before !== today && kept === before && now === today;
}

/**
 * Sets rules without an effect to their idle value, unless they had no effect in the recorded match either. Throws a
 * UsageError if the user has just asked for such a rule (`asked`), or if the board sets one.
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
    if (value === rest && unmet) return [name, value]; // the value states what holds anyway
    const isOfBoard = board?.rules?.[name] === value && (!unmet || board.rules[unmet.option] === rules[unmet.option]);
    if (!isAsked && !isOfBoard) return [name, rest];
    if (unmet)
      throw new UsageError(
        `Rule "${name}" has no effect unless "${unmet.option}" is ${unmet.values.map((known) => JSON.stringify(known)).join(' or ')}. Leave it out, or set "${unmet.option}".`,
      );
    throw new UsageError(
      `Rule "${name}" has no effect on board "${board!.name}": ${describeMissingRole(board!, name)}. Leave it out.`,
    );
  });
  return Object.fromEntries(settled) as Rules;
}

/**
 * Finds another rule that prevents this rule from having an effect, and the values of that rule that would allow it.
 * Null if no rule does.
 */
function findUnmetNeed({ needs = {} }: Rule, rules: RuleValues) {
  const unmet = Object.entries(needs).find(([option, values]) => !values.includes(rules[option]!));
  return unmet ? { option: unmet[0], values: unmet[1] } : null;
}

/**
 * Describes the missing role or power without which a rule has no effect on the board, e.g. "nobody is Guard there";
 * null if none is missing.
 */
export function describeMissingRole(board: BoardRoles, name: string): string | null {
  const { needsPower } = rulebook[name]!;
  const dealt = listDealtRoles(board);
  const owner = [...roles.values()].find((role) => Object.hasOwn(role.rules, name));
  if (owner && !dealt.includes(owner)) return `nobody is ${owner.name} there`;
  const isHeld = dealt.some(({ powers }) => powers.some(({ verb }) => verb === needsPower));
  return needsPower === undefined || isHeld ? null : `nobody can ${needsPower} there`;
}

// Roles of a board.

/** Lists the roles that somebody has on a board. */
export const listDealtRoles = ({ roles: counts }: Pick<Board, 'roles'>) =>
  Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [getRole(name)] : []));

/** Lists the names of the village's roles on a board that have powers. */
export const listSpecialRoles = (board: Pick<Board, 'roles'>) =>
  listDealtRoles(board)
    .filter(({ team, special }) => team === 'villagers' && special)
    .map(({ name }) => name);

// Describing rules.

/**
 * Describes rules by the name of the preset that is most similar on this board, followed by the rules that differ from
 * the preset. Rules without an effect are left out.
 *
 * @example describeRules(rules, board) // 'preset arena@2 with debateTurns=4'
 */
export function describeRules(rules: RuleValues, { name, roles }: Pick<Board, 'name' | 'roles'>): string {
  const { preset, others } = findNearestPreset(rules, { name, roles });
  return others.length === 0 ? `preset ${preset}` : `preset ${preset} with ${others.join(', ')}`;
}

/** Finds the preset that differs least from these rules, and the rules in which they differ. */
function findNearestPreset(rules: RuleValues, { name, roles }: Pick<Board, 'name' | 'roles'>) {
  const board = { name, roles, rules: getBoardRules({ name, roles }) };
  const [nearest] = Object.keys(presets)
    .map((preset) => ({ preset, others: listDifferingRules(rules, readRules(preset, {}, { board }), board) }))
    .sort((one, other) => one.others.length - other.others.length);
  return nearest!;
}

/**
 * Lists the words of a command that plays this board under these rules; none for the defaults. `FILE` stands for a
 * board that is not built in.
 *
 * @example listGroundWords('plus-12', rules) // ['--board', 'plus-12', '--rules', 'plus@2', '--rule', 'debateTurns=4']
 */
export function listGroundWords(board: string, rules: RuleValues): string[] {
  const isKnown = Object.hasOwn(boards, board);
  const { preset, others } = findNearestPreset(rules, findNamedBoard(board));
  return [
    ...(board === defaultPlan.board ? [] : ['--board', isKnown ? board : 'FILE']),
    ...(preset === resolvePreset(defaultPlan.rules) ? [] : ['--rules', preset]),
    ...others.flatMap((rule) => ['--rule', rule]),
  ];
}

/**
 * Describes rules like `describeRules`, but takes only the name of the board. If the board is not built in, leaves out
 * rules without an effect on the default board.
 *
 * @example describeGround('classic-8', rules) // 'preset arena@2 with debateTurns=4'
 */
export const describeGround = (board: string, rules: RuleValues): string => describeRules(rules, findNamedBoard(board));

const findNamedBoard = (name: string): Board => readBoard(Object.hasOwn(boards, name) ? name : defaultPlan.board);

/** Returns the rules of a built-in board. A record does not store the rules of other boards. */
function getBoardRules({ name, roles }: Pick<Board, 'name' | 'roles'>): RuleValues {
  const known = Object.hasOwn(boards, name) ? boards[name] : undefined;
  return known && JSON.stringify(known.roles) === JSON.stringify(roles) ? (known.rules ?? {}) : {};
}

const listDifferingRules = (rules: RuleValues, preset: RuleValues, board: Board) =>
  Object.entries(rules)
    .filter(([name, value]) => value !== preset[name] && !isInactive(name, rules, board))
    .map(([name, value]) => `${name}=${String(value)}`);

/** Names of the measuring rules: rules that ask players for opinions, or show players the results. */
export const measuringRules: readonly string[] = Object.entries(rulebook)
  .filter(([, { measures }]) => measures)
  .map(([name]) => name);

/**
 * Returns the values of the measuring rules as JSON, equal for matches that were measured alike.
 *
 * @example nameMeasuringRules({ analysis: 'both' });
 */
export const nameMeasuringRules = (rules: RuleValues): string =>
  JSON.stringify(Object.fromEntries(measuringRules.map((name) => [name, rules[name] ?? null])));
