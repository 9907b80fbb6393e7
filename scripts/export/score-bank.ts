// Obtains scores of a bank's statements: from a model, whose answers are cached in the bank's folder, or from a file.
import type { BankRecord } from '../../deception/bank/bank-record.ts';
import type { BankPair, BankStatement } from '../../deception/bank/bank-rows.ts';
import type { ScoredStatement } from '../../deception/bank/detector-scores.ts';
import { createAnswerCache, estimateAnnotation, runAnnotation } from '../../graph/annotation/annotation-run.ts';
import {
  type DetectorItem,
  type DetectorViewName,
  listDetectorItems,
} from '../../graph/annotation/detector-questions.ts';
import { checkPrices } from '../../graph/play-match.ts';
import type { CallLimits } from '../../models/call-limits.ts';
import { tellServers } from '../../models/key-policy.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { addMissingKeys } from '../../models/providers/index.ts';
import { getKeptAnswersFile, readKeptAnswers } from '../../models/record/annotation-log.ts';
import { sum } from '../../deception/statistics/sums.ts';
import { parseJson } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { CommandIO } from '../command/command-line.ts';
import { pluralize } from '../../report/format.ts';
import { formatUsage } from '../console/estimate-text.ts';
import { countCalls, hasTerminal } from '../console/progress.ts';
import { followAnswers, openModels } from '../run/ask-judges.ts';
import { readBank, readBankTable } from './bank-files.ts';

/** A bank to be scored. */
export interface ScoredBank {
  folder: string;
  record: BankRecord;
  statements: readonly BankStatement[];
  pairs: readonly BankPair[];
}

/**
 * Reads the tables of a bank that scoring needs. Throws like `readBank` and `readBankTable`.
 *
 * @example openScoredBank('bank').statements.length
 */
export function openScoredBank(folder: string): ScoredBank {
  const record = readBank(folder);
  return {
    ...{ folder, record },
    statements: readBankTable(folder, record, 'statements'),
    pairs: readBankTable(folder, record, 'matched'),
  };
}

/** Settings for asking a model about a bank. */
export interface AskedDetector extends CallLimits {
  /** Model string. */
  model: string;
  view: DetectorViewName;
  dryRun: boolean;
  quiet: boolean;
}

/**
 * Asks a model the questions that it has not answered yet, and returns its scores of all statements; null after a dry
 * run. Answers are cached in `scores.<model>.ndjson` in the bank's folder. Throws like `runAnnotation`; the answers so
 * far stay cached.
 */
export async function askDetector(
  { folder, record, ...bank }: ScoredBank,
  wanted: readonly BankStatement[],
  { model: spec, view, dryRun, quiet, ...limits }: AskedDetector,
  io: CommandIO,
): Promise<ScoredStatement[] | null> {
  const tell = (line: string) => void (quiet || io.stderr.write(`${line}\n`));
  const model = await openModels(spec, dryRun ? addMissingKeys(spec, io.env) : io.env)(0);
  if (model.isBot)
    throw new UsageError(
      `${spec} is a bot, and bots cannot score a bank. Name a language model, or a file of scores with --scores FILE.`,
    );
  const messages = readBankTable(folder, record, 'prompts').map((one) => [one.prompt_sha256, one.messages] as const);
  const asked = new Set(wanted.map(({ row }) => row));
  const items = listDetectorItems({ statements: bank.statements, prompts: new Map(messages) }, view).filter(({ row }) =>
    asked.has(row),
  );
  const file = getKeptAnswersFile(folder, 'scores', model.text ?? model.spec);
  const before = createAnswerCache(readKeptAnswers(file));
  const open = items.filter((item) => !before.isAnswered(item));
  const paid = sum(items.flatMap((item) => before.linesOf(item).map(({ cost }) => cost ?? 0)));
  if (open.length > 0) tellServers(io.env);
  tell(
    formatUsage(
      pluralize(items.length, 'statement'),
      [{ questions: items.length, left: estimateAnnotation(open, model), paid }],
      limits.maxCost,
    ),
  );
  if (dryRun) return null;
  if (open.length > 0) {
    if (limits.maxCost !== undefined) checkPrices({ seat: { choice: model, talk: model } }, limits.maxCost);
    const progress = countCalls(
      !quiet && hasTerminal(io),
      quiet ? undefined : (line) => void io.stderr.write(`${line}\n`),
    );
    try {
      const { listeners } = followAnswers(progress, io);
      const run = { id: record.sha256.slice(0, 12), folder, kind: 'scores', seed: 1 } as const;
      await runAnnotation(run, items, model, { ...limits, ...listeners });
    } finally {
      progress.stop();
      io.releaseSignals();
    }
  }
  return readAnswers(items, wanted, readKeptAnswers(file));
}

