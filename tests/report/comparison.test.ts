// A comparison as HTML and CSV: differences as sentences, pictures and rows. Names of models are escaped.
import { describe, expect, it } from '@jest/globals';
import type { Comparison, Difference } from '../../deception/comparison/comparison-schema.ts';
import { countedItems, nameArmCell } from '../../deception/comparison/difference-examples.ts';
import { metrics } from '../../deception/metrics/index.ts';
import { renderComparisonHtml } from '../../report/comparison-html.ts';
import { listFoundDifferences } from '../../report/comparison-findings.ts';
import { renderComparison, tellComparison } from '../../report/comparison-markdown.ts';
import { drawComparison } from '../../report/pictures/comparison-pictures.ts';
import { renderComparisonCsv } from '../../report/csv.ts';
import { readTable } from '../csv.ts';
import { parse } from './parse-page.ts';

const hostile = '<img src=x onerror=alert(1)>|=1+1';

const row = (changes: Partial<Difference>): Difference => ({
  ...{
    metric: 'detection_balanced_accuracy',
    of: {},
    family: 'all',
    tier: 'headline',
    joint: false,
    part: null,
    also: [],
  },
  ...{ a: 0.5, b: 0.3, difference: 0.2, low: 0.1, high: 0.3, covers: null, method: 'randomization', reason: null },
  ...{ confirmatory: false, pairs: 20, p: 0.001, least_p: null, p_adjusted: 0.01, detectable: 0.1 },
  ...{ cases_a: 120, cases_b: 1100, as_found: null, ...changes },
});

const comparison: Comparison = {
  ...{ schema_version: 3, by: 'condition', a: { name: hostile, matches: 20 }, b: { name: 'other', matches: 20 } },
  ...{
    answers: [],
    crossed: null,
    deals: 20,
    unpaired: { a: [], b: [] },
    records: { matches: 40, sealed: 40 },
    left_out: [],
  },
  ...{ judgements: null, contrasts: [], claims_by: 'rules', notes: [], not_compared: [], plan: null },
  preregistration: { status: 'no plan', played_under: [], deals_planned: null, sample: null },
  ...{ bots: 0, resamples: 100, seed: 1, equivalence: [], primary: [] },
  secondary: [
    row({ of: { model: hostile, round: '2' } }),
    row({ metric: 'matched_false_alarm_rate', p_adjusted: 0.4 }),
    row({ metric: 'suspicion_roc_auc', joint: true }),
    row({ metric: 'belief_brier', p_adjusted: 0.002 }),
  ],
};

