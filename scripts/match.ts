// Plays one or many matches: `npm run match`.
import { randomInt } from 'node:crypto';
import { runScript, type CommandIO } from './command/command-line.ts';
import { readMatchFlags } from './command/match-options.ts';

/** Range of random seeds: large enough to avoid repeats, small enough to type. */
const seeds = 1_000_000;

const studyCommands = {
  report: async () => (await import('./report.ts')).runReport,
  compare: async () => (await import('./compare.ts')).runCompare,
  tell: async () => (await import('./compare/tell-answers.ts')).tellStudy,
};

/** Runs the command. Modules are loaded only when needed, so that a mistyped option is reported immediately. */
export async function runMatch(argv: readonly string[], io: CommandIO): Promise<number> {
  const { flags, file } = readMatchFlags(argv, io);
  if (flags.status) {
    const { printStudyStatus } = await import('./run/study-status.ts');
    return printStudyStatus(flags, file, io);
  }
  const { readMatchCommand } = await import('./command/match-command.ts');
  const command = await readMatchCommand(flags, file, randomInt(seeds));
  const { runMatches, runDry } = await import('./run/run-match-command.ts');
  return command.manner.dryRun ? runDry(command, io) : runMatches(command, argv, io, studyCommands);
}

if (import.meta.main) await runScript(runMatch);
