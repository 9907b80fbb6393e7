// Soundness: on any board and under any rules, no player rules out a true fact, and every player knows all public
// facts.
import { describe, expect, it } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  createTableKnowledge,
  deriveKnowledge,
  type Knowledge,
} from '../../../deception/knowledge/player-knowledge.ts';
import {
  conjoin,
  didAct,
  disjoin,
  hasRole,
  isOnTeam,
  negate,
  type Proposition,
} from '../../../deception/knowledge/propositions.ts';
import { type RandomMatch, playRandomMatches } from '../../../deception/play/random-matches.ts';
import { type Board, boards, readBoard } from '../../../state/boards.ts';
import { createDealEvents, createInitialState } from '../../../state/deal.ts';
import { eventDescriptions } from '../../../state/event-descriptions.ts';
import { GameEvent } from '../../../state/events.ts';
import type { Game, Setup } from '../../../state/game.ts';
import { listSurvivors } from '../../../state/night-resolution.ts';
import { getLastAct, getRole, roles, getShownSide } from '../../../state/roles/index.ts';
import type { Role } from '../../../state/roles/role.ts';
import type { Rule, RuleValue } from '../../../state/rules/rule.ts';
import { isInactive, readRules, resolveBoardRules, rulebook } from '../../../state/rulebook.ts';
import { createView } from '../../../state/view.ts';
import { anyPlan, listValues } from '../../random-plans.ts';
import { ScriptedModel } from '../../scripted-model.ts';
import { play } from '../../table.ts';
import { answerUnruly } from '../../unruly-answers.ts';
import { listDeals, listPossibleDeals } from './possible-deals.ts';

const selectPublic = ({ board, rules, players }: Setup) => ({ board, rules, players: players.map(({ name }) => name) });

interface Played {
  setup: Setup;
  events: readonly GameEvent[];
}

const quick = { debateTurns: 1, maxRounds: 4 } as const;

const playRandomly = (board: Board, rule: Readonly<Record<string, RuleValue>>, seed: number): Played =>
  playRandomMatches({ board, rules: resolveBoardRules(board, 'wolf', rule) }, 1, seed).next().value as Played;

/** Plans made from the registers, so that every role is covered. */
const anyMatches = fc
  .sample(anyPlan, { seed: 5, numRuns: 20 })
  // In every second plan a player is exiled each day and there are more rounds, so that more facts become public.
  .map(({ board, rule, seed }, index): Played =>
    playRandomly(
      board,
      index % 2 === 0 ? rule : { ...rule, exile: 'plurality', exileTies: 'random', maxRounds: 5 },
      seed,
    ),
  );

/** Events that everybody sees and that may reveal a player's role. */
const showing = GameEvent.options
  .filter(({ shape }) => 'role' in shape || shape.type.value === 'last_act')
  .map(({ shape }) => shape.type.value)
  .filter((type) => eventDescriptions[type].audience === 'everyone');

/** Creates a board of sixteen players with every role and four Werewolves. */
function seatEveryRole(): Board {
  const special = [...roles.values()].filter((role) => role.special);
  const plain = [...roles.values()].find((role) => !role.special)!;
  const counts = special.map(({ name }): [string, number] => [name, getShownSide(name) === 'werewolves' ? 4 : 1]);
  const taken = counts.reduce((sum, [, count]) => sum + count, 0);
  return readBoard({ name: 'every-role', roles: Object.fromEntries([...counts, [plain.name, 16 - taken]]) });
}

type Options = Readonly<Record<string, RuleValue>>;

/** Every value of every option, with the other options that give it an effect. */
const everyValue = Object.entries(rulebook).flatMap(([name, rule]) =>
  listValues(rule).map((value): { name: string; value: RuleValue; given: Options } => {
    const needs = Object.fromEntries(Object.entries(rule.needs ?? {}).map(([option, [first]]) => [option, first!]));
    return { name, value, given: { ...needs, [name]: value } };
  }),
);

/** Options for a short match, without those that would have no effect beside the others. */
function selectActive(board: Board, options: Options): Options {
  const full = { ...readRules('wolf'), ...quick, ...options };
  const given = Object.entries({ ...quick, ...options });
  return Object.fromEntries(given.filter(([name]) => !isInactive(name, full, board)));
}

