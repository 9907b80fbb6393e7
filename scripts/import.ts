// Turns games that another program recorded into records: `npm run import -- --format arena <folder>`.
import { Command, Option } from 'commander';
import { runScript } from './command/exit.ts';

await runScript(async () => {
  const program = new Command('npm run import --')
    .description(
      'Turns games that another program recorded into records, on which show and report work. Says where a game did not go as the rules have it.',
    )
    .argument('<folders...>', 'folders of sessions, each with game_complete.json and game_logs.json')
    .addOption(
      new Option('--format <format>', 'whose sessions they are: arena is Werewolf Arena or DSGBench')
        .choices(['arena'])
        .makeOptionMandatory(),
    )
    .option('--out <folder>', 'where the folders of the matches are made', 'runs')
    .showHelpAfterError('(--help lists all options)')
    .exitOverride()
    .parse();
  const { out } = program.opts<{ out: string }>();
  const { importArena, writeImported } = await import('../graph/import/import-match.ts');
  const matches = program.args.map((folder) => importArena(folder, Date.now())); // all are read before one is written
  for (const match of matches) {
    process.stdout.write(`${writeImported(match, out)}\n`);
    for (const { round, phase, text } of match.report.differences)
      process.stdout.write(`  round ${round}, ${phase}: ${text}\n`);
  }
});
