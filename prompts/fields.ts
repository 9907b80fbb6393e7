// The fields of an answer: each has a description for the prompt and a schema that tolerates variants in models'
// writing.
import { z } from 'zod';
import { findNames, isNumbered, isSingleWord } from '../state/name-reader.ts';
import { stripMarks } from '../state/player-names.ts';
import { flattenToOneLine } from '../state/text.ts';
import { memoize } from './text.ts';

export interface Field<Value = unknown> {
  /** Schema of the field's value. It is created at every access. */
  readonly schema: z.ZodType<Value>;
  /** Type and meaning, as worded in the prompt. */
  says: string;
  /** Cache key of the schema. Fields with the same schema have the same key. */
  takes: string;
  /** Whether other players hear or read the field. */
  isHeard?: true;
  /**
   * Returns the field's JSON schema within the schema of a family. Absent if the schema of a family uses `schema`
   * unchanged.
   */
  inFamily?: (word: Wording | null) => Record<string, unknown>;
  /** Description in the schema of a family, replacing `says`. Null if the rules and the question say everything. */
  note?: string | null | undefined;
  /** Name in the schema of a family. Questions with similar answers can share one name. */
  familyName?: string;
}

/** Returns a text of a prompt, paraphrased or unchanged. */
type Wording = (text: string) => string;

export type Fields = Record<string, Field>;
export type FieldValues<F extends Fields> = { [Name in keyof F]: F[Name] extends Field<infer Value> ? Value : never };

const createField = <Value>(
  says: string,
  make: () => z.ZodType<Value>,
  takes = says,
  marks: Pick<Field, 'isHeard' | 'inFamily' | 'note' | 'familyName'> = {},
): Field<Value> => ({
  says,
  takes,
  ...marks,
  get schema() {
    return make();
  },
});

/** Creates a field for free text of at least one character. */
export const createTextField = (says: string, marks: Pick<Field, 'familyName'> = {}): Field<string> =>
  createField(
    `string, ${says}`,
    () =>
      z.preprocess(
        (value) => (typeof value === 'string' ? flattenToOneLine(value) : value),
        // Refinements, because strict schemas do not allow minLength.
        z
          .string()
          .refine((line) => line !== '', 'must not be empty')
          .refine(
            (line) => line !== says && line !== `string, ${says}`,
            'must be your own words, not those of the shape',
          ),
      ),
    `string, ${says}`,
    marks,
  );

/** Creates a field for free text that other players hear or read. */
export const createHeardField = (says: string, marks: Pick<Field, 'note' | 'familyName'> = {}): Field<string> =>
  createField(`string, ${says}`, () => createTextField(says).schema, `string, ${says}, heard`, {
    isHeard: true,
    ...marks,
  });

/** The private reasoning that comes first in every answer. It may be empty, because some models reason elsewhere. */
export const reasoning: Field<string> = createField(
  'string, your thoughts in a few sentences; no other player ever sees them',
  () => reasoningSchema,
  'reasoning',
  { note: 'your thoughts in a few sentences' }, // the prompt says who sees them
);

const reasoningSchema = z.preprocess(
  (value) => (typeof value === 'string' ? flattenToOneLine(value) : value === undefined || value === null ? '' : value),
  z.string(),
);

/**
 * Creates a field for a choice among `choices`. Answers may be in any case, with punctuation around them. `shown`: the
 * order of the choices in the prompt and the schema.
 */
export const createChoiceField = <Choice extends string>(
  choices: readonly Choice[],
  says: string,
  shown: readonly Choice[] = choices,
): Field<Choice> =>
  createField(
    `string, ${says}, one of: ${shown.join(', ')}`,
    () =>
      z.preprocess(
        (value) => (typeof value === 'string' ? findNearestChoice(value, choices) : value),
        z.enum(shown as [Choice, ...Choice[]]),
      ),
    `one of: ${shown.join(', ')}`,
  );

/** Creates a field for a choice among names. The question lists these names; the shape of the answer does not. */
export const createNameField = (
  choices: readonly string[],
  says: string,
  shown: readonly string[] = choices,
): Field<string> =>
  createField(`string, ${says}`, () => createChoiceField(choices, says, shown).schema, `one of: ${shown.join(', ')}`, {
    ...{ note: null, familyName: 'choice' },
  });

/**
 * Creates a field whose answer is a list of some of `choices`. A model may also write a single choice without a list.
 * `isDefined`: whether the prompt already lists the choices above the shapes of answers.
 */
