// The rules of a match: presets and single options, and how they are read.
import { z } from 'zod';
import type { Board } from '../boards.ts';
import { UsageError } from '../usage-error.ts';
import { resetInactiveOptions, rulebook } from './all-options.ts';
import type { Rules } from './options.ts';
import type { RuleValue, RuleValues } from './rule.ts';

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
