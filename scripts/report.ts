// Writes a match's summary again from its record alone: `npm run report -- <folder>`.
import { runScript } from './command/exit.ts';
import { recordCommand } from './command/record-command.ts';

await runScript(async () => {
  const program = recordCommand(
    'report',
    'Writes deception_summary.json, deception_summary.md, statements.csv (one row a statement) and analyses.csv (one row an analysis) into the folder, from its record alone.',
  ).parse();
  const folder = program.args[0]!;
  const { expectMatch } = await import('./command/match-folder.ts');
  const { writeReport } = await import('./write-report.ts');
  expectMatch(folder);
  for (const file of writeReport(folder)) process.stdout.write(`${file}\n`);
});
