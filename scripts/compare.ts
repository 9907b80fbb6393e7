// Says whether two sets of matches, two models, or two annotators differ: `npm run compare -- <a> [b]`.
import { Command, Option } from 'commander';
import { UsageError } from '../state/usage-error.ts';
import type { AnnotatorOptions, FolderOptions } from './compare/compare-records.ts';
import { runScript } from './command/exit.ts';
import { countFlag, wholeFlag } from './command/number-flags.ts';

interface Flags extends Omit<FolderOptions, 'folders'> {
  annotators?: readonly string[];
}

/** Two folders, or one and two annotators; a UsageError for anything else. */
function optionsOf(
  [a, b]: readonly (string | undefined)[],
  { annotators, ...flags }: Flags,
): FolderOptions | AnnotatorOptions {
  if (annotators === undefined) {
    if (a === undefined || b === undefined)
      throw new UsageError('Name two folders of matches, or one with --annotators X Y. (--help lists all options)');
    return { ...flags, folders: [a, b] };
  }
  const [x, y, ...more] = annotators;
  if (x === undefined || y === undefined || x === y || more.length > 0 || a === undefined || b !== undefined)
    throw new UsageError(
      `--annotators compares two different annotators of one folder, which is named before it: npm run compare -- runs/my-set --annotators X Y. Here are the folders ${wordsIn([a, b])} and the annotators ${wordsIn(annotators)}.`,
    );
  return { ...flags, folder: a, annotators: [x, y] };
}

const wordsIn = (names: readonly (string | undefined)[]) =>
  names.filter((name) => name !== undefined).join(', ') || '(none)';

await runScript(async () => {
  const program = new Command('npm run compare --')
    .description(
      'Compares two sets of matches deal by deal, or two annotators of one set, and writes comparison.md and comparison.json. See docs/compare.md.',
    )
    .argument('[a]', 'a folder of matches, e.g. runs/xy')
    .argument('[b]', 'a folder with matches of the same deals')
    .option('--plan <file>', 'an analysis plan: at most five primary endpoints, named beforehand')
    .addOption(
      new Option(
        '--by <what>',
        'what is set against what (default: models where they changed sides, else the folders)',
      ).choices(['condition', 'model']),
    )
    .addOption(
      new Option(
        '--annotators <models...>',
        'two models that annotated the matches of one folder: what both judged is compared',
      ).conflicts('by'),
    )
    .option('--judge <model>', 'whose claims stand behind verdicts, in place of the rules’; they must be recorded')
    .option('--out <folder>', 'where the files go', 'comparison')
    .option('--seed <n>', 'of the swaps', wholeFlag, 1)
    .option('--resamples <n>', 'random swaps behind each p and interval', countFlag, 2000)
    .allowExcessArguments(false)
    .showHelpAfterError('(--help lists all options)')
    .exitOverride()
    .parse();
  const options = optionsOf(program.args, program.opts<Flags>());
  const { compareRecords } = await import('./compare/compare-records.ts');
  const { files, warnings } = await compareRecords(options);
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  for (const file of files) process.stdout.write(`${file}\n`);
});
