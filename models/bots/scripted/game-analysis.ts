// What a player makes of the facts: whom it suspects and wants to exile, who waits for an answer, when to show a role.
import type { Draw } from '../../../state/random.ts';
import { getTurnsPerDay } from '../../../state/steps/debate.ts';
import { findTiedPlayers } from '../../../state/steps/voting.ts';
import type { View } from '../../../state/view.ts';
import { gatherFacts, isVillagePower } from './game-facts.ts';
import type { SpeechAct } from './hearing.ts';
import { weighPacks } from './pack-belief.ts';

/** How much each thing adds to the wish to see somebody exiled; `chance`: how far near ties change places. */
const weights = { company: 0.12, constancy: 0.2, sheriff: 0.3, score: 0.15, decisive: 4, chance: 0.3 };

export type GameAnalysis = ReturnType<typeof analyzeGame>;

/** Everything that decisions and statements are made from. */
export function analyzeGame(view: View) {
  const facts = gatherFacts(view);
  const { me, own, isPack, others, todays, reports, known, accusersOf, isMate, isAlive, hasClaimed, seen } = facts;
  const { players, alive, round: today, events, rules } = view;
  const mine = weighPacks(facts, me);
  /** What somebody would believe who only knows what everybody knows. */
  const publicly = weighPacks(facts, null);
  /** What can be argued from in public: a Werewolf must not argue from what only the pack knows. */
  const outward = isPack ? publicly : mine;
  /** The Sheriff's word today. */
  const recommendation = seen('statement').findLast(({ recommends, round }) => recommends && round === today);

  /** Whether this player has called for this exile today, and nobody has told of a check or a role since. */
  function hasPromised(name: string) {
    const called = new RegExp(`exile ${name}\\b|${name} (?:has to|must) go|will vote for ${name}\\b`);
    const last = todays.findLastIndex(({ by, text }) => by === me && called.test(text));
    return last >= 0 && !todays.slice(last + 1).some(({ acts }) => acts.some(({ kind }) => /report|claim/.test(kind)));
  }

  /**
   * The wish to see `name` exiled. A Werewolf wants whomever the village is most ready to exile, and goes by what
   * everybody has heard, so that the pack arrives at the same name without a word.
   */
  function wish(name: string): number {
    const weigh = (names: readonly string[]) =>
      names.reduce((sum, by) => (by === me && !isPack ? sum : sum + 1 - outward.of(by)), 0);
    const heat = weights.company * (weigh(accusersOf(name)) - 0.6 * weigh(accusersOf(name, false)));
    const trust = recommendation?.recommends === name ? 1 - outward.of(recommendation.by) : 0;
    const called = weights.sheriff * trust + (hasPromised(name) ? weights.decisive : 0);
    if (isPack) return publicly.of(name) + 1.5 * heat + called;
    const score = view.scores?.[name];
    const remembered = score && score.round !== null ? weights.score * (score.score - 0.5) : 0;
    const certain = { werewolves: weights.decisive, villagers: -weights.decisive, none: 0 };
    const constancy = accusersOf(name).includes(me) ? weights.constancy : 0;
    return mine.of(name) + heat + constancy + remembered + called + certain[known.get(name)?.team ?? 'none'];
  }

  /** The most wanted first; near ties by chance, and in the pack by an order that all partners can work out. */
  function rank(names: readonly string[], draw?: Draw): string[] {
    const place = (name: string) => ((players.indexOf(name) + facts.remarks.length) % players.length) / 1000;
    const breakTie = (name: string) => (isPack || !draw ? place(name) : weights.chance * draw.fraction());
    const marks = names.map((name) => [name, wish(name) + breakTie(name)] as const);
    return marks.sort(([, one], [, other]) => other - one).map(([name]) => name);
  }

  /** The latest of today's statements since the own last one that accuses or asks this player. */
  function findOpen(what: 'accusation' | 'question') {
    const since = todays.slice(todays.findLastIndex(({ by }) => by === me) + 1);
    const accuses = (act: SpeechAct) => act.kind === 'accuse' || (act.kind === 'report' && act.team === 'werewolves');
    const isOne = (act: SpeechAct) => (what === 'question' ? act.kind === 'ask' : accuses(act));
    return since.findLast(({ acts }) => acts.some((act) => isOne(act) && 'target' in act && act.target === me));
  }

  /** Somebody trusted whose check found the suspect to be a Werewolf. */
  const findReporter = (suspect: string) =>
    reports.findLast((one) => one.target === suspect && one.team === 'werewolves' && outward.of(one.by) < 0.4)?.by;

  /** Own checks worth telling that have not been told, Werewolves who are still there first. */
  const checks = seen('learned').map(({ about }) => ({ target: about, team: known.get(about)!.team }));
  const rate = ({ target, team }: (typeof checks)[number]) => Number(isAlive(target)) + (team === 'werewolves' ? 2 : 0);
  const isTold = (name: string) => reports.some(({ by, target }) => by === me && target === name);
  const news = checks.reverse().filter((check) => !isTold(check.target) && rate(check) > 0);
  const untold = news.sort((one, other) => rate(other) - rate(one));

  /** Somebody else who claims what this player alone is. */
  const isOnly = facts.roles.some(({ name, count }) => name === own.name && count === 1);
  const impostor = isOnly ? others.find((name) => hasClaimed(name, [own])) : undefined;

  /** Whether the village is close to exiling this player. */
  const isTied = findTiedPlayers(events, today)?.includes(me) ?? false;
  const isUnderFire = isTied || accusersOf(me).length > (publicly.of(me) > 0.3 ? 1 : 2);

  /** Whether a player of the village with a power should show it now, or tell more of it. */
  const isLate =
    today > 1 || todays.length * 2 >= getTurnsPerDay(rules, alive.length) || rules.debateOrder !== 'bidding';
  const isPressing = (isLate && untold.some((check) => rate(check) === 3)) || (untold.length > 1 && alive.length <= 5);
  const isDue = hasClaimed(me, [own]) ? untold.length > 0 : isPressing || impostor !== undefined || isUnderFire;

  return {
    ...facts,
    ...{ mine, publicly, outward, recommendation, wish, rank, findOpen, findReporter, untold, impostor, isUnderFire },
    hasToReveal: isVillagePower(own) && isDue,
    /** Those of the village to a Werewolf, anybody else to the village. */
    victims: others.filter((name) => !isMate(name)),
    /** How likely anybody is a Werewolf before anything has happened. */
    average: facts.packSize / Math.max(1, players.length - 1),
    /** Whether the village is about to exile this partner whatever is said. */
    isLost: (name: string) => publicly.of(name) > 0.7 || accusersOf(name).length * 2 > alive.length,
    /** How much weight a claim to one of these roles has, 0…1. */
    credit: (name: string, roles: readonly { name: string }[]) => (hasClaimed(name, roles) ? 1 - publicly.of(name) : 0),
  };
}
