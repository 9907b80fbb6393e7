// Converts games recorded by another program to records: `npm run import -- <folder>`.
import { Option } from 'commander';
import { getMachine } from '../models/machine/machine.ts';
import { type CommandIO, createCommand, describeError, exitCodes, runScript } from './command/command-line.ts';
import { quoteActingName } from '../state/text.ts';
import { sanitizeText } from '../report/format.ts';

const about =
  'Turns games that other programs recorded into records, on which show, report and export work. Recognizes the format of each game by its contents. Says where a game did not go as the rules have it.';

export async function runImport(argv: readonly string[], io: CommandIO): Promise<number> {
  const { formatNames, importMatches } = await import('../graph/import/import-match.ts');
  const program = createCommand('import', about, io)
    .argument('<paths...>', 'files of games, or folders that hold games, also in folders below (three levels)')
    .addOption(
      new Option(
        '--format <format>',
        "accept only these games: arena and dsgbench are Werewolf Arena and DSGBench, kaggle-episode and kaggle-timeline Kaggle's Game Arena, native or as published, kaggle both",
      ).choices(formatNames),
    )
    .option('--out <folder>', 'where the folders of the matches are made', 'runs')
    .addHelpText(
      'after',
      `
Games that are damaged are named on standard error and left out.

Exit codes: 0 all are imported, 1 some are left out or none can be imported,
2 wrong usage or no game there.`,
    )
    .parse(argv, { from: 'user' });
  const { format = null, out } = program.opts<{ format?: string; out: string }>();
  const { writeImported } = await import('../graph/import/imported-match.ts');
  const { matches, leftOut, damaged } = importMatches(format, program.args, getMachine().clock.now()); // all games are read before any is written
  const folders = writeImported(matches, out);
  for (const { name, error } of damaged)
    io.stderr.write(`Left out: ${quoteActingName(name)}. ${describeError(error.message)}\n`);
  for (const file of leftOut) io.stdout.write(`${quoteActingName(file)} is no game and is left out\n`);
  for (const [index, folder] of folders.entries()) {
    io.stdout.write(`${quoteActingName(folder)}\n`);
    for (const { round, phase, text } of matches[index]!.report.differences)
      io.stdout.write(`  round ${round}, ${phase}: ${sanitizeText(text)}\n`);
  }
  return damaged.length === 0 ? exitCodes.done : exitCodes.other;
}

if (import.meta.main) await runScript(runImport);
