// An independent check of the rules: reads the events of a whole match and lists broken rules.
import { isDeepStrictEqual } from 'node:util';
import { type Audience, GameEvent, isEventOfType } from '../state/events.ts';
import type { DeceptionScores, Setup } from '../state/game.ts';
import { checkDay } from './referee-day.ts';
import { checkDeaths } from './referee-deaths.ts';
import { checkNight } from './referee-night.ts';
import { findHolderAfter, type Must, without } from './referee-span.ts';

/** Lists violations of the rules in words; empty for a correct match. */
export function listRulesBroken(setup: Setup, events: readonly GameEvent[]): string[] {
  const broken: string[] = [];
  const must: Must = (isKept, rule, what) => {
    if (!isKept) broken.push(what === undefined ? rule : `${rule}: ${JSON.stringify(what)}`);
  };
  checkEach(setup, events, must);
  const rounds = Math.max(...events.map(({ round }) => round));
  let living: readonly string[] = setup.players.map(({ name }) => name);
  let voteless: readonly string[] = [];
  let sheriff: string | null = null;
  for (let round = 1; round <= rounds; round++) {
    for (const phase of ['night', 'day'] as const) {
      const ofSpan = events.filter((event) => event.round === round && event.phase === phase);
      const span = { setup, round, events: ofSpan, living, voteless, sheriff, must };
      if (phase === 'night') checkNight(span, events);
      else if (findWinnerAmong(setup, living) === null) checkDay(span);
      else must(ofSpan.every(isEventOfType('ended')), 'a match that the night decides ends at once', round);
      checkDeaths(span);
      living = without(living, ofSpan);
      voteless = [...voteless, ...ofSpan.filter(isEventOfType('exile_survived')).map(({ player }) => player)];
      sheriff = findHolderAfter(sheriff, ofSpan);
      must(sheriff === null || living.length === 0 || living.includes(sheriff), 'the badge is with the living', round);
    }
    const isOver = findWinnerAmong(setup, living) !== null || round === setup.rules.maxRounds;
    must(isOver === (round === rounds), 'a match goes on until a side has won or the rounds are over', round);
  }
  checkEnd(setup, events, living, must);
  return broken;
}

interface Win {
  winner: 'villagers' | 'werewolves';
  reason: string;
}

/** Finds the winner by the rule `wins`, and the reason. Null if nobody has won. */
function findWinnerAmong({ players, rules }: Setup, living: readonly string[]): Win | null {
  const isLeft = ({ name }: Setup['players'][number]) => living.includes(name);
  const pack = players.filter(({ role }) => role === 'Werewolf');
  const rest = players.filter(({ role }) => role !== 'Werewolf');
  const village = players.filter(({ team }) => team === 'villagers');
  const [wolves, others] = [pack.filter(isLeft).length, rest.filter(isLeft).length];
  if (wolves === 0) return { winner: 'villagers', reason: 'no Werewolf left' };
  const won = (reason: string): Win => ({ winner: 'werewolves', reason });
  if (rules.wins === 'parity') return wolves >= others ? won('Werewolves at parity') : null;
  if (rules.wins === 'majority') return wolves > others ? won('Werewolves in the majority') : null;
  const plain = village.filter(({ role }) => role === 'Villager');
  const special = village.filter(({ role }) => role !== 'Villager');
  if (special.length > 0 && !special.some(isLeft)) return won('no special role left');
  return plain.length > 0 && !plain.some(isLeft) ? won('no plain villager left') : null;
}

function checkEnd(setup: Setup, events: readonly GameEvent[], living: readonly string[], must: Must) {
  const ends = events.filter(isEventOfType('ended'));
  const win = findWinnerAmong(setup, living);
  must(ends.length === 1 && events.at(-1) === ends[0], 'a match ends once, and last');
  must(ends[0]?.winner === (win?.winner ?? null), 'who has won is said', ends[0]);
  must(ends[0]?.reason === (win?.reason ?? 'round limit'), 'why it ends is said', ends[0]);
}

