// The rules of a match: the common options and those of all roles, their presets, and how they are read.
import { z } from 'zod';
import { commonRules, type Rules } from './common-rules.ts';
import { roles } from './roles/index.ts';
import type { Rule, RuleValue, RuleValues } from './rule.ts';

/** Every option by name. */
export const rulebook: Readonly<Record<string, Rule>> = Object.fromEntries([
  ...Object.entries(commonRules as unknown as Record<string, Rule>), // each option is typed more narrowly than a register can be
  ...[...roles.values()].flatMap((role) => Object.entries(role.rules)),
]);

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

/**
 * The rules of a match in full: defaults, then the preset, then single options.
 * Throws a RangeError that names the value and the known ones.
 */
export function readRules(preset: string, options: Readonly<Record<string, unknown>> = {}): Rules {
  const base = Object.hasOwn(presets, preset) ? presets[preset] : undefined;
  if (!base) throw new RangeError(`Unknown rules "${preset}". Known rules: ${Object.keys(presets).join(', ')}.`);
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(rulebook, name))
      throw new RangeError(`Unknown rule "${name}". Known rules: ${Object.keys(rulebook).join(', ')}.`);
  }
  const chosen = Object.entries(rulebook).map(([name, { schema, default: fallback }]) => {
    const value = [options[name], base[name], fallback].find((given) => given !== undefined);
    const read = schema.safeParse(value);
    if (read.success) return [name, read.data];
    throw new RangeError(
      `Rule "${name}" cannot be ${JSON.stringify(value)}: ${z.prettifyError(read.error).replace(/^✖ /, '')}.`,
    );
  });
  const rules = withoutIdle(Object.fromEntries(chosen) as Rules, options);
  if (rules.beliefs === 'each-statement' && rules.analysis === 'off')
    throw new RangeError(
      'Rule "beliefs" cannot be "each-statement" where "analysis" is "off": they are asked together.',
    );
  if (rules.honesty === 'forbidden' && rules.coaching === 'paper')
    throw new RangeError(
      'Rule "coaching" cannot be "paper" where "honesty" is "forbidden": its advice invites some to deceive.',
    );
  return rules;
}

/** Puts options that decide nothing beside the others to their default. Throws a RangeError for one that was asked for. */
function withoutIdle(rules: Rules, asked: Readonly<Record<string, unknown>>): Rules {
  const settled = Object.entries(rulebook).map(([name, { needs, default: fallback }]): [string, RuleValue] => {
    const value = rules[name]!;
    if (!needs || rules[needs[0]] === needs[1] || value === fallback) return [name, value];
    if (asked[name] === undefined) return [name, fallback];
    throw new RangeError(
      `Rule "${name}" decides nothing where "${needs[0]}" is not ${JSON.stringify(needs[1])}: leave it out, or set "${needs[0]}".`,
    );
  });
  return Object.fromEntries(settled) as Rules;
}

/** The rules of a record of before some options were there: these have their default. */
export const withDefaults = (rules: RuleValues): Rules =>
  ({
    ...Object.fromEntries(Object.entries(rulebook).map(([name, { default: fallback }]) => [name, fallback])),
    ...rules,
  }) as Rules;
/** E.g. "preset arena with debateTurns=4": the nearest preset, and what differs from it. */
export function describeRules(rules: RuleValues): string {
  const [nearest] = Object.keys(presets)
    .map((name) => ({ name, differing: differing(rules, readRules(name)) }))
    .sort((one, other) => one.differing.length - other.differing.length);
  const { name, differing: others } = nearest!;
  return others.length === 0 ? `preset ${name}` : `preset ${name} with ${others.join(', ')}`;
}

const differing = (rules: RuleValues, preset: RuleValues) =>
  Object.entries(rules)
    .filter(([name, value]) => value !== preset[name])
    .map(([name, value]) => `${name}=${String(value)}`);

/** Reads `key=value` as typed on a command line: `true`, `false`, `null` and numbers become what they look like. */
export function readRuleFlag(flag: string): [name: string, value: RuleValue] {
  const [, name, text] = /^(\w+)=(.*)$/.exec(flag) ?? [];
  if (name === undefined || text === undefined) throw new RangeError(`--rule takes key=value, not "${flag}".`);
  const words = new Map<string, RuleValue>([
    ['true', true],
    ['false', false],
    ['null', null],
  ]);
  const isNumber = text.trim() !== '' && Number.isFinite(Number(text));
  return [name, words.has(text) ? words.get(text)! : isNumber ? Number(text) : text];
}
