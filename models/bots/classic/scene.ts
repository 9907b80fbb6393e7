// The scene: all that a player makes of its View, each part worked out when it is first asked for.
import { roleNamed } from '../../../state/roles/index.ts';
import { allies, livingOthers, type View } from '../../../state/view.ts';
import { beliefOf, type Belief } from './belief.ts';
import { specialClaims, type Claim } from './evidence.ts';
import { knowledgeOf, packAloneHarms, publicKnowledge, type Knowledge } from './knowledge.ts';
import { lexiconOf, rolesThat, type Lexicon } from './lexicon.ts';
import { isAct } from './speech-act.ts';
import { testimonyOf, type Remark, type Testimony } from './testimony.ts';

export class Scene {
  readonly view: View;
  readonly lexicon: Lexicon;
  readonly testimony: Testimony;
  readonly knowledge: Knowledge;
  #mine: Belief | undefined;
  #public: Belief | undefined;
  #claims: Claim[] | undefined;

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

  get others() {
    return livingOthers(this.view);
  }

  get mates() {
    return allies(this.view).filter((name) => name !== this.me);
  }

  isMate(name: string) {
    return this.isPack && this.mates.includes(name);
  }

  get todays(): Remark[] {
    return this.remarksOn(this.view.round).filter(({ kind }) => kind === 'debate');
  }

  remarksOn(round: number) {
    return this.testimony.remarks.filter((remark) => remark.round === round);
  }

  /** Living players who have spoken against `name` today and not taken it back, in order. */
  accusersOf(name: string): string[] {
    return this.#sayingOf(name, 'accuse');
  }

  /** Living players who have spoken for `name` today. */
  defendersOf(name: string): string[] {
    return this.#sayingOf(name, 'defend');
  }

  #sayingOf(name: string, kind: 'accuse' | 'defend') {
    const said = new Map<string, string>();
    for (const { by, acts } of this.todays) {
      for (const act of acts) {
        if (isAct('accuse', 'defend')(act) && act.target === name) said.set(by, act.kind);
        if (act.kind === 'report' && act.target === name) said.set(by, act.team === 'werewolves' ? 'accuse' : 'defend');
      }
    }
    return [...said].filter(([by, what]) => what === kind && this.view.alive.includes(by)).map(([by]) => by);
  }

  /** Checks that living or dead claimants have told of: the last word of each on each. */
  get reports() {
    return this.testimony.remarks.flatMap(({ by, round, acts }) =>
      acts.filter(isAct('report')).map((act) => ({ ...act, by, round })),
    );
  }

  /** Claims to be what this player alone is, and other claims known to be false. */
  isKnownLie({ by, role }: Pick<Claim, 'by' | 'role'>) {
    const known = this.knowledge.get(by);
    if (known?.role !== undefined) return known.role !== role;
    const count = this.lexicon.roles.find(({ name }) => name === role)?.count ?? 0;
    const holders = [...this.knowledge.values()].filter((other) => other.role === role).length;
    return known?.team === 'werewolves' || holders >= count;
  }

  /** Those whose claim to a role that learns nobody disputes, the living first. */
  get seers() {
    const learners = rolesThat('learn', this.lexicon).map(({ name }) => name);
    return this.claims.filter(({ role }) => learners.includes(role));
  }
}
