// Situations: short descriptions of a player's knowledge before a decision, with seat letters for names. They are made
// from a View, so they contain nothing that the player could not know.
import { draftAction } from '../../state/event-descriptions.ts';
import type { ExperienceMoment } from '../../state/experience-setup.ts';
import { getPower, getRole, powers } from '../../state/roles/index.ts';
import { teams } from '../../state/teams.ts';
import { countWords, flattenToOneLine, maxPrivateWords, replaceDoubleQuotes, truncateWords } from '../../state/text.ts';
import type { PublicSetup, SeenEvent, View } from '../../state/view.ts';
import { isDebateSummary, isEventOfType } from '../../state/events.ts';
import { extractByRules } from '../claims/extract-by-rules.ts';
import { nameSeat, replaceNames } from './seat-letters.ts';

/**
 * Returns the kind of decision that an action asks for; null if players do not remember before it.
 *
 * @example findMoment('vote') // 'ballot'
 */
export function findMoment(action: string): ExperienceMoment | null {
  if (action === 'debate' || action === 'pk_debate' || action === draftAction) return 'debate';
  if (action === 'vote') return 'ballot';
  return powers.some(({ verb }) => verb === action) ? 'night' : null;
}

/**
 * Limits of a situation: `statements` of the round (the latest ones), `words` per statement, and words of all other
 * `facts` together. Facts that must be kept may exceed the limit of `facts`.
 */
const limits = { statements: 4, words: 30, facts: 120 } as const;

const before: Readonly<Record<ExperienceMoment, string>> = {
  debate: 'your turn in the debate',
  ballot: 'the vote',
  night: 'your choice of the night',
};

type Say = (name: string) => string;
type FactTeller<Type> = (event: Extract<SeenEvent, { type: Type }>, say: Say) => string | null;

const describeRole = ({ role, team }: { role?: string | undefined; team?: keyof typeof teams | undefined }) =>
  role !== undefined ? getRole(role).name : team !== undefined ? `on the side of ${teams[team].label}` : null;

// For each type of event, a function that words the fact that such an event states; it returns null if there is no fact
// to state. The compiler reports a missing type.
const facts: { [Type in SeenEvent['type']]: FactTeller<Type> } = {
  dealt: () => null,
  acquainted: ({ players }, say) => (players.length > 1 ? `The Werewolves: ${players.map(say).join(', ')}.` : null),
  round_started: () => null,
  thought: () => null,
  remembered: () => null, // otherwise texts of a third match would be passed on
  proposal: () => null, // proposals of a round are told together
  pick: ({ verb, target, round }, say) => `Night ${round}: picked to ${verb}: ${say(target)}.`,
  acted: ({ verb, target, round }, say) => `Night ${round}: you chose to ${verb} ${say(target)}.`,
  passed: ({ verb, round }) => `Night ${round}: you did not ${verb}.`,
  attacked: ({ player, round }, say) => `Night ${round}: attacked: ${say(player)}.`,
  learned: ({ about, ...what }, say) => `You learned: ${say(about)} is ${describeRole(what)}.`,
  death: ({ player, cause, round, ...what }, say) => {
    const known = describeRole(what);
    return `Round ${round}: ${say(player)} left (${cause}${known === null ? '' : `, ${known}`}).`;
  },
  quiet_night: ({ round }) => `Night ${round}: nobody left.`,
  last_act: ({ by, verb, target }, say) => `${say(by)}, leaving, did ${verb} ${say(target)}.`,
  candidacy: () => null,
  badge_ballot: () => null,
  elected: ({ player }, say) => `Sheriff: ${say(player)}.`,
  no_sheriff: () => null,
  badge: ({ to }, say) => (to === null ? 'The badge was torn.' : `Sheriff now: ${say(to)}.`),
  speaking_order: () => null,
  pseudo_ballot: () => null, // told together
  tie: ({ players, round }, say) => `Day ${round}: tied: ${players.map(say).join(', ')}.`,
  bid: () => null,
  draft: () => null,
  statement: () => null, // claims are told as facts, and the last statements of the round at the end
  silence: () => null,
  ballot: () => null, // ballots of the last vote are told together
  exile_survived: ({ player, role }, say) => `${say(player)} was voted out, showed ${role} and stayed.`,
  no_exile: ({ round }) => `Day ${round}: nobody was exiled.`,
  summary: () => null,
  synthetic_vote: () => null,
  assessment: () => null,
  beliefs: () => null,
  missing: () => null,
  ended: () => null,
};

