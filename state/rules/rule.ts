// What a rule is: an option of a match with its schema, its default and the sentence that players read.
import type { z } from 'zod';

export type RuleValue = string | number | boolean | null;

/** All options of a match by name, validated; a role's own options stand beside the common ones. */
export type RuleValues = Readonly<Record<string, RuleValue>>;

export interface Rule<Value extends RuleValue = RuleValue> {
  schema: z.ZodType<Value>;
  default: Value;
  /** What was played before this option was known, which is what a record without it has; absent: all records have it. */
  before?: Value;
  /** What it decides, as docs/reference/data.md and the command line print it. */
  about: string;
  /** Other options, each with the values of which it must have one for this option to have an effect. */
  needs?: Readonly<Record<string, readonly RuleValue[]>>;
  /** The verb of a power that somebody on the board must have for this option to have an effect. */
  needsPower?: string;
  /** Whether it changes only the words of prompts or how models are asked, never what players may do or what comes of it. */
  isOfWordsAlone?: boolean;
  /** Whether it asks players what they think of others and of what was said, or shows them what came of it. */
  measures?: true;
  /** Its value where it has no effect; absent: its default. */
  idle?: Value;
  /** The sentence that players read about it; null: none. */
  says(value: Value, rules: RuleValues): string | null;
}

/**
 * A rule whose `says` takes what its schema reads.
 *
 * @example defineRule({ schema: z.boolean(), default: true, about: 'Whether …', says: (on) => (on ? 'You may …' : null) })
 */
export const defineRule = <Value extends RuleValue>(definition: Rule<Value>): Rule<Value> => definition;
