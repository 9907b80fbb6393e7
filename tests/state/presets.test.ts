// Presets: their versions, and their departures from the papers.
import { describe, expect, it } from '@jest/globals';
import { listRuleDepartures, listUnplacedRules, papers } from '../../state/papers.ts';
import {
  addPresetVersion,
  listEarlierVersions,
  nameStoredPreset,
  presetNames,
  presets,
  readStoredPreset,
  resolvePreset,
} from '../../state/presets.ts';
import { readRules, rulebook } from '../../state/rulebook.ts';

describe('a preset', () => {
  it('without a version is the newest', () => {
    expect(presetNames.map(resolvePreset)).toEqual(['wolf@2', 'arena@2', 'plus@2']);
    for (const name of presetNames) expect(readRules(name)).toEqual(readRules(resolvePreset(name)));
  });

  it('has its versions by name', () => {
    expect(presetNames.flatMap(listEarlierVersions)).toEqual(['wolf@1', 'arena@1', 'plus@1']);
    expect(listEarlierVersions('wolf@1')).toEqual([]);
    for (const name of ['wolf@0', 'wolf@3', 'wolf@', '@1', 'toString'])
      expect(() => resolvePreset(name)).toThrow(`Unknown rules "${name}".`);
  });

  it('of version 1 plays what was played before presets had versions', () => {
    const before = Object.entries(rulebook).filter(
      ([, rule]) => rule.before !== undefined && rule.before !== rule.default,
    );
    expect(readRules('wolf@1')).toMatchObject({
      ...{ bidders: 'others', bidTies: 'named-twice', scores: 'bands', scoresFrom: 'debate', thoughts: 'this-round' },
    });
    expect(readRules('plus@1')).toMatchObject({
      hunterPoisoned: false,
      witchSelfSave: 'first-night',
      talkTemperature: null,
    });
    expect(readRules('arena@1').thoughts).toBe('this-round');
    expect(before.map(([name]) => name)).toContain('scoresFrom');
  });

  it('in a stored plan or an old pool is version 1 where it has none', () => {
    expect(presetNames.map(readStoredPreset)).toEqual(['wolf@1', 'arena@1', 'plus@1']);
    for (const name of Object.keys(presets)) expect(readStoredPreset(nameStoredPreset(name))).toBe(name);
    expect(addPresetVersion('preset wolf')).toBe('preset wolf@1');
    expect(addPresetVersion('preset plus with sheriff=false')).toBe('preset plus@1 with sheriff=false');
    expect(addPresetVersion('preset wolf@2 with scores=bands')).toBe('preset wolf@2 with scores=bands');
  });
});

describe.each(presetNames)('what %s departs from its paper in', (name) => {
  it('is known of every rule: the paper says something of it, or is silent', () => {
    expect(listUnplacedRules(name)).toEqual([]);
  });

  it('is a value that the rule can have, given as a reason, or not at all', () => {
    for (const [rule, { value, words }] of Object.entries(papers[name]!.says)) {
      expect([rule, rulebook[rule]!.schema.safeParse(value).success]).toEqual([rule, true]);
      expect(words).not.toBe('');
    }
    const without = listRuleDepartures(name).filter(({ reason }) => reason === '');
    expect(without.map(({ rule }) => rule)).toEqual([]);
  });

  it('is gone with the values that restore the paper', () => {
    const restored = Object.fromEntries(listRuleDepartures(name).map(({ rule, paper }) => [rule, paper]));
    expect(readRules(name, restored)).toMatchObject(restored);
    const known = Object.entries(papers[name]!.says).filter(([, { reason }]) => reason !== undefined);
    expect(Object.keys(restored)).toEqual(known.map(([rule]) => rule));
  });
});

it('the first versions departed in what the newer ones mended', () => {
  const mended = (name: string) => {
    const now = listRuleDepartures(name).map(({ rule }) => rule);
    return listRuleDepartures(`${name}@1`).flatMap(({ rule }) => (now.includes(rule) ? [] : [rule]));
  };
  expect(mended('wolf')).toEqual(['bidders', 'bidTies', 'scoresFrom', 'scores', 'thoughts']);
  expect(mended('arena')).toEqual(['thoughts']);
  expect(mended('plus')).toEqual(['witchSelfSave', 'hunterPoisoned', 'choiceTemperature', 'talkTemperature']);
});
