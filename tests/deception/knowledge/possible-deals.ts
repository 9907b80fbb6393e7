// Computes what a player can know by an independent method: plays every deal of a small board, with every possible
// night, by the rules of the game.
import { isDeepStrictEqual } from 'node:util';
import { createDealEvents, createInitialState } from '../../../state/deal.ts';
import { type EventOf, type GameEvent, isEventOfType, isVisibleTo } from '../../../state/events.ts';
import { createEventHeader, type Game, type Setup } from '../../../state/game.ts';
import { createDeath, listSurvivors, resolveNight } from '../../../state/night-resolution.ts';
import { findNextLastActOrBadge } from '../../../state/steps/departure.ts';
import { getRole, type HeldPower, powers, getShownSide } from '../../../state/roles/index.ts';
import { passChoice } from '../../../state/roles/role.ts';
import { resolveExile } from '../../../state/steps/voting.ts';
import { createView } from '../../../state/view.ts';
import { findWinner } from '../../../state/win-conditions.ts';

/**
 * Returns every deal in which `me` could have seen these events, as roles in seat order. There must be no Sheriff.
 * `tellDeal`: tells players about the deal.
 */
export function listPossibleDeals(
  setup: Setup,
  me: string,
  events: readonly GameEvent[],
  tellDeal: (setup: Setup) => GameEvent[] = createDealEvents,
): string[][] {
  const seen = events.filter(
    (event) => isVisibleTo(event, me) && (event.round === 0 || !leftToPlayers.includes(event.type)),
  );
  const own = setup.players.findIndex(({ name }) => name === me);
  const last = events.at(-1)!;
  return listDeals(setup.players.map(({ role }) => role)).filter(
    (deal) =>
      deal[own] === setup.players[own]!.role && isPossible(createDealtGame(setup, deal, tellDeal), { me, seen, last }),
  );
}

interface Witness {
  me: string;
  seen: readonly GameEvent[];
  /** The last event that is compared. */
  last: GameEvent;
}

/**
 * Types of events that players of any role may cause, and their consequences. Events of all other types are compared,
 * and so are all events of the deal, so that private facts of new roles are tested without a change here.
 */
const leftToPlayers: GameEvent['type'][] = [
  ...(['round_started', 'thought', 'remembered', 'proposal', 'candidacy', 'badge_ballot', 'elected'] as const),
  ...(['no_sheriff', 'badge', 'speaking_order', 'pseudo_ballot', 'tie', 'bid', 'statement', 'silence'] as const),
  ...(['ballot', 'no_exile', 'summary', 'synthetic_vote', 'assessment', 'beliefs', 'missing', 'ended'] as const),
];

/** Lists all distinct orders of the roles. */
export function listDeals(roles: readonly string[]): string[][] {
  if (roles.length === 0) return [[]];
  return [...new Set(roles)].flatMap((role) =>
    listDeals(roles.toSpliced(roles.indexOf(role), 1)).map((rest) => [role, ...rest]),
  );
}

function createDealtGame(setup: Setup, deal: readonly string[], tellDeal: (setup: Setup) => GameEvent[]): Game {
  const players = setup.players.map((player, seat) => ({
    ...player,
    role: deal[seat]!,
    team: getRole(deal[seat]!).team,
  }));
  const told = { ...setup, players };
  const unplayed = { roundNum: 0, phase: 'night', step: 0, intents: [], bids: {}, votes: [], deceptionHistory: [] };
  return {
    ...unplayed,
    ...createInitialState(told),
    gameLogs: tellDeal(told),
    winner: null,
  } as unknown as Game; // `createInitialState` completes the Game
}

function isPossible(game: Game, witness: Witness): boolean {
  const { last } = witness;
  if (!doAgree(game.gameLogs, witness, 0)) return false;
  let games = [game];
  for (let round = 1; round <= last.round; round++) {
    games = selectDistinct(
      games.flatMap((before) => listNights({ ...before, roundNum: round, phase: 'night' }, witness)),
    );
    if (last.round === round && last.phase === 'night') return games.length > 0;
    games = games.filter((before) => findWinner(before) === null);
    games = games.flatMap((before) => listDays({ ...before, phase: 'day' }, witness));
    if (last.round > round) games = games.filter((before) => findWinner(before) === null);
  }
  return games.length > 0;
}

/** Whether the events that the player would have seen are the recorded ones, for all compared types of events. */
function doAgree(events: readonly GameEvent[], { me, seen }: Witness, round: number, phase = 'night'): boolean {
  const told = (some: readonly GameEvent[]) =>
    some
      .filter((event) => event.round === round && event.phase === phase && isVisibleTo(event, me))
      .map((event) => JSON.stringify(Object.entries({ ...event, audience: null, mark: null }).sort()))
      .sort();
  return isDeepStrictEqual(told(events), told(seen));
}

