// The table of answers about two models that changed sides: scores, and equality within a margin.
import { describe, expect, it } from '@jest/globals';
import { listUnjudgedCautions } from '../../../deception/answers/unknown-answers.ts';
import { readRules } from '../../../state/rulebook.ts';
import type { CountedAnswers } from '../../../deception/answers/answered-match.ts';
import { buildAnswerTables } from '../../../deception/answers/build-answer-tables.ts';
import type { ReadingFinding } from '../../../deception/metrics/comparability.ts';
import type { Equivalence } from '../../../deception/comparison/comparison-schema.ts';
import { rateEntrants } from '../../../deception/ratings/rate-entrants.ts';
import type { Rating } from '../../../deception/ratings/leaderboard-schema.ts';
import type { RatedMatch } from '../../../deception/ratings/rating-model.ts';
import { computeFigure } from '../../../deception/metrics/metric-collection.ts';
import { winRate } from '../../../deception/metrics/outcomes.ts';
import type { Sums } from '../../../deception/statistics/sums.ts';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import type { AnswerTable } from '../../../deception/metrics/answer-table-schema.ts';
import { listDifferenceRows, tellDifferences } from '../../../report/answer-table-text.ts';
import type { Team } from '../../../state/teams.ts';
import { createCounted } from './counted-answers.ts';

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
  ].map(([werewolves, villagers]) => {
    const winner = findWinner(deal, werewolves!);
    const createPlayer = (model: string, team: Team) => ({
      ...{ model, team, seats: seats[team], statements: 10, read: 10 },
      lies: {
        lying: team === 'werewolves' ? 2 + ((deal + model.length + (model === 'x' ? 1 : 0)) % 3) : 0,
        statements: 10,
      },
      won: winner === team ? seats[team] : 0,
    });
    return createCounted({
      deal: String(deal),
      sides: { werewolves: werewolves!, villagers: villagers! },
      players: [createPlayer(werewolves!, 'werewolves'), createPlayer(villagers!, 'villagers')],
    });
  }),
).flat();

const createPlayers = ({ werewolves, villagers }: CountedAnswers['sides']) =>
  (
    [
      [werewolves!, 'werewolves'],
      [villagers!, 'villagers'],
    ] as const
  ).map(([model, team]) => ({ ...{ model, team, seats: seats[team], statements: 10, read: 10 }, lies: {}, won: null }));

const options = { resamples: 200, seed: 1, reading: 'alike' as ReadingFinding };
const [table] = buildAnswerTables(matches, options) as [AnswerTable];

describe('matches that name a judge', () => {
  it('say which command lets it read them where rules extracted the claims', () => {
    const named = { named: 'openai:judge', folders: ['runs/x'], unjudged: 0, matches: 3 };
    expect(listUnjudgedCautions({ judge: undefined, ...named })).toEqual([
      expect.stringMatching(
        /although the matches name the judge openai:judge: `.*report runs\/x --judge openai:judge`/,
      ),
    ]);
    expect(listUnjudgedCautions({ judge: { models: ['openai:judge'] }, ...named })).toEqual([]);
  });
});

describe('a question that listeners were not asked', () => {
  it('is answered by a command that plays the same board and rules, but for asking them', () => {
    const rules = readRules('arena', { maxRounds: 2 });
    const condition = JSON.stringify({ board: 'plus-12', experience: 'none', ...rules });
    const silent = matches.map((match) => ({ ...match, condition, isAsked: false }));
    const [{ unknown }] = buildAnswerTables(silent, { ...options, study: { folders: ['runs/x'] } }) as [AnswerTable];
    const { command } = unknown.find(({ reason }) => reason.startsWith('Not asked'))!;
    expect(command).toContain(
      'match --crossed x y --board plus-12 --rules arena@2 --rule maxRounds=2 --rule analysis=both --matches 30 --out runs/x-asked',
    );
  });
});

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

  it('is of the table’s own board where the leaderboard’s rating covers several', () => {
    const [small, large] = ['small', 'large'].map((board) =>
      matches.map((match) => ({ ...match, condition: JSON.stringify({ board }) })),
    );
    const split = large!.map((match) => ({
      ...match,
      players: match.players.map((one) => ({ ...one, won: one.team === 'werewolves' ? one.seats : 0 })),
    }));
    const pairings = ['small', 'large'].map((board) => ({ ...{ board, werewolves: 'x', villagers: 'y', matches: 20 }, found: 0.5, fitted: 0.5, p_adjusted: null })); // prettier-ignore
    const pooled = { condition: null, matches: 80, pairings, differences: [], entrants: [] } as unknown as Rating;
    const tables = buildAnswerTables([...small!, ...split], { ...options, ratings: [pooled] });
    const scores = tables.map((one) => one.rows[0]!.cells.find(({ question }) => question === 'score'));
    expect(scores.map((one) => one?.of)).toEqual([2 * deals, 2 * deals]);
    expect(scores.map((one) => one?.value).sort()).toEqual([expect.closeTo(0.5, 9), expect.closeTo(0.55, 9)]);
  });

  it('differs as on a leaderboard, by a test of its own: four deals that tell of the pair are too few', () => {
    const one = table.differences.find(({ question }) => question === 'score')!;
    const { value, low, high } = differences[0]!.difference;
    expect(one).toMatchObject({ difference: value, low, high, p_adjusted: null, deals: 4 });
  });
});

