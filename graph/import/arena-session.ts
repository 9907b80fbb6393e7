// A session as Werewolf Arena and DSGBench keep it: the shapes of its two files, as far as an import reads them.
import { z } from 'zod';

/** A question to a model: the prompt, and what was read from the answer; null where nothing could be. */
const Log = z.object({ prompt: z.string().default(''), result: z.record(z.string(), z.unknown()).nullable() });
export type Log = z.infer<typeof Log>;

const of = z.tuple([z.string(), Log]);
const name = z.string().nullish();

/** One round of game_complete.json: what came of it. `players`: who was left after it, in seat order. */
const Round = z.object({
  players: z.array(z.string()),
  eliminated: name,
  protected: name,
  unmasked: name,
  exiled: name,
  debate: z.array(z.tuple([z.string(), z.string()])),
  /** Voter → target, after each statement or after the last alone. */
  votes: z.array(z.record(z.string(), z.string())),
  /** Bidder → bid, before each statement; empty where nobody bids. */
  bids: z.array(z.record(z.string(), z.number().int().min(0))).default([]),
});

/** One round of game_logs.json: what was asked and answered. */
const RoundLog = z.object({
  eliminate: Log.nullish(),
  protect: Log.nullish(),
  investigate: Log.nullish(),
  bid: z.array(z.array(of)).default([]),
  debate: z.array(of),
  /** As `votes` of the other file. */
  votes: z.array(z.array(z.object({ player: z.string(), voted_for: z.string().nullable(), log: Log }))),
  summaries: z.array(of),
});

export const Complete = z.object({
  players: z.record(z.string(), z.object({ role: z.string(), model: z.string(), personality: z.string().nullish() })),
  rounds: z.array(Round).min(1),
  winner: z.string(),
});

export const Logs = z.array(RoundLog);

export interface Session {
  /** In seat order. */
  players: z.infer<typeof Complete>['players'];
  rounds: readonly (z.infer<typeof Round> & { log: z.infer<typeof RoundLog> })[];
}

/** Every name that a session gives a player, where it is none of the table's; the first such, or undefined. */
export function strangerIn({ players, rounds }: Session): string | undefined {
  const named = rounds.flatMap(({ log, ...round }) => [
    ...round.players,
    ...[round.eliminated, round.protected, round.unmasked, round.exiled].flatMap((player) => player ?? []),
    ...round.debate.map(([by]) => by),
    ...[...round.votes, ...round.bids].flatMap((by) => Object.keys(by)),
    ...log.votes.flat().flatMap(({ player, voted_for: target }) => [player, ...(target === null ? [] : [target])]),
    ...log.summaries.map(([by]) => by),
  ]);
  return named.find((player) => !Object.hasOwn(players, player));
}

/** The text of an answer under a key; empty where there is none. */
export function textOf(log: Log | null | undefined, key: string): string {
  const value = log?.result?.[key];
  return typeof value === 'string' ? value : '';
}

/** Who was asked: every prompt tells its player "You are Ginger the Villager". */
export const askedIn = (log: Log | null | undefined): string | undefined =>
  /\bYou are (\S+) the\b/.exec(log?.prompt ?? '')?.[1];

/** The names that a prompt gave to choose from; null where it gave none. */
export const choicesIn = ({ prompt }: Log): string[] | null =>
  /Choose from: ([^\n]+)/
    .exec(prompt)?.[1]!
    .split(',')
    .map((choice) => choice.trim()) ?? null;
