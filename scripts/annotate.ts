// Has a model judge recorded statements from the views of those who heard them: `npm run annotate -- <records…> --model …`.
import { Command, Option } from 'commander';
import { runScript } from './command/exit.ts';
import { costFlag, countFlag } from './command/number-flags.ts';
import type { AnnotateFlags } from './annotate/annotate-records.ts';

await runScript(async () => {
  const program = new Command('npm run annotate --')
    .description(
      'Has a model judge the statements of recorded matches from the views of those who heard them. Its answers are kept beside each record, in annotations.<model>.ndjson; what is kept is not asked again. See docs/annotate.md.',
    )
    .argument('<records...>', 'folders of matches, or folders that hold such, e.g. runs')
    .requiredOption('--model <model>', 'who judges, e.g. openai:gpt-4o?temperature=0.5')
    .option('--repeat <n>', 'ask the same so often, to see whether the answers agree', countFlag, 1)
    .addOption(
      new Option(
        '--listeners <which>',
        'from whose views: of one who could not know, drawn for each statement, or of all who heard it',
      )
        .choices(['one', 'all'])
        .default('one'),
    )
    .option('--concurrency <n>', 'calls under way at the same time (default: 32)', countFlag)
    .option('--max-cost <usd>', 'start no call once so much is spent, on all these records together', costFlag)
    .option('--dry-run', 'only estimate calls, tokens and cost; call and write nothing')
    .option('--quiet', 'print nothing but errors')
    .addHelpText(
      'after',
      `
Matches that are not over and records that cannot be read are named and left
out. The same command goes on with what was stopped.

Exit codes: 0 done, 1 records left out or anything else, 2 wrong usage,
3 the provider, 4 the budget, 130 and 143 stopped by a signal.`,
    )
    .showHelpAfterError('(--help lists all options)')
    .exitOverride()
    .parse();
  const { annotateRecords } = await import('./annotate/annotate-records.ts');
  await annotateRecords(program.args, program.opts<AnnotateFlags>());
});
