// The dry run: a match played by bots in the models' seats, to count its calls, characters and latencies. No provider
// is called and nothing is stored.
import { setImmediate as turn } from 'node:timers/promises';
import type { BaseMessage } from '@langchain/core/messages';
import { bm25Retriever } from '../deception/experience/retrieve.ts';
import {
  createModelClient,
  inMemoryClientOptions,
  type AnswerStore,
  type RecallExperience,
} from '../models/model-client.ts';
import { BotModel, type BotPolicy } from '../models/bots/bot-model.ts';
import { createScriptedMind } from '../models/bots/scripted/scripted-mind.ts';
import { bot } from '../models/bots/index.ts';
import type { AnswerJsonSchema } from '../models/bots/random.ts';
import type { BotCall, PlayerModel, SeatModels } from '../models/model.ts';
import { openPrefixCache, type PrefixCache, usualCache } from '../models/prefix-cache.ts';
import { dropUndefined } from '../models/model-options.ts';
import { EventLog } from '../models/record/event-log.ts';
import { untraced } from '../models/tracing.ts';
import { createInitialState } from '../state/deal.ts';
import { draftAction, speechActions } from '../state/event-descriptions.ts';
import type { GameEvent } from '../state/events.ts';
import { draw } from '../state/random.ts';
import { bidStep } from '../state/steps/debate.ts';
import { buildMatchGraph, computeSuperstepLimit } from './match-graph.ts';
import type { PreparedMatch } from './prepare-match.ts';

/**
 * Assumed number of words that a language model writes, by field of its answer. Statements are assumed to use their
 * word limit.
 */
export const assumedWords = { reasoning: 60, summary: 150, other: 40 } as const;

/** Calls and tokens that a match would use, found by playing it with stand-ins for its models. */
export interface DryRun {
  /**
   * Number of answers on the match's critical path, on which each answer of a language model waits for the previous
   * one.
   */
  latencies: number;
  /** Usage by model string. */
  models: ReadonlyMap<string, ModelEffort>;
  /** Number of situations that must be embedded to retrieve experiences. */
  embedded: number;
  /** Usage by player. */
  players: ReadonlyMap<string, ModelEffort>;
  /** Events of the match, for estimates of a judge's questions. */
  events: readonly GameEvent[];
}

export interface ModelEffort {
  model: PlayerModel;
  calls: number;
  /**
   * Characters of all prompts. Includes the schemas of the answers if the provider puts schemas at the start of
   * prompts.
   */
  charactersIn: number;
  /**
   * Characters of prompts that the provider's prompt cache would serve. For each prompt, this is the beginning that it
   * shares with an earlier prompt whose call has ended, counted by the provider's rule.
   */
  charactersCached: number;
  /** Characters of all answers of language models. */
  charactersOut: number;
}

/**
 * Plays the match. Bots play their own seats. Stand-ins play the seats of language models and write texts of the
 * assumed length. `policy`: decides the stand-ins' answers. Default: the policy of `bot:classic`.
 *
 * @example const { latencies, models } = await playDryRun(await prepareMatch(plan, process.env, Date.now()));
 */
export async function playDryRun(
  { manifest, seats, recallQuickly: recall }: PreparedMatch,
  policy?: BotPolicy,
): Promise<DryRun> {
  const { board, rules, seed, players, variant, replicate, people, experience } = manifest.setup;
  const setup = { board, rules, seed, players, ...dropUndefined({ variant, people, experience }) };
  const { hold, countUntil } = openWaves();
  const counts = openCounts(seats);
  const scripted = createScriptedMind(bot.options.parse({}));
  const mind = policy ?? lengthenAnswers(draftAsBidAndSpeech(scripted, seed, replicate), rules.maxWords);
  const replaceModel = (model: PlayerModel): PlayerModel => {
    if (model.isBot) return model;
    const standIn = { ...model, chat: new StandIn(hold, mind, counts.openCall(model)), isBot: true };
    if (standIn.schemaOptions && isSchemaCounted(model)) standIn.schemaOptions = askForSchema;
    else delete standIn.schemaOptions;
    return standIn;
  };
  let recalled = 0;
  const countRecall: RecallExperience | undefined =
    recall &&
    ((...asked) => {
      recalled += 1;
      return recall(...asked);
    });
  const client = createModelClient({
    ...inMemoryClientOptions,
    seats: Object.fromEntries(
      Object.entries(seats).map(([name, { choice, talk }]) => [
        name,
        { choice: replaceModel(choice), talk: replaceModel(talk) },
      ]),
    ),
    seed,
    replicate,
    answerStore: counts.answerStore,
    recall: countRecall,
    signal: new AbortController().signal,
  });
  const events: GameEvent[] = [];
  const log = new EventLog((more) => void events.push(...more));
  const graph = buildMatchGraph({ client, events: log });
  const options = { recursionLimit: computeSuperstepLimit(setup), ...untraced.run };
  const latencies = await countUntil(graph.invoke(createInitialState(setup), options));
  log.flush();
  const embedded = experience === undefined || experience.retriever === bm25Retriever ? 0 : recalled;
  return { latencies, embedded, events, players: counts.players, models: addEfforts([...counts.players.values()]) };
}

/** Counts a call that begins. Returns a function that must be called when the call ends. */
type CallCount = (player: string, text: string) => () => void;

