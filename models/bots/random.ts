// Legal answers drawn uniformly from the schema of the prompt: the floor that every player must beat.
import type { Draw } from '../../state/draw.ts';
import type { Mind } from './bot-model.ts';

/** As much of JSON schema as answers use. */
export interface AnswerSchema {
  type?: string;
  enum?: readonly unknown[];
  anyOf?: readonly AnswerSchema[];
  minimum?: number;
  maximum?: number;
  properties?: Readonly<Record<string, AnswerSchema>>;
}

export const random: Mind = ({ schema }, draw) => ({ answer: legalAnswer(schema, draw) });

/** A legal answer to a prompt with this schema. */
export const legalAnswer = (schema: AnswerSchema, draw: Draw): Record<string, unknown> =>
  Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, legal(field, draw)]));

/** A legal value for one field. */
export function legal(schema: AnswerSchema, draw: Draw): unknown {
  if (schema.enum) return draw.pick(schema.enum);
  if (schema.anyOf) return legal(draw.pick(schema.anyOf), draw);
  if (schema.type === 'null') return null;
  if (schema.type === 'boolean') return draw.pick([true, false]);
  if (schema.type === 'integer') return schema.minimum! + draw.integer(schema.maximum! - schema.minimum! + 1);
  if (schema.type === 'number') return draw.integer(101) / 100;
  if (schema.type === 'string') return 'I have nothing in particular to say.';
  return legalAnswer(schema, draw);
}
