// A match as a story that can be followed while it happens: at most one line of plain text for each event.
import type { EventOf, GameEvent } from '../state/event.ts';
import { teams, type Team } from '../state/teams.ts';
import { drawn, marked } from './marks.ts';
import { decimal } from './numbers.ts';
import { isOffice, occasionText, officeText, type Office } from './office-text.ts';
import { endingText } from './outcome.ts';
import { speech } from './plain-text.ts';

/**
 * One line for an event that tells something, else null. Without `reveal` only events that everybody at the table
 * may know; with it also night acts, talk within a team, thoughts, and analyses that see a deception.
 */
export const storyLine = (event: GameEvent, { reveal }: { reveal: boolean }): string | null =>
  reveal || event.audience === 'everyone' ? told(event) : null;

const told = (event: GameEvent) =>
  isOffice(event) ? officeText(event, String) : (tellers[event.type] as Teller<typeof event.type>)(event);

type Teller<Type extends GameEvent['type']> = (event: EventOf<Type>) => string | null;

const tellers: { [Type in Exclude<GameEvent['type'], Office>]: Teller<Type> } = {
  dealt: () => null, // stands in the header
  acquainted: () => null, // stands in the header
  round_started: ({ round }) => `Night ${round}`,
  thought: ({ by, action, reasoning }) => (action === 'bid' ? null : `  (${by} thinks: ${speech(reasoning)})`), // bids are too many to follow
  proposal: ({ by, target, reason, mark }) =>
    `  (${by} proposes to remove ${target}${reason === '' ? '.' : `: ${speech(reason)}`}${drawn(mark)})`,
  pick: ({ target, mark }) => `  (The pick of the night is ${target}.${drawn(mark)})`,
  acted: ({ by, verb, target, mark }) => `  (${by} chooses to ${verb} ${target}.${drawn(mark)})`,
  passed: ({ by, verb, mark }) => `  (${by} chooses to ${verb} nobody.${marked(mark)})`,
  attacked: ({ player, audience }) => `  (${named(audience)} is told that ${player} was attacked.)`,
  learned: ({ by, about, ...what }) => `  (${by} learns ${about}'s ${identityText(what)}.)`,
  death: ({ round, cause, player, ...what }) => {
    const told = {
      night: `Day ${round}: ${player} was removed in the night.`,
      exile: `${player} is exiled.`,
      last_act: `${player} leaves the game.`,
    }[cause];
    const identity = identityText(what);
    return identity === null ? told : `${told} ${player}'s ${identity}.`;
  },
  quiet_night: ({ round }) => `Day ${round}: nobody was removed in the night.`,
  bid: () => null,
  statement: (event) => `${event.by}${occasionText(event)}: ${speech(event.text)}`,
  silence: ({ by, mark }) => `${by} has the turn and says nothing.${marked(mark)}`,
  ballot: ({ by, target, explanation, mark }) =>
    `${by} votes for ${target}${explanation === undefined ? '.' : `: ${speech(explanation)}`}${drawn(mark)}`,
  exile_survived: ({ player, role }) => `${player} is voted to be exiled and stays, without a vote: role: ${role}.`,
  no_exile: ({ reason }) =>
    `Nobody is exiled: ${reason === 'tie' ? 'the vote is tied' : 'nobody was named by more than half'}.`,
  summary: () => null,
  synthetic_vote: () => null,
  assessment: (event) => (event.deceptive ? `  (${deceptionText(event)})` : null),
  beliefs: () => null,
  missing: ({ by, action, mark }) => `  (${by}'s ${action.replaceAll('_', ' ')} is missing.${marked(mark)})`,
  ended: endingText,
};

/** Who is told, where it is not everybody. */
const named = (audience: GameEvent['audience']) => (typeof audience === 'string' ? audience : audience.join(', '));

const deceptionText = ({ by, about, deception_type, confidence, suspicion }: EventOf<'assessment'>) =>
  by === about
    ? `${by} calls it deceptive: ${deception_type}, confidence ${decimal(confidence)}`
    : `${by} takes ${about} to be deceptive: ${deception_type}, suspicion ${decimal(suspicion ?? null)}`;

/** E.g. "role: Villager" or "side: the village"; null where nothing was told. */
export const identityText = ({ role, team }: { role?: string | undefined; team?: Team | undefined }) =>
  role !== undefined ? `role: ${role}` : team !== undefined ? `side: ${teams[team].label}` : null;
