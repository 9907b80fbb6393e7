// The fields of an answer: each has a description for the prompt and a schema that forgives how models write.
import { z } from 'zod';
import { stripMarks } from '../state/player-names.ts';
import { flattenToOneLine } from '../state/text.ts';
import { memoize } from './text.ts';

export interface Field<Value = unknown> {
  /** Made anew whenever it is read. */
  readonly schema: z.ZodType<Value>;
  /** Type and meaning, as they stand in the prompt. */
  says: string;
  /** A key: fields with the same schema have the same. */
  takes: string;
  /** Whether other players hear or read it. */
  isHeard?: true;
  /** Makes its JSON schema in the schema of a whole family, where that is not `schema`. */
  inFamily?: (word: Wording) => Record<string, unknown>;
  /** What the schema of a family says of it in place of `says`; null where the rules and the question say all. */
  note?: string | null | undefined;
  /** Its name in the schema of a family, where questions whose answers are alike share one. */
  familyName?: string;
}

/** What is made of a text of ours: a paraphrase, or the text itself. */
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

/** A free text of at least one character. */
export const createTextField = (says: string): Field<string> =>
  createField(`string, ${says}`, () =>
    z.preprocess(
      (value) => (typeof value === 'string' ? flattenToOneLine(value) : value),
      // As refinements: strict schemas allow no minLength.
      z
        .string()
        .refine((line) => line !== '', 'must not be empty')
        .refine(
          (line) => line !== says && line !== `string, ${says}`,
          'must be your own words, not those of the shape',
        ),
    ),
  );

/** A free text that other players hear or read. */
export const createHeardField = (says: string, marks: Pick<Field, 'note' | 'familyName'> = {}): Field<string> =>
  createField(`string, ${says}`, () => createTextField(says).schema, `string, ${says}, heard`, {
    isHeard: true,
    ...marks,
  });

/** The private reasoning that comes first in every answer. May be empty: some models think elsewhere. */
export const reasoning: Field<string> = createField(
  'string, your thoughts in a few sentences; no other player ever sees them',
  () => reasoningSchema,
);

const reasoningSchema = z.preprocess(
  (value) => (typeof value === 'string' ? flattenToOneLine(value) : value === undefined || value === null ? '' : value),
  z.string(),
);

/** One of `choices`, in any case and with any punctuation around it; `shown` is their order in prompt and schema. */
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

/** The same for names, which stand in the question in place of the shape. */
export const createNameField = (
  choices: readonly string[],
  says: string,
  shown: readonly string[] = choices,
): Field<string> =>
  createField(`string, ${says}`, () => createChoiceField(choices, says, shown).schema, `one of: ${shown.join(', ')}`, {
    ...{ note: null, familyName: 'choice' },
  });

/** A list of some of `choices`; one alone may stand without a list. `isDefined`: the choices are named above the shapes. */
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

/** What some models write in place of null, in lower case. */
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

/** 0…1; "70%" is 0.7. */
export const createProbabilityField = (says: string): Field<number> =>
  createField(`number from 0 to 1, ${says}`, () => probabilitySchema);

const probabilitySchema = z.preprocess(parseNumeric, z.number().min(0).max(1));

export const createYesNoField = (says: string): Field<boolean> =>
  createField(`true or false: ${says}`, () => yesOrNoSchema);

const yesOrNoSchema = z.preprocess((value) => {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  return word === 'true' || word === 'yes' ? true : word === 'false' || word === 'no' ? false : value;
}, z.boolean());

/** The key of a player in the entries of a list that stands for an object in the schema of a family. */
export const entryKey = 'player';

/** An object with a probability, 0…1, for each of `names`; in a family a list with one `value` for each. */
export const createProbabilitiesField = (names: readonly string[], says: string): Field<Record<string, number>> =>
  createField(
    `object with a number from 0 to 1 for ${says}`,
    () => createSchemaForEach(names, probabilitySchema),
    `probabilities of ${names.join(', ')}`,
    { inFamily: () => createEntryList(names, { value: { type: 'number' } }) },
  );

