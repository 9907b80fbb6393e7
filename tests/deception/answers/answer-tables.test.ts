// The table of answers about two models that changed sides: scores, and equality within a margin.
import { describe, expect, it } from '@jest/globals';
import type { CountedAnswers } from '../../../deception/answers/answered-match.ts';
import { buildAnswerTables } from '../../../deception/answers/build-answer-tables.ts';
import type { Equivalence } from '../../../deception/comparison/comparison-schema.ts';
import { rateEntrants } from '../../../deception/ratings/rate-entrants.ts';
import type { RatedMatch } from '../../../deception/ratings/rating-model.ts';
import { computeFigure } from '../../../deception/metrics/metric-collection.ts';
import { winRate } from '../../../deception/metrics/outcomes.ts';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import type { AnswerTable } from '../../../deception/metrics/answer-table-schema.ts';
import { listDifferenceRows, tellDifferences } from '../../../report/answer-table-text.ts';
import type { Team } from '../../../state/teams.ts';

const deals = 20;
const seats = { werewolves: 2, villagers: 6 } as const;

/** Winners: X wins both matches of three deals, Y wins both of one deal, and the Werewolves win all others. */
const findWinner = (deal: number, werewolves: string): Team => {
  const swept = deal < 3 ? 'x' : deal < 4 ? 'y' : null;
  return swept === null || swept === werewolves ? 'werewolves' : 'villagers';
};

const matches = Array.from({ length: deals }, (_, deal) =>
  [
    ['x', 'y'],
    ['y', 'x'],
  ].map(([werewolves, villagers]): CountedAnswers => {
    const winner = findWinner(deal, werewolves!);
    const createPlayer = (model: string, team: Team) => ({
      ...{ model, team, seats: seats[team], statements: 10, read: 10 },
      lies: {
        lying: team === 'werewolves' ? 2 + ((deal + model.length + (model === 'x' ? 1 : 0)) % 3) : 0,
        statements: 10,
      },
      won: winner === team ? seats[team] : 0,
    });
    return {
      ...{
        deal: String(deal),
        condition: '{}',
        extractor: 'openai:judge',
        isAsked: true,
        labels: [],
        sums: {},
        costs: [],
      },
      sides: { werewolves: werewolves!, villagers: villagers! },
      players: [createPlayer(werewolves!, 'werewolves'), createPlayer(villagers!, 'villagers')],
    };
  }),
).flat();

const createPlayers = ({ werewolves, villagers }: CountedAnswers['sides']) =>
  (
    [
      [werewolves!, 'werewolves'],
      [villagers!, 'villagers'],
    ] as const
  ).map(([model, team]) => ({ ...{ model, team, seats: seats[team], statements: 10, read: 10 }, lies: {}, won: null }));

const options = { resamples: 200, seed: 1, reading: 'alike' as const };
const [table] = buildAnswerTables(matches, options) as [AnswerTable];

describe('the score of two models that changed sides', () => {
  const rated = matches.map((match): RatedMatch => ({
    ...{ deal: match.deal, context: '{}' },
    winner: match.players.find(({ won }) => won !== 0)!.team,
    seats: match.players.flatMap(({ model, team, seats: count }) =>
      Array.from({ length: count }, () => ({ entrant: model, team, role: team })),
    ),
  }));
  const { entrants, differences } = rateEntrants(rated, { resampling: createResampling(deals, 200, 1) });

  it('has the interval that a leaderboard gives it', () => {
    const cells = table.rows.map(({ cells: all }) => all.find(({ question }) => question === 'score')!);
    expect(cells.map(({ state }) => state)).toEqual(['known', 'known']);
    expect(cells.map(({ value, low, high }) => ({ value, low, high }))).toEqual(
      entrants.map(({ score: { value, low, high } }) => ({ value, low, high })),
    );
    expect(cells[0]!.value).toBeCloseTo(0.5 + (3 - 1) / deals / 2);
  });

  it('differs as on a leaderboard, by a test of its own: four deals that tell of the pair are too few', () => {
    const one = table.differences.find(({ question }) => question === 'score')!;
    const { value, low, high } = differences[0]!.difference;
    expect(one).toMatchObject({ difference: value, low, high, p_adjusted: null, deals: 4 });
  });
});

