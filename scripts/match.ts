// Plays a match, or many: `npm run match`.
import { randomInt } from 'node:crypto';
import { runScript, type CommandIO } from './command/command-line.ts';
import { isHelpAsked, readFlags } from './command/match-options.ts';

/** Large enough never to repeat by chance, small enough to be typed. */
const seeds = 1_000_000;

/** What follows the command line is loaded only when it is needed, so that a mistyped option is answered at once. */
export async function runMatch(argv: readonly string[], io: CommandIO): Promise<number> {
  const help = isHelpAsked(argv) ? (await import('./command/match-options.ts')).formatMatchHelp() : '';
  const { flags, file } = readFlags(argv, io, help);
  const { readMatchCommand } = await import('./command/match-command.ts');
  const command = readMatchCommand(flags, file, randomInt(seeds));
  if (command.manner.dryRun) return (await import('./play.ts')).runDry(command, io);
  return (await import('./play.ts')).play(command, argv, io);
}

if (import.meta.main) await runScript(runMatch);
