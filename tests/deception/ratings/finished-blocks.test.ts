// Only matches before the first gap in the schedule are rated, so that short matches do not bias ratings. Missing matches are counted.
import { describe, expect, it } from '@jest/globals';
import { nameScheduled } from '../../../deception/ratings/finished-blocks.ts';
import { buildLeaderboard } from '../../../deception/ratings/build-leaderboard.ts';
import type { LeaderboardMatch } from '../../../deception/ratings/leaderboard-match.ts';
import { Leaderboard } from '../../../deception/ratings/leaderboard-schema.ts';
import { rateMatch } from '../../../deception/tournament/tournament-precision.ts';
import { listTournamentMatches, type TournamentMatch } from '../../../deception/tournament-plan/tournament-schedule.ts';
import { renderLeaderboard, summarizeLeaderboard } from '../../../report/leaderboard-markdown.ts';
import type { Team } from '../../../state/teams.ts';
import { createTournamentPlan } from '../tournament-plan/plans.ts';

/** Creates the data of a scheduled match that a report would find. */
const record = (match: TournamentMatch, winner: Team | null): LeaderboardMatch => ({
  ...{ rated: rateMatch(match, winner), block: match.block, place: nameScheduled(match), condition: match.condition },
  ...{ board: match.board.name, extractor: 'rules', bots: [], cells: listLies(match), spent: new Map() },
});

/** All lies of Werewolves are believed on the first ten deals, and none on later deals. */
const listLies = ({ sides, deal }: TournamentMatch): LeaderboardMatch['cells'] => [
  {
    metric: 'belief_brier',
    cell: { source: 'match', kind: 'beliefs', observer_model: sides!.villagers },
    sums: { squares: deal <= 10 ? 1 : 0, positives: 2, scores: 8 },
  },
];

const two = { ann: { model: 'bot:classic' }, bob: { model: 'bot:random' } };

describe('ratings', () => {
  it('end where the first gap is in any condition, and so do traits and what conditions change', () => {
    const crossed = createTournamentPlan({ entrants: two, format: 'head-to-head', deals: 24, conditions: { honesty: ['unsaid', 'forbidden'] } }); // prettier-ignore
    const places = listTournamentMatches(crossed);
    const isGap = ({ deal, condition }: TournamentMatch) => deal === 13 && condition === 'honesty-forbidden';
    const found = places.filter((match) => !isGap(match)).map((match, at) => record(match, at % 3 ? 'villagers' : 'werewolves')); // prettier-ignore
    const board = Leaderboard.parse(buildLeaderboard(found, { ...options, schedule: places }));
    expect(board.ratings.map(({ condition, deals, unfinished }) => [condition, deals, unfinished])).toEqual([
      ['honesty-forbidden', 12, 22],
      ['honesty-unsaid', 12, 24],
    ]);
    expect(new Set(board.conditions.map(({ deals }) => deals))).toEqual(new Set([12]));
    const beliefs = board.traits.map(({ boards }) => boards.find(({ metric }) => metric === 'belief_brier')!.rows[0]!);
    expect(beliefs.map(({ deals, value }) => [deals, value])).toEqual([[12, expect.closeTo(10 / 12 / 8, 9)], [12, expect.closeTo(10 / 12 / 8, 9)]]); // prettier-ignore
    expect(renderLeaderboard(board)).toContain('24 matches on 12 deals; 24 more are left out');
  });
});

const options = { name: 'trial', resamples: 39, seed: 1 };

describe('what is missing of a plan', () => {
  const three = createTournamentPlan({ deals: 20 });
  const places = listTournamentMatches(three);
  const build = (found: readonly TournamentMatch[], more: { decidedDeals?: number } = {}) =>
    Leaderboard.parse(
      buildLeaderboard(
        found.map((match) => record(match, match.deal % 2 ? 'werewolves' : 'villagers')),
        { ...options, schedule: places, ...more },
      ),
    );

  it('is named where no match of a pairing is there, and nobody is rated', () => {
    const board = build(places.filter(({ pairing }) => pairing !== 'pack-liar_village-calm'));
    expect(board.planned).toMatchObject({ matches: 120, found: 100, missing: 20, others: 0 });
    const sentence =
      '100 of 120 planned matches were found. Missing: pack-liar\\_village-calm, classic-8 (20 of 20, the first on deal 1).';
    expect(renderLeaderboard(board)).toContain(sentence);
    expect(summarizeLeaderboard(board)).toContain(sentence.replaceAll('\\', ''));
    expect(board.ratings[0]).toMatchObject({ matches: 0, deals: 0, unfinished: 100, entrants: [] });
    expect(renderLeaderboard(board)).toContain('Nobody is rated yet: the first block of deals is not over.');
  });

  it('is nothing where all were played, nor what a stopping rule left unplayed', () => {
    expect(build(places).planned).toMatchObject({ found: 120, missing: 0, lacking: [] });
    expect(renderLeaderboard(build(places))).not.toContain('of the plan');
    const early = build(
      places.filter(({ deal }) => deal < 15),
      { decidedDeals: 12 },
    );
    expect(early.planned).toMatchObject({ found: 84, missing: 0, decided_deals: 12 });
    expect(early.ratings[0]).toMatchObject({ deals: 14, unfinished: 0 });
    expect(renderLeaderboard(early)).toContain('The stopping rule ended the tournament after 12 deals');
  });

  it('counts every play of a match within its deal, and none of another plan', () => {
    const other = listTournamentMatches({ ...three, seed: 50, deals: 21 }).filter(({ deal }) => deal === 21);
    const { planned, ratings } = build([...places, places[0]!, ...other]);
    expect(planned).toMatchObject({ found: 120, others: 6 });
    expect(ratings[0]).toMatchObject({ matches: 121, deals: 20, unfinished: 6 });
  });

  it('is not known without the plan', () => {
    const found = places.map((match) => record(match, 'villagers'));
    const board = Leaderboard.parse(buildLeaderboard(found, options));
    expect(board.planned).toBeNull();
    expect(renderLeaderboard(board)).toContain('These matches have no `tournament.json`');
  });
});
