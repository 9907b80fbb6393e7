// Plays whole matches in memory for tests, and keeps what they need to look at.
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { buildMatchGraph, computeSuperstepLimit } from '../graph/match-graph.ts';
import { playMatch, type PlayOptions } from '../graph/play-match.ts';
import type { MatchPlan } from '../graph/prepare-match.ts';
import { createModelClient, inMemoryClientOptions } from '../models/model-client.ts';
import { EventLog } from '../models/record/event-log.ts';
import type { Board } from '../state/boards.ts';
import { deal, createInitialState } from '../state/deal.ts';
import type { GameEvent } from '../state/events.ts';
import type { Setup } from '../state/game.ts';
import type { AnswerLine, Manifest } from '../state/record.ts';
import type { RuleValue } from '../state/rules/rule.ts';
import { readRules } from '../state/rules/rulebook.ts';
import type { Variant } from '../state/variants.ts';

/** A board of so many Werewolves, Seers, Doctors and Villagers. */
export const createBoard = (werewolves: number, seers: number, doctors: number, villagers: number): Board => ({
  name: `test-${werewolves}-${seers}-${doctors}-${villagers}`,
  roles: { Werewolf: werewolves, Seer: seers, Doctor: doctors, Villager: villagers },
});

export type Options = Readonly<Record<string, RuleValue>>;

/** A match played by `playMatch`, in memory unless `out` says otherwise, with every answer of its record. */
export async function play(plan: MatchPlan & PlayOptions) {
  const lines: AnswerLine[] = [];
  const live: AnswerLine[] = [];
  const opened: Manifest[] = [];
  const result = await playMatch({
    out: null,
    ...plan,
    onStart: (start) => {
      opened.push(start.manifest);
      plan.onStart?.(start);
    },
    onAnswer: (line, isRecorded) => {
      lines.push(line);
      if (!isRecorded) live.push(line);
      plan.onAnswer?.(line, isRecorded);
    },
  });
  const setup: Setup = opened[0]!.setup;
  return { ...result, manifest: opened[0]!, setup, lines, live };
}

/** The deal of a match before it is played. */
export const dealTable = ({
  board = createBoard(2, 1, 1, 4),
  rules = 'wolf',
  rule = {},
  seed = 1,
  variant,
}: Deal = {}): Setup => deal({ board, rules: readRules(rules, rule), seed, variant });

interface Deal {
  board?: Board;
  rules?: string;
  rule?: Options;
  seed?: number;
  variant?: Variant | undefined;
}

/** Plays a deal of one's own making through the graph. */
export const playDeal = (setup: Setup, model: BaseChatModel) => runDeal(setup, model, []);

/** The same; `steps` are the nodes that ran, superstep by superstep. */
export async function traceDeal(setup: Setup, model: BaseChatModel) {
  const trace = new NodeTrace();
  return { ...(await runDeal(setup, model, [trace])), steps: trace.steps() };
}

async function runDeal(setup: Setup, model: BaseChatModel, callbacks: BaseCallbackHandler[]) {
  const events: GameEvent[] = [];
  const log = new EventLog((more) => void events.push(...more));
  const player = { spec: 'test', chat: model, isBot: false, price: null, timeoutMs: 60_000, secrets: [] };
  const door = createModelClient({
    ...inMemoryClientOptions,
    seats: Object.fromEntries(setup.players.map(({ name }) => [name, { choice: player, talk: player }])),
    seed: setup.seed,
    signal: new AbortController().signal,
  });
  const options = { recursionLimit: computeSuperstepLimit(setup), callbacks };
  const game = await buildMatchGraph({ client: door, events: log }).invoke(createInitialState(setup), options);
  log.flush();
  return { game, events };
}

/** Hears from LangGraph which nodes run. */
class NodeTrace extends BaseCallbackHandler {
  override name = 'node-trace';
  readonly #nodes: { step: number; node: string }[] = [];

  override handleChainStart(
    ...[, , , , , metadata, , runName]: Parameters<Required<BaseCallbackHandler>['handleChainStart']>
  ) {
    const { langgraph_node: node, langgraph_step: step } = metadata ?? {};
    if (typeof node === 'string' && runName === node) this.#nodes.push({ step: Number(step), node });
  }

  /** E.g. `bid`, `debate`, `bid+peer_analysis+self_analysis`. */
  steps(): string[] {
    const byStep = Map.groupBy(this.#nodes, ({ step }) => step);
    return [...byStep.values()].map((nodes) =>
      nodes
        .map(({ node }) => node)
        .sort()
        .join('+'),
    );
  }
}
