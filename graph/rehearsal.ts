// A match played by built-in bots in the seats of language models, to see what it would take: nothing is called or kept.
import { setImmediate as turn } from 'node:timers/promises';
import { openDoor, unheard, type Memory, type Seat } from '../models/ask.ts';
import { BotModel, type Mind } from '../models/bots/bot-model.ts';
import { createScriptedMind } from '../models/bots/scripted/scripted-mind.ts';
import { bot } from '../models/bots/index.ts';
import type { AnswerSchema } from '../models/bots/random.ts';
import type { PlayerModel } from '../models/model.ts';
import { EventLog } from '../models/record/event-log.ts';
import { untraced } from '../models/tracing.ts';
import { newGame } from '../state/deal.ts';
import { matchGraph, superstepLimit } from './match-graph.ts';
import type { PreparedMatch } from './prepare.ts';

/** Words that a language model is taken to write, by field of its answer; a statement has as many as it may. */
export const wordsWritten = { reasoning: 60, summary: 150, other: 40 } as const;

export interface Rehearsal {
  /** Answers of language models that wait for one another: the latencies on the match's critical path. */
  latencies: number;
  /** By model string. Characters are those of prompts and answers in full. */
  models: ReadonlyMap<string, Effort>;
}

interface Effort {
  model: PlayerModel;
  calls: number;
  charactersIn: number;
  charactersOut: number;
}

/** Plays the match. Bots play themselves; what stands in for a language model writes as much as one. */
export async function rehearse({ manifest, seats }: PreparedMatch): Promise<Rehearsal> {
  const { board, rules, seed, players } = manifest.setup;
  const { hold, countUntil } = openWaves();
  const standIn = new StandIn(hold, rules.maxWords);
  const played = (model: PlayerModel): PlayerModel => (model.isBot ? model : { ...model, chat: standIn, isBot: true });
  const counts = openCounts(seats);
  const door = openDoor({
    ...unheard,
    seats: Object.fromEntries(
      Object.entries(seats).map(([name, { choice, talk }]) => [name, { choice: played(choice), talk: played(talk) }]),
    ),
    seed,
    memory: counts.memory,
    signal: new AbortController().signal,
  });
  const graph = matchGraph({ door, events: new EventLog(() => undefined) });
  const options = { recursionLimit: superstepLimit({ board, rules, seed, players }), ...untraced.run };
  const latencies = await countUntil(graph.invoke(newGame({ board, rules, seed, players }), options));
  return { latencies, models: counts.models };
}

/** Plays like `bot:classic`, waits until it may answer, and writes as much as a language model. */
class StandIn extends BotModel {
  readonly #hold: () => Promise<void>;

  constructor(hold: () => Promise<void>, maxWords: number) {
    super('bot:classic', wordy(createScriptedMind(bot.options.parse({})), maxWords));
    this.#hold = hold;
  }

  override async _generate(...question: Parameters<BotModel['_generate']>) {
    await this.#hold();
    return super._generate(...question);
  }
}

/** A word that no bot hears anything in, as long as an English one. */
const filler = 'lorem';

function wordy(mind: Mind, maxWords: number): Mind {
  const limits: Readonly<Record<string, number>> = { ...wordsWritten, statement: maxWords };
  const lengthened = (name: string, text: string) => {
    const missing = (limits[name] ?? Math.min(maxWords, wordsWritten.other)) - text.split(' ').length;
    return missing > 0 ? `${text}${` ${filler}`.repeat(missing)}` : text;
  };
  return (prompt, draw) => {
    const { answer } = mind(prompt, draw);
    const { properties = {} } = prompt.schema as AnswerSchema;
    const fields = Object.entries(answer).map(([name, value]): [string, unknown] => {
      const isText = typeof value === 'string' && properties[name]?.enum === undefined;
      return [name, isText ? lengthened(name, value) : value];
    });
    return { answer: Object.fromEntries(fields) };
  };
}

/** Counts what is asked and answered. */
function openCounts(seats: Readonly<Record<string, Seat>>) {
  const models = new Map<string, Effort>();
  const effortOf = (player: string) => {
    const model = seats[player]!.talk;
    const effort = models.get(model.spec) ?? { model, calls: 0, charactersIn: 0, charactersOut: 0 };
    models.set(model.spec, effort);
    return effort;
  };
  const memory: Memory = {
    recall: () => undefined,
    prompted: ({ player }, messages) => {
      const effort = effortOf(player);
      effort.calls += 1;
      for (const { content } of messages) effort.charactersIn += content.length;
    },
    keep: ({ player, raw }) => {
      effortOf(player).charactersOut += raw.length;
    },
  };
  return { models, memory };
}

/** Turns of the event loop in which nothing new is asked before all is taken to have been asked. */
const quietTurns = 10;

/** Holds all that is asked at the same time until nothing more comes, and counts how often that happens. */
function openWaves() {
  const held: (() => void)[] = [];
  const quiet = async () => {
    for (let [turns, before] = [0, held.length]; turns < quietTurns; turns++) {
      await turn();
      if (held.length !== before) [turns, before] = [0, held.length];
    }
  };
  return {
    hold: () => new Promise<void>((release) => held.push(release)),
    countUntil: async (match: Promise<unknown>) => {
      let waves = 0;
      let isOver = false;
      const end = () => void (isOver = true);
      match.then(end, end);
      while (!isOver) {
        await quiet();
        if (held.length > 0) waves += 1;
        for (const release of held.splice(0)) release();
      }
      await match;
      return waves;
    },
  };
}
