// The order of play of one match, as it was played: the steps of its nights and days, each where it first came.
import { eventDescriptions } from '../../state/event-descriptions.ts';
import { escapeMarkdown } from '../format.ts';
import type { PaperContent, PaperMatch } from './paper-item.ts';

/** What players were told before the first night, and what only speaks about a step, is no step. */
const besideSteps = new Set(['dealt', 'acquainted', 'thought', 'remembered', 'missing']);

/**
 * The steps of a match with the rounds in which they happened.
 *
 * @example describeGameLoop(match).rows[0] // ['night', 'round_started', 'a round began', '4']
 */
export function describeGameLoop({ record: { manifest, events } }: PaperMatch): PaperContent {
  const steps = Map.groupBy(
    events.filter(({ round, type }) => round > 0 && !besideSteps.has(type)),
    ({ phase, type }) => `${phase} ${type}`,
  );
  const last = Math.max(0, ...events.map(({ round }) => round));
  return {
    head: ['Phase', 'Step', 'What happens', 'Rounds'],
    rows: [...steps.values()].map((own) => {
      const [{ phase, type }] = own as [(typeof own)[number]];
      const rounds = new Set(own.map(({ round }) => round)).size;
      return [phase, `\`${type}\``, eventDescriptions[type].tells, `${rounds} of ${last}`];
    }),
    texts: 3,
    missing: [],
    notes: [
      `Match ${escapeMarkdown(manifest.id)} on the board ${escapeMarkdown(manifest.setup.board.name)}. Steps stand where they first came; rounds repeat them until a side has won.`,
    ],
  };
}
