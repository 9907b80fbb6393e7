// The statements behind the headline figures of each model: how many, and some of them drawn by the seed, so that a reader of
// a report can look at what a figure counts. So too for each pair of a listening and a speaking model.
import { listLabelledJudgements } from '../metrics/judgements.ts';
import type { MatchTables } from '../tables/row-schemas.ts';
import { draw } from '../../state/random.ts';

/** The headline figures that count statements: those of `headlines` in report/report-findings.ts by the same names. */
export const statementHeadlines = ['lied', 'wasCaught', 'caught', 'falseAlarms'] as const;

type StatementHeadline = (typeof statementHeadlines)[number];

/** Whether the headline figure of that name counts statements. */
export const isStatementHeadline = (name: string): name is StatementHeadline =>
  statementHeadlines.some((headline) => headline === name);

/** What a figure counts. */
export interface StatementKey {
  headline: StatementHeadline;
  /** The model whose figure it is. */
  model: string;
  /** Where only the lies of one model are counted that the other caught: who told them; else null. */
  liar: string | null;
}

export interface HeadlineStatement {
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

interface KeyedStatement extends StatementKey {
  said: HeadlineStatement;
}

/** What is kept of a figure. */
export interface CountedStatements extends StatementKey {
  /** Statements, or judgements of them, that the figure counts. */
  total: number;
  /** At most `mostShown` of them, in the order in which they were drawn. */
  shown: readonly HeadlineStatement[];
}

/** Statements that are shown of a figure. */
export const mostShown = 20;

/** What the numerators of these figures count in one match. */
export function listHeadlineStatements(tables: MatchTables, folder: string): KeyedStatement[] {
  const { statements, match } = tables;
  const texts = new Map(statements.map(({ statement, text }) => [statement, text]));
  const place = { match: match.match_id, folder };
  const lied = statements
    .filter(({ team, is_lie: isLie }) => team === 'werewolves' && isLie === true)
    .map(({ statement, speaker, model, text }): KeyedStatement => ({
      ...{ headline: 'lied', model, liar: null, said: { ...place, statement, speaker, observer: null, text } },
    }));
  const judged = listLabelledJudgements(tables)
    .filter(({ row }) => !row.could_know && row.source === 'match' && row.kind === 'debate')
    .filter(({ row }) => row.speaker_team === 'werewolves' && row.deceptive === true)
    .flatMap(({ row }): KeyedStatement[] => {
      const { statement, speaker, observer, observer_model: listener, speaker_model: liar } = row;
      const said = { ...place, statement, speaker, observer, text: texts.get(statement) ?? '' };
      return row.is_lie
        ? [
            { headline: 'wasCaught', model: liar, liar: null, said },
            { headline: 'caught', model: listener, liar: null, said },
            { headline: 'caught', model: listener, liar, said },
          ]
        : [{ headline: 'falseAlarms', model: listener, liar: null, said }];
    });
  return [...lied, ...judged];
}

/** Counts statements by figure and model, and keeps some of each: the same ones in whatever order they come. */
export class StatementSampler {
  readonly #seed: number;
  readonly #kept = new Map<
    string,
    StatementKey & { total: number; drawn: { at: number; said: HeadlineStatement }[] }
  >();

  constructor(seed: number) {
    this.#seed = seed;
  }

  add(statements: readonly KeyedStatement[]): void {
    for (const { said, ...key } of statements) this.#keep(key, [said], 1);
  }

  /** Adds what another sampler of the same seed has counted. */
  merge(counted: readonly CountedStatements[]): void {
    for (const { total, shown, ...key } of counted) this.#keep(key, shown, total);
  }

  /** By figure, then by model. */
  list(): CountedStatements[] {
    return [...this.#kept.entries()]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { drawn, ...kept }]) => ({ ...kept, shown: drawn.map(({ said }) => said) }));
  }

  #keep({ headline, model, liar }: StatementKey, statements: readonly HeadlineStatement[], count: number): void {
    const key = JSON.stringify([liar !== null, statementHeadlines.indexOf(headline), model, liar]);
    const kept = this.#kept.get(key) ?? { headline, model, liar, total: 0, drawn: [] };
    this.#kept.set(key, kept);
    kept.total += count;
    for (const said of statements) {
      const at = draw(this.#seed, 'statement', said.match, said.statement, said.observer ?? '').fraction();
      kept.drawn.push({ at, said });
    }
    kept.drawn.sort((first, second) => first.at - second.at);
    kept.drawn.splice(mostShown);
  }
}
