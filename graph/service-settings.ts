// Settings of a server. The operator makes some of them in the environment; clients make the others in the context of a
// run.
import { z } from 'zod';
import { bot } from '../models/bots/index.ts';
import type { Environment } from '../models/model.ts';
import { dropUndefined } from '../models/model-options.ts';
import { type NamedModels, readModelsFile } from '../models/providers/models-file.ts';
import { boards } from '../state/boards.ts';
import { defaultPlan } from '../state/game.ts';
import { presetNames, presets } from '../state/presets.ts';
import { flattenToOneLine } from '../state/text.ts';
import { describeIssue, UsageError } from '../state/usage-error.ts';
import { defaultConcurrency } from './play-match.ts';
import type { MatchPlan } from './prepare-match.ts';
import { defaultModel } from './seating.ts';

/** Settings that only the operator makes. */
export interface ServiceSettings {
  /** Model strings by name. A client can use only these names. */
  models: NamedModels;
  /** Folder of records; null to write nothing. */
  out: string | null;
  /** Amount in USD that all matches of this process together may spend; null for no limit. */
  maxCost: number | null;
  /** Maximum number of concurrent calls to one server. */
  concurrency: number;
}

const readNumber = (env: Environment, name: string, schema: z.ZodType<number>): number | undefined => {
  const text = env[name]?.trim();
  if (!text) return undefined;
  const read = schema.safeParse(Number(text), { error: describeIssue });
  if (!read.success) throw new UsageError(`${name}=${text} ${read.error.issues[0]!.message}.`);
  return read.data;
};

/** Returns the folder of records; null to write nothing. */
export const readRecordFolder = (env: Environment): string | null => env['WOLFGRAPH_OUT']?.trim() || null;

/**
 * Reads the operator's settings. Throws a UsageError that names the variable, or the models file and its entry.
 *
 * @example readServiceSettings({ WOLFGRAPH_MODELS: 'models.yaml', WOLFGRAPH_OUT: 'runs', WOLFGRAPH_MAX_COST: '50' });
 */
export function readServiceSettings(env: Environment): ServiceSettings {
  const file = env['WOLFGRAPH_MODELS']?.trim();
  const bots = bot.models!.map((name) => `${bot.name}:${name}`);
  return {
    models: new Map([...bots.map((name) => [name, name] as const), ...(file ? readModelsFile(file) : [])]),
    out: readRecordFolder(env),
    maxCost: readNumber(env, 'WOLFGRAPH_MAX_COST', z.number().min(0)) ?? null,
    concurrency: readNumber(env, 'WOLFGRAPH_CONCURRENCY', z.number().int().min(1)) ?? defaultConcurrency,
  };
}

/**
 * A person in a client's settings, with the seconds for each answer. Clients may seat any person; the operator keeps
 * no list of people.
 */
const Person = z.string().regex(/^human(:[A-Za-z0-9][A-Za-z0-9._-]{0,59})?(\?seconds=\d{1,5})?$/, {
  error: 'must be a model of this server, or a person: human:NAME, or human:NAME?seconds=60 with a time limit',
});

/**
 * Creates the schema of a client's settings, which Studio shows as a form. Every field is optional. The schema has no
 * addresses, keys, prices or folders: with these, any caller could have the server's keys sent to a host of the
 * caller's choice.
 */
