// The contents of a seat's page as data, made from the View of the seat alone.
import { describeSeenEvent } from '../../prompts/history.ts';
import type { Form } from '../../prompts/form.ts';
import { renderAnalysisTerms, renderRules } from '../../prompts/rules-text.ts';
import { getRole, getShownSide } from '../../state/roles/index.ts';
import { teams } from '../../state/teams.ts';
import type { SeenEvent, View } from '../../state/view.ts';

/** One entry of the talk: what a player said, or what happened. */
export interface TalkEntry {
  /** Speaker; null for an event. */
  by: string | null;
  /** Occasion of the words, e.g. "votes for Sam"; null for a statement of the debate. */
  note: string | null;
  text: string;
}

export interface SeatedPlayer {
  name: string;
  isAlive: boolean;
  isMe: boolean;
  /** Why the player has left the game; null for living players. */
  note: string | null;
}

/** Everything that the page of a seat shows. */
export interface SeatPage {
  me: string;
  role: string;
  /** Side of the player in words, e.g. `on the side of the village`. */
  allegiance: string;
  persona: string | null;
  heading: string;
  players: SeatedPlayer[];
  talk: TalkEntry[];
  question: (Form & { id: number; seconds: number | null; leftMs: number | null }) | null;
  /** Text shown while there is no question. */
  waiting: { title: string; text: string };
  /** Result of the match; null while it is played. */
  result: string | null;
  /** Maps each player to the role; null until the match is over. */
  roles: Readonly<Record<string, string>> | null;
  rules: string;
}

/** Describes the seat's phase, e.g. "Day 2". */
const describePhase = ({ round, phase }: Pick<View, 'round' | 'phase'>) =>
  round === 0 ? 'Before the first night' : `${phase === 'night' ? 'Night' : 'Day'} ${round}`;

/** Lists what was said and what happened, in order, with headings of days and nights. */
export function listTalk(view: View): TalkEntry[] {
  const entries: TalkEntry[] = [];
  let heading = '';
  for (const event of view.events) {
    const entry = createTalkEntry(event, view);
    if (entry === null) continue;
    const under = describePhase(event);
    if (under !== heading) entries.push({ by: null, note: null, text: `${under}.` });
    heading = under;
    entries.push(entry);
  }
  return entries;
}

function createTalkEntry(event: SeenEvent, view: View): TalkEntry | null {
  if (event.type === 'thought') return null;
  if (event.type === 'statement') {
    const { by, text, occasion, recommends } = event;
    const note = occasion === 'recommendation' ? `recommends to exile ${recommends ?? 'nobody'}` : (occasion ?? null);
    return { by, note, text };
  }
  if (event.type === 'ballot' && event.explanation !== undefined)
    return { by: event.by, note: `votes for ${event.target}`, text: event.explanation };
  const text = describeSeenEvent(event, view);
  return text === null ? null : { by: null, note: null, text };
}

/** Lists the players in seat order. A player who left the game has a note that says how. */
function listSeated({ players, alive, me, events }: View): SeatedPlayer[] {
  const deaths = new Map(events.flatMap((event) => (event.type === 'death' ? [[event.player, event] as const] : [])));
  return players.map((name) => {
    const death = deaths.get(name);
    const how = death?.cause === 'exile' ? `exiled, day ${death.round}` : `left, ${death?.phase} ${death?.round}`;
    return { name, isAlive: alive.includes(name), isMe: name === me, note: death ? how : null };
  });
}

/** The parts of a page that do not come from the View. */
export interface SeatMoment {
  question: SeatPage['question'];
  roles: SeatPage['roles'];
}

function describeAllegiance(role: string): string {
  const { team } = getRole(role);
  return `${getShownSide(role) === team ? 'on the side of' : 'winning with'} ${teams[team].label}`;
}

/**
 * Returns what the page of a seat shows at a moment. It uses only the View and the question made from that View, so the
 * page cannot contain other players' secrets.
 *
 * @example describeSeat(createView(game, 'Ginger'), { question: null, roles: null }).waiting.title // 'Please wait'
 */
export function describeSeat(view: View, { question, roles }: SeatMoment): SeatPage {
  const { me, role, persona, alive, players, events, rules } = view;
  const ended = events.find((event) => event.type === 'ended');
  const isOut = !alive.includes(me);
  const terms = rules.analysis === 'off' ? [] : ['', ...renderAnalysisTerms(rules)];
  const result = ended === undefined ? null : describeSeenEvent(ended, view);
  return {
    ...{ me, role, allegiance: describeAllegiance(role), persona: persona ?? null },
    heading: `${describePhase(view)}, ${alive.length} of ${players.length} players in the game`,
    players: listSeated(view),
    talk: listTalk(view),
    question: result === null ? question : null,
    waiting: describeWaiting({ isOut, result }),
    ...{ result, roles: result === null ? null : roles },
    rules: [renderRules(view), ...terms].join('\n'),
  };
}

function describeWaiting({ isOut, result }: { isOut: boolean; result: string | null }): SeatPage['waiting'] {
  if (result !== null) return { title: 'The match is over', text: result };
  return isOut
    ? { title: 'You have left the game', text: 'You can read on. Roles are shown when the match ends.' }
    : {
        title: 'Please wait',
        text: 'The others are playing. You are asked when it is your turn. You may close this page and come back.',
      };
}
