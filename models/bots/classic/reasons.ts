// Reasons: the facts that somebody can point at when speaking for or against a player, all of them public and true.
import type { View } from '../../../state/view.ts';
import type { ReasonKind, trust } from './reason-phrases.ts';
import type { Draw } from '../../../state/draw.ts';
import { isAct } from './speech-act.ts';
import type { Scene } from './scene.ts';

export type Slots = Readonly<Record<string, string>>;

export interface Reason<Kind = ReasonKind> {
  kind: Kind;
  /** How much it says, 0…1. */
  weight: number;
  slots: Slots;
}

/** The day meant, as it stands within a sentence. */
export const dayName = (round: number, view: View) =>
  round === view.round ? 'today' : round === view.round - 1 ? 'yesterday' : `on day ${round}`;

const on = (round: number, view: View): Slots => {
  const day = dayName(round, view);
  return { day, Day: day[0]!.toUpperCase() + day.slice(1) };
};

/** What can be held against `target`, the strongest first. */
export function reasonsAgainst(scene: Scene, target: string): Reason[] {
  const found = [
    ...fromClaims(scene, target),
    ...fromVotes(scene, target),
    ...fromStances(scene, target),
    ...fromTalk(scene, target),
    { kind: 'feeling' as const, weight: scene.view.round === 1 ? 0.15 : 0.05, slots: {} },
  ];
  return found.sort((one, other) => other.weight - one.weight);
}

/** A reason that one can be sure on. */
export const isFirm = ({ kind }: Reason) =>
  !['feeling', 'first', 'echo', 'silent', 'sparing', 'vague', 'hasty'].includes(kind);

/** One of the weightier reasons, not always the first, so that not everybody says the same. */
export function pickReason<Kind>(found: readonly Reason<Kind>[], draw: Draw): Reason<Kind> | undefined {
  const [first] = found;
  if (!first) return undefined;
  return draw.pick(found.filter(({ weight }) => weight >= 0.5 * first.weight));
}

/** Somebody whom one can name as a likely Werewolf; partners are not brought up. */
const isOpenlySuspect = (scene: Scene, name: string) => scene.outward.of(name) > 0.55 && !scene.isMate(name);

function fromClaims(scene: Scene, target: string): Reason[] {
  const { view, claims, reports, lexicon } = scene;
  const reasons: Reason[] = [];
  const report = reports.findLast(
    ({ target: about, team, by }) => about === target && team === 'werewolves' && by !== scene.me,
  );
  if (report && scene.outward.of(report.by) < 0.5)
    reasons.push({ kind: 'reported', weight: 1, slots: { S: report.by } });
  for (const { role, round } of claims.filter(({ by }) => by === target)) {
    const { count } = lexicon.roles.find(({ name }) => name === role)!;
    const rival = claims.find((claim) => claim.role === role && claim.by !== target && claim.by !== scene.me);
    if (rival && count === 1) reasons.push({ kind: 'rival', weight: 0.8, slots: { S: rival.by, role } });
    if (view.role === role && count === 1 && !scene.isPack) reasons.push({ kind: 'ownRole', weight: 0.85, slots: {} });
    if (view.round - round >= 2) reasons.push({ kind: 'survivor', weight: 0.5, slots: { role } });
  }
  return reasons;
}

function fromVotes(scene: Scene, target: string): Reason[] {
  const { view, testimony } = scene;
  const reasons: Reason[] = [];
  for (const { round, target: choice } of testimony.votes.filter(
    (vote) => vote.by === target && vote.round < view.round,
  )) {
    const said = scene
      .remarksOn(round)
      .filter(({ by, kind }) => by === target && kind === 'debate')
      .flatMap(({ acts }) => acts.filter(isAct('accuse')).map((act) => act.target));
    const when = on(round, view);
    const recent = round === view.round - 1 ? 1 : 0.7;
    if (said.length > 0 && !said.includes(choice))
      reasons.push({ kind: 'contradicted', weight: 0.6 * recent, slots: { X: said.at(-1)!, Y: choice, ...when } });
    const votedAlike = testimony.votes.some(
      (vote) => vote.by === scene.me && vote.round === round && vote.target === choice,
    );
    if (choice !== scene.me && !votedAlike && scene.isClearedByDeath(choice))
      reasons.push({ kind: 'votedGood', weight: 0.55 * recent, slots: { X: choice, ...when } });
    if (
      testimony.spared.includes(round) &&
      testimony.votes.filter((vote) => vote.round === round && vote.target === choice).length === 1
    )
      reasons.push({
        kind: view.rules.exile === 'majority' ? 'alone' : 'aloneByMost',
        weight: 0.35 * recent,
        slots: { X: choice, ...when },
      });
    const partner = testimony.votes.find(
      (vote) =>
        vote.round === round &&
        vote.target === choice &&
        ![target, scene.me].includes(vote.by) &&
        isOpenlySuspect(scene, vote.by),
    );
    if (partner) reasons.push({ kind: 'sameSide', weight: 0.4 * recent, slots: { X: partner.by, ...when } });
  }
  return reasons.filter(({ slots }) => slots['X'] !== target);
}

