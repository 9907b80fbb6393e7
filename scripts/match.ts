// Plays a match, or many: `npm run match`.
import { randomInt } from 'node:crypto';
import { runScript } from './command/exit.ts';
import { asksForHelp, readFlags } from './command/match-flags.ts';

/** Large enough never to repeat by chance, small enough to be typed. */
const seeds = 1_000_000;

// What follows the command line is loaded only when it is needed, so that a mistyped option is answered at once.
await runScript(async () => {
  const argv = process.argv.slice(2);
  const help = asksForHelp(argv) ? (await import('./command/match-help.ts')).matchHelp() : '';
  const { flags, file } = readFlags(argv, help);
  const { readCommand } = await import('./command/match-command.ts');
  const command = await readCommand(flags, file, randomInt(seeds));
  if (command.manner.dryRun) await (await import('./dry-run.ts')).dryRun(command);
  else if (command.manner.matches !== undefined) await (await import('./play-set.ts')).playSet(command, argv);
  else await (await import('./play-command.ts')).playCommand(command);
});
