// Converts games recorded by another program to records: `npm run import -- <folder>`.
import path from 'node:path';
import { Option } from 'commander';
import { getMachine } from '../models/machine/machine.ts';
import { type CommandIO, createCommand, describeError, exitCodes, runScript } from './command/command-line.ts';
import { quoteActingName } from '../state/text.ts';
import { sanitizeText } from '../report/format.ts';
import type { DamagedGame, ImportedMatch } from '../graph/import/imported-match.ts';
import type { Discrepancy } from '../graph/import/recorded-game-replay.ts';

const about =
  'Convert games recorded by other programs to records for show, report and export. Recognizes the format of each game by its contents. Lists where a game deviated from the rules.';

export async function runImport(argv: readonly string[], io: CommandIO): Promise<number> {
  const { formatNames, readGames } = await import('../graph/import/import-match.ts');
  const program = createCommand('import', about, io)
    .argument('<paths...>', 'files of games, or folders with games, which are searched three levels deep')
    .addOption(
      new Option(
        '--format <format>',
        "accept only games in this format: arena is Werewolf Arena, dsgbench is DSGBench, kaggle-episode and kaggle-timeline are Kaggle's Game Arena (native, as published), kaggle is both, aiwolf is the AIWolf contests, secret-mafia (textarena) is TextArena's SecretMafia",
      ).choices(formatNames),
    )
    .option('--out <folder>', 'folder for the folders of the matches', 'runs')
    .addHelpText(
      'after',
      `
Damaged games are named on standard error and left out.

Exit codes: 0 all imported, 1 some left out or none can be imported,
2 wrong usage or no game found.`,
    )
    .parse(argv, { from: 'user' });
  const { format = null, out } = program.opts<{ format?: string; out: string }>();
  const { writeImported } = await import('../graph/import/imported-match.ts');
  const damaged: DamagedGame[] = [];
  const leftOut: string[] = [];
  const differences = new Map<string, readonly Discrepancy[]>();
  /** Yields the games one by one, and keeps only what is printed about each game. */
  function* takeGames(): Generator<ImportedMatch> {
    let read = 0;
    io.step?.('Reading games', 0, 0);
    for (const found of readGames(format, program.args, getMachine().clock.now())) {
      if ('error' in found) damaged.push(found);
      else if ('leftOut' in found)
        leftOut.push(
          `${quoteActingName(found.leftOut)} is ${found.isSession ? 'an unfinished session' : 'no game'} and is left out\n`,
        );
      else {
        read += 1;
        io.step?.(`Reading games: ${read} imported`, 0, 0);
        differences.set(found.game.manifest.id, found.game.report.differences);
        yield found.game;
      }
    }
  }
  const folders = writeImported(takeGames(), out);
  for (const { name, error } of damaged)
    io.stderr.write(`Left out: ${quoteActingName(name)}. ${describeError(error.message)}\n`);
  for (const line of leftOut) io.stdout.write(line);
  for (const folder of folders) {
    io.stdout.write(`${quoteActingName(folder)}\n`);
    for (const { round, phase, text } of differences.get(path.basename(folder)) ?? [])
      io.stdout.write(`  round ${round}, ${phase}: ${sanitizeText(text)}\n`);
  }
  return damaged.length === 0 ? exitCodes.done : exitCodes.other;
}

if (import.meta.main) await runScript(runImport);
