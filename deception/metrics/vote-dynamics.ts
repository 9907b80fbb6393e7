// Metrics of how votes move during a debate: entropy, consensus and changes of mind. They are computed from the
// synthetic votes after each turn.
import { createBallotWeigher } from '../../state/sheriff.ts';
import { countVotes } from '../../state/steps/voting.ts';
import type { BallotRow, RoundRow } from '../tables/game-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { countKinds, levelShareFigure } from './breakdowns.ts';
import { createPlaceFinder } from './debate.ts';
import { createRatioFigure, type Metric, parseRowRules, type MetricTally } from './metric.ts';

// A poll is one vote of a day: the synthetic vote after a turn of the debate, or the first ballot after the debate.

interface Poll {
  /** Number of debate turns before this vote. */
  index: number;
  /** Votes of the poll. Excludes votes that were drawn at random in a voter's place. */
  votes: readonly BallotRow[];
}

interface PolledDay {
  round: RoundRow;
  /** Polls of the day in order. The last poll is the ballot, if there was one. */
  polls: readonly Poll[];
}

/** Lists the days with synthetic votes. */
export function listPolledDays({ rounds, ballots }: MatchTables): PolledDay[] {
  const synthetic = ballots.filter(({ vote }) => vote === 'synthetic');
  const places = createPlaceFinder(synthetic);
  return rounds.flatMap((round) => {
    const own = synthetic.filter((row) => row.round === round.round);
    if (own.length === 0) return [];
    const polls = [...Map.groupBy(own, places)].sort(([one], [other]) => one - other);
    const ballot = listFirstBallot(ballots, round.round);
    const last = polls.at(-1)![0] + 1;
    return [
      {
        round,
        polls: [...polls, ...(ballot.length === 0 ? [] : [[last, ballot] as const])].map(([index, votes]) => ({
          index,
          votes: votes.filter((row) => !row.is_drawn),
        })),
      },
    ];
  });
}

/** Lists the ballots of the first vote after the debate: the pseudo vote if there was one, else the vote for exile. */
function listFirstBallot(ballots: readonly BallotRow[], round: number): BallotRow[] {
  const own = ballots.filter((row) => row.round === round);
  const pseudo = own.filter(({ vote }) => vote === 'pseudo');
  return pseudo.length > 0 ? pseudo : own.filter(({ vote }) => vote === 'exile');
}

/**
 * Creates a function that finds the player with the most votes in a poll, and the weight of these votes. Null if
 * several players share the lead.
 */
function createLeaderFinder({ match }: MatchTables) {
  const rules = parseRowRules(match);
  return ({ votes }: Poll, { sheriff }: RoundRow) => {
    const ballots = votes.map(({ voter, target }) => ({ by: voter, target }));
    const [first, second] = countVotes(ballots, createBallotWeigher(rules, sheriff));
    return first === undefined || first[1] === second?.[1] ? null : { name: first[0], weight: first[1] };
  };
}

/**
 * Creates a function that finds the player whom a poll's votes alone would exile under the match's rules. Null if they
 * would exile nobody.
 */
export function createChoiceFinder(tables: MatchTables) {
  const { exile, sheriffWeight } = parseRowRules(tables.match);
  const findLeader = createLeaderFinder(tables);
  return (poll: Poll, round: RoundRow) => {
    const leader = findLeader(poll, round);
    if (leader === null) return null;
    const { villagers_alive: villagers, werewolves_alive: werewolves, without_vote, sheriff } = round;
    const voteless = without_vote.split(' ').filter((name) => name !== '');
    const more = sheriff === null || voteless.includes(sheriff) ? 0 : sheriffWeight - 1;
    const all = villagers + werewolves - voteless.length + more;
    return exile === 'plurality' || leader.weight * 2 > all ? leader.name : null;
  };
}

// Division of the village during a debate: entropy of the synthetic votes.

