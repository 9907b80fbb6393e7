// The judge: a model that is asked, after the match and knowing only what is public, which claims a statement makes.
import type { Extractor } from '../../deception/claims/claim.ts';
import { type AcceptedClaims, acceptQuotedClaims, type QuotedClaim } from '../../deception/claims/extract-by-judge.ts';
import type { MatchRecord } from '../../deception/match-record.ts';
import { sum } from '../../deception/statistics/sums.ts';
import type { PlayerModel } from '../../models/model.ts';
import { getKeptAnswersFile, type KeptAnswer, readKeptAnswers } from '../../models/record/annotation-log.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { composeJudgePrompt, type JudgedAnswer, judgeName } from '../../prompts/judge.ts';
import { readPublicStatement } from '../../state/public-statements.ts';
import { UsageError } from '../../state/usage-error.ts';
import { createPublicView } from '../../state/view.ts';
import { type AnnotationRunOptions, createAnswerCache, type AnnotationItem, runAnnotation } from './annotation-run.ts';
import { listReplayStates } from './replay-states.ts';

/** The claims that a judge has found in the statements of a record. */
interface JudgedRecord {
  /** The judge's model string. */
  name: string;
  /** Returns the claims of a statement; null where the judge gave no readable answer. */
  extract: Extractor;
  /** Ids of the statements without a readable answer. */
  missing: readonly string[];
  /** Claims in the judge's answers that were not accepted: see `AcceptedClaims`. */
  dropped: number;
}

export interface JudgeOptions extends AnnotationRunOptions {
  /** Makes no call: an answer that is not kept, or is to another wording of the prompt, is an error. */
  offline?: boolean | undefined;
}

/** A model that is opened only if there is something to ask: kept answers need no key. */
interface ClaimJudge {
  /** Its model string. */
  name: string;
  open: () => Promise<PlayerModel>;
}

type JudgeItem = AnnotationItem<JudgedAnswer>;

/** One question per statement, with what everybody knew just before it. */
export function listJudgeItems(record: MatchRecord): JudgeItem[] {
  const statements = listReplayStates(record).flatMap(({ said, gameBefore }) =>
    said.map((statement) => ({ statement, game: gameBefore })),
  );
  return statements.map(({ statement, game }, index) => ({
    prompt: composeJudgePrompt(createPublicView(game, judgeName), index + 1, statement),
    statements: [statement.id],
    repeat: 1,
  }));
}

/** The items that the judge has not answered yet in their present wording. */
function listUnjudged(folder: string, items: readonly JudgeItem[], judge: string): JudgeItem[] {
  const kept = createAnswerCache(readKeptAnswers(getKeptAnswersFile(folder, 'claims', judge)));
  return items.filter((item) => !kept.isAnswered(item));
}

/**
 * Asks the judge about the statements of a record that it has not judged yet, and reads all its answers. Throws as
 * `runAnnotation` does, and with `offline` RecordError where an answer is missing.
 *
 * @example
 * const judge = { name: 'openai:gpt-4o', open: () => openModel('openai:gpt-4o', { temperature: 0, env: process.env }) };
 * const { extract, missing } = await judgeRecord('runs/a', readRecord('runs/a'), judge, { maxCost: 1 });
 */
export async function judgeRecord(
  folder: string,
  record: MatchRecord,
  judge: ClaimJudge,
  { offline = false, ...options }: JudgeOptions = {},
): Promise<JudgedRecord> {
  const { id, setup } = record.manifest;
  const items = listJudgeItems(record);
  if (!offline && listUnjudged(folder, items, judge.name).length > 0) {
    const model = await judge.open();
    if (model.isBot)
      throw new UsageError(
        `${judge.name} cannot be the judge: built-in bots read no statements. Name a language model.`,
      );
    await runAnnotation({ id, folder, kind: 'claims', seed: setup.seed }, items, model, options);
  }
  return readJudged(folder, record, judge.name);
}

/** Reads the judge's kept answers, without a call. Throws RecordError where it has not judged all statements. */
export function readJudged(folder: string, record: MatchRecord, judge: string): JudgedRecord {
  const { manifest, events } = record;
  const items = listJudgeItems(record);
  const file = getKeptAnswersFile(folder, 'claims', judge);
  const kept = createAnswerCache(readKeptAnswers(file));
  const open = items.filter((item) => !kept.isAnswered(item));
  if (open.length > 0) {
    const outdated = open.filter((item) => kept.isOutdated(item)).length;
    throw new RecordError(
      `${file} has no answer of ${judge} to ${open.length} of ${items.length} statements${outdated > 0 ? `, to ${outdated} of them only in answer to prompts of another wording` : ''}. Ask the judge where calls can be made, or leave it out.`,
    );
  }
  const { board, rules, players } = manifest.setup;
  const table = { board, rules, players: players.map(({ name }) => name) };
  const answers = new Map(
    items.map((item) => [item.statements[0]!, readQuotedClaims(item, kept.linesOf(item).at(-1)!)]),
  );
  const accepted = new Map(
    events.flatMap((event): [string, AcceptedClaims][] => {
      const said = readPublicStatement(event);
      const quoted = said && answers.get(said.id);
      return quoted ? [[said.id, acceptQuotedClaims(said, quoted, table)]] : [];
    }),
  );
  return {
    name: judge,
    extract: ({ id }) => accepted.get(id)?.claims ?? null,
    missing: [...answers.keys()].filter((id) => !accepted.has(id)),
    dropped: sum([...accepted.values()].map(({ dropped }) => dropped)),
  };
}

/** The claims in a judge's answer; null where no attempt could be read. */
function readQuotedClaims({ prompt }: JudgeItem, { answer, mark }: KeptAnswer): readonly QuotedClaim[] | null {
  const read = mark === undefined ? prompt.answer.safeParse(answer) : null;
  return read?.success ? read.data.claims : null;
}
