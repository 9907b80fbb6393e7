// The Villager: no power but the vote.
import { expect, it } from '@jest/globals';
import { roleNamed } from '../../../state/roles/index.ts';

it('belongs to the village, is not special and acts at no night', () => {
  const role = roleNamed('Villager');
  expect(role).toMatchObject({ team: 'villagers', special: false, powers: [], rules: {} });
  expect(role.does({})).toBeNull();
});
