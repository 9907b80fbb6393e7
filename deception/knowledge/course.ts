// The course of a match as one player saw it: who left when, what is known of each night, and when nobody had won yet.
import { isType } from '../../state/event.ts';
import { lastActNamed } from '../../state/roles/index.ts';
import type { Team } from '../../state/teams.ts';
import type { SeenEvent } from '../../state/view.ts';
import { everyRole, seatOf, type Cast, type RoleSet } from './cast.ts';
import { factsOf } from './facts.ts';
import type { Night } from './nights.ts';
import { plotsOf, type Plot } from './plots.ts';

/**
 * What a deal of roles must agree with, in the order in which it came about. `night`: what may have happened in it;
 * `check`: it was looked whether anybody had won, and this came of it.
 */
export type Step =
  | { kind: 'night'; night: Night; plots: readonly Plot[] | null }
  | { kind: 'departure'; seat: number }
  | { kind: 'check'; winner: Team | null };

/** Nights and days in their order. */
export interface Moment {
  round: number;
  phase: 'night' | 'day';
}

/** Grows with what the player sees. `allowed` are the roles that each seat may have by single facts. */
export class Course {
  readonly cast: Cast;
  readonly me: number;
  readonly steps: Step[] = [];
  readonly allowed: RoleSet[];
  #now = 0;

  /** Throws a UsageError for a player who is not at the table. */
  constructor(cast: Cast, me: string) {
    this.cast = cast;
    this.me = seatOf(cast, me);
    this.allowed = cast.seats.map(() => everyRole(cast));
  }

  /** Takes in an event. Whether it may have said anything about roles. */
  see(event: SeenEvent): boolean {
    const isNew = event.type === 'ended' ? this.#end(event.winner) : this.reach(event);
    const facts = factsOf(event, this.cast);
    for (const [player, roles] of facts) this.allowed[seatOf(this.cast, player)]! &= roles;
    return [isNew, facts.length > 0, this.#proceed(event)].includes(true);
  }

  /** The match has gone on to this moment, so that nobody had won before. Whether that was not known yet. */
  reach({ round, phase }: Moment): boolean {
    const now = 2 * round + (phase === 'day' ? 1 : 0);
    if (now <= this.#now) return false;
    // nothing is checked before the first night is over
    for (let moment = Math.max(2, this.#now); moment < now; moment++) this.#check(null);
    this.#now = now;
    return true;
  }

  #check(winner: Team | null) {
    const last = this.steps.findLast((step) => step.kind === 'night');
    if (last?.night.isAnnounced) last.plots ??= plotsOf(last.night, this);
    this.steps.push({ kind: 'check', winner });
  }

  #end(winner: Team | null): boolean {
    this.#check(winner);
    this.#now = Infinity;
    return true;
  }

  #proceed(event: SeenEvent): boolean {
    if (isType('quiet_night')(event)) this.#night(event.round).isAnnounced = true;
    else if (isType('death')(event)) this.#leave(event);
    else if (isType('acted')(event)) this.#act(event);
    else if (isType('pick')(event)) this.#night(event.round).victim = seatOf(this.cast, event.target);
    else if (isType('attacked')(event)) this.#night(event.round).victim = seatOf(this.cast, event.player);
    else if (isType('last_act')(event)) this.#lastAct(event);
    else return false;
    return true;
  }

  /** The night of a round, which begins with the first that is known of it. */
  #night(round: number): Night {
    const known = this.#nights().find((night) => night.round === round);
    if (known) return known;
    const wasThere = !this.steps.some((step) => step.kind === 'departure' && step.seat === this.me);
    const night: Night = { round, isAnnounced: false, wasThere, victim: null, own: [], gone: [], unpoisoned: [] };
    this.steps.push({ kind: 'night', night, plots: null });
    return night;
  }

  #nights(): Night[] {
    return this.steps.flatMap((step) => (step.kind === 'night' ? [step.night] : []));
  }

  #leave({ player, cause, round }: Extract<SeenEvent, { type: 'death' }>) {
    const seat = seatOf(this.cast, player);
    if (cause === 'night') {
      const night = this.#night(round);
      night.isAnnounced = true;
      night.gone.push(seat);
    }
    this.steps.push({ kind: 'departure', seat });
  }

  #act({ by, verb, target, round }: Extract<SeenEvent, { type: 'acted' }>) {
    const power = this.cast.powers.find((known) => known.verb === verb);
    if (!power || by !== this.cast.seats[this.me]) return;
    this.#night(round).own.push({
      effect: power.effect,
      clashes: power.clashes?.(this.cast.rules) === true,
      target: seatOf(this.cast, target),
    });
  }

  #lastAct({ by, verb }: Extract<SeenEvent, { type: 'last_act' }>) {
    const seat = seatOf(this.cast, by);
    const isPoisonable = lastActNamed(verb).isAllowed('poison', this.cast.rules);
    if (!isPoisonable)
      this.#nights()
        .find(({ gone }) => gone.includes(seat))
        ?.unpoisoned.push(seat);
  }
}
