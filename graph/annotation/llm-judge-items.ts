// The questions to a judge about the public statements of a match, each with what everybody knew just before it.
import type { Claim } from '../../deception/claims/claim.ts';
import { extractByRules } from '../../deception/claims/extract-by-rules.ts';
import { getClaimKey, type JudgePlan, type ClaimReading } from '../../deception/claims/majority-claims.ts';
import type { MatchRecord } from '../../deception/record/match-record.ts';
import type { KeptAnswer } from '../../models/record/annotation-log.ts';
import {
  composeConfirmPrompt,
  composeJudgeDayPrompt,
  composeJudgePrompt,
  type ConfirmedClaims,
  getConfirmField,
  type JudgedAnswer,
  type JudgedDay,
  judgeName,
  type StatedClaim,
} from '../../prompts/judge.ts';
import type { PublicStatement } from '../../state/public-statements.ts';
import { createPublicView, type PublicSetup, type PublicView } from '../../state/view.ts';
import type { AnnotationItem } from './annotation-run.ts';
import { listReplayStates } from './statement-states.ts';

/** A statement, what everybody knew just before it, and its number among all of the match, from 1. */
export interface StatementMoment {
  statement: PublicStatement;
  view: PublicView;
  step: number;
}

/** What claims the statements of some moments make. */
export type JudgeItem = AnnotationItem<JudgedAnswer | JudgedDay> & { moments: readonly StatementMoment[] };
/** The guard's question, and the claims that it is about. */
export type ConfirmItem = AnnotationItem<ConfirmedClaims> & { drawn: readonly Claim[] };

/** The moments of all public statements of a match, in order. */
export const listStatementMoments = (record: MatchRecord): StatementMoment[] =>
  listReplayStates(record)
    .flatMap(({ said, gameBefore }) => {
      const view = createPublicView(gameBefore, judgeName);
      return said.map((statement) => ({ statement, view }));
    })
    .map((moment, index) => ({ ...moment, step: index + 1 }));

/**
 * One question per statement and repeat, or per part of a day.
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

/** The question about statements of one day; about a single one it is the same whoever else was to be asked about. */
export function createJudgeItem(moments: readonly StatementMoment[], repeat: number): JudgeItem {
  const [{ view, step, statement }] = moments as [StatementMoment];
  const said = moments.map((one) => one.statement);
  const prompt =
    said.length === 1 ? composeJudgePrompt(view, step, statement) : composeJudgeDayPrompt(view, step, said);
  return { prompt, statements: said.map(({ id }) => id), repeat, moments };
}

/** So many statements stand in one prompt at most. */
const longestTalk = 12;

/** The statements of each day between which nothing else happened in public, in parts of about the same size. */
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

/** The claims in a judge's answer, by statement; null where no attempt could be read. */
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

/**
 * The guard's questions about statements whose claims a judge has given: whether they make those, too, that the rules
 * draw and the judge lacks. None where it lacks none or could not be read.
 */
export const listConfirmItems = (
  moments: readonly StatementMoment[],
  judged: ReadonlyMap<string, ClaimReading>,
  table: PublicSetup,
): ConfirmItem[] =>
  moments.flatMap(({ view, step, statement }) => {
    const own = judged.get(statement.id) ?? null;
    const drawn = own === null ? [] : listLackingClaims(own, extractByRules(statement, table));
    if (drawn.length === 0) return [];
    const stated = drawn.map(({ words, when, type, subject, object, role, team, verbs, cause, polarity }) => ({
      ...{ quote: words.text, type, subject, object, role, team, verbs, cause, round: when, polarity },
    }));
    const prompt = composeConfirmPrompt(view, step, statement, stated);
    return [{ prompt, statements: [statement.id], repeat: 1, drawn }];
  });

/** What the rules draw and a judge has in no form: whoever names a check need not name what it shows once more. */
function listLackingClaims(own: readonly Claim[], drawn: readonly Claim[]): Claim[] {
  const known = new Set(own.map(getClaimKey));
  const isAboutKnown = ({ type, subject, object }: Claim) =>
    own.some((claim) =>
      claim.type === 'check' && ['role', 'accusation', 'defence'].includes(type)
        ? claim.object === subject
        : claim.type === type && claim.subject === subject && claim.object === object && type !== 'speech',
    );
  return drawn.filter((claim) => !known.has(getClaimKey(claim)) && !isAboutKnown(claim));
}

/** The claims of the rules that a judge said the statement makes; none where no attempt could be read. */
export function readConfirmedClaims({ prompt, drawn }: ConfirmItem, line: KeptAnswer | undefined): Claim[] {
  const read = line !== undefined && line.mark === undefined ? prompt.answer.safeParse(line.answer) : null;
  return read?.success ? drawn.filter((_claim, index) => read.data[getConfirmField(index)] === true) : [];
}
