// The order of play: which node follows which. The graph, the simulation and all other drivers use these routers.
import type { GameEvent } from './events.ts';
import type { Game } from './game.ts';
import { powers } from './roles/index.ts';
import { findSheriff } from './sheriff.ts';
import { findLastStatement, listExplanations } from './steps/analysis.ts';
import { countTurns, findLastTurn, hasTurnsLeft, isBidFor, isDrafted, listPkSpeakers } from './steps/debate.ts';
import { isPowerReady } from './steps/night.ts';
import { findNextLastActOrBadge } from './steps/departure.ts';
import { isSumUpDue } from './steps/round.ts';
import { isElectionDue, isElectionOpen, listCampaigners } from './steps/sheriff.ts';
import { findTiedToday, hasVoted } from './steps/voting.ts';
import { isCutToday, isLastRound } from './win-conditions.ts';

/** Pseudo-node after the end of a match: no node follows. */
export const endOfMatch = 'over';

/** Returns the nodes that come next and run in parallel. */
export type Router = (game: Game) => readonly string[];

/**
 * Numbers of the waves of a night, ascending. The powers of one wave are used at the same time. Holders of powers in a
 * later wave know what was done in earlier waves.
 */
export const nightWaves = [...new Set(powers.map(({ wave }) => wave))];

/**
 * Routes to the powers of a wave that somebody may use. If there are none, routes to the next wave, and finally to
 * `resolve_night`.
 */
const routeToNightWave =
  (index: number): Router =>
  (game) => {
    const wave = nightWaves[index];
    if (wave === undefined) return ['resolve_night'];
    const verbs = powers.filter((power) => power.wave === wave && isPowerReady(game, power)).map(({ verb }) => verb);
    return verbs.length > 0 ? verbs : routeToNightWave(index + 1)(game);
  };

const listNightNodes = (index: number) => [
  ...powers.filter(({ wave }) => nightWaves.indexOf(wave) >= index).map(({ verb }) => verb),
  'resolve_night',
];

/** Nodes that can be the next step of a day. */
const daySteps = [
  'campaign',
  'elect',
  'speaking_order',
  'bid',
  'debate',
  'draft',
  'speak',
  'pseudo_vote',
  'pk_debate',
  'sum_up',
  'vote',
  'exile',
] as const;
type DayStep = (typeof daySteps)[number];

/**
 * Routes to the last acts and the badge of players who have left, one after another, and then to the win conditions.
 */
function nextAfterDeaths(game: Game): string {
  const due = findNextLastActOrBadge(game);
  if (due) return due.act === 'badge' ? 'pass_badge' : 'last_act';
  return game.phase === 'night' ? 'check_winner_night' : 'check_winner_day';
}

const nextAfterNight = (game: Game) =>
  game.winner !== null ? 'end' : isElectionDue(game) ? 'candidacy' : nextDayStep(game);

/** Returns whether today's ballots ended in a tie that a second ballot must break. */
const isPkDue = (game: Game) => !hasVoted(game) && findTiedToday(game) !== null;

/** Returns the next node of the day once everything said has been analyzed. */
function nextDayStep(game: Game): DayStep {
  if (isElectionOpen(game)) return listCampaigners(game).length > 0 ? 'campaign' : 'elect';
  if (hasVoted(game)) return 'exile';
  if (findTiedToday(game)) return listPkSpeakers(game).length > 0 ? 'pk_debate' : leadToVote(game);
  if (isOrderDue(game)) return 'speaking_order';
  if (hasTurnsLeft(game)) {
    const [ask, take] = isDrafted(game) ? (['draft', 'speak'] as const) : (['bid', 'debate'] as const);
    return isOpeningBidDue(game) ? ask : take;
  }
  return findSheriff(game) !== null && !hasHappened(game, 'pseudo_ballot') ? 'pseudo_vote' : leadToVote(game);
}

const leadToVote = (game: Game) => (isSumUpDue(game) ? 'sum_up' : 'vote');

/**
 * Returns whether bids for the day's first statement are due. They are a wave of their own; later bids run in parallel
 * with the analyses of a statement.
 */
const isOpeningBidDue = (game: Game) =>
  countTurns(game.gameLogs, game.roundNum) === 0 && isBidFor(game) && Object.keys(game.bids).length === 0;

/**
 * Returns whether the Sheriff must choose the order of the debate. The choice is made before the first statement, and
 * only if players speak in turn.
 */
const isOrderDue = (game: Game) =>
  game.setup.rules.debateOrder === 'round-robin' &&
  findSheriff(game) !== null &&
  countTurns(game.gameLogs, game.roundNum) === 0 &&
  !hasHappened(game, 'speaking_order');

/**
 * Returns whether an event of this type happened today. Searches from the end, since a match has many more events than
 * a day.
 */
const hasHappened = ({ gameLogs, roundNum }: Game, type: GameEvent['type']) =>
  gameLogs.findLast((event) => event.type === type || event.round < roundNum)?.round === roundNum;

/** Nodes that may follow a statement or a ballot, each with its condition. They run in parallel. */
type Wave = Readonly<Record<string, (game: Game) => boolean>>;

const selectNodes = (wave: Wave, game: Game) =>
  Object.entries(wave).flatMap(([node, isDue]) => (isDue(game) ? [node] : []));

