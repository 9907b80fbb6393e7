// The leaderboard: ratings by condition, intervals of tournaments that may stop early, traits, expenses, and its pages.
import { describe, expect, it } from '@jest/globals';
import { parseHTML } from 'linkedom';
import { buildLeaderboard, type LeaderboardOptions } from '../../../deception/ratings/build-leaderboard.ts';
import { type LeaderboardMatch, nameEntrants } from '../../../deception/ratings/leaderboard-match.ts';
import { Leaderboard } from '../../../deception/ratings/leaderboard-schema.ts';
import type { RatedMatch } from '../../../deception/ratings/rating-model.ts';
import { renderLeaderboardCsv } from '../../../report/csv.ts';
import { renderLeaderboardHtml } from '../../../report/leaderboard-html.ts';
import { renderLeaderboard, summarizeLeaderboard } from '../../../report/leaderboard-markdown.ts';
import { draw } from '../../../state/random.ts';
import { readTable } from '../../csv.ts';
import { createMatch, type PlantedField, playRoundRobin } from './simulated-field.ts';
import { itLong } from '../../it-long.ts';

const nothing = { missing: 0, refusals: 0, tokens_in: null, tokens_out: null, calls_with_unknown_cost: 0, ms: 500 };

/** A match of a tournament, with each entrant's cost in USD and fallbacks in ten questions. */
const place = (
  rated: RatedMatch,
  { condition = null, costs = {}, fallbacks = {}, cells = [], extractor = 'openai:judge' }: Details = {},
): LeaderboardMatch => ({
  ...{
    rated,
    block: Number(rated.deal.slice(1)) + 1,
    place: null,
    condition,
    board: 'classic-8',
    extractor,
    bots: [],
    cells,
  },
  spent: new Map(
    [...new Set(rated.seats.map(({ entrant }) => entrant))].map((entrant) => [
      entrant,
      { ...nothing, calls: 10, questions: 10, fallbacks: fallbacks[entrant] ?? 0, cost: costs[entrant] ?? null },
    ]),
  ),
});

interface Details {
  condition?: string | null;
  costs?: Record<string, number>;
  fallbacks?: Record<string, number>;
  cells?: LeaderboardMatch['cells'];
  extractor?: string;
}

const field: PlantedField = { ann: [1, 1], bob: [0, 0], cas: [-1, -1] };
const options = { name: 'field', resamples: 99, seed: 1 };
const build = (matches: readonly LeaderboardMatch[], more: Partial<LeaderboardOptions> = {}) =>
  Leaderboard.parse(buildLeaderboard(matches, { ...options, ...more }));

