// Turns games that another program recorded into records: `npm run import -- --format arena <folder>`.
import { Option } from 'commander';
import { type CommandIO, createCommand, runScript } from './command/command-line.ts';

const about =
  'Turns games that another program recorded into records, on which show and report work. Says where a game did not go as the rules have it.';

export async function runImport(argv: readonly string[], io: CommandIO): Promise<void> {
  const program = createCommand('import', about, io)
    .argument('<folders...>', 'folders of sessions, each with game_complete.json and game_logs.json')
    .addOption(
      new Option('--format <format>', 'whose sessions they are: arena is Werewolf Arena or DSGBench')
        .choices(['arena'])
        .makeOptionMandatory(),
    )
    .option('--out <folder>', 'where the folders of the matches are made', 'runs')
    .parse(argv, { from: 'user' });
  const { out } = program.opts<{ out: string }>();
  const { importArena, writeImported } = await import('../graph/import/import-match.ts');
  const matches = program.args.map((folder) => importArena(folder, Date.now())); // all are read before one is written
  for (const match of matches) {
    io.stdout.write(`${writeImported(match, out)}\n`);
    for (const { round, phase, text } of match.report.differences)
      io.stdout.write(`  round ${round}, ${phase}: ${text}\n`);
  }
}

if (import.meta.main) await runScript(runImport);