function readAnswers(
  items: readonly DetectorItem[],
  wanted: readonly BankStatement[],
  lines: ReturnType<typeof readKeptAnswers>,
): ScoredStatement[] {
  const cache = createAnswerCache(lines);
  const scores = new Map(
    items.map((item) => {
      const read = item.prompt.answer.safeParse(cache.linesOf(item).at(-1)?.answer);
      return [item.row, read.success ? read.data.p_lie : null];
    }),
  );
  return wanted.map((statement) => ({ statement, score: scores.get(statement.row) ?? null }));
}

/** Size limit of a file of scores, in bytes. */
const largestFile = 256 * 2 ** 20;

/**
 * Reads scores from a file: one number per line in the order of the bank's statements (an empty line for none), or JSON
 * Lines with `row` and `score`. Throws a UsageError that names the line for anything else.
 *
 * @example readScores('probe.txt', statements).filter(({ score }) => score !== null).length
 */
export function readScores(file: string, statements: readonly BankStatement[]): ScoredStatement[] {
  let text: string;
  try {
    text = getDisk().readInput(file, largestFile);
  } catch (error) {
    throw new UsageError(`--scores ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return lines.find((line) => line.trim() !== '')?.startsWith('{') === true
    ? readNamedScores(file, lines, statements)
    : readOrderedScores(file, lines, statements);
}

function readOrderedScores(file: string, lines: readonly string[], statements: readonly BankStatement[]) {
  if (lines.length !== statements.length)
    throw new UsageError(
      `--scores ${file} has ${lines.length} lines, but the bank has ${statements.length} statements. Expected one number per row of statements.jsonl, in its order, or JSON Lines with "row" and "score".`,
    );
  return statements.map((statement, place) => {
    const line = lines[place]?.trim() ?? '';
    const score = line === '' ? null : Number(line);
    if (score !== null && !Number.isFinite(score)) throw createLineError(file, place, line);
    return { statement, score };
  });
}

function readNamedScores(file: string, lines: readonly string[], statements: readonly BankStatement[]) {
  const scores = new Map<string, number>();
  const known = new Set(statements.map(({ row }) => row));
  for (const [place, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const { row, score } = (parseJson(line) ?? {}) as { row?: unknown; score?: unknown };
    if (typeof row !== 'string' || typeof score !== 'number' || !Number.isFinite(score))
      throw createLineError(file, place, line);
    if (!known.has(row))
      throw new UsageError(
        `--scores ${file}, line ${place + 1}: the bank has no row ${JSON.stringify(row)}. Expected a row of statements.jsonl.`,
      );
    if (scores.has(row))
      throw new UsageError(
        `--scores ${file}, line ${place + 1}: ${JSON.stringify(row)} already has a score. Remove one of the two lines.`,
      );
    scores.set(row, score);
  }
  return statements.map((statement) => ({ statement, score: scores.get(statement.row) ?? null }));
}

const createLineError = (file: string, place: number, line: string) =>
  new UsageError(
    `--scores ${file}, line ${place + 1} is ${JSON.stringify(line.slice(0, 80))}. Expected a number, or {"row": "MATCH/s1.1", "score": 0.5}.`,
  );
