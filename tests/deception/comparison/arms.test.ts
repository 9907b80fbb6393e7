// Who is compared with whom: deals, what differs besides, and models that changed sides.
import { describe, expect, it } from '@jest/globals';
import { contrastsOf, pairingOf, swappedModels } from '../../../deception/comparison/arms.ts';
import { match as matchRow } from '../metrics/row-builder.ts';

const [x, y] = ['openai:x', 'openai:y'];
const sides = (village: string | null, pack: string | null) => ({ villagers_model: village, werewolves_model: pack });

describe('deals', () => {
  it('are shared where board, names, seats and roles are the same, whatever the seed is called', () => {
    const a = [matchRow({ match_id: 'a1', deal: 'Dan=Seer' }), matchRow({ match_id: 'a2', deal: 'Dan=Doctor' })];
    const b = [matchRow({ match_id: 'b1', deal: 'Dan=Seer', seed: 99 })];
    expect(pairingOf({ a, b })).toMatchObject({ alone: { a: ['a2'], b: [] } });
    expect(pairingOf({ a, b }).deals).toHaveLength(1);
  });

  it('of another board are others', () => {
    const rows = { a: [matchRow({ board: 'classic-8' })], b: [matchRow({ board: 'plus-8' })] };
    expect(pairingOf(rows).deals).toEqual([]);
  });
});

describe('what differs between the arms', () => {
  it('names rules, models of a side and versions, and leaves out what is alike', () => {
    const a = [matchRow({ rules: '{"honesty":"unsaid","maxRounds":10}', ...sides(x, y) })];
    const b = [matchRow({ rules: '{"honesty":"forbidden","maxRounds":10}', ...sides(x, x), wolfgraph: '9.9.9' })];
    expect(contrastsOf({ a, b }).map(({ what }) => what)).toEqual([
      'model of the Werewolves',
      'rule honesty',
      'version',
    ]);
  });

  it('tells of a rule that one arm does not know', () => {
    const a = [matchRow({ rules: '{}' })];
    const b = [matchRow({ rules: '{"guardSelf":true}' })];
    expect(contrastsOf({ a, b })).toEqual([{ what: 'rule guardSelf', a: ['null'], b: ['true'] }]);
  });
});

describe('models that changed sides', () => {
  const swapped = { a: [matchRow(sides(x, y))], b: [matchRow(sides(y, x))] };

  it('are found, the village of the first arm first', () => {
    expect(swappedModels(swapped)).toEqual([x, y]);
  });

  it.each([
    ['the same on both sides', { a: [matchRow(sides(x, x))], b: [matchRow(sides(x, x))] }],
    ['several on a side', { a: [matchRow(sides(null, y))], b: [matchRow(sides(y, null))] }],
    ['some matches the wrong way round', { ...swapped, b: [...swapped.b, matchRow(sides(x, y))] }],
    ['no matches', { a: [], b: [] }],
  ])('are none where there are %s', (_, arms) => {
    expect(swappedModels(arms)).toBeNull();
  });
});
