// Statement plans: what a player says next, the village truthfully, the pack harmlessly or to deceive.
import type { Draw } from '../../../state/random.ts';
import type { Team } from '../../../state/teams.ts';
import type { GameAnalysis } from './game-analysis.ts';
import { isVillagePower } from './game-facts.ts';
import { phrases } from './phrases.ts';
import { express, type Part } from './statement-parts.ts';

/** `isLie` only matters to a Werewolf. */
export type Plan = (game: GameAnalysis, isLie: boolean, draw: Draw) => Part[];

export const planDebate: Plan = (game, isLie, draw) =>
  !game.isPack ? planForVillage(game, draw) : isLie ? planLie(game, draw) : planHarmless(game, draw);

const remark = (bank: readonly string[], slots = {}) => express([], bank, slots);
const avow = () => express([{ kind: 'deny' }], phrases.deny);
const claim = ({ name: role, special }: { name: string; special: boolean }) =>
  express([{ kind: 'claim', role }], special ? phrases.claim : phrases.claimPlain, { R: role });
const report = (target: string, team: Team) =>
  express([{ kind: 'report', target, team }], phrases[team], { T: target });
const ask = (target: string, bank: readonly string[]) => express([{ kind: 'ask', target }], bank, { T: target });
const second = (target: string, ally: string) =>
  express([{ kind: 'accuse', target }], phrases.second, { T: target, S: ally });
const defend = (target: string, isAccused = true) =>
  express([{ kind: 'defend', target }], phrases.defend, { T: target }, isAccused ? phrases.baseless : []);
/** Denies what somebody holds against the speaker. */
const deny = (S: string) => express([{ kind: 'deny' }], [...phrases.deny, ...phrases.denyTo], { S }, phrases.answer);
/** Claims a role that somebody else has claimed. */
const dispute = (rival: string, role: string) =>
  express([{ kind: 'claim', role }, { kind: 'accuse', target: rival }], phrases.dispute, { R: role, S: rival }); // prettier-ignore

/** Speaks against somebody, with one of the weightier reasons that there are. */
function accuse(game: GameAnalysis, target: string, draw: Draw, tone: 'accuse' | 'urge' | 'vote' | 'recommend' = 'accuse') {
  const { view, me, outward } = game;
  const found: { kind: keyof typeof phrases; weight: number; slots?: Record<string, string> }[] = [];
  const add = (kind: keyof typeof phrases, weight: number, slots = {}) => found.push({ kind, weight, slots });
  add('feeling', game.known.get(target)?.team === 'werewolves' ? 0 : 0.1); // what was learned in secret is no feeling
  for (const { by, target: about, team } of game.reports)
    if (about === target && team === 'werewolves' && by !== me && outward.of(by) < 0.5) add('reported', 1, { S: by });
  for (const { by, round, acts } of game.remarks)
    for (const act of acts) {
      if (act.kind === 'accuse' && act.target === target && game.wasVictim(by, round + 1)) add('victim', 0.5, { X: by });
      if (by !== target || !('target' in act) || act.target === target) continue;
      const [X, p] = [act.target, outward.of(act.target)];
      if (act.kind === 'defend' && p > 0.55 && !game.isMate(X)) add('stoodUp', 0.6, { X });
      if (act.kind === 'accuse' && round === view.round && (X === me || p < 0.12)) add(X === me ? 'againstMe' : 'hunts', 0.4, { X });
    }
  if (game.accusersOf(target).filter((name) => name !== me).length > 1) add('crowd', 0.2);
  const weight = Math.max(...found.map((one) => one.weight));
  const why = draw.pick(found.filter((one) => one.weight >= 0.5 * weight));
  const reasons = weight > 0 ? phrases[why.kind] : [];
  return { weight, ...express([{ kind: 'accuse', target }], phrases[tone], { ...why.slots, T: target }, reasons) };
} // prettier-ignore

