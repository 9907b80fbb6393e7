// Commands on banks of verified lies: `npm run bank -- score bank --model openai:gpt-4o`.
import { Option } from 'commander';
import { BankSplit } from '../deception/bank/bank-split.ts';
import { measureDetector } from '../deception/bank/detector-scores.ts';
import { createResampling } from '../deception/statistics/bootstrap.ts';
import { type DetectorViewName, detectorViews } from '../graph/annotation/detector-questions.ts';
import { type CallLimits, selectLimits } from '../models/call-limits.ts';
import { normalizeModelSpec } from '../models/providers/index.ts';
import { renderDetector } from '../report/detector-text.ts';
import { nameCommand } from '../state/command-name.ts';
import { identifyModel } from '../state/model-identity.ts';
import { UsageError } from '../state/usage-error.ts';
import {
  allowKeyOption,
  type CommandIO,
  type CommandPart,
  createCommandPart,
  exitCodes,
  modelsFileOption,
  printError,
  readCount,
  runCommandPart,
  runScript,
} from './command/command-line.ts';
import { resolveNames } from './command/judge-options.ts';
import { addLimitOptions, recordLimitWords } from './command/limit-options.ts';
import { askDetector, openScoredBank, readScores } from './export/score-bank.ts';
import { dryNotice } from './run/ask-judges.ts';

/**
 * Number of bootstrap resamples. With 400, bounds are stable to a hundredth. More resamples would be slow, because each
 * statement may have its own score.
 */
const bankResamples = 400;

interface ScoreFlags extends CallLimits {
  model?: string;
  scores?: string;
  view: DetectorViewName;
  split?: BankSplit;
  labelled?: boolean;
  models?: string;
  resamples: number;
  dryRun?: boolean;
  json?: boolean;
  quiet?: boolean;
}

async function runScore(argv: readonly string[], io: CommandIO): Promise<number> {
  const program = addLimitOptions(
    createCommandPart(
      'bank',
      'score',
      'Score a lie detector on a bank: AUROC, true positives at 1% and 5% false positives, calibration and pairs, with intervals clustered by deal, next to chance and the listeners at the table. See docs/guides/lie-detection.md.',
      io,
    )
      .argument('<bank>', 'folder of a bank written by `export lies`')
      .option('--model <model>', 'ask this model about each statement; answers are cached in the bank')
      .option(
        '--scores <file>',
        'scores of another detector: one number per line in the order of statements.jsonl, or JSON Lines with row and score; higher means more likely a lie',
      )
      .addOption(
        new Option(
          '--view <whose>',
          'what the model sees: the view of a living plain villager who could not know the label, or the statement only',
        )
          .choices(detectorViews)
          .default('villager'),
      )
      .addOption(new Option('--split <name>', 'use only this split of the bank').choices(BankSplit.options))
      .option('--labelled', 'ask about labeled statements only; the paired share then has fewer pairs')
      .option('--resamples <n>', 'number of resamples behind each interval', readCount, bankResamples)
      .option(...modelsFileOption)
      .option(...allowKeyOption),
    recordLimitWords,
  )
    .option('--dry-run', 'only estimate calls, tokens and cost; make no calls and write nothing')
    .option('--json', 'print JSON')
    .option('--quiet', 'do not print the estimate')
    .addHelpText(
      'after',
      `
Run the same command again to resume.

Exit codes: 0 done, 1 another error, 2 wrong usage, 3 provider failure,
4 budget reached, 129 and above stopped by a signal.`,
    )
    .parse(argv, { from: 'user' });
  const flags = program.opts<ScoreFlags>();
  const { model: typed, scores, view, split, labelled = false, dryRun = false, quiet = false } = flags;
  if ((typed === undefined) === (scores === undefined))
    throw new UsageError(
      'Name one detector: --model MODEL asks a model, --scores FILE reads another detector’s scores.',
    );
  io.step?.('Reading the bank', 0, 0);
  const bank = openScoredBank(program.args[0] ?? '');
  const isWanted = ({ split: own, is_lie: isLie }: (typeof bank.statements)[number]) =>
    (split === undefined || own === split) && !(labelled && isLie === null);
  const wanted = bank.statements.filter(isWanted);
  const [name] = typed === undefined ? [] : resolveNames([typed], flags.models);
  const model = name === undefined ? undefined : normalizeModelSpec(name);
  try {
    const scored =
      model === undefined
        ? readScores(scores ?? '', bank.statements).filter(({ statement }) => isWanted(statement))
        : await askDetector(bank, wanted, { model, view, dryRun, quiet, ...selectLimits(flags) }, io);
    if (scored === null) {
      io.stdout.write(dryNotice);
      return exitCodes.done;
    }
    io.step?.('Resampling', 0, 0);
    const deals = new Set(wanted.map(({ deal }) => deal)).size;
    const rows = new Set(wanted.map(({ row }) => row));
    const pairs = bank.pairs.filter(({ lie }) => rows.has(lie));
    const result = measureDetector(scored, pairs, createResampling(deals, flags.resamples, 1));
    const words = {
      detector: model === undefined ? `Scores of ${scores ?? ''}` : `${identifyModel(model)} (view: ${view})`,
      bank: bank.record.sha256,
      missing: scored.filter(({ statement, score }) => score === null && statement.is_lie !== null).length,
      botStatements: wanted.filter((one) => one.is_bot).length,
    };
    io.stdout.write(flags.json ? `${JSON.stringify({ ...words, ...result })}\n` : `${renderDetector(result, words)}`);
    return exitCodes.done;
  } catch (error) {
    const isAsking = model !== undefined && !(error instanceof UsageError);
    return printError(error, io, isAsking ? 'Answers so far are cached. Run the same command again to resume.' : '');
  }
}

const formatHelp = () => `Usage: ${nameCommand('bank')} PART [arguments]

Works with banks of verified lies, which ${nameCommand('export')} lies writes.
See docs/guides/lie-detection.md.

  score BANK --model MODEL    scores a model as a lie detector
  score BANK --scores FILE    scores any other detector

${nameCommand('bank')} PART --help lists the arguments of each.
`;

const parts: Readonly<Record<string, CommandPart>> = { score: runScore };

/** Names of the command's parts, each with its own options. */
export const bankParts: readonly string[] = Object.keys(parts);

/** Runs the part that the first argument names. Throws a UsageError for an unknown part. */
export const runBank = (argv: readonly string[], io: CommandIO): Promise<number> =>
  runCommandPart({ name: 'bank', parts, formatHelp }, argv, io);

if (import.meta.main) await runScript(runBank);
