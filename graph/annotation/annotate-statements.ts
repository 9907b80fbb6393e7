// Has a model judge recorded statements from the views of those who heard them, and reads what it made of them.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { extractClaims, type JudgedStatement, listLabelKnowers } from '../../deception/claims/match-claims.ts';
import type { MatchRecord } from '../../deception/match-record.ts';
import { listStatements } from '../../deception/statements.ts';
import type { Annotation } from '../../deception/tables/statement-tables.ts';
import type { PlayerModel } from '../../models/model.ts';
import { getKeptFile, type KeptAnswer, readKept } from '../../models/record/annotation-log.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { ballotPeerAnalysis, peerAnalysis } from '../../prompts/analysis.ts';
import { DeceptionType } from '../../state/events.ts';
import { draw } from '../../state/random.ts';
import { analysisWords, truncateWords } from '../../state/text.ts';
import { createView } from '../../state/view.ts';
import { type AnnotationRunOptions, type AnyItem, createAnswerCache, runAnnotation } from './annotation-run.ts';
import { listReplayStates, type ReplayState } from './replay-states.ts';

export interface AnnotationPlan {
  /** How often the same is asked, from 1 on. */
  repeat?: number;
  /**
   * `all`: from the view of everybody who heard a statement. `one`, the default: of one of them, drawn by the match's
   * seed from those who could not know whether it is a lie.
   */
  listeners?: Listeners;
}

export const listenerChoices = ['one', 'all'] as const;
export type Listeners = (typeof listenerChoices)[number];

/**
 * What is to be asked about a record: the questions of the match's own analyses, one for each statement of the debate
 * and one for all explanations of a ballot but the listener's own. Throws a UsageError for a record that cannot have
 * happened under its rules.
 */
export function listAnnotationItems(
  record: MatchRecord,
  { repeat = 1, listeners = 'one' }: AnnotationPlan = {},
): AnyItem[] {
  const { seed } = record.manifest.setup;
  const judged = new Map(extractClaims(record).statements.map((one) => [one.id, one]));
  const once = listReplayStates(record).flatMap((moment) => {
    const heard = listHearers(moment);
    const some = listeners === 'all' ? heard : chooseHearer(heard, moment, judged, seed);
    return some.map((observer) => createItem(moment, observer, seed));
  });
  return Array.from({ length: repeat }, (_, index) => once.map((item) => ({ ...item, repeat: index + 1 }))).flat();
}

const listOthersStatements = ({ said }: ReplayState, observer: string) => said.filter(({ by }) => by !== observer);

/** The living who hear something of somebody else, in seat order. */
const listHearers = (moment: ReplayState) =>
  moment.game.alivePlayers.filter((name) => listOthersStatements(moment, name).length > 0);

/**
 * The first in a drawn order of those who could know the least: the order knows nothing of what is a lie. Where all could
 * know the same, nobody is better than another.
 */
function chooseHearer(
  heard: readonly string[],
  moment: ReplayState,
  judged: ReadonlyMap<string, JudgedStatement>,
  seed: number,
): string[] {
  const knownTo = moment.said.flatMap(({ id }) => listLabelKnowers(judged.get(id)!));
  const countKnown = (name: string) => knownTo.filter((one) => one === name).length;
  const least = Math.min(...heard.map(countKnown));
  const order = draw(seed, 'listener', moment.said[0]!.id).shuffle(heard);
  return order.filter((name) => countKnown(name) === least).slice(0, 1);
}

function createItem(moment: ReplayState, observer: string, seed: number): AnyItem {
  const seen = createView(moment.game, observer);
  const statements = listOthersStatements(moment, observer).map(({ id, by, text }) => ({ id, by, text }));
  const question = moment.kind === 'debate' ? peerAnalysis : ballotPeerAnalysis;
  const options = draw(seed, 'options', seen.round, seen.step, question.action, observer);
  const prompt =
    moment.kind === 'debate'
      ? peerAnalysis.put(seen, options, statements[0]!)
      : ballotPeerAnalysis.put(seen, options, statements);
  return { prompt, statements: statements.map(({ id }) => id), repeat: 1 };
}

