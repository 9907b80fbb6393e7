// What Gemini models take in a form of their own: JSON schemas, and the configuration of their thinking.
import { UsageError } from '../../state/usage-error.ts';
import { getBareName } from './model-family.ts';
import type { ModelOptions } from '../model-options.ts';

type Schema = Readonly<Record<string, unknown>>;

/** The keywords of JSON schema that our answers use and Gemini knows; it refuses those that it does not know. */
const keywords = ['type', 'description', 'enum', 'items', 'minimum', 'maximum', 'minItems', 'maxItems', 'required'];

/** A JSON schema for Gemini. It asks for properties in their order: earlier models write them by the alphabet. */
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

/** The call option that makes an answer follow a JSON schema. */
export const createGeminiSchemaOptions = (_name: string, schema: Schema) => ({
  responseSchema: convertToGeminiSchema(schema),
});

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Gemini's own options for the model's thinking. */
export interface ThinkingConfig {
  includeThoughts?: boolean;
  /** In tokens; 0 turns thinking off. */
  thinkingBudget?: number;
  thinkingLevel?: string;
}

/** For Gemini 2.5, in tokens: LangChain's values, with the least that all models take for "minimal". */
const budgets: Readonly<Record<string, number>> = { none: 0, minimal: 512, low: 1024, medium: 8192, high: 24_576 };

/** The efforts that models take from Gemini 3 on. */
const levels = ['minimal', 'low', 'medium', 'high'];

/**
 * The thinking options for a model. Summaries of its thoughts are requested wherever it thinks, by default or because
 * of `effort`: Vertex AI refuses that where thinking is off, as by default in the "lite" models.
 * Throws a UsageError for an effort that the model does not know.
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
        ? `${model} has no reasoningEffort to set.`
        : `Unknown reasoningEffort "${effort}" of ${model}. Known: ${known.join(', ')}.`,
    );
  if (version >= 3) return { includeThoughts: true, thinkingLevel: effort.toUpperCase() };
  return { includeThoughts: effort !== 'none', thinkingBudget: budgets[effort]! };
}
