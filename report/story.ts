// A match as a story to follow during play: at most one line of plain text per event.
import { draftAction } from '../state/event-descriptions.ts';
import type { EventOf, GameEvent } from '../state/events.ts';
import { formatDecimal, quoteSpeech } from './format.ts';
import { describeEvent, formatIdentity, formatAnswerMark } from './game-text.ts';

/**
 * Renders one line for an event, or null if the event is not shown. Without `reveal`, shows only events that everybody
 * at the table may know. With `reveal`, also shows night acts, proposals among the Werewolves, thoughts, and analyses
 * that call a statement deceptive.
 *
 * @example
 * for (const event of events) console.log(renderStoryLine(event, { reveal: false }) ?? '');
 */
export const renderStoryLine = (event: GameEvent, { reveal }: { reveal: boolean }): string | null =>
  reveal || event.audience === 'everyone' ? renderStoryEvent(event) : null;

type LineMaker<Type extends GameEvent['type']> = (event: EventOf<Type>) => string | null;

function renderStoryEvent(event: GameEvent): string | null {
  const make = lines[event.type] as LineMaker<typeof event.type> | undefined;
  if (make) return make(event);
  const text = describeEvent(event, String);
  return text !== null && isAside(event) ? `  (${text})` : text;
}

/**
 * Returns whether an event is shown in brackets, because not everybody at the table sees it. A secret ballot looks
 * like a public one.
 */
const isAside = ({ type, audience }: GameEvent) => audience !== 'everyone' && type !== 'ballot';

/** Lines for types of events, where they differ from the event's sentence. */
const lines: { [Type in GameEvent['type']]?: LineMaker<Type> } = {
  round_started: ({ round }) => `Night ${round}`,
  // Bids are not shown, because there are too many of them to follow.
  thought: ({ by, action, reasoning }) =>
    action === 'bid' || action === draftAction ? null : `  (${by} thinks: ${quoteSpeech(reasoning)})`,
  attacked: ({ player, audience }) => `  (${formatAudience(audience)} learns that ${player} was attacked.)`,
  death: (event) => {
    const { round, cause, player } = event;
    const text = `${cause === 'night' ? `Day ${round}: ` : ''}${describeEvent(event, String)}`;
    const identity = formatIdentity(event);
    return identity === null ? text : `${text} ${player}'s ${identity}.`;
  },
  quiet_night: ({ round }) => `Day ${round}: nobody was removed in the night.`,
  assessment: (event) => (event.deceptive ? `  (${describeAssessment(event)})` : null),
  missing: ({ by, action, mark }) => `  (${by}'s ${action.replaceAll('_', ' ')} is missing.${formatAnswerMark(mark)})`,
};

const formatAudience = (audience: GameEvent['audience']) =>
  typeof audience === 'string' ? audience : audience.join(', ');

const describeAssessment = ({ by, about, deception_type, confidence, suspicion }: EventOf<'assessment'>) =>
  by === about
    ? `${by} calls it deceptive: ${deception_type}, confidence ${formatDecimal(confidence)}`
    : `${by} takes ${about} to be deceptive: ${deception_type}, suspicion ${formatDecimal(suspicion ?? null)}`;
