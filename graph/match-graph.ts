// The graph of a match: each step of the night and the day is a node, and edges check the win conditions. Wiring only.
import type { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { Runnable, type RunnableConfig } from '@langchain/core/runnables';
import { END, START, StateGraph } from '@langchain/langgraph';
import type { ModelClient } from '../models/model-client.ts';
import type { EventLog } from '../models/record/event-log.ts';
import { analysisNodes } from '../nodes/analysis.ts';
import { debateNodes } from '../nodes/debate.ts';
import { nightNodes } from '../nodes/night.ts';
import { roundNodes } from '../nodes/round.ts';
import type { Node } from '../nodes/run-step.ts';
import { sheriffNodes } from '../nodes/sheriff.ts';
import { votingNodes } from '../nodes/voting.ts';
import { type Game, GameState, type GameUpdate, type Setup } from '../state/game.ts';
import { nightWaves, over, transitions } from '../state/phases.ts';
import { getTurnsPerDay } from '../state/steps/debate.ts';

// Routers without a run of their own: a trace holds the nodes of a match and the calls made in them, nothing else.

/**
 * A function as a runnable that LangGraph calls as it is. Given the function itself, LangGraph leaves nodes untraced
 * but makes a run of every router, which tells nothing that the next node does not.
 */
class Direct<Input, Output> extends Runnable<Input, Output> {
  override lc_namespace = ['wolfgraph', 'graph'];
  override name: string;
  private readonly call: (input: Input) => Output;

  constructor(name: string, call: (input: Input) => Output) {
    super();
    this.name = name;
    this.call = call;
  }

  override invoke(input: Input): Promise<Output> {
    return Promise.resolve(this.call(input));
  }
}

/** What a match is played with; never part of the state. */
export interface MatchContext {
  /** Made from the set-up where that is dealt only when the match begins. */
  client: ModelClient | ((setup: Setup) => ModelClient);
  events: EventLog;
}

/** Every node of a match by its name. */
export const nodes: Readonly<Record<string, Node>> = {
  ...roundNodes,
  ...nightNodes,
  ...sheriffNodes,
  ...debateNodes,
  ...analysisNodes,
  ...votingNodes,
};

/** Builds and compiles the graph for one match. */
export function buildMatchGraph(table: MatchContext) {
  const graph = new StateGraph(GameState) as unknown as LooseGraph;
  for (const [name, node] of Object.entries(nodes)) graph.addNode(name, wrapNode(name, node, table));
  graph.addEdge(START, 'start_round');
  for (const [name, { next, paths }] of Object.entries(transitions)) {
    const [only, ...others] = paths;
    if (others.length === 0) graph.addEdge(name, only === over ? END : only!);
    else graph.addConditionalEdges(name, new Direct(`after ${name}`, (game: Game) => [...next(game)]), paths);
  }
  return graph.compile();
}

type Handler = (game: Game, config: RunnableConfig) => Promise<GameUpdate>;

/** Node names come from the register of roles, which LangGraph's types cannot follow. */
interface LooseGraph {
  addNode(name: string, node: Handler): void;
  addEdge(from: string, to: string): void;
  addConditionalEdges(from: string, router: Direct<Game, string[]>, paths: readonly string[]): void;
  compile(): CompiledMatch;
}

export interface CompiledMatch {
  invoke(input: GameUpdate, options: object): Promise<Game>;
  streamEvents(input: unknown, options: object): unknown;
  withConfig(config: { recursionLimit: number; callbacks: BaseCallbackHandler[] }): CompiledMatch;
}

/** Seats a node at the table: what happened in it goes to the record, and what players may see into the state. */
const wrapNode =
  (name: string, node: Node, { client: door, events: log }: MatchContext): Handler =>
  async (game, config) => {
    log.begin(Number(config.metadata?.['langgraph_step']));
    const { events, change } = await node(game, typeof door === 'function' ? door(game.setup) : door);
    log.add(name, events);
    return { ...change, gameLogs: events.filter(({ audience }) => audience !== 'moderator') };
  };

/** More supersteps than any match under these rules can take. */
export const computeSuperstepLimit = ({ rules, players }: Game['setup']) =>
  rules.maxRounds * (nightWaves.length + 2 * getTurnsPerDay(rules, players.length) + 6 * players.length + 25) + 10;
