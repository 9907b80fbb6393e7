// Annotations: asks a model after the match to judge recorded statements from the Views of players who heard them, and
// reads its opinions.
import { z } from 'zod';
import { extractMatchClaims, type VerifiedStatement, listLabelKnowers } from '../../deception/claims/match-claims.ts';
import type { MatchRecord } from '../../deception/record/match-record.ts';
import { listStatements } from '../../deception/record/statements.ts';
import type { Annotation } from '../../deception/tables/statement-rows.ts';
import type { PlayerModel } from '../../models/model.ts';
import {
  createStrayStatementError,
  getKeptAnswersFile,
  type KeptAnswer,
  type KeptAnswerKind,
  readKeptAnswers,
  readLastAnswers,
} from '../../models/record/annotation-log.ts';
import { ballotPeerAnalysis, ballotSelfAnalysis, peerAnalysis, selfAnalysis } from '../../prompts/analysis.ts';
import { drawOptions } from '../../prompts/prompt.ts';
import { DeceptionType } from '../../state/events.ts';
import { identifyModel } from '../../state/model-identity.ts';
import type { PublicStatement } from '../../state/public-statements.ts';
import { draw } from '../../state/random.ts';
import type { Rules } from '../../state/rules/common-rules.ts';
import { readAssessmentFields } from '../../state/steps/analysis.ts';
import { maxAnalysisWords, truncateWords } from '../../state/text.ts';
import { createView, type View } from '../../state/view.ts';
import {
  type AnnotationRunOptions,
  type AnyAnnotationItem,
  createAnswerCache,
  runAnnotation,
} from './annotation-run.ts';
import { listCodingItems } from './code-statements.ts';
import { listReplayStates, type ReplayState } from './statement-states.ts';

/** Settings of an annotation. */
export interface AnnotationPlan {
  /** Number of times that each question is asked. Default: 1. */
  repeat?: number;
  /**
   * Listeners who judge each statement. `all`: everybody who heard it. `one`, the default: one listener, drawn by the
   * match's seed among the listeners who could not know whether the statement is a lie.
   */
  listeners?: 'one' | 'all';
  /**
   * Asks speakers instead of listeners. Each speaker whom `model` played is asked again about the speaker's own
   * statements. The value says whether the prompt contains the speaker's thoughts.
   */
  selfReports?: Rules['selfReport'] | undefined;
  /**
   * Asks a coder instead of listeners. The coder sees only public information, and names the style, emotions and
   * tactics of each statement.
   */
  coding?: boolean | undefined;
  /** The annotator's model string. Required with `selfReports`. */
  model?: string | undefined;
}

/**
 * Lists the questions about a record. They are equal to the questions of the match's own analyses: one for each
 * statement of the debate and, after each vote, one about all explanations except the listener's own. Throws a
 * UsageError if the record cannot have happened under its rules.
 *
 * @example const items = listAnnotationItems(readRecord('runs/a'), { listeners: 'all' });
 */
export function listAnnotationItems(
  record: MatchRecord,
  { repeat = 1, listeners = 'one', selfReports, coding = false, model }: AnnotationPlan = {},
): AnyAnnotationItem[] {
  if (coding) return listCodingItems(record, repeat);
  const { seed, models } = record.manifest.setup;
  const askRepeatedly = (once: readonly AnyAnnotationItem[]) =>
    Array.from({ length: repeat }, (_, index) => once.map((item) => ({ ...item, repeat: index + 1 }))).flat();
  if (selfReports) {
    const own = model && identifyModel(model);
    const reports = listReplayStates(record).flatMap((state) =>
      state.said.filter(({ by }) => models[by] === own).map((said) => createReportItem(state, said, seed, selfReports)),
    );
    return askRepeatedly(reports);
  }
  const judged = new Map(extractMatchClaims(record).statements.map((one) => [one.id, one]));
  const once = listReplayStates(record).flatMap((state) => {
    const hearers = listHearers(state);
    const chosen = listeners === 'all' ? hearers : chooseHearer(hearers, state, judged, seed);
    return chosen.map((observer) => createItem(state, observer, seed));
  });
  return askRepeatedly(once);
}

/** Creates the item that asks the speaker for a self-report again after the match. */
function createReportItem(
  { game, kind }: ReplayState,
  { id, by, text }: PublicStatement,
  seed: number,
  notes: Rules['selfReport'],
): AnyAnnotationItem {
  const seen = createView(game, by);
  const view: View = { ...seen, rules: { ...seen.rules, selfReport: notes } };
  const question = kind === 'debate' ? selfAnalysis : ballotSelfAnalysis;
  const prompt = question.put(view, drawOptions(seed, view.round, by), { id, by, text });
  return { prompt, statements: [id], repeat: 1, notes };
}

const listOthersStatements = ({ said }: ReplayState, observer: string) => said.filter(({ by }) => by !== observer);

/** Lists the living players who hear a statement by another player, in seat order. */
const listHearers = (state: ReplayState) =>
  state.game.alivePlayers.filter((name) => listOthersStatements(state, name).length > 0);

/**
 * Draws one of the listeners who know whether the fewest of these statements are lies. Returns a list with this
 * listener; an empty list if there are no listeners. The draw does not depend on whether the statement is a lie.
 */
function chooseHearer(
  hearers: readonly string[],
  state: ReplayState,
  judged: ReadonlyMap<string, VerifiedStatement>,
  seed: number,
): string[] {
  const knownTo = state.said.flatMap(({ id }) => listLabelKnowers(judged.get(id)!));
  const countKnown = (name: string) => knownTo.filter((one) => one === name).length;
  const least = Math.min(...hearers.map(countKnown));
  const order = draw(seed, 'listener', state.said[0]!.id).shuffle(hearers);
  return order.filter((name) => countKnown(name) === least).slice(0, 1);
}