describe('wins against several opponents', () => {
  const models = ['x', 'y'];
  const winRateOf = { team: 'werewolves' };
  const crossed = Array.from({ length: deals }, (_, deal) =>
    models.flatMap((werewolves) =>
      models.map((villagers): CountedAnswers => {
        const won = (deal * 7 + (werewolves === 'x' ? 1 : 3) * (villagers === 'x' ? 2 : 5)) % 3 > 0 ? 1 : 0;
        return {
          ...{ deal: String(deal), condition: '{}', extractor: 'openai:judge', isAsked: true, costs: [], labels: [] },
          sums: { wins_as_werewolf: { for: won, against: 1 - won } },
          sides: { werewolves, villagers },
          players: [],
        };
      }),
    ),
  ).flat();

  it('have the interval that every other page gives these matches', () => {
    const [own] = buildAnswerTables(
      crossed.map((match) => ({ ...match, players: createPlayers(match.sides) })),
      options,
    );
    for (const { model, cells } of own!.rows) {
      const played = crossed.filter(({ sides }) => sides.werewolves === model);
      const clusters = played.map(({ sums }, place) => ({ unit: String(place), sums: sums.wins_as_werewolf! }));
      const figure = computeFigure(
        { metric: winRate, cell: winRateOf, clusters },
        createResampling(deals, options.resamples, options.seed),
        (place) => played[Number(place)]!.deal,
      );
      const { value, low, high, deals: counted, of } = cells.find(({ question }) => question === 'wins_as_werewolf')!;
      expect({ value, low, high }).toEqual({ value: figure.value, low: figure.low, high: figure.high });
      expect([counted, of]).toEqual([deals, 2 * deals]);
    }
  });
});

describe('a difference with a margin', () => {
  const createEquivalence = (is_equivalent: boolean): Equivalence => ({
    ...{ metric: 'lie_turn_rate', of: { team: 'werewolves' }, margin: 0.1, named_in: 'command', deals },
    part: { name: 'actor', side: 'werewolves', models: ['x', 'y'], opponents: [] },
    ...{ difference: 0, low: -0.05, high: is_equivalent ? 0.05 : 0.15, reason: null, is_equivalent },
  });
  const build = (isEqual: boolean) =>
    buildAnswerTables(matches, { ...options, equivalence: [createEquivalence(isEqual)] })[0]!;

  it('says in its cell and in words that the models are equal within it', () => {
    const equal = build(true);
    expect(equal.differences[0]).toMatchObject({ question: 'lies', equivalence: { margin: 0.1, is_equivalent: true } });
    expect(listDifferenceRows(equal, String)[0]![1]).toMatch(/; equal within ±10$/);
    expect(equal.unknown.find(({ question }) => question === 'lies')!.reason).toMatch(
      /a difference above \d+ points is excluded\. Equal within ±10 points: the 90% interval lies inside\.$/,
    );
  });

  it('is not called equal where the interval reaches further, nor without a margin', () => {
    const wide = build(false);
    expect(listDifferenceRows(wide, String)[0]![1]).not.toContain('equal');
    expect(wide.unknown.find(({ question }) => question === 'lies')!.reason).toContain('Not shown to be equal within');
    expect(table.differences[0]!.equivalence).toBeNull();
    expect(table.unknown.find(({ question }) => question === 'lies')!.reason).not.toContain('equal');
  });
});

