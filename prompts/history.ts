// What a player has seen, in order, as lines of text: append-only within a round.
import { roleNamed } from '../state/roles/index.ts';
import { teams, type Team } from '../state/teams.ts';
import type { SeenEvent, View } from '../state/view.ts';

/** Words in quotes: whatever they say, they stay the speech of their speaker. */
export const quote = (text: string) => `"${text.replaceAll('"', "'")}"`;

/** Everything the player remembers. Speech of earlier rounds is left out where own summaries stand for it. */
export function historyText(view: View): string {
  const lines: string[] = ['What you have seen so far:'];
  let heading = '';
  for (const event of view.events) {
    const line = lineOf(event, view);
    if (line === null) continue;
    const under =
      event.round === 0 ? 'Before the first night' : `${event.phase === 'night' ? 'Night' : 'Day'} ${event.round}`;
    if (under !== heading) lines.push('', `${under}:`);
    heading = under;
    lines.push(`- ${line}`);
  }
  return lines.join('\n');
}

type Teller<Type> = (event: Extract<SeenEvent, { type: Type }>, view: View) => string | null;

const isForgotten = ({ round }: SeenEvent, view: View) => view.rules.memory === 'summary' && round < view.round;

const identityOf = ({ role, team }: { role?: string | undefined; team?: Team | undefined }) =>
  role !== undefined ? roleOf(role) : team !== undefined ? `on the side of ${teams[team].label}` : null;

const roleOf = (role: string) => `a ${roleNamed(role).name}`;

const tellers: { [Type in SeenEvent['type']]: Teller<Type> } = {
  dealt: () => null, // stands in the identity
  acquainted: ({ players, team }, { me }) =>
    players.length === 1
      ? `You are the only one on the side of ${teams[team].label}.`
      : `On the side of ${teams[team].label}, besides you: ${players.filter((name) => name !== me).join(', ')}.`,
  round_started: () => null, // stands in the headings
  thought: ({ action, reasoning, phase }) =>
    `You thought${phase === 'night' ? '' : ` (${action.replaceAll('_', ' ')})`}: ${quote(reasoning)}`,
  proposal: ({ by, target, reason }, { me }) =>
    `${by === me ? 'You' : by} proposed to the other Werewolves to remove ${target}: ${quote(reason)}`,
  pick: ({ target }) => `The Werewolves picked ${target}.`,
  acted: ({ verb, target }) => `You chose to ${verb} ${target}.`,
  learned: ({ about, ...what }) => `You learned that ${about} is ${identityOf(what)}.`,
  death: ({ player, cause, ...what }, { me }) => {
    const revealed = identityOf(what);
    const who = player === me ? 'You' : player;
    const left = cause === 'night' ? `${who} left the game in the night` : `${who} left the game, exiled by vote`;
    return `${left}.${revealed === null ? '' : ` ${player} was ${revealed}.`}`;
  },
  quiet_night: () => 'Nobody left the game in the night.',
  bid: () => null, // stands in the thought
  statement: (event, view) =>
    isForgotten(event, view) ? null : `${event.by === view.me ? 'You' : event.by} said: ${quote(event.text)}`,
  silence: (event, view) =>
    isForgotten(event, view) ? null : `${event.by === view.me ? 'You' : event.by} had the turn and said nothing.`,
  ballot: (event, view) => {
    const voted = `${event.by === view.me ? 'You' : event.by} voted for ${event.target}`;
    return event.explanation === undefined || isForgotten(event, view)
      ? `${voted}.`
      : `${voted}: ${quote(event.explanation)}`;
  },
  no_exile: ({ reason }) =>
    `Nobody was exiled: ${reason === 'tie' ? 'the vote was tied' : 'nobody was named by more than half'}.`,
  summary: ({ text }) => (text === '' ? null : `Your summary of the round: ${quote(text)}`),
  synthetic_vote: () => null,
  assessment: () => null,
  beliefs: () => null,
  missing: () => null,
  ended: () => null,
};

const lineOf = (event: SeenEvent, view: View) => (tellers[event.type] as Teller<typeof event.type>)(event, view);
