// The Sheriff: the rules and steps of the election, and the steps of the office: the order of the debate and the
// recommendation before the ballot. Passing the badge is in departure.ts.
import { type EventOf, isEventOfType } from '../events.ts';
import { createEventHeader, type Game } from '../game.ts';
import { draw } from '../random.ts';
import { findSheriff } from '../sheriff.ts';
import { listLivingOthers } from '../view.ts';
import { createSpeechStep, isTurnFor, type Speech } from './debate.ts';
import {
  type Answer,
  createAnswerEvents,
  freeText,
  getAnswerMark,
  recordThoughts,
  type Reply,
  type Step,
} from './step.ts';
import { listLeaders, type VoteFor } from './voting.ts';

// Rules of the election: who stands, who speaks, who votes for whom, who is elected.

/** Events of a Game or of a View. */
type Events = readonly { type: string }[];

/** Returns whether the rules have an election that has not been held yet. It is held on the first day. */
export const isElectionDue = ({ setup, gameLogs }: Game) =>
  setup.rules.sheriff && !gameLogs.some(isEventOfType('candidacy'));

/** Returns whether an election has begun and is not over. */
export const isElectionOpen = ({ setup, gameLogs }: Game) =>
  setup.rules.sheriff &&
  gameLogs.some(isEventOfType('candidacy')) &&
  !gameLogs.some((event) => isEventOfType('elected')(event) || isEventOfType('no_sheriff')(event));

/** Lists the candidates for Sheriff, in seat order. */
export const listCandidates = (events: Events): string[] =>
  events.filter(isEventOfType('candidacy')).flatMap(({ by, stands }) => (stands ? [by] : []));

/** Returns, in a list, the event that nobody stood for Sheriff and the badge is gone. Empty if somebody stood. */
const createNoSheriff = (game: Game, declared: readonly EventOf<'candidacy'>[]): EventOf<'no_sheriff'>[] =>
  declared.some(({ stands }) => stands) ? [] : [{ ...createEventHeader(game, 'everyone'), type: 'no_sheriff' }];

/** Returns whether everybody can be elected without standing. */
const isForAll = ({ setup }: Pick<Game, 'setup'>) => setup.rules.sheriffCandidates === 'all';

/** Lists the candidates who have not spoken yet, in the order in which they speak. The seed determines the order. */
export function listCampaigners(game: Game): string[] {
  if (isForAll(game)) return [];
  const spoken = game.gameLogs.filter(isTurnFor('campaign')).map(({ by }) => by);
  return draw(game.setup.seed, 'campaign')
    .shuffle(listCandidates(game.gameLogs))
    .filter((name) => !spoken.includes(name));
}

/** Returns the number of the next ballot for Sheriff: 1, or 2 after a tie. */
export const getBadgeBallotNumber = (events: Events) => (events.some(isEventOfType('badge_ballot')) ? 2 : 1);

/**
 * Lists the players who may be voted for in the next ballot: the candidates, or the players tied in the first ballot.
 */
export function listElectable(events: Events): string[] {
  const first = events.filter(isEventOfType('badge_ballot'));
  const standing = listCandidates(events);
  return first.length === 0 ? standing : standing.filter((name) => listLeaders(first).includes(name));
}

/**
 * Lists the living players who vote for Sheriff, in seat order: players who do not stand, or everybody if all stand.
 */
export function listElectors(game: Game): string[] {
  const standing = listCandidates(game.gameLogs);
  const others = game.alivePlayers.filter((name) => !standing.includes(name));
  return others.length > 0 ? others : [...game.alivePlayers];
}

/** Returns the event that elects the only candidate without a vote; null if several players stand or nobody does. */
function electUnopposed(game: Game): EventOf<'elected'> | null {
  const [first, ...others] = listCandidates(game.gameLogs);
  return first !== undefined && others.length === 0 ? createElection(game, first, 'unopposed') : null;
}

