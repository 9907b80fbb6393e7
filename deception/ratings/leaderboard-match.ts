// Data that a leaderboard keeps of a match: seats, winner, each entrant's usage of calls, and what each entrant did and
// heard.
import { getDealKey } from '../design/schedule.ts';
import { MetricCollection } from '../metrics/metric-collection.ts';
import { sum } from '../statistics/sums.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import type { Team } from '../../state/teams.ts';
import type { TournamentMatch } from '../tournament-plan/tournament-schedule.ts';
import type { RatedMatch } from './rating-model.ts';
import { correctLieTurnRate, type LieCorrection } from '../metrics/lie-correction.ts';
import { lieTurnRate } from '../metrics/lie-exposure.ts';
import { type CountedTraits, traitMetrics } from './trait-leaderboards.ts';

/** Identifies a match within its tournament. */
type MatchPlace = Pick<TournamentMatch, 'pairing' | 'condition' | 'deal'> & {
  readonly board: string;
  /** Number of the replicate, from 1. */
  readonly replicate: number;
  /** Player → entrant. */
  readonly entrants: Readonly<Record<string, string>>;
};

/** Returns the key of a match's place. A match's record and its entry in the schedule give the same key. */
export const namePlace = ({ pairing, condition, board, deal, replicate, entrants }: MatchPlace): string =>
  JSON.stringify([pairing, condition, board, deal, replicate, Object.entries(entrants).sort(([one], [other]) => (one < other ? -1 : 1))]); // prettier-ignore

/** Place of a match in its tournament, and the entrants that played. */
export interface TournamentPlace extends Omit<MatchPlace, 'board' | 'replicate'> {
  /** Number of the block, from 1. The schedule is balanced after each block. */
  readonly block: number;
}

/** Usage of an entrant's calls in one match. */
export interface SpentCalls {
  readonly calls: number;
  readonly questions: number;
  readonly fallbacks: number;
  readonly missing: number;
  readonly refusals: number;
  /** Known tokens and known cost in USD; null if none are known. */
  readonly tokens_in: number | null;
  readonly tokens_out: number | null;
  readonly cost: number | null;
  readonly calls_with_unknown_cost: number;
  readonly ms: number;
}

export interface LeaderboardMatch extends CountedTraits {
  readonly rated: RatedMatch;
  readonly block: number | null;
  /** Key of the match's place in its tournament: see `namePlace`. */
  readonly place: string | null;
  readonly condition: string | null;
  readonly board: string;
  /** Entrants that are built-in bots. */
  readonly bots: readonly string[];
  readonly spent: ReadonlyMap<string, SpentCalls>;
}

/**
 * Returns the data that a leaderboard keeps of a match. `place`: the match's place in a tournament; without it, the
 * models are the entrants. `correction`: known errors of the extractor.
 *
 * @example createLeaderboardMatch(tables, manifest.tournament).rated.winner; // 'werewolves'
 */
export function createLeaderboardMatch(
  tables: MatchTables,
  place?: TournamentPlace,
  correction?: LieCorrection,
): LeaderboardMatch {
  const { match } = tables;
  const named = place === undefined ? tables : nameEntrants(tables, place.entrants);
  const { players, calls } = named;
  const { count } = correctLieTurnRate(correction);
  const collection = new MetricCollection(
    traitMetrics.map((metric) => (metric.name === lieTurnRate.name ? { ...metric, count } : metric)),
  );
  collection.add(named);
  const condition = place?.condition ?? null;
  return {
    rated: {
      deal: getDealKey(match),
      context: JSON.stringify([match.board, match.rules]),
      winner: match.winner,
      seats: players.map(({ model, team, role }) => ({ entrant: model, team, role })),
    },
    ...{
      block: place?.block ?? null,
      place: place ? namePlace({ ...place, board: match.board, replicate: match.replicate }) : null,
      condition,
    },
    ...{ board: match.board, extractor: match.extractor },
    bots: [...new Set(players.flatMap(({ model, is_bot: isBot }) => (isBot ? [model] : [])))],
    spent: new Map([...Map.groupBy(calls, ({ model }) => model)].map(([entrant, own]) => [entrant, addCalls(own)])),
    cells: collection
      .listCells()
      .map(({ metric, cell, clusters }) => ({ metric: metric.name, cell, sums: clusters[0]!.sums })),
  };
}

/** Adds up several usages of calls, value by value. Unknown values are left out of the sums. */
export function addCalls(rows: readonly SpentCalls[]): SpentCalls {
  const add = (name: 'calls' | 'questions' | 'fallbacks' | 'missing' | 'refusals' | 'calls_with_unknown_cost' | 'ms') =>
    sum(rows.map((row) => row[name]));
  const addKnown = (name: 'tokens_in' | 'tokens_out' | 'cost') => {
    const known = rows.flatMap((row) => row[name] ?? []);
    return known.length === 0 ? null : sum(known);
  };
  return {
    ...{ calls: add('calls'), questions: add('questions'), fallbacks: add('fallbacks'), missing: add('missing') },
    ...{ refusals: add('refusals'), calls_with_unknown_cost: add('calls_with_unknown_cost'), ms: add('ms') },
    ...{ tokens_in: addKnown('tokens_in'), tokens_out: addKnown('tokens_out'), cost: addKnown('cost') },
  };
}

/** Replaces models by the names of their entrants in the tables. Annotators keep their own names. */
export function nameEntrants(tables: MatchTables, entrants: TournamentPlace['entrants']): MatchTables {
  const { match, players, statements, claims, analyses, beliefs, calls, ballots, bids, deeds } = tables;
  const nameOf = (player: string, model: string) => entrants[player] ?? model;
  const findSide = (side: Team) => {
    const own = new Set(players.flatMap(({ player, team, model }) => (team === side ? [nameOf(player, model)] : [])));
    return own.size === 1 ? [...own][0]! : null;
  };
  return {
    ...tables,
    match: { ...match, villagers_model: findSide('villagers'), werewolves_model: findSide('werewolves') },
    players: players.map((row) => ({ ...row, model: nameOf(row.player, row.model) })),
    statements: statements.map((row) => ({ ...row, model: nameOf(row.speaker, row.model) })),
    claims: claims.map((row) => ({ ...row, model: nameOf(row.speaker, row.model) })),
    analyses: analyses.map((row) => {
      const speaker = nameOf(row.speaker, row.speaker_model);
      const observer = row.source === 'match' ? nameOf(row.observer, row.observer_model) : row.observer_model;
      return { ...row, speaker_model: speaker, observer_model: observer, is_same_model: speaker === observer };
    }),
    beliefs: beliefs.map((row) => {
      const [observer, about] = [nameOf(row.observer, row.observer_model), nameOf(row.about, row.about_model)];
      return { ...row, observer_model: observer, about_model: about, is_same_model: observer === about };
    }),
    calls: calls.map((row) => ({ ...row, model: nameOf(row.player, row.model) })),
    ballots: ballots.map((row) => ({ ...row, voter_model: nameOf(row.voter, row.voter_model) })),
    bids: bids.map((row) => ({ ...row, bidder_model: nameOf(row.bidder, row.bidder_model) })),
    deeds: deeds.map((row) => ({ ...row, by_model: nameOf(row.by, row.by_model) })),
  };
}
