// Evidence: what words, votes and nights say about who is a Werewolf, as likelihoods of each by the sides involved.
import type { View } from '../../../state/view.ts';
import type { Knowledge } from './knowledge.ts';
import { rolesThat, type Lexicon } from './lexicon.ts';
import { oddsOfVictim, rescued } from './night-victims.ts';
import { isAct, type Act } from './speech-act.ts';
import type { Testimony, Vote } from './testimony.ts';
import { bit, type Evidence, type PairLogs } from './worlds.ts';

const logs = (bothVillage: number, aboutPack: number, byPack: number, bothPack: number): PairLogs => [
  Math.log(bothVillage),
  Math.log(aboutPack),
  Math.log(byPack),
  Math.log(bothPack),
];

/** How likely an act of one player towards another is by their sides, compared with two players of the village. */
const likelihood = {
  accuse: logs(1, 1.3, 1.2, 0.6),
  defend: logs(1, 0.6, 0.8, 1.6),
  vote: logs(1, 1.35, 1.2, 0.6),
  recommend: logs(1, 1.35, 1.2, 0.5),
  shoot: logs(1, 2, 1.2, 0.2),
  trust: logs(1, 0.85, 0.9, 1.25),
  foundPack: logs(0.01, 1, 1, 0.06),
  foundVillage: logs(1, 0.01, 0.8, 0.9),
};

/** Odds that a Werewolf does it, compared with a player of the village. */
const odds = {
  isUndisputed: Math.log(0.7),
  confesses: Math.log(20),
  contradictsItself: Math.log(5),
  outlivesClaim: Math.log(1.35),
  accusedByVictim: Math.log(1.2),
  rescued: Math.log(0.02),
  maybeRescued: Math.log(0.4),
};

/** What the eyes of `observer` make of it all; null: of somebody who only knows what everybody knows. */
export function evidenceOf(
  view: View,
  lexicon: Lexicon,
  testimony: Testimony,
  knowledge: Knowledge,
  observer: string | null,
): Evidence {
  const { remarks, votes, otherVotes, deaths } = testimony;
  const seat = (name: string) => view.players.indexOf(name);
  const alone = view.players.map(() => 0);
  const pairs = new Map<number, PairLogs>();
  const pair = (by: string, about: string, weights: PairLogs) => {
    if (by === about || seat(about) < 0) return;
    const key = 16 * seat(by) + seat(about);
    const old = pairs.get(key);
    pairs.set(key, old ? (old.map((log, index) => log + weights[index]!) as PairLogs) : weights);
  };
  const seen = new Set<string>();
  const once = (key: string) => !seen.has(key) && seen.add(key) !== undefined;
  const weighAct = (act: Act, by: string, round: number) => {
    if (act.kind === 'accuse' || act.kind === 'defend') {
      if (once(`${act.kind} ${round} ${by} ${act.target}`)) pair(by, act.target, likelihood[act.kind]);
    } else if (act.kind === 'report') {
      const kind = act.team === 'werewolves' ? 'foundPack' : 'foundVillage';
      if (once(`${kind} ${by} ${act.target}`)) pair(by, act.target, likelihood[kind]);
    } else if (act.kind === 'claim' && act.role === lexicon.pack.name && once(`confess ${by}`)) {
      alone[seat(by)]! += odds.confesses;
    }
  };

  for (const { by, round, acts, kind } of remarks) {
    if (by === observer) continue;
    for (const act of acts) if (kind === 'debate' || act.kind !== 'accuse') weighAct(act, by, round);
  }
  const weighVotes = (cast: readonly Vote[], kind: 'vote' | 'recommend' | 'shoot' | 'trust') => {
    for (const { by, target, round } of cast)
      if (by !== observer && once(`${kind} ${round} ${by} ${target}`)) pair(by, target, likelihood[kind]);
  };
  weighVotes([...votes, ...otherVotes], 'vote');
  weighVotes(testimony.recommendations, 'recommend');
  weighVotes(testimony.shots, 'shoot');
  weighVotes(testimony.trusted, 'trust');
  const oddsOf = oddsOfVictim(view, lexicon, testimony, knowledge, observer);
  for (const { player, cause, round } of deaths) {
    if (cause !== 'night') continue;
    alone[seat(player)]! += oddsOf(player, round);
    const accused = remarks.filter((remark) => remark.by === player && remark.round === round - 1);
    for (const { target } of accused.flatMap(({ acts }) => acts.filter(isAct('accuse'))))
      if (once(`victim ${player} ${target}`)) alone[seat(target)]! += odds.accusedByVictim;
  }
  if (observer !== null) {
    const { names, surely } = rescued(view, lexicon);
    for (const name of names) alone[seat(name)]! += surely ? odds.rescued : odds.maybeRescued;
  }

  const claimed = specialClaims(remarks, lexicon);
  for (const by of contradictory(remarks)) alone[seat(by)]! += odds.contradictsItself;
  const learners = rolesThat('learn', lexicon).map(({ name }) => name);
  for (const { by, role, round } of claimed) {
    if (!claimed.some((other) => other.by !== by && other.role === role)) alone[seat(by)]! += odds.isUndisputed;
    const nights = view.alive.includes(by) && learners.includes(role) ? view.round - round : 0;
    alone[seat(by)]! += Math.min(nights, 3) * odds.outlivesClaim;
  }
  return { alone, pairs, rivals: rivalsIn(claimed, lexicon, knowledge, seat) };
}

/** Who has claimed more than one role. */
function contradictory(remarks: Testimony['remarks']): string[] {
  const claimed = new Map<string, Set<string>>();
  for (const { by, acts } of remarks) {
    for (const { role } of acts.filter(isAct('claim'))) claimed.set(by, (claimed.get(by) ?? new Set()).add(role));
  }
  return [...claimed].filter(([, roles]) => roles.size > 1).map(([by]) => by);
}

export interface Claim {
  by: string;
  role: string;
  round: number;
}

/** Who has claimed which special role of the village, each once, with the round of the first claim; a report is a claim. */
export function specialClaims(remarks: Testimony['remarks'], lexicon: Lexicon): Claim[] {
  const special = lexicon.roles.filter((role) => role.special && role.team === 'villagers').map(({ name }) => name);
  const learner = rolesThat('learn', lexicon)[0]?.name;
  const claimed = new Map<string, Claim>();
  for (const { by, round, acts } of remarks) {
    for (const act of acts) {
      const role = act.kind === 'claim' ? act.role : act.kind === 'report' ? learner : undefined;
      if (role !== undefined && special.includes(role) && !claimed.has(`${by} ${role}`))
        claimed.set(`${by} ${role}`, { by, role, round });
    }
  }
  return [...claimed.values()];
}

/** Claimants of one role are rivals: no more of them can be genuine than hold it, less those known to. */
function rivalsIn(claims: readonly Claim[], { roles }: Lexicon, knowledge: Knowledge, seat: (name: string) => number) {
  return [...new Set(claims.map(({ role }) => role))].map((role) => {
    const claimants = claims.filter((claim) => claim.role === role).map(({ by }) => by);
    const holders = [...knowledge].filter(([, known]) => known.role === role).map(([name]) => name);
    const impostors = claimants.filter((name) => !holders.includes(name));
    const count = roles.find(({ name }) => name === role)!.count;
    return {
      seats: impostors.reduce((set, name) => set | bit(seat(name)), 0),
      genuine: Math.max(0, count - holders.length),
    };
  });
}
