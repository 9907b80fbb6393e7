// What is counted while matches are played: matches, calls, tokens, money, and from these the time that is left.
import { sum } from '../../deception/statistics/sums.ts';
import type { CallFigures, DeceptionSummary } from '../../deception/summary/match-summary-schema.ts';
import type { MatchEnd } from '../../graph/play-matches.ts';
import type { AnswerLine } from '../../state/record.ts';
import type { Team } from '../../state/teams.ts';

/** Answers with what they took. Tokens and cost are sums of what is known, null where nothing is. */
export interface Spent {
  calls: number;
  tokens: number | null;
  /** USD. */
  cost: number | null;
  calls_with_unknown_cost: number;
}

type Took = Pick<AnswerLine, 'tokens' | 'cost'>;

/** A match that is being played. */
interface Open {
  answers: number;
  underWay: number;
}

/** With so many finished matches their mean says more than an estimate: the first ones to finish are the short ones. */
const telling = 10;

export class RunTally {
  readonly matches: number;
  finished = 0;
  failed = 0;
  /** Of finished matches; null before the first. */
  figures: CallFigures | null = null;
  /** Finished matches by who won. */
  readonly winners: Record<Team | 'nobody', number> = { villagers: 0, werewolves: 0, nobody: 0 };
  /** In all matches, those included that are not finished. */
  spent: Spent = { calls: 0, tokens: null, cost: null, calls_with_unknown_cost: 0 };
  readonly #now: () => number;
  readonly #opened: number;
  readonly #open = new Map<string, Open>();
  /** When the first match was begun now, and the answers that came since, recorded ones apart. */
  #since: number | null = null;
  #live = 0;
  #expected: number | null = null;

  /** `now` tells the time in milliseconds. */
  constructor(matches: number, now: () => number) {
    this.matches = matches;
    this.#now = now;
    this.#opened = now();
  }

  /** Calls that a match takes by an estimate. */
  expect(calls: number) {
    this.#expected = calls;
  }

  begin(id: string) {
    this.#since ??= this.#now();
    this.#open.set(id, { answers: 0, underWay: 0 });
  }

  calls(id: string, underWay: number) {
    const match = this.#open.get(id);
    if (match) match.underWay = underWay;
  }

  /** `isRecorded`: it was found before. */
  answer(id: string, line: Took, isRecorded: boolean) {
    const match = this.#open.get(id);
    if (match) match.answers += 1;
    if (isRecorded) return;
    this.#live += 1;
    this.recorded([line]);
  }

  /** Answers of matches that are not over, when they are found or given. */
  recorded(lines: readonly Took[]) {
    for (const { tokens, cost } of lines)
      this.#spend({
        calls: 1,
        tokens: tokens && tokens.in + tokens.out,
        cost,
        calls_with_unknown_cost: cost === null ? 1 : 0,
      });
  }

  /** The match has stopped and will be begun again. */
  hold(id: string) {
    this.#open.delete(id);
  }

  end(end: MatchEnd) {
    this.#open.delete(end.id);
    if ('error' in end) this.failed += 1;
    else this.#finish(end.summary, end.isPlayed);
  }

  get underWay() {
    return this.#open.size;
  }

  get callsUnderWay() {
    return sum([...this.#open.values()].map(({ underWay }) => underWay));
  }

  /** Milliseconds since the tally was opened. */
  elapsed(): number {
    return this.#now() - this.#opened;
  }

  /** Milliseconds until all matches are over at the pace so far; null where nothing can be said yet. */
  timeLeft(): number | null {
    const calls = this.#callsOfMatch();
    if (calls === null || this.#since === null || this.#live === 0) return null;
    const untouched = this.matches - this.finished - this.failed - this.underWay;
    const begun = sum([...this.#open.values()].map(({ answers }) => Math.max(0, calls - answers)));
    return ((this.#now() - this.#since) / this.#live) * (untouched * calls + begun);
  }

  #callsOfMatch(): number | null {
    const mean = this.figures && this.figures.calls / this.finished;
    return this.finished < telling ? (this.#expected ?? mean) : mean;
  }

  #finish({ winner, model_calls: { total } }: DeceptionSummary, isPlayed: boolean) {
    this.finished += 1;
    this.winners[winner ?? 'nobody'] += 1;
    this.figures = this.figures === null ? total : added(this.figures, total);
    if (isPlayed) return; // its answers were told one by one
    const { calls, tokens, cost, calls_with_unknown_cost } = total;
    this.#spend({ calls, tokens: added(tokens.in, tokens.out), cost, calls_with_unknown_cost });
  }

  #spend(more: Spent) {
    this.spent = added(this.spent, more);
  }
}

type Figures = number | null | { readonly [name: string]: Figures };

/** Figures of the same shape, each with its counterpart; what is not known adds nothing. */
function added<Value>(one: Value, other: Value): Value;
function added(one: Figures, other: Figures): Figures {
  if (one === null || other === null) return one ?? other;
  if (typeof one === 'number' || typeof other === 'number') return Number(one) + Number(other);
  return Object.fromEntries(Object.keys(one).map((name) => [name, added(one[name]!, other[name]!)]));
}
