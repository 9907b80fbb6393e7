// The record of a bank, `bank.json`: its contents, the extractor of its claims, the extractor's accuracy, and the
// hashes of the bank's files.
import { z } from 'zod';
import { ExtractorErrors } from '../claims/extractor-errors.ts';
import type { BankStatement } from './bank-rows.ts';
import { BankSplit } from './bank-split.ts';

const count = z.number().int().min(0);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const SplitCounts = z.strictObject({ deals: count, statements: count, lies: count, truths: count });

/** Counts of the statements in a bank. */
export const BankCounts = z.strictObject({
  matches: count.describe('number of matches'),
  deals: count.describe('number of deals'),
  statements: count.describe('number of statements'),
  lies: count.describe('statements labeled as lies'),
  truths: count.describe('statements labeled as no lies'),
  unlabelled: count.describe('statements without a label'),
  unread: count.describe('statements that the extractor of claims could not read'),
  silences: count.describe('statements that were asked for and are missing'),
  pairs: count.describe('pairs in the matched subset'),
  splits: z.record(BankSplit, SplitCounts).describe('by split: deals, statements, lies and truths'),
  boards: z.array(z.string()).describe('names of the boards'),
  models: z.record(z.string(), count).describe('model → statements that it made'),
  bot_statements: count.describe('statements made by built-in bots'),
  claims: count.describe('number of claims'),
  raw_spans_missing: count.describe('claims with a raw answer that does not contain their words verbatim'),
  raw_missing: count.describe('statements without a raw answer'),
  prompts_missing: count.describe('prompts that were sent and are not in the bank'),
  without_villager: count.describe(
    'labeled statements that were heard by no plain villager who could not know the label',
  ),
});
export type BankCounts = z.infer<typeof BankCounts>;

/** The record of a bank. */
export const BankRecord = z.strictObject({
  bank_version: z.literal(1).describe('1; raised when older readers could not read newer banks'),
  wolfgraph: z.string().describe('version of Wolfgraph that made it'),
  sha256: sha256.describe('hash of the bank: SHA-256 over the lines `HASH  NAME` of its files'),
  files: z
    .record(z.string(), z.strictObject({ sha256, rows: count }))
    .describe('file → its SHA-256 and number of rows'),
  license: z
    .string()
    .nullable()
    .describe('license of the texts, as stated by the maker of the bank; null if not stated'),
  claims_by: z.string().describe('extractor of the claims: `rules`, or the model string of a judge'),
  reader_errors: ExtractorErrors.nullable().describe(
    'measured errors of that extractor, as `validate --claims` writes them; null if not measured',
  ),
  counts: BankCounts.describe('counts of the contents'),
  left_out: z.record(z.string(), count).describe('reason → records that were left out'),
});
export type BankRecord = z.infer<typeof BankRecord>;

interface SplitTally {
  deals: Set<string>;
  statements: number;
  lies: number;
  truths: number;
}

const createSplitTally = (): SplitTally => ({ deals: new Set(), statements: 0, lies: 0, truths: 0 });

/** Counts the statements of a bank while they are being written. */
export class BankCounter {
  readonly #seen: Readonly<Record<BankSplit, SplitTally>> = {
    train: createSplitTally(),
    validation: createSplitTally(),
    test: createSplitTally(),
  };
  readonly #matches = new Set<string>();
  readonly #boards = new Set<string>();
  readonly #models = new Map<string, number>();
  readonly #totals = { unread: 0, silences: 0, bots: 0, claims: 0, spansMissing: 0, rawMissing: 0, alone: 0 };

  /** Adds the statements of a match, and its number of missing statements (`silences`). */
  add(match: string, statements: readonly BankStatement[], silences: number): void {
    this.#matches.add(match);
    this.#totals.silences += silences;
    for (const one of statements) this.#addStatement(one);
  }

  #addStatement(one: BankStatement): void {
    const split = this.#seen[one.split];
    split.deals.add(one.deal);
    split.statements += 1;
    if (one.is_lie === true) split.lies += 1;
    if (one.is_lie === false) split.truths += 1;
    this.#boards.add(one.board);
    this.#models.set(one.model, (this.#models.get(one.model) ?? 0) + 1);
    const totals = this.#totals;
    if (one.is_unread) totals.unread += 1;
    if (one.is_bot) totals.bots += 1;
    if (one.raw === null) totals.rawMissing += 1;
    if (one.is_lie !== null && one.villager === null) totals.alone += 1;
    totals.claims += one.claims.length;
    if (one.raw !== null) totals.spansMissing += one.claims.filter(({ raw_spans: spans }) => spans === null).length;
  }

  /** Returns the counts of the bank. `pairs`, `promptsMissing`: counts that are known only after the last match. */
  count({ pairs, promptsMissing }: { pairs: number; promptsMissing: number }): BankCounts {
    const splits = Object.entries(this.#seen).map(
      ([name, { deals, ...counts }]) => [name, { deals: deals.size, ...counts }] as const,
    );
    const total = (key: 'deals' | 'statements' | 'lies' | 'truths') =>
      splits.reduce((all, [, counts]) => all + counts[key], 0);
    const { unread, silences, bots, claims, spansMissing, rawMissing, alone } = this.#totals;
    return {
      matches: this.#matches.size,
      deals: total('deals'),
      statements: total('statements'),
      lies: total('lies'),
      truths: total('truths'),
      unlabelled: total('statements') - total('lies') - total('truths'),
      ...{ unread, silences, pairs },
      splits: Object.fromEntries(splits) as BankCounts['splits'],
      boards: [...this.#boards].sort(),
      models: Object.fromEntries([...this.#models].sort(([one], [other]) => (one < other ? -1 : 1))),
      bot_statements: bots,
      claims,
      raw_spans_missing: spansMissing,
      raw_missing: rawMissing,
      prompts_missing: promptsMissing,
      without_villager: alone,
    };
  }
}
