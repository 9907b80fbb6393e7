// The judge: models that are asked, after the match and knowing only what is public, which claims its statements make.
import type { Claim, Extractor, Utterance } from '../../deception/claims/claim.ts';
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
import { getKeptAnswersFile, type KeptAnswer, readKeptAnswers } from '../../models/record/annotation-log.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { formatCommand } from '../../state/command-name.ts';
import { identifyModel } from '../../state/model-identity.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { PublicSetup } from '../../state/view.ts';
import {
  type AnnotationRunOptions,
  type AnyAnnotationItem,
  createAnswerCache,
  estimateAnnotation,
  runAnnotation,
} from './annotation-run.ts';
import {
  type ConfirmItem,
  createJudgeItem,
  type JudgeItem,
  listConfirmItems,
  listJudgeItems,
  listStatementMoments,
  type StatementMoment,
  readConfirmedClaims,
  readStatedClaims,
} from './llm-judge-items.ts';

/** The statements of a match that are to be judged, and the folder in which the answers are kept. */
export interface JudgedMatch {
  id: string;
  folder: string;
  seed: number;
  table: PublicSetup;
  moments: readonly StatementMoment[];
  /** What the bots recorded of the meaning of their statements. Throws a UsageError where a language model was seated. */
  readMeant: () => ReadonlyMap<string, Claim[] | null>;
}

/** All public statements of a record. */
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

/** The claims that judges have found in the statements of a match. */
export interface JudgedClaims {
  /** The judges' model strings, joined, with how they were asked. */
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

/**
 * Asks the judges about the statements of a match that they have not judged yet, and reads all their answers. Throws as
 * `runAnnotation` and `checkJudgePlan` do, and with `offline` RecordError where an answer is missing.
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

async function askJudge(
  match: JudgedMatch,
  plan: JudgePlan,
  open: OpenJudge,
  options: AnnotationRunOptions,
): Promise<void> {
  const { id, folder, seed } = match;
  const [name] = plan.models as [string];
  let model: PlayerModel | null = null;
  for (;;) {
    const { open: items } = listQuestions(match, plan, name);
    if (items.length === 0) return;
    model ??= await open(name);
    checkJudge(model);
    await runAnnotation({ id, folder, kind: 'claims', seed }, items, model, options);
  }
}

/** Throws a UsageError for a bot. */
export function checkJudge({ spec, isBot }: Pick<PlayerModel, 'spec' | 'isBot'>): void {
  if (isBot)
    throw new UsageError(
      `${spec} cannot be the judge: built-in bots read no statements. Name a language model, or ${meantJudge} for matches of bots alone.`,
    );
}

/** What one judge is asked under a plan, as far as it is known from its answers so far. */
interface Questions {
  first: readonly JudgeItem[];
  /** The guard's; they follow from the answers to all others. */
  confirming: readonly ConfirmItem[];
  /** Those of both that have no answer in the present wording. */
  open: readonly AnyAnnotationItem[];
  kept: AnswerCache;
  /** Where the answers are kept. */
  file: string;
}

type AnswerCache = ReturnType<typeof createAnswerCache>;

/** Where several statements of a day could not be read together, each is asked about alone. */
function listQuestions({ folder, moments, table }: JudgedMatch, plan: JudgePlan, model: string): Questions {
  const file = getKeptAnswersFile(folder, 'claims', model);
  const kept = createAnswerCache(readKeptAnswers(file));
  const isUnread = (item: JudgeItem) => kept.isAnswered(item) && !readStatedClaims(item, kept.linesOf(item).at(-1));
  const first = listJudgeItems(moments, plan).flatMap((item) =>
    item.moments.length > 1 && isUnread(item)
      ? [item, ...item.moments.map((one) => createJudgeItem([one], item.repeat))]
      : [item],
  );
  const open = first.filter((item) => !kept.isAnswered(item));
  if (open.length > 0 || plan.isGuarded === false) return { first, confirming: [], open, kept, file };
  const confirming = listConfirmItems(moments, readRepeats(first, kept, table).majority, table);
  return { first, confirming, open: confirming.filter((item) => !kept.isAnswered(item)), kept, file };
}

/** What one judge found before the guard: all its readings of each statement, and what most of them hold. */
function readRepeats(items: readonly JudgeItem[], kept: AnswerCache, table: PublicSetup) {
  const answers = items.flatMap((item) => {
    const stated = readStatedClaims(item, kept.linesOf(item).at(-1));
    return item.moments.map(({ statement }, index) => ({
      id: statement.id,
      accepted: stated && acceptQuotedClaims(statement, stated[index]!, table),
    }));
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
 * Reads the judges' kept answers, without a call. Throws RecordError where they have not judged all statements, and a UsageError
 * for `bot:meant` where a language model was seated.
 */
export function readJudgedClaims(match: JudgedMatch, plan: JudgePlan): JudgedClaims {
  if (isMeantPlan(plan)) return readMeant(match, plan);
  const judges = plan.models.map((model) => {
    const questions = listQuestions(match, plan, model);
    checkAnswered(questions, model, plan);
    const { first, confirming, kept } = questions;
    const { majority, ...rest } = readRepeats(first, kept, match.table);
    const confirmed = new Map(
      confirming.map((item) => [item.statements[0]!, readConfirmedClaims(item, kept.linesOf(item).at(-1))]),
    );
    const claims = new Map(
      [...majority].map(([id, own]): [string, ClaimReading] => [id, own && mergeClaims(own, confirmed.get(id) ?? [])]),
    );
    return { claims, ...rest };
  });
  const ids = match.moments.map(({ statement }) => statement.id);
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
  };
}

/** The judge's own claims with those that it confirmed. */
const mergeClaims = (own: readonly Claim[], more: readonly Claim[]): Claim[] =>
  selectMajorityClaims([[...own, ...more]]) ?? [];

function checkAnswered({ first, confirming, open, kept, file }: Questions, judge: string, plan: JudgePlan): void {
  if (open.length === 0) return;
  const asked = confirming.length > 0 ? confirming.length : first.length;
  const outdated = open.filter((item) => kept.isOutdated(item)).length;
  throw new RecordError(
    `${file} has no answer of ${identifyModel(judge)} to ${open.length} of ${asked} questions${outdated > 0 ? `, to ${outdated} of them only in answer to prompts of another wording` : ''}. Have it asked where calls can be made: ${formatCommand('report', 'FOLDER')} ${formatJudgeFlags(plan)}.${describeLeftOutAddresses(plan)} Or have the rules draw the claims (--no-judge).`,
  );
}

/**
 * What one judge of a plan has been asked about a match, with the answers that it gave, and what is left to ask, as far as
 * it is known.
 */
export function surveyJudge(match: JudgedMatch, plan: JudgePlan, model: Pick<PlayerModel, 'spec' | 'isBot' | 'price'>) {
  const { first, confirming, open, kept } = listQuestions(match, plan, model.spec);
  const items = [...first, ...confirming];
  const lines = items.flatMap((item): readonly KeptAnswer[] => kept.linesOf(item));
  return {
    questions: items.length,
    left: estimateAnnotation(open, model),
    paid: sum(lines.map(({ cost }) => cost ?? 0)),
    lines,
  };
}
