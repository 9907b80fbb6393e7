// The questions to a judge about the public statements of a match. Each question contains the public information that
// precedes the statement.
import { z } from 'zod';
import { Claim } from '../../deception/claims/claim.ts';
import { extractByRules } from '../../deception/claims/extract-by-rules.ts';
import { isImpliedBy } from '../../deception/claims/implied-claims.ts';
import type { JudgePlan, ClaimReading } from '../../deception/claims/majority-claims.ts';
import type { MatchRecord } from '../../deception/record/match-record.ts';
import type { KeptAnswer } from '../../models/record/annotation-log.ts';
import {
  composeConfirmPrompt,
  composeJudgeDayPrompt,
  composeJudgePrompt,
  composeQuotePrompt,
  type ConfirmedClaims,
  getClaimField,
  type JudgedAnswer,
  type JudgedDay,
  judgeName,
  type QuotedWords,
  type StatedClaim,
} from '../../prompts/judge.ts';
import type { PublicStatement } from '../../state/public-statements.ts';
import { createPublicView, type PublicSetup, type PublicView } from '../../state/view.ts';
import type { AnnotationItem } from './annotation-run.ts';
import { createKeptFields } from './judge-cache.ts';
import { listReplayStates } from './statement-states.ts';

/** A statement, the public information before it, and the statement's number in the match, from 1. */
export interface StatementMoment {
  statement: PublicStatement;
  view: PublicView;
  step: number;
}

/** A question about the claims in one or more statements. */
export type JudgeItem = AnnotationItem<JudgedAnswer | JudgedDay> & { moments: readonly StatementMoment[] };
/** A question of the guard, with the claims that the question asks about. */
export type ConfirmItem = AnnotationItem<ConfirmedClaims> & { drawn: readonly Claim[] };

/**
 * Lists the moments of all public statements of a match, in order. `wanted`: ids of the only statements to list. It
 * saves memory, because Views are large.
 */
export function listStatementMoments(record: MatchRecord, wanted?: ReadonlySet<string>): StatementMoment[] {
  let step = 0;
  return listReplayStates(record).flatMap(({ said, gameBefore }) => {
    const steps = said.map((statement) => ({ statement, step: (step += 1) }));
    const chosen = wanted ? steps.filter(({ statement }) => wanted.has(statement.id)) : steps;
    if (chosen.length === 0) return [];
    const view = createPublicView(gameBefore, judgeName);
    return chosen.map((one) => ({ ...one, view }));
  });
}

/**
 * Lists one question per statement and repeat, or per part of a day.
 *
 * @example const prompts = listJudgeItems(listStatementMoments(record), { per: 'day' }).map(({ prompt }) => prompt);
 */
export function listJudgeItems(
  moments: readonly StatementMoment[],
  { repeat = 1, per = 'statement' }: Pick<JudgePlan, 'repeat' | 'per'> = {},
): JudgeItem[] {
  const asked = per === 'day' ? splitIntoTalks(moments) : moments.map((one) => [one]);
  return Array.from({ length: repeat }, (_, index) => asked.map((some) => createJudgeItem(some, index + 1))).flat();
}

/**
 * Creates a question about statements of one day. A question about a single statement does not depend on other
 * statements.
 */
export function createJudgeItem(moments: readonly StatementMoment[], repeat: number): JudgeItem {
  const [{ view, step, statement }] = moments as [StatementMoment];
  const said = moments.map((one) => one.statement);
  const prompt =
    said.length === 1 ? composeJudgePrompt(view, step, statement) : composeJudgeDayPrompt(view, step, said);
  const kept = createKeptFields(said.map(({ text }) => text));
  const asked = { prompt, statements: said.map(({ id }) => id), repeat, moments, kept };
  let tokens: number | undefined; // computed lazily: extraction by rules is slow, and only estimates need it
  return {
    ...asked,
    get expectedTokens() {
      return (tokens ??= estimateTokens(moments));
    },
  };
}

/** Largest number of statements in one prompt. */
const longestTalk = 12;

/**
 * Splits each day into parts of similar size. Within a part, statements follow each other without other public events.
 */
function splitIntoTalks(moments: readonly StatementMoment[]): StatementMoment[][] {
  const talks: StatementMoment[][] = [];
  for (const moment of moments) {
    const talk = talks.at(-1);
    if (talk && isSameTalk(talk, moment)) talk.push(moment);
    else talks.push([moment]);
  }
  return talks.flatMap((talk) => {
    const size = Math.ceil(talk.length / Math.ceil(talk.length / longestTalk));
    return Array.from({ length: Math.ceil(talk.length / size) }, (_, part) =>
      talk.slice(part * size, (part + 1) * size),
    );
  });
}

function isSameTalk(talk: readonly StatementMoment[], { view, statement }: StatementMoment): boolean {
  const [first] = talk as [StatementMoment];
  const said = new Set(talk.map((one) => one.statement.id));
  const since = view.events.slice(first.view.events.length);
  return (
    statement.round === first.statement.round &&
    view.events.length >= first.view.events.length &&
    since.every((event) => (event.type === 'statement' || event.type === 'ballot') && said.has(event.id))
  );
}

/**
 * Returns the claims in a judge's answer, as one list for each statement of the question. Null if no attempt was
 * readable.
 */
