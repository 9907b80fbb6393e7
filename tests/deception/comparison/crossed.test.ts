// The crossed design: its parts and their names, and that each planted effect is recovered in the right part.
import { describe, expect, it } from '@jest/globals';
import {
  CrossedCollection,
  listCrossedArms,
  listPartContrasts,
  nameEffectParts,
  narrowToSides,
  pairCrossed,
} from '../../../deception/comparison/crossed-effects.ts';
import { computeDifferences } from '../../../deception/comparison/differences.ts';
import type { EffectPartName } from '../../../deception/comparison/comparison-schema.ts';
import { metrics } from '../../../deception/metrics/index.ts';
import { winRate } from '../../../deception/metrics/outcomes.ts';
import { perceivedFlagRate, perceivedSuspicion } from '../../../deception/metrics/perception.ts';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import type { MatchTables } from '../../../deception/tables/match-tables.ts';
import { draw } from '../../../state/random.ts';
import { analysis, match as matchRow, tables } from '../metrics/row-builder.ts';

const arm = (werewolves: string, villagers: string) => ({ werewolves, villagers, matches: 1 });
const four = [arm('x', 'x'), arm('x', 'y'), arm('y', 'x'), arm('y', 'y')];

describe('the parts of two models', () => {
  it('are the pack’s, the village’s and the interaction, where each played each', () => {
    const { identified, missing } = listPartContrasts(four);
    expect(missing).toEqual([]);
    expect(identified).toEqual([
      {
        ...{ models: ['x', 'y'], side: 'werewolves', opponents: ['x', 'y'], arms: [0, 2, 1, 3] },
        contrast: { a: [0.5, 0, 0.5, 0], b: [0, 0.5, 0, 0.5], swap: [1, 0, 3, 2] },
      },
      {
        ...{ models: ['x', 'y'], side: 'villagers', opponents: ['x', 'y'], arms: [0, 1, 2, 3] },
        contrast: { a: [0.5, 0, 0.5, 0], b: [0, 0.5, 0, 0.5], swap: [1, 0, 3, 2] },
      },
      {
        ...{ models: ['x', 'y'], side: null, opponents: [], arms: [0, 1, 2, 3] },
        contrast: { a: [1, 0, -1, 0], b: [0, 1, 0, -1], swap: [2, 3, 0, 1] },
      },
    ]);
  });

  it('are averaged over the models that both met', () => {
    const all = ['x', 'y', 'z'].flatMap((pack) => ['x', 'y', 'z'].map((village) => arm(pack, village)));
    const { identified } = listPartContrasts(all);
    expect(identified).toHaveLength(9); // three effects of each pair of models
    expect(identified[0]).toMatchObject({
      opponents: ['x', 'y', 'z'],
      contrast: { a: [1 / 3, 0, 1 / 3, 0, 1 / 3, 0] },
    });
  });

  it('of two models that only changed sides are not identified, and what they need is said', () => {
    const { identified, missing } = listPartContrasts([four[1]!, four[2]!]);
    expect(identified).toEqual([]);
    expect(missing.map(({ part }) => part)).toEqual(['pack', 'village', 'interaction']);
    expect(missing[0]!.needs).toBe('both as the Werewolves against the same model');
  });

  it('are given where they are identified, and only the others are named', () => {
    const packs = listPartContrasts([four[0]!, four[2]!]); // both models as Werewolves against the village of x
    expect(packs.identified.map(({ side, opponents }) => [side, opponents])).toEqual([['werewolves', ['x']]]);
    expect(packs.missing.map(({ part }) => part)).toEqual(['village', 'interaction']);
    const three = listPartContrasts(four.slice(0, 3));
    expect(three.identified.map(({ side, opponents }) => [side, opponents])).toEqual([
      ['werewolves', ['x']],
      ['villagers', ['x']],
    ]);
    expect(three.missing.map(({ part }) => part)).toEqual(['interaction']);
  });
});