export const createSubsetField = <Choice extends string>(
  choices: readonly Choice[],
  says: string,
  { isDefined = false }: { isDefined?: boolean } = {},
): Field<Choice[]> =>
  createField(
    `list of strings, ${says}${isDefined ? '' : `, of: ${choices.join(', ')}`}; else empty`,
    () => {
      const one = createChoiceField(choices, '').schema;
      return z.preprocess(
        (value) => (Array.isArray(value) ? (value as unknown[]) : [value]).filter((each) => !isNothing(each)),
        z.array(one),
      );
    },
    `some of: ${choices.join(', ')}`,
  );

/** Values that some models write instead of null, in lower case. */
const nothing = ['', 'null', 'none', 'n/a'];

export const isNothing = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && nothing.includes(value.trim().toLowerCase()));

export const createIntegerField = (from: number, to: number, says: string): Field<number> =>
  createField(
    `whole number from ${from} to ${to}, ${says}`,
    () => z.preprocess(parseNumeric, z.number().int().min(from).max(to)),
    undefined,
    { note: null },
  );

/** Creates a field for a probability, 0…1; "70%" is read as 0.7. */
export const createProbabilityField = (says: string, note?: string): Field<number> =>
  createField(`number from 0 to 1, ${says}`, () => probabilitySchema, undefined, note === undefined ? {} : { note });

const probabilitySchema = z.preprocess(parseNumeric, z.number().min(0).max(1));

export const createYesNoField = (says: string): Field<boolean> =>
  createField(`true or false: ${says}`, () => yesOrNoSchema);

const yesOrNoSchema = z.preprocess((value) => {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  return word === 'true' || word === 'yes' ? true : word === 'false' || word === 'no' ? false : value;
}, z.boolean());

/** Key of the player in the entries of a list that represents an object in the schema of a family. */
export const entryKey = 'player';

/**
 * Creates a field for an object with a probability, 0…1, for each of `names`. In the schema of a family this is a list
 * of entries, each with a name and a `value`.
 */
export const createProbabilitiesField = (names: readonly string[], says: string): Field<Record<string, number>> =>
  createField(
    `object with a number from 0 to 1 for ${says}`,
    () => createSchemaForEach(names, probabilitySchema),
    `probabilities of ${names.join(', ')}`,
    { inFamily: () => createEntryList(names, { value: { type: 'number' } }) },
  );

/** Creates the JSON schema of a list of entries, each for one of `names`. */
const createEntryList = (names: readonly string[], properties: Record<string, unknown>) => ({
  type: 'array',
  items: createObjectSchema({ [entryKey]: { type: 'string', enum: [...names] }, ...properties }),
});

const createObjectSchema = (properties: Record<string, unknown>) => ({
  ...{ type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
});

/** Creates a field for an object that maps each of `names` to an entry with these fields. `says` describes an entry. */
export const createFieldsForEach = <F extends Fields>(
  names: readonly string[],
  fields: F,
  says = `object with an entry for each of ${names.join(', ')}, each entry an object\n${describeShape(fields, '    ')}`,
  note?: string | null,
): Field<Record<string, FieldValues<F>>> =>
  createField(
    says,
    () => createSchemaForEach(names, createAnswerSchema(fields)),
    `for each of ${names.join(', ')}: ${getSchemaKey(fields)}`,
    { inFamily: (word) => createEntryList(names, listFamilyProperties(fields, word)), note },
  );

const createSchemaForEach = <Value>(names: readonly string[], schema: z.ZodType<Value>) =>
  z.object(Object.fromEntries(names.map((name) => [name, schema])));

// Schemas and description of a whole answer.

/** Creates the zod schema of an answer with these fields. Other fields are ignored. */
export const createAnswerSchema = <F extends Fields>(fields: F) =>
  z.object(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema])),
  ) as unknown as z.ZodType<FieldValues<F>>; // `fromEntries` loses the types of the names

/** Describes the shape of an answer in words, one line per field. */
export const describeShape = (fields: Fields, indent = '') =>
  [
    `${indent}{`,
    ...Object.entries(fields).map(([name, { says }]) => `${indent}  "${name}": ${says}`),
    `${indent}}`,
  ].join('\n');

/**
 * Converts a zod schema to a JSON schema for providers that accept one. Every property is required, and no other
 * properties are allowed.
 */
export function convertToJsonSchema(schema: z.ZodType): Record<string, unknown> {
  const document = z.toJSONSchema(schema, { io: 'output', target: 'draft-7' });
  delete document.$schema; // strict schemas accept none
  return document;
}

const getSchemaKey = (fields: Fields) =>
  JSON.stringify(Object.entries(fields).map(([name, { takes }]) => [name, takes]));

/**
 * Number of cached schemas of about 40 kB each. A question whose answer names players has one for every set of names.
 */
const keptSchemas = 200;

