// Plays a tournament, estimates its cost, prints its progress, or removes it from a database:
// `npm run tournament -- plan.yaml`.
import { runScript, type CommandIO } from './command/command-line.ts';
import { readTournamentCommand } from './command/tournament-command.ts';

const studyCommands = {
  report: async () => (await import('./report.ts')).runReport,
  compare: async () => (await import('./compare.ts')).runCompare,
  tell: async () => (await import('./compare/tell-answers.ts')).tellTournament,
};

export async function runTournament(argv: readonly string[], io: CommandIO): Promise<number> {
  const command = readTournamentCommand(argv, io);
  const { playPlan, planDry, printStatus } = await import('./run/run-tournament.ts');
  const { dryRun, status } = command.flags;
  const { database } = command;
  if (database !== undefined && !dryRun) {
    const { playQueued, dropQueued, queueAgain, printQueuedStatus } = await import('./run/run-queued-tournament.ts');
    if (command.flags.remove) return dropQueued(command, database, io);
    if (command.flags.requeue) return queueAgain(command, database, io);
    return status ? printQueuedStatus(command, database, io) : playQueued(command, database, argv, io, studyCommands);
  }
  return dryRun ? planDry(command, io) : status ? printStatus(command, io) : playPlan(command, argv, io, studyCommands);
}

if (import.meta.main) await runScript(runTournament);
