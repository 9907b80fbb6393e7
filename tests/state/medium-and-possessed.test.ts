// The Medium is told of each exile in the night after it. The Possessed counts as human and wins with the Werewolves.
import { expect, it } from '@jest/globals';
import { describeSeat } from '../../report/seat/seat-text.ts';
import { createDealEvents } from '../../state/deal.ts';
import { isEventOfType, type GameEvent } from '../../state/events.ts';
import { resolveNight } from '../../state/night-resolution.ts';
import { getPower, getRole, moderatorPowers, powers } from '../../state/roles/index.ts';
import { createView } from '../../state/view.ts';
import { decideWinner } from '../../state/win-conditions.ts';
import { eight, exiled, gameAt, setupOf } from '../game.ts';

const seats = { ...eight, Paul: 'Medium', Dan: 'Possessed' };
const listTold = (round: number, events: GameEvent[], gone: string[]) =>
  resolveNight(gameAt({ phase: 'night', round, seats, events, gone }))
    .filter(isEventOfType('learned'))
    .map(({ by, about, team, audience }) => [by, about, team, audience]);

it('a Medium is asked nothing, and told in the next night whether the exiled player was a Werewolf', () => {
  expect(powers).not.toContainEqual(expect.objectContaining({ verb: 'identify' }));
  expect(moderatorPowers).toEqual([getPower('identify')]);
  expect(listTold(2, [exiled(1, 'Ginger')], ['Ginger'])).toEqual([['Paul', 'Ginger', 'werewolves', ['Paul']]]);
  expect(listTold(2, [exiled(1, 'Mason')], ['Mason'])).toEqual([['Paul', 'Mason', 'villagers', ['Paul']]]);
  expect(listTold(2, [exiled(1, 'Dan')], ['Dan'])).toEqual([['Paul', 'Dan', 'villagers', ['Paul']]]);
});

it('a Medium is told of no earlier exile, of none without one, and of none after leaving', () => {
  expect(listTold(3, [exiled(1, 'Ginger')], ['Ginger'])).toEqual([]);
  expect(listTold(2, [], [])).toEqual([]);
  expect(listTold(2, [exiled(1, 'Paul')], ['Paul'])).toEqual([]);
});

it('a Possessed and the Werewolves do not know each other, and the Possessed is human where sides are counted', () => {
  const acquainted = createDealEvents(setupOf({ seats })).filter(isEventOfType('acquainted'));
  expect(acquainted.map(({ players }) => players)).toEqual([['Ginger', 'Leah']]);
  expect(getRole('Possessed').team).toBe('werewolves');
  const dealt = { Werewolf: 1, Possessed: 1, Villager: 3 };
  expect(decideWinner({ wins: 'parity' }, dealt, { Possessed: 1, Villager: 1 })?.winner).toBe('villagers');
  expect(decideWinner({ wins: 'parity' }, dealt, { Werewolf: 1, Possessed: 1, Villager: 1 })).toBeNull();
  expect(decideWinner({ wins: 'parity' }, dealt, { Werewolf: 1, Possessed: 1 })?.winner).toBe('werewolves');
});

it('the page of a Possessed says with whom the player wins, and not on whose side', () => {
  const tell = (name: string) =>
    describeSeat(createView(gameAt({ seats }), name), { question: null, roles: null }).allegiance;
  expect([tell('Dan'), tell('Paul'), tell('Ginger')]).toEqual([
    'winning with the Werewolves',
    'on the side of the village',
    'on the side of the Werewolves',
  ]);
});