describe('a leaderboard', () => {
  const costs = { ann: 2, bob: 0.5, cas: 1 };
  const matches = playRoundRobin(field, 40).map((match) => place(match, { costs, fallbacks: { cas: 2 } }));
  const board = build(matches);
  const page = renderLeaderboard(board);

  it('has the best first, with an interval for every figure', () => {
    const { entrants } = board.ratings[0]!;
    expect(entrants.map(({ entrant, ranks }) => [entrant, ranks])).toEqual([
      ['ann', [1, 1]],
      ['bob', [2, 2]],
      ['cas', [3, 3]],
    ]);
    const estimates = entrants.flatMap(({ score, werewolves, strength }) => [score, werewolves, strength]);
    expect(estimates.every(({ value, low, high }) => low! < value! && value! < high!)).toBe(true);
  });

  it('says first what was found, in sentences', () => {
    expect(page).toMatch(
      /^# Leaderboard of field\n\nThese matches have no `tournament\.json`.*\n\n## Ratings\n\n- 240 matches on 40 deals\.\n- ann scores 0\.\d\d \(0\.\d\d to 0\.\d\d\) against the 2 others, significantly more than each of them\./,
    );
    expect(page).toContain('| 1     | ann     |');
    expect(summarizeLeaderboard(board)).toMatch(/^Ranks by score:\n1 ann 0\.\d\d \(/);
  });

  it('has a column for groups of entrants that met nobody of another group', () => {
    const ratings = board.ratings.map((rating) => ({
      ...rating,
      entrants: rating.entrants.map((one, group) => ({ ...one, group })),
    }));
    expect(page).not.toContain('| Group');
    expect(renderLeaderboard({ ...board, ratings })).toMatch(/^\| Group +\| Ranks .*\n.*\n\| 1 +\| 1 +\| ann /m);
  });

  it('says what each took, whose answers were replaced, and for whom the money does most', () => {
    expect(
      board.expenses.map(({ entrant, cost_per_match: cost, is_efficient: isSo }) => [entrant, cost, isSo]),
    ).toEqual([
      ['ann', 2, true],
      ['bob', 0.5, true],
      ['cas', 1, false],
    ]);
    expect(page).toContain('Best score for the cost: ann, bob. Every other entrant scores significantly less');
    // Equal entrants: a slightly higher score or a slightly lower cost does not make one better.
    const equals = playRoundRobin({ ann: [0, 0], bob: [0, 0], cas: [0, 0] }, 40).map((match) =>
      place(match, { costs }),
    );
    expect(build(equals).expenses.some(({ is_efficient: isSo }) => isSo === false)).toBe(true);
    expect(renderLeaderboard(build(equals))).not.toContain('for the cost');
    expect(page).toContain('20 % (!)');
  });

  it('calls a cost a lower bound where some calls have none', () => {
    const unsure = build(
      matches.map((match) => ({
        ...match,
        spent: new Map(
          [...match.spent].map(([name, one]) => [name, { ...one, calls_with_unknown_cost: name === 'ann' ? 1 : 0 }]),
        ),
      })),
    );
    expect(new Set(renderLeaderboard(unsure).match(/at least [\d.]+/g))).toEqual(new Set(['at least 2.00']));
    expect(page).not.toContain('at least 2.00');
  });

  it('stands in a file for spreadsheets', () => {
    const rows = readTable(renderLeaderboardCsv(board));
    expect(rows.map(({ entrant }) => entrant)).toEqual(['ann', 'bob', 'cas']);
    const { strength, points } = rows[0]!;
    expect(Number(points) / Number(strength)).toBeCloseTo(173.7, 1);
  });

  it('leaves out the first deal that is not over and all after it, since short matches end first', () => {
    const left = build([...matches.slice(0, 120), ...matches.slice(126), ...matches.slice(120, 122)]);
    expect(left.ratings[0]).toMatchObject({ matches: 120, deals: 20, unfinished: 116 });
    expect(renderLeaderboard(left)).toContain('116 more are left out');
  });

  it('under ten deals names no number', () => {
    const few = build(matches.slice(0, 54));
    expect(
      few.ratings[0]!.entrants.every(({ score, strength }) => score.value === null && strength.value === null),
    ).toBe(true);
    expect(renderLeaderboard(few)).toContain(
      'Nobody is rated: a rating needs an interval, and an interval needs ten deals or more',
    );
    const html = renderLeaderboardHtml(few);
    const main = (parseHTML(html) as unknown as { document: PageElement }).document.querySelectorAll('main');
    expect(html).not.toContain('<circle');
    for (const { childNodes } of main)
      for (const { nodeType, textContent } of childNodes) expect([nodeType === 3, textContent.trim() !== '']).not.toEqual([true, true]); // prettier-ignore
  });

  it('by role has a table of differences with intervals', () => {
    const chance = draw(1, 'seers');
    const skills: Record<string, number> = { ann: 2, cas: -2 };
    const seers = Array.from({ length: 30 }, (_, deal) =>
      Object.entries(skills).map(([seer, skill]) => {
        const isWon = chance.fraction() < 1 / (1 + Math.exp(-skill));
        const village = [seer, 'baseline', 'baseline'];
        return place(createMatch(deal, ['baseline', 'baseline'], village, isWon ? 'villagers' : 'werewolves'));
      }),
    ).flat();
    const byRole = build(seers);
    const [row, ...others] = byRole.ratings[0]!.role_differences;
    expect(others).toEqual([]);
    expect(row).toMatchObject({ role: 'Seer', pair: ['ann', 'cas'] });
    expect(row!.low).toBeGreaterThan(0);
    expect(renderLeaderboard(byRole)).toMatch(/\| Seer: ann – cas +\| +\+0\.\d\d \(\+0\.\d\d to \+[01]\.\d\d\) \|/);
  });

  it('warns of bots', () => {
    const bots = build(matches.map((match) => ({ ...match, bots: ['ann'] })));
    expect(renderLeaderboard(bots)).toContain('**Built-in bots** played as ann.');
  });

  it('makes names harmless', () => {
    const odd = playRoundRobin({ 'a|b': [0, 0], '<i>': [0, 0] }, 12).map((match) => place(match));
    const shown = renderLeaderboard(build(odd));
    expect([shown.includes('a\\|b'), shown.includes('<i>')]).toEqual([true, false]);
  });
});

describe('the page of HTML', () => {
  const matches = playRoundRobin(field, 40).map((match) => place(match, { costs: { ann: 2, bob: 0.5, cas: 1 } }));
  const board = build(matches);
  const parse = (html: string) => (parseHTML(html) as unknown as { document: PageElement }).document;

  it('says and holds what the Markdown does, and draws a dot for each score', () => {
    const page = parse(renderLeaderboardHtml(board));
    const markdown = renderLeaderboard(board);
    const list = (selector: string) => [...page.querySelectorAll(selector)];
    const sentences = list('.findings li').map(({ textContent }) => textContent);
    expect(sentences.length).toBeGreaterThan(2);
    for (const sentence of sentences) expect(markdown).toContain(`- ${sentence}\n`);
    const rows = list('table').flatMap((table) => [...table.querySelectorAll('tr')]);
    const told = rows.map((row) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent).join('|'));
    const inMarkdown = markdown
      .split('\n')
      .filter((line) => /^\| [^:-]/.test(line))
      .map((line) => line.slice(1, -1).split('|').map((cell) => cell.trim()).join('|')); // prettier-ignore
    expect(told).toEqual(inMarkdown);
    expect(list('h2').map(({ textContent }) => `## ${textContent}`)).toEqual(markdown.match(/^## .*$/gm));
    expect(list('svg circle')).toHaveLength(board.ratings[0]!.entrants.length);
    expect(list('.drawing svg')).toHaveLength(list('main svg').length); // only the table scrolls, not the page
  });

  it('names no two tables alike, and leaves out no level of headings', () => {
    const both = ['long', 'short'].flatMap((condition) => matches.map((match) => ({ ...match, condition })));
    expect(build(both).ratings).toHaveLength(2);
    for (const html of [board, build(both)].map(renderLeaderboardHtml)) {
      const page = parse(html);
      const labels = [...page.querySelectorAll('[role="region"]')].map((one) => one.getAttribute('aria-label'));
      expect(new Set(labels).size).toBe(labels.length);
      const levels = [...html.matchAll(/<h([1-6])>/g)].map(([, level]) => Number(level));
      expect(levels.filter((level, at) => at > 0 && level > levels[at - 1]! + 1)).toEqual([]);
    }
  });

  it('shows hostile names as text, and runs and loads nothing', () => {
    const hostile = '</title><script>alert(1)</script><img src=x>\u202e`';
    const odd = playRoundRobin({ [hostile]: [0, 0], other: [1, 1] }, 12).map((match) => place(match));
    const html = renderLeaderboardHtml(build(odd));
    expect(html).not.toMatch(/<script|<img|\u202e/);
    expect([...parse(html).querySelectorAll('script, img, link, iframe, [style], [onload]')]).toEqual([]);
  });
});

interface PageElement {
  nodeType: number;
  childNodes: Iterable<PageElement>;
  textContent: string;
  getAttribute(name: string): string | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

describe('conditions', () => {
  const weak: PlantedField = { ann: [-1, -1], bob: [0, 0], cas: [1, 1] };
  const matches = [
    ...playRoundRobin(field, 30).map((match) => place({ ...match, context: 'open' }, { condition: 'open' })),
    ...playRoundRobin(weak, 30, { seed: 2 }).map((match) =>
      place({ ...match, context: 'shut' }, { condition: 'shut' }),
    ),
  ];

  itLong('stand apart, with their paired difference, and are pooled only where it is asked for', () => {
    const board = build(matches);
    expect(board.ratings.map(({ condition, entrants }) => [condition, entrants[0]!.entrant])).toEqual([
      ['open', 'ann'],
      ['shut', 'cas'],
    ]);
    expect(board.pooled).toBeNull();
    const changed = board.conditions.map(({ a, b, entrant, difference, p_adjusted: p }) => [a, b, entrant, difference! > 0.2, p! < 0.05]); // prettier-ignore
    expect(changed).toContainEqual(['open', 'shut', 'ann', true, true]);
    expect(renderLeaderboard(board)).toContain('## Effects of conditions');
    const early = build(matches, { stop: { alpha: 0.05, decide: true } });
    const ofAnn = early.conditions.find(({ entrant }) => entrant === 'ann')!;
    expect(ofAnn).toMatchObject({ p: null, p_adjusted: 0.05 });
    expect(ofAnn.low!).toBeLessThan(board.conditions.find(({ entrant }) => entrant === 'ann')!.low!);
    const { pooled } = build(matches, { isPooled: true });
    expect(pooled).toMatchObject({ condition: null, matches: 360 });
    const scores = pooled!.entrants.map(({ score }) => score.value!);
    expect(Math.max(...scores) - Math.min(...scores)).toBeLessThan(0.15);
  });
});

describe('a tournament that may stop early', () => {
  const matches = playRoundRobin(field, 60).map((match) => place(match));
  const crossed = playRoundRobin(field, 60, { selfPlay: true }).map((match) => place(match));

  it('has confidence sequences in place of intervals, and neither log-odds nor a test of fit', () => {
    const { ratings } = build(matches, { stop: { alpha: 0.05, decide: true } });
    const fixed = build(matches).ratings[0]!;
    const [rating] = ratings;
    expect(rating).toMatchObject({ interval: 'any time', lack_of_fit: null, advantage: { value: null } });
    for (const [place, { entrant, score, strength, ranks }] of rating!.entrants.entries()) {
      expect(entrant).toBe(fixed.entrants[place]!.entrant);
      expect(strength.value).toBeNull();
      expect(score.high! - score.low!).toBeGreaterThan(fixed.entrants[place]!.score.high! - fixed.entrants[place]!.score.low!); // prettier-ignore
      expect(ranks).toEqual([place + 1, place + 1]);
    }
    expect(rating!.differences[0]!.evidence).toBeGreaterThan(60);
    expect(renderLeaderboard(build(matches, { stop: { alpha: 0.05, precision: 0.1 } }))).toContain(
      'so intervals are confidence sequences, which hold however often one looks',
    );
  });

  it('finds a trait that differs', () => {
    const cells = (entrant: string) => ({
      metric: 'belief_brier',
      cell: { source: 'match', kind: 'beliefs', observer_model: entrant },
      sums: { squares: entrant === 'ann' ? 1 : 6, positives: 2, scores: 8 },
    });
    const judged = crossed.map((match) => ({ ...match, cells: ['ann', 'bob', 'cas'].map(cells) }));
    const [board] = build(judged, { stop: { alpha: 0.05, decide: true } }).traits[0]!.boards;
    expect(board!.rows[0]).toMatchObject({ entrant: 'ann', value: expect.closeTo(1 / 8, 9), deals: 60, ranks: [1, 1] });
    expect(board!.rows[0]!.high! - board!.rows[0]!.low!).toBeGreaterThan(0.02);
  });
});

describe('deception and detection', () => {
  /** Every entrant lies in every second statement as a Werewolf, except ann, who lies in all of them. */
  const cells = (match: RatedMatch) =>
    [...new Set(match.seats.flatMap(({ entrant, team }) => (team === 'werewolves' ? [entrant] : [])))].map(
      (entrant) => ({
        metric: 'lie_turn_rate',
        cell: { team: 'werewolves', model: entrant },
        sums: { lying: entrant === 'ann' ? 4 : 2, statements: 4 },
      }),
    );
  const listens = (match: RatedMatch) =>
    [...new Set(match.seats.map(({ entrant }) => entrant))].map((entrant) => ({
      metric: 'belief_brier',
      cell: { source: 'match', kind: 'beliefs', observer_model: entrant },
      sums: { squares: entrant === 'bob' ? 0.5 : 1 + (Number(match.deal.slice(1)) % 3), positives: 2, scores: 8 },
    }));
  const played = playRoundRobin(field, 30, { selfPlay: true });
  const judged = (extractor: string) =>
    played.map((match) => place(match, { extractor, cells: [...cells(match), ...listens(match)] }));

  it('are leaderboards of their own, with chance', () => {
    const { traits } = build(judged('openai:judge'), {
      findChance: (metric) => (metric === 'belief_brier' ? 0.3 : null),
    });
    const [lies, beliefs] = traits[0]!.boards;
    const told = renderLeaderboard(build(judged('openai:judge')));
    const [ofLies, ofBeliefs] = ['lie_turn_rate', 'belief_brier'].map((name) => told.split(`(\`${name}\`)`)[1]!);
    expect(ofLies!.split('\n|')[1]).toMatch(/^ Entrant +\| +Figure +\| +Deals with data +\|$/);
    expect(ofBeliefs!.split('\n|')[1]).toMatch(/^ Ranks +\| Entrant +\| +Figure +\| +Deals with data +\|$/);
    expect(lies).toMatchObject({ metric: 'lie_turn_rate', best: null, chance: null });
    expect(lies!.rows.map(({ entrant, value, ranks }) => [entrant, value, ranks])).toEqual([
      ['ann', 1, null],
      ['bob', 0.5, null],
      ['cas', 0.5, null],
    ]);
    expect(beliefs).toMatchObject({ metric: 'belief_brier', best: 'low', chance: 0.3 });
    expect(beliefs!.rows[0]).toMatchObject({ entrant: 'bob', ranks: [1, 1] });
    expect(beliefs!.rows[2]!.ranks).toEqual([2, 3]);
  });

  it('rank nobody by what takes two, where entrants did not meet the same', () => {
    const roundRobin = playRoundRobin(field, 30).map((match) =>
      place(match, { cells: [...cells(match), ...listens(match)] }),
    );
    const board = build(roundRobin);
    const [lies, beliefs] = board.traits[0]!.boards;
    expect([lies!.is_identified, beliefs!.is_identified]).toEqual([true, false]);
    expect(beliefs!.rows.map(({ entrant, ranks }) => [entrant, ranks])).toEqual([
      ['ann', null],
      ['bob', null],
      ['cas', null],
    ]);
    const told = renderLeaderboard(board).split('(`belief_brier`)')[1]!;
    expect(told).toContain('Not ranked: the figure depends on both sides');
    expect(told.split('\n|')[1]).toMatch(/^ Entrant +\| +Figure/);
  });

  it('rank by pairs of a lie and a comparable true claim, and nobody by hits, which whoever suspects everything has most of', () => {
    const cell = { source: 'match', kind: 'debate', speaker_team: 'werewolves' };
    const name = (group: string, score: number) => ['villagers', 'x', 1, 'own_role', 'outright', group, 50, score, 'flagged'].join('\t'); // prettier-ignore
    const hears = (match: RatedMatch) =>
      [...new Set(match.seats.map(({ entrant }) => entrant))].map((entrant) => ({
        metric: 'paired_detection',
        cell: { ...cell, observer_model: entrant },
        // Ann calls everything deceptive, Bob calls only lies deceptive, and Cas calls every second statement
        // deceptive.
        sums: {
          [name('lie', 90)]: 4,
          [name('truth', entrant === 'ann' ? 90 : 20)]: entrant === 'cas' ? 2 : 4,
          ...(entrant === 'cas' ? { [name('truth', 90)]: 2 } : {}),
        },
      }));
    const board = build(played.map((match) => place(match, { cells: hears(match) })));
    const [own, ...others] = board.traits[0]!.boards;
    expect(own).toMatchObject({ metric: 'paired_detection', best: 'high', is_identified: true });
    expect(own!.rows.map(({ entrant, value }) => [entrant, value])).toEqual([
      ['bob', 1],
      ['cas', 0.75],
      ['ann', 0.5],
    ]);
    expect(others).toEqual([]);
  });

  it('leave out an entrant of whom nothing was counted', () => {
    const counted = played.map((match) => {
      const ofOthers = listens(match).filter(({ cell }) => cell.observer_model !== 'cas');
      return place(match, { cells: ofOthers });
    });
    for (const stop of [undefined, { alpha: 0.05, decide: true }]) {
      const [beliefs] = build(counted, stop && { stop }).traits[0]!.boards;
      expect(beliefs!.rows.map(({ entrant }) => entrant)).toEqual(['bob', 'ann']);
    }
  });

  it('compare nobody by claims that rules drew', () => {
    const board = build(judged('rules'));
    expect(board.traits[0]!.boards.map(({ metric }) => metric)).toEqual(['belief_brier']);
    expect(board.refused_traits).toEqual([
      { title: 'Lies as Werewolves', metric: 'lie_turn_rate', reason: 'claims drawn by rules' },
    ]);
    expect(renderLeaderboard(board)).toContain(
      'Not compared: lies as Werewolves; each uses claims that the rules extracted',
    );
  });
});

describe('the tables of a match', () => {
  it('bear the names of entrants wherever models stood, but for those of annotators', () => {
    const said = { speaker: 'Ann', model: 'openai:x' };
    const heard = {
      source: 'match',
      speaker: 'Ann',
      observer: 'Bob',
      speaker_model: 'openai:x',
      observer_model: 'openai:x',
    };
    const tables = {
      match: { villagers_model: 'openai:x', werewolves_model: 'openai:x' },
      players: [
        { player: 'Ann', team: 'villagers', model: 'openai:x' },
        { player: 'Bob', team: 'werewolves', model: 'openai:x' },
      ],
      ...{ statements: [said], claims: [said] },
      analyses: [heard, { ...heard, source: 'openai:annotator', observer_model: 'openai:annotator' }],
      ...{ beliefs: [], calls: [], ballots: [], bids: [], deeds: [] },
    } as unknown as Parameters<typeof nameEntrants>[0];
    expect(nameEntrants(tables, { Ann: 'loud', Bob: 'quiet' })).toMatchObject({
      match: { villagers_model: 'loud', werewolves_model: 'quiet' },
      statements: [{ model: 'loud' }],
      analyses: [
        { speaker_model: 'loud', observer_model: 'quiet', is_same_model: false },
        { speaker_model: 'loud', observer_model: 'openai:annotator' },
      ],
    });
  });
});
