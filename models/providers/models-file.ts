// Names that users give to models in a file. Every option that accepts a model also accepts these names.
import { z } from 'zod';
import { portableNameRule, textInTablesRule } from '../../state/file-name.ts';
import { isModelName } from '../../state/model-identity.ts';
import { describeIssue, UsageError } from '../../state/usage-error.ts';
import { formatCanonicalJson } from '../extra-body.ts';
import { createRedactor } from '../redact.ts';
import { parseYaml, readUserFile } from '../yaml-file.ts';
import { escapeOption } from '../model-options.ts';
import { readModelSpec } from './index.ts';

const OptionValue = z.union([z.string(), z.number()], { error: 'must be a word or a number' });

const NamedModel = z
  .object(
    {
      model: z.string({ error: 'must be a model such as "openai:gpt-4o"' }),
      /** USD per million tokens; equivalent to priceIn and priceOut. */
      prices: z
        .strictObject({ in: z.number(), out: z.number() }, { error: 'must be { in: USD, out: USD }' })
        .optional(),
      /** Additional content of requests: an object here, JSON in a model string. */
      extraBody: z
        .record(z.string(), z.json(), { error: 'must be an object, e.g. { provider: { order: [deepinfra] } }' })
        .optional(),
      /** Limits of calls; equivalent to the options of the same names. */
      limits: z
        .strictObject(
          { rpm: z.number().optional(), tpm: z.number().optional(), concurrency: z.number().optional() },
          { error: 'must contain only rpm, tpm or concurrency' },
        )
        .optional(),
    },
    { error: 'must be a model such as "openai:gpt-4o", or an object with model and its options' },
  )
  .catchall(OptionValue);

/** Expected form of a models file, for messages. */
export const modelsForm = 'names with their models (a mapping, not a list), e.g. gpt: { model: openai:gpt-4o }';

const ModelsFile = z.record(
  z.string().refine(isModelName),
  z.preprocess((value) => (typeof value === 'string' ? { model: value } : value), NamedModel),
  {
    error: ({ code }) =>
      code === 'invalid_key'
        ? `is not a valid name: a name has only letters, digits, ".", "_" and "-", at most 60; it must ${portableNameRule}; and it must ${textInTablesRule}`
        : `must be ${modelsForm}`,
  },
);

/** Name → full model string, which contains the name. */
export type NamedModels = ReadonlyMap<string, string>;

/**
 * Reads the named models of a YAML file. Makes no call. Throws a UsageError that names the file, the model and the
 * fault.
 *
 * @example readModelsFile('models.yaml').get('gpt'); // 'openai:gpt-5.2?name=gpt&reasoningEffort=low'
 */
export function readModelsFile(file: string): NamedModels {
  return readNamedModels(file, parseYaml(file, readUserFile(file, 'a YAML file that gives models names')));
}

/** Reads named models from the parsed contents of a file. `what`: beginning of every error. */
export function readNamedModels(what: string, contents: unknown): NamedModels {
  checkGroups(what, contents);
  const read = ModelsFile.safeParse(contents, { error: describeIssue });
  if (!read.success) throw new UsageError(`${what} cannot be used: ${z.prettifyError(read.error)}`);
  const named = Object.entries(read.data).map(
    ([name, model]) => [name, composeModelString(what, name, model)] as const,
  );
  if (named.length === 0) throw new UsageError(`${what} names no model. Expected e.g. gpt: { model: openai:gpt-4o }`);
  return new Map(named);
}

/**
 * Throws a UsageError for an abbreviated name of a group, because it would be mistaken for an option of the model
 * string.
 */
function checkGroups(what: string, contents: unknown): void {
  for (const [name, model] of Object.entries(contents ?? {}))
    for (const group of ['price', 'limit'])
      if (typeof model === 'object' && model !== null && group in model)
        throw new UsageError(`${what}, ${name}: unknown: "${group}". Did you mean "${group}s"?`);
}

/**
 * Returns whether an option's name suggests that its value is a key. `apiKeyEnv` is excluded, because it only names a
 * variable.
 */
const isKeyOption = (option: string) =>
  option !== 'apiKeyEnv' && /key|secret|password|authorization|^token$/i.test(option);

function composeModelString(
  what: string,
  name: string,
  { model, prices, limits, extraBody, ...single }: z.infer<typeof NamedModel>,
) {
  const [bare, inModel] = splitOptions(model);
  const groups = [
    ...inModel,
    ...Object.entries(single),
    ...(prices ? [['priceIn', prices.in] as const, ['priceOut', prices.out] as const] : []),
    ...Object.entries(limits ?? {}),
    ...(extraBody ? [['extraBody', formatCanonicalJson(extraBody)] as const] : []),
  ].map(([option, value]) => [option, String(value)] as const);
  // This is checked before any part of the model is shown, because messages about other faults quote the model.
  if (groups.some(([option]) => isKeyOption(option)) || [bare, ...groups.flat()].some(isSecret))
    throw new UsageError(
      `${what}, ${name}: a models file must not contain keys. Put the key in an environment variable and name the variable with apiKeyEnv.`,
    );
  const options = groups.map(([option]) => option);
  const twice = options.find((option, place) => option === 'name' || options.indexOf(option) !== place);
  if (twice !== undefined)
    throw new UsageError(
      twice === 'name'
        ? `${what}, ${name}: leave out the option name. The model's name is ${name}.`
        : `${what}, ${name}: ${twice} is given twice. Give it once.`,
    );
  const sorted = groups.sort(([one], [other]) => (one < other ? -1 : 1)); // the order in the file does not affect the identity
  const text = [['name', name] as const, ...sorted]
    .map(([option, value]) => `${option}=${escapeOption(value)}`)
    .join('&');
  try {
    return readModelSpec(`${bare}?${text}`).text;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new UsageError(`${what}, ${name}: ${error.message}`, { cause: error });
  }
}

const isSecret = (text: string) => createRedactor([])(text) !== text;

function splitOptions(model: string): [bare: string, options: [string, string][]] {
  const question = model.lastIndexOf('?');
  return question < 0 ? [model, []] : [model.slice(0, question), [...new URLSearchParams(model.slice(question + 1))]];
}

/**
 * Returns the model string of a name; other text is already a model string. Throws a UsageError for an unknown name,
 * listing the known ones.
 *
 * @example resolveModel('gpt', readModelsFile('models.yaml')); // 'openai:gpt-5.2?name=gpt&reasoningEffort=low'
 */
export function resolveModel(text: string, named: NamedModels): string {
  const found = named.get(text);
  if (found !== undefined) return found;
  if (named.size > 0 && isModelName(text))
    throw new UsageError(
      `No model is named "${text}". Names: ${[...named.keys()].join(', ')}; or a model string such as openai:gpt-4o.`,
    );
  return text;
}
