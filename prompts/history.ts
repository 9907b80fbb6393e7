// The events that a player has seen, as lines of text in order. Within a round, lines are only added at the end, so
// that providers can cache the beginning.
import { getLastAct, getPower, getRole, getPowerLabel } from '../state/roles/index.ts';
import { teams, type Team } from '../state/teams.ts';
import type { SeenEvent, View } from '../state/view.ts';
import { addArticle } from '../state/text.ts';
import { isSummarized, listTrimmedEvents } from '../state/trimming-order.ts';
import { getWording } from './paraphrase.ts';
import { quote } from './text.ts';

/** Options of a rendered history. */
interface HistoryOptions {
  /**
   * Whether the heading of the current day lists the living players, if some have left. The heading then exists even if
   * nothing has happened that day. The names are thus in the part that providers cache, and questions need not repeat
   * them. Under `memory=full`, headings of earlier days keep their lists, so that the text only grows at its end.
   */
  namesLiving?: boolean;
}

/**
 * Renders everything that the View's owner remembers; an empty text if there is nothing. Where the player's own
 * summaries replace the speech of earlier rounds, that speech is left out. The events in `listTrimmedEvents(view,
 * shortenedBy)` are also left out, and a note replaces the last speech among them.
 *
 * @example renderHistory(createView(game, 'Ginger')).split('\n')[0] // 'What you have seen so far:'
 */
export function renderHistory(view: View, shortenedBy = 0, { namesLiving = false }: HistoryOptions = {}): string {
  const gone = new Set(listTrimmedEvents(view, shortenedBy));
  const last = [...gone].findLast(({ type }) => type !== 'summary') ?? [...gone].at(-1);
  const note = renderTrimNote([...gone].some(({ type }) => type === 'summary'));
  const wording = getWording(view);
  const lines: string[] = [];
  const named = namesLiving ? listNamedRounds(view) : [];
  /**
   * Headings of days by round, with the players who were alive at dawn. They are cached, because most events happen by
   * day.
   */
  const days = new Map<number, string>();
  const head = (moment: Pick<View, 'round' | 'phase'>): string => {
    if (moment.phase !== 'day') return renderHeading(moment, view, named);
    const day = days.get(moment.round) ?? renderHeading(moment, view, named);
    days.set(moment.round, day);
    return day;
  };
  let heading = '';
  for (const event of view.events) {
    const isBare = gone.has(event) || isSummarized(event, view);
    const told = [renderLine(event, view, isBare), event === last ? note : null].filter((line) => line !== null);
    if (told.length === 0) continue;
    const under = head(event);
    if (under !== heading) lines.push('', wording(under));
    heading = under;
    lines.push(...told.map((line) => wording(`- ${line}`)));
  }
  const now = head(view);
  if (namesLiving && view.phase === 'day' && now !== heading) lines.push('', wording(now));
  return lines.length === 0 ? '' : [wording('What you have seen so far:'), ...lines].join('\n');
}

/** Lists the rounds whose day names the living players. */
const listNamedRounds = ({ events, round, rules }: View): readonly number[] =>
  rules.memory === 'full' ? [...new Set(events.map((event) => event.round)), round] : [round];

/** Renders the heading of a night or day. `named`: rounds whose headings list the living players. */
function renderHeading({ round, phase }: Pick<View, 'round' | 'phase'>, view: View, named: readonly number[]): string {
  if (round === 0) return 'Before the first night:';
  if (phase === 'night') return `Night ${round}:`;
  const living = named.includes(round) ? listLivingAtDawn(view, round) : view.players;
  return living.length === view.players.length
    ? `Day ${round}:`
    : `Day ${round} (still in the game: ${living.join(', ')}):`;
}

/** Lists the players who are in the game when the day of a round begins, in seat order. */
function listLivingAtDawn({ events, players }: View, round: number): string[] {
  const gone = events.flatMap((event) =>
    event.type === 'death' && (event.round < round || (event.round === round && event.phase === 'night'))
      ? [event.player]
      : [],
  );
  return players.filter((name) => !gone.includes(name));
}

const renderTrimNote = (isWithSummaries: boolean) =>
  `(What was said and thought up to here${isWithSummaries ? ', with your oldest summaries,' : ''} is left out: there is no room for it.)`;

/** Renders one event as a line; null if the event has no line. `isBare`: leaves out the words of a speech. */
type Teller<Type> = (event: Extract<SeenEvent, { type: Type }>, view: View, isBare: boolean) => string | null;

const describeIdentity = ({ role, team }: { role?: string | undefined; team?: Team | undefined }) =>
  role !== undefined ? describeRole(role) : team !== undefined ? `on the side of ${teams[team].label}` : null;

const getPowerTeam = (verb: string) => teams[getPower(verb).role.team];

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const describeRole = (role: string) => addArticle(getRole(role).name);

