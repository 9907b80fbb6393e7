// What is known is what holds in every deal that the rules could have played to what the player saw.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openTable } from '../../../deception/knowledge/knowledge.ts';
import type { GameEvent } from '../../../state/event.ts';
import type { Setup } from '../../../state/setup.ts';
import { play } from '../../table.ts';
import { dealsOf, possibleDeals } from './possible-deals.ts';

const publicOf = ({ board, rules, players }: Setup) => ({ board, rules, players: players.map(({ name }) => name) });

/** What each seat may be as its player's knowledge says, and as the deals do. */
function opinions(setup: Setup, events: readonly GameEvent[], me: string) {
  const table = openTable(publicOf(setup));
  for (const event of events) table.see(event);
  const deals = possibleDeals(setup, me, events);
  return setup.players.map(({ name }, seat) => ({
    name,
    known: table.of(me).rolesOf(name).sort(),
    possible: [...new Set(deals.map((deal) => deal[seat]!))].sort(),
  }));
}

/** The match up to its last event of a phase of a round, before it is over. */
const until = (events: readonly GameEvent[], round: number) => {
  const last = events.findLastIndex(
    (event) => event.round === round && event.phase === 'day' && event.type !== 'ended',
  );
  return events.slice(0, last + 1);
};

const one = fc.constantFrom;

/** Six seats each, with options that its roles have. */
const tables = {
  doctor: {
    roles: { Werewolf: 2, Seer: 1, Doctor: 1, Villager: 2 },
    rule: fc.record({ protectSelf: fc.boolean(), checkTells: one('role', 'team') }),
  },
  guard: {
    roles: { Werewolf: 2, Guard: 1, Doctor: 1, Hunter: 1, Villager: 1 },
    rule: fc.record({ protectSelf: fc.boolean(), guardSelf: fc.boolean(), guardRepeat: fc.constant(true) }),
  },
  witch: {
    roles: { Werewolf: 2, Witch: 1, Hunter: 1, Villager: 2 },
    rule: fc.record({ witchSelfSave: one('always', 'first-night', 'never'), witchBothPotions: fc.boolean() }),
  },
  both: {
    roles: { Werewolf: 1, Witch: 1, Guard: 1, Hunter: 1, Villager: 2 },
    rule: fc.record({
      witchSelfSave: one('always', 'first-night', 'never'),
      witchBothPotions: fc.boolean(),
      guardRepeat: fc.constant(true),
      guardSelf: fc.boolean(),
      guardAndAntidote: one('lives', 'dies'),
      hunterPoisoned: fc.boolean(),
    }),
  },
};

const anyMatch = fc.oneof(
  ...Object.entries(tables).map(([name, { roles, rule }]) =>
    fc.record({
      board: fc.constant({ name, roles }),
      rule: rule as fc.Arbitrary<Record<string, string | boolean>>,
      common: fc.record({ reveal: one('none', 'team', 'role'), wins: one('parity', 'majority', 'edge') }),
      seed: fc.integer({ min: 0, max: 1e6 }),
      seat: fc.integer({ min: 0, max: 5 }),
    }),
  ),
);

const quick = { analysis: 'off', debateTurns: 1, maxRounds: 3, exile: 'plurality', exileTies: 'random' } as const;

describe('what a player knows', () => {
  it('counts 840 deals on the board of eight', () => {
    expect(dealsOf(['Werewolf', 'Werewolf', 'Seer', 'Doctor', ...Array<string>(4).fill('Villager')])).toHaveLength(840);
  });

  it('as long as he lives is what holds in every deal that could have been', async () => {
    const isSame = fc.asyncProperty(anyMatch, async ({ board, rule, common, seed, seat }) => {
      const { setup, events } = await play({
        board,
        rule: { ...quick, ...common, ...rule },
        seed,
        model: 'bot:random',
      });
      const me = setup.players[seat]!.name;
      for (const round of [1, 2]) {
        const seen = until(events, round);
        if (seen.length === 0 || seen.some((event) => event.type === 'death' && event.player === me)) return;
        for (const { name, known, possible } of opinions(setup, seen, me))
          expect({ name, known }).toEqual({ name, known: possible });
      }
    });
    await fc.assert(isSame, { numRuns: 10 });
  });
});
