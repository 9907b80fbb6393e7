// Prints a recorded match to read: `npm run show -- <folder>`.
import { runScript } from './command/exit.ts';
import { recordCommand } from './command/record-command.ts';

await runScript(async () => {
  const program = recordCommand(
    'show',
    'Prints a match to read: speech, private reasoning beside it, labels, votes.',
  ).parse();
  const folder = program.args[0]!;
  const { expectMatch } = await import('./command/match-folder.ts');
  const { readRecord } = await import('../models/record/recorder.ts');
  const { transcript } = await import('../report/transcript.ts');
  expectMatch(folder);
  process.stdout.write(transcript(readRecord(folder)));
});
