// The judge: one or more models that extract the claims of statements after the match. Judges see only public
// information.
import { isDeepStrictEqual } from 'node:util';
import type { Claim, Extractor, Utterance } from '../../deception/claims/claim.ts';
import { mergeConfirmed } from '../../deception/claims/implied-claims.ts';
import { acceptQuotedClaims } from '../../deception/claims/extract-by-judge.ts';
import {
  checkJudgePlan,
  computePairwiseF1,
  describeLeftOutAddresses,
  formatJudgeFlags,
  formatJudges,
  isMeantPlan,
  type JudgeAgreement,
  type JudgePlan,
  listClaimTypes,
  type ClaimReading,
  selectMajorityClaims,
} from '../../deception/claims/majority-claims.ts';
import { meantJudge, readMeantClaims } from '../../deception/claims/meant-claims.ts';
import type { MatchRecord } from '../../deception/record/match-record.ts';
import { mean, sum } from '../../deception/statistics/sums.ts';
import type { PlayerModel } from '../../models/model.ts';
import { getKeptAnswersFile, type KeptAnswer, readSoundAnswers } from '../../models/record/annotation-log.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { judgeWording } from '../../prompts/judge-office.ts';
import { formatCommand } from '../../state/command-name.ts';
import { identifyModel } from '../../state/model-identity.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { PublicSetup } from '../../state/view.ts';
import {
  type AnnotationRunOptions,
  type AnyAnnotationItem,
  dropForgotten,
  estimateAnnotation,
  type ForgottenAnswers,
  listUnread,
  runAnnotation,
} from './annotation-run.ts';
import { createJudgeCache, type JudgeCache } from './judge-cache.ts';
import {
  type ConfirmItem,
  createJudgeItem,
  type JudgeItem,
  listConfirmItems,
  listMostConfirmItems,
  listJudgeItems,
  listStatementMoments,
  type StatementMoment,
  createQuoteItem,
  type QuoteItem,
  readConfirmedClaims,
  readQuotedWords,
  readStatedClaims,
} from './llm-judge-items.ts';

/** The statements of a match to be judged, and the folder of the answers. */
export interface JudgedMatch {
  id: string;
  folder: string;
  seed: number;
  table: PublicSetup;
  moments: readonly StatementMoment[];
  /**
   * Returns the meanings that the bots recorded for their statements. Throws a UsageError if a language model played.
   */
  readMeant: () => ReadonlyMap<string, Claim[] | null>;
}

/** Returns all public statements of a record, ready to be judged. */
export function createJudgedMatch(folder: string, record: MatchRecord): JudgedMatch {
  const { id, setup } = record.manifest;
  const { board, rules, players, seed } = setup;
  const table = { board, rules, players: players.map(({ name }) => name) };
  return {
    ...{ id, folder, seed, table },
    moments: listStatementMoments(record),
    readMeant: () => readMeantClaims(record, table),
  };
}

/** The claims that judges found in the statements of a match. */
export interface JudgedClaims {
  /** Name of the judges: their model strings and the way in which they are asked. */
  name: string;
  /** Returns the claims of a statement; null if no judge gave a readable answer. */
  extract: Extractor;
  /** Returns how far the readings of a statement agree. */
  agreementOf: (statement: string) => JudgeAgreement;
  /** Ids of the statements without a readable answer. */
  missing: readonly string[];
  /** Number of claims in the judges' answers that were rejected; see `AcceptedClaims`. */
  dropped: number;
  /**
   * Describes the unreadable parts of answer files, and the number of questions that lost their answers. Null if all
   * parts are readable.
   */
  fault: string | null;
  /** Text about undamaged files without some answers, with the command that asks for them. Null if none are missing. */
  gap: string | null;
}

export interface JudgeOptions extends AnnotationRunOptions {
  /** Whether calls are forbidden. A missing answer is then an error. */
  offline?: boolean | undefined;
  /** Whether to ask again if the cached answer is unreadable. */
  retriesUnread?: boolean | undefined;
}

