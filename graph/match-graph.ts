// The graph of a match: one LangGraph node for each of `matchNodes` (nodes/index.ts), and the edges between them. The
// order of play is in state/phases.ts (`transitions`).
import type { Callbacks } from '@langchain/core/callbacks/manager';
import { Runnable, type RunnableConfig } from '@langchain/core/runnables';
import { type BaseCheckpointSaver, END, ReducedValue, START, StateGraph, StateSchema } from '@langchain/langgraph';
import type { z } from 'zod';
import type { ModelClient } from '../models/model-client.ts';
import type { EventLog } from '../models/record/event-log.ts';
import { matchNodes } from '../nodes/index.ts';
import type { Node } from '../nodes/run-step.ts';
import { type Game, GameState, type GameUpdate, type Setup } from '../state/game.ts';
import { nightWaves, endOfMatch, type Router, transitions } from '../state/phases.ts';
import { getTurnsPerDay } from '../state/steps/debate.ts';

/** Resources with which a match is played. They are never part of the state. */
interface MatchContext {
  /** Model client, or a function that creates it if the set-up is known only after the match has begun. */
  client: ModelClient | ((setup: Setup) => ModelClient);
  events: EventLog;
}

/**
 * Builds and compiles the graph of one match.
 *
 * @example
 * const graph = buildMatchGraph({ client, events: new EventLog((events) => recorder.happened(events)) });
 * await graph.invoke(createInitialState(setup), { recursionLimit: computeSuperstepLimit(setup) });
 */
export function buildMatchGraph(context: MatchContext, schemas: GraphSchemas = [TrustedState]): CompiledMatch {
  const graph = new (StateGraph as unknown as new (...schemas: GraphSchemas) => LooseGraph)(...schemas);
  for (const [name, node] of Object.entries(matchNodes)) graph.addNode(name, wrapNode(name, node, context));
  graph.addEdge(START, 'start_round');
  for (const [name, { next, paths }] of Object.entries(transitions)) {
    const [only, ...others] = paths;
    if (others.length === 0) graph.addEdge(name, only === endOfMatch ? END : only!);
    else graph.addConditionalEdges(name, new UntracedRouter(`after ${name}`, next), paths);
  }
  return graph.compile();
}

/** Returns a schema that accepts every value and gives the same default. */
const trust = (schema: StandardSchema): StandardSchema => {
  const { '~standard': checked } = schema;
  return {
    '~standard': {
      ...checked,
      validate: (value) => (value === undefined ? checked.validate(value) : { value }),
    },
  };
};

/**
 * The state whose values LangGraph does not check: in a match of this process, all of them come from the nodes, whose
 * types are known, and events are checked when they are recorded.
 */
const TrustedState = new StateSchema(
  Object.fromEntries(
    Object.entries(GameState.fields as Readonly<Record<string, StandardSchema | ReducedValue>>).map(([name, field]) => [
      name,
      ReducedValue.isInstance(field)
        ? new ReducedValue(trust(field.valueSchema), { inputSchema: trust(field.inputSchema), reducer: field.reducer })
        : trust(field),
    ]),
  ),
) as unknown as typeof GameState;

/** Returns an upper bound on the supersteps of any match under these rules. */
export const computeSuperstepLimit = ({ rules, players }: Game['setup']) =>
  rules.maxRounds * (nightWaves.length + 2 * getTurnsPerDay(rules, players.length) + 6 * players.length + 25) + 10;

type NodeHandler = (game: Game, config: RunnableConfig) => Promise<GameUpdate>;

/**
 * Wraps a node for LangGraph. The node's events go to the record. Events that some player may see also become part of
 * the state.
 */
const wrapNode =
  (name: string, node: Node, { client, events: log }: MatchContext): NodeHandler =>
  async (game, config) => {
    log.begin(Number(config.metadata?.['langgraph_step']));
    const { events, change } = await node(game, typeof client === 'function' ? client(game.setup) : client);
    log.add(name, events);
    return { ...change, gameLogs: events.filter(({ audience }) => audience !== 'moderator') };
  };

/**
 * A router that adds no run to a trace. LangGraph would trace every plain function as a run, which would be useless.
 */
class UntracedRouter extends Runnable<Game, string[]> {
  override lc_namespace = ['wolfgraph', 'graph'];
  override name: string;
  readonly #route: Router;

  constructor(name: string, route: Router) {
    super();
    this.name = name;
    this.#route = route;
  }

  override invoke(game: Game): Promise<string[]> {
    return Promise.resolve([...this.#route(game)]);
  }
}

/** A schema by the convention of Standard Schema. */
type StandardSchema = Pick<z.ZodType, '~standard'>;

/** Schemas of the state, and of the context that a server's client may give a run. */
type GraphSchemas = readonly [state: typeof GameState | z.ZodObject, context?: z.ZodObject];

/**
 * LangGraph's graph, typed for any names of nodes. LangGraph's own types cannot know the names of night nodes, which
 * come from the register of roles.
 */
interface LooseGraph {
  addNode(name: string, node: NodeHandler): void;
  addEdge(from: string, to: string): void;
  addConditionalEdges(from: string, router: UntracedRouter, paths: readonly string[]): void;
  compile(): CompiledMatch;
}

export interface CompiledMatch {
  invoke(input: GameUpdate, options: object): Promise<Game>;
  streamEvents(input: unknown, options: object): AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>;
  /** Checkpointer, which a server sets for its graphs. */
  checkpointer?: BaseCheckpointSaver | false | undefined;
  store?: unknown;
  withConfig(config: { recursionLimit: number; callbacks: Callbacks }): CompiledMatch;
}
