// One player's observations of a match, and their consequences. For every type of event, this file lists the facts
// about roles that the event states, its contribution to the course of nights and departures, and whether it can prove
// or refute claims about events.
import { getLastAct } from '../../state/roles/index.ts';
import type { Team } from '../../state/teams.ts';
import type { SeenEvent } from '../../state/view.ts';
import {
  canHaveBeenUsed,
  type ClaimedUse,
  listNightAssignments,
  type KnownNight,
  type NightAssignment,
} from './night-hypotheses.ts';
import {
  getSeatIndex,
  selectAllRoles,
  selectRevealedRoles,
  selectRoleNamed,
  selectRoles,
  selectRolesWithPower,
  selectTeamRoles,
  type RoleSet,
  type RoleTable,
} from './role-table.ts';

/** A player, and the roles that the player may have. */
type Fact = readonly [player: string, roles: RoleSet];

/** Consequences of events of one type. */
interface EventConsequences<Type extends SeenEvent['type']> {
  /** Lists the facts about roles that the event itself states. Default: none. */
  listFacts?: (event: Extract<SeenEvent, { type: Type }>, table: RoleTable) => Fact[];
  /** Records what the event says about departures and acts at night. Default: nothing. */
  observe?: (event: Extract<SeenEvent, { type: Type }>, observations: Observations) => void;
  /** Whether propositions about events are checked against events of this type. */
  isEvidence?: true;
}

const nothing = {};

const createSparedFact = (player: string, table: RoleTable): Fact => [
  player,
  selectAllRoles(table) & ~table.powers.unattackableRoles,
];

/** Consequences by type of event. A new type of event does not compile until its consequences are written here. */
const consequences: { readonly [Type in SeenEvent['type']]: EventConsequences<Type> } = {
  dealt: { listFacts: ({ player, role }, table) => [[player, selectRoleNamed(table, role)]] },
  // The players in this event are the whole team.
  acquainted: {
    listFacts: ({ players, team }, table) => {
      const [inside, outside] = [selectTeamRoles(table, team), selectAllRoles(table) & ~selectTeamRoles(table, team)];
      return table.seats.map((name) => [name, players.includes(name) ? inside : outside]);
    },
  },
  round_started: { isEvidence: true },
  thought: nothing,
  remembered: nothing, // about other matches
  proposal: nothing,
  pick: {
    listFacts: ({ target }, table) => [createSparedFact(target, table)],
    observe: ({ round, target }, observations) => observations.addVictim(round, target),
    isEvidence: true,
  },
  acted: { observe: (event, observations) => observations.addAct(event), isEvidence: true },
  passed: nothing,
  // A player with an antidote learns who was attacked.
  attacked: {
    listFacts: ({ player }, table) => [createSparedFact(player, table)],
    observe: ({ round, player }, observations) => observations.addVictim(round, player),
  },
  learned: { listFacts: ({ about, ...what }, table) => [[about, selectRevealedRoles(table, what)]], isEvidence: true },
  death: {
    listFacts: ({ player, ...what }, table) => [[player, selectRevealedRoles(table, what)]],
    observe: (event, observations) => observations.addDeparture(event),
    isEvidence: true,
  },
  quiet_night: { observe: ({ round }, observations) => observations.announceNight(round) },
  // A player who used this last act has a role with its power.
  last_act: {
    listFacts: ({ by, verb }, table) => [[by, selectRolesWithPower(table, verb)]],
    observe: (event, observations) => observations.addLastAct(event),
    isEvidence: true,
  },
  candidacy: nothing,
  badge_ballot: { isEvidence: true },
  elected: nothing,
  no_sheriff: nothing,
  badge: nothing,
  speaking_order: nothing,
  pseudo_ballot: { isEvidence: true },
  tie: nothing,
  bid: nothing,
  draft: nothing,
  statement: nothing, // players' statements prove nothing
  silence: nothing,
  ballot: { isEvidence: true },
  exile_survived: {
    listFacts: ({ player, role }, table) => [[player, selectRoleNamed(table, role)]],
    observe: ({ player }, observations) => observations.addSurvivor(player),
  },
  no_exile: nothing,
  summary: nothing,
  synthetic_vote: nothing,
  assessment: nothing,
  beliefs: nothing,
  missing: nothing,
  ended: { observe: ({ winner }, observations) => observations.addEnd(winner) },
};

const getConsequences = (event: SeenEvent) => consequences[event.type] as EventConsequences<SeenEvent['type']>;

/** Returns whether propositions about events are checked against the event. */
export const isEvidence = (event: SeenEvent) => getConsequences(event).isEvidence === true;

/**
 * A step that a possible world must agree with, in the order of the match. It is a night with its explanations (null
 * until the night's end is announced), a departure, or a check of the win conditions with its result.
 */
export type ObservedStep =
  | { kind: 'night'; night: KnownNight; assignments: readonly NightAssignment[] | null }
  | { kind: 'departure'; seat: number }
  | { kind: 'check'; winner: Team | null };

/** A night or a day of the match. */
export interface RoundPhase {
  round: number;
  phase: 'night' | 'day';
}

/** Everything that one player has seen so far. It only grows. */
export class Observations {
  readonly table: RoleTable;
  /** Seat of the player. */
  readonly me: number;
  /** Steps of the match so far. */
  readonly steps: ObservedStep[] = [];
  /** Roles that each seat may have if each fact is considered alone, before facts are combined. */
  readonly allowed: RoleSet[];
  /** Seats that have survived an exile. */
  readonly #survivors = new Set<number>();
  /** Roles that survive their first exile. */
  readonly #survivingRoles: RoleSet;
  /** Cached results of `isRuledOut`, by the facts that each result depends on. */
  readonly #ruledOut = new Map<string, boolean>();
  /** Current time: twice the round, plus one by day. */
  #now = 0;