/** The JSON schema of a list of entries, each of one of `names`. */
const createEntryList = (names: readonly string[], properties: Record<string, unknown>) => ({
  type: 'array',
  items: createObjectSchema({ [entryKey]: { type: 'string', enum: [...names] }, ...properties }),
});

const createObjectSchema = (properties: Record<string, unknown>) => ({
  ...{ type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
});

/** An object with an entry of these fields for each of `names`; `says` tells what an entry is. */
export const createFieldsForEach = <F extends Fields>(
  names: readonly string[],
  fields: F,
  says = `object with an entry for each of ${names.join(', ')}, each entry an object\n${describeShape(fields, '    ')}`,
  note?: string,
): Field<Record<string, FieldValues<F>>> =>
  createField(
    says,
    () => createSchemaForEach(names, createAnswerSchema(fields)),
    `for each of ${names.join(', ')}: ${getSchemaKey(fields)}`,
    { inFamily: (word) => createEntryList(names, listFamilyProperties(fields, word)), note },
  );

const createSchemaForEach = <Value>(names: readonly string[], schema: z.ZodType<Value>) =>
  z.object(Object.fromEntries(names.map((name) => [name, schema])));

// Schemas and words of a whole answer.

/** The zod schema of an answer with these fields; further ones are ignored. */
export const createAnswerSchema = <F extends Fields>(fields: F) =>
  z.object(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema])),
  ) as unknown as z.ZodType<FieldValues<F>>; // `fromEntries` loses the types by name

/** The shape of an answer in words, a line a field. */
export const describeShape = (fields: Fields, indent = '') =>
  [
    `${indent}{`,
    ...Object.entries(fields).map(([name, { says }]) => `${indent}  "${name}": ${says}`),
    `${indent}}`,
  ].join('\n');

/** The JSON schema for providers that take one. Every property is required and no other allowed. */
export function convertToJsonSchema(schema: z.ZodType): Record<string, unknown> {
  const document = z.toJSONSchema(schema, { io: 'output', target: 'draft-7' });
  delete document.$schema; // strict schemas take none
  return document;
}

const getSchemaKey = (fields: Fields) =>
  JSON.stringify(Object.entries(fields).map(([name, { takes }]) => [name, takes]));

/** Each takes some 40 kB. A question whose answer names players has one for every set of names. */
const keptSchemas = 200;

const makeSchemas = memoize(keptSchemas, getSchemaKey, (fields) => {
  const answer = createAnswerSchema(fields);
  const heard = Object.keys(fields).filter((name) => fields[name]!.isHeard);
  return { answer, schema: convertToJsonSchema(answer), heard };
});

/**
 * The schema of an answer with these fields: `answer` for zod, `schema` as JSON, and the names of those that other players
 * hear or read. They are cached, so callers must not change them.
 *
 * @example getSchemas({ reasoning, bid: createIntegerField(0, 4, 'your bid') }).answer.parse({ reasoning: '', bid: '3' }) // { reasoning: '', bid: 3 }
 */
export const getSchemas = <F extends Fields>(fields: F) =>
  makeSchemas(fields) as {
    answer: z.ZodType<FieldValues<F>>;
    schema: Record<string, unknown>;
    heard: readonly string[];
  };

// The schema of a family of questions.

const dropBounds = ({ minimum, maximum, ...schema }: Record<string, unknown>) => {
  void [minimum, maximum];
  return schema;
};

/** The beginning of what a field says that its type in the schema says too. */
const typeWords = /^(?:string|true or false|list of strings|object with a number)[,:]? /;

/** Numbers have no bounds in the schema of a family. */
const describeInSchema = ({ says, note = says }: Field, word: Wording) =>
  note === null
    ? null
    : word(note)
        .replace(typeWords, '')
        .replace(/^number (from \d)/, '$1');

const listFamilyProperties = (fields: Fields, word: Wording): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { type, ...rest } = field.inFamily?.(word) ?? dropBounds(convertToJsonSchema(field.schema));
      const description = describeInSchema(field, word);
      return [field.familyName ?? name, { type, ...(description === null ? {} : { description }), ...rest }];
    }),
  );

