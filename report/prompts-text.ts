// The prompts of a match as readable text, each as the player saw it.
import { sanitizeLines, sanitizeText } from './format.ts';
import type { KeptPrompt } from './viewer/viewed-match.ts';

/**
 * Renders the prompts in the order in which they were asked. A prompt that was changed after the match is marked.
 *
 * @example renderPrompts(prompts, { player: 'Ginger', round: 2 })
 */
export function renderPrompts(
  prompts: readonly KeptPrompt[],
  { player, round }: { player?: string | undefined; round?: number | undefined },
): string {
  const shown = prompts
    .filter((one) => (player === undefined || one.player === player) && (round === undefined || one.round === round))
    .sort((one, other) => one.round - other.round || one.step - other.step || one.attempt - other.attempt);
  if (shown.length === 0) return 'No prompt matches this selection.\n';
  return shown
    .map(({ round: of, step, action, player: asked, attempt, messages, isSealed }) => {
      const again = attempt > 1 ? `, attempt ${attempt}` : '';
      const mark = isSealed ? '' : ' (THIS PROMPT WAS CHANGED AFTER THE MATCH AND IS NOT THE ONE THAT WAS SENT)';
      const head = sanitizeText(`Round ${of}, step ${step}: ${asked}, ${action.replaceAll('_', ' ')}${again}${mark}`);
      const body = messages.map(({ role, content }) => `[${role}]\n${sanitizeLines(content)}`);
      return `${head}\n${'='.repeat(head.length)}\n${body.join('\n\n')}\n`;
    })
    .join('\n');
}
