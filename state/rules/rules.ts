// The rules of a match: presets and single options, and how they are read.
import { z } from 'zod';
import { type Board, boards } from '../boards.ts';
import { getRole, roles } from '../roles/index.ts';
import { UsageError } from '../usage-error.ts';
import { commonRules, type Rules } from './options.ts';
import type { Rule, RuleValue, RuleValues } from './rule.ts';

// Every option of a match, the common ones and those of all roles, and which of them have no effect on a board.

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
function resetInactiveOptions(rules: Rules, { asked, board, recorded }: OptionSources): Rules {
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

/** Named sets of options; what a preset does not name has its default. */
export const presets: Readonly<Record<string, RuleValues>> = {
  /** As in WOLF. */
  wolf: {},
  /** As in Werewolf Arena. */
  arena: {
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
  },
  /** As in WereWolf-Plus. */
  plus: {
    debateOrder: 'round-robin',
    exile: 'plurality',
    exileTies: 'pk',
    analysis: 'off',
    analyzeBallots: false,
    scores: 'hidden',
    beliefs: 'each-round',
    checkTells: 'team',
    wins: 'majority',
  },
};

/** What goes before a preset, and after single options. */
interface RuleSources {
  board?: Board | undefined;
  /** The rules of a match that was begun before: they stand in place of preset and board. */
  recorded?: RuleValues | undefined;
}

/**
 * The rules of a match in full: defaults, then the preset, then the board's own, then single options. What decides
 * nothing beside the others or on the board has its idle value. Throws a UsageError that names the value and the known
 * ones, or says why it makes no sense.
 */
export function readRules(
  preset: string,
  options: Readonly<Record<string, unknown>> = {},
  { board, recorded }: RuleSources = {},
): Rules {
  const base = Object.hasOwn(presets, preset) ? presets[preset] : undefined;
  if (!base) throw new UsageError(`Unknown rules "${preset}". Known rules: ${Object.keys(presets).join(', ')}.`);
  const beneath: Readonly<Record<string, unknown>> = recorded ?? { ...base, ...board?.rules };
  const asked = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const rules = resetInactiveOptions(validateRules({ ...beneath, ...asked }), { asked, board, recorded });
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

/** Every option, given or by default. Throws a UsageError for a name or a value that cannot be. */
function validateRules(given: Readonly<Record<string, unknown>>): Rules {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(rulebook, name))
      throw new UsageError(`Unknown rule "${name}". Known rules: ${Object.keys(rulebook).join(', ')}.`);
  }
  const read = Object.entries(rulebook).map(([name, { schema, default: fallback }]) => {
    const value = given[name] === undefined ? fallback : given[name];
    const { success, data, error } = schema.safeParse(value);
    if (success) return [name, data];
    throw new UsageError(
      `Rule "${name}" cannot be ${JSON.stringify(value)}: ${z.prettifyError(error).replace(/^✖ /, '')}.`,
    );
  });
  return Object.fromEntries(read) as Rules;
}

/** The rules of a record of before some options were there: these have their default. */
export const withDefaults = (rules: RuleValues): Rules =>
  ({
    ...Object.fromEntries(Object.entries(rulebook).map(([name, { default: fallback }]) => [name, fallback])),
    ...rules,
  }) as Rules;

/** Reads `key=value` as typed on a command line: `true`, `false`, `null` and numbers become what they look like. */
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

// The rules of a match on its board: what cannot be played there, and how they are described.

/**
 * The rules of a board in full: defaults, then the preset, then the board's own, then single options. `recorded` are
 * the rules of a match that was begun before, in place of preset and board: what decided nothing there is kept.
 * Throws a UsageError with the reason for options that are unknown or make no sense on this board.
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

/** The roles of the village on a board that have powers, by name. */
export const listSpecialRoles = (board: Pick<Board, 'roles'>) =>
  listDealtRoles(board)
    .filter(({ team, special }) => team === 'villagers' && special)
    .map(({ name }) => name);

/**
 * E.g. "preset arena with debateTurns=4": the nearest preset as it is played on the board, and what differs from it.
 * What decides nothing there is not named.
 */
export function describeRules(rules: RuleValues, { name, roles }: Pick<Board, 'name' | 'roles'>): string {
  const board = { name, roles, rules: getBoardRules({ name, roles }) };
  const [nearest] = Object.keys(presets)
    .map((preset) => ({ preset, others: listDifferingRules(rules, readRules(preset, {}, { board }), board) }))
    .sort((one, other) => one.others.length - other.others.length);
  const { preset, others } = nearest!;
  return others.length === 0 ? `preset ${preset}` : `preset ${preset} with ${others.join(', ')}`;
}

/** What a known board brings; that of another is not kept in a record. */
function getBoardRules({ name, roles }: Pick<Board, 'name' | 'roles'>): RuleValues {
  const known = Object.hasOwn(boards, name) ? boards[name] : undefined;
  return known && JSON.stringify(known.roles) === JSON.stringify(roles) ? (known.rules ?? {}) : {};
}

const listDifferingRules = (rules: RuleValues, preset: RuleValues, board: Board) =>
  Object.entries(rules)
    .filter(([name, value]) => value !== preset[name] && !isInactive(name, rules, board))
    .map(([name, value]) => `${name}=${String(value)}`);
