// What is known is what holds in every deal that the rules could have played to what the player saw.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openTable } from '../../../deception/knowledge/knowledge.ts';
import { randomMatches, type RandomMatch } from '../../../deception/simulation/random-matches.ts';
import { rulesOn } from '../../../state/board-rules.ts';
import { readBoard } from '../../../state/boards.ts';
import type { GameEvent } from '../../../state/event.ts';
import { isIdle } from '../../../state/idle-rules.ts';
import { roleNamed, roles } from '../../../state/roles/index.ts';
import type { Rule } from '../../../state/rule.ts';
import { rulebook } from '../../../state/rulebook.ts';
import { readRules } from '../../../state/rules.ts';
import type { Setup } from '../../../state/setup.ts';
import { valuesOf } from '../../random-plans.ts';
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

/** What the engine says that it does not see (`Knowledge`): then it may know less than it could, never more. */
const isBeyondIt = (rule: Readonly<Record<string, unknown>>, counts: Readonly<Record<string, number>>) =>
  Object.entries(rule).some(([name, value]) => name.endsWith('Repeat') && value === false) ||
  Object.entries(counts).some(([name, count]) => count > 1 && roleNamed(name).powers.some(({ uses }) => uses));

const special = [...roles.values()].filter((role) => role.special && role.team === 'villagers');
const plain = [...roles.values()].find((role) => !role.special)!;

/** Six seats: one or two of the pack, up to three special roles of the register, the rest without one. */
const anyCounts = fc
  .record({ pack: fc.integer({ min: 1, max: 2 }), some: fc.subarray(special, { minLength: 1, maxLength: 3 }) })
  .map(({ pack, some }) => ({
    ...Object.fromEntries(
      [...roles.values()].filter(({ team }) => team === 'werewolves').map(({ name }) => [name, pack]),
    ),
    ...Object.fromEntries(some.map(({ name }) => [name, 1])),
    [plain.name]: 6 - pack - some.length,
  }));

/** Every option of the roles at the table, and those of the common ones that bear on who leaves and who has won. */
const anyMatch = anyCounts.chain((counts) => {
  const own = Object.keys(counts).flatMap((name) => Object.entries(roleNamed(name).rules));
  const common = ['reveal', 'wins', 'pack'].map((name): [string, Rule] => [name, rulebook[name]!]);
  const board = readBoard({ name: 'six', roles: counts });
  const drawn = fc.record(
    Object.fromEntries([...own, ...common].map(([name, rule]) => [name, fc.constantFrom(...valuesOf(rule))])),
  );
  return fc.record({
    board: fc.constant(board),
    rule: drawn.map((rules) =>
      Object.fromEntries(
        Object.entries(rules).filter(([name]) => !isIdle(name, { ...readRules('wolf'), ...rules }, board)),
      ),
    ),
    seed: fc.integer({ min: 0, max: 1e6 }),
    seat: fc.integer({ min: 0, max: 5 }),
  });
});

const quick = { analysis: 'off', debateTurns: 1, maxRounds: 3, exile: 'plurality', exileTies: 'random' } as const;

describe('what a player knows', () => {
  it('counts 840 deals on the board of eight', () => {
    expect(dealsOf(['Werewolf', 'Werewolf', 'Seer', 'Doctor', ...Array<string>(4).fill('Villager')])).toHaveLength(840);
  });

  it('as long as he lives is what holds in every deal that could have been', () => {
    const isSame = fc.property(anyMatch, ({ board, rule, seed, seat }) => {
      const rules = rulesOn(board, 'wolf', { ...quick, ...rule });
      const { setup, events } = randomMatches({ board, rules }, 1, seed).next().value as RandomMatch;
      const me = setup.players[seat]!.name;
      for (const round of [1, 2]) {
        const seen = until(events, round);
        if (seen.length === 0 || seen.some((event) => event.type === 'death' && event.player === me)) return;
        for (const { name, known, possible } of opinions(setup, seen, me))
          if (isBeyondIt(rule, board.roles))
            expect({ name, known }).toMatchObject({ known: expect.arrayContaining(possible) });
          else expect({ name, known }).toEqual({ name, known: possible });
      }
    });
    fc.assert(isSame, { numRuns: 60, seed: 11 });
  });
});
