// Plays whole matches in memory for tests, and keeps their data.
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { buildMatchGraph, computeSuperstepLimit } from '../graph/match-graph.ts';
import { playMatch, type PlayOptions } from '../graph/play-match.ts';
import type { MatchPlan } from '../graph/prepare-match.ts';
import { createModelClient, inMemoryClientOptions, type ModelClient } from '../models/model-client.ts';
import type { PlayerModel } from '../models/model.ts';
import { EventLog } from '../models/record/event-log.ts';
import type { Board } from '../state/boards.ts';
import { matchNodes } from '../nodes/index.ts';
import { createGame, createInitialState, deal } from '../state/deal.ts';
import type { GameEvent } from '../state/events.ts';
import { addEvents, type Game, type Setup } from '../state/game.ts';
import { endOfMatch, transitions } from '../state/phases.ts';
import type { AnswerLine, Manifest } from '../state/record.ts';
import type { RuleValue } from '../state/rules/rule.ts';
import { readRules } from '../state/rulebook.ts';
import type { GameChange } from '../state/steps/step.ts';
import type { Variant } from '../state/variants.ts';

/** A board with the given numbers of Werewolves, Seers, Doctors and Villagers. */
export const createBoard = (werewolves: number, seers: number, doctors: number, villagers: number): Board => ({
  name: `test-${werewolves}-${seers}-${doctors}-${villagers}`,
  roles: { Werewolf: werewolves, Seer: seers, Doctor: doctors, Villager: villagers },
});

/** Every role at a table of nine. */
export const everyRole: Board = {
  name: 'every-role',
  roles: { Werewolf: 2, Seer: 1, Doctor: 1, Guard: 1, Witch: 1, Hunter: 1, Idiot: 1, Villager: 1 },
};

export type Options = Readonly<Record<string, RuleValue>>;

/** Plays a match with `playMatch`, in memory unless `out` is given. Returns it with every answer of its record. */
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

/** Returns the deal of a match before it is played. */
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

/** Plays a deal made by hand through the graph. */
export const playDeal = (setup: Setup, model: BaseChatModel) => runDeal(setup, model, []);

/** Plays a deal. The result includes `steps`, the nodes that ran in each superstep. */
export async function traceDeal(setup: Setup, model: BaseChatModel) {
  const trace = new NodeTrace();
  return { ...(await runDeal(setup, model, [trace])), steps: trace.steps() };
}

/**
 * Plays a deal by the nodes of the match in their order of play, without LangGraph, in half the time. Use it to test
 * only the nodes; the tests of secrecy check that the graph asks and plays the same. `steps`: the waves of nodes.
 */
export async function playNodes(
  setup: Setup,
  model: BaseChatModel | PlayerModel,
  wrap: (client: ModelClient) => ModelClient = (client) => client,
) {
  const client = wrap(openClient(setup, model));
  const [events, steps]: [GameEvent[], string[]] = [[], []];
  let game = createGame(setup);
  for (let wave: readonly string[] = ['start_round']; !wave.includes(endOfMatch);) {
    steps.push(wave.join('+'));
    const before = game;
    const outcomes = await Promise.all(wave.map(async (node) => matchNodes[node]!(before, client)));
    for (const { change, events: happened } of outcomes) {
      events.push(...happened);
      game = addEvents(applyChange(game, change), happened);
    }
    wave = transitions[wave[0]!]!.next(game).toSorted();
  }
  return { game, events, steps };
}

/** Appends to lists as the channels of the graph do. */
const applyChange = (game: Game, { intents, deceptionHistory, ...change }: GameChange): Game =>
  Object.assign({}, game, change, {
    intents: game.intents.concat((intents ?? []) as Game['intents']),
    deceptionHistory: game.deceptionHistory.concat((deceptionHistory ?? []) as Game['deceptionHistory']),
  });

function openClient(setup: Setup, model: BaseChatModel | PlayerModel) {
  const plain = { spec: 'test', isBot: false, price: null, timeoutMs: 60_000, secrets: [] };
  const player = 'chat' in model ? model : { ...plain, chat: model };
  return createModelClient({
    ...inMemoryClientOptions,
    seats: Object.fromEntries(setup.players.map(({ name }) => [name, { choice: player, talk: player }])),
    seed: setup.seed,
    signal: new AbortController().signal,
  });
}

async function runDeal(setup: Setup, model: BaseChatModel, callbacks: BaseCallbackHandler[]) {
  const events: GameEvent[] = [];
  const log = new EventLog((more) => void events.push(...more));
  const client = openClient(setup, model);
  const options = { recursionLimit: computeSuperstepLimit(setup), callbacks };
  const game = await buildMatchGraph({ client, events: log }).invoke(createInitialState(setup), options);
  log.flush();
  return { game, events };
}

/** Receives the running nodes from LangGraph. */
class NodeTrace extends BaseCallbackHandler {
  override name = 'node-trace';
  readonly #nodes: { step: number; node: string }[] = [];

  override handleChainStart(
    ...[, , , , , metadata, , runName]: Parameters<Required<BaseCallbackHandler>['handleChainStart']>
  ) {
    const { langgraph_node: node, langgraph_step: step } = metadata ?? {};
    if (typeof node === 'string' && runName === node) this.#nodes.push({ step: Number(step), node });
  }

  /** Lists the nodes of each superstep, e.g. `bid`, `debate`, `bid+peer_analysis+self_analysis`. */
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