/** Opens a judge's model. Called only if questions are unanswered, because cached answers need no key. */
export type OpenJudge = (model: string) => Promise<PlayerModel>;

/**
 * Asks the judges all questions about a match's statements that have no cached answer, and then reads all answers.
 * Throws like `runAnnotation` and `checkJudgePlan`. With `offline`, throws a RecordError if an answer is missing.
 *
 * @example
 * const open = (model: string) => openModel(model, { temperature: 0, env: process.env });
 * const match = createJudgedMatch('runs/a', readRecord('runs/a'));
 * const { extract } = await judgeMatch(match, { models: ['openai:gpt-4o'] }, open, { maxCost: 1 });
 */
export async function judgeMatch(
  match: JudgedMatch,
  plan: JudgePlan,
  open: OpenJudge,
  { offline = false, ...options }: JudgeOptions = {},
): Promise<JudgedClaims> {
  checkJudgePlan(plan);
  if (!offline && !isMeantPlan(plan))
    for (const model of plan.models) await askJudge(match, { ...plan, models: [model] }, open, options);
  return readJudgedClaims(match, plan);
}

const nameQuestion = ({ prompt: { action, step }, repeat }: AnyAnnotationItem) => `${action} ${step} ${repeat}`;

async function askJudge(
  match: JudgedMatch,
  plan: JudgePlan,
  open: OpenJudge,
  { retriesUnread = false, ...options }: Omit<JudgeOptions, 'offline'>,
): Promise<void> {
  const { id, folder, seed } = match;
  const [name] = plan.models as [string];
  const forgotten = retriesUnread ? listUnread(readSoundAnswers(getKeptAnswersFile(folder, 'claims', name)).rows) : undefined; // prettier-ignore
  let model: PlayerModel | null = null;
  for (let asked: readonly AnyAnnotationItem[] = []; ;) {
    const { open: items, file } = listQuestions(match, plan, name, { forgotten });
    if (items.length === 0) return;
    if (isDeepStrictEqual(items.map(nameQuestion), asked.map(nameQuestion)))
      throw new Error(
        `The answers to ${items.length} questions are not in ${file}, although they were stored. Check whether another program changes this file, then run the command again.`,
      ); // otherwise the loop would ask them forever
    asked = items;
    model ??= await open(name);
    checkJudge(model);
    // The first question is asked alone, so that the provider has cached the common part of the prompts before the
    // others are sent.
    for (const some of [items.slice(0, 1), items.slice(1)])
      if (some.length > 0)
        await runAnnotation({ id, folder, kind: 'claims', seed }, some, model, { ...options, forgotten });
  }
}

/** Throws a UsageError if the judge is a bot. */
export function checkJudge({ spec, isBot }: Pick<PlayerModel, 'spec' | 'isBot'>): void {
  if (isBot)
    throw new UsageError(
      `${spec} cannot be the judge: built-in bots read no statements. Name a language model, or ${meantJudge} for matches of bots alone.`,
    );
}

/** The questions to one judge under a plan, as far as the answers received so far determine them. */
interface Questions {
  first: readonly JudgeItem[];
  /** Questions about claims whose quoted words do not occur in the statement. The first answers determine them. */
  quoting: readonly QuoteItem[];
  /** The guard's questions. The answers to all other questions determine them. */
  confirming: readonly ConfirmItem[];
  /** All questions that have no cached answer. */
  open: readonly AnyAnnotationItem[];
  kept: JudgeCache;
  /** The file of the answers. */
  file: string;
  /** Faults of the file in words; null if the whole file is readable. */
  damage: string | null;
}

/**
 * Lists the questions to a judge. If the judge gave no readable answer about several statements together, each
 * statement gets its own question. Questions whose answers were lost in a damaged file are open, and further questions
 * are listed only once they are answered. If `isRead`, the further questions are listed as far as the remaining answers
 * determine them.
 */