const makeSchemas = memoize(keptSchemas, getSchemaKey, (fields) => {
  const answer = createAnswerSchema(fields);
  const heard = Object.keys(fields).filter((name) => fields[name]!.isHeard);
  let schema: Record<string, unknown> | undefined;
  return {
    answer,
    // Created at first access, because most questions are sent with the schema of their family instead.
    get schema() {
      return (schema ??= convertToJsonSchema(answer));
    },
    heard,
  };
});

/**
 * Returns the schemas of an answer with these fields: `answer` for zod, `schema` as JSON, and the names of the fields
 * that other players hear or read. The result is cached, so callers must not change it.
 *
 * @example getSchemas({ reasoning, bid: createIntegerField(0, 4, 'your bid') }).answer.parse({ reasoning: '', bid: '3' }) // { reasoning: '', bid: 3 }
 */
export const getSchemas = <F extends Fields>(fields: F) =>
  makeSchemas(fields) as {
    answer: z.ZodType<FieldValues<F>>;
    readonly schema: Record<string, unknown>;
    heard: readonly string[];
  };

// The schema of a family of questions.

const dropBounds = ({ minimum, maximum, ...schema }: Record<string, unknown>) => {
  void [minimum, maximum];
  return schema;
};

/** Beginning of a field's description that only repeats the type in the schema. */
const typeWords = /^(?:string|true or false|list of strings|object with a number)[,:]? /;

/** Describes a field without the words for its type, for use beside a schema that states the type. */
export const describeBesideType = (says: string, word: Wording): string =>
  word(says)
    .replace(typeWords, '')
    .replace(/^number (from \d)/, '$1');

/**
 * Describes a field with its type in the schema of a family. There, an object with a key for each player becomes a list
 * of entries.
 */
export const describeInFamily = (says: string, word: Wording): string =>
  word(says)
    .replace(/^object with a number (from \d to \d)/, `list of objects, each with "${entryKey}" and "value", $1,`)
    .replace(
      /^object with (an entry .*), each entry an object with/,
      `list with $1, each an object with "${entryKey}" and`,
    );

/** Describes a field in the schema of a family, where numbers have no bounds. */
const describeInSchema = ({ says, note = says }: Field, word: Wording) =>
  note === null ? null : describeBesideType(note, word);

/** Lists the properties of a family's schema. `word`: rewords descriptions; null if the prompt describes the fields. */
const listFamilyProperties = (fields: Fields, word: Wording | null): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { type, ...rest } = field.inFamily?.(word) ?? dropBounds(convertToJsonSchema(field.schema));
      const description = word === null ? null : describeInSchema(field, word);
      return [field.familyName ?? name, { type, ...(description === null ? {} : { description }), ...rest }];
    }),
  );

/** Keys of an answer to the schema of a family: the object after `reasoning`, and in it the kind before the fields. */
export const familyKeys = { kind: 'kind', answer: 'answer' } as const;

/**
 * Creates one JSON schema for the answers to all these questions: an object with the reasoning and an answer. The
 * answer has one branch for each set of fields. Each branch names the kinds of questions that it answers, so a server
 * that enforces the schema also enforces that kind and fields match. `word` rewords the descriptions of fields.
 * `isDescribed`: whether the schema describes the fields; false if the prompt does. The schema is constant for a match,
 * so a server that puts it before the messages can serve both from its cache. To keep it short, numbers have no bounds
 * (which are checked when the answer is parsed), and repeated parts become definitions.
 *
 * @example createFamilySchema([{ kinds: ['bid'], fields: { bid: createIntegerField(0, 4, 'your bid') } }]).required // ['reasoning', 'answer']
 */
export function createFamilySchema(
  branches: readonly { kinds: readonly string[]; fields: Fields }[],
  { word = (text) => text, isDescribed = true }: { word?: Wording; isDescribed?: boolean } = {},
): Record<string, unknown> {
  const describe = isDescribed ? word : null;
  const different = Map.groupBy(
    branches.map(({ kinds, fields }) => ({ kinds, properties: listFamilyProperties(fields, describe) })),
    ({ properties }) => JSON.stringify(properties),
  );
  const tied = [...different.values()].map((alike) =>
    createObjectSchema({
      [familyKeys.kind]: { type: 'string', enum: alike.flatMap(({ kinds }) => kinds) },
      ...Object.fromEntries(alike.flatMap(({ properties }) => Object.entries(properties))), // equal for all of these kinds
    }),
  );
  return shareParts(
    createObjectSchema({
      ...listFamilyProperties({ reasoning }, describe),
      [familyKeys.answer]: { anyOf: tied },
    }),
  );
}

type JsonSchema = Record<string, unknown>;

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && 'type' in value;

/** Returns whether a schema may become a definition: it must have no fields of its own. */
const isPart = (value: unknown): value is JsonSchema => isSchema(value) && !('properties' in value);

