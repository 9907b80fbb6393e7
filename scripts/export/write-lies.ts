// `export lies`: writes a bank of recorded statements with verified labels.
import { BankCounter, type BankRecord } from '../../deception/bank/bank-record.ts';
import type { BankTable } from '../../deception/bank/bank-rows.ts';
import { buildBankMatch } from '../../deception/bank/build-bank.ts';
import { listMatchedPairs, type PairedStatement, readPairedStatement } from '../../deception/bank/match-pairs.ts';
import { extractMatchClaims } from '../../deception/claims/match-claims.ts';
import { formatJudges, type JudgePlan } from '../../deception/claims/majority-claims.ts';
import { rulesExtractor } from '../../deception/metrics/comparability.ts';
import { listDetectorQuestions } from '../../graph/annotation/detector-questions.ts';
import { convertToAnswer, readImportedCalls } from '../../graph/import/imported-match.ts';
import { hashMessages } from '../../models/call-model.ts';
import { readWolfgraphVersion } from '../../models/record/provenance.ts';
import { readStoredPrompts } from '../../models/record/stored-prompts.ts';
import { formatMessages } from '../../models/send-question.ts';
import type { PromptMessage } from '../../models/model.ts';
import { renderBankCard } from '../../report/bank-card.ts';
import { formatWhole } from '../../report/format.ts';
import { formatCallKey } from '../../state/record.ts';
import { readEachMatch } from '../compare/read-matches.ts';
import type { CommandIO } from '../command/command-line.ts';
import { describeLeftOut, readSources, type UsableMatch } from '../report/match-inventory.ts';
import type { MeasurementCache } from '../report/measurement-cache.ts';
import { readExtractorErrors } from '../report/read-extractor-errors.ts';
import { openBank, type OpenBank } from './bank-files.ts';

/** Matches to export, and where and how to export them. */
export interface LiesOptions {
  folders: readonly string[];
  out: string;
  judge: JudgePlan | undefined;
  /** File of the extractor's measured errors. */
  errors: string | undefined;
  license: string | undefined;
  withJudgments: boolean;
  cache: MeasurementCache | null;
}

/**
 * Writes the bank. Returns its record, and prints what was left out. Throws like `readEachMatch` and `openBank`, and
 * writes nothing in that case.
 *
 * @example await writeLies({ folders: ['runs'], out: 'bank', judge: undefined, errors: undefined, license: 'CC-BY-4.0', withJudgments: true, cache: null }, io)
 */
export async function writeLies(options: LiesOptions, io: Pick<CommandIO, 'stderr' | 'step'>): Promise<BankRecord> {
  const { folders, out, judge, withJudgments, cache, license = null } = options;
  const reader_errors = readExtractorErrors(options.errors, judge);
  const tables: BankTable[] = [
    'statements',
    'prompts',
    'matched',
    'silences',
    ...(withJudgments ? ['judgments' as const] : []),
  ];
  const bank = openBank(out, tables);
  try {
    const prompts = createPromptTable(bank);
    const counter = new BankCounter();
    const paired: PairedStatement[] = [];
    const leftOut = await readEachMatch(
      folders,
      { judge },
      {
        cache,
        onStep: io.step,
        see: async (match) => {
          const { statements, silences, judgments } = await buildMatch(match, judge, { prompts, withJudgments });
          bank.add('statements', statements);
          bank.add('silences', silences);
          if (withJudgments) bank.add('judgments', judgments);
          counter.add(match.tables.match.match_id, statements, silences.length);
          paired.push(...statements.flatMap((row) => readPairedStatement(row) ?? []));
        },
      },
    );
    for (const one of leftOut) io.stderr.write(`${describeLeftOut(one)}\n`);
    const pairs = listMatchedPairs(paired);
    bank.add('matched', pairs);
    const reasons = Map.groupBy(leftOut, ({ reason }) => reason);
    return bank.finish(({ sha256, files }) => {
      const record: BankRecord = {
        bank_version: 1,
        wolfgraph: readWolfgraphVersion(),
        ...{ sha256, files, license },
        claims_by: judge ? formatJudges(judge) : rulesExtractor,
        reader_errors,
        counts: counter.count({ pairs: pairs.length, promptsMissing: prompts.missing() }),
        left_out: Object.fromEntries(
          [...reasons].map(([reason, some]): [string, number] => [reason, some.length]).sort(),
        ),
      };
      return { record, card: renderBankCard(record) };
    });
  } catch (error) {
    bank.discard();
    throw error;
  }
}

type PromptTable = ReturnType<typeof createPromptTable>;

/** Creates the table of prompts. It writes each distinct prompt once, when it first occurs. */
function createPromptTable(bank: OpenBank) {
  const written = new Set<string>();
  let missing = 0;
  return {
    /** Adds a prompt and returns its hash. */
    add: (messages: readonly PromptMessage[], hash = hashMessages(messages)): string => {
      if (!written.has(hash)) bank.add('prompts', [{ prompt_sha256: hash, messages: messages.map(copyMessage) }]);
      written.add(hash);
      return hash;
    },
    noteMissing: () => void (missing += 1),
    missing: () => missing,
  };
}

const copyMessage = ({ role, content }: PromptMessage) => ({ role, content });

/** Builds the rows of one match and writes its prompts. */
async function buildMatch(
  { folder, tables }: UsableMatch,
  judge: JudgePlan | undefined,
  { prompts, withJudgments }: { prompts: PromptTable; withJudgments: boolean },
) {
  const { record, sources } = await readSources(folder, { judge });
  const judged = extractMatchClaims(record, sources.judge?.extract, { presupposed: sources.presupposed }).statements;
  const views = new Map(
    listDetectorQuestions(record, judged).map(({ statement, villager, messages, prompt_sha256: hash }) => [
      statement,
      { villager, prompt_sha256: prompts.add(messages, hash) },
    ]),
  );
  const stored = await readStoredPrompts(folder, record);
  const sent = new Map(
    stored.prompts.filter(({ isSealed }) => isSealed).map((one) => [formatCallKey(one), one.messages]),
  );
  const calls = record.manifest.imported ? readImportedCalls(folder) : [];
  const answered = calls.map((call) => ({
    prompt: call.prompt,
    answer: convertToAnswer(call, record.manifest.setup.models[call.player] ?? ''),
  }));
  const imported = new Map(answered.map(({ prompt, answer }) => [formatCallKey(answer), prompt]));
  return buildBankMatch({
    record: { ...record, answers: [...record.answers, ...answered.map(({ answer }) => answer)] },
    tables,
    withJudgments,
    views,
    promptOf: (answer) => {
      const original = imported.get(formatCallKey(answer));
      if (typeof original === 'string') return prompts.add([{ role: 'user', content: original }]);
      const messages = sent.get(formatCallKey(answer));
      if (messages) return prompts.add(formatMessages(messages, answer.sent_as ?? []));
      prompts.noteMissing();
      return null;
    },
  });
}

/**
 * Summarizes the new bank for people.
 *
 * @example summarizeBank('bank', record)
 */
export function summarizeBank(out: string, { counts, sha256, license }: BankRecord): string {
  const { statements, matches, lies, truths, pairs } = counts;
  return [
    `${formatWhole(statements)} statements of ${formatWhole(matches)} matches in ${out}: ${formatWhole(lies)} lies, ${formatWhole(truths)} without a lie, ${formatWhole(pairs)} matched pairs. Hash: ${sha256}`,
    ...(license === null ? ['Its card states no license: add one with --license before you share the bank.'] : []),
  ]
    .map((line) => `${line}\n`)
    .join('');
}
