// The options of `validate --claims`, and the function that runs it. The package's `validate` has only these options;
// in a clone, `validate` has two more validations.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../../state/usage-error.ts';
import { allowKeyOption, type CommandIO, modelsFileOption } from '../command/command-line.ts';
import { addJudgeOptions, type JudgeFlags, readJudgePlan, resolveJudges } from '../command/judge-options.ts';
import { addLimitOptions } from '../command/limit-options.ts';
import { type CorpusName, corpusNames, type CorpusSplit } from './corpora/read-corpus.ts';

/** Typed options of `validate --claims`. */
export interface ClaimsFlags extends JudgeFlags {
  models?: string;
  judge?: string[];
  corpus: CorpusName[];
  split: CorpusSplit | 'both';
  answers?: string;
  maxCost?: number;
  dryRun?: boolean;
  json?: boolean;
  out?: string;
}

/** Options that require --claims. */
const ofClaims = [
  'models',
  'allowKey',
  'judge',
  'judgePer',
  'repeat',
  'guard',
  'corpus',
  'split',
  'answers',
  'maxCost',
  'dryRun',
  'json',
];

/**
 * Adds the options of `--claims`.
 *
 * @example addClaimsOptions(createCommand('validate', about, io)).parse(['--claims', '--split', 'both'], { from: 'user' })
 */
export function addClaimsOptions(program: Command): Command {
  program
    .option(...modelsFileOption)
    .option(...allowKeyOption)
    .option(
      '--judge <models...>',
      'with --claims: judges that extract the claims (with several, claims that most of them extract); asked about anything they have not answered yet',
    );
  addLimitOptions(
    addJudgeOptions(program)
      .addOption(
        new Option(
          '--corpus <names>',
          `with --claims: corpora of statements, separated by commas: ${corpusNames.join(', ')}`,
        )
          .argParser(readCorpusNames)
          .default(['voices', 'table'], 'voices,table'),
      )
      .addOption(
        new Option('--split <part>', 'with --claims: part of the corpora')
          .choices(['development', 'test', 'both'])
          .default('test'),
      )
      .option(
        '--answers <folder>',
        'with --judge: folder of its cached answers (default: answers, next to the corpora)',
      ),
    { maxCost: 'with --judge: start no call once this much is spent' },
  )
    .option('--dry-run', 'with --judge: only estimate calls, tokens and cost; make no calls and write nothing')
    .option('--json', 'with --claims: print JSON instead of Markdown');
  return program;
}

/** Throws a UsageError for an option that needs `--claims`. */
export function checkClaimsOptions(program: Command): void {
  const stray = ofClaims.filter((name) => program.getOptionValueSource(name) === 'cli');
  if (stray.length > 0) throw new UsageError(`${listFlags(stray)} ${needVerb(stray)} --claims.`);
}

const listFlags = (names: readonly string[]) =>
  names.map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`).join(', ');

const needVerb = ({ length }: readonly string[]) => (length === 1 ? 'needs' : 'need');

/** Throws an InvalidArgumentError for an unknown corpus. */
function readCorpusNames(text: string): CorpusName[] {
  const names = text.split(',');
  const known = corpusNames.filter((name) => names.includes(name));
  if (known.length < names.length) throw new InvalidArgumentError(`It must be some of: ${corpusNames.join(', ')}.`);
  return known;
}

/** Compares the claims of rules or judges with labels. Throws like a judge's calls. */
export async function validateByLabels(
  {
    judge: named,
    models: file,
    judgePer,
    repeat,
    guard,
    corpus,
    dryRun = false,
    json = false,
    answers,
    out,
    ...typed
  }: ClaimsFlags,
  io: CommandIO,
): Promise<void> {
  const needing = (
    [
      ['answers', answers],
      ['max-cost', typed.maxCost],
      ['dry-run', dryRun],
    ] as const
  )
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name]) => `--${name}`);
  const models = resolveJudges(named, file) || undefined;
  const judge = readJudgePlan(models, { judgePer, repeat, guard });
  if (judge === undefined && needing.length > 0)
    throw new UsageError(`${needing.join(', ')} ${needVerb(needing)} --judge, because the rules make no calls.`);
  const { defaultAnswersFolder, validateClaims } = await import('./validate-claims.ts');
  const options = {
    ...typed,
    judge,
    corpora: corpus,
    isDry: dryRun,
    isJson: json,
    answers: answers ?? defaultAnswersFolder,
    out,
  };
  await validateClaims(options, io);
}
