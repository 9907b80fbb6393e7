// Where votes move in a debate: voters who change their mind between successive votes, and from whom to whom.
import { ratioOf, sumOf } from '../statistics/sums.ts';
import type { BallotRow } from '../tables/game-rows.ts';
import type { Tables } from '../tables/rows.ts';
import type { Metric } from './metric.ts';
import { among, shareOfAll } from './shares.ts';
import { polledDays } from './straw-polls.ts';

interface Move {
  before: BallotRow;
  after: BallotRow;
  /** Of the later vote. */
  index: number;
}

/** Every voter's votes in succession, where both could be read. */
const movesOf = (match: Tables): Move[] =>
  polledDays(match).flatMap(({ polls }) =>
    polls.slice(1).flatMap(({ index, votes }, place) =>
      votes.flatMap((after) => {
        const earlier = polls[place]!;
        const before =
          earlier.index === index - 1 ? earlier.votes.find(({ voter }) => voter === after.voter) : undefined;
        return before ? [{ before, after, index }] : [];
      }),
    ),
  );

const hasChanged = ({ before, after }: Move) => before.target !== after.target;

const cellOf = ({ after, index }: Move) => ({
  round: String(after.round),
  index: String(index),
  team: after.voter_team,
  role: after.voter_role,
  model: after.voter_model,
});

const sides = ['villagers', 'werewolves'];
const flows = sides.flatMap((from) => sides.map((to) => ({ from, to })));

const ofMoves = { section: 'debate', range: [0, 1], subject: 'model', hasBaseline: true } as const;

export const voteChangeRate: Metric = {
  ...ofMoves,
  name: 'vote_change_rate',
  title: 'Votes that change',
  definition:
    'Voters who name another player than after the turn before over all who voted both times; the last index is the ballot itself.',
  unit: 'share of votes',
  apart: [],
  by: [['round'], ['index'], ['team'], ['role'], ['model'], ['model', 'team']],
  tallies: (match) =>
    movesOf(match).map((move) => ({ cell: cellOf(move), sums: { changed: hasChanged(move) ? 1 : 0, votes: 1 } })),
  value: ratioOf('changed', 'votes'),
  opportunities: (sums) => sumOf(sums, 'votes'),
};

export const voteFlow: Metric = {
  ...ofMoves,
  ...shareOfAll,
  name: 'vote_flow',
  title: 'Where changed votes go',
  definition:
    'Changed votes from a player of one side to another of the same or the other side over all changed votes (Werewolf Arena, figure 4).',
  unit: 'share of changed votes',
  apart: ['from', 'to'],
  by: [['team'], ['round'], ['model', 'team']],
  tallies: (match) =>
    movesOf(match)
      .filter(hasChanged)
      .flatMap((move) =>
        among(flows, ({ from, to }) => move.before.target_team === from && move.after.target_team === to, cellOf(move)),
      ),
};
