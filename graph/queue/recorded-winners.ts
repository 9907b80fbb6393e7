// Winners of the finished matches in the database, from their records. No column of the database can influence a
// stopping rule.
import type { TournamentPlan } from '../../deception/tournament-plan/tournament-plan.ts';
import type { TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import { getMatchKey, type StopState, TournamentScores } from '../../deception/tournament/tournament-stopping.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import type { Team } from '../../state/teams.ts';
import type { QueueDatabase } from './database.ts';
import { isEndedEarly, openTournament } from '../tournament/play-tournament.ts';
import { readPackedWinner } from './packed-record.ts';
import { listVersionDifferences, parseQueuedPlan } from './queued-plan.ts';
import { TournamentStore } from './tournament-store.ts';

/**
 * The scores of a tournament in the database. If the plan has a stopping rule, each record is read once; otherwise no
 * record is read. A match with an unreadable record does not count as finished.
 *
 * @example
 * const winners = new RecordedWinners(store, plan, matches);
 * await winners.learn();
 * winners.scores.evaluate();
 */
export class RecordedWinners {
  readonly scores: TournamentScores;
  /** Keys of matches that are over in the database. */
  readonly over = new Set<string>();
  readonly #store: TournamentStore;
  readonly #hasStop: boolean;
  readonly #matches: ReadonlyMap<string, TournamentMatch>;
  /** Version of the record that was read, by key of the match. */
  readonly #read = new Map<string, string>();
  #isLearning: Promise<void> = Promise.resolve();

  constructor(store: TournamentStore, plan: TournamentPlan, matches: readonly TournamentMatch[]) {
    this.#store = store;
    this.#hasStop = plan.stop !== undefined;
    this.#matches = new Map(matches.map((match) => [getMatchKey(match), match]));
    this.scores = new TournamentScores(plan, matches);
  }

  /** Adds a match that was played or read on this machine, so that its record need not be read again. */
  record(match: TournamentMatch, winner: Team | null): void {
    this.over.add(getMatchKey(match));
    this.#read.set(getMatchKey(match), 'own');
    this.scores.record(match, winner);
  }

  /** Reads the matches that have ended in the database since the last call. Concurrent callers share one reading. */
  learn(): Promise<void> {
    this.#isLearning = this.#isLearning.catch(() => undefined).then(() => this.#learn());
    return this.#isLearning;
  }

  async #learn(): Promise<void> {
    for (const { key, version } of await this.#store.listFinished()) {
      const match = this.#matches.get(key);
      this.over.add(key);
      if (match === undefined || [version, 'own'].includes(this.#read.get(key) ?? '')) continue;
      this.#read.set(key, version);
      if (!this.#hasStop)
        this.scores.record(match, null); // the winner is irrelevant
      else await this.#readWinner(key, match);
    }
  }

  async #readWinner(key: string, match: TournamentMatch): Promise<void> {
    const packed = await this.#store.readRecord(key);
    if (packed === null) return;
    try {
      this.scores.record(match, readPackedWinner(packed, match));
    } catch (error) {
      if (!(error instanceof RecordError)) throw error; // the damaged record is reported when it is collected
    }
  }
}

/** Evaluates the stopping rule of a tournament from its records. */
export async function evaluateRecords(store: TournamentStore, plan: TournamentPlan): Promise<StopState | null> {
  const winners = new RecordedWinners(store, plan, openTournament(plan).matches);
  await winners.learn();
  return winners.scores.evaluate();
}

/**
 * Lets a tournament continue if, according to the database, its stopping rule has ended it, but the records do not
 * confirm this. Returns whether the tournament continues. If this program cannot check the records, returns false and
 * changes nothing.
 */
export async function checkDecision(database: QueueDatabase, name: string): Promise<boolean> {
  const store = new TournamentStore(database, name);
  const queued = await store.read();
  if (queued === null) return false;
  try {
    if (listVersionDifferences(queued).length > 0) return false;
    const plan = parseQueuedPlan(queued);
    if (isEndedEarly(plan, await evaluateRecords(store, plan))) return false;
  } catch {
    return false;
  }
  await store.withdrawDecision();
  return true;
}
