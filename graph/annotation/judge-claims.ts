// The judge: models that are asked, after the match and knowing only what is public, which claims a statement makes.
import type { Claim, Extractor, Utterance } from '../../deception/claims/claim.ts';
import { type AcceptedClaims, acceptQuotedClaims, type QuotedClaim } from '../../deception/claims/extract-by-judge.ts';
import { extractByRules } from '../../deception/claims/extract-by-rules.ts';
import {
  checkJudgePlan,
  computePairwiseF1,
  formatJudges,
  getClaimKey,
  type JudgeAgreement,
  type JudgePlan,
  listClaimTypes,
  type Reading,
  selectMajorityClaims,
} from '../../deception/claims/majority-claims.ts';
import type { MatchRecord } from '../../deception/match-record.ts';
import { mean, sum } from '../../deception/statistics/sums.ts';
import type { PlayerModel } from '../../models/model.ts';
import { getKeptAnswersFile, type KeptAnswer, readKeptAnswers } from '../../models/record/annotation-log.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import {
  composeConfirmPrompt,
  composeJudgePrompt,
  type ConfirmedClaims,
  getConfirmField,
  type JudgedAnswer,
  judgeName,
} from '../../prompts/judge.ts';
import type { Game } from '../../state/game.ts';
import { type PublicStatement, readPublicStatement } from '../../state/public-statements.ts';
import { UsageError } from '../../state/usage-error.ts';
import { createPublicView, type PublicSetup, type PublicView } from '../../state/view.ts';
import {
  type AnnotationItem,
  type AnnotationRunOptions,
  type AnyAnnotationItem,
  createAnswerCache,
  runAnnotation,
} from './annotation-run.ts';
import { listReplayStates } from './replay-states.ts';

/** The claims that judges have found in the statements of a record. */
export interface JudgedRecord {
  /** The judges' model strings, joined, with how often each was asked. */
  name: string;
  /** Returns the claims of a statement; null where no judge gave a readable answer. */
  extract: Extractor;
  /** How far the readings of a statement agree. */
  agreementOf: (statement: string) => JudgeAgreement;
  /** Ids of the statements without a readable answer. */
  missing: readonly string[];
  /** Claims in the judges' answers that were not accepted: see `AcceptedClaims`. */
  dropped: number;
}

export interface JudgeOptions extends AnnotationRunOptions {
  /** Makes no call: an answer that is not kept, or is to another wording of the prompt, is an error. */
  offline?: boolean | undefined;
}

/** Opens a judge's model; called only if there is something to ask: kept answers need no key. */
export type OpenJudge = (model: string) => Promise<PlayerModel>;

type JudgeItem = AnnotationItem<JudgedAnswer>;
/** The guard's question, and the claims that it is about. */
export type ConfirmItem = AnnotationItem<ConfirmedClaims> & { drawn: readonly Claim[] };

/** A statement and the game just before it. */
interface Moment {
  statement: PublicStatement;
  game: Game;
}

const listMoments = (record: MatchRecord): Moment[] =>
  listReplayStates(record).flatMap(({ said, gameBefore }) =>
    said.map((statement) => ({ statement, game: gameBefore })),
  );

/** One question per statement and repeat, with what everybody knew just before it. */
export function listJudgeItems(record: MatchRecord, repeat = 1): JudgeItem[] {
  const moments = listMoments(record);
  return Array.from({ length: repeat }, (_, index) => index + 1).flatMap((time) =>
    moments.map(({ statement, game }, index) => ({
      prompt: composeJudgePrompt(createPublicView(game, judgeName), index + 1, statement),
      statements: [statement.id],
      repeat: time,
    })),
  );
}

/** A question for each statement in which the rules draw claims that the judge, as far as it was readable, lacks. */
const listConfirmItems = (
  record: MatchRecord,
  judged: ReadonlyMap<string, Reading>,
  table: PublicSetup,
): ConfirmItem[] =>
  listMoments(record).flatMap(({ statement, game }, index) => {
    const asked = { view: createPublicView(game, judgeName), step: index + 1 };
    return createConfirmItem(asked, statement, judged.get(statement.id) ?? null, table) ?? [];
  });

/**
 * The guard's question about a statement whose claims a judge has given there: whether it makes those, too,
 * that the rules draw and the judge lacks. Null where there are none, or the judge could not be read.
 */
export function createConfirmItem(
  { view, step }: { view: PublicView; step: number },
  statement: PublicStatement,
  own: Reading,
  table: PublicSetup,
): ConfirmItem | null {
  const drawn = own === null ? [] : listLackingClaims(own, extractByRules(statement, table));
  if (drawn.length === 0) return null;
  const stated = drawn.map(({ words, when, type, subject, object, role, team, verbs, cause, polarity }) => ({
    ...{ quote: words.text, type, subject, object, role, team, verbs, cause, round: when, polarity },
  }));
  const prompt = composeConfirmPrompt(view, step, statement, stated);
  return { prompt, statements: [statement.id], repeat: 1, drawn };
}

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

/**
 * Asks the judges about the statements of a record that they have not judged yet, and reads all their answers. Throws as
 * `runAnnotation` and `checkJudgePlan` do, and with `offline` RecordError where an answer is missing.
 *
 * @example
 * const open = (model: string) => openModel(model, { temperature: 0, env: process.env });
 * const { extract } = await judgeRecord('runs/a', readRecord('runs/a'), { models: ['openai:gpt-4o'] }, open, { maxCost: 1 });
 */
export async function judgeRecord(
  folder: string,
  record: MatchRecord,
  plan: JudgePlan,
  open: OpenJudge,
  { offline = false, ...options }: JudgeOptions = {},
): Promise<JudgedRecord> {
  checkJudgePlan(plan);
  if (!offline)
    for (const model of plan.models) await askJudge(folder, record, { ...plan, models: [model] }, open, options);
  return readJudged(folder, record, plan);
}

