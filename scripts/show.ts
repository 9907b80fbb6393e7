// Prints a recorded match to read: `npm run show -- <folder>`.
import { readRecord } from '../models/recorder.ts';
import { transcript } from '../report/transcript.ts';
import { runScript } from './exit.ts';
import { recordCommand } from './record-command.ts';

await runScript(() => {
  const program = recordCommand(
    'show',
    'Prints a match to read: speech, private reasoning beside it, labels, votes.',
  ).parse();
  process.stdout.write(transcript(readRecord(program.args[0]!)));
  return Promise.resolve();
});
