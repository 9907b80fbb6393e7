// Makes all tables of one match from its record, from the claims of a judge and from annotations.
import { isEventOfType } from '../../state/events.ts';
import type { Team } from '../../state/teams.ts';
import { listDealtPlayers, plainVariant } from '../../state/variants.ts';
import type { Extractor } from '../claims/claim.ts';
import type { JudgeAgreement } from '../claims/majority-claims.ts';
import { extractMatchClaims } from '../claims/match-claims.ts';
import { createSeatFinder, listSeats, type MatchRecord, type Seat } from '../match-record.ts';
import { summarizeCalls } from '../call-figures.ts';
import { listStatements } from '../statements.ts';
import { computeRatio } from '../statistics/sums.ts';
import { describeExperience } from '../experience/describe-experience.ts';
import { buildCallRows } from './call-rows.ts';
import { buildGameTables } from './game-rows.ts';
import type { MatchRow, MatchTables } from './row-schemas.ts';
import {
  type Annotation,
  buildAnalysisRows,
  buildBeliefRows,
  buildClaimRows,
  buildStatementRows,
  createAttemptFinder,
  type MeasuredMatch,
} from './statement-rows.ts';

/** The row of a match: its conditions, how it ended, and what its calls took. `extractor`: `rules` or a judge. */
export function buildMatchRow(record: MatchRecord, extractor: string): MatchRow {
  const { manifest, events, answers } = record;
  const { board, rules, seed } = manifest.setup;
  const seats = listSeats(manifest);
  const dealt = listDealtPlayers(manifest.setup);
  const ended = events.find(isEventOfType('ended'));
  const { total, wall_ms: wallMs } = summarizeCalls(record);
  const questions = answers.filter(({ attempt }) => attempt === 1).length;
  const unanswered = answers.filter(({ mark }) => mark !== undefined).length;
  return {
    match_id: manifest.id,
    board: board.name,
    seed,
    deal: dealt.map(({ name, role }) => `${name}=${role}`).join(', '),
    variant: manifest.setup.variant ?? plainVariant,
    analysis: rules.analysis,
    scores: rules.scores,
    honesty: rules.honesty,
    coaching: rules.coaching,
    rules: JSON.stringify(rules),
    experience: describeExperience(manifest),
    experience_block: manifest.experience_block ?? null,
    villagers_model: findSideModel(seats, 'villagers'),
    werewolves_model: findSideModel(seats, 'werewolves'),
    seats: seats.length,
    bots: seats.filter(({ isBot }) => isBot).length,
    winner: ended?.winner ?? null,
    end_reason: ended?.reason ?? null,
    rounds: Math.max(0, ...events.map(({ round }) => round)),
    statements: listStatements(events).length,
    calls: total.calls,
    questions,
    unanswered,
    refusals: total.refusals,
    fallback_share: computeRatio(unanswered, questions),
    tokens_in: total.tokens.in,
    tokens_out: total.tokens.out,
    cost: total.cost,
    wall_ms: total.calls === 0 ? null : wallMs,
    imported: manifest.imported?.format ?? null,
    wolfgraph: manifest.made_by.wolfgraph,
    templates_sha256: manifest.made_by.templates_sha256,
    plan_sha256: manifest.plan_sha256 ?? null,
    extractor,
  };
}

function findSideModel(seats: readonly Seat[], side: Team): string | null {
  const models = new Set(seats.filter(({ team }) => team === side).map(({ model }) => model));
  return models.size === 1 ? [...models][0]! : null;
}

/** What was made of a record after the match. */
export interface TableSources {
  /** Draws the claims behind the verdicts in place of the rules. */
  judge?: { name: string; extract: Extractor; agreementOf?: (statement: string) => JudgeAgreement } | undefined;
  annotations?: readonly Annotation[] | undefined;
  /** Whether claims that a statement only takes for granted are counted with those that it asserts. */
  presupposed?: boolean | undefined;
}

/**
 * All tables of a match. Throws a UsageError for a record that cannot have happened under its rules.
 * @example
 * const { statements, claims } = buildTables(record);
 * const lies = claims.filter(({ verdict }) => verdict === 'lie');
 */
export function buildTables(
  record: MatchRecord,
  { judge, annotations = [], presupposed }: TableSources = {},
): MatchTables {
  const rules = extractMatchClaims(record, undefined, { presupposed });
  const judged = judge ? extractMatchClaims(record, judge.extract, { presupposed }) : null;
  const byId = new Map((judged ?? rules).statements.map((one) => [one.id, one]));
  const match: MeasuredMatch = {
    record,
    seatOf: createSeatFinder(record.manifest),
    attemptOf: createAttemptFinder(record.answers),
    statements: listStatements(record.events),
    rules,
    judged,
    judge: judge?.name ?? null,
    agreementOf: judge?.agreementOf,
    annotations,
    judgedOf: (id) => byId.get(id)!,
  };
  return {
    match: buildMatchRow(record, judge?.name ?? 'rules'),
    statements: buildStatementRows(match),
    claims: buildClaimRows(match),
    analyses: buildAnalysisRows(match),
    beliefs: buildBeliefRows(record),
    calls: buildCallRows(record),
    ...buildGameTables(record),
  };
}