function listQuestions(
  { folder, moments, table }: JudgedMatch,
  plan: JudgePlan,
  model: string,
  { isRead = false, forgotten }: { isRead?: boolean; forgotten?: ForgottenAnswers | undefined } = {},
): Questions {
  const file = getKeptAnswersFile(folder, 'claims', model);
  const { rows, damage } = readSoundAnswers(file);
  const kept = createJudgeCache(dropForgotten(rows, forgotten));
  const isUnread = (item: JudgeItem) => {
    const answer = kept.find(item);
    return answer !== null && !readStatedClaims(item, answer.line);
  };
  const first = listJudgeItems(moments, plan).flatMap((item) =>
    item.moments.length > 1 && isUnread(item)
      ? [item, ...item.moments.map((one) => createJudgeItem([one], item.repeat))]
      : [item],
  );
  const known = { first, quoting: [], confirming: [], kept, file, damage };
  const listOpen = (items: readonly AnyAnnotationItem[]) => items.filter((item) => kept.find(item) === null);
  const open = listOpen(first);
  if (open.length > 0 && !isRead) return { ...known, open };
  // Answers of an earlier version were not followed by questions about quoted words.
  const isAskable = (item: AnyAnnotationItem, action: string, wordings: ReadonlyMap<string, number>) => {
    const wording = Math.min(...item.statements.map((id) => wordings.get(id) ?? judgeWording));
    return wording === judgeWording || !kept.hasAction(action, wording) || kept.find(item) !== null;
  };
  const wordings = listWordings(first, kept);
  const quoting = listQuoteItems(first, kept, table).filter(({ statements }) =>
    statements.every((id) => wordings.get(id) === judgeWording),
  );
  const unquoted = listOpen(quoting);
  if (unquoted.length > 0 && !isRead) return { ...known, quoting, open: unquoted };
  const before = [...open, ...unquoted];
  if (plan.isGuarded === false) return { ...known, quoting, open: before };
  const { majority } = readRepeats(first, readAllWords(quoting, kept), kept, table);
  const confirming = listConfirmItems(moments, majority, table).filter((item) =>
    isAskable(item, item.prompt.action, wordings),
  );
  return { ...known, quoting, confirming, open: [...before, ...listOpen(confirming)] };
}

/** Maps statements to the earliest wording of the answers about them. */
function listWordings(items: readonly JudgeItem[], kept: JudgeCache): ReadonlyMap<string, number> {
  const wordings = new Map<string, number>();
  for (const item of items) {
    const { wording } = kept.find(item) ?? { wording: judgeWording };
    for (const id of item.statements) wordings.set(id, Math.min(wording, wordings.get(id) ?? wording));
  }
  return wordings;
}

/** Words that a judge gave for claims when it was asked again, by statement, repeat and place. */
type GivenWords = ReadonlyMap<string, string>;

const getPlaceKey = (statement: string, repeat: number, place: number) => `${statement} ${repeat} ${place}`;

const readAllWords = (items: readonly QuoteItem[], kept: JudgeCache): GivenWords =>
  new Map(
    items.flatMap((item) =>
      readQuotedWords(kept.find(item)?.line).map(({ repeat, place, quote }): [string, string] => [
        getPlaceKey(item.statements.join(' '), repeat, place),
        quote,
      ]),
    ),
  );

/** Lists a question for each statement with claims whose quoted words do not occur in it. */
function listQuoteItems(items: readonly JudgeItem[], kept: JudgeCache, table: PublicSetup): QuoteItem[] {
  const unquoted = items.flatMap((item) => {
    const stated = readStatedClaims(item, kept.find(item)?.line);
    return item.moments.flatMap((moment, index) => {
      const claims = stated?.[index] ?? [];
      const { unquoted: places } = acceptQuotedClaims(moment.statement, claims, table);
      return claims.flatMap((claim, place) =>
        places.includes(place) ? [{ moment, repeat: item.repeat, place, quote: claim.quote, claim }] : [],
      );
    });
  });
  return [...Map.groupBy(unquoted, ({ moment }) => moment)].map(([moment, some]) => createQuoteItem(moment, some));
}

