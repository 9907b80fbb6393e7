// Makes the rows of statements, of their claims, of all analyses of them and of beliefs.
import { type Assessment, type GameEvent, isEventOfType, type AnswerMark } from '../../state/events.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import type { AnswerLine } from '../../state/record.ts';
import type { Rules } from '../../state/rules/common-rules.ts';
import type { AssessmentFields } from '../../state/steps/analysis.ts';
import {
  isLieOpportunity,
  type VerifiedClaim,
  type VerifiedStatement,
  listLabelKnowers,
  type MatchClaims,
} from '../claims/match-claims.ts';
import type { JudgeAgreement } from '../claims/majority-claims.ts';
import { getLieLabel } from '../claims/verify-claim.ts';
import { createTableKnowledge } from '../knowledge/player-knowledge.ts';
import { isOnTeam } from '../knowledge/propositions.ts';
import {
  analysisActions,
  createAnswerFinder,
  createSeatFinder,
  listSeats,
  type MatchRecord,
  type Seat,
  speechActions,
} from '../match-record.ts';
import { isFlaggedByMajority, listFlags, listSuspicions, type Statement } from '../statements.ts';
import { mean } from '../statistics/sums.ts';
import type { AnalysisRow, BeliefRow, ClaimRow, MatchTables, StatementRow } from './row-schemas.ts';

/** An analysis as it is recorded: a speaker's has no suspicion, a listener's no `stated_falsehood`. */
type ReasonedOpinion = AssessmentFields & Pick<Assessment, 'reasoning'>;

/** A model's judgement of a recorded statement, made after the match from the view of a listener. */
export interface Annotation {
  statement: string;
  /** The listener whose view the model was given. */
  observer: string;
  /** The annotator's model string. */
  model: string;
  /** From 1. */
  repeat: number;
  attempt: number;
  /** Of a self-report that was asked for again: whether its speaker saw own thoughts. */
  notes?: Rules['selfReport'] | undefined;
  /** Null where no usable answer came. */
  opinion: ReasonedOpinion | null;
  mark?: AnswerMark | undefined;
}

/** The number, from 1, of the attempt that counts; null where the record has no such answer, as in imported matches. */
type AttemptFinder = (statement: string, player: string, actions: readonly string[]) => number | null;

export function createAttemptFinder(answers: readonly AnswerLine[]): AttemptFinder {
  const find = createAnswerFinder(answers);
  return (...asked) => find(...asked)?.attempt ?? null;
}

/** A record with all that rows are made from besides it. */
export interface MeasuredMatch {
  record: MatchRecord;
  seatOf: (name: string) => Seat;
  attemptOf: AttemptFinder;
  statements: readonly Statement[];
  rules: MatchClaims;
  judged: MatchClaims | null;
  judge: string | null;
  /** How far its readings agree. */
  agreementOf: ((statement: string) => JudgeAgreement) | undefined;
  annotations: readonly Annotation[];
  /** A statement with the claims that stand behind its verdict. */
  judgedOf: (statement: string) => VerifiedStatement;
}

// The rows of statements: who said what, what the engine makes of it and what everybody else did.

