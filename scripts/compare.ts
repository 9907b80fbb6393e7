// Says whether two sets of matches, or two models, differ: `npm run compare -- <a> <b>`.
import { Command, Option } from 'commander';
import type { CompareOptions } from './compare/compare-records.ts';
import { runScript } from './command/exit.ts';
import { countFlag, wholeFlag } from './command/number-flags.ts';

type Flags = Pick<CompareOptions, 'plan' | 'by' | 'judge' | 'out' | 'seed' | 'resamples'>;

await runScript(async () => {
  const program = new Command('npm run compare --')
    .description(
      'Compares two sets of matches deal by deal, and writes comparison.md and comparison.json. See docs/compare.md.',
    )
    .argument('<a>', 'a folder of matches, e.g. runs/xy')
    .argument('<b>', 'a folder with matches of the same deals')
    .option('--plan <file>', 'an analysis plan: at most five primary endpoints, named beforehand')
    .addOption(
      new Option(
        '--by <what>',
        'what is set against what (default: models where they changed sides, else the folders)',
      ).choices(['condition', 'model']),
    )
    .option('--judge <model>', 'whose claims stand behind verdicts, in place of the rules’; they must be recorded')
    .option('--out <folder>', 'where the files go', 'comparison')
    .option('--seed <n>', 'of the swaps', wholeFlag, 1)
    .option('--resamples <n>', 'random swaps behind each p and interval', countFlag, 2000)
    .allowExcessArguments(false)
    .showHelpAfterError('(--help lists all options)')
    .exitOverride()
    .parse();
  const [a, b] = program.args as [string, string];
  const { compareRecords } = await import('./compare/compare-records.ts');
  const { files, warnings } = await compareRecords({ a, b, ...program.opts<Flags>() });
  for (const warning of warnings) process.stderr.write(`${warning}\n`);
  for (const file of files) process.stdout.write(`${file}\n`);
});