/** Merges two sets of options. Null if they contradict each other or one option has no effect. */
function combine(board: Board, some: Options, more: Options): Options | null {
  if ('maxRounds' in some || 'maxRounds' in more) return null; // a shorter match would test fewer of the other options
  const together = { ...some, ...more };
  const active = selectActive(board, together);
  const isKept = Object.entries(some).every(([name, value]) => together[name] === value);
  if (!isKept || Object.keys(together).some((name) => !(name in active))) return null;
  try {
    resolveBoardRules(board, 'wolf', active);
    return together;
  } catch {
    return null; // options that exclude each other
  }
}

/** Groups the values of all options into few sets of values that can be played together. */
function groupOptions(board: Board): Options[] {
  const groups: Options[] = [];
  for (const { given } of everyValue) {
    const at = groups.findIndex((group) => combine(board, group, given));
    if (at < 0) groups.push(given);
    else groups[at] = combine(board, groups[at]!, given)!;
  }
  return groups;
}

const optionGroups = groupOptions(seatEveryRole());

/**
 * Plays every value of every option on a board with every role. Each set of values gets two matches, because one rule
 * may end a match before another has had an effect.
 */
const everyOption = (): [name: string, Played][] =>
  optionGroups.flatMap((rules) =>
    [3, 4].map((seed): [string, Played] => {
      const board = seatEveryRole();
      return [`${JSON.stringify(rules)}, seed ${seed}`, playRandomly(board, selectActive(board, rules), seed)];
    }),
  );

/** Asks for each player's knowledge once per phase, which is as often as it changes. Returns the last state. */
function walk({ setup, events }: Played, ask: (me: string, known: Knowledge, at: number) => void) {
  const table = createTableKnowledge(selectPublic(setup));
  for (const [at, event] of events.entries()) {
    table.see(event);
    const next = events[at + 1];
    if (event.round > 0 && (next?.round !== event.round || next.phase !== event.phase))
      for (const { name } of setup.players) ask(name, table.of(name), at);
  }
  return table;
}

/**
 * Lists contradictions: players who rule out the actual deal or an actual night act, and players who do not know a
 * public fact at the end.
 */
function listFaults(played: Played) {
  const { setup, events } = played;
  const truth = conjoin(...setup.players.map(({ name, role }) => hasRole(name, role)));
  const acts = events.flatMap((event, at) => (event.type === 'acted' ? [{ ...event, at }] : []));
  const mistaken: string[] = [];
  const denying: string[] = [];
  const table = walk(played, (me, known, now) => {
    if (known.evaluate(truth) === 'false') mistaken.push(`${me} after event ${now}`);
    const isOver = now === events.length - 1;
    const done = acts.filter(({ at, round }) => at <= now && (isOver || round === events[now]!.round));
    for (const { by, verb, target, round, at } of done)
      for (const when of [{ round }, {}])
        if (known.evaluate(didAct({ by, verb, target, ...when })) === 'false')
          denying.push(
            `${me} after event ${now}: that ${by} did ${verb} ${target} in ${JSON.stringify(when)}, event ${at}`,
          );
  });
  return { mistaken, denying, unaware: listUnaware(played, table) };
}
const noFaults = { mistaken: [], denying: [], unaware: [] };

/** Returns what a public event reveals about a role: the player, and the roles that remain possible. */
function readShown(event: GameEvent): { player: string; left: string[] } | null {
  if (event.audience !== 'everyone') return null;
  const player = 'player' in event ? event.player : 'by' in event ? event.by : null;
  if (player === null) return null;
  const isSo = (test: (name: string) => boolean) => ({ player, left: [...roles.keys()].filter(test) });
  if (event.type === 'last_act') return isSo((name) => name === getLastAct(event.verb).role.name);
  if ('role' in event && event.role !== undefined) return isSo((name) => name === event.role);
  if ('team' in event && event.team !== undefined) return isSo((name) => getShownSide(name) === event.team);
  return null;
}

function listUnaware({ setup, events }: Played, table: ReturnType<typeof createTableKnowledge>) {
  return events.flatMap((event) => {
    const shown = readShown(event);
    if (!shown) return [];
    const unaware = setup.players.filter(
      ({ name }) =>
        !table
          .of(name)
          .listPossibleRoles(shown.player)
          .every((role) => shown.left.includes(role)),
    );
    return unaware.map(({ name }) => `${name} of ${JSON.stringify(event)}`);
  });
}

