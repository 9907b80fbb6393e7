// What one player has observed of a match: for every type of event what follows from it, about roles and about the course.
import { getLastAct } from '../../state/roles/index.ts';
import type { Team } from '../../state/teams.ts';
import type { SeenEvent } from '../../state/view.ts';
import { listNightAssignments, type Night, type NightAssignment } from './night-hypotheses.ts';
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

/** The roles that a player may have by a fact. */
export type Fact = readonly [player: string, roles: RoleSet];

/** What follows from an event of a type. */
interface Telling<Type extends SeenEvent['type']> {
  /** About roles, by itself; absent: nothing. */
  listFacts?: (event: Extract<SeenEvent, { type: Type }>, table: RoleTable) => Fact[];
  /** About the course of the match: who left when and what was done at night; absent: nothing. */
  observe?: (event: Extract<SeenEvent, { type: Type }>, observations: Observations) => void;
  /** Whether claims about what happened are held against it. */
  isHeld?: true;
}

const nothing = {};

const createSparedFact = (player: string, table: RoleTable): Fact => [
  player,
  selectAllRoles(table) & ~table.powers.spared,
];

/** Every type of event: whoever adds one says here what follows from it. */
const tellings: { readonly [Type in SeenEvent['type']]: Telling<Type> } = {
  dealt: { listFacts: ({ player, role }, table) => [[player, selectRoleNamed(table, role)]] },
  /** Those who are told are all of the team. */
  acquainted: {
    listFacts: ({ players, team }, table) => {
      const [inside, outside] = [selectTeamRoles(table, team), selectAllRoles(table) & ~selectTeamRoles(table, team)];
      return table.seats.map((name) => [name, players.includes(name) ? inside : outside]);
    },
  },
  round_started: { isHeld: true },
  thought: nothing,
  proposal: nothing,
  pick: {
    listFacts: ({ target }, table) => [createSparedFact(target, table)],
    observe: ({ round, target }, observations) => observations.addVictim(round, target),
    isHeld: true,
  },
  acted: { observe: (event, observations) => observations.addAct(event), isHeld: true },
  passed: nothing,
  /** The victim of an attack. */
  attacked: {
    listFacts: ({ player }, table) => [createSparedFact(player, table)],
    observe: ({ round, player }, observations) => observations.addVictim(round, player),
  },
  learned: { listFacts: ({ about, ...what }, table) => [[about, selectRevealedRoles(table, what)]], isHeld: true },
  death: {
    listFacts: ({ player, ...what }, table) => [[player, selectRevealedRoles(table, what)]],
    observe: (event, observations) => observations.addDeparture(event),
    isHeld: true,
  },
  quiet_night: { observe: ({ round }, observations) => observations.announceNight(round) },
  /** Only one role may do it. */
  last_act: {
    listFacts: ({ by, verb }, table) => [[by, selectRolesWithPower(table, verb)]],
    observe: (event, observations) => observations.addLastAct(event),
    isHeld: true,
  },
  candidacy: nothing,
  badge_ballot: { isHeld: true },
  elected: nothing,
  no_sheriff: nothing,
  badge: nothing,
  speaking_order: nothing,
  pseudo_ballot: { isHeld: true },
  tie: nothing,
  bid: nothing,
  statement: nothing, // words prove nothing
  silence: nothing,
  ballot: { isHeld: true },
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

const getTelling = (event: SeenEvent) => tellings[event.type] as Telling<SeenEvent['type']>;

/** Whether claims about what happened are held against an event. */
export const isHeld = (event: SeenEvent) => getTelling(event).isHeld === true;

/**
 * What a deal of roles must agree with, in the order in which it came about. `night`: what may have happened in it;
 * `check`: it was looked whether anybody had won, and this came of it.
 */
export type ObservedStep =
  | { kind: 'night'; night: Night; assignments: readonly NightAssignment[] | null }
  | { kind: 'departure'; seat: number }
  | { kind: 'check'; winner: Team | null };

/** Nights and days in their order. */
export interface RoundPhase {
  round: number;
  phase: 'night' | 'day';
}

/** Grows with what the player sees. `allowed` are the roles that each seat may have by single facts. */
export class Observations {
  readonly table: RoleTable;
  readonly me: number;
  readonly steps: ObservedStep[] = [];
  readonly allowed: RoleSet[];
  /** Who has survived an exile. */
  readonly #survivors = new Set<number>();
  readonly #survivingRoles: RoleSet;
  #now = 0;

  /** Throws a UsageError for a player who is not at the table. */
  constructor(table: RoleTable, me: string) {
    this.table = table;
    this.me = getSeatIndex(table, me);
    this.allowed = table.seats.map(() => selectAllRoles(table));
    this.#survivingRoles = selectRoles(table, ({ survivesFirstExile }) => survivesFirstExile === true);
  }

  /** Takes in an event. Whether it may have said anything about roles. */
  observe(event: SeenEvent): boolean {
    const isNew = event.type !== 'ended' && this.advanceTo(event);
    const { listFacts, observe } = getTelling(event);
    const facts = listFacts?.(event, this.table) ?? [];
    for (const [player, roles] of facts) this.allowed[getSeatIndex(this.table, player)]! &= roles;
    observe?.(event, this);
    return isNew || facts.length > 0 || observe !== undefined;
  }

  /** The match has gone on to this moment, so that nobody had won before. Whether that was not known yet. */
  advanceTo({ round, phase }: RoundPhase): boolean {
    const now = 2 * round + (phase === 'day' ? 1 : 0);
    if (now <= this.#now) return false;
    // nothing is checked before the first night is over
    for (let moment = Math.max(2, this.#now); moment < now; moment++) this.#addCheck(null);
    this.#now = now;
    return true;
  }

  #addCheck(winner: Team | null) {
    const last = this.steps.findLast((step) => step.kind === 'night');
    if (last?.night.isAnnounced) last.assignments ??= listNightAssignments(last.night, this);
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
      night.gone.push(seat);
    }
    if (cause === 'exile' && !this.#survivors.has(seat)) this.allowed[seat]! &= ~this.#survivingRoles;
    this.steps.push({ kind: 'departure', seat });
  }

  addSurvivor(name: string) {
    this.#survivors.add(getSeatIndex(this.table, name));
  }

  addAct({ by, verb, target, round }: Extract<SeenEvent, { type: 'acted' }>) {
    const power = this.table.powers.ofHolders.find((known) => known.verb === verb);
    if (!power || by !== this.table.seats[this.me]) return;
    this.#findNight(round).own.push({ verb, target: getSeatIndex(this.table, target) });
  }

  addLastAct({ by, verb }: Extract<SeenEvent, { type: 'last_act' }>) {
    const seat = getSeatIndex(this.table, by);
    if (getLastAct(verb).isAllowed('poison', this.table.rules)) return;
    this.#listNights()
      .find(({ gone }) => gone.includes(seat))
      ?.unpoisoned.push(seat);
  }

  /** The night of a round, which begins with the first that is known of it. */
  #findNight(round: number): Night {
    const known = this.#listNights().find((night) => night.round === round);
    if (known) return known;
    const gone = this.steps.flatMap((step) => (step.kind === 'departure' ? [step.seat] : []));
    const alive = [...this.table.seats.keys()].filter((seat) => !gone.includes(seat));
    const wasThere = alive.includes(this.me);
    const night: Night = {
      round,
      isAnnounced: false,
      wasThere,
      alive,
      victim: null,
      own: [],
      gone: [],
      unpoisoned: [],
    };
    this.steps.push({ kind: 'night', night, assignments: null });
    return night;
  }

  #listNights(): Night[] {
    return this.steps.flatMap((step) => (step.kind === 'night' ? [step.night] : []));
  }
}