/** Computes the Shannon entropy of the named players in bits: 0 if all name the same player; null without votes. */
export function computeEntropy({ votes }: Pick<Poll, 'votes'>): number | null {
  if (votes.length === 0) return null;
  const counts = [...Map.groupBy(votes, ({ target }) => target).values()].map(({ length }) => length);
  return Math.abs(counts.reduce((bits, count) => bits - (count / votes.length) * Math.log2(count / votes.length), 0));
}

/** Source: Werewolf Arena (2024), appendix C. */
export const votingEntropy: Metric = {
  name: 'voting_entropy',
  title: 'Voting entropy',
  section: 'debate',
  definition:
    'Mean entropy −Σ p log₂ p of the votes after each debate turn, where p is the share of votes for a player. The last index is the ballot itself (Werewolf Arena).',
  notes:
    'Requires the rule `syntheticVotes`. At most log₂ of the living players, so tables that are not by round and index mix different numbers of players. The index is the number of turns before. The ballot is `pseudo` if a Sheriff sums up the debate, else `exile`. Randomly chosen votes and days without synthetic votes are left out. Appendix C, figure 7.',
  unit: 'bits',
  range: [0, null],
  strata: [],
  breakdowns: [['round'], ['index'], ['round', 'index']],
  count: (match) =>
    listPolledDays(match).flatMap(({ round: { round }, polls }) =>
      polls.flatMap((poll) => {
        const entropy = computeEntropy(poll);
        const cell = { round: String(round), index: String(poll.index) };
        return entropy === null ? [] : [{ cell, sums: { entropy, polls: 1 } }];
      }),
    ),
  hasBaseline: true,
  ...createRatioFigure('entropy', 'polls'),
};

// Moment of decision in a debate: the first turn after which the votes would exile somebody, and the first turn from
// which the exiled player always has the most votes.

/** Number of a turn, from 1; null if it never happens. */
type TurnIndex = number | null;

const createPointSums = (point: TurnIndex) => ({ index: point ?? 0, reached: point === null ? 0 : 1, days: 1 });

function countConsensus(match: MatchTables): MetricTally[] {
  const findChoice = createChoiceFinder(match);
  const findConsensusPoint = ({ round, polls }: PolledDay): TurnIndex =>
    polls.find((poll) => findChoice(poll, round) !== null)?.index ?? null;
  return listPolledDays(match).map((day) => ({
    cell: { round: String(day.round.round) },
    sums: createPointSums(findConsensusPoint(day)),
  }));
}

function countLead(match: MatchTables): MetricTally[] {
  const findLeader = createLeaderFinder(match);
  const findLeadPoint = ({ round, polls }: PolledDay): TurnIndex => {
    const other = polls.findLastIndex((poll) => findLeader(poll, round)?.name !== round.exiled);
    return polls[other + 1]?.index ?? null;
  };
  return listPolledDays(match)
    .filter(({ round }) => round.exiled !== null)
    .map((day) => ({ cell: { round: String(day.round.round) }, sums: createPointSums(findLeadPoint(day)) }));
}

const point = {
  section: 'debate',
  unit: 'turns of the debate',
  range: [1, null],
  strata: [],
  breakdowns: [['round']],
  hasBaseline: true,
  ...createRatioFigure('index', 'reached'),
} as const;

const rate = {
  ...point,
  unit: 'share of days',
  range: [0, 1],
  ...createRatioFigure('reached', 'days'),
} as const;

