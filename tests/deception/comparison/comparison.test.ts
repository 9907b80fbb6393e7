// Paired differences between conditions and between models, by deal, adjusted for multiple tests.
import { describe, expect, it } from '@jest/globals';
import {
  createConditionSides,
  createModelSides,
  findSwappedModels,
  listAnnotators,
  listContrasts,
  narrowToAnnotator,
  narrowToModel,
  pairArms,
  selectSharedJudgements,
} from '../../../deception/comparison/pair-arms.ts';
import type { ContrastedFigure } from '../../../deception/comparison/contrasted-figure.ts';
import { computeDifferences } from '../../../deception/comparison/differences.ts';
import { oneFamily } from '../../../deception/comparison/test-families.ts';
import { AnalysisPlan, checkPlan } from '../../../deception/comparison/analysis-plan.ts';
import type { EffectPartName } from '../../../deception/comparison/comparison-schema.ts';
import { detectionBalancedAccuracy, detectionPrevalence } from '../../../deception/metrics/detection.ts';
import { perceivedFlagRate } from '../../../deception/metrics/perception.ts';
import { describeReplacement, replacedNames } from '../../../deception/metrics/replaced-metrics.ts';
import { metrics } from '../../../deception/metrics/index.ts';
import { lieRate, liesPer100Words } from '../../../deception/metrics/lies.ts';
import { createRatioFigure, isOfModels, type Metric } from '../../../deception/metrics/metric.ts';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import { pairContrast } from '../../../deception/statistics/paired-test.ts';
import type { AnalysisRow } from '../../../deception/tables/analysis-rows.ts';
import { draw } from '../../../state/random.ts';
import { analysis, belief, byWolf, match as matchRow, statement, tables } from '../metrics/row-builder.ts';

const deals = Array.from({ length: 12 }, (_, index) => `deal ${index}`);
const named = deals.map((deal) => `classic-8: ${deal}`);
const samples = createResampling(deals.length, 200, 1);

/** A match in which the village lies `lies` times in 10 claims, and the Werewolves always. */
const match = (deal: string, lies: number, models = { village: 'one', pack: 'two' }) =>
  tables({
    match: matchRow({ match_id: `${deal} ${models.village}`, board: 'classic-8', deal }),
    statements: [
      statement({ model: models.village, opportunities: 10, lies }),
      statement({ ...byWolf, model: models.pack, opportunities: 5, lies: 5 }),
    ],
  });

describe('conditions', () => {
  const createSides = createConditionSides([lieRate]);
  for (const [index, deal] of deals.entries()) {
    createSides.add('a', match(deal, 4 + (index % 3)));
    createSides.add('b', match(deal, 1 + (index % 2)));
  }
  const { primary, secondary } = computeDifferences(
    createSides.listContrasted(named),
    [
      { metric: 'lie_rate', of: { team: 'villagers' } },
      { metric: 'lie_rate', of: { role: 'Hunter' } },
    ],
    samples,
  );

  it('differ by what the sums over all deals give', () => {
    // Villagers' lies: 60 of 120 by a, 18 of 120 by b.
    expect(primary[0]).toMatchObject({ a: 0.5, b: 0.15, difference: 0.35, pairs: 12 });
    expect(primary[0]!.p!).toBeLessThan(0.05);
  });

  it('have no figures for an endpoint without data, and it keeps its place', () => {
    expect(primary[1]).toMatchObject({ of: { role: 'Hunter' }, difference: null, reason: 'no data', p: null });
  });

  it('name each figure once, as primary or as secondary', () => {
    expect(secondary.filter(({ of }) => of['team'] === 'villagers' && Object.keys(of).length === 1)).toEqual([]);
    // Here each side has one role and one model, so its row equals the rows by role and by model. Equal rows are listed
    // once, under `also`. The remaining rows are the Werewolves and the whole.
    expect(primary[0]!.also.map(({ of }) => Object.keys(of).join())).toEqual(
      expect.arrayContaining(['model', 'role', 'model,team']),
    );
    expect(secondary.map(({ of }) => of)).toEqual([{}, { team: 'werewolves' }]);
  });

  it('are not tested where they cannot differ', () => {
    // Werewolves always lie in both arms.
    expect(secondary[1]).toMatchObject({ a: 1, b: 1, difference: 0, p: null, p_adjusted: null });
  });

  it('adjust primary endpoints for as many as were named, with data or without', () => {
    expect(primary.map((one) => one.p_adjusted)).toEqual([2 * primary[0]!.p!, null]);
    // lie_rate is not part of any headline, so nothing else is tested.
    expect(secondary.map(({ tier, p_adjusted: adjusted }) => [tier, adjusted])).toEqual([
      ['not tested', null],
      ['not tested', null],
    ]);
  });

  it('leave out a deal that only one of them has', () => {
    const [one] = createConditionSides([lieRate]).listContrasted(named);
    expect(one).toBeUndefined();
    const some = createSides.listContrasted(named.slice(0, 3));
    expect(some[0]!.deals).toHaveLength(3);
  });
});

