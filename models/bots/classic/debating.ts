// Debating for the village: what a player who does not lie says next.
import type { Draw } from '../../../state/draw.ts';
import { asksForVote, openAccusation, openQuestion, topicOf } from './addressed.ts';
import { credibleReporter, rivalOf } from './claimants.ts';
import { mostWanted } from './ranking.ts';
import { isFirm, pickReason, reasonsAgainst, reasonsFor } from './reasons.ts';
import { occasion, revelation } from './revealing.ts';
import type { Scene } from './scene.ts';
import { inquiry, observation } from './small-talk.ts';
import {
  accountOfVote,
  noOpinion,
  accusation,
  agreement,
  belief,
  claim,
  defence,
  denial,
  question,
  type Part,
} from './parts.ts';

export function villagePlan(scene: Scene, draw: Draw): Part[] {
  if (occasion(scene) !== null) return revelation(scene);
  const answers = answer(scene, draw);
  const [suspect] = mostWanted(scene, scene.others, draw);
  if (suspect === undefined) return [...answers, observation(scene, draw)];
  const claimant = credibleReporter(scene, suspect);
  if (claimant !== undefined && !scene.hasSaid(claimant, 'defend'))
    return [...answers, belief(claimant, rivalOf(scene, claimant)), accusation(suspect, undefined, 'urge')];
  const spokenOf = answers.flatMap(({ acts }) => acts.flatMap((act) => ('target' in act ? [act.target] : [])));
  const friend = friendUnderFire(scene, suspect);
  if (friend !== undefined && !spokenOf.includes(friend) && draw.fraction() < 0.6)
    return [
      ...answers,
      defence(friend, pickReason(reasonsFor(scene, friend), draw)),
      ...pressure(scene, suspect, draw),
    ];
  if (answers.length > 0 && (spokenOf.includes(suspect) || scene.hasSaid(suspect, 'accuse'))) return answers;
  return [...answers, ...pressure(scene, suspect, draw)];
}

/** Speaks against the suspect as far as there is something to say, otherwise asks. */
function pressure(scene: Scene, suspect: string, draw: Draw): Part[] {
  const { mine, view, knowledge } = scene;
  const isCertain = knowledge.get(suspect)?.team === 'werewolves';
  const sureness = isCertain ? 0.5 : mine.of(suspect); // what was learned in secret is not argued from
  const found = reasonsAgainst(scene, suspect).filter(({ kind }) => !isCertain || kind !== 'feeling');
  const average = scene.lexicon.packSize / Math.max(1, view.players.length - 1);
  if (scene.hasSaid(suspect, 'accuse'))
    return draw.fraction() < 0.5 ? [observation(scene, draw), inquiry(scene, draw)] : [inquiry(scene, draw)];
  if (sureness > 0.7) return [accusation(suspect, pickReason(found.filter(isFirm), draw), 'accuseSurely')];
  const reason = pickReason(found, draw);
  const ally = scene.accusersOf(suspect).findLast((name) => name !== scene.me && mine.of(name) < average);
  if (ally !== undefined && draw.fraction() < 0.55) return [agreement(suspect, ally)];
  const isVague = sureness < 1.15 * average && (reason === undefined || reason.weight < 0.3);
  if (isVague && scene.turn < 2 && draw.fraction() < 0.6) return [observation(scene, draw), inquiry(scene, draw)];
  const opening = draw.fraction() < 0.25 && !isVague ? [observation(scene, draw)] : [];
  return [...opening, accusation(suspect, reason, 'accuse')];
}

/** What this player says to an accusation or a question put to it. */
function answer(scene: Scene, draw: Draw): Part[] {
  const accusation = openAccusation(scene);
  if (!accusation) return reply(scene);
  const isPlain = scene.lexicon.plain?.name === scene.view.role;
  const hasClaimed = scene.testimony.remarks.some(
    ({ by, acts }) => by === scene.me && acts.some(({ kind }) => kind === 'claim'),
  );
  const topic = topicOf(accusation);
  const first = denial(accusation.by, topic);
  if (isPlain && !hasClaimed && draw.fraction() < 0.35) return [first, claim(scene.view.role)];
  if (topic === 'Feeling' && draw.fraction() < 0.4) return [first, question(accusation.by, 'askBack')];
  return [first];
}

/** An answer to a question about a vote or about another player, as far as there is one. */
function reply(scene: Scene): Part[] {
  const asked = openQuestion(scene);
  if (!asked) return [];
  if (asksForVote(asked)) return [accountOfVote()];
  const about = asked.acts.flatMap((act) =>
    act.kind === 'ask' && act.target === scene.me && act.about !== undefined ? [act.about] : [],
  )[0];
  if (about === undefined || !scene.others.includes(about) || scene.hasSaid(about, 'accuse')) return [];
  const p = scene.mine.of(about);
  const average = scene.lexicon.packSize / Math.max(1, scene.view.players.length - 1);
  if (p > 1.2 * average) return [accusation(about, reasonsAgainst(scene, about).find(isFirm), 'accuse')];
  return p < 0.6 * average ? [defence(about, reasonsFor(scene, about)[0])] : [noOpinion(about)];
}

/** Somebody trusted whom others speak against. */
function friendUnderFire(scene: Scene, suspect: string) {
  const known = (name: string) => (scene.mine.of(name) < 0.02 ? 0 : scene.mine.of(name));
  return scene.others
    .filter(
      (name) =>
        name !== suspect &&
        scene.mine.of(name) < 0.14 &&
        scene.accusersOf(name).length > 0 &&
        !scene.hasSaid(name, 'defend'),
    )
    .sort((one, other) => known(one) - known(other))[0];
}
