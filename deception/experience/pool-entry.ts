// The entries of an experience pool and the hashes that identify entries and pool. Each entry is a decision from a
// finished match.
import { z } from 'zod';
import { Phase } from '../../state/events.ts';
import { ExperienceMoment, ExperienceReward, type ExperienceSource } from '../../state/experience-setup.ts';
import type { Setup } from '../../state/game.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import { describeRules } from '../../state/rulebook.ts';
import { UsageError } from '../../state/usage-error.ts';
import { listDealtPlayers } from '../../state/variants.ts';
import { getDealKey } from '../design/schedule.ts';
import { hashText } from '../../state/hash-text.ts';
import { findActingText, quoteActingName } from '../../state/text.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const PoolEntry = z.strictObject({
  match: z.string().describe('id of the match'),
  deal: z.string().describe('board, seed and a hash of who was dealt what: the same for all matches of a deal'),
  seat: z.string().describe('letter of the seat, from `A`'),
  role: z.string().describe('role of the seat'),
  board: z.string().describe('name of the board'),
  rules: z.string().describe('the rules in words, as a report names them'),
  model: z.string().describe('[identity](data.md#identity) of the model that decided'),
  entrant: z.string().nullable().describe('name of the entrant in a tournament; else null'),
  tournament: z
    .string()
    .nullable()
    .describe("SHA-256 of the tournament's plan; null outside tournaments, and for older records, which lack it"),
  moment: z
    .strictObject({
      kind: ExperienceMoment,
      round: z.number().int(),
      phase: Phase,
      step: z.number().int(),
      action: z.string(),
    })
    .describe('`kind` (`debate`, `ballot` or `night`), and `round`, `phase`, `step`, `action` of the answer'),
  situation: z.string().describe('what the seat knew before it decided, with `[A]`, `[B]` … for names'),
  done: z.string().describe('what the seat did'),
  reflection: z.string().describe('result of the decision, and what to repeat or change'),
  reflected_by: z.string().describe('who wrote the reflection: identity of a model, or `rules`'),
  reward: z.number().describe('value of the reward that the pool names'),
  experience: z
    .string()
    .optional()
    .describe(
      'what the players of its match [remembered](#play-with-a-pool), as in `matches.csv`; absent if they remembered nothing',
    ),
  sha256: sha256.describe(
    'SHA-256 of the line without this field, as JSON without white space and with the fields in this order',
  ),
});
export type PoolEntry = z.infer<typeof PoolEntry>;

/** An entry before it is hashed. */
export type EntryDraft = Omit<PoolEntry, 'sha256'>;

const Draft = PoolEntry.omit({ sha256: true });

/** Puts fields into the order of the schema. */
const orderFields = (entry: EntryDraft): EntryDraft => {
  const parsed = Draft.parse(entry);
  return Object.fromEntries(draftFields.map((field) => [field, parsed[field]])) as EntryDraft;
};

const draftFields = Object.keys(Draft.shape) as (keyof EntryDraft)[];
const computeEntryHash = (entry: EntryDraft) => hashText(JSON.stringify(orderFields(entry)));

/** Adds the hash to an entry. */
export const sealEntry = (entry: EntryDraft): PoolEntry => {
  const ordered = orderFields(entry);
  return { ...ordered, sha256: hashText(JSON.stringify(ordered)) };
};

/** Returns the name of an entry in prompts and records: the first digits of its hash. */
export const getEntryId = ({ sha256: hash }: Pick<PoolEntry, 'sha256'>): string => hash.slice(0, 16);

/**
 * Version of the pool's format. In version 1, situations lacked the newest events, and speech shared lines with events.
 */
export const poolVersion = 2;

/** Contents of `pool.json`. */
export const PoolRecord = z.strictObject({
  pool_version: z.literal(poolVersion).describe('2'),
  wolfgraph: z.string().describe('version of Wolfgraph that made it'),
  reward: ExperienceReward.describe('what makes an entry good: `result`, `vote`, `chance` or `rounds`'),
  entries: z.number().int().min(0).describe('how many lines `entries.ndjson` has'),
  deals: z.array(z.string()).describe('the deals that its matches were played on'),
  sha256: sha256.describe('over version, reward and the hashes of all entries, sorted'),
});
export type PoolRecord = z.infer<typeof PoolRecord>;

/** The part of a pool's record that is derived from the pool's entries. */
export type PoolContents = Omit<PoolRecord, 'wolfgraph'>;

/** A pool in use. It is frozen, and identified by its hash. */
export interface Pool {
  reward: ExperienceReward;
  /** Entries in the order in which they were added. */
  entries: readonly PoolEntry[];
  sha256: string;
}

/** Hashes a pool; the order of its entries does not matter. */
const hashPool = (reward: ExperienceReward, entries: readonly PoolEntry[]): string =>
  hashText(JSON.stringify([poolVersion, reward, entries.map((entry) => entry.sha256).sort()]));

/**
 * Creates a pool of these entries. Throws a UsageError for an entry that appears twice.
 *
 * @example createPool('result', entries.map(sealEntry)).sha256
 */