/** Returns the result of a ballot; null if the first ballot is tied and a second must be held. */
export function resolveElection(game: Game, ballots: readonly EventOf<'badge_ballot'>[]): EventOf<'elected'> | null {
  const top = listLeaders(ballots);
  if (top.length > 1 && getBadgeBallotNumber(game.gameLogs) === 1) return null;
  const player = top.length === 1 ? top[0]! : draw(game.setup.seed, 'sheriff').pick(top);
  return createElection(game, player, top.length === 1 ? 'vote' : 'draw');
}

const createElection = (game: Game, player: string, how: EventOf<'elected'>['how']): EventOf<'elected'> => ({
  ...createEventHeader(game, 'everyone'),
  type: 'elected',
  player,
  how,
});

// Steps of the election and of the office.

export interface Candidacy extends Reply {
  stand: boolean;
}

/**
 * All players say at the same time whether they stand for Sheriff. An unreadable answer means no. Under
 * `sheriffCandidates=all` nobody is asked, and all stand.
 */
export const candidacyStep: Step<Candidacy> = {
  name: 'candidacy',
  listAskers: (game) => (isForAll(game) ? [] : game.alivePlayers),
  listChoices: () => ({ stand: [true, false] }),
  apply: (game, given) => {
    const all = game.alivePlayers.map((by) => ({ by, value: { stand: true } }));
    const answers: readonly Answer<Candidacy>[] = isForAll(game) ? all : given;
    const declared = answers.map((answer): EventOf<'candidacy'> => ({
      ...createEventHeader(game, 'everyone'),
      type: 'candidacy',
      by: answer.by,
      stands: answer.value?.stand ?? false,
      ...getAnswerMark(answer),
    }));
    return { events: [...recordThoughts(game, 'candidacy', answers), ...declared, ...createNoSheriff(game, declared)] };
  },
};

/** One of the candidates speaks. */
export const campaignStep = createSpeechStep({
  name: 'campaign',
  occasion: 'campaign',
  findSpeaker: (game) => listCampaigners(game)[0]!,
});

/**
 * The players vote for a Sheriff, all at the same time. A tie in the first ballot leads to a second. A single candidate
 * is elected without a vote.
 */
export const electStep: Step<VoteFor> = {
  name: 'elect',
  listAskers: (game) => (electUnopposed(game) ? [] : listElectors(game)),
  listChoices: ({ events, me }) => ({ vote: listElectable(events).filter((name) => name !== me) }),
  apply: (game, answers) => {
    const only = electUnopposed(game);
    if (only) return { events: [only] };
    const ballot = getBadgeBallotNumber(game.gameLogs);
    const ballots = createAnswerEvents(answers, (by, { vote }): EventOf<'badge_ballot'> => ({
      ...createEventHeader(game, 'everyone'),
      type: 'badge_ballot',
      by,
      target: vote,
      ballot,
    }));
    const outcome = resolveElection(game, ballots);
    return { events: [...recordThoughts(game, 'elect', answers), ...ballots, ...(outcome ? [outcome] : [])] };
  },
};

export interface SpeakingOrder extends Reply {
  direction: EventOf<'speaking_order'>['direction'];
}

/** The Sheriff decides in which direction the debate goes around the table. */
export const speakingOrderStep: Step<SpeakingOrder> = {
  name: 'speaking_order',
  listAskers: (game) => [findSheriff(game)!],
  listChoices: () => ({ direction: ['up', 'down'] }),
  apply: (game, answers) => ({
    events: [
      ...recordThoughts(game, 'speaking_order', answers),
      ...createAnswerEvents(answers, (by, { direction }): EventOf<'speaking_order'> => ({
        ...createEventHeader(game, 'everyone'),
        type: 'speaking_order',
        by,
        direction,
      })),
    ],
  }),
};

export interface Recommendation extends Speech {
  recommendation: string;
}

/** The Sheriff sums up the pseudo-vote and recommends one player to exile. */
export const recommendStep = createSpeechStep<Recommendation>({
  name: 'recommend',
  occasion: 'recommendation',
  findSpeaker: (game) => findSheriff(game)!,
  listChoices: (view) => ({ statement: freeText, recommendation: listLivingOthers(view) }),
  describe: ({ recommendation }) => ({ recommends: recommendation }),
});
