// The graph of a match: each step of the night and the day is a node, and edges check the win conditions. Wiring only.
import type { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { RunnableConfig } from '@langchain/core/runnables';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { END, START, StateGraph } from '@langchain/langgraph';
import type { Door } from '../models/ask.ts';
import type { EventLog } from '../models/record/event-log.ts';
import { askBeliefs } from '../nodes/ask-beliefs.ts';
import { bid } from '../nodes/bid.ts';
import { campaign } from '../nodes/campaign.ts';
import { candidacy } from '../nodes/candidacy.ts';
import { checkWinnerDay, checkWinnerNight } from '../nodes/check-winner.ts';
import { debate } from '../nodes/debate.ts';
import { elect } from '../nodes/elect.ts';
import { end } from '../nodes/end.ts';
import { exile } from '../nodes/exile.ts';
import { lastAct } from '../nodes/last-act.ts';
import { nightPower } from '../nodes/night-power.ts';
import type { Node } from '../nodes/node.ts';
import { passBadge } from '../nodes/pass-badge.ts';
import { peerAnalysis } from '../nodes/peer-analysis.ts';
import { pkDebate } from '../nodes/pk-debate.ts';
import { pseudoVote } from '../nodes/pseudo-vote.ts';
import { recommend } from '../nodes/recommend.ts';
import { resolveNight } from '../nodes/resolve-night.ts';
import { selfAnalysis } from '../nodes/self-analysis.ts';
import { speakingOrder } from '../nodes/speaking-order.ts';
import { startRound } from '../nodes/start-round.ts';
import { summarize } from '../nodes/summarize.ts';
import { syntheticVote } from '../nodes/synthetic-vote.ts';
import { vote } from '../nodes/vote.ts';
import { afterDay, afterDeaths, afterExile, afterNight, daySteps, onward } from '../state/course.ts';
import { turnsOf } from '../state/debate.ts';
import { GameState, type Game, type GameUpdate } from '../state/game.ts';
import { powers } from '../state/roles/index.ts';
import type { Setup } from '../state/setup.ts';
import { Direct } from './direct.ts';
import { afterStatement, afterVote, afterWave, nightWaves, toNightWave } from './routes.ts';

/** What a match is played with; never part of the state. */
export interface Table {
  /** Made from the set-up where that is dealt only when the match begins. */
  door: Door | ((setup: Setup) => Door);
  events: EventLog;
}

/** Builds and compiles the graph for one match. */
export function matchGraph(table: Table) {
  const night = powers.map((power) => [power.verb, nightPower(power)] as const);
  const day = {
    candidacy,
    campaign,
    elect,
    speaking_order: speakingOrder,
    bid,
    debate,
    self_analysis: selfAnalysis,
    peer_analysis: peerAnalysis,
    synthetic_vote: syntheticVote,
    beliefs: askBeliefs,
    pseudo_vote: pseudoVote,
    recommend,
    vote,
    exile,
    pk_debate: pkDebate,
    last_act: lastAct,
    pass_badge: passBadge,
    check_winner_day: checkWinnerDay,
    summarize,
  };
  const steps: [string, Node][] = [
    ['start_round', startRound],
    ...night.map(([verb, node]): [string, Node] => [verb, node]),
    ['resolve_night', resolveNight],
    ['check_winner_night', checkWinnerNight],
    ...Object.entries(day),
    ['end', end],
  ];
  const graph = new StateGraph(GameState) as unknown as LooseGraph;
  for (const [name, node] of steps) graph.addNode(name, new Direct(name, seated(name, node, table)));
  const route = (from: string, router: Router, paths: readonly string[]) =>
    graph.addConditionalEdges(from, new Direct(`after ${from}`, router), paths);
  graph.addEdge(START, 'start_round');
  route('start_round', toNightWave(0), reachableAtNight(0));
  for (const { verb, wave } of powers) {
    const next = nightWaves.indexOf(wave) + 1;
    route(verb, toNightWave(next), reachableAtNight(next));
  }
  const lastActs = ['last_act', 'pass_badge'];
  const checks = ['check_winner_night', 'check_winner_day'];
  route('resolve_night', afterDeaths, [...lastActs, 'check_winner_night']);
  for (const node of lastActs) route(node, afterDeaths, [...lastActs, ...checks]);
  route('check_winner_night', afterNight, ['candidacy', ...daySteps, 'end']);
  for (const node of ['candidacy', 'elect', 'speaking_order']) route(node, onward, daySteps);
  for (const node of speeches) route(node, afterStatement, [...dayWave, ...daySteps]);
  for (const node of dayWave) route(node, afterWave, daySteps);
  graph.addEdge('pseudo_vote', 'recommend');
  route('vote', afterVote, ['self_analysis', 'peer_analysis', 'beliefs', 'exile']);
  route('exile', afterExile, ['pk_debate', ...lastActs, 'check_winner_day']);
  route('check_winner_day', afterDay, ['summarize', 'end']);
  graph.addEdge('summarize', 'start_round');
  graph.addEdge('end', END);
  return graph.compile();
}

/** Where somebody speaks in public. */
const speeches = ['campaign', 'debate', 'recommend', 'pk_debate'];

/** What is asked side by side in the day. */
const dayWave = ['self_analysis', 'peer_analysis', 'bid', 'synthetic_vote', 'beliefs'];

const reachableAtNight = (index: number) => [
  ...powers.filter(({ wave }) => nightWaves.indexOf(wave) >= index).map(({ verb }) => verb),
  'resolve_night',
];

type Handler = (game: Game, config: RunnableConfig) => Promise<GameUpdate>;
type Router = (game: Game) => string | string[];

/** Node names come from the register of roles, which LangGraph's types cannot follow. */
interface LooseGraph {
  addNode(name: string, node: Direct<Game, GameUpdate>): void;
  addEdge(from: string, to: string): void;
  addConditionalEdges(from: string, router: Direct<Game, string | string[]>, paths: readonly string[]): void;
  compile(): CompiledMatch;
}

export interface CompiledMatch {
  invoke(input: GameUpdate, options: object): Promise<Game>;
  streamEvents(input: unknown, options: object): unknown;
  withConfig(config: { recursionLimit: number; callbacks: BaseCallbackHandler[] }): CompiledMatch;
}

/** Seats a node at the table: what happened in it goes to the record, and what players may see into the state. */
const seated =
  (name: string, node: Node, { door, events: log }: Table): Handler =>
  async (game, config) => {
    log.begin(Number(config.metadata?.['langgraph_step']));
    const play = () => node(game, typeof door === 'function' ? door(game.setup) : door);
    // The traces of the models' calls belong to the node's.
    const { events = [], ...change } = await AsyncLocalStorageProviderSingleton.runWithConfig(config, play);
    log.add(name, events);
    return { ...change, gameLogs: events.filter(({ audience }) => audience !== 'moderator') };
  };

/** More supersteps than any match under these rules can take. */
export const superstepLimit = ({ rules, players }: Game['setup']) =>
  rules.maxRounds * (nightWaves.length + 2 * turnsOf(rules, players.length) + 6 * players.length + 25) + 10;