describe('in a whole match', () => {
  const named = Object.keys(boards).flatMap((board) =>
    ['wolf', 'arena', 'plus'].map((preset, index): [string, Played] => {
      const ground = { board: boards[board]!, rules: resolveBoardRules(boards[board]!, preset, { maxRounds: 4 }) };
      return [`${board} under ${preset}`, playRandomMatches(ground, 1, index + 1).next().value as Played];
    }),
  );

  it.each([...named, ...everyOption()])('no player takes for impossible what is so: %s', (_name, played) => {
    expect(listFaults(played)).toEqual(noFaults);
  });

  it('where each value of each option is played that decides anything at this table', () => {
    const played = everyValue.filter(({ name, value }) => optionGroups.some((group) => group[name] === value));
    expect(played).toEqual(everyValue);
  });

  it('nor does anybody on any board under any rules', () => {
    for (const played of anyMatches) {
      const { board, rules, seed } = played.setup;
      expect({ board, rules, seed, ...listFaults(played) }).toMatchObject(noFaults);
    }
  });

  it('where these boards have every role, and shows of roles come up', () => {
    const dealt = new Set(anyMatches.flatMap(({ setup }) => setup.players.map(({ role }) => role)));
    expect([...dealt].sort()).toEqual([...roles.keys()].sort());
    const shown = anyMatches.flatMap(({ events }) => events.flatMap((event) => (readShown(event) ? [event.type] : [])));
    expect([...new Set(shown)].sort()).toEqual(showing.toSorted());
  });

  it('nor where most acts are drawn in the stead of models that answer anything', async () => {
    const model = new ScriptedModel((question) => answerUnruly(question, 1, 10));
    const rule = { ...quick, analysis: 'off', maxRounds: 3 };
    const { setup, events } = await play({ board: 'classic-8', seed: 1, model, rule });
    expect(events.some((event) => 'mark' in event && event.mark !== undefined && event.phase === 'night')).toBe(true);
    expect(listFaults({ setup, events }).mistaken).toEqual([]);
  });

  it.each(named.filter((_, index) => [0, 7, 14].includes(index)))(
    'on %s knowledge of a View is the same as what was gathered event by event',
    (_name, played) => {
      const { setup, events } = played;
      const names = setup.players.map(({ name }) => name);
      walk(played, (me, known, at) => {
        if ((names.indexOf(me) + at) % 3 > 0) return; // each phase a third of the players
        const seen = deriveKnowledge(createView(createGameUpTo(setup, events.slice(0, at + 1)), me));
        for (const name of names) expect(seen.listPossibleRoles(name)).toEqual(known.listPossibleRoles(name));
      });
    },
  );
});

function createGameUpTo(setup: Setup, events: readonly GameEvent[]): Game {
  const { round, phase } = events.at(-1)!;
  const game = createInitialState(setup) as Game;
  const alivePlayers = listSurvivors(game.alivePlayers, events);
  return { ...game, alivePlayers, roundNum: round, phase, step: 0, gameLogs: [...events], winner: null };
}

// A player knows exactly the facts that are true in every deal that could have led to the same observations under the
// rules.

/**
 * Compares knowledge with deals: the possible roles of each seat, and the number of Werewolves in each pair of seats.
 * Pairs are needed because a relation between two seats often says nothing about either of them.
 */
function compareOpinions(
  setup: Setup,
  events: readonly GameEvent[],
  me: string,
  tellDeal?: (setup: Setup) => GameEvent[],
) {
  const table = createTableKnowledge(selectPublic(setup));
  for (const event of events) table.see(event);
  const deals = listPossibleDeals(setup, me, events, tellDeal);
  const mine = table.of(me);
  const isWolf = (role: string) => getShownSide(role) === 'werewolves';
  const seats = setup.players.map(({ name }, seat) => ({
    about: name,
    known: mine.listPossibleRoles(name).sort(),
    possible: [...new Set(deals.map((deal) => deal[seat]!))].sort(),
  }));
  const pairs = setup.players.flatMap(({ name }, seat) =>
    setup.players.slice(seat + 1).map((other, at) => ({
      about: `${name} and ${other.name}`,
      known: listCounts(name, other.name).flatMap((what, count) => (mine.evaluate(what) === 'false' ? [] : [count])),
      possible: [...new Set(deals.map((deal) => [deal[seat]!, deal[seat + 1 + at]!].filter(isWolf).length))].sort(),
    })),
  );
  return [...seats, ...pairs];
}