/**
 * Stand-in for a language model. Reports its prompts to the counter, and answers when the current wave of calls is
 * released.
 */
class StandIn extends BotModel {
  readonly #hold: () => Promise<void>;
  readonly #count: CallCount;

  constructor(hold: () => Promise<void>, mind: BotPolicy, count: CallCount) {
    super('bot:classic', mind);
    this.#hold = hold;
    this.#count = count;
  }

  override async _generate(...question: Parameters<BotModel['_generate']>) {
    const [messages, options] = question;
    const { bot: call, askedSchema = '' } = options as unknown as { bot: BotCall; askedSchema?: string };
    const end = this.#count(call().prompt.view.me, [askedSchema, ...messages.map(describeMessage)].join('\n'));
    await this.#hold();
    end();
    return super._generate(...question);
  }
}

/**
 * Call option with the schema, in place of the provider's own schema options. Whether the schema counts as part of the
 * prompt depends on the provider.
 */
const askForSchema: NonNullable<PlayerModel['schemaOptions']> = (_name, schema) => ({
  askedSchema: JSON.stringify(schema),
});

const describeMessage = ({ type, text }: BaseMessage) => `${type}: ${text}`;

/** Filler word of usual length, which bots do not interpret. */
const filler = 'lorem';

function lengthenAnswers(mind: BotPolicy, maxWords: number): BotPolicy {
  const limits: Readonly<Record<string, number>> = { ...assumedWords, statement: maxWords };
  const lengthenText = (name: string, text: string) => {
    const missing = (limits[name] ?? Math.min(maxWords, assumedWords.other)) - text.split(' ').length;
    return missing > 0 ? `${text}${` ${filler}`.repeat(missing)}` : text;
  };
  return (prompt, draw) => {
    const { answer } = mind(prompt, draw);
    const { properties = {} } = prompt.schema as AnswerJsonSchema;
    const fields = Object.entries(answer).map(([name, value]): [string, unknown] => {
      const isText = typeof value === 'string' && properties[name]?.enum === undefined;
      return [name, isText ? lengthenText(name, value) : value];
    });
    return { answer: Object.fromEntries(fields) };
  };
}

/**
 * Answers a draft with the bid and the statement that two separate questions would have received. A dry run therefore
 * takes the same course under both values of the rule `turn`, and the two estimates differ only by the rule.
 */
function draftAsBidAndSpeech(mind: BotPolicy, seed: number, replicate: number | undefined): BotPolicy {
  const key = ['bot', ...(replicate === undefined ? [] : ['replicate', replicate])];
  return (prompt, random) => {
    if (prompt.action !== draftAction) return mind(prompt, random);
    const { view, step } = prompt;
    const answerAs = (action: string) =>
      mind({ ...prompt, action }, draw(seed, ...key, view.round, step, action, view.me)).answer;
    const { bid } = answerAs(bidStep.name);
    return { answer: { ...answerAs(speechActions.debate), bid } };
  };
}

const isSchemaCounted = ({ cache = usualCache, hasJsonAlone }: PlayerModel) =>
  cache.isSchemaFirst && hasJsonAlone !== true;

/**
 * Opens an answer store that stores nothing, and counts calls and characters. Players with the same model share one
 * simulated prompt cache.
 */
function openCounts(seats: Readonly<Record<string, SeatModels>>) {
  const players = new Map(
    Object.entries(seats).map(([player, { talk }]): [string, ModelEffort] => [player, { model: talk, ...noEffort }]),
  );
  const getEffort = (player: string) => players.get(player)!;
  const caches = new Map<string, PrefixCache>();
  const openCall = ({ spec, cache }: PlayerModel): CallCount => {
    const prefixes = caches.get(spec) ?? openPrefixCache(cache);
    caches.set(spec, prefixes);
    return (player, text) => {
      const effort = getEffort(player);
      const { served, end } = prefixes.begin(text);
      effort.charactersIn += text.length;
      effort.charactersCached += served;
      return end;
    };
  };
  const answerStore: AnswerStore = {
    ...inMemoryClientOptions.answerStore,
    logPrompt: ({ player }) => {
      getEffort(player).calls += 1;
    },
    put: ({ player, raw }) => {
      getEffort(player).charactersOut += raw.length;
    },
  };
  return { players, answerStore, openCall };
}

const noEffort = { calls: 0, charactersIn: 0, charactersCached: 0, charactersOut: 0 };

/** Adds up the usage of players by model string. */
function addEfforts(efforts: readonly ModelEffort[]): ReadonlyMap<string, ModelEffort> {
  const models = new Map<string, ModelEffort>();
  for (const { model, ...more } of efforts) {
    const effort = models.get(model.spec) ?? { model, ...noEffort };
    models.set(model.spec, effort);
    for (const [name, value] of Object.entries(more) as [keyof typeof noEffort, number][]) effort[name] += value;
  }
  return models;
}

/** Number of event-loop turns to wait for a new call. If none comes, all calls of the wave have begun. */
const quietTurns = 10;

/** Holds calls back until no further call begins, then releases them together as one wave. Counts the waves. */
function openWaves() {
  const held: (() => void)[] = [];
  const waitUntilQuiet = async () => {
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
        await waitUntilQuiet();
        if (held.length > 0) waves += 1;
        for (const release of held.splice(0)) release();
      }
      await match;
      return waves;
    },
  };
}
