// The schedule of a crossed design: every ordered pair of models plays every deal.
import { describe, expect, it } from '@jest/globals';
import {
  mergeDesigns,
  listModelPairs,
  listRuleArms,
  listScheduledMatches,
} from '../../../deception/design/schedule.ts';

const [x, y, z] = ['openai:x', 'openai:y', 'bot:classic?lie=0.5'];

describe('the pairs of a crossed design', () => {
  it('are all ordered pairs of models, each against itself too', () => {
    const pairs = listModelPairs([x, y]);
    expect(pairs.map(({ werewolves, villagers }) => [werewolves, villagers])).toEqual([
      [x, x],
      [x, y],
      [y, x],
      [y, y],
    ]);
    expect(listModelPairs([x, y, z])).toHaveLength(9);
  });

  it('have folders that say who plays what, with nothing that a file system may refuse', () => {
    const folders = listModelPairs([x, z]).map(({ folder }) => folder);
    expect(folders[1]).toBe('pack-openai-x_village-bot-classic-lie-0.5');
    for (const folder of folders) expect(folder).toMatch(/^[A-Za-z0-9._-]+$/);
  });

  it('have folders of their own where names are alike but for signs or case, or are long', () => {
    const models = ['openai:x?a=1', 'openai:x-a=1', 'openai:X?a=1', `openai:${'long'.repeat(80)}`];
    const folders = listModelPairs(models).map(({ folder }) => folder.toLowerCase());
    expect(new Set(folders).size).toBe(16);
    expect(Math.max(...folders.map((folder) => folder.length))).toBeLessThan(200);
  });

  it('have the same folders whichever models else take part, so that a study can grow', () => {
    const folders = listModelPairs([x, y]).map(({ folder }) => folder);
    expect(listModelPairs([z, y, x]).map(({ folder }) => folder)).toEqual(expect.arrayContaining(folders));
  });

  it('are of models that are each named once', () => {
    expect(() => listModelPairs([x, y, x])).toThrow(/names "openai:x" twice/);
  });
});

describe('crossed rules', () => {
  const isIdle = (name: string, { analysis }: Readonly<Record<string, unknown>>) =>
    name === 'scores' && analysis === 'off';

  it('are all combinations, and those that differ in what decides nothing are one', () => {
    const arms = listRuleArms({ analysis: ['both', 'off'], scores: ['bands', 'hidden'] }, isIdle);
    expect(arms).toEqual([
      { folder: 'analysis-both_scores-bands', rule: { analysis: 'both', scores: 'bands' } },
      { folder: 'analysis-both_scores-hidden', rule: { analysis: 'both', scores: 'hidden' } },
      { folder: 'analysis-off', rule: { analysis: 'off' } },
    ]);
  });

  it('have two different values each', () => {
    expect(() => listRuleArms({ analysis: ['off'] }, isIdle)).toThrow(
      /at least two different values, .*"analysis" has off/,
    );
    expect(() => listRuleArms({ debateTurns: [4, 4] }, isIdle)).toThrow(/"debateTurns" has 4, 4/);
  });

  it('are crossed with pairs of models', () => {
    const arms = mergeDesigns([listModelPairs([x, y]), listRuleArms({ analysis: ['both', 'off'] }, isIdle)]);
    expect(arms).toHaveLength(8);
    expect(arms[1]).toEqual({
      folder: 'pack-openai-x_village-openai-x__analysis-off',
      villagers: x,
      werewolves: x,
      rule: { analysis: 'off' },
    });
    expect(new Set(arms.map(({ folder }) => folder)).size).toBe(8);
  });
});

describe('the schedule', () => {
  it('has every deal once for every pair, deal by deal', () => {
    const pairs = listModelPairs([x, y]);
    const schedule = listScheduledMatches([7, 8], pairs);
    expect(schedule.map(({ seed }) => seed)).toEqual([7, 7, 7, 7, 8, 8, 8, 8]);
    expect(schedule.slice(4)).toEqual(pairs.map((pair) => ({ seed: 8, ...pair })));
  });

  it('takes some of the pairs as well', () => {
    expect(listScheduledMatches([1], listModelPairs([x, y]).slice(1, 3)).map(({ werewolves }) => werewolves)).toEqual([
      x,
      y,
    ]);
  });
});
