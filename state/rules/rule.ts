// A rule: an option of a match with its schema, its default and the sentence that players read.
import type { z } from 'zod';

export type RuleValue = string | number | boolean | null;

/** Validated rules of a match by name: the common rules and the rules of roles. */
export type RuleValues = Readonly<Record<string, RuleValue>>;

export interface Rule<Value extends RuleValue = RuleValue> {
  schema: z.ZodType<Value>;
  default: Value;
  /** The value implied by records that were written before this rule existed. Absent if all records have the rule. */
  before?: Value;
  /** Effect of the rule, as printed in docs/reference/data.md and by the command line. */
  about: string;
  /** Rules on which this rule depends, each with the values under which this rule has an effect. */
  needs?: Readonly<Record<string, readonly RuleValue[]>>;
  /** Verb of a power that somebody on the board must have for this rule to have an effect. */
  needsPower?: string;
  /**
   * Whether the rule changes only the wording of prompts or how models are asked, never what players may do or how a
   * match ends.
   */
  isOfWordsAlone?: boolean;
  /** Whether the rule asks players for their opinion of others and of statements, or shows them the results. */
  measures?: true;
  /** Value while the rule has no effect. Default: the rule's default. */
  idle?: Value;
  /** Returns the sentence that players read about the rule; null if there is none. */
  says(value: Value, rules: RuleValues): string | null;
}

/**
 * Returns a rule whose `says` accepts the values of its schema.
 *
 * @example defineRule({ schema: z.boolean(), default: true, about: 'Whether …', says: (on) => (on ? 'You may …' : null) })
 */
export const defineRule = <Value extends RuleValue>(definition: Rule<Value>): Rule<Value> => definition;
