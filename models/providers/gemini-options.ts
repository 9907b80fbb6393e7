// What Gemini models take in their own form: JSON schemas, and how they are told to think.
import { UsageError } from '../../state/usage-error.ts';
import type { ModelOptions } from './model-options.ts';

type Schema = Readonly<Record<string, unknown>>;

/** What Gemini knows of JSON schema, of what our answers use; it refuses keywords that it does not know. */
const keywords = ['type', 'description', 'enum', 'items', 'minimum', 'maximum', 'minItems', 'maxItems', 'required'];

/** Keeps what Gemini knows, and has properties written in their order: earlier models wrote them by the alphabet. */
export function convertToGeminiSchema(schema: Schema): Schema {
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

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// How Gemini models are told to think, and to tell of it.

export interface ThinkingConfig {
  includeThoughts?: boolean;
  /** Tokens; 0 turns thinking off. */
  thinkingBudget?: number;
  thinkingLevel?: string;
}

/** For Gemini 2.5, in tokens: those of LangChain, with the least that all its models take for "minimal". */
const budgets: Readonly<Record<string, number>> = { none: 0, minimal: 512, low: 1024, medium: 8192, high: 24_576 };

/** From Gemini 3 on. */
const levels = ['minimal', 'low', 'medium', 'high'];

/**
 * How the model is told to think. Summaries of its thoughts are asked for wherever it thinks by itself or is told to:
 * Vertex AI refuses the wish where thinking is off, as it is by default in the "lite" models.
 * Throws a UsageError for an effort that the model does not know.
 */
export function getThinkingConfig(model: string, effort: ModelOptions['reasoningEffort']): ThinkingConfig | undefined {
  const version = Number(/^gemini-(\d+(?:\.\d+)?)/.exec(model)?.[1] ?? 0);
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