// Renderers by type of event. The compiler reports a type that is missing.
const tellers: { [Type in SeenEvent['type']]: Teller<Type> } = {
  dealt: () => null, // part of the identity
  acquainted: ({ players, team }, { me }) =>
    players.length === 1
      ? `You are the only one on the side of ${teams[team].label}.`
      : `The other ${teams[team].members} are: ${players.filter((name) => name !== me).join(', ')}.`,
  round_started: () => null, // part of the headings
  thought: ({ reasoning }, _view, isBare) => (isBare ? null : `You thought: ${quote(reasoning)}`),
  remembered: () => null, // precedes the history, where it is used
  proposal: ({ by, verb, target, reason }, { me }, isBare) =>
    `${by === me ? 'You' : by} proposed to the other ${getPowerTeam(verb).members} to ${getPowerLabel(verb)} ${target}${isBare ? '.' : `: ${quote(reason)}`}`,
  pick: ({ verb, target }) => `${capitalize(getPowerTeam(verb).label)} picked ${target}.`,
  acted: ({ verb, target }) => `You chose to ${getPowerLabel(verb)} ${target}.`,
  passed: ({ verb }) => `You chose to ${verb} nobody.`,
  attacked: ({ player }, { me }) =>
    `You were told that ${teams.werewolves.label} picked ${player === me ? 'you' : player} this night.`,
  last_act: ({ by, verb, target }, { me, board }) => {
    const act = getLastAct(verb);
    return `${act.tells({ by, target: target === me ? 'you' : target, isOwn: by === me, count: board.roles[act.role.name] ?? 1 })}.`;
  },
  candidacy: ({ by, stands }, { me, rules }) => {
    if (rules.sheriffCandidates === 'all') return null; // the rules say so
    if (stands) return `${by === me ? 'You stand' : `${by} stands`} for Sheriff.`;
    return by === me ? 'You do not stand for Sheriff.' : null;
  },
  badge_ballot: ({ by, target, ballot }, { me }) =>
    `${by === me ? 'You' : by} voted for ${target} as Sheriff${ballot === 1 ? '' : ' in the second vote'}.`,
  elected: ({ player, how }, { me }) =>
    `${player === me ? 'You were' : `${player} was`} elected Sheriff${how === 'vote' ? '' : how === 'draw' ? ' by lot, the vote being tied' : ' unopposed'}.`,
  no_sheriff: () => 'Nobody stood for Sheriff, so there is none.',
  badge: ({ by, to }, { me }) =>
    to === null
      ? `${by === me ? 'You' : by} tore up the Sheriff's badge: there is no Sheriff any more.`
      : `${by === me ? 'You' : by} passed the Sheriff's badge to ${to === me ? 'you' : to}.`,
  speaking_order: ({ by, direction }, { me }) =>
    `${by === me ? 'You' : by}, as Sheriff, let the debate go ${direction === 'up' ? 'forward' : 'backward'} in the order of seats.`,
  pseudo_ballot: ({ by, target }, { me }) => `${by === me ? 'You' : by} voted for ${target} in the pseudo-vote.`,
  tie: ({ players }) => `The vote was tied between ${players.join(' and ')}: they speak once more.`,
  learned: ({ about, ...what }) => `You learned that ${about} is ${describeIdentity(what)}.`,
  death: ({ player, cause, ...what }, { me }) => {
    const revealed = describeIdentity(what);
    const who = player === me ? 'You' : player;
    const left = `${who} left the game${causes[cause]}`;
    return `${left}.${revealed === null ? '' : ` ${player === me ? 'You were' : `${player} was`} ${revealed}.`}`;
  },
  quiet_night: () => 'Nobody left the game in the night.',
  bid: () => null, // part of the thought
  draft: () => null, // nobody sees it
  statement: (event, { me }, isBare) =>
    isBare ? null : `${event.by === me ? 'You' : event.by} said${describeOccasion(event)}: ${quote(event.text)}`,
  silence: ({ by }, { me }, isBare) => (isBare ? null : `${by === me ? 'You' : by} had the turn and said nothing.`),
  ballot: ({ by, target, explanation }, { me }, isBare) => {
    const voted = `${by === me ? 'You' : by} voted for ${target}`;
    return isBare || explanation === undefined ? `${voted}.` : `${voted}: ${quote(explanation)}`;
  },
  exile_survived: ({ player, role }, { me }) =>
    player === me
      ? `You were voted out, were shown to be ${describeRole(role)} and stay in the game, without a vote from now on.`
      : `${player} was voted out, was shown to be ${describeRole(role)} and stays in the game, without a vote from now on.`,
  no_exile: ({ reason }) =>
    `Nobody was exiled: ${reason === 'tie' ? 'the vote was tied' : 'nobody was named by more than half'}.`,
  summary: ({ text, before }, _view, isBare) =>
    isBare || text === '' ? null : `Your summary of the ${before === undefined ? 'round' : 'debate'}: ${quote(text)}`,
  synthetic_vote: () => null,
  assessment: () => null,
  beliefs: () => null,
  missing: () => null,
  ended: ({ winner, reason }) =>
    `The game is over. ${winner === null ? 'Nobody' : capitalize(teams[winner].label)} won (${reason}).`,
};

const causes = { night: ' in the night', exile: ', exiled by vote', last_act: '' } as const;

const describeOccasion = ({ occasion, recommends }: Extract<SeenEvent, { type: 'statement' }>) =>
  occasion === undefined
    ? ''
    : {
        campaign: ' as a candidate',
        recommendation: `, recommending to exile ${recommends}`,
        pk: ' once more, being tied',
      }[occasion];

const renderLine = (event: SeenEvent, view: View, isBare: boolean) =>
  (tellers[event.type] as Teller<typeof event.type>)(event, view, isBare);

/**
 * Renders one event as it is worded in the prompts of the View's owner; null if these prompts do not mention the event.
 *
 * @example describeSeenEvent(view.events[0]!, view) // 'Ann was elected Sheriff.'
 */
export const describeSeenEvent = (event: SeenEvent, view: View): string | null => renderLine(event, view, false);