/** Nodes that analyze the latest statements. */
const analyses: Wave = {
  self_analysis: ({ setup }) => ['both', 'self'].includes(setup.rules.analysis),
  peer_analysis: ({ setup }) => ['both', 'peer'].includes(setup.rules.analysis),
};

/** Returns whether the day ends with analyses of its ballots. */
const hasBallotAnalyses = ({ analysis, analyzeBallots, ballots }: Game['setup']['rules']) =>
  ballots === 'public' && analyzeBallots && analysis !== 'off';

/**
 * Nodes that run in parallel with the analyses of a statement in the debate: bids and synthetic votes, or beliefs after
 * the last statement.
 */
const besideStatement: Wave = {
  bid: (game) => hasTurnsLeft(game) && isBidFor(game) && !isDrafted(game),
  draft: (game) => hasTurnsLeft(game) && isDrafted(game),
  synthetic_vote: (game) => game.setup.rules.syntheticVotes && hasTurnsLeft(game),
  beliefs: (game) => isBeliefsRule(game) && !hasBallotAnalyses(game.setup.rules) && !hasTurnsLeft(game),
};

/** Nodes that run in parallel with the analyses of a ballot that counts. */
const besideBallot: Wave = {
  beliefs: (game) => isBeliefsRule(game) && !findTiedToday(game),
};

const isBeliefsRule = ({ setup }: Game) => setup.rules.beliefs === 'each-round';

/**
 * Routes after a statement: to all nodes that can ask in parallel, or to the next node of the day if no node has a
 * question.
 */
const nextAfterStatement: Router = (game) => {
  const isDebate = findLastTurn(game)?.occasion === undefined;
  const wave = [
    ...(findLastStatement(game) ? selectNodes(analyses, game) : []),
    ...(isDebate ? selectNodes(besideStatement, game) : []),
  ];
  return wave.length > 0 ? wave : [nextDayStep(game)];
};

/** Routes after a ballot. The explanations of the ballot are analyzed before the result is announced. */
const nextAfterVote: Router = (game) => {
  if (!hasBallotAnalyses(game.setup.rules)) return ['exile'];
  const wave = [
    ...(listExplanations(game).length > 0 ? selectNodes(analyses, game) : []),
    ...selectNodes(besideBallot, game),
  ];
  return wave.length > 0 ? wave : ['exile'];
};

/** Nodes in which a player's words become public. */
const speeches = ['campaign', 'debate', 'speak', 'recommend', 'pk_debate'];

/** Nodes of the day that run in one superstep. Their router reads nothing that any of them writes. */
const dayWave = [...new Set([analyses, besideStatement, besideBallot].flatMap((wave) => Object.keys(wave)))];

const afterDeaths = ['last_act', 'pass_badge'];

/** The nodes that may follow a node. */
interface Transition {
  next: Router;
  /** All nodes that `next` may return, for the edges of the graph. */
  paths: readonly string[];
}

const leadTo = (node: string): Transition => ({ next: () => [node], paths: [node] });

const choose = (next: (game: Game) => string, paths: readonly string[]): Transition => ({
  next: (game) => [next(game)],
  paths,
});

const assignToAll = (nodes: readonly string[], transition: Transition) =>
  Object.fromEntries(nodes.map((node) => [node, transition]));

/**
 * Node → what follows it, for every node of a match; the first node is `start_round`. The nodes that `next` returns run
 * in one superstep and share one router.
 *
 * @example transitions['vote']!.next(game) // ['exile'], or the analyses of the ballot
 */
export const transitions: Readonly<Record<string, Transition>> = {
  start_round: { next: routeToNightWave(0), paths: listNightNodes(0) },
  ...Object.fromEntries(
    powers.map(({ verb, wave }) => {
      const later = nightWaves.indexOf(wave) + 1;
      return [verb, { next: routeToNightWave(later), paths: listNightNodes(later) }];
    }),
  ),
  resolve_night: choose(nextAfterDeaths, [...afterDeaths, 'check_winner_night']),
  ...assignToAll(afterDeaths, choose(nextAfterDeaths, [...afterDeaths, 'check_winner_night', 'check_winner_day'])),
  check_winner_night: choose(nextAfterNight, ['candidacy', ...daySteps, 'end']),
  ...assignToAll(['candidacy', 'elect', 'speaking_order'], choose(nextDayStep, daySteps)),
  ...assignToAll(speeches, { next: nextAfterStatement, paths: [...dayWave, ...daySteps] }),
  ...assignToAll(dayWave, choose(nextDayStep, daySteps)),
  pseudo_vote: leadTo('recommend'),
  sum_up: leadTo('vote'),
  vote: { next: nextAfterVote, paths: [...Object.keys(analyses), ...Object.keys(besideBallot), 'exile'] },
  exile: choose(
    (game) => (isPkDue(game) ? 'pk_debate' : nextAfterDeaths(game)),
    ['pk_debate', ...afterDeaths, 'check_winner_day'],
  ),
  check_winner_day: choose(
    (game) => (game.winner === null && !isLastRound(game) && !isCutToday(game) ? 'summarize' : 'end'),
    ['summarize', 'end'],
  ),
  summarize: leadTo('start_round'),
  end: leadTo(endOfMatch),
};