export function createPool(reward: ExperienceReward, entries: readonly PoolEntry[]): Pool {
  const seen = new Set<string>();
  for (const entry of entries) {
    if (seen.has(entry.sha256))
      throw new UsageError(
        `Entry ${getEntryId(entry)} (match ${entry.match}, seat ${entry.seat}, ${entry.moment.action} of round ${entry.moment.round}) is in the pool twice. Leave out one of its sources.`,
      );
    seen.add(entry.sha256);
  }
  return { reward, entries, sha256: hashPool(reward, entries) };
}

/** Returns the deals of a pool, sorted. */
export const listPoolDeals = (entries: readonly Pick<PoolEntry, 'deal'>[]): string[] =>
  [...new Set(entries.map(({ deal }) => deal))].sort();

/** Returns the contents of a pool's file, except the version of the program that wrote it. */
export const describePool = ({ reward, entries, sha256: hash }: Pool): PoolContents => ({
  ...{ pool_version: poolVersion, reward, entries: entries.length },
  ...{ deals: listPoolDeals(entries), sha256: hash },
});

/**
 * Lists the differences between a pool and its record. The list is empty if the pool has not changed since it was
 * written.
 */
export function listPoolFaults(record: PoolContents, entries: readonly PoolEntry[]): string[] {
  const acting = entries.flatMap(({ situation, ...texts }, index) => {
    const found = findActingText({ situation: situation.replaceAll('\n', ' '), ...texts }); // each statement on a line of its own
    return found === null
      ? []
      : [
          `line ${index + 1} has a line break, a control character or one that turns the direction of text in ${quoteActingName(found.join('.'))}`,
        ];
  });
  const edited = entries.flatMap(({ sha256: hash, ...entry }, index) =>
    computeEntryHash(entry) === hash ? [] : [`line ${index + 1} does not match its hash: it was edited or damaged`],
  );
  const whole = [
    ...(entries.length === record.entries
      ? []
      : [`it has ${entries.length} entries, but pool.json says ${record.entries}`]),
    ...(hashPool(record.reward, entries) === record.sha256
      ? []
      : ['its entries do not match the hash in pool.json: some were added, left out or edited']),
  ];
  const deals = listPoolDeals(entries);
  const isListed = record.deals.length === deals.length && record.deals.every((deal, at) => deal === deals[at]);
  return [
    ...acting,
    ...edited,
    ...whole,
    ...(isListed ? [] : ['the deals in pool.json do not match its entries: pool.json was edited or damaged']),
  ];
}

/**
 * Merges pools; an entry in several pools counts once. Throws a UsageError for pools with different rewards.
 *
 * @example mergePools([one, other]).entries.length
 */
export function mergePools(pools: readonly [Pool, ...Pool[]]): Pool {
  const { reward } = pools[0];
  const other = pools.find((pool) => pool.reward !== reward);
  if (other)
    throw new UsageError(
      `Pools of the rewards ${reward} and ${other.reward} cannot be merged: their numbers mean different things. Build them with the same --reward.`,
    );
  const entries = new Map(pools.flatMap((pool) => pool.entries).map((entry) => [entry.sha256, entry]));
  return createPool(reward, [...entries.values()]);
}

/** Reward above which an entry counts as good, by kind of reward. */
const goodAbove: Readonly<Record<ExperienceReward, number>> = { result: 0.5, vote: 0.5, chance: 0, rounds: 500 };

/** Returns whether an entry counts as good, i.e. worth repeating. */
export const isGoodEntry = ({ reward: value }: Pick<PoolEntry, 'reward'>, reward: ExperienceReward): boolean =>
  value > goodAbove[reward];

/** Returns the name of a deal. The name is equal for all variants of the deal and all players. */
export function describeDeal(setup: Setup): string {
  const { board, seed } = setup;
  const deal = listDealtPlayers(setup)
    .map(({ name, role }) => `${name}=${role}`)
    .join(', ');
  return `${board.name}-${seed}-${hashText(getDealKey({ board: board.name, deal })).slice(0, 12)}`;
}

/** Describes the rules as stored in entries. */
export const describePoolRules = ({ rules, board }: Pick<Setup, 'rules' | 'board'>): string =>
  describeRules(rules, board);

/** Player who made the decision of an entry: the model and, in a tournament, the entrant's name. */
export type Experienced = Pick<PoolEntry, 'model' | 'entrant' | 'tournament'>;

/**
 * Whether an entry is by the player's own model. If entry and player are from the same tournament, the entry must also
 * be by the same entrant.
 */
function isOwn(entry: Experienced, player: Experienced): boolean {
  const isOfOneTournament = entry.tournament !== null && entry.tournament === player.tournament;
  return (
    getModelLabel(entry.model) === getModelLabel(player.model) &&
    (!isOfOneTournament || entry.entrant === player.entrant)
  );
}

/** Whether an entry comes from the source that this player may remember from. */
export const isFromSource = (source: ExperienceSource, entry: Experienced, player: Experienced): boolean =>
  source === 'any' || isOwn(entry, player) === (source === 'own');
