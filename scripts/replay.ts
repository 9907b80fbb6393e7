// Plays a recorded match again without any call: `npm run replay -- <folder>`.
import { type CommandIO, createRecordCommand, runScript } from './command/command-line.ts';

export async function runReplay(argv: readonly string[], io: CommandIO): Promise<void> {
  const about = 'Plays a recorded match again without any call; fails if its events differ from the record.';
  const program = createRecordCommand('replay', about, io)
    .option('--allow-changed-prompts', 'check reading, rules and events although the wording has changed')
    .parse(argv, { from: 'user' });
  const [named] = program.args as [string];
  const { resolveMatchFolder } = await import('./command/match-folder.ts');
  const { replayMatch } = await import('../graph/play-match.ts');
  const { id, events } = await replayMatch(
    resolveMatchFolder(named),
    program.opts<{ allowChangedPrompts?: boolean }>(),
  );
  io.stdout.write(`Match ${id}: ${events.length} events, the same as recorded.\n`);
}

if (import.meta.main) await runScript(runReplay);
