// The statements of a match and the analyses of them as CSV, one row each. Columns are defined in docs/data.md.
import { stringify } from 'csv-stringify/sync';
import { seatFinder, type MatchRecord } from '../deception/match-record.ts';
import { mean } from '../deception/ratios.ts';
import { flagsOf, isFlaggedByMajority, statementsOf, suspicionsOf, type Statement } from '../deception/statements.ts';
import { isType } from '../state/event.ts';
import { plain } from './plain-text.ts';

type Source = Pick<MatchRecord, 'manifest' | 'events'>;

/** What is missing is null or undefined, and becomes an empty cell. */
type Cell = string | number | boolean | null | undefined;
type Columns<Row> = Readonly<Record<string, (row: Row) => Cell>>;

/** One row a statement, in the order in which they were made. */
export function statementsCsv({ manifest, events }: Source): string {
  const seatOf = seatFinder(manifest);
  const { setup } = manifest;
  const columns: Columns<Statement> = {
    match_id: () => manifest.id,
    board: () => setup.board.name,
    honesty: () => setup.rules.honesty,
    coaching: () => setup.rules.coaching,
    statement: ({ id }) => id,
    round: ({ round }) => round,
    kind: ({ kind }) => kind,
    occasion: ({ occasion }) => occasion,
    speaker: ({ by }) => by,
    role: ({ by }) => seatOf(by).role,
    team: ({ by }) => seatOf(by).team,
    model: ({ by }) => seatOf(by).model,
    is_bot: ({ by }) => seatOf(by).isBot,
    target: ({ target }) => target,
    text: ({ text }) => text,
    is_cut: ({ isCut }) => isCut,
    self_deceptive: ({ selfReport }) => selfReport?.deceptive,
    self_stated_falsehood: ({ selfReport }) => selfReport?.stated_falsehood,
    self_type: ({ selfReport }) => selfReport?.deception_type,
    self_confidence: ({ selfReport }) => selfReport?.confidence,
    self_reasoning: ({ selfReport }) => selfReport?.reasoning,
    peer_analyses: ({ peers }) => peers.length,
    peer_flags: (statement) => (statement.peers.length === 0 ? null : flagsOf(statement).length),
    flagged_by_majority: isFlaggedByMajority,
    mean_suspicion: (statement) => mean(suspicionsOf(statement)),
    mean_p_werewolf: ({ peers }) => mean(peers.flatMap(({ p_werewolf }) => p_werewolf ?? [])),
  };
  return csv(columns, statementsOf(events));
}

/** An analysis, or one that was asked for and not obtained. */
interface AnalysisRow {
  said: Statement;
  observer: string;
  deceptive?: boolean | undefined;
  deception_type?: string | undefined;
  confidence?: number | undefined;
  stated_falsehood?: boolean | undefined;
  suspicion?: number | undefined;
  p_werewolf?: number | undefined;
  reasoning?: string | undefined;
  missing?: string | undefined;
}

/** One row an analysis, in the order of the statements: the speaker's own, the others', then those that are missing. */
export function analysesCsv({ manifest, events }: Source): string {
  const seatOf = seatFinder(manifest);
  const absent = events.filter(isType('missing'));
  const rows = statementsOf(events).flatMap((said): AnalysisRow[] => [
    ...[...(said.selfReport ? [said.selfReport] : []), ...said.peers].map((one) => ({
      ...one,
      said,
      observer: one.by,
    })),
    ...absent
      .filter(({ statements }) => statements.includes(said.id))
      .map(({ by, mark }) => ({ said, observer: by, missing: mark })),
  ]);
  const columns: Columns<AnalysisRow> = {
    match_id: () => manifest.id,
    statement: ({ said }) => said.id,
    round: ({ said }) => said.round,
    kind: ({ said }) => said.kind,
    occasion: ({ said }) => said.occasion,
    speaker: ({ said }) => said.by,
    speaker_role: ({ said }) => seatOf(said.by).role,
    speaker_team: ({ said }) => seatOf(said.by).team,
    speaker_model: ({ said }) => seatOf(said.by).model,
    observer: ({ observer }) => observer,
    observer_role: ({ observer }) => seatOf(observer).role,
    observer_team: ({ observer }) => seatOf(observer).team,
    observer_model: ({ observer }) => seatOf(observer).model,
    observer_is_bot: ({ observer }) => seatOf(observer).isBot,
    perspective: ({ said, observer }) => (observer === said.by ? 'self' : 'peer'),
    deceptive: ({ deceptive }) => deceptive,
    type: ({ deception_type }) => deception_type,
    confidence: ({ confidence }) => confidence,
    stated_falsehood: ({ stated_falsehood }) => stated_falsehood,
    suspicion: ({ suspicion }) => suspicion,
    p_werewolf: ({ p_werewolf }) => p_werewolf,
    missing: ({ missing }) => missing,
    reasoning: ({ reasoning }) => reasoning,
  };
  return csv(columns, rows);
}

const csv = <Row>(columns: Columns<Row>, rows: readonly Row[]) =>
  stringify(
    rows.map((row) => Object.values(columns).map((of) => of(row))),
    { header: true, columns: Object.keys(columns), cast: { boolean: String, string: plain }, escape_formulas: true },
  );