/** Types of events whose facts stay valid, because no later event can make them obsolete. */
const lasting: ReadonlySet<SeenEvent['type']> = new Set([
  ...(['acquainted', 'learned', 'death', 'exile_survived'] as const),
]);

/** Types of events for which only the latest event is valid. */
const offices: ReadonlySet<SeenEvent['type']> = new Set(['elected', 'badge']);

interface Fact {
  text: string;
  /** Whether the fact is kept in situations even if they exceed the limit of words. */
  isKept: boolean;
}

const tellFact = (event: SeenEvent, say: Say) => (facts[event.type] as FactTeller<typeof event.type>)(event, say);

/**
 * Returns a player's words in the form in which pools store them: one line, with seat letters for names, cut to a
 * number of words.
 */
const tellWords = (text: string, table: PublicSetup, words: number = limits.words) =>
  replaceDoubleQuotes(truncateWords(replaceNames(flattenToOneLine(text), table), words).text);

interface Choice {
  by: string;
  target: string;
  round: number;
}

/** Describes the choices of the latest round among `seen`, grouped by target: "[B] by [A] [C]; [D] by [E]". */
function tellChoices(seen: readonly Choice[], say: Say, title: (round: number) => string): Fact[] {
  const last = seen.at(-1)?.round;
  if (last === undefined) return [];
  const ofRound = seen.filter(({ round }) => round === last);
  const latest = new Map(ofRound.map((choice) => [choice.by, choice])); // a player who chose again, as after a tie
  const targets = Map.groupBy(latest.values(), ({ target }) => target);
  const told = [...targets].map(
    ([target, choices]) => `${say(target)} by ${choices.map(({ by }) => say(by)).join(' ')}`,
  );
  return [{ text: `${title(last)}: ${told.join('; ')}.`, isKept: true }];
}

const claimed = new WeakMap<SeenEvent, string[]>();

/**
 * Lists the roles that a speaker plainly claims in a statement. Village roles are listed only if they have a power or a
 * last act.
 */
function readClaimedRoles(event: SeenEvent, table: PublicSetup): string[] {
  if (event.type !== 'statement') return [];
  const known = claimed.get(event);
  if (known) return known;
  const { id, by, round, text, occasion } = event;
  const claims = extractByRules({ id, by, round, text, kind: 'debate', occasion }, table) ?? [];
  const roles = claims.flatMap(({ type, role, polarity, hedged }) =>
    type === 'own_role' && role !== null && polarity && !hedged && !isPlain(role) ? [role] : [],
  );
  claimed.set(event, roles);
  return roles;
}

const isPlain = (name: string) => {
  const { team, powers: held, lastAct } = getRole(name);
  return team === 'villagers' && held.length === 0 && lastAct === undefined;
};

/** Lists all facts in order. Claims, offices and choices are summarized by their current state. */
function listFacts(view: View, say: Say): Fact[] {
  const { events, me, round } = view;
  const ofNow = events.filter((event) => event.round === round); // later ballots and picks summarize earlier ones
  const office = events.findLast(({ type }) => offices.has(type));
  const pick = events.findLast(({ type }) => type === 'pick');
  const told = new Set<string>();
  const single = events.flatMap((event): Fact[] => {
    const claims = readClaimedRoles(event, view).flatMap((role): Fact[] => {
      const { by } = event as Extract<SeenEvent, { type: 'statement' }>;
      const who = by === me ? 'you' : say(by);
      const key = `${who} claimed ${role}`;
      if (told.has(key)) return [];
      told.add(key);
      return [{ text: `Day ${event.round}: ${key}.`, isKept: true }];
    });
    const text = offices.has(event.type) && event !== office ? null : tellFact(event, say);
    const isKept = lasting.has(event.type) || event === office || event === pick;
    return [...claims, ...(text === null ? [] : [{ text, isKept }])];
  });
  return [
    ...single,
    ...tellChoices(ofNow.filter(isEventOfType('proposal')), say, (night) => `Proposals of night ${night}`),
    ...tellChoices(ofNow.filter(isEventOfType('pseudo_ballot')), say, (day) => `Pseudo-votes of day ${day}`),
    ...tellChoices(events.filter(isEventOfType('ballot')), say, (day) => `Votes of day ${day}`),
  ];
}

