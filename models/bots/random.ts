// Legal answers drawn uniformly from the prompt's schema. Every player must play better than this baseline.
import type { RandomSource } from '../../state/random.ts';
import type { BotPolicy } from './bot-model.ts';

/** The part of JSON Schema that answers use. */
export interface AnswerJsonSchema {
  type?: string;
  enum?: readonly unknown[];
  anyOf?: readonly AnswerJsonSchema[];
  items?: AnswerJsonSchema;
  minimum?: number;
  maximum?: number;
  properties?: Readonly<Record<string, AnswerJsonSchema>>;
}

export const answerRandomly: BotPolicy = ({ schema }, draw) => ({ answer: drawLegalAnswer(schema, draw) });

type TextWriter = (draw: RandomSource) => string;

const sayNothing: TextWriter = () => 'I have nothing in particular to say.';

/** Draws a legal answer to a prompt with this schema. `write`: makes the texts of the answer. */
export const drawLegalAnswer = (
  schema: AnswerJsonSchema,
  draw: RandomSource,
  write: TextWriter = sayNothing,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [name, drawLegalValue(field, draw, write)]),
  );

/** Draws a legal value for one field. Throws a TypeError for an unsupported schema. */
export function drawLegalValue(schema: AnswerJsonSchema, draw: RandomSource, write: TextWriter = sayNothing): unknown {
  if (schema.enum) return draw.pick(schema.enum);
  if (schema.anyOf) return drawLegalValue(draw.pick(schema.anyOf), draw, write);
  if (schema.type === 'null') return null;
  if (schema.type === 'array') return draw.pick([[], [drawLegalValue(schema.items!, draw, write)]]);
  if (schema.type === 'boolean') return draw.pick([true, false]);
  if (schema.type === 'integer') return schema.minimum! + draw.integer(schema.maximum! - schema.minimum! + 1);
  if (schema.type === 'number') return draw.integer(101) / 100;
  if (schema.type === 'string') return write(draw);
  if (schema.type === 'object') return drawLegalAnswer(schema, draw, write);
  throw new TypeError(`No answer can be made for a schema of type ${JSON.stringify(schema.type)}.`);
}