describe('the sentence about a difference', () => {
  it('says so where its values are of fewer opponents than the table’s', () => {
    const one = { ...{ question: 'lies' as const, models: ['x', 'y'], low: 0.4, high: 0.6, p_adjusted: 0.001 }, as_found: null, deals, equivalence: null } as const; // prettier-ignore
    const [a, b] = table.rows.map(({ cells }) => cells.find(({ question }) => question === 'lies')!.value!);
    const tell = (own: { a: number; b: number }) =>
      tellDifferences({ ...table, differences: [{ ...one, ...own, models: ['x', 'y'], difference: 0.5 }] }, String);
    expect(tell({ a: a!, b: b! })[0]!.text).not.toContain('opponents');
    expect(tell({ a: 0.9, b: b! })[0]!.text).toContain(
      'of its statements, over the deals and opponents that both met, 50 points more',
    );
  });
});

describe('the row of a model', () => {
  it('has its own lies as a Werewolf, and its own share of read statements', () => {
    const lying: Readonly<Record<string, number>> = { x: 2, y: 7 };
    const uneven = matches.map((match) => ({
      ...match,
      players: match.players.map((one) => ({
        ...one,
        ...{ statements: 100, read: one.model === 'x' ? 100 : 99 },
        lies: { lying: one.team === 'werewolves' ? (lying[one.model] ?? NaN) : 10, statements: 10 },
      })),
    }));
    const [{ rows }] = buildAnswerTables(uneven, options) as [AnswerTable];
    const found = rows.map(({ model, cells }) => {
      const find = (asked: string) => cells.find(({ question }) => question === asked)!;
      return { model, lies: find('lies').value, counted: find('lies').counted, read: find('read').value };
    });
    expect(found).toEqual([
      { model: 'x', lies: 0.2, counted: 2 * deals, read: 1 },
      { model: 'y', lies: 0.7, counted: 7 * deals, read: 0.99 },
    ]);
  });

  it('is not read where too little of its own statements is', () => {
    const unread = matches.map((match) => ({
      ...match,
      players: match.players.map((one) => ({ ...one, read: one.model === 'x' ? 10 : 1 })),
    }));
    const [{ rows }] = buildAnswerTables(unread, options) as [AnswerTable];
    const states = rows.map(({ cells }) => cells.find(({ question }) => question === 'lies')!.state);
    expect(states).toEqual(['known', 'not read']);
  });
});

