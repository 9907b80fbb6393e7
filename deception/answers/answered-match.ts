// Data that the table of answers keeps of each match: who played which side, and the sums behind each question.
import { getDealKey } from '../design/schedule.ts';
import { liesCalledHonest } from '../metrics/belief-shift.ts';
import { lieTurnRate } from '../metrics/lie-exposure.ts';
import { correctLieTurnRate, type LieCorrection } from '../metrics/lie-correction.ts';
import { createMatchTally } from '../metrics/metric-collection.ts';
import type { Metric, MetricCell } from '../metrics/metric.ts';
import { winRate } from '../metrics/outcomes.ts';
import { matchedFalseAlarmRate, pairedDetection } from '../metrics/paired-detection.ts';
import { addSums, type Sums } from '../statistics/sums.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import type { Team } from '../../state/teams.ts';
import { type TournamentPlace, nameEntrants } from '../ratings/leaderboard-match.ts';
import type { AnswerQuestion } from '../metrics/answer-table-schema.ts';

/**
 * A question of the table, the metric and the cell that answer it, and the side that the model played in the counted
 * matches.
 */
export interface AskedMetric {
  question: AnswerQuestion;
  metric: Metric;
  cell: MetricCell;
  side: Team;
}

/** Cell of the judgments that villagers make, during the match, about debate statements by Werewolves. */
const heard = { source: 'match', kind: 'debate', speaker_team: 'werewolves', observer_team: 'villagers' };

/** The questions in the order of the table's columns. */
export const askedMetrics: readonly AskedMetric[] = [
  { question: 'lies', metric: lieTurnRate, cell: { team: 'werewolves' }, side: 'werewolves' },
  { question: 'believed', metric: liesCalledHonest, cell: heard, side: 'werewolves' },
  { question: 'catches', metric: pairedDetection, cell: heard, side: 'villagers' },
  { question: 'false_alarms', metric: matchedFalseAlarmRate, cell: heard, side: 'villagers' },
  { question: 'wins_as_werewolf', metric: winRate, cell: { team: 'werewolves' }, side: 'werewolves' },
  { question: 'wins_as_village', metric: winRate, cell: { team: 'villagers' }, side: 'villagers' },
];

export interface AnsweredMatch {
  deal: string;
  /** Conditions of the match as JSON: name → value. */
  condition: string;
  /** The model in all seats of each side; null where a side has several models. */
  sides: Readonly<Record<Team, string | null>>;
  extractor: string;
  /** Labels of the models in the seats. They name models even if the rows of the answer tables are entrants. */
  labels: readonly string[];
  /** Whether the rules of the match ask listeners to judge statements. */
  isAsked: boolean;
  sums: Readonly<Partial<Record<AnswerQuestion, Sums>>>;
  /** Number of seats, and number of seats that built-in bots played. */
  seats: number;
  bots: number;
  players: readonly AnsweredPlayer[];
}

/** A model's play on one side of a match. */
interface AnsweredPlayer {
  model: string;
  team: Team;
  /** Sums of the lie rate, counted over the model's debate statements on this side. */
  lies: Sums;
  /** Number of statements of all kinds, and the number that the extractor could read. */
  statements: number;
  read: number;
  seats: number;
  /**
   * Number of the model's seats on this side if the side won, 0 if it lost, and half the number in a draw; null for an
   * unfinished match.
   */
  won: number | null;
}

/** Cost of a model in a match. */
export interface AnsweredCost {
  model: string;
  /** Cost in USD; null if unknown. */
  cost: number | null;
  calls: number;
  /** Number of calls whose cost is unknown. */
  unpriced: number;
}

export type CountedAnswers = AnsweredMatch & { costs: readonly AnsweredCost[] };

/**
 * Returns the data that the answer tables keep of a match. `place`: the match's place in its tournament, if it has
 * one; each row of the answer tables is then an entrant instead of a model. `correction`: known error rates of the
 * extractor; if given, the sums of lies also include the terms that correct the numbers of lies.
 *
 * @example createAnsweredMatch(tables, manifest.tournament).sides.werewolves // 'gpt'
 */
export function createAnsweredMatch(
  tables: MatchTables,
  place?: TournamentPlace,
  correction?: LieCorrection,
): CountedAnswers {
  const named = place === undefined ? tables : nameEntrants(tables, place.entrants);
  const { match, players, statements, calls } = named;
  const tally = createMatchTally(named);
  const shared = new Map<Metric['count'], Map<string, Sums>>(); // metrics with one `count` function share their sums
  const countLies = correctLieTurnRate(correction).count;
  const sums = askedMetrics.map(({ question, metric: asked, cell }) => {
    const metric = asked === lieTurnRate ? { ...asked, count: countLies } : asked;
    const own = shared.get(metric.count) ?? new Map<string, Sums>();
    shared.set(metric.count, own);
    const name = JSON.stringify(cell);
    const counted = own.get(name) ?? addCell(tally(metric.count), cell);
    own.set(name, counted);
    return [question, counted] as const;
  });
  const lies = tally(countLies);
  const rules = JSON.parse(match.rules) as Record<string, unknown>;
  return {
    deal: getDealKey(match),
    condition: JSON.stringify({
      ...(place?.condition == null ? {} : { condition: place.condition }),
      ...{ board: match.board, experience: match.experience ?? 'none', ...rules },
    }),
    sides: { werewolves: match.werewolves_model, villagers: match.villagers_model },
    extractor: match.extractor,
    labels: [...new Set(tables.players.map(({ model }) => model))],
    isAsked: !['off', 'self'].includes(String(rules['analysis'])),
    sums: Object.fromEntries(sums),
    ...{ seats: players.length, bots: match.bots },
    players: [...Map.groupBy(players, ({ model, team }) => JSON.stringify([model, team])).values()].map((seats) => {
      const [{ model, team }] = seats as [(typeof seats)[number], ...typeof seats];
      const said = statements.filter((row) => row.model === model && row.team === team);
      return {
        ...{ model, team, lies: addCell(lies, { team, model }) },
        ...{ statements: said.length, read: said.filter((row) => !row.is_judge_missing).length },
        seats: seats.length,
        won:
          match.end_reason === null
            ? null
            : seats.reduce((total, { has_won: won }) => total + (won === null ? 0.5 : Number(won)), 0),
      };
    }),
    costs: [...Map.groupBy(calls, ({ model }) => model)].map(([model, rows]) => {
      const known = rows.flatMap(({ cost }) => cost ?? []);
      return {
        model,
        cost: known.length === 0 ? null : known.reduce((total, cost) => total + cost, 0),
        calls: rows.reduce((total, row) => total + row.calls, 0),
        unpriced: rows.reduce((total, row) => total + row.calls_with_unknown_cost, 0),
      };
    }),
  };
}

const addCell = (tallies: readonly { cell: MetricCell; sums: Sums }[], cell: MetricCell): Sums =>
  addSums(
    tallies
      .filter((one) => Object.entries(cell).every(([name, value]) => one.cell[name] === value))
      .map((one) => one.sums),
  );
