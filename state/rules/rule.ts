// What a rule of the game is: a validated option of a board, with the sentence that players read.
import type { z } from 'zod';

export type RuleValue = string | number | boolean | null;

/** All options of a match by name, validated; a role's own options stand beside the common ones. */
export type RuleValues = Readonly<Record<string, RuleValue>>;

export interface Rule<Value extends RuleValue = RuleValue> {
  schema: z.ZodType<Value>;
  default: Value;
  /** What it decides, for whoever sets it. */
  about: string;
  /** Other options, each with the values without one of which this one decides nothing. */
  needs?: Readonly<Record<string, readonly RuleValue[]>>;
  /** The verb of a power without which this option decides nothing: somebody on the board must have it. */
  needsPower?: string;
  /** It changes what is said to players or asked of models, and nothing that they may do or that comes of it. */
  isOfWordsAlone?: boolean;
  /** What it is where it decides nothing; absent: its default. */
  idle?: Value;
  /** The sentence that players read; null where it is no business of theirs. */
  says(value: Value, rules: RuleValues): string | null;
}

/** Ties the sentence's argument to the schema's type. */
export const defineRule = <Value extends RuleValue>(definition: Rule<Value>): Rule<Value> => definition;
