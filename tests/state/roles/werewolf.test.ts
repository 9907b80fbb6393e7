// The Werewolf: one of a pack that removes a player each night.
import { describe, expect, it } from '@jest/globals';
import { powerNamed, roleNamed } from '../../../state/roles/index.ts';
import { view } from '../../../state/view.ts';
import { gameAt, type Moment } from '../../game.ts';

const targets = (me: string, moment: Moment = {}) =>
  powerNamed('eliminate').choices(view(gameAt({ phase: 'night', ...moment }), me));

describe('the Werewolf', () => {
  it('is on the side of the Werewolves, and the pack acts together', () => {
    expect(roleNamed('Werewolf')).toMatchObject({ team: 'werewolves', plural: 'Werewolves', special: true });
    expect(powerNamed('eliminate')).toMatchObject({ aim: 'harm', actor: 'team' });
  });

  it('may pick every living player outside the pack', () => {
    expect(targets('Ginger')).toEqual(['Sam', 'Paul', 'Dan', 'Will', 'Bert', 'Mason']);
    expect(targets('Leah', { gone: ['Sam', 'Mason'] })).toEqual(['Paul', 'Dan', 'Will', 'Bert']);
  });

  it('may not pick a partner who has left the game, nor himself', () => {
    expect(targets('Leah', { gone: ['Ginger'] })).toEqual(['Sam', 'Paul', 'Dan', 'Will', 'Bert', 'Mason']);
  });

  it('removes whoever the pack settled on', () => {
    const intent = { round: 1, verb: 'eliminate', by: ['Ginger', 'Leah'], target: 'Dan' };
    expect(powerNamed('eliminate').settle(intent, gameAt())).toEqual({ kind: 'attack', target: 'Dan' });
  });
});