describe('models', () => {
  const createSides = createModelSides([lieRate], ['one', 'two']);
  for (const deal of deals) {
    createSides.add('a', match(deal, 5, { village: 'one', pack: 'two' }));
    createSides.add('b', match(deal, 1, { village: 'two', pack: 'one' }));
  }
  const { secondary } = computeDifferences(createSides.listContrasted(named), [], samples);
  const of = (cell: object) => secondary.find((one) => JSON.stringify(one.of) === JSON.stringify(cell));

  it('are compared over what each did on both sides of the same deals', () => {
    // each model makes 15 claims per deal; 'one' has 5 + 5 lies, 'two' has 1 + 5
    expect(of({})).toMatchObject({ a: 120 / 180, b: 72 / 180, pairs: 12 });
  });

  it('are compared side by side too', () => {
    expect(of({ team: 'villagers' })).toMatchObject({ a: 0.5, b: 0.1 });
    expect(of({ team: 'werewolves' })).toMatchObject({ a: 1, b: 1 });
  });

  it('do not stand among the dimensions', () => {
    expect(secondary.filter((one) => 'model' in one.of)).toEqual([]);
  });

  it('stand in no cell of any metric, neither the one nor the other', () => {
    const narrowed = metrics.flatMap((metric) => narrowToModel(metric, 'openai:one') ?? []);
    const dimensions = narrowed.flatMap(({ strata, breakdowns }) => [...strata, ...breakdowns.flat()]);
    expect(dimensions.filter(isOfModels)).toEqual([]);
    expect(dimensions).toContain('team');
  });

  it('are set against each other by what depends on others only with a mark', () => {
    const sides = createModelSides([lieRate, perceivedFlagRate], ['one', 'two']);
    for (const deal of deals)
      for (const [arm, pack, village] of [
        ['a', 'two', 'one'],
        ['b', 'one', 'two'],
      ] as const) {
        const heard = analysis({
          speaker_model: pack,
          speaker_team: 'werewolves',
          observer_model: village,
          deceptive: true,
        });
        sides.add(arm, { ...match(deal, 3, { village, pack }), analyses: [heard] });
      }
    const marks = new Map(sides.listContrasted(named).map(({ metric, isJoint }) => [metric.name, isJoint]));
    expect([...marks]).toEqual([
      ['lie_rate', false],
      ['perceived_flag_rate', true],
    ]);
  });
});

// Pairing of matches by deal, other differences between the arms, and models that swapped sides.

const [x, y] = ['openai:x', 'openai:y'];
const createSides = (village: string | null, pack: string | null) => ({
  villagers_model: village,
  werewolves_model: pack,
});

