// Belief: how likely each player is a Werewolf. Every possible set of Werewolves ("pack") is weighted by statements,
// votes and nights, so beliefs always add up to the number of Werewolves.
import { memoize } from '../../../prompts/text.ts';
import type { GameFacts } from './game-facts.ts';

/**
 * Relative likelihood of an act by the sides of the two players: village to village, village to Werewolf, Werewolf to
 * village, Werewolf to Werewolf.
 */
const likelihoods = {
  accuse: [1, 1.3, 1.2, 0.6],
  defend: [1, 0.6, 0.8, 1.6],
  vote: [1, 1.35, 1.2, 0.6],
  foundPack: [0.01, 1, 1, 0.06],
  foundVillage: [1, 0.01, 0.8, 0.9],
} as const;

/** Odds of an observation about a Werewolf, compared with the same observation about a villager. */
const odds = { undisputed: 0.7, contradiction: 5, impostor: 100, rescued: 0.04, attacked: 0.002, maybeAttacked: 0.15 };

/** Log-likelihood of a set of Werewolves, given as a bit set of seats. */
type Clue = (pack: number) => number;

const has = (pack: number, seat: number) => (pack >> seat) & 1;
const countSeats = (set: number): number => (set === 0 ? 0 : 1 + countSeats(set & (set - 1)));

/** Lists all possible sets of Werewolves of this size. */
const dealPacks = memoize(
  100,
  (seats: number, size: number) => `${seats} ${size}`,
  (seats, size) => [...Array(1 << seats).keys()].filter((set) => countSeats(set) === size),
);

/**
 * Returns the probability that each player is a Werewolf, from a player's point of view or, if `observer` is null, from
 * public information alone. Computed at first use, because many answers need no belief.
 */
export function weighPacks(facts: GameFacts, observer: string | null): (name: string) => number {
  let beliefs: readonly number[] | undefined;
  return (name) => (beliefs ??= weighSeats(facts, observer))[facts.view.players.indexOf(name)] ?? 0;
}

/** Computes the probabilities by seat. Uses plain loops: bots spend most of their time here. */
function weighSeats(facts: GameFacts, observer: string | null): readonly number[] {
  const sides = observer === null ? facts.publiclyKnown : facts.known;
  const packs = findPacks(facts, sides);
  const logs = new Float64Array(packs.length);
  for (const clue of gatherClues(facts, sides, observer))
    for (let at = 0; at < packs.length; at++) logs[at]! += clue(packs[at]!);
  const highest = logs.reduce((most, log) => Math.max(most, log), -Infinity);
  const weights = logs.map((log) => Math.exp(log - highest));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const share = (seat: number) => packs.reduce((sum, pack, at) => sum + has(pack, seat) * weights[at]!, 0);
  return facts.view.players.map((_, seat) => share(seat) / all);
}

/**
 * Lists the sets of Werewolves that are consistent with the certain facts and with the game not being over. If no set
 * is consistent, lists the sets that contradict the fewest facts.
 */
function findPacks({ view, packSize }: GameFacts, sides: GameFacts['known']): readonly number[] {
  const { players, alive, rules } = view;
  const collect = (holds: (name: string) => boolean) =>
    players.reduce((set, name, seat) => (holds(name) ? set | (1 << seat) : set), 0);
  const wolves = collect((name) => sides.get(name)?.team === 'werewolves');
  const village = collect((name) => sides.get(name)?.team === 'villagers');
  const left = collect((name) => alive.includes(name));
  const most = rules.wins === 'edge' ? alive.length : (alive.length - (rules.wins === 'parity' ? 1 : 0)) / 2;
  const goesOn = (count: number) => count > 0 && count <= most;
  const all = dealPacks(players.length, packSize);
  const fitting = all.filter((pack) => (pack & wolves) === wolves && (pack & village) === 0);
  const ongoing = fitting.filter((pack) => goesOn(countSeats(pack & left)));
  return [ongoing, fitting, all].find((packs) => packs.length > 0)!;
}

function gatherClues(facts: GameFacts, sides: GameFacts['known'], observer: string | null): readonly Clue[] {
  const { view, claims } = facts;
  const seat = (name: string) => view.players.indexOf(name);
  const clues = new Map<string, Clue>(); // keyed so that each clue counts once
  const addSingle = (name: string, kind: keyof typeof odds, why = '') => {
    const [bit, log] = [seat(name), Math.log(odds[kind])];
    clues.set(`${kind} ${name} ${why}`, (pack) => has(pack, bit) * log);
  };
  /**
   * Adds evidence about a pair of players. Evidence with a `round` counts once in that round; evidence without one
   * counts once in the game.
   */
  const addPair = (kind: keyof typeof likelihoods, by: string, about: string, round?: number) => {
    const [actor, target, logs] = [seat(by), seat(about), likelihoods[kind].map(Math.log)];
    if (by !== observer && by !== about)
      clues.set(`${kind} ${round} ${by} ${about}`, (pack) => logs[has(pack, actor) * 2 + has(pack, target)]!);
  };
  for (const { by, round, acts, isBallot } of facts.remarks)
    for (const act of acts) {
      if (act.kind === 'report') addPair(act.team === 'villagers' ? 'foundVillage' : 'foundPack', by, act.target);
      else if (act.kind === 'defend' || (act.kind === 'accuse' && !isBallot)) addPair(act.kind, by, act.target, round);
    }
  const isAttacked = facts.rolesThat('harm').length === 0; // otherwise a village player may have killed the victim
  const acted = observer === null ? [] : facts.seen('acted').filter(({ by }) => by === observer);
  const isOwn = (name: string, night: number) => acted.some(({ target, round }) => target === name && round === night);
  for (const event of view.events) {
    const { type, round } = event;
    if (type === 'ballot' || type === 'pseudo_ballot') addPair('vote', event.by, event.target, round);
    else if (type === 'last_act') addPair('vote', event.by, event.target, round);
    else if (type === 'statement' && event.recommends) addPair('vote', event.by, event.recommends, round);
    else if (type === 'quiet_night')
      view.players.filter((one) => isOwn(one, round)).forEach((one) => addSingle(one, 'rescued'));
    else if (type === 'death' && event.cause === 'night' && !isOwn(event.player, round))
      addSingle(event.player, isAttacked ? 'attacked' : 'maybeAttacked');
  }
  for (const { by, role } of claims) {
    if (!claims.some((other) => other.by !== by && other.role === role)) addSingle(by, 'undisputed', role);
    if (claims.some((other) => other.by === by && other.role !== role)) addSingle(by, 'contradiction');
  }
  for (const { name, count } of facts.roles) {
    const holders = view.players.filter((holder) => sides.get(holder)?.role === name);
    const others = new Set(claims.flatMap(({ by, role }) => (role === name && !holders.includes(by) ? seat(by) : [])));
    const liars = Math.max(0, others.size - Math.max(0, count - holders.length));
    const fewest = (pack: number) => Math.min(liars, [...others].filter((one) => has(pack, one) === 1).length);
    if (liars > 0) clues.set(`rivals ${name}`, (pack) => Math.log(odds.impostor) * fewest(pack));
  }
  return [...clues.values()];
}