/**
 * Returns the claims of one judge without the guard's questions: all readings of each statement, and the claims that
 * most readings contain.
 */
function readRepeats(items: readonly JudgeItem[], words: GivenWords, kept: JudgeCache, table: PublicSetup) {
  const answers = items.flatMap((item) => {
    const stated = readStatedClaims(item, kept.find(item)?.line);
    return item.moments.map(({ statement }, index) => {
      const claims = stated?.[index]?.map((claim, place) => ({
        ...claim,
        quote: words.get(getPlaceKey(statement.id, item.repeat, place)) ?? claim.quote,
      }));
      return { id: statement.id, accepted: claims ? acceptQuotedClaims(statement, claims, table) : null };
    });
  });
  const readings = new Map(
    [...Map.groupBy(answers, ({ id }) => id)].map(([id, same]): [string, ClaimReading[]] => [
      id,
      same.map(({ accepted }) => accepted?.claims ?? null),
    ]),
  );
  const majority = new Map([...readings].map(([id, some]): [string, ClaimReading] => [id, selectMajorityClaims(some)]));
  return { readings, majority, dropped: sum(answers.map(({ accepted }) => accepted?.dropped ?? 0)) };
}

/**
 * Reads the judges' cached answers without a call. Throws a RecordError if some statements are not judged, and a
 * UsageError for `bot:meant` if a language model played.
 */
export function readJudgedClaims(match: JudgedMatch, plan: JudgePlan): JudgedClaims {
  const judged = readAnsweredClaims(match, plan);
  if (judged.gap !== null) throw new RecordError(judged.gap);
  return judged;
}

/**
 * Reads the judges' cached answers without a call. A statement counts as not read if a
 * question about it is open, or if no answer about the rules' claims was readable. Throws a
 * UsageError for `bot:meant` if a language model was seated.
 *
 * @example readAnsweredClaims(match, { models: ['openai:gpt-4o'] }).missing // ['1.3']
 */
export function readAnsweredClaims(match: JudgedMatch, plan: JudgePlan): JudgedClaims {
  if (isMeantPlan(plan)) return readMeant(match, plan);
  const judges = plan.models.map((model) => {
    const questions = listQuestions(match, plan, model, { isRead: true });
    const { first, quoting, confirming, kept, open } = questions;
    const { majority, ...rest } = readRepeats(first, readAllWords(quoting, kept), kept, match.table);
    const isUnusable = (item: ConfirmItem) => hasNoAnswer(kept.find(item)?.line);
    const unread = new Set([...open, ...confirming.filter(isUnusable)].flatMap(({ statements }) => statements));
    const confirmed = new Map(
      confirming.map((item) => [item.statements.join(' '), readConfirmedClaims(item, kept.find(item)?.line)]),
    );
    const claims = new Map(
      [...majority].map(([id, own]): [string, ClaimReading] => [
        id,
        own && !unread.has(id) ? mergeConfirmed(own, confirmed.get(id) ?? []) : null,
      ]),
    );
    const wordings = new Set(listWordings(first, kept).values());
    return { claims, wordings, fault: describeDamage(questions), gap: describeGap(questions, model, plan), ...rest };
  });
  const ids = match.moments.map(({ statement }) => statement.id);
  const accepted = new Map(ids.map((id) => [id, selectMajorityClaims(judges.map(({ claims }) => claims.get(id)!))]));
  return {
    name: `${formatJudges(plan)}${describeWordings(judges.map(({ wordings }) => wordings))}`,
    extract: ({ id }: Utterance) => accepted.get(id) ?? null,
    agreementOf: (id) => ({
      retest: mean(judges.flatMap(({ readings }) => computePairwiseF1(readings.get(id) ?? []) ?? [])),
      types: judges.map(({ claims }) => {
        const own = claims.get(id);
        return own ? listClaimTypes(own) : null;
      }),
    }),
    missing: ids.filter((id) => accepted.get(id) === null),
    dropped: sum(judges.map(({ dropped }) => dropped)),
    fault: judges.flatMap(({ fault }) => fault ?? []).join(' ') || null,
    gap: judges.find(({ gap }) => gap !== null)?.gap ?? null,
  };
}

