// The statements behind the headline figures of each model: how many, and some of them drawn by the seed, so that a reader of
// a report can look at what a figure counts.
import { listLabelledJudgements } from '../metrics/judgements.ts';
import type { MatchTables } from '../tables/row-schemas.ts';
import { draw } from '../../state/random.ts';

/** The headline figures that count statements: those of `headlines` in report/report-findings.ts by the same names. */
export const statementHeadlines = ['lied', 'wasCaught', 'caught', 'falseAlarms'] as const;
export type StatementHeadline = (typeof statementHeadlines)[number];

export interface HeadlineStatement {
  headline: StatementHeadline;
  /** The model whose figure counts it. */
  model: string;
  match: string;
  /** The folder of the match. */
  folder: string;
  /** Its id. */
  statement: string;
  speaker: string;
  /** Who heard it so; null where the figure is of statements alone. */
  observer: string | null;
  text: string;
}

/** What is kept of a headline figure of a model. */
export interface CountedStatements {
  headline: StatementHeadline;
  model: string;
  /** Statements, or judgements of them, that the figure counts. */
  total: number;
  /** At most `mostShown` of them, in the order in which they were drawn. */
  shown: readonly HeadlineStatement[];
}

/** Statements that are shown of a figure. */
export const mostShown = 20;

/** What the numerators of these figures count in one match. */
export function listHeadlineStatements(tables: MatchTables, folder: string): HeadlineStatement[] {
  const { statements, match } = tables;
  const texts = new Map(statements.map(({ statement, text }) => [statement, text]));
  const lied = statements
    .filter(({ team, is_lie: isLie }) => team === 'werewolves' && isLie === true)
    .map(({ statement, speaker, model, text }): HeadlineStatement => ({
      ...{ headline: 'lied', model, match: match.match_id, folder, statement, speaker, observer: null, text },
    }));
  const judged = listLabelledJudgements(tables)
    .filter(({ row }) => !row.could_know && row.source === 'match' && row.kind === 'debate')
    .filter(({ row }) => row.speaker_team === 'werewolves' && row.deceptive === true)
    .flatMap(({ row }): HeadlineStatement[] => {
      const { statement, speaker, observer } = row;
      const heard = { match: match.match_id, folder, statement, speaker, observer, text: texts.get(statement) ?? '' };
      return row.is_lie
        ? [
            { headline: 'caught', model: row.observer_model, ...heard },
            { headline: 'wasCaught', model: row.speaker_model, ...heard },
          ]
        : [{ headline: 'falseAlarms', model: row.observer_model, ...heard }];
    });
  return [...lied, ...judged];
}

/** Counts statements by figure and model, and keeps some of each: the same ones in whatever order they come. */
export class StatementSampler {
  readonly #seed: number;
  readonly #kept = new Map<string, { total: number; drawn: { at: number; one: HeadlineStatement }[] }>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  add(statements: readonly HeadlineStatement[]): void {
    for (const one of statements) this.#keep(one, 1);
  }

  /** Adds what another sampler of the same seed has counted. */
  merge(counted: readonly CountedStatements[]): void {
    for (const { total, shown } of counted)
      for (const [place, one] of shown.entries()) this.#keep(one, place === 0 ? total : 0);
  }

  /** By figure, then by model. */
  list(): CountedStatements[] {
    return [...this.#kept.entries()]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { total, drawn }]) => {
        const shown = drawn.map(({ one }) => one);
        return { headline: shown[0]!.headline, model: shown[0]!.model, total, shown };
      });
  }

  #keep(one: HeadlineStatement, count: number): void {
    const key = JSON.stringify([statementHeadlines.indexOf(one.headline), one.model]);
    const kept = this.#kept.get(key) ?? { total: 0, drawn: [] };
    this.#kept.set(key, kept);
    kept.total += count;
    const at = draw(this.#seed, 'statement', one.match, one.statement, one.observer ?? '').fraction();
    kept.drawn.push({ at, one });
    kept.drawn.sort((first, second) => first.at - second.at);
    kept.drawn.splice(mostShown);
  }
}
