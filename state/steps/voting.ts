// Voting to exile a player: the rules by which ballots are counted, and the steps of the ballot that counts, of earlier
// ballots without effect, and of the exile.
import { hasBallotReasons } from '../rules/common-rules.ts';
import { type EventOf, isEventOfType } from '../events.ts';
import { type Ballot, createEventHeader, type Game } from '../game.ts';
import { createDeath } from '../night-resolution.ts';
import { draw } from '../random.ts';
import { getRole } from '../roles/index.ts';
import { createBallotWeigher, findSheriff } from '../sheriff.ts';
import { truncateWords } from '../text.ts';
import { listLivingOthers, type View } from '../view.ts';
import { createAnswerEvents, freeText, asksNobody, recordThoughts, type Reply, type Step } from './step.ts';

// Rules of voting: who votes, for whom, and with what result.

const weighOne = () => 1;

/**
 * Maps each target to its votes, most votes first. Targets with equal votes keep the order in which they were first
 * named. `weightOf` returns the weight of a voter's ballot, 1 by default.
 *
 * @example countVotes([{ by: 'Dan', target: 'Leah' }, { by: 'Sam', target: 'Leah' }]) // [['Leah', 2]]
 */
export function countVotes(
  ballots: readonly Ballot[],
  weightOf: (by: string) => number = weighOne,
): [target: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { by, target } of ballots) counts.set(target, (counts.get(target) ?? 0) + weightOf(by));
  return [...counts].sort(([, one], [, other]) => other - one);
}

/** Lists the targets with the most votes: several if they are tied, none if there are no ballots. */
export function listLeaders(ballots: readonly Ballot[], weightOf: (by: string) => number = weighOne): string[] {
  const counts = countVotes(ballots, weightOf);
  return counts.filter(([, count]) => count === counts[0]![1]).map(([target]) => target);
}

/**
 * Returns the tied players between whom the second ballot of a round decides; null if everybody may be voted for.
 * Accepts the events of a Game or of a View.
 */
export const findTiedPlayers = (events: readonly { type: string }[], roundNum: number): string[] | null =>
  events.filter(isEventOfType('tie')).find(({ round }) => round === roundNum)?.players ?? null;

export const findTiedToday = ({ gameLogs, roundNum }: Pick<Game, 'gameLogs' | 'roundNum'>) =>
  findTiedPlayers(gameLogs, roundNum);

/** Returns whether today's ballots have been cast. */
export const hasVoted = ({ votes }: Pick<Game, 'votes'>) => votes.length > 0;

/**
 * Returns whether a player has survived an exile and therefore has no vote any more. Accepts the events of a Game or of
 * a View.
 */
export const hasLostVote = (events: readonly { type: string }[], player: string): boolean =>
  events.some((event) => isEventOfType('exile_survived')(event) && event.player === player);

/** Lists the living players who have a vote, in seat order. */
const listEntitled = ({ alivePlayers, gameLogs }: Game) =>
  gameLogs.some(isEventOfType('exile_survived'))
    ? alivePlayers.filter((name) => !hasLostVote(gameLogs, name))
    : alivePlayers;

/** Lists the next voters, in seat order: living players who have a vote and, in a second ballot, are not tied. */
export function listVoters(game: Game): string[] {
  const tied = findTiedToday(game);
  return listEntitled(game).filter((name) => !tied?.includes(name));
}

/** Lists the players whom a player may vote to exile: all other players, or in a second ballot the tied players. */
export const listVotable = (view: View) => findTiedPlayers(view.events, view.round) ?? listLivingOthers(view);

type ExileOutcome = EventOf<'death'> | EventOf<'exile_survived'> | EventOf<'no_exile'> | EventOf<'tie'>;

/** Exiles a player. If the role survives the first exile, the player stays in the game and the role is shown. */
function exile(game: Game, player: string): ExileOutcome {
  const role = game.roles[player]!;
  return getRole(role).survivesFirstExile && !hasLostVote(game.gameLogs, player)
    ? { ...createEventHeader(game, 'everyone'), type: 'exile_survived', player, role }
    : createDeath(game, player, 'exile');
}