/** Describes a damaged file; null if it is readable, or if all lost answers have been asked for again. */
const describeDamage = ({ damage, file, first, quoting, confirming, open }: Questions): string | null =>
  damage === null || open.length === 0
    ? null
    : `${file}: ${damage}. ${open.length} of ${first.length + quoting.length + confirming.length} questions to the judge have no answer there.`;

function readMeant({ moments, readMeant: read }: JudgedMatch, plan: JudgePlan): JudgedClaims {
  const claims = read();
  const find = (id: string) => claims.get(id) ?? null;
  return {
    name: formatJudges(plan),
    extract: ({ id }) => find(id),
    agreementOf: (id) => {
      const own = find(id);
      return { retest: null, types: [own && listClaimTypes(own)] };
    },
    missing: moments.map(({ statement }) => statement.id).filter((id) => find(id) === null),
    dropped: 0,
    fault: null,
    gap: null,
  };
}

/**
 * Returns the addition to a judge's name if the judge answered questions in an earlier wording. Judges with different
 * wordings count as different judges.
 */
function describeWordings(judges: readonly ReadonlySet<number>[]): string {
  const all = [...new Set(judges.flatMap((wordings) => [...wordings]))].sort((one, other) => one - other);
  return all.every((wording) => wording === judgeWording) ? '' : ` (wording ${all.join(' and ')})`;
}

/** Whether a question was answered, but no attempt was readable. */
const hasNoAnswer = (line: KeptAnswer | undefined): boolean =>
  line !== undefined && (line.mark !== undefined || line.answer === null);

/** Describes the questions of an undamaged file that have no answer. Null if every question has an answer. */
function describeGap(questions: Questions, judge: string, plan: JudgePlan): string | null {
  const { first, quoting, confirming, open, file, damage } = questions;
  if (open.length === 0 || damage !== null) return null;
  const { length: asked } = [...first, ...quoting, ...confirming];
  return `${file} has no answer of ${identifyModel(judge)} to ${open.length} of ${asked} questions. To ask it, run a command that can call models: ${formatCommand('report', 'FOLDER')} ${formatJudgeFlags(plan)}.${describeLeftOutAddresses(plan)} Or let the rules extract the claims (--no-judge).`;
}

/**
 * Returns the questions to one judge of a plan about a match, the answers so far, and the remaining questions as far as
 * they are known. The returned `guard` is the usage of all questions that the guard might ask about statements without
 * an answer.
 */
export function surveyJudge(
  match: JudgedMatch,
  plan: JudgePlan,
  model: Pick<PlayerModel, 'spec' | 'isBot' | 'price'>,
  { retriesUnread = false }: Pick<JudgeOptions, 'retriesUnread'> = {},
) {
  const file = getKeptAnswersFile(match.folder, 'claims', model.spec);
  const forgotten = retriesUnread ? listUnread(readSoundAnswers(file).rows) : undefined;
  const { first, quoting, confirming, open, kept } = listQuestions(match, plan, model.spec, { forgotten });
  const items = [...first, ...quoting, ...confirming];
  const lines = items.flatMap((item): readonly KeptAnswer[] => kept.find(item)?.attempts ?? []);
  return {
    questions: items.length,
    left: estimateAnnotation(open, model),
    guard: estimateAnnotation(plan.isGuarded === false ? [] : listUnreadConfirmItems(first, kept, match.table), model),
    paid: sum(lines.map(({ cost }) => cost ?? 0)),
    lines,
  };
}

/** Lists all questions that the guard might ask about statements without an answer. */
const listUnreadConfirmItems = (first: readonly JudgeItem[], kept: JudgeCache, table: PublicSetup): ConfirmItem[] => {
  const unread = first.filter((item) => kept.find(item) === null).flatMap(({ moments }) => moments);
  return listMostConfirmItems([...new Map(unread.map((moment) => [moment.statement.id, moment])).values()], table);
};
