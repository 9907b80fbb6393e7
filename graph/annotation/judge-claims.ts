// Has a model that knows only what is public draw the claims from a record's statements, and reads what it drew.
import type { Extractor } from '../../deception/claims/claim.ts';
import { type AcceptedClaims, acceptQuotedClaims, type QuotedClaim } from '../../deception/claims/extract-by-judge.ts';
import type { MatchRecord } from '../../deception/match-record.ts';
import { sum } from '../../deception/statistics/sums.ts';
import type { PlayerModel } from '../../models/model.ts';
import { getKeptFile, type KeptAnswer, readKept } from '../../models/record/annotation-log.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { composeJudgePrompt, type JudgedAnswer, judgeName } from '../../prompts/judge.ts';
import { readPublicStatement } from '../../state/public-statements.ts';
import { UsageError } from '../../state/usage-error.ts';
import { createPublicView } from '../../state/view.ts';
import { type AnnotationRunOptions, createAnswerCache, type Item, runAnnotation } from './annotation-run.ts';
import { listReplayStates } from './replay-states.ts';

/** The claims that a judge drew from the statements of a record. */
export interface JudgedRecord {
  /** The judge's model string. */
  name: string;
  /** For `tablesOf`. Null for a statement of which the judge gave no readable answer. */
  extract: Extractor;
  /** Ids of these statements. */
  missing: readonly string[];
  /** Claims that were stated and left out: see `AcceptedClaims`. */
  dropped: number;
}

export interface JudgeOptions extends AnnotationRunOptions {
  /** Makes no call: what is not kept, or was asked in other words, is an error. */
  offline?: boolean | undefined;
}

/** A model that is opened only if there is something to ask: what is kept needs no key. */
export interface ClaimJudge {
  /** Its model string. */
  name: string;
  open: () => Promise<PlayerModel>;
}

type JudgeItem = Item<JudgedAnswer>;

/** One question a statement, about what everybody knew when it had been made and nobody had answered it. */
export function listJudgeItems(record: MatchRecord): JudgeItem[] {
  const moments = listReplayStates(record).flatMap(({ said, gameAfter }) =>
    said.map((one) => ({ one, game: gameAfter(one.id) })),
  );
  return moments.map(({ one, game }, index) => ({
    prompt: composeJudgePrompt(createPublicView(game, judgeName), index + 1, one),
    statements: [one.id],
    repeat: 1,
  }));
}

/** Those that the judge has not answered yet, at least not as they are worded now. */
export function listUnjudged(folder: string, items: readonly JudgeItem[], judge: string): JudgeItem[] {
  const kept = createAnswerCache(readKept(getKeptFile(folder, 'claims', judge)));
  return items.filter((item) => !kept.isAnswered(item));
}

/**
 * Asks the judge about the statements of a record of which it has not been asked yet, and reads all its answers. Throws
 * as `runAnnotation` does, and RecordError where something is left to ask and `offline`.
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

/** What the judge has answered, without a call. Throws RecordError where it has not been asked about all statements. */
export function readJudged(folder: string, record: MatchRecord, judge: string): JudgedRecord {
  const { manifest, events } = record;
  const items = listJudgeItems(record);
  const file = getKeptFile(folder, 'claims', judge);
  const kept = createAnswerCache(readKept(file));
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
  const drawn = new Map(
    events.flatMap((event): [string, AcceptedClaims][] => {
      const said = readPublicStatement(event);
      const stated = said && answers.get(said.id);
      return stated ? [[said.id, acceptQuotedClaims(said, stated, table)]] : [];
    }),
  );
  return {
    name: judge,
    extract: ({ id }) => drawn.get(id)?.claims ?? null,
    missing: [...answers.keys()].filter((id) => !drawn.has(id)),
    dropped: sum([...drawn.values()].map(({ dropped }) => dropped)),
  };
}

/** Null where no attempt could be read. */
function readQuotedClaims({ prompt }: JudgeItem, { answer, mark }: KeptAnswer): readonly QuotedClaim[] | null {
  const read = mark === undefined ? prompt.answer.safeParse(answer) : null;
  return read?.success ? read.data.claims : null;
}