describe('deals', () => {
  it('are shared where board, names, seats and roles are the same, whatever the seed is called', () => {
    const a = [matchRow({ match_id: 'a1', deal: 'Dan=Seer' }), matchRow({ match_id: 'a2', deal: 'Dan=Doctor' })];
    const b = [matchRow({ match_id: 'b1', deal: 'Dan=Seer', seed: 99 })];
    expect(pairArms({ a, b })).toMatchObject({ alone: { a: ['a2'], b: [] } });
    expect(pairArms({ a, b }).deals).toHaveLength(1);
  });

  it('of another board are others', () => {
    const rows = { a: [matchRow({ board: 'classic-8' })], b: [matchRow({ board: 'plus-8' })] };
    expect(pairArms(rows).deals).toEqual([]);
  });
});

describe('what differs between the arms', () => {
  it('names rules, models of a side and versions, and leaves out what is alike', () => {
    const a = [matchRow({ rules: '{"honesty":"unsaid","maxRounds":10}', ...createSides(x, y) })];
    const b = [matchRow({ rules: '{"honesty":"forbidden","maxRounds":10}', ...createSides(x, x), wolfgraph: '9.9.9' })];
    expect(listContrasts({ a, b }).map(({ what }) => what)).toEqual([
      'model of the Werewolves',
      'rule honesty',
      'version',
    ]);
  });

  it('tells of a rule that one arm does not know', () => {
    const a = [matchRow({ rules: '{}' })];
    const b = [matchRow({ rules: '{"guardSelf":true}' })];
    expect(listContrasts({ a, b })).toEqual([{ what: 'rule guardSelf', a: ['null'], b: ['true'] }]);
  });
});

describe('models that changed sides', () => {
  const swapped = { a: [matchRow(createSides(x, y))], b: [matchRow(createSides(y, x))] };

  it('are found, the village of the first arm first', () => {
    expect(findSwappedModels(swapped)).toEqual([x, y]);
  });

  it.each([
    ['the same on both sides', { a: [matchRow(createSides(x, x))], b: [matchRow(createSides(x, x))] }],
    ['several on a side', { a: [matchRow(createSides(null, y))], b: [matchRow(createSides(y, null))] }],
    ['some matches the wrong way round', { ...swapped, b: [...swapped.b, matchRow(createSides(x, y))] }],
    ['no matches', { a: [], b: [] }],
  ])('are none where there are %s', (_, arms) => {
    expect(findSwappedModels(arms)).toBeNull();
  });
});

// Two annotators of the same record. Only statements that both judged count, and no cell names an annotator.

const [firstAnnotator, secondAnnotator] = ['openai:x', 'openai:y'];

const by = (source: string, changes: Partial<AnalysisRow> = {}) =>
  analysis({ source, observer_model: source, is_lie: true, deceptive: false, ...changes });

const selectShared = (...analyses: AnalysisRow[]) =>
  selectSharedJudgements(tables({ statements: [statement()], analyses, beliefs: [belief()] }), [
    firstAnnotator,
    secondAnnotator,
  ]);

describe('what two annotators share', () => {
  it('is what both judged: the same statement from the view of the same listener', () => {
    const { a, b, both, alone } = selectShared(
      by(firstAnnotator),
      by(firstAnnotator, { observer: 'Leah' }),
      by(secondAnnotator),
      by(secondAnnotator, { statement: '1.2' }),
    );
    expect({ both, alone }).toEqual({ both: 1, alone: { a: 1, b: 1 } });
    expect([a.analyses, b.analyses]).toEqual([[by(firstAnnotator)], [by(secondAnnotator)]]);
  });

  it('pairs each repeat with the same repeat', () => {
    const { both, alone } = selectShared(
      by(firstAnnotator),
      by(firstAnnotator, { repeat: 2 }),
      by(firstAnnotator, { repeat: 3 }),
      by(secondAnnotator),
      by(secondAnnotator, { repeat: 2 }),
    );
    expect({ both, alone }).toEqual({ both: 2, alone: { a: 1, b: 0 } });
  });

  it('is not what one of them gave no readable judgement of', () => {
    const missing = { deceptive: null, missing: 'fallback' } as const;
    expect(selectShared(by(firstAnnotator), by(secondAnnotator, missing))).toMatchObject({
      both: 0,
      alone: { a: 1, b: 0 },
    });
    expect(selectShared(by(firstAnnotator, missing), by(secondAnnotator, missing))).toMatchObject({
      both: 0,
      alone: { a: 0, b: 0 },
    });
  });

  it('has nothing of what players or others made of it', () => {
    const { a, b } = selectShared(by(firstAnnotator), by(secondAnnotator), by('match'), by('openai:z'));
    expect([...a.analyses, ...b.analyses].map(({ source }) => source)).toEqual([firstAnnotator, secondAnnotator]);
    expect([a.beliefs, b.beliefs]).toEqual([[], []]);
  });
});

