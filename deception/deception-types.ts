// What kinds of deception speakers report of their own statements, and how listeners take each kind.
import { DeceptionType } from '../state/event.ts';
import { mean, ratio, sum } from './ratios.ts';
import { flagsOf, suspicionsOf, type Statement } from './statements.ts';
import type { TypeFigures, TypesReported } from './summary-schema.ts';

/** Figures for each type by the speaker's own report; statements that have none stand under `unreported`. */
export function typesOf(statements: readonly Statement[]): TypesReported {
  const kinds = [...DeceptionType.options, 'unreported'] as const;
  const of = (kind: (typeof kinds)[number]) =>
    statements.filter(({ selfReport }) => (selfReport?.deception_type ?? 'unreported') === kind);
  return Object.fromEntries(kinds.map((kind) => [kind, figuresOf(of(kind))])) as TypesReported;
}

function figuresOf(statements: readonly Statement[]): TypeFigures {
  const analyses = sum(statements.map(({ peers }) => peers.length));
  const flags = sum(statements.map((statement) => flagsOf(statement).length));
  return {
    statements: statements.length,
    self_reported_deceptions: statements.filter(({ selfReport }) => selfReport?.deceptive).length,
    peer_analyses: analyses,
    mean_suspicion: mean(statements.flatMap(suspicionsOf)),
    share_flagged: ratio(flags, analyses),
  };
}