function planForVillage(game: GameAnalysis, draw: Draw): Part[] {
  const { me, mine, average } = game;
  if (game.hasToReveal) return reveal(game, draw);
  const answers = answer(game, draw);
  const [suspect] = game.rank(game.others, draw);
  if (suspect === undefined) return [...answers, avow()];
  const isSaid = (name: string, kind: 'accuse' | 'defend') =>
    game.hasSaid(name, kind) || answers.some(({ acts }) => acts.some((act) => 'target' in act && act.target === name));
  const reporter = game.findReporter(suspect);
  if (reporter !== undefined && !isSaid(reporter, 'defend'))
    return [...answers, defend(reporter, false), accuse(game, suspect, draw, 'urge')];
  const friend = game.others.find((name) => mine.of(name) < 0.14 && game.accusersOf(name).length > 0);
  if (friend !== undefined && friend !== suspect && !isSaid(friend, 'defend') && draw.fraction() < 0.6)
    answers.push(defend(friend));
  if (isSaid(suspect, 'accuse')) return answers.length > 0 ? answers : chat(game, draw);
  const sureness = game.known.has(suspect) ? 0.5 : mine.of(suspect); // what was learned in secret is not argued from
  const ally = game.accusersOf(suspect).findLast((name) => name !== me && mine.of(name) < average);
  if (sureness < 0.7 && ally !== undefined && draw.fraction() < 0.55) return [...answers, second(suspect, ally)];
  const part = accuse(game, suspect, draw, sureness > 0.7 ? 'urge' : 'accuse');
  const isVague = sureness < 1.15 * average && part.weight < 0.3 && game.todays.length < 2;
  return isVague && draw.fraction() < 0.6 ? [...answers, ...chat(game, draw)] : [...answers, part];
}

/** The claim, where it is new, and the checks. */
function reveal(game: GameAnalysis, draw: Draw): Part[] {
  const checks = game.untold.slice(0, 3);
  const found = checks.find(({ target, team }) => team === 'werewolves' && game.isAlive(target));
  const first = game.impostor === undefined ? claim(game.own) : dispute(game.impostor, game.own.name);
  const parts = checks.map(({ target, team }) => report(target, team));
  const isOut = game.hasClaimed(game.me, [game.own]);
  return [...(isOut ? [] : [first]), ...parts, ...(found ? [accuse(game, found.target, draw, 'urge')] : [])];
}

/** What a player says to an accusation or a question put to it, without lying. */
function answer(game: GameAnalysis, draw: Draw): Part[] {
  const accuser = game.findOpen('accusation')?.by;
  if (accuser !== undefined) {
    const isPlain = !game.own.special && !game.remarks.some(({ by, acts }) => by === game.me && acts.some(isClaim));
    if (game.isPack) return [ask(accuser, phrases.askBack)];
    return isPlain && draw.fraction() < 0.35 ? [deny(accuser), claim(game.own)] : [deny(accuser)];
  }
  const asked = game.findOpen('question');
  if (!asked) return [];
  const [about] = asked.acts.flatMap((act) => (act.kind === 'ask' && act.target === game.me ? (act.about ?? []) : []));
  if (game.isPack || about === game.me) return [remark(phrases.undecided, { S: asked.by })];
  if (about === undefined) return []; // naming a suspect answers it
  if (game.mine.of(about) > 1.2 * game.average) return [accuse(game, about, draw)];
  return [game.mine.of(about) < 0.6 * game.average ? defend(about, false) : remark(phrases.undecided, { S: asked.by })];
}

const isClaim = ({ kind }: { kind: string }) => kind === 'claim';

/** What a Werewolf says without saying anything false or hiding anything it was asked for. */
function planHarmless(game: GameAnalysis, draw: Draw): Part[] {
  const answers = answer(game, draw);
  if (answers.length > 0) return [...answers, observe(game)];
  const friend = game.victims.find((name) => game.publicly.of(name) < 0.2 && game.accusersOf(name).length > 0);
  return friend !== undefined && draw.fraction() < 0.2 ? [defend(friend)] : chat(game, draw);
}

/** What a Werewolf says to make others believe something false. */
function planLie(game: GameAnalysis, draw: Draw): Part[] {
  const learners = game.rolesThat('learn');
  const hasTold = game.reports.some(({ by, round }) => by === game.me && round === game.view.round);
  if (game.hasClaimed(game.me, learners) && !hasTold) return inventCheck(game, draw);
  const isFound = game.reports.some(({ target, team }) => target === game.me && team === 'werewolves');
  const isHot = isFound || game.isUnderFire || game.publicly.of(game.me) > 0.55;
  const isFree = !game.view.players.some((name) => game.hasClaimed(name, learners));
  const story = draw.fraction() < (isHot ? 0.7 : isFree ? 0.1 : 0) ? claimFalsely(game, draw) : [];
  if (story.length > 0) return story;
  const chance = draw.fraction();
  const accuser = game.findOpen('accusation')?.by;
  const mate = game.mates.find((name) => game.isAlive(name) && game.accusersOf(name).length > 0);
  if (accuser === undefined && mate !== undefined && chance < (game.isLost(mate) ? 0.7 : 0.2))
    return [accuse(game, mate, draw)];
  if (accuser === undefined) return blame(game, draw);
  if (chance < 0.2) return [express([{ kind: 'deflect' }], phrases.deflect), inquire(game, draw)];
  const plain = game.roles.find(({ team, special }) => team === 'villagers' && !special);
  const isPlain = chance < 0.35 && plain !== undefined && !game.hasClaimed(game.me);
  return [deny(accuser), ...(isPlain ? [claim(plain)] : blame(game, draw))];
}

