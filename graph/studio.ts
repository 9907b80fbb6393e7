// The graph for LangGraph Studio (langgraph.json names it): matches between bots, of which nothing is written.
import path from 'node:path';
import { Command } from '@langchain/langgraph';
import { getDisk } from '../models/machine/machine.ts';
import { createModelClient, inMemoryClientOptions, type ModelClient, type SeatModels } from '../models/model-client.ts';
import { openModel } from '../models/providers/index.ts';
import { EventLog } from '../models/record/event-log.ts';
import { openTracing } from '../models/tracing.ts';
import { readBoard } from '../state/boards.ts';
import { Setup } from '../state/game.ts';
import { UsageError } from '../state/usage-error.ts';
import { buildMatchGraph, type CompiledMatch } from './match-graph.ts';
import { defaultModel } from './seating.ts';

/** The origins that langgraph.json lets read answers: Studio's, and pages of this machine. */
const readAllowedOrigins = () => {
  const file = path.join(import.meta.dirname, '../langgraph.json');
  const { http } = JSON.parse(getDisk().readText(file)) as { http: { cors: { allow_origin_regex: string } } };
  return new RegExp(http.cors.allow_origin_regex);
};

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * What the dev server asks about each request, in the form of LangGraph's `Auth`. Any page of the internet can send
 * requests to this machine, also under a name of its own that it makes point here: served are only requests of Studio, of
 * pages of this machine and of programs, to a loopback name or the one that `--host` told.
 */
export const studioGuard = {
  '~handlerCache': {
    authenticate: (request: Request): Promise<string> => {
      const [host, origin] = [request.headers.get('host') ?? '', request.headers.get('origin')];
      const told = new URL(process.env['LANGGRAPH_API_URL'] ?? 'http://localhost').host;
      const isAllowed =
        (loopback.test(host) || host === told) && (origin === null || readAllowedOrigins().test(origin));
      if (isAllowed) return Promise.resolve('local');
      const words = `This server answers only this machine and LangGraph Studio, not ${origin ?? host}.`;
      return Promise.reject(Object.assign(new Error(words), { status: 403, headers: {} }));
    },
  },
};

/** More supersteps than any match under any rules. */
const superstepLimit = 10_000;

/**
 * Makes the graph; the dev server calls this for each run, and to draw it. A run's input may be `setup` in full, or
 * `plan` with names of a board and rules and a seed; without either it plays the default board.
 *
 * @example const end = await (await studioGraph()).invoke({ plan: { board: 'classic-8', seed: 7 } }, {});
 */
export async function studioGraph() {
  const bot = await openModel(defaultModel, { temperature: null, env: process.env });
  let opened: ModelClient | undefined;
  const createLazyClient = (setup: Setup): ModelClient => ({
    ask: (prompt) => (opened ??= createBotClient(setup, { choice: bot, talk: bot })).ask(prompt),
  });
  const graph = buildMatchGraph({ client: createLazyClient, events: new EventLog(() => undefined) });
  const { callbacks = [] } = openTracing(process.env).run;
  return loosenInput(graph.withConfig({ recursionLimit: superstepLimit, callbacks }));
}

/** Accepts runs as people start them in Studio, whose default limit of 25 supersteps would end every match early. */
function loosenInput(graph: CompiledMatch): CompiledMatch {
  const streamEvents = graph.streamEvents.bind(graph);
  graph.streamEvents = (input, options) =>
    streamEvents(checkInput(dropEmptyFields(input)), { ...options, recursionLimit: superstepLimit });
  return graph;
}

/** Leaves out empty fields of Studio's form, which come as null or as a set-up without players. */
function dropEmptyFields(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || input instanceof Command) return input;
  const isGiven = ([name, value]: [string, unknown]) =>
    value !== null && (name !== 'setup' || Boolean((value as Partial<Setup>).players?.length));
  return Object.fromEntries(Object.entries(input).filter(isGiven));
}

/**
 * Returns the input. Throws a UsageError for players or a round without a set-up, and for a set-up whose board or names
 * cannot be played; what has not the form of a set-up is refused by the graph itself.
 */
function checkInput(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || input instanceof Command) return input;
  const { setup, alivePlayers, roundNum } = input as Record<string, unknown>;
  const isUnderWay = Boolean(roundNum) || (Array.isArray(alivePlayers) && alivePlayers.length > 0);
  if (setup === undefined && isUnderWay)
    throw new UsageError(
      'A match starts with "plan" (board, rules and seed by name), with "setup" in full or with {}: "alivePlayers" and "roundNum" are not given without "setup".',
    );
  const { success, data } = Setup.safeParse(setup);
  if (success) readBoard({ ...data.board, names: data.players.map(({ name }) => name) });
  return input;
}

const createBotClient = (setup: Setup, seat: SeatModels) =>
  createModelClient({
    ...inMemoryClientOptions,
    seats: Object.fromEntries(setup.players.map(({ name }) => [name, seat])),
    seed: setup.seed,
    signal: new AbortController().signal,
    metadata: { board: setup.board.name, seed: setup.seed },
  });