/** Actions whose reasoning stays in the player's own notes. */
export const remembered = [
  ...['eliminate', 'protect', 'guard', 'unmask', 'save', 'poison', 'shoot'],
  ...['candidacy', 'campaign', 'elect', 'speaking_order', 'pseudo_vote', 'recommend', 'pass_badge'],
  ...['bid', 'debate', 'draft', 'pk_debate', 'vote'],
];

/** Whether an event is an act of a player who has just left. */
const isParting = (event: GameEvent) =>
  event.type === 'last_act' ||
  event.type === 'badge' ||
  (event.type === 'passed' && event.verb === 'shoot') ||
  (event.type === 'thought' && ['shoot', 'pass_badge'].includes(event.action));

/** Returns a key that orders nights and days. */
export const getMoment = ({ round, phase }: Pick<GameEvent, 'round' | 'phase'>) =>
  2 * round + (phase === 'day' ? 1 : 0);

/** Checks each event separately. */
function checkEach(setup: Setup, events: readonly GameEvent[], must: Must) {
  let living: readonly string[] = setup.players.map(({ name }) => name);
  let now = 0;
  for (const event of events) {
    must(GameEvent.safeParse(event).success, 'an event is what its schema says', event);
    must(isDeepStrictEqual(event.audience, getAudience(event, setup)), 'an event is known to those it concerns', event);
    must(getMoment(event) >= now, 'time goes on', event);
    if (event.type === 'thought')
      must(
        remembered.includes(event.action) || (setup.rules.thoughts === 'all' && event.action.endsWith('_analysis')),
        'analyses, where the rules do not ask for that, and votes for show are not remembered',
        event,
      );
    if ('by' in event) must(living.includes(event.by) !== isParting(event), 'the dead do nothing but part', event);
    if ('target' in event) must(living.includes(event.target), 'nobody names the dead', event);
    if ('about' in event && event.type !== 'learned')
      must(living.includes(event.about), 'nobody asks after the dead', event);
    if (event.type === 'death') must(living.includes(event.player), 'death is final', event);
    living = without(living, [event]);
    now = getMoment(event);
  }
}

function getAudience(event: GameEvent, { players, rules }: Setup): Audience {
  const pack = players.filter(({ role }) => role === 'Werewolf').map(({ name }) => name);
  switch (event.type) {
    case 'dealt':
      return [event.player];
    case 'acquainted':
    case 'proposal':
    case 'pick':
      return pack;
    case 'thought':
    case 'acted':
    case 'passed':
    case 'learned':
    case 'bid':
    case 'summary':
      return [event.by];
    case 'ballot':
      return rules.ballots === 'public' ? 'everyone' : [event.by];
    case 'draft':
    case 'synthetic_vote':
    case 'assessment':
    case 'beliefs':
    case 'missing':
      return 'moderator';
    case 'attacked':
      return event.audience; // the checks of the night test that only Witches learn it
    default:
      return 'everyone';
  }
}

/** Computes suspicion scores from the analyses of a match under its rules: 0.7 · new + 0.3 · old, starting from 0.5. */
export function computeScores({ players, rules }: Setup, events: readonly GameEvent[]): DeceptionScores {
  const names = players.map(({ name }) => name);
  const scoreOf = (observer: string, target: string) => {
    const met = events
      .filter(isEventOfType('assessment'))
      .filter(({ kind }) => kind === 'debate' || rules.scoresFrom === 'all')
      .filter(({ by, about, suspicion }) => by === observer && about === target && suspicion !== undefined);
    return {
      score: met.reduce((old, { suspicion }) => 0.7 * suspicion! + 0.3 * old, 0.5),
      round: met.at(-1)?.round ?? null,
    };
  };
  return Object.fromEntries(
    names.map((observer) => [
      observer,
      Object.fromEntries(names.filter((name) => name !== observer).map((name) => [name, scoreOf(observer, name)])),
    ]),
  );
}
