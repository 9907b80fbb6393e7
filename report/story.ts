// A match as a story to follow while it is played: at most one line of plain text for each event.
import type { EventOf, GameEvent } from '../state/events.ts';
import { type Team, teams } from '../state/teams.ts';
import { formatDecimal, quoteSpeech } from './format.ts';
import {
  describeEnding,
  describeOffice,
  formatDrawnMark,
  formatMark,
  formatOccasion,
  isOfficeEvent,
  type OfficeType,
} from './game-text.ts';

/**
 * One line of text for an event, or null where it is not shown. Without `reveal` only events that everybody at the table
 * may know are shown; with it also night acts, proposals within the pack, thoughts, and analyses that find a deception.
 *
 * @example
 * for (const event of events) console.log(renderStoryLine(event, { reveal: false }) ?? '');
 */
export const renderStoryLine = (event: GameEvent, { reveal }: { reveal: boolean }): string | null =>
  reveal || event.audience === 'everyone' ? renderStoryEvent(event) : null;

const renderStoryEvent = (event: GameEvent) =>
  isOfficeEvent(event) ? describeOffice(event, String) : (texts[event.type] as TextMaker<typeof event.type>)(event);

type TextMaker<Type extends GameEvent['type']> = (event: EventOf<Type>) => string | null;

const texts: { [Type in Exclude<GameEvent['type'], OfficeType>]: TextMaker<Type> } = {
  dealt: () => null, // The header shows it.
  acquainted: () => null, // The header shows it.
  round_started: ({ round }) => `Night ${round}`,
  // There are too many bids to follow.
  thought: ({ by, action, reasoning }) => (action === 'bid' ? null : `  (${by} thinks: ${quoteSpeech(reasoning)})`),
  proposal: ({ by, target, reason, mark }) =>
    `  (${by} proposes to remove ${target}${reason === '' ? '.' : `: ${quoteSpeech(reason)}`}${formatDrawnMark(mark)})`,
  pick: ({ target, mark }) => `  (The pick of the night is ${target}.${formatDrawnMark(mark)})`,
  acted: ({ by, verb, target, mark }) => `  (${by} chooses to ${verb} ${target}.${formatDrawnMark(mark)})`,
  passed: ({ by, verb, mark }) => `  (${by} chooses to ${verb} nobody.${formatMark(mark)})`,
  attacked: ({ player, audience }) => `  (${formatAudience(audience)} is told that ${player} was attacked.)`,
  learned: ({ by, about, ...what }) => `  (${by} learns ${about}'s ${formatIdentity(what)}.)`,
  death: ({ round, cause, player, ...what }) => {
    const text = {
      night: `Day ${round}: ${player} was removed in the night.`,
      exile: `${player} is exiled.`,
      last_act: `${player} leaves the game.`,
    }[cause];
    const identity = formatIdentity(what);
    return identity === null ? text : `${text} ${player}'s ${identity}.`;
  },
  quiet_night: ({ round }) => `Day ${round}: nobody was removed in the night.`,
  bid: () => null,
  statement: (event) => `${event.by}${formatOccasion(event)}: ${quoteSpeech(event.text)}`,
  silence: ({ by, mark }) => `${by} has the turn and says nothing.${formatMark(mark)}`,
  ballot: ({ by, target, explanation, mark }) =>
    `${by} votes for ${target}${explanation === undefined ? '.' : `: ${quoteSpeech(explanation)}`}${formatDrawnMark(mark)}`,
  exile_survived: ({ player, role }) =>
    `${player} is voted to be exiled, shows the role ${role} and stays, without a vote.`,
  no_exile: ({ reason }) =>
    `Nobody is exiled: ${reason === 'tie' ? 'the vote is tied' : 'nobody was named by more than half'}.`,
  summary: () => null,
  synthetic_vote: () => null,
  assessment: (event) => (event.deceptive ? `  (${describeAssessment(event)})` : null),
  beliefs: () => null,
  missing: ({ by, action, mark }) => `  (${by}'s ${action.replaceAll('_', ' ')} is missing.${formatMark(mark)})`,
  ended: describeEnding,
};

const formatAudience = (audience: GameEvent['audience']) =>
  typeof audience === 'string' ? audience : audience.join(', ');

const describeAssessment = ({ by, about, deception_type, confidence, suspicion }: EventOf<'assessment'>) =>
  by === about
    ? `${by} calls it deceptive: ${deception_type}, confidence ${formatDecimal(confidence)}`
    : `${by} takes ${about} to be deceptive: ${deception_type}, suspicion ${formatDecimal(suspicion ?? null)}`;

/** E.g. "role: Villager" or "side: the village"; null where nothing was revealed. */
export const formatIdentity = ({ role, team }: { role?: string | undefined; team?: Team | undefined }) =>
  role !== undefined ? `role: ${role}` : team !== undefined ? `side: ${teams[team].label}` : null;
