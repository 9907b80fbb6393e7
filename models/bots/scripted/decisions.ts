// Decisions of the scripted bot: whom to exile or elect, and whom to remove, shield or check with a power.
import type { RandomSource } from '../../../state/random.ts';
import { passChoice, type LastAct, type Power } from '../../../state/roles/role.ts';
import { destroyBadgeChoice } from '../../../state/sheriff.ts';
import { hasLostVote } from '../../../state/steps/voting.ts';
import type { GameAnalysis } from './game-analysis.ts';

type Names = readonly string[];

function pickBest(names: Names, rate: (name: string) => number): string {
  const marks = names.map((name) => [name, rate(name)] as const);
  return marks.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/**
 * Chooses whom to exile. A Sheriff votes for the player whom the Sheriff has recommended or named in the pseudo-vote. A
 * Werewolf who is not the Sheriff often votes against a partner.
 */
export function chooseBallot(game: GameAnalysis, choices: Names, draw: RandomSource): string {
  const { recommendation, view, me } = game;
  const isSheriff = game.sheriff === me;
  const leaning = game.seen('pseudo_ballot').findLast((one) => one.by === me && one.round === view.round);
  const shown = (recommendation?.by === me ? recommendation.recommends : undefined) ?? leaning?.target;
  if (isSheriff && shown !== undefined && choices.includes(shown)) return shown;
  const first = pickBest(choices, (name) => game.wish(name));
  const isClose = (game.packSize - 1) * 2 >= view.alive.length - 1; // losing a Werewolf could cost the victory
  if (game.isMate(first) && !isSheriff && !isClose && draw.fraction() < 0.8) return first;
  const prey = choices.filter((name) => !game.isMate(name));
  return game.rank(prey.length > 0 ? prey : choices, isSheriff ? undefined : draw)[0]!;
}

/** Rates how much a player wants to speak next, 0…1. */
export function rateUrge(game: GameAnalysis, draw: RandomSource): number {
  const chance = 0.25 * draw.fraction();
  if (game.hasToReveal) return 0.9 + chance;
  const turns = game.todays.filter(({ by }) => by === game.me).length; // players who have spoken leave room for others
  const duty = game.accuser ? 0.75 : game.asker ? 0.6 : 0;
  if (duty > 0) return duty - 0.15 * turns + chance;
  const calm = Math.max(0, 0.35 - 0.2 * turns);
  if (game.pressedMate !== undefined) return calm + 0.25 + chance;
  const [suspect] = game.rank(game.victims);
  if (suspect === undefined || game.hasSaid(suspect, 'accuse')) return calm * draw.fraction();
  if (game.findReporter(suspect) !== undefined) return calm + 0.2 + chance;
  if (game.isPack) return calm + 1.5 * chance;
  const sureness = game.mine(suspect); // players without a suspect leave the floor to those who have one
  return sureness > 0.4 ? calm + 0.4 * sureness + chance : calm * draw.fraction() + 0.6 * chance;
}

/** Chooses the target of a power or a last act. Returns `passChoice` if passing is allowed and better. */
export function chooseTarget(game: GameAnalysis, act: Power | LastAct, choices: Names, draw: RandomSource): string {
  const { mine, view } = game;
  const names = choices.filter((name) => name !== passChoice);
  if (act.aim === 'learn') return pickBest(names, (name) => 0.05 * draw.fraction() - Math.abs(0.55 - mine(name)));
  if (act.aim === 'harm' && game.isPack) {
    const tonight = game.seen('proposal').filter(({ round }) => round === view.round);
    const count = (name: string) => tonight.filter(({ target }) => target === name).length;
    return pickBest(names, (name) => (tonight.length > 0 ? count(name) : rateDanger(game, name) + draw.fraction() / 4));
  }
  if (act.aim === 'harm') {
    const suspect = pickBest(draw.shuffle(names), (name) => mine(name));
    const needed = 'wave' in act ? Math.max(0.5, 0.9 - 0.1 * view.round) : 0.4; // a last act cannot be postponed
    return choices.includes(passChoice) && mine(suspect) < needed ? passChoice : suspect;
  }
  if (!('brief' in act)) return pickBest(names, (name) => rateWorth(game, name) + 0.6 * draw.fraction());
  if (names.includes(game.me)) return game.me;
  const victim = pickBest(names, (name) => rateWorth(game, name)); // the player who was attacked tonight
  const isClose = view.alive.length <= 2 * game.packSize + 2; // the village can hardly afford another loss
  const isWorth = isClose || rateWorth(game, victim) + 0.6 * draw.fraction() > 0.5 - 0.2 * view.round;
  return choices.includes(passChoice) && (mine(victim) > 0.5 || !isWorth) ? passChoice : victim;
}

/**
 * Rates the credibility of a player's claim to a village role whose power has this aim, 0…1. Returns 0 if the player
 * has made no such claim.
 */
const rateClaim = ({ hasClaimed, rolesThat, publicly }: GameAnalysis, name: string, aim: Power['aim']) =>
  hasClaimed(name, rolesThat(aim)) ? 1 - publicly(name) : 0;

/**
 * Rates how dangerous a player is to the Werewolves. The rating is lower if last night's attack on the player failed,
 * or if the player has lost the right to vote.
 */
function rateDanger(game: GameAnalysis, name: string): number {
  const wasLastNight = ({ round }: { round: number }) => round === game.view.round - 1;
  const hasFailed =
    game.seen('quiet_night').some(wasLastNight) && game.seen('pick').findLast(wasLastNight)?.target === name;
  const claims = 1.2 * rateClaim(game, name, 'learn') + rateClaim(game, name, 'shield') + rateClaim(game, name, 'harm');
  const reluctance = Number(hasFailed) + Number(hasLostVote(game.view.events, name)) + 0.9 * game.publicly(name);
  return claims + (name === game.sheriff ? 0.4 : 0) - reluctance;
}

/** Rates how much the village would miss a player. */
function rateWorth(game: GameAnalysis, name: string): number {
  const claims = 1.2 * rateClaim(game, name, 'learn') + 0.8 * rateClaim(game, name, 'harm');
  const self = name === game.me ? 0.1 + rateClaim(game, name, 'shield') : 0;
  return claims + self + (name === game.sheriff ? 0.3 : 0) - game.mine(name);
}

/**
 * Rates the willingness to stand for Sheriff. It is highest for roles that learn facts. It is also above average for
 * Werewolves, because they want the badge.
 */
export const rateReadiness = ({ isPack, own }: GameAnalysis) =>
  isPack ? 0.4 : own.powers.some(({ aim }) => aim === 'learn') ? 0.85 : 0.33;

/**
 * Chooses whom to elect: the most trusted player. Werewolves sometimes choose a partner, else the least dangerous
 * player.
 */
export function chooseSheriff(game: GameAnalysis, choices: Names, draw: RandomSource): string {
  const mate = draw.fraction() < 0.4 ? choices.find((name) => game.isMate(name)) : undefined;
  const prey = choices.filter((name) => !game.isMate(name));
  const rate = (name: string) => (game.isPack ? -rateDanger(game, name) : rateWorth(game, name));
  return mate ?? pickBest(prey.length > 0 ? prey : choices, (name) => rate(name) + 0.1 * draw.fraction());
}

/**
 * Chooses the successor of the badge, or to tear up the badge if nobody is trusted. Werewolves sometimes tear it up
 * anyway.
 */
export function chooseSuccessor(game: GameAnalysis, choices: Names, draw: RandomSource): string {
  const names = choices.filter((name) => name !== destroyBadgeChoice && name !== game.me);
  if (names.length === 0 || (game.isPack && draw.fraction() < 0.3)) return destroyBadgeChoice;
  const heir = chooseSheriff(game, names, draw);
  return game.isPack || game.mine(heir) < 0.5 ? heir : destroyBadgeChoice;
}