function createItem(state: ReplayState, observer: string, seed: number): AnyAnnotationItem {
  const view = createView(state.game, observer);
  const statements = listOthersStatements(state, observer).map(({ id, by, text }) => ({ id, by, text }));
  const options = drawOptions(seed, view.round, observer);
  const prompt =
    state.kind === 'debate'
      ? peerAnalysis.put(view, options, statements[0]!)
      : ballotPeerAnalysis.put(view, options, statements);
  return { prompt, statements: statements.map(({ id }) => id), repeat: 1 };
}

/** Kinds of files that store the answers. */
export type AnnotationKind = Extract<KeptAnswerKind, 'annotations' | 'codings'>;

/**
 * Returns the kind of answers that a plan asks for.
 *
 * @example getAnnotationKind({ coding: true }) // 'codings'
 */
export const getAnnotationKind = ({ coding = false }: AnnotationPlan): AnnotationKind =>
  coding ? 'codings' : 'annotations';

/** Lists the items without a valid answer to their current wording. */
export function listUnannotated(
  folder: string,
  items: readonly AnyAnnotationItem[],
  model: string,
  kind: AnnotationKind = 'annotations',
): AnyAnnotationItem[] {
  const kept = createAnswerCache(readKeptAnswers(getKeptAnswersFile(folder, kind, model)));
  return items.filter((item) => !kept.isAnswered(item));
}

/** Asks the items without an answer. Makes no call if there are none. Throws like `runAnnotation`. */
export async function annotateStatements(
  folder: string,
  { manifest: { id, setup } }: MatchRecord,
  items: readonly AnyAnnotationItem[],
  model: PlayerModel,
  { kind = 'annotations', ...options }: AnnotationRunOptions & { kind?: AnnotationKind } = {},
): Promise<void> {
  if (listUnannotated(folder, items, model.spec, kind).length === 0) return;
  await runAnnotation({ id, folder, kind, seed: setup.seed }, items, model, options);
}

// Reading the opinions from stored answers.

const share = z.number().min(0).max(1);

const Judgement = z.union([
  z.object({ p_deceptive: share, p_falsehood: share, types: z.array(DeceptionType), p_werewolf: share }),
  z.object({
    deceptive: z.boolean(),
    type: DeceptionType,
    confidence: share,
    suspicion: share,
    p_werewolf: share,
  }),
]);
const OwnReport = z
  .object({ reasoning: z.string() })
  .and(
    z.union([
      z.object({ p_deceptive: share, p_falsehood: share, types: z.array(DeceptionType) }),
      z.object({ stated_falsehood: z.boolean(), deceptive: z.boolean(), type: DeceptionType, confidence: share }),
    ]),
  );
const OfOne = z.object({ reasoning: z.string() }).and(Judgement);
const OfBallot = z.object({ reasoning: z.string(), judgements: z.record(z.string(), Judgement) });

/**
 * Reads all annotations in the folder of a record. If the same question was asked again, the last answer counts. Throws
 * a RecordError if a file is damaged or belongs to another match.
 *
 * @example const opinions = readAnnotations('runs/a', readRecord('runs/a')).map(({ opinion }) => opinion?.p_werewolf);
 */
export function readAnnotations(folder: string, record: MatchRecord): Annotation[] {
  const speakers = new Map(listStatements(record.events).map(({ id, by }) => [id, by]));
  const getQuestion = ({ round, step, action, player, repeat, notes }: KeptAnswer) =>
    JSON.stringify([round, step, action, player, repeat, notes]);
  return readLastAnswers(folder, 'annotations', getQuestion).flatMap(({ file, lines }) =>
    lines.flatMap((line) => listAnnotations(line, speakers, file)),
  );
}

function listAnnotations(line: KeptAnswer, speakers: ReadonlyMap<string, string>, file: string): Annotation[] {
  const { statements, player: observer, model, repeat, attempt, mark, notes } = line;
  const findOpinion = createOpinionFinder(line);
  return statements.map((statement) => {
    const by = speakers.get(statement);
    if (by === undefined) throw createStrayStatementError(file, 'judges', statement);
    const opinion = findOpinion(by);
    return {
      ...{ statement, observer, model, repeat, attempt, opinion, notes },
      ...(opinion ? {} : { mark: mark ?? 'fallback' }),
    };
  });
}

/** Creates a function that returns the opinion about a speaker. The function returns null if there is no opinion. */
function createOpinionFinder({ answer, action, notes }: KeptAnswer): (speaker: string) => Annotation['opinion'] {
  const createOpinion = (reasoning: string, judgement: z.infer<typeof Judgement> | z.infer<typeof OwnReport>) => ({
    ...readAssessmentFields(judgement),
    reasoning: truncateWords(reasoning, maxAnalysisWords).text,
  });
  if (notes) {
    const read = OwnReport.safeParse(answer);
    const report = read.success ? createOpinion(read.data.reasoning, read.data) : null;
    return () => report;
  }
  if (action === peerAnalysis.action) {
    const read = OfOne.safeParse(answer);
    if (!read.success) return () => null;
    return () => createOpinion(read.data.reasoning, read.data);
  }
  const read = OfBallot.safeParse(answer);
  if (!read.success) return () => null;
  const { reasoning, judgements } = read.data;
  return (speaker) => (judgements[speaker] ? createOpinion(reasoning, judgements[speaker]) : null);
}