/** Propositions that none, one or both of two players are Werewolves. */
function listCounts(...names: [string, string]): Proposition[] {
  const [one, other] = names.map((name) => isOnTeam(name, 'werewolves')) as [Proposition, Proposition];
  const [neither, both] = [negate(disjoin(one, other)), conjoin(one, other)];
  return [neither, negate(disjoin(neither, both)), both];
}

/** Returns the match up to the last event of a phase of this round, unless the match ended before. */
const selectUntil = (events: readonly GameEvent[], round: number) => {
  const last = events.findLastIndex(
    (event) => event.round === round && event.phase === 'day' && event.type !== 'ended',
  );
  return events.slice(0, last + 1);
};

/**
 * Whether knowledge is declared incomplete for this match (`Knowledge`). It may then be less than what is possible to
 * know, never more.
 */
const isBeyondIt = (rule: Readonly<Record<string, unknown>>, counts: Readonly<Record<string, number>>) =>
  Object.entries(rule).some(([name, value]) => name.endsWith('Repeat') && value === false) ||
  Object.entries(counts).some(([name, count]) => count > 1 && getRole(name).powers.some(({ uses }) => uses));

const special = [...roles.values()].filter((role) => role.special && getShownSide(role.name) === 'villagers');
const plain = [...roles.values()].find((role) => !role.special)!;

/** Six seats: one or two Werewolves, up to three special roles of the register, otherwise Villagers. */
const anyCounts = fc
  .record({ pack: fc.integer({ min: 1, max: 2 }), some: fc.subarray(special, { minLength: 1, maxLength: 3 }) })
  .map(({ pack, some }) => ({
    ...Object.fromEntries(
      [...roles.keys()].filter((name) => getShownSide(name) === 'werewolves').map((name) => [name, pack]),
    ),
    ...Object.fromEntries(some.map(({ name }) => [name, 1])),
    [plain.name]: 6 - pack - some.length,
  }));

/** Every option of the roles on the board, and the common options about exile and winning. */
const anyMatch = anyCounts.chain((counts) => {
  const own = Object.keys(counts).flatMap((name) => Object.entries(getRole(name).rules));
  const common = ['reveal', 'wins', 'pack'].map((name): [string, Rule] => [name, rulebook[name]!]);
  const board = readBoard({ name: 'six', roles: counts });
  const drawn = fc.record(
    Object.fromEntries([...own, ...common].map(([name, rule]) => [name, fc.constantFrom(...listValues(rule))])),
  );
  return fc.record({
    board: fc.constant(board),
    rule: drawn.map((rules) =>
      Object.fromEntries(
        Object.entries(rules).filter(([name]) => !isInactive(name, { ...readRules('wolf'), ...rules }, board)),
      ),
    ),
    seed: fc.integer({ min: 0, max: 1e6 }),
    seat: fc.integer({ min: 0, max: 5 }),
  });
});

const short = {
  analysis: 'off',
  debateTurns: 1,
  maxRounds: 3,
  exile: 'plurality',
  exileTies: 'random',
} as const;

