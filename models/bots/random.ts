// Legal answers drawn uniformly from the schema of the prompt: the floor that every player must beat.
import type { Draw } from '../../state/draw.ts';
import type { Mind } from './bot-model.ts';

interface Schema {
  type?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  properties?: Readonly<Record<string, Schema>>;
}

export const random: Mind = ({ schema }, draw) => ({ answer: legal(schema, draw) as Record<string, unknown> });

function legal(schema: Schema, draw: Draw): unknown {
  if (schema.enum) return draw.pick(schema.enum);
  if (schema.type === 'boolean') return draw.pick([true, false]);
  if (schema.type === 'integer') return schema.minimum! + draw.integer(schema.maximum! - schema.minimum! + 1);
  if (schema.type === 'number') return draw.integer(101) / 100;
  if (schema.type === 'string') return 'I have nothing in particular to say.';
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, legal(property, draw)]),
  );
}
