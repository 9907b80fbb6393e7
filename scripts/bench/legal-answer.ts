// Answers that no model gave: made from the JSON schema of an answer alone, legal, and of the length of real ones.
import { draw, type Draw } from '../../state/draw.ts';

/** What the JSON schemas of this project's answers are made of. */
export interface AnswerSchema {
  type?: string;
  properties?: Record<string, AnswerSchema>;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
}

/** Words of a statement, of a reasoning and of every other text. */
export const wordsOfText = 40;

/** An answer to `prompt` that `schema` allows, as JSON. The same prompt has the same answer. */
export const legalAnswer = (schema: AnswerSchema, prompt: string): string =>
  JSON.stringify(legal(schema, draw(0, prompt)));

function legal(schema: AnswerSchema, by: Draw): unknown {
  if (schema.enum) return by.pick(schema.enum);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, legal(inner, by)]),
      );
    case 'boolean':
      return by.integer(2) === 1;
    case 'integer':
      return (schema.minimum ?? 0) + by.integer((schema.maximum ?? 0) - (schema.minimum ?? 0) + 1);
    case 'number':
      return by.integer(101) / 100;
    case 'string':
      return Array.from({ length: wordsOfText }, () => by.pick(words)).join(' ');
    default:
      throw new TypeError(`No answer can be made for the schema ${JSON.stringify(schema)}.`);
  }
}

/** As long on the average as English words with their space and punctuation, and no easier to compress. */
const words =
  'about after again against all almost already also always another anybody anyone around asked because before behind believe between claim clear could danger day debate decide defend doubt each early enough every evidence explain fair first follow friend from game ground guess happen hasty have hear hide honest however idea instead judge keep know last later least left listen look many matter maybe mean might mind more most must name nervous never next night nobody nothing notice often only other ourselves people perhaps plain point pressure protect proof question quick quiet rather reason remember right same second seem should silent simple since someone something sound speak still story strange strong sure suspect table talk tell think though time together tonight trust truth turn under until very village vote wait want watch what where whether which while without word would wrong yesterday'.split(
    ' ',
  );