describe('what a player knows', () => {
  it('counts 840 deals on the board of eight', () => {
    expect(listDeals(['Werewolf', 'Werewolf', 'Seer', 'Doctor', ...Array<string>(4).fill('Villager')])).toHaveLength(
      840,
    );
  });

  it('as long as he lives is what holds in every deal that could have been', () => {
    const isSame = fc.property(anyMatch, ({ board, rule, seed, seat }) => {
      const rules = resolveBoardRules(board, 'wolf', { ...short, ...rule });
      const { setup, events } = playRandomMatches({ board, rules }, 1, seed).next().value as RandomMatch;
      const me = setup.players[seat]!.name;
      for (const round of [1, 2]) {
        const seen = selectUntil(events, round);
        if (seen.length === 0 || seen.some((event) => event.type === 'death' && event.player === me)) return;
        for (const { about, known, possible } of compareOpinions(setup, seen, me))
          if (isBeyondIt(rule, board.roles))
            expect({ about, known }).toMatchObject({ known: expect.arrayContaining(possible) });
          else expect({ about, known }).toEqual({ about, known: possible });
      }
    });
    fc.assert(isSame, { numRuns: 16, seed: 11 });
  });

  it.each([...roles.keys()])('is what holds in every deal that could have been, for a %s', (role) => {
    const { setup, events, me } = playUntilLate(seatAtSix(role), role);
    for (const round of [1, 2])
      for (const { about, known, possible } of compareOpinions(setup, selectUntil(events, round), me))
        expect({ role, round, about, known }).toEqual({ role, round, about, known: possible });
  });

  it('takes in whatever a role is told: a test fails where it does not, as of a relation between seats', () => {
    withRole(neighbor, () => {
      const { setup, events, me } = playUntilLate(seatAtSix(neighbor.name), neighbor.name);
      const told = [...tellNeighbors(setup), ...events.filter(({ round }) => round > 0)];
      const isSame = (round: number) =>
        compareOpinions(setup, selectUntil(told, round), me, tellNeighbors).every(({ known, possible }) =>
          isDeepStrictEqual(known, possible),
        );
      expect([1, 2].map(isSame)).toEqual([false, false]);
    });
  });
});

/**
 * Creates a board of six: two Werewolves, the tested role, a role that shields others at night, and players without a
 * power.
 */
function seatAtSix(role: string): Board {
  const pack = [...roles.keys()].find((name) => getShownSide(name) === 'werewolves')!;
  const active = special.find(({ name, powers }) => name !== role && powers.some(({ aim }) => aim === 'shield'))!.name;
  const seated = [pack, pack, ...(role === pack ? [] : [role]), active, plain.name, plain.name, plain.name].slice(0, 6);
  const counts = [...Map.groupBy(seated, (name) => name)].map(([name, { length }]): [string, number] => [name, length]);
  return readBoard({ name: 'six', roles: Object.fromEntries(counts) });
}

/** Returns the first match, by seed, in which a player with the role survives the second day. */
function playUntilLate(board: Board, role: string): Played & { me: string } {
  const held = Object.keys(board.roles).flatMap((name) => Object.keys(getRole(name).rules));
  const free = Object.fromEntries(held.filter((name) => name.endsWith('Repeat')).map((name) => [name, true]));
  const rules = resolveBoardRules(board, 'wolf', { ...short, ...free });
  for (const { setup, events } of playRandomMatches({ board, rules }, 200, 1)) {
    const me = setup.players.find((player) => player.role === role)!.name;
    const isThere = events.some((event) => event.round === 2 && event.phase === 'day' && event.type !== 'ended');
    if (isThere && !events.some((event) => event.type === 'death' && event.player === me && event.round <= 2))
      return { setup, events, me };
  }
  throw new Error(`No ${role} lived long enough.`);
}

/**
 * A role that learns at the deal how many of its two neighbors are Werewolves. Such a relation between seats is not a
 * private fact that the project knows.
 */
const neighbor: Role = { ...plain, name: 'Neighbor', plural: 'Neighbors', special: true };

/** Deals the invented role's private fact in an event that knowledge does not read. */
const tellNeighbors = (setup: Setup): GameEvent[] => {
  const { players } = setup;
  return [
    ...createDealEvents(setup),
    ...players.flatMap(({ name, role }, seat): GameEvent[] => {
      if (role !== neighbor.name) return [];
      const beside = [players.at(seat - 1)!, players[(seat + 1) % players.length]!];
      const count = beside.filter(({ team }) => team === 'werewolves').length;
      const at = { round: 0, phase: 'night' as const, audience: [name] };
      return [
        { ...at, type: 'thought', by: name, action: 'deal', step: 0, reasoning: `Werewolves beside me: ${count}` },
      ];
    }),
  ];
};

/** Registers a role during a test. */
function withRole(role: Role, test: () => void) {
  const register = roles as Map<string, Role>;
  register.set(role.name, role);
  try {
    test();
  } finally {
    register.delete(role.name);
  }
}
