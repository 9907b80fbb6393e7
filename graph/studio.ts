// The graph as a server serves it to LangGraph Studio and other clients; langgraph.json names it. Without an operator's
// settings it plays bots and writes nothing.
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
 * The operator's environment. Models and their addresses stand in the operator's models file: hosts that may have keys are
 * named in the shell (WOLFGRAPH_ALLOW_KEYS).
 */
const readOperatorEnvironment = () =>
  (operatorEnvironment ??= addCommandPolicy(process.env, {
    argv: [],
    tell: (line) => void process.stderr.write(`${line}\n`),
  }));
let operatorEnvironment: NodeJS.ProcessEnv | undefined;

/** More supersteps than any match under any rules. */
const superstepLimit = 10_000;

/** Where the dev server asks for a graph to show it, not to play, and where to play it. */
const [showing, running] = ['assistants.read', 'threads.create_run'];

/** The configuration of a run. */
interface Wanted {
  configurable?: Readonly<Record<string, unknown>>;
}

/**
 * Makes the graph; the server calls this for each run, and to show it. A run's input may be `setup` in full, or `plan`
 * with names of a board and rules and a seed; its context names models and all else that a client may decide.
 *
 * @example const end = await (await studioGraph()).invoke({ plan: { board: 'classic-8', seed: 7 } }, {});
 */
export async function studioGraph(config?: Wanted, access?: { accessContext?: string }): Promise<CompiledMatch> {
  // What assistants and threads keep stands here too. The server's own tracer is made of it after this.
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
  const { callbacks = [] } = openTracing(readOperatorEnvironment()).run;
  return answerClients(buildMatchGraph(match).withConfig({ recursionLimit: superstepLimit, callbacks }));
}

/** The same state as a zod object, since LangGraph shows no schema of the context beside a `StateSchema`. */
const createShownSchemas = () => {
  const channels = Object.entries(GameState.fields).map(([name, field]) => [
    name,
    field instanceof ReducedValue ? field.valueSchema : field,
  ]);
  const state = z.object(Object.fromEntries(channels) as z.ZodRawShape);
  return [state, createContextSchema(readServiceSettings(process.env))] as const;
};

/** Plays what a client's run asks for. */
function answerClients(graph: CompiledMatch): CompiledMatch {
  const streamEvents = graph.streamEvents.bind(graph);
  graph.streamEvents = (given, options: RunOptions) => {
    const settings = readServiceSettings(process.env);
    const context = readContext(options.context, options.configurable ?? {}, settings);
    const input = checkInput(dropEmptyFields(given));
    const isBare = Object.keys(context).length === 0;
    const hasSetup = isInput(input) && input['setup'] !== undefined;
    if (hasSetup && !isBare)
      throw new UsageError('A set-up in full is played by built-in bots. Leave out either "setup" or the context.');
    if (!hasSetup && !(isBare && settings.out === null))
      return playForClient(graph, { input, context, options }, settings, readOperatorEnvironment());
    // Runs as people start them in Studio, whose default limit of 25 supersteps would end every match early.
    return streamEvents(input, { ...options, context: undefined, recursionLimit: superstepLimit });
  };
  return graph;
}

/** Whether a run is given fields of the state, in contrast to a command or nothing. */
const isInput = (input: unknown): input is Record<string, unknown> =>
  typeof input === 'object' && input !== null && !(input instanceof Command);

/** Leaves out empty fields of Studio's form, which come as null or as a set-up without players. */
function dropEmptyFields(input: unknown): unknown {
  if (!isInput(input)) return input;
  const isGiven = ([name, value]: [string, unknown]) =>
    value !== null && (name !== 'setup' || Boolean((value as Partial<Setup>).players?.length));
  return Object.fromEntries(Object.entries(input).filter(isGiven));
}

/**
 * Returns the input. Throws a UsageError for players or a round without a set-up, and for a set-up whose board or names
 * cannot be played; what has not the form of a set-up is refused by the graph itself.
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

/** Throws a UsageError for a field that is not known: left out in silence, it would seem to have been heeded. */
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
