// Public statements with all readable analyses of them: the unit that most figures count.
import type { Assessment, GameEvent } from '../../state/events.ts';
import { readPublicStatement } from '../../state/public-statements.ts';

/** `debate` or `ballot`: statements of the debate and explanations of ballots are never counted together. */
export type StatementKind = Assessment['kind'];

export type ByStatementKind<Value> = Record<StatementKind, Value>;

export const mapStatementKinds = <Value>(of: (kind: StatementKind) => Value): ByStatementKind<Value> => ({
  debate: of('debate'),
  ballot: of('ballot'),
});

/** When statements are made, in the order of a day: turns by their occasion, and ballots, `pk_ballot` after a tie. */
export const statementOccasions = ['campaign', 'debate', 'recommendation', 'ballot', 'pk', 'pk_ballot'] as const;

/** Finer than a statement's kind: `ballot` and `pk_ballot` are of the kind `ballot`, all others of `debate`. */
export type StatementOccasion = (typeof statementOccasions)[number];

export interface Statement {
  id: string;
  kind: StatementKind;
  occasion: StatementOccasion;
  round: number;
  by: string;
  text: string;
  /** Whether it was longer than the rules allow and cut. */
  isCut: boolean;
  /** Whom the ballot names or the Sheriff recommends to exile; null for all other statements. */
  target: string | null;
  /** The speaker's own analysis; null where it was not asked for or could not be read. */
  selfReport: Assessment | null;
  /** One for each observer whose analysis could be read. */
  peers: readonly Assessment[];
}

/**
 * All public statements in the order in which they were made. A turn without a usable answer is no statement.
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

/** Whether anybody's analysis of it could be read, the speaker's or a listener's. */
export const isAnalysed = ({ selfReport, peers }: Statement) => selfReport !== null || peers.length > 0;

/** The peer analyses that call it deceptive, right or not. */
export const listFlags = ({ peers }: Statement) => peers.filter(({ deceptive }) => deceptive);

/** Whether more than half of the observers with a readable analysis call it deceptive; null where there is none. */
export const isFlaggedByMajority = (statement: Statement): boolean | null =>
  statement.peers.length === 0 ? null : listFlags(statement).length * 2 > statement.peers.length;

/** Listeners' suspicions of it, 0…1, as they gave them; those that were not given are left out. */
export const listSuspicions = ({ peers }: Statement): number[] =>
  peers.flatMap(({ suspicion }) => (suspicion === undefined ? [] : [suspicion]));
