// Who has won the matches that are over in the database, as their records say: no column of the database decides where a
// stopping rule stands.
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
 * The scores of a tournament in the database. Records are read only where the plan has a stopping rule, each once; a match
 * whose record cannot be read does not count as finished there.
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
  /** Key → the version of the record that was read. */
  readonly #read = new Map<string, string>();
  #isLearning: Promise<void> = Promise.resolve();

  constructor(store: TournamentStore, plan: TournamentPlan, matches: readonly TournamentMatch[]) {
    this.#store = store;
    this.#hasStop = plan.stop !== undefined;
    this.#matches = new Map(matches.map((match) => [getMatchKey(match), match]));
    this.scores = new TournamentScores(plan, matches);
  }

  /** A match that was played or read here: its record is known. */
  record(match: TournamentMatch, winner: Team | null): void {
    this.over.add(getMatchKey(match));
    this.#read.set(getMatchKey(match), 'own');
    this.scores.record(match, winner);
  }

  /** Takes in what is over in the database by now; whoever asks meanwhile waits for it. */
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
        this.scores.record(match, null); // who won decides nothing
      else await this.#readWinner(key, match);
    }
  }

  async #readWinner(key: string, match: TournamentMatch): Promise<void> {
    const packed = await this.#store.readRecord(key);
    if (packed === null) return;
    try {
      this.scores.record(match, readPackedWinner(packed, match));
    } catch (error) {
      if (!(error instanceof RecordError)) throw error; // it is named where it is collected
    }
  }
}

/** Where the stopping rule of a tournament stands by its records. */
export async function evaluateRecords(store: TournamentStore, plan: TournamentPlan): Promise<StopState | null> {
  const winners = new RecordedWinners(store, plan, openTournament(plan).matches);
  await winners.learn();
  return winners.scores.evaluate();
}

/**
 * Lets a tournament go on of which the database says that its stopping rule has ended it, where its records do not bear that
 * out. Returns whether it goes on; false also where this program cannot tell: it is left as it is then.
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