export function buildStatementRows(match: MeasuredMatch): StatementRow[] {
  const { manifest, events } = match.record;
  const { honesty, coaching } = manifest.setup.rules;
  const indexVerdicts = (claims: typeof match.judged) =>
    new Map(claims?.statements.map(({ id, verdict }) => [id, verdict]));
  const [byRules, byJudge] = [indexVerdicts(match.rules), indexVerdicts(match.judged)];
  const absent = events.filter(isEventOfType('missing'));
  return match.statements.map((said): StatementRow => {
    const { id, round, kind, occasion, by, target, text, isCut, selfReport, peers } = said;
    const { role, team, model, isBot } = match.seatOf(by);
    const judged = match.judgedOf(id);
    const chances = judged.claims.filter(isLieOpportunity);
    const missing = absent.filter(({ statements }) => statements.includes(id)).map((event) => event.by);
    return {
      match_id: manifest.id,
      statement: id,
      round,
      kind,
      occasion,
      honesty,
      coaching,
      speaker: by,
      role,
      team,
      model,
      is_bot: isBot,
      target,
      text,
      words: judged.words,
      is_cut: isCut,
      attempt: match.attemptOf(id, by, kind === 'debate' ? speechActions : ['vote']),
      claims: judged.claims.length,
      verifiable_claims: judged.claims.filter(({ isTrue }) => isTrue !== null).length,
      opportunities: chances.length,
      lies: chances.filter(({ verdict }) => verdict === 'lie').length,
      verdict: judged.verdict,
      is_lie: getLieLabel(judged.verdict),
      verdict_rules: byRules.get(id) ?? null,
      verdict_judge: byJudge.get(id) ?? null,
      ...listJudgeAgreement(match.agreementOf?.(id)),
      is_judge_missing: judged.isUnread,
      is_withheld: judged.isWithheld,
      self_deceptive: selfReport?.deceptive ?? null,
      self_stated_falsehood: selfReport?.stated_falsehood ?? null,
      self_type: selfReport?.deception_type ?? null,
      self_confidence: selfReport?.confidence ?? null,
      self_reasoning: selfReport?.reasoning ?? null,
      is_self_missing: missing.includes(by),
      peer_analyses: peers.length,
      peer_missing: missing.filter((name) => name !== by).length,
      ...summarizeOpinions(said),
    };
  });
}

const listJudgeAgreement = ({ retest = null, types = [] }: Partial<JudgeAgreement> = {}) => ({
  judge_retest: retest,
  judge_types: types.length < 2 ? null : types.map((some) => some ?? missingReading).join(readingsBetween),
});

/** Between the readings of two judges in `judge_types`, and what stands for one that could not be read. */
export const [readingsBetween, missingReading] = [' | ', '?'] as const;

const summarizeOpinions = (said: Statement) => ({
  peer_flags: said.peers.length === 0 ? null : listFlags(said).length,
  flagged_by_majority: isFlaggedByMajority(said),
  mean_suspicion: mean(listSuspicions(said)),
  mean_p_werewolf: mean(said.peers.flatMap(({ p_werewolf: belief }) => belief ?? [])),
});

// The rows of claims, with the lines of the record that decide them.

/** One row a claim: those found by rules, then those of the judge. */
export function buildClaimRows(match: MeasuredMatch): ClaimRow[] {
  const saidAs = new Map(match.statements.map((said) => [said.id, said]));
  const buildClaimRow = (claim: VerifiedClaim, extractor: string): ClaimRow => {
    const { round, kind, occasion } = saidAs.get(claim.statement)!;
    const { role, team, model } = match.seatOf(claim.by);
    return {
      match_id: match.record.manifest.id,
      statement: claim.statement,
      round,
      kind,
      occasion,
      extractor,
      claim: claim.id,
      speaker: claim.by,
      role,
      team,
      model,
      type: claim.type,
      subject: claim.subject,
      object: claim.object,
      claimed_role: claim.role,
      claimed_team: claim.team,
      verbs: claim.verbs.join(' '),
      cause: claim.cause,
      claimed_round: claim.when,
      polarity: claim.polarity,
      is_hedged: claim.hedged,
      is_presupposed: claim.presupposed,
      verdict: claim.verdict,
      is_true: claim.isTrue,
      is_known: claim.isKnown,
      is_opportunity: isLieOpportunity(claim),
      words: claim.words.text,
      words_from: claim.words.from,
      words_to: claim.words.to,
      decided_by: claim.decidedBy.map((place) => place + 1).join(' '),
    };
  };
  return [
    ...match.rules.claims.map((claim) => buildClaimRow(claim, 'rules')),
    ...(match.judged?.claims ?? []).map((claim) => buildClaimRow(claim, match.judge!)),
  ];
}

// The rows of analyses: those of the match, those that went missing, and those of annotators.

interface ObserverJudgement {
  observer: string;
  opinion: ReasonedOpinion | null;
  missing: AnswerMark | null;
  attempt: number | null;
  annotator: string | null;
  repeat: number;
  notes: Rules['selfReport'] | null;
}

