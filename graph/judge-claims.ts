// Has a model that knows only what is public draw the claims from a record's statements, and reads what it drew.
import type { Extractor } from '../deception/claims/claim.ts';
import { drawnFrom, type Drawn, type Stated } from '../deception/claims/stated-claims.ts';
import type { MatchRecord } from '../deception/match-record.ts';
import { sum } from '../deception/ratios.ts';
import type { PlayerModel } from '../models/model.ts';
import { keptFile, readKept, type KeptAnswer } from '../models/record/kept-answers.ts';
import { RecordError } from '../models/record/record-error.ts';
import { judgeName, judgePrompt, type JudgedAnswer } from '../prompts/judge.ts';
import { UsageError } from '../state/usage-error.ts';
import { readPublicStatement } from '../state/public-statements.ts';
import { publicView } from '../state/view.ts';
import { inquire, type InquiryOptions } from './inquiry.ts';
import { momentsOf } from './moments.ts';
import { standing, type Item } from './standing.ts';

/** The claims that a judge drew from the statements of a record. */
export interface Judged {
  /** The judge's model string. */
  name: string;
  /** For `tablesOf`. Null for a statement of which the judge gave no readable answer. */
  extract: Extractor;
  /** Ids of these statements. */
  missing: readonly string[];
  /** Claims that were stated and left out: see `Drawn`. */
  dropped: number;
}

export interface JudgeOptions extends InquiryOptions {
  /** Makes no call: what is not kept, or was asked in other words, is an error. */
  offline?: boolean | undefined;
}

/** A model that is opened only if there is something to ask: what is kept needs no key. */
export interface Judge {
  /** Its model string. */
  name: string;
  open: () => Promise<PlayerModel>;
}

type JudgeItem = Item<JudgedAnswer>;

/** One question a statement, about what everybody knew when it had been made and nobody had answered it. */
export function judgeItems(record: MatchRecord): JudgeItem[] {
  const moments = momentsOf(record).flatMap(({ said, gameAfter }) =>
    said.map((one) => ({ one, game: gameAfter(one.id) })),
  );
  return moments.map(({ one, game }, index) => ({
    prompt: judgePrompt(publicView(game, judgeName), index + 1, one),
    statements: [one.id],
    repeat: 1,
  }));
}

/** Those that the judge has not answered yet, at least not as they are worded now. */
export function unjudged(folder: string, items: readonly JudgeItem[], judge: string): JudgeItem[] {
  const kept = standing(readKept(keptFile(folder, 'claims', judge)));
  return items.filter((item) => !kept.isAnswered(item));
}

/**
 * Asks the judge about the statements of a record of which it has not been asked yet, and reads all its answers. Throws
 * as `inquire` does, and RecordError where something is left to ask and `offline`.
 */
export async function judgeRecord(
  folder: string,
  record: MatchRecord,
  judge: Judge,
  { offline = false, ...options }: JudgeOptions = {},
): Promise<Judged> {
  const { id, setup } = record.manifest;
  const items = judgeItems(record);
  if (!offline && unjudged(folder, items, judge.name).length > 0) {
    const model = await judge.open();
    if (model.isBot)
      throw new UsageError(
        `${judge.name} cannot be the judge: built-in bots read no statements. Name a language model.`,
      );
    await inquire({ id, folder, kind: 'claims', seed: setup.seed }, items, model, options);
  }
  return readJudged(folder, record, judge.name);
}

/** What the judge has answered, without a call. Throws RecordError where it has not been asked about all statements. */
export function readJudged(folder: string, record: MatchRecord, judge: string): Judged {
  const { manifest, events } = record;
  const items = judgeItems(record);
  const file = keptFile(folder, 'claims', judge);
  const kept = standing(readKept(file));
  const open = items.filter((item) => !kept.isAnswered(item));
  if (open.length > 0) {
    const outdated = open.filter((item) => kept.isOutdated(item)).length;
    throw new RecordError(
      `${file} has no answer of ${judge} to ${open.length} of ${items.length} statements${outdated > 0 ? `, to ${outdated} of them only in answer to prompts of another wording` : ''}. Ask the judge where calls can be made, or leave it out.`,
    );
  }
  const { board, rules, players } = manifest.setup;
  const table = { board, rules, players: players.map(({ name }) => name) };
  const answers = new Map(items.map((item) => [item.statements[0]!, statedIn(item, kept.linesOf(item).at(-1)!)]));
  const drawn = new Map(
    events.flatMap((event): [string, Drawn][] => {
      const said = readPublicStatement(event);
      const stated = said && answers.get(said.id);
      return stated ? [[said.id, drawnFrom(said, stated, table)]] : [];
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
function statedIn({ prompt }: JudgeItem, { answer, mark }: KeptAnswer): readonly Stated[] | null {
  const read = mark === undefined ? prompt.answer.safeParse(answer) : null;
  return read?.success ? read.data.claims : null;
}