describe('annotators', () => {
  it('are all that judged afterwards, not the players', () => {
    expect(
      listAnnotators([
        tables({ analyses: [by(secondAnnotator), by('match')] }),
        tables({ analyses: [by(firstAnnotator), by(secondAnnotator)] }),
      ]),
    ).toEqual([firstAnnotator, secondAnnotator]);
  });

  it('are compared by judgements, in cells that name neither of them nor whether the speaker is the same', () => {
    const { strata, breakdowns } = narrowToAnnotator(perceivedFlagRate)!;
    expect(strata).toEqual(['kind']);
    for (const name of ['source', 'observer_model', 'is_same_model']) expect(breakdowns.flat()).not.toContain(name);
    expect(breakdowns.filter((table) => table.join() === 'speaker_role')).toHaveLength(1);
  });

  it('are not compared by what they did not judge, nor by what both must share', () => {
    expect(narrowToAnnotator(lieRate)).toBeNull();
    expect(narrowToAnnotator(detectionPrevalence)).toBeNull();
  });

  it('differ match by match by what they made of the same lies', () => {
    const sides = createConditionSides([narrowToAnnotator(perceivedFlagRate)!]);
    const deals = Array.from({ length: 12 }, (_, index) => `deal ${index}`);
    for (const [index, deal] of deals.entries()) {
      const lies = ['1.1', '1.2', '1.3', '1.4'];
      const judged = lies.flatMap((id, place) => [
        by(firstAnnotator, { statement: id, deceptive: place < 2 + (index % 3) }),
        by(secondAnnotator, { statement: id, deceptive: place < index % 2 }),
      ]);
      const alone = by(secondAnnotator, { statement: '1.5', deceptive: true });
      const two = selectSharedJudgements(
        tables({ match: matchRow({ board: 'tiny-4', deal }), analyses: [...judged, alone] }),
        [firstAnnotator, secondAnnotator],
      );
      sides.add('a', two.a);
      sides.add('b', two.b);
    }
    const of = { kind: 'debate' };
    const named = deals.map((deal) => `tiny-4: ${deal}`);
    const { primary } = computeDifferences(
      sides.listContrasted(named),
      [{ metric: 'perceived_flag_rate', of }],
      createResampling(12, 200, 1),
    );
    // Flags by x: (2 + 3 + 4) · 4 of 48; by y: 1 · 6 of 48. Statements that only y judged do not count.
    expect(primary[0]).toMatchObject({ a: 36 / 48, b: 6 / 48, difference: 30 / 48, pairs: 12 });
    expect(primary[0]!.p!).toBeLessThan(0.05);
  });
});

// The analysis plan: at most five endpoints, all known and different.

const plan = (...endpoints: object[]) => AnalysisPlan.parse({ endpoints });
const check = (...endpoints: object[]) => checkPlan(plan(...endpoints), [lieRate]);