describe('a part', () => {
  it('is the speaker’s or the listener’s where the cell names both sides', () => {
    const cell = { speaker_team: 'werewolves', observer_team: 'villagers' };
    expect(nameEffectParts(perceivedFlagRate, cell)).toEqual({ werewolves: 'speaker', villagers: 'listener' });
    const byRole = { speaker_role: 'Seer', observer_role: 'Werewolf' };
    expect(nameEffectParts(perceivedFlagRate, byRole)).toEqual({ werewolves: 'listener', villagers: 'speaker' });
  });

  it('is the actor’s or the opponent’s where it names one, since that side may also listen to itself', () => {
    const speakers = { werewolves: 'opponent', villagers: 'actor' };
    expect(nameEffectParts(perceivedFlagRate, { speaker_role: 'Villager' })).toEqual(speakers);
    expect(nameEffectParts(perceivedFlagRate, { speaker_team: 'villagers', observer_team: 'villagers' })).toEqual(
      speakers,
    );
    expect(nameEffectParts(winRate, { team: 'werewolves' })).toEqual({ werewolves: 'actor', villagers: 'opponent' });
    expect(nameEffectParts({ side: 'villagers' }, {})).toEqual(speakers);
  });

  it('is the pack’s or the village’s where it names none', () => {
    expect(nameEffectParts(perceivedFlagRate, { kind: 'debate' })).toEqual({
      werewolves: 'pack',
      villagers: 'village',
    });
  });
});

describe('metrics of a crossed design', () => {
  it('name no model, and no seat', () => {
    const narrowed = metrics.flatMap((metric) => narrowToSides(metric) ?? []);
    const dimensions = new Set(narrowed.flatMap(({ strata, breakdowns }) => [...strata, ...breakdowns.flat()]));
    expect(
      [...dimensions].filter((name) => /model|opponent|^villagers$|^werewolves$|^name$|^seat$/.test(name)),
    ).toEqual([]);
    expect(narrowed.filter(({ section }) => section === 'seats')).toEqual([]);
  });
});

// Studies with planted truth: the rate at which Werewolves are flagged depends on their model and on that of the
// village.

const deals = Array.from({ length: 24 }, (_, index) => `deal ${index}`);

/** `rate`: probability that the village's model flags a statement of the Werewolves' model. */
function playStudy(rate: (pack: string, village: string) => number, models = ['x', 'y']): MatchTables[] {
  const chance = draw(7, 'crossed');
  return deals.flatMap((deal) =>
    models.flatMap((pack) =>
      models.map((village) => {
        const ofDeal = (Number(deal.slice(5)) % 5) / 50; // some deals are easier than others
        const analyses = Array.from({ length: 20 }, () =>
          analysis({
            ...{ speaker_team: 'werewolves', speaker_role: 'Werewolf', speaker_model: pack },
            ...{ observer_team: 'villagers', observer_role: 'Villager', observer_model: village },
            deceptive: chance.fraction() < rate(pack, village) + ofDeal,
          }),
        );
        const match_id = `${deal} ${pack} ${village}`;
        const row = matchRow({ match_id, board: 'classic-8', deal, werewolves_model: pack, villagers_model: village });
        return tables({ match: row, analyses });
      }),
    ),
  );
}

function compare(matches: readonly MatchTables[], metric = perceivedFlagRate) {
  const rows = matches.map(({ match }) => match);
  const arms = listCrossedArms(rows);
  const collection = new CrossedCollection([narrowToSides(metric)!], arms);
  for (const match of matches) collection.add(match);
  const { deals: paired } = pairCrossed(rows, arms);
  const contrasted = collection.listContrasted(listPartContrasts(arms).identified, paired);
  const { secondary } = computeDifferences(contrasted, [], createResampling(paired.length, 400, 1));
  return (part: EffectPartName, models = 'x,y') =>
    secondary.find((one) => one.part!.name === part && one.part!.models.join() === models)!;
}