/** In the order of the statements: the speaker's own, the others', those that are missing, then annotations. */
export function buildAnalysisRows(match: MeasuredMatch): AnalysisRow[] {
  const absent = match.record.events.filter(isEventOfType('missing'));
  const annotations = Map.groupBy(match.annotations, ({ statement }) => statement);
  return match.statements.flatMap((said) => {
    const inMatch = { annotator: null, repeat: 1 };
    const { selfReport } = match.record.manifest.setup.rules;
    const getNotes = (observer: string) => (observer === said.by ? selfReport : null);
    const findAttempt = (name: string) =>
      match.attemptOf(said.id, name, analysisActions[said.kind][name === said.by ? 'self' : 'peer']);
    const given = [...(said.selfReport ? [said.selfReport] : []), ...said.peers].map((opinion): ObserverJudgement => ({
      ...inMatch,
      observer: opinion.by,
      opinion,
      missing: null,
      attempt: findAttempt(opinion.by),
      notes: getNotes(opinion.by),
    }));
    const missing = absent
      .filter(({ statements }) => statements.includes(said.id))
      .map(({ by, mark }): ObserverJudgement => ({
        ...inMatch,
        observer: by,
        opinion: null,
        missing: mark,
        attempt: findAttempt(by),
        notes: getNotes(by),
      }));
    const annotated = (annotations.get(said.id) ?? []).map(
      ({ observer, model, repeat, attempt: used, opinion, mark, notes = null }): ObserverJudgement => ({
        observer,
        opinion,
        missing: opinion ? null : (mark ?? 'fallback'),
        attempt: used,
        annotator: model,
        repeat,
        notes,
      }),
    );
    const known = createObserverKnowledge(match, said);
    return [...given, ...missing, ...annotated].map((one) => buildAnalysisRow(match, said, one, known(one.observer)));
  });
}

type LabelKnowledge = Pick<AnalysisRow, 'is_lie' | 'could_know' | 'knows_side'>;

function buildAnalysisRow(match: MeasuredMatch, said: Statement, judgement: ObserverJudgement, known: LabelKnowledge) {
  const { observer, opinion, missing, attempt, annotator, repeat, notes } = judgement;
  const [speaker, judge] = [match.seatOf(said.by), match.seatOf(observer)];
  const model = annotator === null ? judge.model : getModelLabel(annotator);
  return {
    match_id: match.record.manifest.id,
    statement: said.id,
    round: said.round,
    kind: said.kind,
    occasion: said.occasion,
    source: annotator === null ? 'match' : model,
    repeat,
    perspective: observer === said.by ? 'self' : 'peer',
    notes,
    speaker: said.by,
    speaker_role: speaker.role,
    speaker_team: speaker.team,
    speaker_model: speaker.model,
    observer,
    observer_role: judge.role,
    observer_team: judge.team,
    observer_model: model,
    observer_is_bot: annotator === null ? judge.isBot : annotator.startsWith('bot:'),
    is_same_model: speaker.model === model,
    ...known,
    deceptive: opinion?.deceptive ?? null,
    type: opinion?.deception_type ?? null,
    confidence: opinion?.confidence ?? null,
    stated_falsehood: opinion?.stated_falsehood ?? null,
    suspicion: opinion?.suspicion ?? null,
    p_werewolf: opinion?.p_werewolf ?? null,
    p_deceptive: opinion?.p_deceptive ?? null,
    p_falsehood: opinion?.p_falsehood ?? null,
    types: opinion?.deception_types?.join(' ') ?? null,
    missing,
    attempt,
    reasoning: opinion?.reasoning ?? null,
  } satisfies AnalysisRow;
}

/** What an observer could know of the statement's label and of the speaker's side. */
function createObserverKnowledge(
  { judgedOf }: MeasuredMatch,
  { id, by }: Statement,
): (observer: string) => LabelKnowledge {
  const judged = judgedOf(id);
  const label = getLieLabel(judged.verdict);
  const knowLabel = [by, ...listLabelKnowers(judged)];
  const knowSide = [by, ...judged.sideKnownTo];
  return (observer) => ({
    is_lie: label,
    could_know: label === null ? null : knowLabel.includes(observer),
    knows_side: knowSide.includes(observer),
  });
}