async function askJudge(
  folder: string,
  record: MatchRecord,
  plan: JudgePlan,
  open: OpenJudge,
  options: AnnotationRunOptions,
): Promise<void> {
  const { id, setup } = record.manifest;
  let model: PlayerModel | null = null;
  for (;;) {
    const items = listOpenItems(folder, record, plan);
    if (items.length === 0) return;
    model ??= await open(plan.models[0]!);
    if (model.isBot)
      throw new UsageError(
        `${model.spec} cannot be the judge: built-in bots read no statements. Name a language model.`,
      );
    await runAnnotation({ id, folder, kind: 'claims', seed: setup.seed }, items, model, options);
  }
}

/**
 * What the judges of a plan have not answered yet in the present wording. Questions of the guard follow from the answers
 * to all others: they are listed once those are kept.
 */
export function listOpenItems(folder: string, record: MatchRecord, plan: JudgePlan): AnyAnnotationItem[] {
  return plan.models.flatMap((model): AnyAnnotationItem[] => {
    const kept = createAnswerCache(readKeptAnswers(getKeptAnswersFile(folder, 'claims', model)));
    const items = listJudgeItems(record, plan.repeat);
    const first = items.filter((item) => !kept.isAnswered(item));
    if (first.length > 0 || plan.isGuarded === false) return first;
    const { majority, table } = readRepeats(record, items, kept);
    return listConfirmItems(record, majority, table).filter((item) => !kept.isAnswered(item));
  });
}

type AnswerCache = ReturnType<typeof createAnswerCache>;

/** What one judge found before the guard: all its readings of each statement, and what most of them hold. */
function readRepeats(record: MatchRecord, items: readonly JudgeItem[], kept: AnswerCache) {
  const { board, rules, players } = record.manifest.setup;
  const table: PublicSetup = { board, rules, players: players.map(({ name }) => name) };
  const said = new Map(record.events.flatMap((event) => readPublicStatement(event) ?? []).map((one) => [one.id, one]));
  const accept = (item: JudgeItem): AcceptedClaims | null => {
    const quoted = readQuotedClaims(item, kept.linesOf(item).at(-1)!);
    return quoted && acceptQuotedClaims(said.get(item.statements[0]!)!, quoted, table);
  };
  const answers = items.map((item) => ({ id: item.statements[0]!, accepted: accept(item) }));
  const readings = new Map(
    [...Map.groupBy(answers, ({ id }) => id)].map(([id, same]): [string, Reading[]] => [
      id,
      same.map(({ accepted }) => accepted?.claims ?? null),
    ]),
  );
  const majority = new Map([...readings].map(([id, some]): [string, Reading] => [id, selectMajorityClaims(some)]));
  return { table, readings, majority, dropped: sum(answers.map(({ accepted }) => accepted?.dropped ?? 0)) };
}

/** Reads the judges' kept answers, without a call. Throws RecordError where they have not judged all statements. */
export function readJudged(folder: string, record: MatchRecord, plan: JudgePlan): JudgedRecord {
  const items = listJudgeItems(record, plan.repeat);
  const judges = plan.models.map((model) => {
    const file = getKeptAnswersFile(folder, 'claims', model);
    const kept = createAnswerCache(readKeptAnswers(file));
    checkAnswered(items, kept, model, file);
    const { table, majority, ...rest } = readRepeats(record, items, kept);
    const confirming = plan.isGuarded === false ? [] : listConfirmItems(record, majority, table);
    checkAnswered(confirming, kept, model, file);
    const confirmed = new Map(
      confirming.map((item) => [item.statements[0]!, readConfirmedClaims(item, kept.linesOf(item).at(-1))]),
    );
    const claims = new Map(
      [...majority].map(([id, own]): [string, Reading] => [id, own && mergeClaims(own, confirmed.get(id) ?? [])]),
    );
    return { claims, ...rest };
  });
  const ids = [...new Set(items.map(({ statements: [id] }) => id!))];
  const accepted = new Map(ids.map((id) => [id, selectMajorityClaims(judges.map(({ claims }) => claims.get(id)!))]));
  return {
    name: formatJudges(plan),
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
  };
}

/** The judge's own claims with those that it confirmed. */
export const mergeClaims = (own: readonly Claim[], more: readonly Claim[]): Claim[] =>
  selectMajorityClaims([[...own, ...more]]) ?? [];

function checkAnswered(items: readonly AnyAnnotationItem[], kept: AnswerCache, judge: string, file: string): void {
  const open = items.filter((item) => !kept.isAnswered(item));
  if (open.length === 0) return;
  const outdated = open.filter((item) => kept.isOutdated(item)).length;
  throw new RecordError(
    `${file} has no answer of ${judge} to ${open.length} of ${items.length} questions${outdated > 0 ? `, to ${outdated} of them only in answer to prompts of another wording` : ''}. Ask the judge where calls can be made, or leave it out.`,
  );
}

/** The claims in a judge's answer; null where no attempt could be read. */
function readQuotedClaims({ prompt }: JudgeItem, { answer, mark }: KeptAnswer): readonly QuotedClaim[] | null {
  const read = mark === undefined ? prompt.answer.safeParse(answer) : null;
  return read?.success ? read.data.claims : null;
}

/** The claims of the rules that a judge said the statement makes; none where no attempt could be read. */
export function readConfirmedClaims({ prompt, drawn }: ConfirmItem, line: KeptAnswer | undefined): Claim[] {
  const read = line !== undefined && line.mark === undefined ? prompt.answer.safeParse(line.answer) : null;
  return read?.success ? drawn.filter((_claim, index) => read.data[getConfirmField(index)] === true) : [];
}
