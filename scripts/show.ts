// Prints a recorded match to read: `npm run show -- <folder>`.
import { type CommandIO, createRecordCommand, runScript } from './command/command-line.ts';

export async function runShow(argv: readonly string[], io: CommandIO): Promise<void> {
  const about = 'Prints a match to read: speech, private reasoning beside it, labels, votes.';
  const [named] = createRecordCommand('show', about, io).parse(argv, { from: 'user' }).args as [string];
  const { resolveMatchFolder } = await import('./command/match-folder.ts');
  const { readRecord } = await import('../models/record/recorder.ts');
  const { renderTranscript } = await import('../report/transcript.ts');
  io.stdout.write(renderTranscript(readRecord(resolveMatchFolder(named))));
}

if (import.meta.main) await runScript(runShow);