/** Those that the model has not answered yet, at least not as they are worded now. */
export function listUnannotated(folder: string, items: readonly AnyItem[], model: string): AnyItem[] {
  const kept = createAnswerCache(readKept(getKeptFile(folder, 'annotations', model)));
  return items.filter((item) => !kept.isAnswered(item));
}

/** Asks what is left of `items`; makes no call where nothing is. Throws as `runAnnotation` does. */
export async function annotate(
  folder: string,
  { manifest: { id, setup } }: MatchRecord,
  items: readonly AnyItem[],
  model: PlayerModel,
  options: AnnotationRunOptions = {},
): Promise<void> {
  if (listUnannotated(folder, items, model.spec).length === 0) return;
  await runAnnotation({ id, folder, kind: 'annotations', seed: setup.seed }, items, model, options);
}

// Reads what models made of recorded statements afterwards.

const share = z.number().min(0).max(1);

const Judgement = z.object({
  deceptive: z.boolean(),
  type: DeceptionType,
  confidence: share,
  suspicion: share,
  p_werewolf: share,
});
const OfOne = Judgement.extend({ reasoning: z.string() });
const OfBallot = z.object({ reasoning: z.string(), judgements: z.record(z.string(), Judgement) });

const annotationFile = /^annotations\..+\.ndjson$/;

/**
 * All that models have made of a record afterwards, as it is kept in its folder; of the same asked again, what was
 * answered last. Throws RecordError for a file that is damaged or of another match.
 */
export function readAnnotations(folder: string, record: MatchRecord): Annotation[] {
  const said = new Map(listStatements(record.events).map(({ id, by }) => [id, by]));
  const files = readdirSync(folder)
    .filter((name) => annotationFile.test(name))
    .sort();
  return files.flatMap((name) => {
    const file = path.join(folder, name);
    const ended = readKept(file).filter(({ error, mark }) => error === undefined || mark !== undefined);
    const getQuestionKey = ({ round, step, action, player, repeat }: KeptAnswer) =>
      JSON.stringify([round, step, action, player, repeat]);
    const last = [...Map.groupBy(ended, getQuestionKey).values()].map((lines) => lines.at(-1)!);
    return last.flatMap((line) => listAnnotations(line, said, file));
  });
}

function listAnnotations(line: KeptAnswer, said: ReadonlyMap<string, string>, file: string): Annotation[] {
  const { statements, player: observer, model, repeat, attempt, mark } = line;
  const opinions = createOpinionFinder(line);
  return statements.map((statement) => {
    const by = said.get(statement);
    if (by === undefined)
      throw new RecordError(
        `${file} judges statement "${statement}", which is not in the record beside it: the record or this file is damaged. Keep both: with an undamaged copy of the other, the answers count again.`,
      );
    const opinion = opinions(by);
    return { statement, observer, model, repeat, attempt, opinion, ...(opinion ? {} : { mark: mark ?? 'fallback' }) };
  });
}

/** By speaker; null where there is none. */
function createOpinionFinder({ answer, action }: KeptAnswer): (speaker: string) => Annotation['opinion'] {
  const createOpinion = (reasoning: string, { type, ...judgement }: z.infer<typeof Judgement>) => ({
    ...judgement,
    deception_type: type,
    reasoning: truncateWords(reasoning, analysisWords).text,
  });
  if (action === peerAnalysis.action) {
    const read = OfOne.safeParse(answer);
    if (!read.success) return () => null;
    const { reasoning, ...judgement } = read.data;
    return () => createOpinion(reasoning, judgement);
  }
  const read = OfBallot.safeParse(answer);
  if (!read.success) return () => null;
  const { reasoning, judgements } = read.data;
  return (speaker) => (judgements[speaker] ? createOpinion(reasoning, judgements[speaker]) : null);
}
