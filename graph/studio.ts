// The graph that a server provides to LangGraph Studio and other clients. langgraph.json refers to it. Without settings
// by an operator, it plays bots and writes nothing.
import { Command, ReducedValue } from '@langchain/langgraph';
import { z } from 'zod';
import { addCommandPolicy } from '../models/key-policy.ts';
import { createModelClient, inMemoryClientOptions, type ModelClient } from '../models/model-client.ts';
import type { SeatModels } from '../models/model.ts';
import { openModel } from '../models/providers/index.ts';
import { EventLog } from '../models/record/event-log.ts';
import { openTracing } from '../models/tracing.ts';
import { readBoard } from '../state/boards.ts';
import { GameState, StudioPlan, Setup } from '../state/game.ts';
import { UsageError } from '../state/usage-error.ts';
import { buildMatchGraph, type CompiledMatch } from './match-graph.ts';
import { defaultModel } from './seating.ts';
import { type RunOptions, playForClient } from './play-service-match.ts';
import { checkConfigurable, createContextSchema, readContext, readServiceSettings } from './service-settings.ts';

/**
 * Returns the operator's environment. Models and their addresses are in the operator's models file; hosts that may
 * receive keys are given in the shell (WOLFGRAPH_ALLOW_KEYS).
 */
const readOperatorEnvironment = () =>
  (operatorEnvironment ??= addCommandPolicy(process.env, {
    argv: [],
    tell: (line) => void process.stderr.write(`${line}\n`),
  }));
let operatorEnvironment: NodeJS.ProcessEnv | undefined;

/** Upper bound on the supersteps of any match under any rules. */
const superstepLimit = 10_000;

/** Values of `accessContext` with which the dev server requests a graph: to show it, and to run it. */
const [showing, running] = ['assistants.read', 'threads.create_run'];

/** Configuration of a run. */
interface Wanted {
  configurable?: Readonly<Record<string, unknown>>;
}

/**
 * Creates the graph. The server calls this for each run, and to show the graph. A run's input may be a full `setup`, or
 * a `plan` with a board, rules and a seed; its context names models and everything else that a client may decide.
 *
 * @example const end = await (await studioGraph()).invoke({ plan: { board: 'classic-8', seed: 7 } }, {});
 */
export async function studioGraph(config?: Wanted, access?: { accessContext?: string }): Promise<CompiledMatch> {
  // The configuration includes settings that are stored with assistants and threads. The server later creates its own
  // tracer from the configuration.
  const fault = access?.accessContext === running ? checkConfigurable(config?.configurable ?? {}) : null;
  if (fault !== null) throw new UsageError(fault);
  const bot = await openModel(defaultModel, { temperature: null, env: readOperatorEnvironment() });
  let opened: ModelClient | undefined;
  const createLazyClient = (setup: Setup): ModelClient => {
    const open = () => (opened ??= createBotClient(setup, { choice: bot, talk: bot }));
    return { ask: (prompt) => open().ask(prompt), recall: (prompt, moment) => open().recall(prompt, moment) };
  };
  const match = { client: createLazyClient, events: new EventLog(() => undefined) };
  if (access?.accessContext === showing) return buildMatchGraph(match, createShownSchemas());
  const { callbacks } = openTracing(readOperatorEnvironment()).run;
  // Clients of a server see the server's runs, so runs are created even if nothing is traced.
  const handlers = Array.isArray(callbacks) ? callbacks : [];
  return answerClients(buildMatchGraph(match).withConfig({ recursionLimit: superstepLimit, callbacks: handlers }));
}

/** Returns the state as zod objects: LangGraph shows no schema of the context if the state is a `StateSchema`. */
const createShownSchemas = () => {
  const channels = Object.entries(GameState.fields).map(([name, field]) => [
    name,
    field instanceof ReducedValue ? field.valueSchema : field,
  ]);
  const state = z.object(Object.fromEntries(channels) as z.ZodRawShape);
  return [state, createContextSchema(readServiceSettings(process.env))] as const;
};

/** Plays the match that a client's run asks for. */
function answerClients(graph: CompiledMatch): CompiledMatch {
  const streamEvents = graph.streamEvents.bind(graph);
  graph.streamEvents = (given, options: RunOptions) => {
    const settings = readServiceSettings(process.env);
    const context = readContext(options.context, options.configurable ?? {}, settings);
    const input = checkInput(dropEmptyFields(given));
    const isBare = Object.keys(context).length === 0;
    const hasSetup = isInput(input) && input['setup'] !== undefined;
    if (hasSetup && !isBare)
      throw new UsageError(
        'The input has a complete "setup", which only built-in bots can play, and the run has a context, which names models. Leave out one of the two.',
      );
    if (!hasSetup && !(isBare && settings.out === null))
      return playForClient(graph, { input, context, options }, settings, readOperatorEnvironment());
    // Runs started in Studio have a default limit of 25 supersteps, which would end every match early.
    return streamEvents(input, { ...options, context: undefined, recursionLimit: superstepLimit });
  };
  return graph;
}

/** Whether the input of a run has fields of the state. Other inputs are commands, or absent. */
const isInput = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !(input instanceof Command);

/** Removes empty fields, which Studio's form sends as null or as a set-up without players. */
function dropEmptyFields(input: unknown): unknown {
  if (!isInput(input)) return input;
  const isGiven = ([name, value]: [string, unknown]) =>
    value !== null && (name !== 'setup' || Boolean((value as Partial<Setup>).players?.length));
  return Object.fromEntries(Object.entries(input).filter(isGiven));
}

/**
 * Returns the input. Throws a UsageError for players or a round without a set-up, and for a set-up whose board or names
 * cannot be played. The graph itself rejects values that do not have the form of a set-up.
 */
function checkInput(input: unknown): unknown {
  if (!isInput(input)) return input;
  checkFields('The input', input, Object.keys(GameState.fields));
  const { setup, plan, alivePlayers, roundNum } = input;
  if (isInput(plan)) checkFields('"plan"', plan, Object.keys(StudioPlan.shape));
  const isUnderWay = Boolean(roundNum) || (Array.isArray(alivePlayers) && alivePlayers.length > 0);
  if (setup === undefined && isUnderWay)
    throw new UsageError(
      'A match starts with "plan" (board, rules and seed by name), with "setup" in full or with {}: "alivePlayers" and "roundNum" are not given without "setup".',
    );
  const { success, data } = Setup.safeParse(setup);
  if (success) readBoard({ ...data.board, names: data.players.map(({ name }) => name) });
  return input;
}

/** Throws a UsageError for an unknown field: if it were ignored, it would seem to have had an effect. */
function checkFields(what: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new UsageError(`${what} has no field ${unknown.join(', ')}. It has ${known.join(', ')}.`);
}

const createBotClient = (setup: Setup, seat: SeatModels) =>
  createModelClient({
    ...inMemoryClientOptions,
    seats: Object.fromEntries(setup.players.map(({ name }) => [name, seat])),
    seed: setup.seed,
    replicate: setup.replicate,
    signal: new AbortController().signal,
    metadata: { board: setup.board.name, seed: setup.seed },
  });
