// What was said when, owned up to and suspected: campaigns, recommendations and PKs apart from the debate.
import { mean, ratio, sum } from './ratios.ts';
import { flagsOf, occasions, suspicionsOf, type Statement } from './statements.ts';
import type { ByOccasion, OccasionFigures } from './summary-schema.ts';

/**
 * Figures for each occasion on which statements were made, in the order of a day. Null where all were made in debates
 * or with first ballots, since these are what the kinds of statements tell apart.
 */
export function byOccasion(statements: readonly Statement[]): ByOccasion | null {
  if (statements.every(({ kind, occasion }) => occasion === kind)) return null;
  const made = Map.groupBy(statements, ({ occasion }) => occasion);
  return Object.fromEntries(
    occasions.filter((occasion) => made.has(occasion)).map((occasion) => [occasion, figuresOf(made.get(occasion)!)]),
  );
}

function figuresOf(statements: readonly Statement[]): OccasionFigures {
  const reports = statements.flatMap(({ selfReport }) => selfReport ?? []);
  const deceptions = reports.filter(({ deceptive }) => deceptive).length;
  const analyses = sum(statements.map(({ peers }) => peers.length));
  const flags = sum(statements.map((statement) => flagsOf(statement).length));
  return {
    statements: statements.length,
    self_reports: reports.length,
    self_reported_deceptions: deceptions,
    share_self_reported_deceptive: ratio(deceptions, reports.length),
    peer_analyses: analyses,
    peer_detected_deceptions: flags,
    share_flagged: ratio(flags, analyses),
    mean_suspicion: mean(statements.flatMap(suspicionsOf)),
  };
}