/** Source: Werewolf Arena (2024), appendix C, except the lead, which this project adds. */
export const consensusMetrics: readonly Metric[] = [
  {
    ...point,
    name: 'consensus_point',
    title: 'Consensus point',
    definition:
      'Mean index of the first votes that would exile a player under the rules of the match, over days that have such votes. The last index is the ballot itself (Werewolf Arena).',
    notes:
      'Under `exile=majority` over half of the living; under `plurality` one player alone in the lead. A Sheriff’s vote has its weight. A later vote can undo it. Appendix C.',
    count: countConsensus,
  },
  {
    ...rate,
    name: 'consensus_rate',
    title: 'Days with a consensus',
    definition:
      'Share of days on which the votes after any debate turn, or the ballot itself, would exile a player, over days with such votes.',
    count: countConsensus,
  },
  {
    ...point,
    name: 'exile_lead_point',
    title: 'Lead of the exiled player',
    definition:
      'Mean index of the first votes after which the exiled player always led alone, up to and including the ballot at the end of the debate, over exiles of players who led in that ballot.',
    count: countLead,
  },
  {
    ...rate,
    name: 'exile_lead_rate',
    title: 'Exiles of the leader of the first ballot',
    definition:
      'Share of exiles whose player alone led the ballot at the end of the debate, over exiles on days with synthetic votes.',
    notes: 'Below 1 after ties, and where a Sheriff’s recommendation moved the vote.',
    unit: 'share of exiles',
    count: countLead,
  },
];

// Changes of votes in a debate: voters who change their mind between successive votes, with the old and the new target.

export interface VoteMove {
  before: BallotRow;
  after: BallotRow;
  /** Turn of the later vote. */
  index: number;
}

/** Lists each voter's pairs of successive votes in which both votes were readable. */
export const listVoteMoves = (match: MatchTables): VoteMove[] =>
  listPolledDays(match).flatMap(({ polls }) =>
    polls.slice(1).flatMap(({ index, votes }, place) =>
      votes.flatMap((after) => {
        const earlier = polls[place]!;
        const before =
          earlier.index === index - 1 ? earlier.votes.find(({ voter }) => voter === after.voter) : undefined;
        return before ? [{ before, after, index }] : [];
      }),
    ),
  );

export const hasVoteChanged = ({ before, after }: VoteMove) => before.target !== after.target;

const getMoveCell = ({ after, index }: VoteMove) => ({
  round: String(after.round),
  index: String(index),
  team: after.voter_team,
  role: after.voter_role,
  model: after.voter_model,
});

const sides = ['villagers', 'werewolves'];
const flows = sides.flatMap((from) => sides.map((to) => ({ from, to })));

const ofMoves = { section: 'debate', range: [0, 1], modelDimension: 'model', hasBaseline: true } as const;

export const voteChangeRate: Metric = {
  ...ofMoves,
  name: 'vote_change_rate',
  title: 'Votes that change',
  definition:
    'Share of voters who name another player than one turn before, over those who voted both times. The last index is the ballot itself.',
  notes: 'Without randomly chosen votes. After figure 4 of Werewolf Arena.',
  unit: 'share of votes',
  strata: [],
  breakdowns: [['round'], ['index'], ['team'], ['role'], ['model'], ['model', 'team']],
  count: (match) =>
    listVoteMoves(match).map((move) => ({
      cell: getMoveCell(move),
      sums: { changed: hasVoteChanged(move) ? 1 : 0, votes: 1 },
    })),
  ...createRatioFigure('changed', 'votes'),
};

export const voteFlow: Metric = {
  ...ofMoves,
  ...levelShareFigure,
  name: 'vote_flow',
  title: 'Where changed votes go',
  definition:
    'Share of changed votes that move from a player of one side to another player of the same or the other side (Werewolf Arena, figure 4).',
  notes: 'From side `from` to side `to`; `team` is the voter’s. The four add up to 1.',
  unit: 'share of changed votes',
  strata: ['from', 'to'],
  breakdowns: [['team'], ['round'], ['model', 'team']],
  count: (match) =>
    listVoteMoves(match)
      .filter(hasVoteChanged)
      .flatMap((move) =>
        countKinds(
          flows,
          ({ from, to }) => move.before.target_team === from && move.after.target_team === to,
          getMoveCell(move),
        ),
      ),
};