  /** Throws a UsageError for an unknown player. */
  constructor(table: RoleTable, me: string) {
    this.table = table;
    this.me = getSeatIndex(table, me);
    this.allowed = table.seats.map(() => selectAllRoles(table));
    this.#survivingRoles = selectRoles(table, ({ survivesFirstExile }) => survivesFirstExile === true);
  }

  /** Adds an event. Returns whether the event may have changed which roles are possible. */
  observe(event: SeenEvent): boolean {
    const isNew = event.type !== 'ended' && this.advanceTo(event);
    const { listFacts, observe } = getConsequences(event);
    const facts = listFacts?.(event, this.table) ?? [];
    for (const [player, roles] of facts) this.allowed[getSeatIndex(this.table, player)]! &= roles;
    observe?.(event, this);
    return isNew || facts.length > 0 || observe !== undefined;
  }

  /** Records that the match has reached this phase, so nobody had won before. Returns whether the phase is new. */
  advanceTo(reached: RoundPhase): boolean {
    const now = 2 * reached.round + (reached.phase === 'day' ? 1 : 0);
    if (now <= this.#now) return false;
    // The win conditions are first checked after the first night.
    for (let phase = Math.max(2, this.#now); phase < now; phase++) this.#addCheck(null);
    this.#now = now;
    return true;
  }

  #addCheck(winner: Team | null) {
    const lastNight = this.steps.findLast((step) => step.kind === 'night');
    if (lastNight?.night.isAnnounced) lastNight.assignments ??= listNightAssignments(lastNight.night, this);
    this.steps.push({ kind: 'check', winner });
  }

  addEnd(winner: Team | null) {
    this.#addCheck(winner);
    this.#now = Infinity;
  }

  announceNight(round: number) {
    this.#findNight(round).isAnnounced = true;
  }

  addVictim(round: number, name: string) {
    this.#findNight(round).victim = getSeatIndex(this.table, name);
  }

  addDeparture({ player, cause, round }: Extract<SeenEvent, { type: 'death' }>) {
    const seat = getSeatIndex(this.table, player);
    if (cause === 'night') {
      const night = this.#findNight(round);
      night.isAnnounced = true;
      night.departed.push(seat);
    }
    if (cause === 'exile' && !this.#survivors.has(seat)) this.allowed[seat]! &= ~this.#survivingRoles;
    this.steps.push({ kind: 'departure', seat });
  }

  addSurvivor(name: string) {
    this.#survivors.add(getSeatIndex(this.table, name));
  }

  addAct({ by, verb, target, round }: Extract<SeenEvent, { type: 'acted' }>) {
    const power = this.table.powers.holderPowers.find((ofHolder) => ofHolder.verb === verb);
    if (!power || by !== this.table.seats[this.me]) return;
    this.#findNight(round).ownActs.push({ verb, target: getSeatIndex(this.table, target) });
  }

  addLastAct({ by, verb }: Extract<SeenEvent, { type: 'last_act' }>) {
    const seat = getSeatIndex(this.table, by);
    if (getLastAct(verb).isAllowed('poison', this.table.rules)) return;
    this.#listNights()
      .find(({ departed }) => departed.includes(seat))
      ?.notPoisoned.push(seat);
  }

  /**
   * Returns whether the outcomes of nights exclude that the power was used on the player in that round, or in any round
   * if none is given. For example, a player who left cannot have been protected.
   */
  isRuledOut({
    by,
    verb,
    target,
    round,
  }: Readonly<{ by: string; verb: string; target: string; round?: number }>): boolean {
    const nights = this.#listNights().filter((night) => round === undefined || night.round === round);
    const seat = getSeatIndex(this.table, target);
    if (round === undefined && this.#now < Infinity && nights.at(-1)?.round !== Math.floor(this.#now / 2)) return false;
    return (
      nights.length > 0 &&
      nights.every((night) => this.#isRuledOutIn(night, { verb, isOnSelf: by === target, target: seat }))
    );
  }

  #isRuledOutIn(night: KnownNight, use: ClaimedUse): boolean {
    const { verb, isOnSelf, target } = use;
    if (!night.alive.includes(target)) return true;
    const key = [
      night.round,
      night.isAnnounced,
      night.departed,
      night.notPoisoned,
      night.victim,
      verb,
      isOnSelf,
      target,
    ].join(' ');
    const known = this.#ruledOut.get(key) ?? !canHaveBeenUsed(use, night, this.table);
    this.#ruledOut.set(key, known);
    return known;
  }

  /** Returns the night of a round, and adds it when its first event is seen. */
  #findNight(round: number): KnownNight {
    const known = this.#listNights().find((night) => night.round === round);
    if (known) return known;
    const departed = this.steps.flatMap((step) => (step.kind === 'departure' ? [step.seat] : []));
    const alive = [...this.table.seats.keys()].filter((seat) => !departed.includes(seat));
    const night: KnownNight = {
      round,
      isAnnounced: false,
      wasAlive: alive.includes(this.me),
      alive,
      victim: null,
      ownActs: [],
      departed: [],
      notPoisoned: [],
    };
    this.steps.push({ kind: 'night', night, assignments: null });
    return night;
  }

  #listNights(): KnownNight[] {
    return this.steps.flatMap((step) => (step.kind === 'night' ? [step.night] : []));
  }
}
