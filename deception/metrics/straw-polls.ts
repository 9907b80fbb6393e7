// The course of a day's votes: the synthetic ones after each turn of the debate, and the first ballot at its end.
import type { BallotRow, RoundRow } from '../tables/game-rows.ts';
import type { Tables } from '../tables/rows.ts';
import { placesOf } from './debate-turns.ts';
import { rulesOf } from './rules-of.ts';

export interface Poll {
  /** After how many turns of the debate. */
  index: number;
  /** Without those drawn in a voter's stead. */
  votes: readonly BallotRow[];
}

export interface PolledDay {
  round: RoundRow;
  /** In their order; the last is the ballot, where one was cast. */
  polls: readonly Poll[];
}

/** Days on which synthetic votes were asked for. */
export function polledDays({ rounds, ballots }: Tables): PolledDay[] {
  const synthetic = ballots.filter(({ vote }) => vote === 'synthetic');
  const places = placesOf(synthetic);
  return rounds.flatMap((round) => {
    const own = synthetic.filter((row) => row.round === round.round);
    if (own.length === 0) return [];
    const polls = [...Map.groupBy(own, places)].sort(([one], [other]) => one - other);
    const ballot = firstBallot(ballots, round.round);
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

/** The one just after the debate, whether it counts or a Sheriff is to sum it up. */
function firstBallot(ballots: readonly BallotRow[], round: number): BallotRow[] {
  const own = ballots.filter((row) => row.round === round);
  const pseudo = own.filter(({ vote }) => vote === 'pseudo');
  return pseudo.length > 0 ? pseudo : own.filter(({ vote }) => vote === 'exile');
}

/** Of what its voters say, whom the votes alone would exile under the rules of the match; null: nobody. */
export function choiceFinder({ match }: Tables) {
  const { exile, sheriffWeight } = rulesOf(match);
  return (
    poll: Poll,
    { villagers_alive: villagers, werewolves_alive: werewolves, without_vote, sheriff }: RoundRow,
  ) => {
    const [first, second] = standing(poll, (voter) => (voter === sheriff ? sheriffWeight : 1));
    const voteless = without_vote.split(' ').filter((name) => name !== '');
    const more = sheriff === null || voteless.includes(sheriff) ? 0 : sheriffWeight - 1;
    const all = villagers + werewolves - voteless.length + more;
    if (first === undefined || first[1] === second?.[1]) return null;
    return exile === 'plurality' || first[1] * 2 > all ? first[0] : null;
  };
}

/** Whom the most votes name, one player alone; null where several share the lead. */
export function leaderFinder({ match }: Tables) {
  const { sheriffWeight } = rulesOf(match);
  return (poll: Poll, { sheriff }: RoundRow) => {
    const [first, second] = standing(poll, (voter) => (voter === sheriff ? sheriffWeight : 1));
    return first === undefined || first[1] === second?.[1] ? null : first[0];
  };
}

function standing({ votes }: Poll, weightOf: (voter: string) => number): [target: string, votes: number][] {
  const counts = new Map<string, number>();
  for (const { voter, target } of votes) counts.set(target, (counts.get(target) ?? 0) + weightOf(voter));
  return [...counts].sort(([, one], [, other]) => other - one);
}
