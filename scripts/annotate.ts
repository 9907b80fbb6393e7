// Has a model judge recorded statements from the views of those who heard them: `npm run annotate -- <records…> --model …`.
import { Option } from 'commander';
import { createCommand, readCost, readCount } from './command/command-line.ts';
import { runScript, type CommandIO } from './command/exit.ts';
import type { AnnotateFlags } from './annotate/annotate-records.ts';

const about =
  'Has a model judge the statements of recorded matches from the views of those who heard them. Its answers are kept beside each record, in annotations.<model>.ndjson; what is kept is not asked again. See docs/annotate.md.';

export async function runAnnotate(argv: readonly string[], io: CommandIO): Promise<number> {
  const program = createCommand('annotate', about, io)
    .argument('<records...>', 'folders of matches, or folders that hold such, e.g. runs')
    .requiredOption('--model <model>', 'who judges, e.g. openai:gpt-4o?temperature=0.5')
    .option('--repeat <n>', 'ask the same so often, to see whether the answers agree', readCount, 1)
    .addOption(
      new Option(
        '--listeners <which>',
        'from whose views: of one who could not know, drawn for each statement, or of all who heard it',
      )
        .choices(['one', 'all'])
        .default('one'),
    )
    .option('--concurrency <n>', 'calls under way at the same time (default: 32)', readCount)
    .option('--max-cost <usd>', 'start no call once so much is spent, on all these records together', readCost)
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
    .parse(argv, { from: 'user' });
  const { annotateRecords } = await import('./annotate/annotate-records.ts');
  return annotateRecords(program.args, program.opts<AnnotateFlags>(), io);
}

if (import.meta.main) await runScript(runAnnotate);