/** Returns the result of today's last ballots under the rules of the match. The Sheriff's ballot weighs more. */
export function resolveExile(game: Game): ExileOutcome {
  const { rules, seed } = game.setup;
  const weightOf = createBallotWeigher(rules, findSheriff(game));
  const [first] = countVotes(game.votes, weightOf);
  const exileNobody = (reason: 'no majority' | 'tie'): ExileOutcome => ({
    ...createEventHeader(game, 'everyone'),
    type: 'no_exile',
    reason,
  });
  if (rules.exile === 'majority') {
    const all = listEntitled(game).reduce((sum, name) => sum + weightOf(name), 0);
    return first && first[1] * 2 > all ? exile(game, first[0]) : exileNobody('no majority');
  }
  const top = listLeaders(game.votes, weightOf);
  if (top.length > 1 && rules.exileTies !== 'random') {
    const canOthersVote = listEntitled(game).some((name) => !top.includes(name));
    const isDecidable = rules.exileTies === 'pk' && findTiedToday(game) === null && canOthersVote;
    const players = game.alivePlayers.filter((name) => top.includes(name));
    return isDecidable ? { ...createEventHeader(game, 'everyone'), type: 'tie', players } : exileNobody('tie');
  }
  return exile(game, draw(seed, 'exile', game.roundNum).pick(top));
}

// Steps of voting.

/** A vote for one of the players. */
export interface VoteFor extends Reply {
  vote: string;
}

export interface Vote extends VoteFor {
  /** Explanation of the vote. Asked for only if ballots are public. */
  explanation?: string;
}

/** Part that all votes to exile share: who votes, and for whom. */
const exileVote = {
  listAskers: listVoters,
  listChoices: (view) => ({ vote: listVotable(view) }),
} satisfies Partial<Step<VoteFor>>;

/**
 * The ballot that counts. All voters cast it at the same time. After a tie, the players who are not tied vote between
 * the tied ones.
 */
export const voteStep: Step<Vote> = {
  ...exileVote,
  name: 'vote',
  listChoices: (view) => ({
    ...exileVote.listChoices(view),
    ...(hasBallotReasons(view.rules) ? { explanation: freeText } : {}),
  }),
  apply: (game, answers) => {
    const ballots = createAnswerEvents(answers, (by, value, { cut }) => createBallot(game, by, value, cut));
    return {
      change: { votes: ballots.map(({ by, target }) => ({ by, target })) },
      events: [...recordThoughts(game, 'vote', answers), ...ballots],
    };
  },
};

function createBallot(game: Game, by: string, { vote, explanation }: Vote, isCut = false): EventOf<'ballot'> {
  const { ballots, maxWords } = game.setup.rules;
  const explained = explanation === undefined ? null : truncateWords(explanation, maxWords * 2);
  return {
    ...createEventHeader(game, ballots === 'public' ? 'everyone' : [by]),
    type: 'ballot',
    id: `${game.roundNum}.${findTiedToday(game) ? 'pk.' : ''}${by}`,
    by,
    target: vote,
    ...(explained ? { explanation: explained.text } : {}),
    ...(explained && (explained.cut || isCut) ? { cut: true } : {}),
  };
}

/** A vote without effect that no player remembers. It measures how a statement was received. */
export const syntheticVoteStep: Step<VoteFor> = {
  ...exileVote,
  name: 'synthetic_vote',
  apply: (game, answers) => ({
    events: createAnswerEvents(answers, (by, { vote }): EventOf<'synthetic_vote'> => ({
      ...createEventHeader(game, 'moderator'),
      type: 'synthetic_vote',
      by,
      step: game.step,
      target: vote,
    })),
  }),
};

/** A first ballot that exiles nobody. Everybody sees it, and the Sheriff sums it up. */
export const pseudoVoteStep: Step<VoteFor> = {
  ...exileVote,
  name: 'pseudo_vote',
  apply: (game, answers) => {
    const ballots = createAnswerEvents(answers, (by, { vote }): EventOf<'pseudo_ballot'> => ({
      ...createEventHeader(game, 'everyone'),
      type: 'pseudo_ballot',
      by,
      target: vote,
    }));
    return { events: [...recordThoughts(game, 'pseudo_vote', answers), ...ballots] };
  },
};

/**
 * Counts the ballots and announces who is exiled, if anybody. A tie that leads to a second ballot clears the ballots.
 */
export const exileStep: Step = {
  ...asksNobody,
  name: 'exile',
  apply: (game) => {
    const outcome = resolveExile(game);
    return { change: outcome.type === 'tie' ? { votes: [] } : {}, events: [outcome] };
  },
};
