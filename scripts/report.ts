// Reports matches from their records alone: `npm run report -- <folders>`.
import { runScript, type CommandIO } from './command/exit.ts';
import { readReportCommand } from './report/report-command.ts';

export async function runReport(argv: readonly string[], io: CommandIO): Promise<void> {
  const command = readReportCommand(argv, io);
  const tell = (files: readonly string[]) => files.forEach((file) => io.stdout.write(`${file}\n`));
  if ('match' in command) {
    const { writeReport } = await import('./write-report.ts');
    tell(await writeReport(command.match));
    return;
  }
  const { many, maxCost } = command;
  if (many.judge !== undefined) {
    const { askJudge } = await import('./report/ask-judge.ts');
    await askJudge(many.folders, many.judge, maxCost, io);
  }
  const { reportMany } = await import('./report/write-many.ts');
  const { toldOf } = await import('../report/many/told.ts');
  const { report, files } = await reportMany(many);
  io.stderr.write(toldOf(report));
  tell(files);
}

if (import.meta.main) await runScript(runReport);
