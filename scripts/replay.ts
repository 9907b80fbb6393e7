// Plays a recorded match again without any call: `npm run replay -- <folder>`.
import { type CommandIO, createRecordCommand, runScript } from './command/command-line.ts';

export async function runReplay(argv: readonly string[], io: CommandIO): Promise<void> {
  const about =
    'Plays a recorded match again without any call; fails if its events, or prompts of the same wording, differ from the record.';
  const program = createRecordCommand('replay', about, io)
    .option('--allow-changed-prompts', 'compare no prompts, as with a record whose templates had another wording')
    .parse(argv, { from: 'user' });
  const [named] = program.args as [string];
  const { resolveMatchFolder } = await import('./command/match-folder.ts');
  const { replayMatch } = await import('../graph/play-match.ts');
  const folder = resolveMatchFolder(named);
  const { id, events, isReworded } = await replayMatch(folder, program.opts<{ allowChangedPrompts?: boolean }>());
  const wording = isReworded
    ? ' Its prompts had other wording (templates_sha256): reading, rules and events were compared, prompts were not.'
    : '';
  io.stdout.write(`Match ${id}: ${events.length} events, the same as recorded.${wording}\n`);
}

if (import.meta.main) await runScript(runReplay);