function fromStances(scene: Scene, target: string): Reason[] {
  const { view, testimony, outward } = scene;
  const reasons: Reason[] = [];
  for (const { round, acts } of testimony.remarks.filter(({ by }) => by === target)) {
    const recent = round >= view.round - 1 ? 1 : 0.6;
    for (const act of acts) {
      if (act.kind === 'defend' && act.target !== target && isOpenlySuspect(scene, act.target))
        reasons.push({ kind: 'stoodUp', weight: 0.6 * recent, slots: { X: act.target } });
      if (act.kind !== 'accuse' || round !== view.round) continue;
      if (act.target === scene.me) reasons.push({ kind: 'againstMe', weight: 0.35, slots: {} });
      else if (outward.of(act.target) < 0.12) reasons.push({ kind: 'hunts', weight: 0.5, slots: { X: act.target } });
    }
  }
  for (const { player, cause, round } of testimony.deaths) {
    const named = scene
      .remarksOn(round - 1)
      .some(({ by, acts }) => by === player && acts.some((act) => act.kind === 'accuse' && act.target === target));
    if (cause === 'night' && named)
      reasons.push({ kind: 'victim', weight: round === view.round ? 0.5 : 0.3, slots: { X: player } });
  }
  return reasons;
}

function fromTalk(scene: Scene, target: string): Reason[] {
  const { view, todays } = scene;
  const own = todays.filter(({ by }) => by === target);
  const reasons: Reason[] = [];
  const isDebate = scene.view.phase === 'day' && scene.turn < scene.turns;
  const firstNamed = todays.find(({ acts }) => acts.some(isAct('accuse')));
  const named = own.flatMap(({ acts }) => acts.filter(isAct('accuse', 'report')));
  if (isDebate && !firstNamed) reasons.push({ kind: 'first', weight: 0.15, slots: {} });
  const isOrdered = view.rules.debateOrder === 'round-robin'; // then nobody chooses to be silent
  if (own.length === 0 && todays.length >= 3 && !isOrdered) reasons.push({ kind: 'silent', weight: 0.3, slots: {} });
  if (own.length > 0 && named.length === 0 && todays.length >= 3)
    reasons.push({ kind: 'vague', weight: 0.3, slots: {} });
  if (view.round === 1 && firstNamed?.by === target) {
    const first = firstNamed.acts.find(isAct('accuse'))!.target;
    if (first !== scene.me) reasons.push({ kind: 'hasty', weight: 0.3, slots: { X: first } });
  }
  for (const act of named) {
    const before = todays.find((remark) =>
      remark.acts.some((other) => other.kind === 'accuse' && other.target === act.target),
    );
    if (act.kind === 'accuse' && before && before.by !== target && before.by !== scene.me)
      reasons.push({ kind: 'echo', weight: 0.25, slots: { S: before.by } });
  }
  if (scene.accusersOf(target).filter((name) => name !== scene.me).length >= 2)
    reasons.push({ kind: 'crowd', weight: 0.2, slots: {} });
  const spoken = (name: string) =>
    scene.testimony.remarks.filter(({ by, kind }) => by === name && kind === 'debate').length;
  if (view.round > 1 && !isOrdered && scene.others.every((name) => name === target || spoken(name) > spoken(target)))
    reasons.push({ kind: 'sparing', weight: 0.3, slots: {} });
  return reasons;
}

/** What can be said for `target`, the strongest first. */
export function reasonsFor(scene: Scene, target: string): Reason<keyof typeof trust>[] {
  const { reports, testimony, outward, view } = scene;
  const found: Reason<keyof typeof trust>[] = [];
  const report = reports.findLast(
    ({ target: about, team, by }) => about === target && team === 'villagers' && by !== scene.me,
  );
  if (report && outward.of(report.by) < 0.4) found.push({ kind: 'cleared', weight: 0.9, slots: { S: report.by } });
  for (const { by, acts } of testimony.remarks)
    for (const act of acts)
      if (by === target && act.kind === 'accuse' && act.target !== scene.me && isOpenlySuspect(scene, act.target))
        found.push({ kind: 'hunter', weight: 0.6, slots: { X: act.target } });
  const vote = testimony.votes.findLast(
    ({ by, target: choice, round }) =>
      by === target && round < view.round && choice !== scene.me && outward.of(choice) > 0.6,
  );
  if (vote) found.push({ kind: 'voter', weight: 0.5, slots: { X: vote.target, ...on(vote.round, view) } });
  if (scene.accusersOf(target).length > 0) found.push({ kind: 'baseless', weight: 0.2, slots: {} });
  return found.sort((one, other) => other.weight - one.weight);
}