/** Drops the oldest facts that may be dropped, until the remaining facts are within the limit. */
function shortenFacts(all: readonly Fact[], most: number): string[] {
  let words = all.reduce((total, { text }) => total + countWords(text), 0);
  return all.flatMap(({ text, isKept }) => {
    if (isKept || words <= most) return [text];
    words -= countWords(text);
    return [];
  });
}

/**
 * Describes a player's knowledge before a decision: roles, checks, who left, role claims, the last ballots, and the
 * newest other events. The last statements of the round follow, one per line. Before a ballot for which the player has
 * summed up the debate (rule `voteSummary`), the summary replaces the statements.
 *
 * @example describeSituation(createView(game, 'Ginger'), 'ballot') // 'You are [C], Seer. Day 1, 7 of 8 living …'
 */
export function describeSituation(view: View, moment: ExperienceMoment): string {
  const { me, role, players, alive, phase, round, events } = view;
  const say = (name: string) => nameSeat(name, players);
  const time = `${phase === 'night' ? 'Night' : 'Day'} ${round}`;
  const head = `You are ${say(me)}, ${getRole(role).name}. ${time}, ${alive.length} of ${players.length} living (${alive.map(say).join(' ')}), before ${before[moment]}.`;
  const own = moment === 'ballot' ? findDebateSummary(view) : '';
  if (own !== '') return `${head}\n${summedUp}${tellWords(own, view, maxPrivateWords)}`;
  const told = shortenFacts(listFacts(view, say), limits.facts - countWords(head));
  const said = events.flatMap((event) =>
    event.type === 'statement' && event.round === round
      ? [`${event.by === me ? 'You' : say(event.by)} said: ${tellWords(event.text, view)}`]
      : [],
  );
  return [[head, ...told].join(' '), ...said.slice(-limits.statements)].join('\n');
}

/** Start of the line with a player's own summary in a situation. */
const summedUp = 'You summed up: ';

/** Returns the latest summary of the round; empty if none. */
const findDebateSummary = ({ events, round }: View): string =>
  events.filter(isDebateSummary).findLast((event) => event.round === round)?.text ?? '';

/**
 * Selects the part of a situation that is embedded: the player's own summary if there is one, else everything.
 *
 * @example selectMeaning('You are [C], Seer. Day 1 …\nYou summed up: [B] lies.') // '[B] lies.'
 */
export function selectMeaning(situation: string): string {
  const own = situation.split('\n').find((line) => line.startsWith(summedUp));
  return own === undefined ? situation : own.slice(summedUp.length);
}

/** Fields of an answer that `describeDeed` reads. */
interface Decision {
  statement?: string;
  vote?: string;
  explanation?: string;
  target?: string;
  proposal?: string;
  proposal_reason?: string;
}

/** Maximum number of words of a player's own statement or reason. */
const ownWords = 50;

/**
 * Describes a player's decision in the words of a pool; null for an invalid answer.
 *
 * @example describeDeed(view, 'vote', { vote: 'Dan' }) // 'voted for [B]'
 */
export function describeDeed(view: View, action: string, answer: Decision): string | null {
  const say = (name: string) => nameSeat(name, view.players);
  const explain = (why: string | undefined) =>
    why === undefined || why === '' ? '' : `: ${tellWords(why, view, ownWords)}`;
  if (answer.statement !== undefined) return `said: ${tellWords(answer.statement, view, ownWords)}`;
  if (answer.vote !== undefined) return `voted for ${say(answer.vote)}${explain(answer.explanation)}`;
  const named = answer.proposal ?? answer.target;
  if (named === undefined) return null;
  const verb = getPower(action).verb;
  if (!view.players.includes(named)) return `did not ${verb} anybody`;
  return `${answer.proposal === undefined ? 'chose' : 'proposed'} to ${verb} ${say(named)}${explain(answer.proposal_reason)}`;
}