/** The keys of an answer to the schema of a family, besides `reasoning`: its kind, and the object with its other fields. */
export const familyKeys = { kind: 'kind', answer: 'answer' } as const;

/**
 * One JSON schema for the answers to all these questions: an object with a kind, the reasoning, and an answer with one branch
 * for each set of fields, described in the words of `word`. As it is the same for a whole match, a server that puts it before
 * the messages can serve both from its cache, and prompts need not tell the shapes again. Numbers have no bounds in it, and
 * branches no kind, to keep it short: both are checked where the answer is read. What stands in it twice is a definition.
 *
 * @example createFamilySchema([{ kinds: ['bid'], fields: { bid: createIntegerField(0, 4, 'your bid') } }]).required // ['kind', 'reasoning', 'answer']
 */
export function createFamilySchema(
  branches: readonly { kinds: readonly string[]; fields: Fields }[],
  word: Wording = (text) => text,
): Record<string, unknown> {
  const schemas = branches.map(({ fields }) => createObjectSchema(listFamilyProperties(fields, word)));
  const different = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]));
  return shareParts(
    createObjectSchema({
      [familyKeys.kind]: { type: 'string', enum: branches.flatMap(({ kinds }) => kinds) },
      ...listFamilyProperties({ reasoning }, word),
      [familyKeys.answer]: { anyOf: [...different.values()] },
    }),
  );
}

type JsonSchema = Record<string, unknown>;

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && 'type' in value;

/** Whether a schema has no fields of its own: only such become definitions. */
const isPart = (value: unknown): value is JsonSchema => isSchema(value) && !('properties' in value);

/** All parts of a schema, the outer ones first. */
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

/** Characters of a reference, and of what stands around a definition. */
const referenceLength = '{"$ref":"#/$defs/a"}'.length;

/** The same schema with a definition for each part that stands in it more than once and is longer than the reference. */
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

// Reading what models write.

function parseNumeric(value: unknown) {
  if (typeof value === 'number') return value + 0; // no zero below zero: JSON does not keep it
  if (typeof value !== 'string') return value;
  const [, number, percent] = /^\s*([+-]?\d{0,20}\.?\d{1,20})\s*(%?)\s*$/.exec(value) ?? [];
  return number === undefined ? value : Number(number) / (percent ? 100 : 1) + 0;
}

/** Words that say that a name is not the one that is meant. */
const negation = /\b(?:not|no|never|but|except|nobody|anyone|anybody|instead)\b|n['’]t\b/i;

/** "I" with a verb, which is no name: "I will vote for Dan". */
const ownVerb = /(?<!\p{L})[Ii] \p{Ll}+/gu;

/** What stands beside a name in other letters that is meant as a name, not as a word: "vote for will", "dan or Zoe". */
const before = String.raw`(?:^|\b(?:for|over|or|and|choose|pick|exile|against)\s+|[,:]\s*)`;
const after = String.raw`(?:\s+(?:or|and|over)\b|\s*[,/])`;

/**
 * The choice itself in any case, or the only one that is named, in its own spelling and not ruled out. A second one may
 * be named in other letters ("Dan is innocent, vote for will"): nothing is guessed.
 */
function findNearestChoice(value: string, choices: readonly string[]) {
  const bare = flattenToOneLine(value).replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const same = choices.find((choice) => choice.toLowerCase() === bare.toLowerCase());
  if (same) return same;
  if (negation.test(value)) return value;
  const heard = foldLetters(bare.replace(ownVerb, ' '));
  const named = choices.filter((choice) => hasWord(choice, value) || isNamed(foldLetters(choice), heard));
  return named.length === 1 && hasWord(named[0]!, value) ? named[0]! : value;
}

/** Small letters without marks. */
const foldLetters = (text: string) => stripMarks(text).toLowerCase();

const isNamed = (name: string, heard: string) =>
  new RegExp(`${before}${name}(?!\\p{L})|(?<!\\p{L})${name}(?:${after}|$)`, 'u').test(heard);

const hasWord = (word: string, text: string) => new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'u').test(text);
