// Plays a recorded match again without any call: `npm run replay -- <folder>`.
import { runScript } from './command/exit.ts';
import { recordCommand } from './command/record-command.ts';

await runScript(async () => {
  const program = recordCommand(
    'replay',
    'Plays a recorded match again without any call; fails if its events differ from the record.',
  )
    .option('--allow-changed-prompts', 'check reading, rules and events although the wording has changed')
    .parse();
  const { allowChangedPrompts = false } = program.opts<{ allowChangedPrompts?: boolean }>();
  const folder = program.args[0]!;
  const { expectMatch } = await import('./command/match-folder.ts');
  const { replayMatch } = await import('../graph/play-match.ts');
  expectMatch(folder);
  const { id, events } = await replayMatch(folder, { allowChangedPrompts });
  process.stdout.write(`Match ${id}: ${events.length} events, the same as recorded.\n`);
});
