// Gemini's own form of JSON schemas and of thinking options.
import { UsageError } from '../../state/usage-error.ts';
import { getBareName } from './model-family.ts';
import type { ModelOptions } from '../model-options.ts';

type Schema = Readonly<Record<string, unknown>>;

/** JSON schema keywords of this program's schemas that Gemini knows. Gemini rejects unknown ones. */
const keywords = ['type', 'description', 'enum', 'items', 'minimum', 'maximum', 'minItems', 'maxItems', 'required'];

/**
 * Converts a JSON schema for Gemini. States the order of properties, because earlier models write them in alphabetical
 * order.
 */
function convertToGeminiSchema(schema: Schema): Schema {
  const kept = Object.fromEntries(Object.entries(schema).filter(([name]) => keywords.includes(name)));
  if (isSchema(kept['items'])) kept['items'] = convertToGeminiSchema(kept['items']);
  if ('const' in schema) kept['enum'] = [schema['const']];
  const properties = schema['properties'];
  if (!isSchema(properties)) return kept;
  return {
    ...kept,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        isSchema(property) ? convertToGeminiSchema(property) : property,
      ]),
    ),
    propertyOrdering: Object.keys(properties),
  };
}

/** Creates the call option that makes an answer follow a JSON schema. */
export const createGeminiSchemaOptions = (_name: string, schema: Schema) => ({
  responseSchema: convertToGeminiSchema(schema),
});

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Gemini's options for the model's thinking. */
export interface ThinkingConfig {
  includeThoughts?: boolean;
  /** Budget in tokens; 0 turns thinking off. */
  thinkingBudget?: number;
  thinkingLevel?: string;
}

/**
 * Budgets for Gemini 2.5, in tokens. They are LangChain's values, except that "minimal" is the smallest budget that all
 * models support.
 */
const budgets: Readonly<Record<string, number>> = { none: 0, minimal: 512, low: 1024, medium: 8192, high: 24_576 };

/** Effort levels of models from Gemini 3 on. */
const levels = ['minimal', 'low', 'medium', 'high'];

/**
 * Returns the thinking options for a model. Summaries of its thoughts are requested if it thinks, by default or because
 * of `effort`. Vertex AI rejects that request if thinking is off, which is the default of the "lite" models. Throws a
 * UsageError if the model does not support the effort.
 *
 * @example getThinkingConfig('gemini-2.5-pro', 'low'); // { includeThoughts: true, thinkingBudget: 1024 }
 */
export function getThinkingConfig(model: string, effort: ModelOptions['reasoningEffort']): ThinkingConfig | undefined {
  const version = Number(/^gemini-(\d+(?:\.\d+)?)/.exec(getBareName(model))?.[1] ?? 0);
  if (effort === undefined) return version >= 2.5 && !/lite|image/.test(model) ? { includeThoughts: true } : undefined;
  const known = version >= 3 ? levels : version >= 2.5 ? Object.keys(budgets) : [];
  if (!known.includes(effort))
    throw new UsageError(
      known.length === 0
        ? `${model} does not support reasoningEffort.`
        : `Unknown reasoningEffort "${effort}" of ${model}. Known: ${known.join(', ')}.`,
    );
  if (version >= 3) return { includeThoughts: true, thinkingLevel: effort.toUpperCase() };
  return { includeThoughts: effort !== 'none', thinkingBudget: budgets[effort]! };
}