describe('a study in which the packs lie alike and a village flags more', () => {
  const part = compare(playStudy((_, village) => (village === 'x' ? 0.6 : 0.2)));

  it('finds the listener’s part, as large as it was planted, and neither another’s nor an interaction', () => {
    expect(part('listener').difference).toBeCloseTo(0.4, 1);
    expect(part('listener')).toMatchObject({ joint: false, family: 'listener', tier: 'headline', pairs: 24 });
    expect(part('listener').p_adjusted!).toBeLessThan(0.01);
    for (const name of ['speaker', 'interaction'] as const) {
      expect(Math.abs(part(name).difference!)).toBeLessThan(0.08);
      expect(part(name).p!).toBeGreaterThan(0.02);
    }
  });

  it('has each row once, with the other names of its cell', () => {
    expect(part('speaker').of).toMatchObject({ speaker_team: 'werewolves', observer_team: 'villagers' });
    const names = part('speaker').also.map(({ of }) => Object.keys(of).slice(2).join());
    expect(names).toEqual(expect.arrayContaining(['', 'speaker_role', 'observer_role,speaker_role']));
  });
});

describe('a study in which a pack gives itself away and the villages listen alike', () => {
  it('finds the speaker’s part alone', () => {
    const part = compare(playStudy((pack) => (pack === 'x' ? 0.7 : 0.4)));
    expect(part('speaker').difference).toBeCloseTo(0.3, 1);
    expect(part('speaker').p_adjusted!).toBeLessThan(0.01);
    expect(part('listener').p!).toBeGreaterThan(0.02);
    expect(part('interaction').p!).toBeGreaterThan(0.02);
  });
});

describe('a study in which models see through themselves alone', () => {
  it('finds the interaction, which neither part shows', () => {
    const part = compare(playStudy((pack, village) => (pack === village ? 0.6 : 0.3)));
    expect(part('interaction').difference).toBeCloseTo(0.6, 1);
    expect(part('interaction').p_adjusted!).toBeLessThan(0.01);
    expect(Math.abs(part('speaker').difference!)).toBeLessThan(0.08);
    expect(Math.abs(part('listener').difference!)).toBeLessThan(0.08);
  });
});

describe('a study of three models', () => {
  it('finds the parts of each two, over all whom both met', () => {
    const rates: Readonly<Record<string, number>> = { x: 0.2, y: 0.4, z: 0.7 };
    const part = compare(playStudy((_, village) => rates[village]!, ['x', 'y', 'z']));
    expect(part('listener', 'x,y').difference).toBeCloseTo(-0.2, 1);
    expect(part('listener', 'x,z').difference).toBeCloseTo(-0.5, 1);
    expect(part('listener', 'y,z').part!.opponents).toEqual(['x', 'y', 'z']);
    expect(Math.abs(part('speaker', 'x,z').difference!)).toBeLessThan(0.08);
  });
});

describe('a study of two names of the same model', () => {
  it('finds nothing', () => {
    const part = compare(playStudy(() => 0.4));
    for (const name of ['speaker', 'listener', 'interaction'] as const)
      expect(part(name).p_adjusted!).toBeGreaterThan(0.05);
  });

  it('tests nothing that cannot differ', () => {
    const part = compare(
      playStudy(() => 0.4),
      perceivedSuspicion, // equal in all arms here
    );
    for (const name of ['speaker', 'listener', 'interaction'] as const) expect(part(name)?.p ?? null).toBeNull();
  });
});

describe('deals', () => {
  it('are those that all arms have; matches of others, and of several models on a side, are named', () => {
    const matches = playStudy(() => 0.4).map(({ match }) => match);
    const several = matchRow({ match_id: 'mixed', board: 'classic-8', deal: 'deal 1', villagers_model: null });
    const { deals: paired, alone } = pairCrossed([...matches.slice(1), several], listCrossedArms(matches));
    expect(paired).toHaveLength(23);
    expect(alone).toEqual(['deal 0 x y', 'deal 0 y x', 'deal 0 y y', 'mixed']);
  });
});