describe('a plan', () => {
  it('names a metric as a whole, or a cell that it is counted by in any order of dimensions', () => {
    expect(() => check({ metric: 'lie_rate' }, { metric: 'lie_rate', of: { round: 1 } })).not.toThrow();
    const byRole = plan({ metric: 'lies_per_100_words', of: { team: 'werewolves', model: 'x' } });
    expect(() => checkPlan(byRole, [liesPer100Words])).not.toThrow();
  });

  it.each([{ team: 'werewolves' }, { role: 'Werewolf' }, { role: 'Seer', model: 'x' }])(
    'names no cell in which the rules of the game decide the figure, as of %j, and the error says what to name',
    (of) => {
      expect(() => check({ metric: 'lie_rate', of })).toThrow(
        /endpoints\.0: lie_rate by (team|role) says little about how often players lie, .* Name lie_turn_rate of the same \1\./,
      );
    },
  );

  it('takes numbers as they stand in YAML', () => {
    expect(plan({ metric: 'lie_rate', of: { round: 1 } }).endpoints[0]!.of).toEqual({ round: '1' });
  });

  it('names a known metric', () => {
    expect(() => check({ metric: 'lies' })).toThrow(/endpoints\.0: unknown metric "lies"\. Known metrics: lie_rate/);
  });

  it.each(replacedNames)('names what stands in place of %s, which was dropped', (name) => {
    const [, wanted] = /It was replaced: name (\w+)/.exec(describeReplacement(name))!;
    expect(metrics.map((metric) => metric.name)).toContain(wanted);
    expect(metrics.map((metric) => metric.name).filter((one) => one !== 'belief_shift')).not.toContain(name);
    expect(() => check({ metric: name })).toThrow(`unknown metric "${name}". It was replaced: name ${wanted!}`);
  });

  it('names a cell that is counted', () => {
    expect(() => check({ metric: 'lie_rate', of: { colour: 'red' } })).toThrow(
      /lie_rate is not counted by colour\. It is counted by: nothing \(the whole\); team;/,
    );
  });

  it('names a cell of a metric that is never pooled', () => {
    expect(() => checkPlan(plan({ metric: 'detection_balanced_accuracy' }), [detectionBalancedAccuracy])).toThrow(
      /endpoints\.0: detection_balanced_accuracy needs a cell \(`of`\)\. It is counted by: source, kind, could_know; source, kind, could_know, /,
    );
  });

  it('names a figure of a model’s own acts if two models only changed sides, and otherwise the crossed design', () => {
    const isOfTwoModels = true;
    expect(() =>
      checkPlan(plan({ metric: 'lie_rate' }), [lieRate, detectionBalancedAccuracy], [], { isOfTwoModels }),
    ).not.toThrow();
    const relational = plan({
      metric: 'detection_balanced_accuracy',
      of: { source: 'match', kind: 'debate', could_know: 'false' },
    });
    expect(() => checkPlan(relational, [lieRate, detectionBalancedAccuracy], [], { isOfTwoModels })).toThrow(
      /endpoints\.0: detection_balanced_accuracy is joint with the opponent: .*npm run match -- --crossed X Y --matches N.*own acts: lie_rate\./,
    );
  });

  it('names a part in a crossed design, and the models where there are more than two', () => {
    const listParts = () => ['actor', 'opponent', 'interaction'] as EffectPartName[];
    const checkParts = (pairs: [string, string][], ...endpoints: object[]) =>
      checkPlan(plan(...endpoints), [liesPer100Words], [], { crossed: { pairs, listParts } });
    const two: [string, string][] = [['x', 'y']];
    const one = { metric: 'lies_per_100_words', of: { team: 'werewolves' } };
    expect(() => checkParts(two, { ...one, part: 'actor' }, { ...one, part: 'opponent' })).not.toThrow();
    expect(() => checkParts(two, one)).toThrow(
      /lies_per_100_words needs a part in a crossed design\. Its parts in this cell: actor, opponent, interaction\./,
    );
    expect(() => checkParts(two, { ...one, part: 'pack' })).toThrow(/has no part "pack"/);
    const three: [string, string][] = [...two, ['x', 'z']];
    expect(() => checkParts(three, { ...one, part: 'actor' })).toThrow(/needs models, .* \[x, y\]; \[x, z\]\./);
    expect(() => checkParts(three, { ...one, part: 'actor', models: ['x', 'z'] })).not.toThrow();
    expect(() => check({ metric: 'lie_rate', part: 'actor' })).toThrow(/part and models need a crossed design/);
  });

  it('names an endpoint once', () => {
    expect(() => check({ metric: 'lie_rate' }, { metric: 'lie_rate', of: {} })).toThrow(/is in the plan twice/);
  });

  it.each([[[]], [Array.from({ length: 6 }, () => ({ metric: 'lie_rate' }))]])(
    'has one to five endpoints, not %j',
    (endpoints) => {
      expect(AnalysisPlan.safeParse({ endpoints }).success).toBe(false);
    },
  );
});

