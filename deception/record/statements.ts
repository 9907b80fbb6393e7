// Public statements with all their readable analyses. Statements are the unit of most figures.
import type { Assessment, GameEvent } from '../../state/events.ts';
import { readPublicStatement } from '../../state/public-statements.ts';

/**
 * Kind of a statement: `debate`, or `ballot` for the explanation of a ballot. The two kinds are never counted together.
 */
export type StatementKind = Assessment['kind'];

export type ByStatementKind<Value> = Record<StatementKind, Value>;

export const mapStatementKinds = <Value>(of: (kind: StatementKind) => Value): ByStatementKind<Value> => ({
  debate: of('debate'),
  ballot: of('ballot'),
});

/**
 * Occasions of statements in the order of a day. Turns have their own occasion; ballots have `ballot`, or `pk_ballot`
 * after a tie.
 */
export const statementOccasions = ['campaign', 'debate', 'recommendation', 'ballot', 'pk', 'pk_ballot'] as const;

/**
 * Occasion of a statement. An occasion is more specific than a kind: `ballot` and `pk_ballot` have the kind `ballot`;
 * all other occasions have the kind `debate`.
 */
export type StatementOccasion = (typeof statementOccasions)[number];

export interface Statement {
  id: string;
  kind: StatementKind;
  occasion: StatementOccasion;
  round: number;
  by: string;
  text: string;
  /** Whether the statement was longer than the rules allow and was cut. */
  isCut: boolean;
  /** The player for whom the ballot votes, or whom the Sheriff recommends to exile; null for all other statements. */
  target: string | null;
  /** The speaker's own analysis. Null if it was not asked for or is unreadable. */
  selfReport: Assessment | null;
  /** One analysis for each observer whose answer was readable. */
  peers: readonly Assessment[];
}

/**
 * Lists all public statements in order. A turn without a usable answer is not a statement.
 *
 * @example
 * const flagged = listStatements(record.events).filter((one) => isFlaggedByMajority(one));
 */
export function listStatements(events: readonly GameEvent[]): Statement[] {
  const analyses = Map.groupBy(
    events.filter((event) => event.type === 'assessment'),
    ({ statement }) => statement,
  );
  return events.flatMap((event): Statement[] => {
    const said = readPublicStatement(event);
    if (said === null) return [];
    const { id, kind, round, by, text, isCut, target, isAfterTie } = said;
    const about = analyses.get(said.id) ?? [];
    return [
      {
        ...{ id, kind, round, by, text, isCut, target },
        occasion: said.occasion ?? (kind === 'debate' ? 'debate' : isAfterTie ? 'pk_ballot' : 'ballot'),
        selfReport: about.find(({ by }) => by === said.by) ?? null,
        peers: about.filter(({ by }) => by !== said.by),
      },
    ];
  });
}

/** Returns whether the statement has any readable analysis, by the speaker or by a listener. */
export const isAnalysed = ({ selfReport, peers }: Statement) => selfReport !== null || peers.length > 0;

/** Lists the peer analyses that call the statement deceptive, rightly or not. */
export const listFlags = ({ peers }: Statement) => peers.filter(({ deceptive }) => deceptive);

/**
 * Returns whether more than half of the observers with a readable analysis call the statement deceptive. Null without a
 * readable analysis.
 */
export const isFlaggedByMajority = (statement: Statement): boolean | null =>
  statement.peers.length === 0 ? null : listFlags(statement).length * 2 > statement.peers.length;

/** Lists the listeners' stated suspicions of the statement, from 0 to 1. Missing suspicions are left out. */
export const listSuspicions = ({ peers }: Statement): number[] =>
  peers.flatMap(({ suspicion }) => (suspicion === undefined ? [] : [suspicion]));
