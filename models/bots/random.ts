// Legal answers drawn uniformly from the schema of the prompt: the floor that every player must beat.
import type { Draw } from '../../state/random.ts';
import type { BotPolicy } from './bot-model.ts';

/** As much of JSON schema as answers use. */
export interface AnswerJsonSchema {
  type?: string;
  enum?: readonly unknown[];
  anyOf?: readonly AnswerJsonSchema[];
  minimum?: number;
  maximum?: number;
  properties?: Readonly<Record<string, AnswerJsonSchema>>;
}

export const answerRandomly: BotPolicy = ({ schema }, draw) => ({ answer: drawLegalAnswer(schema, draw) });

/** A legal answer to a prompt with this schema. */
export const drawLegalAnswer = (schema: AnswerJsonSchema, draw: Draw): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [name, drawLegalValue(field, draw)]),
  );

/** A legal value for one field. */
export function drawLegalValue(schema: AnswerJsonSchema, draw: Draw): unknown {
  if (schema.enum) return draw.pick(schema.enum);
  if (schema.anyOf) return drawLegalValue(draw.pick(schema.anyOf), draw);
  if (schema.type === 'null') return null;
  if (schema.type === 'boolean') return draw.pick([true, false]);
  if (schema.type === 'integer') return schema.minimum! + draw.integer(schema.maximum! - schema.minimum! + 1);
  if (schema.type === 'number') return draw.integer(101) / 100;
  if (schema.type === 'string') return 'I have nothing in particular to say.';
  return drawLegalAnswer(schema, draw);
}