/** Lists all parts of a schema, outer ones first. */
function listParts(value: unknown): JsonSchema[] {
  if (typeof value !== 'object' || value === null) return [];
  return [...(isPart(value) ? [value] : []), ...Object.values(value).flatMap(listParts)];
}

const replacePart = (value: unknown, text: string, by: JsonSchema): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (isPart(value) && JSON.stringify(value) === text) return by;
  if (Array.isArray(value)) return value.map((each) => replacePart(each, text, by));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, replacePart(each, text, by)]));
};

/** Number of characters in a reference, and in the text around a definition. */
const referenceLength = '{"$ref":"#/$defs/a"}'.length;

/** Replaces each part that occurs more than once and is longer than a reference with a definition. */
function shareParts(schema: JsonSchema): JsonSchema {
  let whole: JsonSchema = schema;
  const known = Map.groupBy(listParts(schema), (part) => JSON.stringify(part));
  const longest = [...known].sort(([one], [other]) => other.length - one.length);
  let made = 0;
  for (const [text, [part]] of longest) {
    const count = listParts(whole).filter((each) => JSON.stringify(each) === text).length;
    if (count * text.length <= text.length + (count + 1) * referenceLength) continue;
    const name = String.fromCharCode('a'.charCodeAt(0) + made);
    made += 1;
    const { $defs: definitions, ...rest } = whole;
    const replaced = replacePart({ ...rest, $defs: definitions ?? {} }, text, {
      $ref: `#/$defs/${name}`,
    }) as JsonSchema;
    whole = { ...replaced, $defs: { ...(replaced['$defs'] as JsonSchema), [name]: part } };
  }
  return whole;
}

// Parsing of the values that models write.

function parseNumeric(value: unknown) {
  if (typeof value === 'number') return value + 0; // turns -0 into 0, since JSON does not keep the sign
  if (typeof value !== 'string') return value;
  const [, number, percent] = /^\s*([+-]?\d{0,20}\.?\d{1,20})\s*(%?)\s*$/.exec(value) ?? [];
  return number === undefined ? value : Number(number) / (percent ? 100 : 1) + 0;
}

/** Words that suggest that a name in the same answer is not the choice. */
const negation = /\b(?:not|no|never|but|except|nobody|anyone|anybody|instead)\b|n['’]t\b/i;

/** "I" with a verb, e.g. "I will vote for Dan". Such an "I" is not a name. */
const ownVerb = /(?<!\p{L})[Ii] \p{Ll}+/gu;

/** Pattern of text after which a word in lower case is a name: "vote for will", "dan or Zoe". */
const before = String.raw`(?:^|\b(?:for|over|or|and|choose|pick|exile|against)\s+|[,:]\s*)`;
const after = String.raw`(?:\s+(?:or|and|over)\b|\s*[,/])`;

/**
 * Finds the choice that a text names: the text itself in any case, or the only name that occurs in its own spelling.
 * Returns the text unchanged if it has a negation, or if a second choice may be named in lower case ("Dan is innocent,
 * vote for will"): the choice is then not guessed.
 */
function findNearestChoice(value: string, choices: readonly string[]) {
  const line = flattenToOneLine(value);
  const bare = line.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const withNumber = line.replace(/^[^\p{L}]+|[^\p{L}\p{N}]+$/gu, '');
  const same = choices.find((choice) =>
    [bare, withNumber].some((said) => choice.toLowerCase() === said.toLowerCase() || isNumberedAs(choice, said)),
  );
  if (same) return same;
  if (negation.test(value)) return value;
  const heard = foldLetters(bare.replace(ownVerb, ' '));
  const named = choices.filter((choice) => hasWord(choice, value) || isNamed(choice, heard));
  return named.length === 1 && hasWord(named[0]!, value) ? named[0]! : value;
}

/** Converts to lower case without diacritics. */
const foldLetters = (text: string) => stripMarks(text).toLowerCase();

/**
 * Whether a text names this choice. A name of one word may be in lower case; a longer name must be in its own spelling.
 */
function isNamed(choice: string, heard: string): boolean {
  if (!isSingleWord(choice)) return false;
  const name = foldLetters(choice);
  return new RegExp(`${before}${name}(?!\\p{L})|(?<!\\p{L})${name}(?:${after}|$)`, 'u').test(heard);
}

const hasWord = (word: string, text: string) =>
  isSingleWord(word) ? new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'u').test(text) : findNames(text, [word]).length > 0;

/** Returns whether a text is a numbered name and nothing else: "player3" for "Player 3". */
const isNumberedAs = (name: string, text: string) =>
  isNumbered(name) && findNames(text, [name]).some(({ from, to }) => from === 0 && to === text.length);