export function createContextSchema({ models }: Pick<ServiceSettings, 'models'>) {
  const model = z.enum([...models.keys()] as [string, ...string[]]);
  const fields = {
    model: model.optional().describe(`model of every seat, by its name on this server (default: ${defaultModel})`),
    villagers: model.optional().describe('model of the village'),
    werewolves: model.optional().describe('model of the Werewolves'),
    roles: z.record(z.string(), model).optional().describe('role → model; overrides the model of its side'),
    seats: z
      .record(z.string(), z.union([model, Person]))
      .optional()
      .describe('player → model or human:NAME (a person with a page); overrides the model of the role'),
    board: z
      .enum(Object.keys(boards) as [string, ...string[]])
      .optional()
      .describe(`(default: ${defaultPlan.board})`),
    rules: z
      .enum([...presetNames, ...Object.keys(presets)] as [string, ...string[]])
      .optional()
      .describe(`a preset of rules (default: ${defaultPlan.rules})`),
    rule: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .describe('single rules by name; override the rules of board and preset'),
    seed: z
      .number()
      .int()
      .optional()
      .describe(`a whole number; the same seed deals the same roles (default: ${defaultPlan.seed})`),
    maxCost: z.number().gt(0).optional().describe('USD; no call of this match begins once this much is spent'),
  };
  return z.strictObject(fields, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `a client cannot give ${issue.keys.map((key) => `"${key}"`).join(', ')}; it can give ${listClientFields(fields)}. Only the server's operator decides how a model is reached and paid for, and where records are written`
        : undefined,
  });
}

export type ServiceContext = z.infer<ReturnType<typeof createContextSchema>>;

const listClientFields = (fields: object) => Object.keys(fields).join(', ');

/** Returns whether a field of a form was filled in. */
const isGiven = ([, value]: [string, unknown]) => value !== null && value !== undefined && value !== '';

/** Names of settings that a client might put into a run's configuration, where nothing reads them. */
const misplaced = ['baseUrl', 'apiKeyEnv', 'out', 'prices', 'priceIn', 'priceOut'];

/**
 * Names in a run's `configurable` that the server or LangGraph obeys: the project in the operator's LangSmith account
 * that receives a copy of the trace, and LangGraph's internal state.
 */
const obeyed = /^(?:__|langsmith)/i;

/**
 * Returns why the `configurable` of a run or an assistant is rejected. Null if it is accepted.
 *
 * @example checkConfigurable({ thread_id: '1' }) // null
 */
export function checkConfigurable(configurable: Readonly<Record<string, unknown>>): string | null {
  const names = Object.keys(configurable).filter((name) => obeyed.test(name) && configurable[name] !== undefined);
  if (names.length === 0) return null;
  const told = flattenToOneLine(names.slice(0, 3).join(', ')).slice(0, 100);
  return `"configurable" holds ${told}, which clients may not set: the operator decides where traces go and how the graph runs. Leave it out (langsmith_tracer too).`;
}

/**
 * Reads the context of a run. Empty fields count as absent. Throws a UsageError that names the field, also for a field
 * in the run's `configurable`.
 */
export function readContext(
  given: unknown,
  configurable: Readonly<Record<string, unknown>>,
  settings: ServiceSettings,
): ServiceContext {
  const schema = createContextSchema(settings);
  const { shape } = schema;
  const strays = [...Object.keys(shape), ...misplaced].filter((name) => name in configurable);
  if (strays.length > 0)
    throw new UsageError(
      `"configurable" holds ${strays.join(', ')}, which is ignored. Use the run's context instead; its fields are: ${listClientFields(shape)}.`,
    );
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  const filled = isObject ? Object.fromEntries(Object.entries(given).filter(isGiven)) : (given ?? {});
  const read = schema.safeParse(filled, { error: describeIssue });
  if (!read.success) throw new UsageError(`The context of a run: ${z.prettifyError(read.error)}`);
  return read.data;
}

/** Returns the plan in a context, with the model strings that the operator has assigned to its names. */
export function planMatchFromContext(context: ServiceContext, { models }: ServiceSettings): MatchPlan {
  const find = (name: string) => models.get(name) ?? name; // a person is named by the client alone
  const findAll = (named: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(named).map(([key, name]) => [key, find(name)]));
  const { model, villagers, werewolves, roles, seats, board, rules, rule, seed } = context;
  return {
    ...dropUndefined({ board, rules, rule, seed }),
    model: model && find(model),
    villagers: villagers && find(villagers),
    werewolves: werewolves && find(werewolves),
    roles: findAll(roles),
    seats: findAll(seats),
  };
}
