// The scene: all that a player makes of its View, each part worked out when it is first asked for.
import { tiedIn } from '../../../state/ballots.ts';
import { turnsOf } from '../../../state/debate.ts';
import { roleNamed } from '../../../state/roles/index.ts';
import { sheriffAmong } from '../../../state/sheriff.ts';
import { allies, livingOthers, type View } from '../../../state/view.ts';
import { beliefOf, type Belief } from './belief.ts';
import { specialClaims, type Claim } from './evidence.ts';
import { knowledgeOf, publicKnowledge, type Knowledge } from './knowledge.ts';
import { lexiconOf, rolesThat, type Lexicon } from './lexicon.ts';
import { packAloneHarms } from './night-victims.ts';
import { isAct, type Act } from './speech-act.ts';
import { stancesIn, type Stances } from './stances.ts';
import { testimonyOf, type Remark, type Testimony } from './testimony.ts';

/** A check as it was told. */
export type Report = Extract<Act, { kind: 'report' }> & { by: string; round: number };

export class Scene {
  readonly view: View;
  readonly lexicon: Lexicon;
  readonly testimony: Testimony;
  readonly knowledge: Knowledge;
  #mine: Belief | undefined;
  #public: Belief | undefined;
  #claims: Claim[] | undefined;
  #reports: Report[] | undefined;
  #todays: readonly Remark[] | undefined;
  #stances: Stances | undefined;
  #others: readonly string[] | undefined;

  constructor(view: View) {
    this.view = view;
    this.lexicon = lexiconOf(view);
    this.testimony = testimonyOf(view, this.lexicon);
    this.knowledge = knowledgeOf(view);
  }

  get me() {
    return this.view.me;
  }

  get isPack() {
    return roleNamed(this.view.role).team === 'werewolves';
  }

  /** What this player believes. */
  get mine(): Belief {
    return (this.#mine ??= beliefOf(this.view, this.lexicon, this.testimony, this.knowledge, this.me));
  }

  /** What somebody would believe who only knows what everybody knows. */
  get publicly(): Belief {
    const { view, lexicon, testimony } = this;
    return (this.#public ??= beliefOf(view, lexicon, testimony, publicKnowledge(view), null));
  }

  /** What this player can argue from in public: a Werewolf must not argue from what only the pack knows. */
  get outward(): Belief {
    return this.isPack ? this.publicly : this.mine;
  }

  /** Whether everybody knows that `name`, who is gone, was no Werewolf. */
  isClearedByDeath(name: string) {
    if (publicKnowledge(this.view).get(name)?.team === 'villagers') return true;
    const victim = this.testimony.deaths.some(({ player, cause }) => player === name && cause === 'night');
    return victim && packAloneHarms(this.view);
  }

  get claims(): Claim[] {
    return (this.#claims ??= specialClaims(this.testimony.remarks, this.lexicon));
  }

  get others(): readonly string[] {
    return (this.#others ??= livingOthers(this.view));
  }

  get mates() {
    return allies(this.view).filter((name) => name !== this.me);
  }

  isMate(name: string) {
    return this.isPack && this.mates.includes(name);
  }

  /** What was said today, in the debate and around it. */
  get todays(): readonly Remark[] {
    return (this.#todays ??= this.remarksOn(this.view.round).filter(({ kind }) => kind === 'debate'));
  }

  remarksOn(round: number) {
    return this.testimony.remarks.filter((remark) => remark.round === round);
  }

  /** Living players who speak against `name` today. */
  accusersOf(name: string): readonly string[] {
    return this.#taken.against(name);
  }

  /** Living players who speak for `name` today. */
  defendersOf(name: string): readonly string[] {
    return this.#taken.for(name);
  }

  get #taken(): Stances {
    return (this.#stances ??= stancesIn([...this.todays, ...this.#shown], this.view.alive));
  }

  /** A ballot that exiled nobody shows where its voter stands. */
  get #shown(): Pick<Remark, 'by' | 'acts'>[] {
    return this.testimony.otherVotes
      .filter(({ round }) => round === this.view.round)
      .map(({ by, target }) => ({ by, acts: [{ kind: 'accuse', target }] }));
  }

  /** Where this player's own ballot went that was shown before the one that counts; undefined: nowhere yet. */
  get leaning() {
    return this.testimony.leanings.findLast(({ by, round }) => by === this.me && round === this.view.round)?.target;
  }

  /** The living Sheriff, or null. */
  get sheriff() {
    return sheriffAmong(this.view.events, this.view.alive);
  }

  /** Whom the Sheriff has said to exile today. */
  get recommendation() {
    return this.testimony.recommendations.findLast(({ round }) => round === this.view.round);
  }

  /** Whether today's ballot was tied between this player and others. */
  get isTied() {
    return tiedIn(this.view.events, this.view.round)?.includes(this.me) ?? false;
  }

  /** The turns that today's debate has had. */
  get turn() {
    const { events, round, step } = this.view;
    const besides = events.filter(
      (event) =>
        (event.type === 'statement' || event.type === 'silence') &&
        event.round === round &&
        event.occasion !== undefined,
    );
    return step - besides.length;
  }

  /** The turns that today's debate has in all. */
  get turns() {
    return turnsOf(this.view.rules, this.view.alive.length);
  }

  /** Whether this player has spoken against or for `target` today. */
  hasSaid(target: string, kind: 'accuse' | 'defend') {
    return this.todays.some(
      ({ by, acts }) => by === this.me && acts.some((act) => act.kind === kind && act.target === target),
    );
  }

  /** The checks that anybody has told of. */
  get reports() {
    return (this.#reports ??= this.testimony.remarks.flatMap(({ by, round, acts }) =>
      acts.filter(isAct('report')).map((act) => ({ ...act, by, round })),
    ));
  }

  /** Claims to be what this player alone is, and other claims known to be false. */
  isKnownLie({ by, role }: Pick<Claim, 'by' | 'role'>) {
    const known = this.knowledge.get(by);
    if (known?.role !== undefined) return known.role !== role;
    const count = this.lexicon.roles.find(({ name }) => name === role)?.count ?? 0;
    const holders = [...this.knowledge.values()].filter((other) => other.role === role).length;
    return known?.team === 'werewolves' || holders >= count;
  }

  /** Claims to a role of the village that learns. */
  get seers(): Claim[] {
    const learners = rolesThat('learn', this.lexicon).map(({ name }) => name);
    return this.claims.filter(({ role }) => learners.includes(role));
  }
}
