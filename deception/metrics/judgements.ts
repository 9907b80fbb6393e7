// What listeners and annotators made of statements, each in the cell of observer and speaker.
import type { AnalysisRow, BeliefRow, Tables } from '../tables/rows.ts';
import type { Cell } from './metric.ts';

/** Always told apart: who judged, in play or afterwards, and what. */
export const ofJudgements = ['source', 'kind'];

/** The observer's side of a cell. */
export const observerOf = (row: AnalysisRow | BeliefRow): Cell => ({
  round: String(row.round),
  observer_team: row.observer_team,
  observer_role: row.observer_role,
  observer_model: row.observer_model,
  is_same_model: String(row.is_same_model),
});

const speakerOf = (row: AnalysisRow): Cell => ({
  speaker_team: row.speaker_team,
  speaker_role: row.speaker_role,
  speaker_model: row.speaker_model,
});

export const isByListener = ({ perspective }: AnalysisRow) => perspective === 'peer';

/** A judgement, missing or not, with what the speaker's self-report says of the statement. */
interface Heard {
  row: AnalysisRow;
  /** Null without a self-report. */
  selfDeceptive: boolean | null;
  cell: Cell;
}

/** Every judgement by listeners and annotators, whatever they could know, in the cell of both sides. */
export function heard({ statements, analyses }: Tables): Heard[] {
  const saidAs = new Map(statements.map((row) => [row.statement, row]));
  return analyses.filter(isByListener).map((row) => {
    const said = saidAs.get(row.statement);
    const { source, kind, knows_side: knowsSide } = row;
    const type = said?.self_type ?? 'unreported';
    const cell = { source, kind, knows_side: String(knowsSide), ...observerOf(row), ...speakerOf(row), type };
    return { row, selfDeceptive: said?.self_deceptive ?? null, cell };
  });
}

/** A score of a judgement, null where the judgement is missing; none where nobody asked for it. */
export function scoreOf(row: AnalysisRow, name: 'suspicion' | 'p_werewolf'): { score: number | null }[] {
  const score = row[name];
  return score === null && row.missing === null ? [] : [{ score }];
}

type Labelled = AnalysisRow & { is_lie: boolean; could_know: boolean };

/** The label is the engine's; where it says nothing there is nothing to be caught. */
const isLabelled = (row: AnalysisRow): row is Labelled => row.is_lie !== null && row.could_know !== null;

/**
 * Every judgement of a labelled statement with its cell, those that are missing included. Observers who could know the
 * label give one row of their own, without any table: they had nothing to detect.
 */
export function labelled({ statements, analyses }: Tables): { row: Labelled; cell: Cell }[] {
  const types = new Map(statements.map((row) => [row.statement, row.self_type]));
  return analyses
    .filter(isByListener)
    .filter(isLabelled)
    .map((row) => {
      const { source, kind, could_know: couldKnow, statement } = row;
      const whole = { source, kind, could_know: String(couldKnow) };
      const type = types.get(statement) ?? 'unreported';
      return { row, cell: couldKnow ? whole : { ...whole, ...observerOf(row), ...speakerOf(row), type } };
    });
}