describe('a comparison', () => {
  it('tells what differs in sentences, the surest first, without what is joint with the opponent', () => {
    expect(listFoundDifferences(comparison).map(({ metric }) => metric)).toEqual([
      'belief_brier',
      'detection_balanced_accuracy',
    ]);
    const told = renderComparison(comparison, metrics).split('## What differs\n')[1]!.split('\n## ')[0]!;
    expect(
      told
        .trim()
        .split('\n')
        .filter((line) => line.startsWith('- ')),
    ).toHaveLength(2);
    expect(told).toContain(
      '0.500 for A, 0.300 for B, a difference of 0.200 [0.10 to 0.30], p 0.010 (Holm) over 20 deals.',
    );
  });

  it('answers each question once, and folds finer cells and the same question in another cell into the table', () => {
    const secondary = [
      row({ metric: 'win_rate', of: { team: 'werewolves' } }),
      row({ metric: 'win_rate', of: { team: 'villagers' }, p_adjusted: 0.02 }),
      row({ metric: 'win_rate', of: { role: 'Seer' }, tier: 'finer cell', p_adjusted: 0.02 }),
      row({ metric: 'bid_height', of: { team: 'villagers' } }),
      row({ metric: 'bid_share', tier: 'not tested', p_adjusted: null }),
    ];
    const primary = [row({ metric: 'bid_height', tier: 'endpoint', p_adjusted: 0.9 })];
    expect(listFoundDifferences({ ...comparison, secondary, primary }).map(({ of }) => of)).toEqual([
      { team: 'werewolves' },
    ]);
    const page = renderComparison({ ...comparison, secondary, primary }, metrics);
    const folded = page.split('<details>')[1]!;
    for (const cell of ['team werewolves', 'team villagers', 'role Seer']) expect(folded).toContain(cell);
    expect(page).toContain('Headlines that differ, of those tested: 3 of 3.');
    expect(page).toContain('1 further row without a finding');
    expect(page).not.toContain('Share of bids');
  });

  it('says how often its table marks a difference where nothing differs: of each effect in 5 %', () => {
    const part = { side: null, models: ['x', 'y'] as [string, string], opponents: [] };
    const one = row({ metric: 'win_rate' });
    const other = row({ metric: 'bid_height', family: 'interaction', part: { name: 'interaction', ...part } });
    const render = (...secondary: Difference[]) => renderComparison({ ...comparison, secondary }, metrics);
    expect(render(one)).toContain('this table still marks a difference in at most 5% of comparisons.');
    expect(render(one, other)).toContain(
      'in any one effect in at most 5% of comparisons, so in at least one effect in up to 10%',
    );
  });

  it('tells of lies that are called honest or deceptive only beside the true claims that are', () => {
    const of = { source: 'match', kind: 'debate', speaker_team: 'werewolves', observer_team: 'villagers' };
    const secondary = [
      row({ metric: 'lies_called_honest_rate', of }),
      row({ metric: 'belief_brier' }),
      row({ metric: 'matched_false_alarm_rate', of, a: 0.7, b: 0.1, p_adjusted: 0.4 }),
      row({ metric: 'truths_called_honest_rate', of, a: 0.9, b: 0.8, p: null, p_adjusted: null, tier: 'not tested' }),
      row({ metric: 'matched_hit_rate', of, p_adjusted: 0.04 }),
    ];
    const markdown = renderComparison({ ...comparison, secondary }, metrics);
    expect(markdown).toMatch(
      /Lies called honest [^\n]*deals\. True claims called honest: 0\.900 of 120 for A, 0\.800 of 1,100 for B\./,
    );
    expect(tellComparison({ ...comparison, secondary }, metrics)).toContain(
      'True claims called honest: 0.900 of 120 for A',
    );
    const rows = markdown.split('<details>')[1]!.split('\n').filter((line) => line.startsWith('| ')).map((line) => line.split('|')[1]!.trim()); // prettier-ignore
    expect(rows[rows.indexOf('Lies called honest') + 1]).toBe('True claims called honest');
    expect(rows[rows.findIndex((title) => title.startsWith('Lies called deceptive')) + 1]).toBe(
      'Comparable true claims called deceptive',
    );
    expect(renderComparisonHtml({ ...comparison, secondary }, metrics)).toContain(
      'True claims called honest: 0.900 of 120 for A, 0.800 of 1,100 for B.',
    );
    expect(drawComparison({ ...comparison, secondary }, metrics)[0]!.data.map(({ metric }) => metric)).toContain(
      'truths_called_honest_rate',
    );
  });

  it('has at most 200 lines, however many rows, records and models there are', () => {
    const models = ['a', 'b', 'c', 'd', 'e', 'f'];
    const pairs = models.flatMap((x, place) => models.slice(place + 1).map((y): [string, string] => [x, y]));
    const secondary = pairs.flatMap((of) =>
      Array.from({ length: 40 }, (_, place) =>
        row({
          part: { name: 'speaker', side: 'werewolves', models: of, opponents: models },
          of: { round: String(place) },
          family: 'speaker',
        }),
      ),
    );
    const leftOut = Array.from({ length: 300 }, (_, place) => ({ folder: `runs/${place}`, reason: 'damaged' as const, message: 'torn' })); // prettier-ignore
    const arms = models.flatMap((werewolves) => models.map((villagers) => ({ werewolves, villagers, matches: 20 })));
    const crossed = { ...comparison, by: 'crossed' as const, a: null, b: null, crossed: { arms, not_identified: [] } };
    const page = renderComparison({ ...crossed, secondary, left_out: leftOut }, metrics);
    expect(page.split('\n').length).toBeLessThanOrEqual(200);
    expect(page.split('\n').length).toBeGreaterThan(180);
    expect(page).toMatch(/\n\d+ more rows: `comparison\.csv`\./);
    expect(page).toContain('280 more are listed in `comparison.json`.');
  });

  it('tells the console what differs, at most six differences, and an interaction as what it is', () => {
    const part = { side: null, models: ['x', 'y'] as [string, string], opponents: [] };
    const secondary = Array.from({ length: 8 }, (_, place) =>
      row({ metric: metrics[place]!.name, part: { name: 'interaction', ...part }, family: 'interaction' }),
    );
    const lines = tellComparison({ ...comparison, secondary }, metrics)
      .trimEnd()
      .split('\n');
    expect(lines.filter((line) => line.startsWith('  '))).toHaveLength(7);
    expect(lines.at(-1)).toBe('  2 more in comparison.md.');
    expect(lines.at(-2)).toContain(
      'interaction: the Werewolves of x minus the Werewolves of y: 0.500 against the village of x, 0.300 against the village of y, a difference of 0.200',
    );
    expect(lines.find((line) => line.startsWith('Headlines that differ'))).toContain('interaction 8 of 8');
  });

  it('tells first what a report begins with, and says so where nothing differs', () => {
    const same = { p_adjusted: 0.003, p: 0.0005 };
    const secondary = [
      row({ metric: 'self_type_share', ...same }),
      row({ metric: 'win_rate', of: { team: 'villagers' }, ...same, p_adjusted: 0.01 }),
    ];
    const found = listFoundDifferences({ ...comparison, secondary });
    expect(found.map(({ metric }) => metric)).toEqual(['win_rate', 'self_type_share']);
    const none = row({ metric: 'belief_brier', low: -0.04, high: 0.12, p_adjusted: 0.4 });
    const page = renderComparison({ ...comparison, secondary: [none] }, metrics);
    expect(page).toContain('## What differs\n\nNo difference was found in a headline or endpoint');
    expect(page).toMatch(/: differences beyond 0\.120 are excluded \(95 % interval -0\.04 to 0\.12\)\./);
    const few = renderComparison(
      { ...comparison, secondary: [row({ low: null, high: null, p_adjusted: 0.4 })] },
      metrics,
    );
    expect(few).toContain('with so few deals, no size of difference is excluded');
  });

  it('says what is equal within a margin, and where the margin was named', () => {
    const one = { metric: 'belief_brier', of: {}, part: null, deals: 20, difference: 0, reason: null } as const;
    const page = renderComparison(
      {
        ...comparison,
        equivalence: [
          { ...one, margin: 0.05, named_in: 'plan', low: -0.03, high: 0.04, is_equivalent: true },
          { ...one, margin: 0.02, named_in: 'command', low: -0.03, high: 0.04, is_equivalent: false },
          { ...one, margin: 0.02, named_in: 'effect', low: null, high: null, reason: 'too few', is_equivalent: null },
          { ...one, margin: 0.03, named_in: 'effect', low: 0.7, high: 0.9, is_equivalent: false },
          { ...one, margin: 0.04, named_in: 'plan', low: 0.7, high: 0.9, is_equivalent: false },
        ],
      },
      metrics,
    );
    expect(page).toContain('**equal** within ± 0.05; 90 % interval');
    expect(page).toContain('**not shown to be equal** within ± 0.02, nor to be different; 90 % interval');
    expect(page).toContain(
      'no interval (too few). No margin was named, so the margin is the `effect` of the plan’s endpoint.',
    );
    expect(page).toContain('the record cannot show whether it was chosen before the data');
    expect(page).toContain('**different**, by more than 0.04; 90 % interval');
    expect(page).not.toContain('0.03;'); // nobody asked whether the arms are equal within the plan's effect
  });

  it('is drawn on a page without script, with every row below and names as text', () => {
    const html = renderComparisonHtml(comparison, metrics);
    expect(html).not.toMatch(/<img|<script/);
    expect(html).toContain('&lt;img src=x');
    const folded = html.split('class="folded"')[1]!;
    expect(folded.match(/<th scope="row">/g)).toHaveLength(comparison.secondary.length);
  });

  it('is drawn a picture for each unit, headlines also where they do not differ, the largest difference first', () => {
    const alike = ['Will', 'Leah'].map((observer) => ({ source: 'match of some kind', observer, kind: 'debate of the day' })); // prettier-ignore
    const rows = [
      ...alike.map((of) => row({ metric: 'observer_recall', of, difference: 0.1 })),
      row({ metric: 'win_rate', difference: -0.3, low: null, high: null, p_adjusted: 0.9 }),
      row({ metric: 'suspicion_slope', difference: 2 }),
    ];
    const pictures = drawComparison({ ...comparison, secondary: rows }, metrics);
    expect(pictures.map(({ data }) => data.map(({ metric }) => metric))).toEqual([
      ['win_rate', 'observer_recall', 'observer_recall'],
      ['suspicion_slope'],
    ]);
    const { svg, data } = pictures[0]!;
    expect(data[0]).toMatchObject({ a: 0.5, b: 0.3, difference: -0.3, low: null });
    expect(svg).toContain('Hollow: no interval');
    const names = [...svg.matchAll(/>([^<]*observer[^<]*)</g)].map(([, text]) => text);
    expect(new Set(names).size).toBe(2);
  });

  it('names its rows apart where they are long, in a picture as wide as a page', () => {
    const models = ['high', 'low'].map((effort) => `openrouter:vendor/${'family-'.repeat(8)}model?effort=${effort}`);
    const rows = models.flatMap((model) => [row({ of: { model, team: 'werewolves of the pack' } })]);
    const [picture] = drawComparison({ ...comparison, secondary: rows }, metrics);
    const names = [...picture!.svg.matchAll(/>([^<]*family-[^<]*)</g)].map(([, text]) => text!);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name.length).toBeLessThan(70);
    expect(renderComparisonHtml({ ...comparison, secondary: rows }, metrics)).toContain('class="broad fitted"');
  });

  it('places what both arms gave within its picture, whatever the unit', () => {
    const rows = [row({ metric: 'suspicion_slope', a: 5, b: 3, difference: 2, low: 1, high: 3 })];
    const { svg } = drawComparison({ ...comparison, secondary: rows }, metrics)[0]!;
    const [width] = [...svg.matchAll(/ width="([\d.]+)"/g)].map(([, text]) => Number(text));
    const places = [...svg.matchAll(/<circle [^>]*cx="([^"]*)"/g)].map(([, text]) => Number(text));
    expect(places).toHaveLength(3); // A, B and their difference
    for (const place of places) expect([place > 0, place < width!]).toEqual([true, true]);
    expect(places[0]).toBeGreaterThan(places[1]!);
  });

  it('names the arms over what differs between them, and who played whom in a crossed design', () => {
    const contrasts = [{ what: 'rules', a: ['open'], b: ['shut'] }];
    expect(renderComparison({ ...comparison, contrasts }, metrics)).toMatch(/\n\| +\| A +\| B +\|\n/);
    const arms = [{ werewolves: 'x', villagers: 'y', matches: 20 }];
    const crossed = { ...comparison, by: 'crossed' as const, a: null, b: null, crossed: { arms, not_identified: [] } };
    const page = renderComparison({ ...crossed, contrasts, secondary: [] }, metrics);
    expect(page).toMatch(/\n\| +\| First arm +\| Others +\|\n/);
    expect(page).toMatch(/\n\| Werewolves +\| Village +\| Matches +\|\n\|.*\n\| x +\| y +\| +20 +\|\n/);
  });

  it('leads from what an arm gave, and from nothing else of its row, to what it counts', () => {
    const rows = [row({ of: { team: 'werewolves' } })];
    const drawn = drawComparison({ ...comparison, secondary: rows }, metrics);
    const examples = (['a', 'b'] as const).map((arm) => ({
      ...nameArmCell(rows[0]!, arm, countedItems[0]),
      ...{ total: 1, shown: [] },
    }));
    const html = renderComparisonHtml({ ...comparison, secondary: rows }, metrics, drawn, examples);
    const table = [...parse(html).querySelectorAll('figure table')][0]!;
    const [, ...lines] = [...table.querySelectorAll('tr')];
    for (const line of lines)
      expect([...line.querySelectorAll('th, td')].map((cell) => cell.querySelector('a') !== null)).toEqual([
        ...[false, false, true, true, false, false, false],
      ]);
  });

  it('shows names as they are, without the marks of Markdown', () => {
    const html = renderComparisonHtml({ ...comparison, a: { name: 'runs/a_b&c', matches: 20 } }, metrics);
    expect(html).toContain('A: runs/a_b&amp;c, 20 matches');
  });

  it('says that nothing differs where nothing does', () => {
    expect(renderComparisonHtml({ ...comparison, secondary: [row({ p_adjusted: 0.2 })] }, metrics)).toContain(
      'This does not show equality',
    );
  });

  it('has a line of CSV for each row, with a column for each dimension', () => {
    const rows = readTable(renderComparisonCsv(comparison));
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatchObject({
      metric: 'detection_balanced_accuracy',
      of_round: '2',
      difference: '0.2',
      endpoint: 'false',
    });
    expect(rows[3]).toMatchObject({ metric: 'belief_brier', of_round: '', p_adjusted: '0.002' });
  });
});
