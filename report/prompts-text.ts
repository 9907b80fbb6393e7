// The prompts of a match as text to read, each as the player saw it.
import { z } from 'zod';
import { sanitizeLines } from './format.ts';

const SentPrompt = z.object({
  ...{ round: z.number(), step: z.number(), action: z.string(), player: z.string(), attempt: z.number() },
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
});

/**
 * In the order of asking. `lines` are those of `prompts.ndjson.gz`. Throws a ZodError for what is none of ours.
 *
 * @example renderPrompts(lines, { player: 'Ginger', round: 2 })
 */
export function renderPrompts(
  lines: readonly unknown[],
  { player, round }: { player?: string | undefined; round?: number | undefined },
): string {
  const shown = lines
    .map((line) => SentPrompt.parse(line))
    .filter((one) => (player === undefined || one.player === player) && (round === undefined || one.round === round))
    .sort((one, other) => one.round - other.round || one.step - other.step || one.attempt - other.attempt);
  if (shown.length === 0) return 'No prompt.\n';
  return shown
    .map(({ round: of, step, action, player: asked, attempt, messages }) => {
      const head = `Round ${of}, step ${step}: ${asked}, ${action.replaceAll('_', ' ')}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
      const body = messages.map(({ role, content }) => `[${role}]\n${sanitizeLines(content)}`);
      return `${head}\n${'='.repeat(head.length)}\n${body.join('\n\n')}\n`;
    })
    .join('\n');
}