export function readStatedClaims(
  { prompt, statements }: JudgeItem,
  line: KeptAnswer | undefined,
): readonly (readonly StatedClaim[])[] | null {
  const read = line === undefined || line.mark !== undefined ? null : prompt.answer.safeParse(line.answer);
  if (!read?.success) return null;
  const { data } = read;
  if ('claims' in data) return [data.claims];
  return statements.map((_, index) => data.statements.find(({ statement }) => statement === index + 1)!.claims);
}

/** A claim as the guard's question describes it to the judge. */
type ToldClaim = Omit<StatedClaim, 'hedged' | 'presupposed'>;

const tellClaim = ({ quote, type, subject, object, role, team, verbs, cause, round, polarity }: ToldClaim) => ({
  ...{ quote, type, subject, object, role, team, verbs, cause, round, polarity },
});

/** Describes a claim that the rules extract. */
const tellDrawnClaim = ({ words, when, ...claim }: Claim) => tellClaim({ ...claim, quote: words.text, round: when });

/**
 * Lists the guard's questions: whether statements also make claims that the rules extract and the judge did not name,
 * neither as such nor in a stronger form. Empty if no such claim is missing, or if the judge's answer was unreadable.
 */
export const listConfirmItems = (
  moments: readonly StatementMoment[],
  judged: ReadonlyMap<string, ClaimReading>,
  table: PublicSetup,
): ConfirmItem[] =>
  moments.flatMap(({ view, step, statement }) => {
    const own = judged.get(statement.id);
    const found = own ? extractByRules(statement, table) : [];
    const drawn = (found ?? []).filter((claim) => !own?.some((other) => isImpliedBy(claim, other)));
    if (drawn.length === 0) return [];
    const prompt = composeConfirmPrompt(view, step, statement, drawn.map(tellDrawnClaim));
    const kept = createKeptFields([statement.text], drawn);
    return [{ prompt, statements: [statement.id], repeat: 1, drawn, kept }];
  });

/**
 * Lists the guard's questions to a judge that finds none of the rules' claims. This is the largest possible number of
 * guard's questions about these statements.
 */
export const listMostConfirmItems = (moments: readonly StatementMoment[], table: PublicSetup): ConfirmItem[] =>
  listConfirmItems(moments, new Map(moments.map(({ statement }) => [statement.id, []])), table);

/**
 * Returns the rules' claims that a judge confirmed. Only claims that the question named are returned, even if the rules
 * extract other claims now. Empty if no attempt was readable, or if an answer of the first version is about another
 * number of claims.
 */
export function readConfirmedClaims(
  { drawn }: Pick<ConfirmItem, 'drawn'>,
  line: KeptAnswer | undefined,
): readonly Claim[] {
  const answer = line === undefined || line.mark !== undefined ? null : (line.answer as Record<string, unknown> | null);
  if (answer === null) return [];
  const given = line?.given === undefined ? drawn : z.array(Claim).safeParse(line.given).data;
  if (given?.length !== Object.keys(answer).filter((name) => /^claim_\d+$/.test(name)).length) return [];
  return given.filter((_claim, index) => answer[getClaimField(index)] === true);
}

/** A claim whose quoted words do not occur in its statement. */
const Unquoted = z.object({ repeat: z.number(), place: z.number(), quote: z.string() });
export type Unquoted = z.infer<typeof Unquoted>;

/**
 * A question that asks for the exact words of claims whose quoted words do not occur in the statement. Claims are
 * identified by repeat and place in the judge's answer.
 */
export type QuoteItem = AnnotationItem<QuotedWords> & { unquoted: readonly Unquoted[] };

export function createQuoteItem(
  { view, step, statement }: StatementMoment,
  unquoted: readonly (Unquoted & { claim: StatedClaim })[],
): QuoteItem {
  const stated = unquoted.map(({ claim }) => tellClaim(claim));
  const places = unquoted.map(({ repeat, place, quote }) => ({ repeat, place, quote }));
  const kept = createKeptFields([statement.text], places);
  const prompt = composeQuotePrompt(view, step, statement, stated);
  return { prompt, statements: [statement.id], repeat: 1, unquoted: places, kept };
}

/** Returns the words of claims that a judge gave when it was asked for the words again. */
export function readQuotedWords(line: KeptAnswer | undefined): readonly Unquoted[] {
  const answer = line === undefined || line.mark !== undefined ? null : (line.answer as Record<string, unknown> | null);
  const given = z.array(Unquoted).safeParse(line?.given).data ?? [];
  if (answer === null) return [];
  return given.map((one, index) => ({ ...one, quote: z.string().safeParse(answer[getClaimField(index)]).data ?? '' }));
}

/**
 * Expected values. `recall`: share of claims that the rules find (see docs/evidence/accuracy.md). `perClaim` and
 * `perStatement`: tokens of an answer for each claim and for each statement.
 */
const expected = { recall: 0.58, perClaim: 70, perStatement: 15 } as const;

/**
 * Estimates the tokens of an answer about these statements. The number of claims is estimated from the claims that the
 * rules find.
 */
const estimateTokens = (moments: readonly StatementMoment[]) =>
  moments.reduce((total, { statement, view }) => {
    const found = extractByRules(statement, view)?.length ?? 1;
    return total + expected.perStatement + (expected.perClaim * found) / expected.recall;
  }, 0);