/** An accusation of somebody of the village, preferably of one whom others suspect already. */
function blame(game: GameAnalysis, draw: Draw): Part[] {
  const [victim] = game.rank(game.victims);
  if (victim === undefined) return [avow()];
  const ally = game.accusersOf(victim).findLast((name) => name !== game.me && !game.isMate(name));
  return [ally !== undefined && draw.fraction() < 0.4 ? second(victim, ally) : accuse(game, victim, draw)];
}

/** Claims a power of the village; against whoever has found one of the pack, that player's own. */
function claimFalsely(game: GameAnalysis, draw: Draw, roles = game.roles.filter(isVillagePower)): Part[] {
  const learners = game.rolesThat('learn');
  const isPrey = (name: string) => game.victims.includes(name);
  const accuser = game.reports.findLast(
    (one) => one.team === 'werewolves' && !isPrey(one.target) && isPrey(one.by),
  )?.by;
  if (game.hasClaimed(game.me)) return [];
  if (accuser !== undefined && learners[0] && !game.mates.some((name) => game.hasClaimed(name, learners)))
    return [dispute(accuser, learners[0].name), report(accuser, 'werewolves')];
  const free = roles.filter((role) => !game.view.players.some((name) => game.hasClaimed(name, [role])));
  const role = free.length > 0 ? draw.pick(free) : undefined;
  return role ? [claim(role), ...(learners.includes(role) ? inventCheck(game, draw) : [])] : [];
}

/** A made-up check: of a village player as a Werewolf, or of a partner as none. */
function inventCheck(game: GameAnalysis, draw: Draw): Part[] {
  const isNew = (name: string) => !game.reports.some(({ by, target }) => by === game.me && target === name);
  const [victim] = game.rank(game.victims.filter(isNew));
  const mate = game.mates.find((name) => game.isAlive(name) && isNew(name));
  if (mate !== undefined && draw.fraction() < 0.3) return [report(mate, 'villagers')];
  return victim === undefined ? [avow()] : [report(victim, 'werewolves')];
}

/** Keeps the talk going without naming anybody as a suspect. */
const chat = (game: GameAnalysis, draw: Draw): Part[] =>
  draw.fraction() < 0.5 ? [observe(game), inquire(game, draw)] : [inquire(game, draw)];
const observe = ({ view }: GameAnalysis) => remark(phrases.remark, { n: `${view.alive.length}` });

/** A question to somebody who is silent or accused, at times about another who is. */
function inquire(game: GameAnalysis, draw: Draw): Part {
  const silent = game.others.filter((name) => !game.todays.some(({ by }) => by === name));
  const named = game.others.filter((name) => game.accusersOf(name).length > 0);
  const target = draw.pick(
    [silent, named, game.others].find((one) => one.length > 0 && draw.fraction() < 0.7) ?? game.others,
  );
  const [about] = draw.shuffle(named.filter((name) => name !== target));
  if (about === undefined || draw.fraction() < 0.4) return ask(target, phrases.ask);
  return express([{ kind: 'ask', target, about }], phrases.askAbout, { T: target, X: about });
}

/** As a candidate for Sheriff. */
export const planCampaign: Plan = (game, isLie, draw) => {
  const story = isLie && draw.fraction() < 0.3 ? claimFalsely(game, draw, game.rolesThat('learn')) : [];
  const share = game.untold.some(({ team }) => team === 'werewolves') ? 0.7 : game.untold.length > 0 ? 0.3 : 0;
  const isShown = !game.isPack && (game.hasToReveal || draw.fraction() < share);
  const other = isLie || (!game.isPack && draw.fraction() < 0.5) ? avow() : remark(phrases.pledge);
  return [remark(phrases.stand), ...(isShown ? reveal(game, draw) : story.length > 0 ? story : [other])];
};

/** Why `target` should go, at a ballot or as Sheriff; who has nothing true to say goes with others. */
export const planExplanation = (target: string, tone: 'vote' | 'recommend' = 'vote'): Plan => (game, isLie, draw) => {
  const ally = game.accusersOf(target).findLast((name) => name !== game.me);
  const isForced = !game.isPack && game.known.get(target)?.team === 'villagers'; // there is nobody else
  const bank = ally === undefined ? phrases.followNobody : phrases.follow;
  if (isForced || (game.isPack && !isLie)) return [express([{ kind: 'follow', target }], bank, { T: target })];
  const isSeconded = ally !== undefined && tone === 'vote' && draw.fraction() < 0.3;
  return [isSeconded ? second(target, ally) : accuse(game, target, draw, tone)];
}; // prettier-ignore