const add = (game: Game, events: readonly GameEvent[], intents: Game['intents'] = []): Game => ({
  ...game,
  gameLogs: [...game.gameLogs, ...events],
  intents: [...game.intents, ...intents],
  alivePlayers: listSurvivors(game.alivePlayers, events),
});

/** Lists every course of the following night that ends as the player saw it, including the last acts after it. */
const listNights = (nightfall: Game, witness: Witness): Game[] =>
  powers
    .reduce((games, power) => games.flatMap((game) => listUses(game, power, witness)), [nightfall])
    .map((game) => add(game, resolveNight(game)))
    .flatMap((game) => listLastActs(game, witness))
    .filter((game) => doAgree(game.gameLogs, witness, game.roundNum));

function listUses(game: Game, power: HeldPower, witness: Witness): Game[] {
  const holders = game.alivePlayers.filter((name) => game.roles[name] === power.role.name);
  if (power.actor === 'team') {
    const team = game.setup.players
      .filter((player) => getShownSide(player.role) === power.role.team)
      .map(({ name }) => name);
    const targets = holders.length > 0 ? power.choices(createView(game, holders[0]!)) : [];
    const picked = witness.seen.filter(isEventOfType('pick')).find(({ round }) => round === game.roundNum);
    if (targets.length === 0) return [game];
    return targets
      .filter((target) => !picked || target === picked.target)
      .map((target) =>
        add(
          game,
          [{ ...createEventHeader(game, team), type: 'pick', verb: power.verb, target }],
          [{ round: game.roundNum, verb: power.verb, by: holders, target }],
        ),
      );
  }
  return holders.reduce((games, by) => games.flatMap((before) => listUsesBy(before, by, power, witness)), [game]);
}

function listUsesBy(game: Game, by: string, power: HeldPower, { me, seen }: Witness): Game[] {
  const told = add(game, power.brief?.(game, by) ?? []);
  const choices = power.choices(createView(told, by));
  if (choices.length === 0) return [told];
  if (power.aim === 'learn' && by !== me) return [told]; // other players do not notice the result
  const isMine = (event: GameEvent) =>
    (event.type === 'acted' || event.type === 'passed') && event.round === game.roundNum && event.verb === power.verb;
  const own = by === me ? seen.find(isMine) : undefined;
  const gone = seen.filter(isEventOfType('death')).filter(({ round }) => round === game.roundNum);
  return [...choices, ...(power.mayPass ? [passChoice] : [])]
    .filter((target) => by !== me || target === (own?.type === 'acted' ? own.target : passChoice))
    .filter((target) => power.aim !== 'harm' || target === passChoice || gone.some(({ player }) => player === target))
    .map((target) =>
      target === passChoice
        ? add(told, [{ ...createEventHeader(game, [by]), type: 'passed', by, verb: power.verb }])
        : add(
            told,
            [{ ...createEventHeader(game, [by]), type: 'acted', by, verb: power.verb, target }],
            [{ round: game.roundNum, verb: power.verb, by: [by], target }],
          ),
    );
}

/** Plays the last acts as they were seen. Players who could have acted and were not seen to act held back. */
function listLastActs(game: Game, witness: Witness): Game[] {
  const due = findNextLastActOrBadge(game);
  if (!due || due.act === 'badge') return [game];
  const { by, act } = due;
  const shown = witness.seen
    .filter(isEventOfType('last_act'))
    .find((event) => event.by === by && event.verb === act.verb);
  const events: GameEvent[] = shown
    ? [shown, createDeath(game, shown.target, 'last_act')]
    : [{ ...createEventHeader(game, [by]), type: 'passed', by, verb: act.verb }];
  return listLastActs(add(game, events), witness);
}

/** Plays the day as it was seen; returns no game if the day was impossible. */
function listDays(game: Game, witness: Witness): Game[] {
  const exiled = witness.seen
    .filter(
      (event): event is EventOf<'exile_survived'> | EventOf<'death'> =>
        event.type === 'exile_survived' || (event.type === 'death' && event.cause === 'exile'),
    )
    .find(({ round }) => round === game.roundNum);
  if (!exiled) return [game];
  const votes = [{ by: exiled.player, target: exiled.player }]; // any vote can lead to this result
  return listLastActs(add(game, [resolveExile({ ...game, votes })]), witness).filter((after) =>
    doAgree(after.gameLogs, witness, after.roundNum, 'day'),
  );
}

/**
 * Keeps one of all games that continue in the same way. Games do so if their potions and last night's shields are
 * equal.
 */
function selectDistinct(games: readonly Game[]): Game[] {
  const key = ({ gameLogs, roundNum }: Game) =>
    JSON.stringify(
      gameLogs
        .filter(isEventOfType('acted'))
        .filter(
          ({ round, verb }) => round === roundNum || powers.find((power) => power.verb === verb)!.uses !== undefined,
        )
        .map(({ by, verb, target }) => [by, verb, target]),
    );
  return [...new Map(games.map((game) => [key(game), game])).values()];
}
