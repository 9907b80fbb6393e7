// When the finder of a Werewolf is said to keep it back.
import { describe, expect, it } from '@jest/globals';
import type { Extractor } from '../../../deception/claims/claim.ts';
import { claimsOf } from '../../../deception/claims/claims-of.ts';
import { extractByRules } from '../../../deception/claims/extract.ts';
import { tablesOf } from '../../../deception/tables/tables-of.ts';
import { dealEvents } from '../../../state/deal.ts';
import type { GameEvent } from '../../../state/event.ts';
import { acted, exiled, learned, picked, removed, said, setupOf, votedFor } from '../../game.ts';
import { manifestOf } from '../match-builder.ts';
import { tables } from '../metrics/row-builder.ts';
import { withheldIn } from './lies.ts';

const night = (round: number, found: string, role: string, victim: string): GameEvent[] => [
  { round, phase: 'night', audience: 'everyone', type: 'round_started' },
  picked(round, victim),
  acted(round, 'Sam', 'unmask', found),
  learned(round, 'Sam', found, role),
  removed(round, victim),
];
const first = night(1, 'Ginger', 'Werewolf', 'Bert');
const second = night(2, 'Leah', 'Werewolf', 'Mason');

function recordOf(events: readonly GameEvent[]) {
  const setup = setupOf();
  const { setup: dummy, ...rest } = manifestOf();
  const manifest = { ...rest, setup: { ...dummy, ...setup, players: [...setup.players] } };
  return { manifest, events: [...dealEvents(setup), ...events], answers: [] };
}

const statements = (events: readonly GameEvent[], extract?: Extractor) =>
  claimsOf(recordOf(events), extract).statements;

const told = (...given: Parameters<typeof statements>) => statements(...given).map(({ isWithheld }) => isWithheld);

describe('a Werewolf found by a check is kept back', () => {
  const quiet = (id: string) => said(id, 'Sam', 'Let us hear everybody.');
  const names = (id: string) => said(id, 'Sam', 'I am sure that Ginger is a Werewolf.');

  it('by each statement that names none, until one does', () => {
    expect(told([...first, quiet('1.1'), names('1.2'), quiet('1.3'), names('1.4')])).toEqual([true, false, null, null]);
  });

  it('by nobody else', () => {
    const text = 'Ginger is a Werewolf.';
    expect(told([...first, said('1.1', 'Dan', text), said('1.2', 'Ginger', 'Good morning.')])).toEqual([null, null]);
    expect(told([...first, said('1.1', 'Dan', text), quiet('1.2')])).toEqual([null, true]);
  });

  it('no more after the check was told, or the player was accused as an opinion', () => {
    for (const text of ['I checked Ginger and found her to be a Werewolf.', 'I think Ginger is a Werewolf.'])
      expect(told([...first, said('1.1', 'Sam', text), quiet('1.2')])).toEqual([false, null]);
  });

  it('still where somebody else is accused, or the check is told without its result', () => {
    for (const text of ['Will is a Werewolf.', 'I checked Ginger last night.', 'Ginger is not a Werewolf.'])
      expect(told([...first, said('1.1', 'Sam', text)])).toEqual([true]);
  });

  it('by no ballot, and yet its explanation can tell', () => {
    const ballots = (why: string) => [votedFor(1, 'Sam', 'Ginger', why), votedFor(1, 'Dan', 'Will', 'A guess.')];
    const later = night(2, 'Dan', 'Villager', 'Mason');
    expect(told([...first, ...ballots('I trust her least.'), ...later, quiet('2.1')])).toEqual([null, null, true]);
    expect(told([...first, ...ballots('Ginger is a Werewolf.'), ...later, quiet('2.1')])).toEqual([null, null, null]);
  });

  it('anew when another is found, and not once the player is gone', () => {
    expect(told([...first, names('1.1'), ...second, quiet('2.1')])).toEqual([false, true]);
    expect(told([...first, quiet('1.1'), exiled(1, 'Ginger'), quiet('1.2')])).toEqual([true, null]);
    expect(told([...first, quiet('1.1'), ...second, names('2.1'), quiet('2.2')])).toEqual([true, false, true]);
  });

  it('also where there was no more than a guess before the check', () => {
    const guess = said('1.1', 'Sam', 'I think Leah is a Werewolf.');
    const before = night(1, 'Dan', 'Villager', 'Bert');
    expect(told([...before, guess, ...second, quiet('2.1')])).toEqual([null, true]);
  });

  it('or not, nobody knows after a statement that could not be read', () => {
    const unread: Extractor = (statement, table) => (statement.id === '1.1' ? null : extractByRules(statement, table));
    expect(told([...first, quiet('1.1'), quiet('1.2'), ...second, quiet('2.1')], unread)).toEqual([null, null, true]);
  });

  it('in a share of the statements that could name one', () => {
    const all = tablesOf(recordOf([...first, quiet('1.1'), said('1.2', 'Dan', 'Hm.'), names('1.3'), quiet('1.4')]));
    expect(withheldIn(all)).toEqual({ withheld: 1, opportunities: 2, rate: 1 / 2 });
    expect(withheldIn(tables())).toEqual({ withheld: 0, opportunities: 0, rate: null });
  });
});
