// Situations: what a player knew before a decision, in few words, with seat letters for names. Made from a View, so nothing
// gets in that the player could not know.
import type { ExperienceMoment } from '../../state/experience.ts';
import { getPower, getRole, powers } from '../../state/roles/index.ts';
import { teams } from '../../state/teams.ts';
import { flattenToOneLine, replaceDoubleQuotes, truncateWords } from '../../state/text.ts';
import type { SeenEvent, View } from '../../state/view.ts';
import { isEventOfType } from '../../state/events.ts';
import { nameSeat, replaceNames } from './seat-letters.ts';

/**
 * Before which kind of decision a question stands; null: players do not remember there.
 *
 * @example findMoment('vote') // 'ballot'
 */
export function findMoment(action: string): ExperienceMoment | null {
  if (action === 'debate' || action === 'pk_debate') return 'debate';
  if (action === 'vote') return 'ballot';
  return powers.some(({ verb }) => verb === action) ? 'night' : null;
}

/** So many of the last statements of the round, each with so many words, and so many words of all else. */
const limits = { statements: 4, words: 30, facts: 110 } as const;

const before: Readonly<Record<ExperienceMoment, string>> = {
  debate: 'your turn in the debate',
  ballot: 'the vote',
  night: 'your choice of the night',
};

type FactTeller<Type> = (event: Extract<SeenEvent, { type: Type }>, say: (name: string) => string) => string | null;

const describeRole = ({ role, team }: { role?: string | undefined; team?: keyof typeof teams | undefined }) =>
  role !== undefined ? getRole(role).name : team !== undefined ? `on the side of ${teams[team].label}` : null;

// What of each type of event belongs to a situation; null: nothing. One that is left out does not compile.
const facts: { [Type in SeenEvent['type']]: FactTeller<Type> } = {
  dealt: () => null,
  acquainted: ({ players }, say) => (players.length > 1 ? `The Werewolves: ${players.map(say).join(', ')}.` : null),
  round_started: () => null,
  thought: () => null,
  remembered: () => null, // or texts of a third match would be handed on
  proposal: ({ by, verb, target, round }, say) => `Night ${round}: ${say(by)} proposed to ${verb} ${say(target)}.`,
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
  pseudo_ballot: ({ by, target, round }, say) => `Pseudo-vote of day ${round}: ${say(by)} for ${say(target)}.`,
  tie: ({ players, round }, say) => `Day ${round}: tied: ${players.map(say).join(', ')}.`,
  bid: () => null,
  statement: () => null, // those of the round stand at the end
  silence: () => null,
  ballot: () => null, // those of the last vote stand together
  exile_survived: ({ player, role }, say) => `${say(player)} was voted out, showed ${role} and stayed.`,
  no_exile: ({ round }) => `Day ${round}: nobody was exiled.`,
  summary: () => null,
  synthetic_vote: () => null,
  assessment: () => null,
  beliefs: () => null,
  missing: () => null,
  ended: () => null,
};

const tellFact = (event: SeenEvent, say: (name: string) => string) =>
  (facts[event.type] as FactTeller<typeof event.type>)(event, say);

/** Words that somebody said or wrote, as a text of a pool quotes them. */
export const quoteWords = (
  text: string,
  table: Pick<View, 'board' | 'rules' | 'players'>,
  words: number = limits.words,
) => `'${replaceDoubleQuotes(truncateWords(replaceNames(flattenToOneLine(text), table), words).text)}'`;

/** The last ballots that the player saw, by target. */
function tellBallots({ events }: View, say: (name: string) => string): string[] {
  const seen = events.filter(isEventOfType('ballot'));
  const last = seen.at(-1)?.round;
  const targets = Map.groupBy(
    seen.filter(({ round }) => round === last),
    ({ target }) => target,
  );
  const told = [...targets].map(
    ([target, ballots]) => `${say(target)} by ${ballots.map(({ by }) => say(by)).join(' ')}`,
  );
  return told.length === 0 ? [] : [`Votes of day ${last}: ${told.join('; ')}.`];
}

/**
 * What the player of a View knows before a decision: facts of the whole match, the last ballots, and the last statements
 * of the round.
 *
 * @example describeSituation(createView(game, 'Ginger'), 'ballot') // 'You are [C], Seer. Day 1, 7 of 8 living …'
 */
export function describeSituation(view: View, moment: ExperienceMoment): string {
  const { me, role, players, alive, phase, round, events } = view;
  const say = (name: string) => nameSeat(name, players);
  const time = `${phase === 'night' ? 'Night' : 'Day'} ${round}`;
  const facts = [
    `You are ${say(me)}, ${getRole(role).name}. ${time}, ${alive.length} of ${players.length} living (${alive.map(say).join(' ')}), before ${before[moment]}.`,
    ...events.flatMap((event) => tellFact(event, say) ?? []),
    ...tellBallots(view, say),
  ];
  const said = events.flatMap((event) =>
    event.type === 'statement' && event.round === round
      ? [`${event.by === me ? 'You' : say(event.by)} said: ${quoteWords(event.text, view)}`]
      : [],
  );
  return [truncateWords(facts.join(' '), limits.facts).text, ...said.slice(-limits.statements)].join(' ');
}

/** An answer to a question of such a moment, as far as it is read here. */
interface Decision {
  statement?: string;
  vote?: string;
  explanation?: string;
  target?: string;
  proposal?: string;
  proposal_reason?: string;
}

/** So many words of an own statement or reason. */
const ownWords = 50;

/**
 * What a player did, in the words of a pool; null for an answer that is none.
 *
 * @example describeDeed(view, 'vote', { vote: 'Dan' }) // 'voted for [B]'
 */
export function describeDeed(view: View, action: string, answer: Decision): string | null {
  const say = (name: string) => nameSeat(name, view.players);
  const explain = (why: string | undefined) =>
    why === undefined || why === '' ? '' : `: ${quoteWords(why, view, ownWords)}`;
  if (answer.statement !== undefined) return `said: ${quoteWords(answer.statement, view, ownWords)}`;
  if (answer.vote !== undefined) return `voted for ${say(answer.vote)}${explain(answer.explanation)}`;
  const named = answer.proposal ?? answer.target;
  if (named === undefined) return null;
  const verb = getPower(action).verb;
  if (!view.players.includes(named)) return `did not ${verb} anybody`;
  return `${answer.proposal === undefined ? 'chose' : 'proposed'} to ${verb} ${say(named)}${explain(answer.proposal_reason)}`;
}