describe('the cost', () => {
  const findReason = (built: AnswerTable) => built.unknown.find(({ question }) => question === 'cost');

  it('is unknown where the records hold no calls, and no model is named for want of a price', () => {
    expect(findReason(table)).toMatchObject({
      reason: expect.stringMatching(/^The records hold no calls/),
      command: null,
    });
  });

  it('is a lower bound where calls have no price, with the models and the share', () => {
    const costs = [{ model: 'x', calls: 4, unpriced: 1, cost: 1 }];
    const [priced] = buildAnswerTables(
      matches.map((match) => ({ ...match, costs })),
      options,
    ) as [AnswerTable];
    expect(findReason(priced)!.reason).toMatch(/^No price is known for 25% of the calls of x, so /);
  });
});

describe('a difference in lies whose reader has measured errors', () => {
  // In all 40 deals, X lies in half of its statements as Werewolf, and Y in a quarter.
  const found = Array.from({ length: 40 }, (_, deal) =>
    [
      ['x', 'y'],
      ['y', 'x'],
      ['x', 'x'],
      ['y', 'y'],
    ].map(([werewolves, villagers]): CountedAnswers => {
      const lying = (werewolves === 'x' ? 10 : 5) + (deal % 3) - 1;
      const createPlayer = (model: string, team: Team) => ({
        ...{ model, team, seats: seats[team], statements: 20, read: 20, won: team === 'werewolves' ? seats[team] : 0 },
        lies: { lying: team === 'werewolves' ? lying : 0, statements: 20 },
      });
      return {
        ...{ deal: String(deal), condition: '{}', extractor: 'openai:judge', isAsked: true, labels: [], costs: [] },
        sums: { lies: { lying, statements: 20 } },
        sides: { werewolves: werewolves!, villagers: villagers! },
        players: [createPlayer(werewolves!, 'werewolves'), createPlayer(villagers!, 'villagers')],
      };
    }),
  ).flat();
  const measure = (share: number) => ({ right: 200 * share, of: 200, low: share - 0.04, high: share + 0.04 });
  const readBy = (ofX: number, ofY: number) => ({
    x: { lie_turn_rate: { sensitivity: measure(ofX), specificity: measure(0.95) } },
    y: { lie_turn_rate: { sensitivity: measure(ofY), specificity: measure(0.95) } },
  });
  const compareBy = (errors?: ReturnType<typeof readBy>) => {
    const [built] = buildAnswerTables(found, { ...options, ...(errors && { errors }) }) as [AnswerTable];
    return { built, one: built.differences.find(({ question }) => question === 'lies') ?? null };
  };

  it('is called where the errors are alike, with the corrected difference beside it', () => {
    const { built, one } = compareBy(readBy(0.9, 0.9));
    expect(one?.p_adjusted).toBeLessThan(0.05);
    expect(one?.corrected?.difference).toBeCloseTo(0.25 / 0.85, 1);
    expect(one?.corrected?.low).toBeGreaterThan(0);
    expect(tellDifferences(built, String)[0]?.text).toMatch(
      /By the errors measured on each model’s statements it is \+\d+ \[/,
    );
  });

  it('is not called where lies of one model are read worse, so that the errors can explain it', () => {
    const { built, one } = compareBy(readBy(0.9, 0.45));
    expect(one?.p_adjusted).toBeLessThan(0.05);
    expect(one?.corrected?.low).toBeLessThan(0);
    expect(tellDifferences(built, String)).toEqual([]);
    expect(built.unknown.find(({ question }) => question === 'lies')?.reason).toContain('can explain it');
  });

  const compareAllBy = (more: Partial<Parameters<typeof buildAnswerTables>[1]>) =>
    buildAnswerTables(
      found.map((match) => ({
        ...match,
        sums: { ...match.sums, believed: { honest: 5 + (match.sides.werewolves === 'x' ? 3 : 0), judgements: 10 } },
      })),
      { ...options, ...more },
    )[0] as AnswerTable;
  const listQuestions = (built: AnswerTable) => [...new Set(built.differences.map(({ question }) => question))];

  it('is the only one compared by claims where nothing but these errors shows that models are read alike', () => {
    const errors = readBy(0.9, 0.9);
    const alike = compareAllBy({ errors });
    const resting = compareAllBy({ errors, restsOnErrors: true });
    const ofClaims = listQuestions(alike).filter((question) => !question.startsWith('wins') && question !== 'score');
    expect(ofClaims.length).toBeGreaterThan(1);
    expect(listQuestions(resting)).toEqual(
      listQuestions(alike).filter((one) => one === 'lies' || !ofClaims.includes(one)),
    );
    for (const question of ofClaims)
      expect(
        resting.unknown.some((one) => one.question === question && one.reason.includes('errors do not correct')),
      ).toBe(question !== 'lies');
    expect(listQuestions(compareAllBy({ restsOnErrors: true }))).not.toContain('lies'); // no errors of its own
  });

  it('is corrected by a gold sample, which can explain it too', () => {
    const label = (model: string, value: number) => ({
      ...{ model, team: 'werewolves' as const, value, low: value - 0.05, high: value + 0.05 },
    });
    const shown = compareAllBy({ gold: [label('x', 0.5), label('y', 0.3)], restsOnErrors: true });
    const one = shown.differences.find(({ question }) => question === 'lies');
    expect(one?.corrected).toMatchObject({ by: 'gold', difference: expect.closeTo(0.2) });
    expect(
      tellDifferences(shown, String)
        .map(({ text }) => text)
        .join(),
    ).toMatch(/By the gold sample it is \+20 \[/);
    const explained = compareAllBy({ gold: [label('x', 0.4), label('y', 0.38)] });
    expect(
      tellDifferences(explained, String)
        .map(({ text }) => text)
        .join(),
    ).not.toContain('lies more than');
    expect(explained.unknown.find(({ question }) => question === 'lies')?.reason).toContain('the gold sample can');
    const few = compareAllBy({
      gold: [label('x', 0.5), { ...label('y', 0.3), low: null, high: null }],
      restsOnErrors: true,
    });
    expect(listQuestions(few)).not.toContain('lies');
  });

  it('excludes only what the corrected interval excludes too', () => {
    const label = (model: string, value: number, reach: number) => ({
      ...{ model, team: 'werewolves' as const, value, low: value - reach, high: value + reach },
    });
    const equal = found.map((match) => ({ ...match, sums: { lies: { lying: 5, statements: 20 } } }));
    const [built] = buildAnswerTables(equal, { ...options, gold: [label('x', 0.5, 0.3), label('y', 0.3, 0.3)] });
    const reason = built?.unknown.find(({ question }) => question === 'lies')?.reason;
    expect(reason).toContain('above 63 points is excluded'); // .2 + the square root of .3² + .3²
  });

  it('is not equal within a margin that its corrected interval exceeds', () => {
    const equivalence: Equivalence = {
      ...{ metric: 'lie_turn_rate', of: { team: 'werewolves' }, margin: 0.3, named_in: 'command', deals: 40 },
      part: { name: 'actor', side: 'werewolves', models: ['x', 'y'], opponents: [] },
      ...{ difference: 0.25, low: 0.24, high: 0.26, reason: null, is_equivalent: true },
    };
    const isEqual = (errors: ReturnType<typeof readBy>) =>
      compareAllBy({ errors, equivalence: [equivalence] }).differences.find(({ question }) => question === 'lies')
        ?.equivalence?.is_equivalent;
    expect(isEqual(readBy(0.9, 0.45))).toBe(true); // the correction makes it smaller
    expect(isEqual(readBy(0.45, 0.9))).toBe(false);
  });

  it('is as found without measured errors', () => {
    const { built, one } = compareBy();
    expect(one?.corrected).toBeNull();
    expect(tellDifferences(built, String)).toHaveLength(1);
  });
});