describe('wins against several opponents', () => {
  const models = ['x', 'y'];
  const winRateOf = { team: 'werewolves' };
  const crossed = Array.from({ length: deals }, (_, deal) =>
    models.flatMap((werewolves) =>
      models.map((villagers) => {
        const won = (deal * 7 + (werewolves === 'x' ? 1 : 3) * (villagers === 'x' ? 2 : 5)) % 3 > 0 ? 1 : 0;
        const sums = { wins_as_werewolf: { for: won, against: 1 - won } };
        return createCounted({ deal: String(deal), sums, sides: { werewolves, villagers } });
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
    ].map(([werewolves, villagers]) => {
      const lying = (werewolves === 'x' ? 10 : 5) + (deal % 3) - 1;
      const createPlayer = (model: string, team: Team) => ({
        ...{ model, team, seats: seats[team], statements: 20, read: 20, won: team === 'werewolves' ? seats[team] : 0 },
        lies: { lying: team === 'werewolves' ? lying : 0, statements: 20 },
      });
      return createCounted({
        deal: String(deal),
        sums: { lies: { lying, statements: 20 } },
        sides: { werewolves: werewolves!, villagers: villagers! },
        players: [createPlayer(werewolves!, 'werewolves'), createPlayer(villagers!, 'villagers')],
      });
    }),
  ).flat();
  /**
   * How a model's share of lies is corrected: by the accuracy of the reader, or by the share of lies that people
   * labeled.
   */
  type Known = { finds: number; spares: number; reach?: number } | { share: number };

  /**
   * Adds the correction of a model's lies to the sums. Without a known correction, the statements count as
   * uncorrectable.
   */
  function addCorrection(sums: Sums, known: Known | undefined): Sums {
    const { lying = 0, statements = 0 } = sums;
    if (known === undefined) return { ...sums, uncorrectable: statements };
    const each = { ...sums, correctable: statements, labeled: statements };
    if ('share' in known)
      return { ...each, corrected: lying + statements * known.share - 5, hidden: statements * 0.02 ** 2 };
    const skill = known.finds + known.spares - 1;
    const hidden = statements * ((known.reach ?? 0.04) / skill / 1.96) ** 2;
    const corrected = (lying + statements * (known.spares - 1)) / skill;
    return { ...each, corrected, hidden_if_lie: hidden, hidden_if_not: hidden };
  }

  const correct = (matches: readonly CountedAnswers[], known: Readonly<Record<string, Known>>): CountedAnswers[] =>
    matches.map((match) => ({
      ...match,
      sums: { ...match.sums, lies: addCorrection(match.sums.lies ?? {}, known[match.sides.werewolves ?? '']) },
      players: match.players.map((one) => ({ ...one, lies: addCorrection(one.lies, known[one.model]) })),
    }));
  const readBy = (ofX: number, ofY: number) => ({
    x: { finds: ofX, spares: 0.95 },
    y: { finds: ofY, spares: 0.95 },
  });
  const compareBy = (known?: Readonly<Record<string, Known>>, more: Partial<typeof options> = {}, matches = found) => {
    const [built] = buildAnswerTables(known ? correct(matches, known) : matches, { ...options, ...more }) as [
      AnswerTable,
    ];
    return { built, one: built.differences.find(({ question }) => question === 'lies') ?? null };
  };
  const findReason = (built: AnswerTable) => built.unknown.find(({ question }) => question === 'lies')?.reason;

  it('is corrected where the errors are alike, with the judge’s own difference and shares beside it', () => {
    const { built, one } = compareBy(readBy(0.9, 0.9));
    expect(one?.p_adjusted).toBeLessThan(0.05);
    expect(one?.difference).toBeCloseTo(0.25 / 0.85, 6);
    expect(one?.as_found).toBeCloseTo(0.25, 6);
    expect(tellDifferences(built, String)[0]?.text).toMatch(
      /^As Werewolf, x lies more than y: in 53% against 23%.*Corrected for the judge’s errors; by the judge alone \+25 points\.$/,
    );
    const [cell] = built.rows[0]?.cells ?? [];
    expect(cell?.value).toBeCloseTo((0.5 - 0.05) / 0.85, 2); // the random effects of deals do not add up to exactly 0
    expect(cell?.as_found).toBeCloseTo(0.5, 2);
    expect(listDifferenceRows(built, String)[0]?.[1]).toContain('the judge alone: +25');
  });

  it('is not called where lies of one model are read worse, so that the errors explain it', () => {
    const { built, one } = compareBy(readBy(0.9, 0.45));
    expect(compareBy().one?.p_adjusted).toBeLessThan(0.05);
    expect(one?.p_adjusted).toBeGreaterThan(0.05);
    expect(tellDifferences(built, String)).toEqual([]);
    expect(findReason(built)).toContain('No significant difference');
  });

  const believed = (matches: readonly CountedAnswers[]) =>
    matches.map((match) => ({
      ...match,
      sums: { ...match.sums, believed: { honest: 5 + (match.sides.werewolves === 'x' ? 3 : 0), judgements: 10 } },
    }));
  const listQuestions = (built: AnswerTable) => [...new Set(built.differences.map(({ question }) => question))];

  it('is the only one compared by claims where nothing but these errors shows that models are read alike', () => {
    const errors = readBy(0.9, 0.9);
    const alike = compareBy(errors, {}, believed(found)).built;
    const resting = compareBy(errors, { reading: 'measured' }, believed(found)).built;
    const ofClaims = listQuestions(alike).filter((question) => !question.startsWith('wins') && question !== 'score');
    expect(ofClaims.length).toBeGreaterThan(1);
    expect(listQuestions(resting)).toEqual(
      listQuestions(alike).filter((one) => one === 'lies' || !ofClaims.includes(one)),
    );
    for (const question of ofClaims)
      expect(
        resting.unknown.some((one) => one.question === question && one.reason.includes('errors do not correct')),
      ).toBe(question !== 'lies');
    const { x } = errors;
    for (const known of [undefined, { x }])
      expect(listQuestions(compareBy(known, { reading: 'measured' }).built)).not.toContain('lies'); // the errors of at least one model are unknown
  });

  it('is corrected by people’s labels, which can explain it too', () => {
    const shown = compareBy({ x: { share: 0.3 }, y: { share: 0.25 } }, { reading: 'measured' });
    expect(shown.one?.difference).toBeCloseTo(0.3, 6);
    expect(tellDifferences(shown.built, String)[0]?.text).toContain('lies more than');
    const explained = compareBy({ x: { share: 0.25 }, y: { share: 0.5 } });
    expect(explained.one?.difference).toBeCloseTo(0, 6);
    expect(tellDifferences(explained.built, String)).toEqual([]);
  });

  it('excludes what the corrected interval excludes, which is wider where errors are less certain', () => {
    const measure = (reach: number) => {
      const { one } = compareBy({ x: { finds: 0.9, spares: 0.95, reach }, y: { finds: 0.9, spares: 0.95, reach } });
      return (one?.high ?? 0) - (one?.low ?? 0);
    };
    expect(measure(0.2)).toBeGreaterThan(2 * measure(0.02));
  });

  it('is as found without measured errors', () => {
    const { built, one } = compareBy();
    expect(one?.as_found).toBeNull();
    expect(tellDifferences(built, String)).toHaveLength(1);
  });
});
