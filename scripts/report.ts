// Reports matches from their records alone: `npm run report -- <folders>`.
import { runScript } from './command/exit.ts';
import { readReportCommand } from './report/report-command.ts';

await runScript(async () => {
  const command = readReportCommand(process.argv.slice(2));
  const tell = (files: readonly string[]) => files.forEach((file) => process.stdout.write(`${file}\n`));
  if ('match' in command) {
    const { writeReport } = await import('./write-report.ts');
    tell(await writeReport(command.match));
    return;
  }
  const { many, maxCost } = command;
  if (many.judge !== undefined) {
    const { askJudge } = await import('./report/ask-judge.ts');
    await askJudge(many.folders, many.judge, maxCost);
  }
  const { reportMany } = await import('./report/write-many.ts');
  const { toldOf } = await import('../report/many/told.ts');
  const { report, files } = await reportMany(many);
  process.stderr.write(toldOf(report));
  tell(files);
});
