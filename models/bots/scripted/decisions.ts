// Decisions: whom to exile, to remove, to shield, to check and to trust with an office, by what a power aims at.
import type { Draw } from '../../../state/random.ts';
import { pass, type LastAct, type Power } from '../../../state/roles/role.ts';
import { tear } from '../../../state/sheriff.ts';
import type { GameAnalysis } from './game-analysis.ts';

type Names = readonly string[];

function pickBest(names: Names, rate: (name: string) => number): string {
  const marks = names.map((name) => [name, rate(name)] as const);
  return marks.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

/** Whom to exile; as Sheriff whom to recommend, and then a Werewolf names no partner: else one who is lost at times. */
export function chooseBallot(game: GameAnalysis, choices: Names, draw: Draw): string {
  const isOpen = game.sheriff === game.me;
  // The Sheriff stands by what was shown.
  const { by, recommends } = game.recommendation ?? {};
  const leaning = isOpen
    ? game.seen('pseudo_ballot').findLast((one) => one.by === game.me && one.round === game.view.round)
    : undefined;
  const shown = (by === game.me ? recommends : undefined) ?? leaning?.target;
  if (shown !== undefined && choices.includes(shown)) return shown;
  const first = pickBest(choices, (name) => game.wish(name));
  const isClose = (game.packSize - 1) * 2 >= game.view.alive.length - 1;
  if (game.isMate(first) && !isOpen && !isClose && draw.fraction() < (game.isLost(first) ? 0.95 : 0.65)) return first;
  const prey = choices.filter((name) => !game.isMate(name));
  return game.rank(prey.length > 0 ? prey : choices, isOpen ? undefined : draw)[0]!;
}

/** How much a player wants to speak next, 0…1. */
export function rateUrge(game: GameAnalysis, draw: Draw): number {
  const chance = 0.25 * draw.fraction();
  if (game.hasToReveal) return 0.9 + chance;
  const turns = game.todays.filter(({ by }) => by === game.me).length; // whoever has spoken leaves room for others
  if (game.findOpen('accusation')) return 0.75 - 0.15 * turns + chance;
  if (game.findOpen('question')) return 0.6 - 0.15 * turns + chance;
  const calm = Math.max(0, 0.35 - 0.2 * turns);
  const [suspect] = game.rank(game.victims);
  if (suspect === undefined || game.hasSaid(suspect, 'accuse')) return calm * draw.fraction();
  const sureness = game.isPack || game.findReporter(suspect) !== undefined ? 0.5 : game.mine.of(suspect) ** 2;
  return calm + 0.4 * sureness + chance - 0.1;
}

/** On whom a power or a last act is used; `pass` where that is allowed and better. */
export function chooseTarget(game: GameAnalysis, act: Power | LastAct, choices: Names, draw: Draw): string {
  const { mine, view } = game;
  const names = choices.filter((name) => name !== pass);
  if (act.aim === 'learn') return pickBest(names, (name) => 0.05 * draw.fraction() - Math.abs(0.55 - mine.of(name)));
  if (act.aim === 'harm' && game.isPack) {
    const tonight = game.seen('proposal').filter(({ round }) => round === view.round);
    const count = (name: string) => tonight.filter(({ target }) => target === name).length;
    return pickBest(names, (name) => (tonight.length > 0 ? count(name) : rateDanger(game, name) + draw.fraction() / 4));
  }
  if (act.aim === 'harm') {
    const suspect = pickBest(draw.shuffle(names), (name) => mine.of(name));
    // On leaving the game there is no later; at night who waits too long never will.
    const needed = 'wave' in act ? Math.max(0.5, 0.9 - 0.1 * view.round) : 0.4;
    return choices.includes(pass) && mine.of(suspect) < needed ? pass : suspect;
  }
  if (!('brief' in act)) return pickBest(names, (name) => rateWorth(game, name) + 0.6 * draw.fraction());
  if (names.includes(game.me)) return game.me;
  const victim = pickBest(names, (name) => rateWorth(game, name)); // somebody who is told to be attacked
  const isClose = view.alive.length <= 2 * game.packSize + 2; // the village can hardly lose one more
  const isWorth = isClose || rateWorth(game, victim) + 0.6 * draw.fraction() > 0.5 - 0.2 * view.round;
  return choices.includes(pass) && (mine.of(victim) > 0.5 || !isWorth) ? pass : victim;
}

/** How much weight a claim to a power of the village has, 0…1. */
const rateClaim = (game: GameAnalysis, name: string, aim: Power['aim']) => game.credit(name, game.rolesThat(aim));

/** How dangerous somebody is to the pack: who learns, who shields, who is trusted. */
function rateDanger(game: GameAnalysis, name: string): number {
  const avengers = game.roles.filter(({ lastAct }) => lastAct?.aim === 'harm');
  const claims = 1.2 * rateClaim(game, name, 'learn') + rateClaim(game, name, 'shield') + rateClaim(game, name, 'harm');
  return claims + (name === game.sheriff ? 0.4 : 0) - 0.6 * game.credit(name, avengers) - 0.9 * game.publicly.of(name);
}

/** How much the village would miss somebody. */
function rateWorth(game: GameAnalysis, name: string): number {
  const claims = 1.2 * rateClaim(game, name, 'learn') + 0.8 * rateClaim(game, name, 'harm');
  const self = name === game.me ? 0.1 + rateClaim(game, name, 'shield') : 0;
  return claims + self + (name === game.sheriff ? 0.3 : 0) - game.mine.of(name);
}

/** How readily a player stands for Sheriff: whoever learns has most to lead with, and the pack wants the badge. */
export function rateReadiness(game: GameAnalysis): number {
  if (game.isPack) return 0.45;
  if (!game.own.powers.some(({ aim }) => aim === 'learn')) return 0.33;
  return game.untold.some(({ team }) => team === 'werewolves') ? 0.9 : 0.75;
}

/** Who should have the badge: the most trusted; to the pack a partner at times, else whoever is the least dangerous. */
export function chooseSheriff(game: GameAnalysis, choices: Names, draw: Draw): string {
  const mate = draw.fraction() < 0.45 ? choices.find((name) => game.isMate(name)) : undefined;
  const prey = choices.filter((name) => !game.isMate(name));
  const rate = (name: string) => (game.isPack ? -rateDanger(game, name) : 0.5 * rateWorth(game, name));
  return mate ?? pickBest(prey.length > 0 ? prey : choices, (name) => rate(name) + 0.1 * draw.fraction());
}

/** Who gets the badge, or that it is torn: where nobody is trusted, and by the pack at times. */
export function chooseSuccessor(game: GameAnalysis, choices: Names, draw: Draw): string {
  const names = choices.filter((name) => name !== tear && name !== game.me);
  if (names.length === 0 || (game.isPack && draw.fraction() < 0.3)) return tear;
  const heir = chooseSheriff(game, names, draw);
  return game.isPack || game.mine.of(heir) < 0.5 ? heir : tear;
}
