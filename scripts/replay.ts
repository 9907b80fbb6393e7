// Plays a recorded match again without any call: `npm run replay -- <folder>`.
import { replayMatch } from '../graph/play-match.ts';
import { runScript } from './exit.ts';
import { recordCommand } from './record-command.ts';

await runScript(async () => {
  const program = recordCommand('replay', 'Plays a recorded match again without any call; fails if its events differ.')
    .option('--allow-changed-prompts', 'check reading, rules and events although the wording has changed')
    .parse();
  const { allowChangedPrompts = false } = program.opts<{ allowChangedPrompts?: boolean }>();
  const { id, events } = await replayMatch(program.args[0]!, { allowChangedPrompts });
  process.stdout.write(`${id}: ${events.length} events, the same as recorded.\n`);
});