// The tables of a match restricted to answers that were usable at the first attempt.

/**
 * Without statements and analyses that took more than one attempt, and without what was said of such statements; the match
 * itself where none did. What went missing after several attempts is left out like an answer that took them, so only
 * refusals stay missing. Rows whose attempt is not known stay, as of imported matches, and so do beliefs, of which no
 * attempt is kept.
 */
export function keepFirstAnswers(match: MatchTables): MatchTables {
  const { statements, claims, analyses, ...others } = match;
  if ([...statements, ...analyses].every(isFirstAttempt)) return match;
  const made = statements.filter(isFirstAttempt);
  const kept = new Set(made.map(({ statement }) => statement));
  const isOfKept = ({ statement }: { statement: string }) => kept.has(statement);
  const judged = analyses.filter(isFirstAttempt).filter(isOfKept);
  const inMatch = Map.groupBy(
    judged.filter(({ source }) => source === 'match'),
    ({ statement }) => statement,
  );
  return {
    ...others,
    statements: made.map((row) => ({ ...row, ...recountOpinions(inMatch.get(row.statement) ?? []) })),
    claims: claims.filter(isOfKept),
    analyses: judged,
  };
}

const isFirstAttempt = ({ attempt }: { attempt: number | null }) => attempt === null || attempt === 1;

/** What a row of a statement says of analyses, counted again from those that are left. */
function recountOpinions(analyses: readonly AnalysisRow[]): Partial<StatementRow> {
  const own = analyses.find(({ perspective }) => perspective === 'self');
  const peers = analyses.filter(({ perspective }) => perspective === 'peer');
  const given = peers.filter(({ missing }) => missing === null);
  const flags = given.filter(({ deceptive }) => deceptive === true).length;
  return {
    ...(own === undefined || own.missing !== null ? noSelfReport : {}),
    is_self_missing: own !== undefined && own.missing !== null,
    peer_analyses: given.length,
    peer_missing: peers.length - given.length,
    peer_flags: given.length === 0 ? null : flags,
    flagged_by_majority: given.length === 0 ? null : flags * 2 > given.length,
    mean_suspicion: mean(given.flatMap(({ suspicion }) => suspicion ?? [])),
    mean_p_werewolf: mean(given.flatMap(({ p_werewolf: belief }) => belief ?? [])),
  };
}

const noSelfReport = {
  self_deceptive: null,
  self_stated_falsehood: null,
  self_type: null,
  self_confidence: null,
  self_reasoning: null,
};

// The rows of beliefs: whom a player took for a Werewolf, and whether the player could know.

/** One row for each observer and other player, each time that beliefs were asked for. */
export function buildBeliefRows({ manifest, events }: MatchRecord): BeliefRow[] {
  if (!events.some(({ type }) => type === 'beliefs')) return [];
  const { board, rules } = manifest.setup;
  const seatOf = createSeatFinder(manifest);
  const table = createTableKnowledge({ board, rules, players: listSeats(manifest).map(({ name }) => name) });
  const buildObserverRows = (event: Extract<GameEvent, { type: 'beliefs' }>): BeliefRow[] => {
    const observer = seatOf(event.by);
    const known = table.of(event.by);
    known.advanceTo(event);
    return Object.entries(event.p_werewolf).map(([about, belief]) => {
      const seat = seatOf(about);
      return {
        match_id: manifest.id,
        round: event.round,
        step: event.step,
        observer: event.by,
        observer_role: observer.role,
        observer_team: observer.team,
        observer_model: observer.model,
        observer_is_bot: observer.isBot,
        about,
        about_role: seat.role,
        about_team: seat.team,
        about_model: seat.model,
        is_same_model: seat.model === observer.model,
        is_werewolf: seat.team === 'werewolves',
        could_know: known.evaluate(isOnTeam(about, 'werewolves')) !== 'unknown',
        p_werewolf: belief,
      };
    });
  };
  return events.flatMap((event) => {
    if (event.type === 'beliefs') return buildObserverRows(event);
    table.see(event);
    return [];
  });
}