// Rows of collections: which rows are tested, and in which tier.

describe('rows', () => {
  const chance = draw(5, 'rows');
  const drawSums = (rate: number) => ({
    part: Array.from({ length: 20 }, () => chance.fraction()).filter((x) => x < rate).length,
    whole: 20,
  });
  const metric: Metric = { ...lieRate, name: 'share', ...createRatioFigure('part', 'whole') };
  const createRow = (of: Partial<ContrastedFigure> & Pick<ContrastedFigure, 'deals'>): ContrastedFigure => ({
    ...{ metric, cell: {}, contrast: pairContrast, isJoint: false, part: null },
    ...of,
  });
  const drawDeals = (a: number, b: number) => deals.map(() => [drawSums(a), drawSums(b)]);
  const compute = (rows: readonly ContrastedFigure[]) => computeDifferences(rows, [], samples, oneFamily).secondary;

  it('that are 1 minus each other are tested once, and the other is named as the complement', () => {
    const shares = drawDeals(0.6, 0.4);
    const rest = shares.map((arms) => arms.map(({ part, whole }) => ({ part: whole - part, whole })));
    const [row, ...more] = compute([
      createRow({ deals: shares }),
      createRow({ metric: { ...metric, name: 'rest' }, cell: { kind: 'rest' }, deals: rest }),
      createRow({ cell: { kind: 'same' }, deals: shares }),
    ]);
    expect(more).toEqual([]);
    expect(row!.metric).toBe('share');
    expect(row!.also).toEqual([
      { metric: 'rest', of: { kind: 'rest' }, is_complement: true },
      { metric: 'share', of: { kind: 'same' }, is_complement: false },
    ]);
  });

  it('that hold groups against each other are none where an arm has too few of one', () => {
    const shares = drawDeals(0.6, 0.4).map(([a, b], place) => [a!, { ...b!, part: place < 9 ? b!.part + 1 : 0 }]);
    const [row] = compute([
      createRow({ metric: { ...metric, comparedGroups: [({ part = 0 }) => part] }, deals: shares }),
    ]);
    expect(row).toMatchObject({ reason: 'too few', pairs: 9, a: null, difference: null, p: null });
    expect(compute([createRow({ deals: shares })])[0]).toMatchObject({ reason: null, pairs: 12 });
  });

  it('take more swaps only where the usual ones leave them open', () => {
    const least = 1 / (1 + samples.resamples);
    const strong = () => createRow({ cell: { row: String(chance.integer(2 ** 30)) }, deals: drawDeals(0.9, 0.1) });
    const [alone] = compute([strong()]);
    expect(alone!.p!).toBeGreaterThanOrEqual(least); // .005 is significant
    const weak = () => createRow({ cell: { row: String(chance.integer(2 ** 30)) }, deals: drawDeals(0.5, 0.5) });
    const many = compute([strong(), ...Array.from({ length: 40 }, weak)]);
    expect(many[0]!.p!).toBeLessThan(least / 2); // the adjusted p is .2, so it is not significant
  });
});
