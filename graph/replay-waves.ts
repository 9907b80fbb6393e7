// Replays a recorded match without the graph: the same nodes in the same waves, one after another. This takes a third
// of the graph's time, because nothing is traced, checkpointed or streamed. Every match is played by the graph
// (match-graph.ts), so each record that is verified here shows that graph and replay yield the same events.
import type { ModelClient } from '../models/model-client.ts';
import type { EventLog } from '../models/record/event-log.ts';
import { matchNodes } from '../nodes/index.ts';
import { createGame } from '../state/deal.ts';
import type { Game, Setup } from '../state/game.ts';
import { endOfMatch, transitions } from '../state/phases.ts';

/**
 * Plays a match with recorded answers to its end. Throws any error that a node throws.
 *
 * @example
 * await playWaves(manifest.setup, { client, events: log });
 * log.flush();
 */
export async function playWaves(
  setup: Setup,
  { client, events: log }: { client: ModelClient; events: EventLog },
): Promise<void> {
  let game: Game = createGame(setup);
  let wave: readonly string[] = ['start_round'];
  for (let step = 1; !wave.includes(endOfMatch); step++) {
    log.begin(step);
    // The nodes of a wave run in parallel: each node sees the game as it was before the wave.
    const outcomes = await Promise.all(wave.map((name) => playNode(name, game, client)));
    for (const { name, events } of outcomes) log.add(name, events);
    game = outcomes.reduce((before, { change, events }) => applyOutcome(before, change, events), game);
    const [first = ''] = wave;
    wave = transitions[first]?.next(game).toSorted() ?? [endOfMatch];
  }
}

async function playNode(name: string, game: Game, client: ModelClient) {
  const node = matchNodes[name];
  if (node === undefined) throw new Error(`There is no node "${name}".`);
  return { name, ...(await node(game, client)) };
}

type NodeResult = Awaited<ReturnType<(typeof matchNodes)[string]>>;

/** Merges a node's result like the channels of the state: rows are appended, everything else is replaced. */
const applyOutcome = (
  game: Game,
  { intents = [], deceptionHistory = [], ...change }: NodeResult['change'],
  events: NodeResult['events'],
): Game => ({
  ...game,
  ...(change as Partial<Game>),
  intents: [...game.intents, ...(intents as Game['intents'])],
  deceptionHistory: [...game.deceptionHistory, ...(deceptionHistory as Game['deceptionHistory'])],
  gameLogs: [...game.gameLogs, ...events.filter(({ audience }) => audience !== 'moderator')],
});
