// Conclusions from the facts: whom the player suspects and wants to exile, who waits for this player's answer, and when
// to reveal a role.
import type { RandomSource } from '../../../state/random.ts';
import { getTurnsPerDay } from '../../../state/steps/debate.ts';
import { findTiedPlayers } from '../../../state/steps/voting.ts';
import type { View } from '../../../state/view.ts';
import { gatherFacts, isVillagePower } from './game-facts.ts';
import type { SpeechAct } from './parse-speech-acts.ts';
import { weighPacks } from './pack-belief.ts';

export type GameAnalysis = ReturnType<typeof analyzeGame>;

/** Returns the basis of all decisions and statements. */
export function analyzeGame(view: View) {
  const facts = gatherFacts(view);
  const { me, own, isPack, others, todays, reports, known, accusersOf, isMate, isAlive, hasClaimed, seen } = facts;
  const { players, alive, round: today, events, rules } = view;
  const mine = weighPacks(facts, me);
  const publicly = weighPacks(facts, null);
  /** Suspicion that can be argued in public. A Werewolf must not argue from secrets of the Werewolves. */
  const outward = isPack ? publicly : mine;
  const recommendation = seen('statement').findLast(({ recommends, round }) => recommends && round === today);

  /**
   * Rates the wish to see `name` exiled. A Werewolf wants the player whom the village is most ready to exile, judged by
   * public information, so that all Werewolves settle on the same name without coordination.
   */
  function wish(name: string): number {
    const weigh = (names: readonly string[]) =>
      names.reduce((sum, by) => (by === me && !isPack ? sum : sum + 1 - outward(by)), 0);
    const heat = 0.12 * (weigh(accusersOf(name)) - 0.6 * weigh(accusersOf(name, false)));
    const trust = recommendation?.recommends === name ? 1 - outward(recommendation.by) : 0;
    const team = (isPack ? facts.publiclyKnown : known).get(name)?.team;
    const certainty = team === undefined ? 0 : 4 * (team === 'werewolves' ? 1 : -1);
    const wanted = heat + 0.3 * trust + certainty;
    if (isPack) return publicly(name) + 0.5 * heat + wanted;
    return mine(name) + wanted + (accusersOf(name).includes(me) ? 0.2 : 0);
  }

  /**
   * Ranks names, most wanted first. Villagers break near ties at random. Werewolves break them by an order that all
   * partners can compute.
   */
  function rank(names: readonly string[], draw?: RandomSource): string[] {
    const place = (name: string) => ((players.indexOf(name) + facts.remarks.length) % players.length) / 1000;
    const breakTie = (name: string) => (isPack || !draw ? place(name) : 0.3 * draw.fraction());
    const marks = names.map((name) => [name, wish(name) + breakTie(name)] as const);
    return marks.sort(([, one], [, other]) => other - one).map(([name]) => name);
  }

  const since = todays.slice(todays.findLastIndex(({ by }) => by === me) + 1);
  /**
   * Searches today's acts since this player's last statement. Returns who last targeted this player with an act that
   * `does` accepts; undefined if nobody did.
   */
  const findLastWho = (does: (act: SpeechAct) => boolean) =>
    since.findLast(({ acts }) => acts.some((act) => does(act) && 'target' in act && act.target === me))?.by;

  /**
   * The player's own checks, and the checks among them that are worth reporting and not reported yet. Checks of living
   * Werewolves come first.
   */
  const checks = seen('learned').map(({ about }) => ({ target: about, team: known.get(about)!.team }));
  const rate = ({ target, team }: (typeof checks)[number]) => Number(isAlive(target)) + (team === 'werewolves' ? 2 : 0);
  const news = checks.toReversed().filter((check) => !facts.hasReported(check.target) && rate(check) > 0);
  const untold = news.sort((one, other) => rate(other) - rate(one));

  const finds = reports.filter(({ by, team }) => by !== me && team === 'werewolves');
  /** Another player who claims a role that only this player can have. */
  const impostor = view.board.roles[own.name] === 1 ? others.find((name) => hasClaimed(name, [own])) : undefined;
  const isTied = findTiedPlayers(events, today)?.includes(me) ?? false;
  const pressedMate = facts.mates.find((name) => isAlive(name) && accusersOf(name).length > 0);
  const accusers = accusersOf(me).length;
  const isUnderFire = isTied || accusers > 2 || (accusers === 2 && publicly(me) > 0.3);

  // Whether a village player with a power should now reveal the role or report more checks.
  const isLate =
    today > 1 || todays.length * 2 >= getTurnsPerDay(rules, alive.length) || rules.debateOrder !== 'bidding';
  const isPressing = (isLate && untold.some((check) => rate(check) === 3)) || (untold.length > 1 && alive.length <= 5);
  const isDue = hasClaimed(me, [own]) ? untold.length > 0 : isPressing || impostor !== undefined || isUnderFire;

  return {
    ...{ ...facts, isUnderFire, pressedMate },
    ...{ mine, publicly, outward, recommendation, wish, rank, checks, untold, impostor },
    hasToReveal: isVillagePower(own) && isDue,
    accuser: findLastWho((act) => act.kind === 'accuse' || (act.kind === 'report' && act.team === 'werewolves')),
    asker: findLastWho((act) => act.kind === 'ask'),
    /** Returns a trusted other player whose check found the suspect to be a Werewolf. */
    findReporter: (suspect: string) => finds.findLast(({ by, target }) => target === suspect && outward(by) < 0.4)?.by,
    /** The other side: for a Werewolf the village, for any other player everybody else. */
    victims: others.filter((name) => !isMate(name)),
  };
}
