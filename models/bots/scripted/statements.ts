// Statements: what a player says next. The village speaks truthfully; Werewolves speak harmlessly or deceive.
import type { RandomSource } from '../../../state/random.ts';
import type { Team } from '../../../state/teams.ts';
import { addArticle } from '../../../state/text.ts';
import type { GameAnalysis } from './game-analysis.ts';
import { isVillagePower, type GameFacts } from './game-facts.ts';
import { mergeActs, type SpeechAct } from './parse-speech-acts.ts';

const list = (text: string): readonly string[] => text.split('|').map((phrase) => phrase.trim());

export const phrases = {
  accuse: list(`I suspect {T}. | My suspicion falls on {T}. | I think {T} is {aWolf}. | {T} looks like {aWolf} to me. |
    {T} worries me more than anybody else. | I do not trust {T}. | I keep coming back to {T}. |
    {T} is the one I would send away today. | {T} does not add up for me. | {T} is at the top of my list. |
    Something about {T} seems off to me. | For now, {T} is my main suspect. | {T}, I think you are {aWolf}.`),
  urge: list(`We should exile {T} today. | {T} has to go today. | Let us not waste this day: {T} must go. |
    I will vote for {T}, and I hope most of us do.`),
  vote: list(`I vote for {T}. | My vote goes to {T}. | My vote is for {T}. | Today I vote for {T}. |
    I vote to exile {T}. | I give my vote to {T}.`),
  second: list(`I agree with {S} about {T}. | {S} is right about {T}. | Like {S}, I suspect {T}. |
    I come to the same place as {S}: I would vote for {T}. | With {S}, I say we should exile {T}.`),
  defend: list(`I trust {T}. | I do not think {T} is {aWolf}. | {T} sounds honest to me. | I believe {T}. |
    I would not vote for {T} today. | Leave {T} alone; there are better candidates. | I side with {T} here. |
    I doubt that {T} is {aWolf}. | To me, {T} seems sincere.`),
  ask: list(`{T}, whom do you suspect? | {T}, where do you stand? | I would like to hear from {T}. |
    {T}, who would get your vote now? | {T}, what is your reading of the table? | {T}, what is on your mind? |
    {T}, is there anything you have noticed? | {T}, what do you say to all this?`),
  askBack: list(`{T}, what did I do to deserve that? | {T}, which words of mine do you mean? |
    {T}, what exactly have you seen me do?`),
  deny: list(`I am not {aWolf}. | I am no {wolf}. | I am on the side of the village. | I am with the village. |
    I have nothing to hide.`),
  denyTo: list(`{S}, you are wrong about me. | {S}, I say it plainly: I am not {aWolf}. |
    You are wrong about me, {S}. | {S}, I understand the doubt, but I am on the side of the village.`),
  answer: list(`Exiling me would cost us a day. | Ask me anything and I will answer. | It is not what you think. |
    That is a lot to build on so little. | A feeling should not decide a vote. | Tell me what I did, not how it felt.`),
  undecided: list(`{S}, I have not made up my mind yet. | {S}, ask me again when I have heard more.`),
  claim: list(`I am {aR}. | It is time to say it: I am {aR}. | Before you vote, know this: I am {aR}. |
    I did not want to say it, but I am {aR}. | I have to show my hand: I am {aR}.`),
  dispute: list(`{S} is lying: I am {aR}. | I am {aR}, so {S} must be lying. |
    What {S} says can not be, because I am {aR} and {S} is lying.`),
  werewolves: list(`I checked {T}: {wolf}. | I checked {T}: {T} is {aWolf}. | My check of {T} showed {aWolf}. |
    I have checked {T}. The answer was {wolf}.`),
  villagers: list(`I checked {T}: {T} is not {aWolf}. | My check of {T} showed no {wolf}. |
    I have checked {T}, who is not {aWolf}. | I checked {T} and found no {wolf}.`),
  identified: {
    werewolves: list(
      `I identified {T}: {wolf}. | I identified {T}: {T} is {aWolf}. | I have identified {T} as {aWolf}.`,
    ),
    villagers: list(`I identified {T}: {T} is not {aWolf}. | I identified {T} and found no {wolf}.`),
  },
  follow: list(`A vote has to go somewhere: {T}. | I follow the others, who name {T}. | One name is enough: {T}.`),
  insist: list(`Believe me. | Take my word for it. | I mean every word. | I would not say it lightly.`),
  stand: list(`I stand for Sheriff. | I stand for Sheriff because I listen before I judge. |
    With the badge, I will weigh every voice. | Elect me, and each of our debates will be summed up fairly.`),
  // Reasons for an accusation.
  reported: list(`{S} checked {T} and found {aWolf}. | The check of {S} speaks a clear language. |
    {S} has told us what {T} is.`),
  feeling: list(`It is only a feeling, but it will not go away. | I have nothing firm yet. | Call it instinct. |
    We have little to go on, so I go by the tone. | It is early, but let me put a name on the table. |
    There is no proof, but we must choose somebody. | Somebody has to be first, so I say it openly.`),
  remark: list(`Let us hear everybody before we vote. | A split vote helps only the {wolves}. |
    I would rather hear reasons than names. | Let us stay with what can be checked: votes and words. |
    There are {n} of us left, and every vote counts. | With {n} of us left, we cannot afford a mistake. |
    Somebody here knows more than they say. | Let us listen to each other today.`),
};

/** Plans a statement. `isLie` matters only to a Werewolf. */
export type StatementPlan = (game: GameAnalysis, isLie: boolean, draw: RandomSource) => Part[];

export const planDebate: StatementPlan = (game, isLie, draw) => {
  const { me, mine, isPack, accuser, asker } = game;
  if (isPack && isLie) return planLie(game, draw);
  if (isPack && accuser !== undefined) return [address('ask', accuser, phrases.askBack), observe(game)];
  if (isPack && asker !== undefined) return [remark(phrases.undecided, { S: asker }), observe(game)];
  if (isPack) return chat(game, draw);
  if (game.hasToReveal) return reveal(game);
  const answers = accuser !== undefined ? [deny(accuser)] : []; // a question is answered by naming a suspect
  const [suspect] = game.rank(game.others, draw);
  if (suspect === undefined) return [...answers, avow()];
  const reporter = game.findReporter(suspect);
  if (reporter !== undefined && !game.hasSaid(reporter, 'defend'))
    return [...answers, address('defend', reporter, phrases.defend), accuse(game, suspect, 'urge')];
  if (game.hasSaid(suspect, 'accuse')) return answers.length > 0 ? answers : chat(game, draw);
  const sureness = game.known.has(suspect) ? 0.5 : mine(suspect); // a player does not argue from secret knowledge
  const average = game.packSize / Math.max(1, game.view.players.length - 1); // the prior
  const ally = game.accusersOf(suspect).findLast((name) => name !== me && mine(name) < average);
  if (sureness < 0.7 && ally !== undefined && draw.fraction() < 0.55) return [...answers, second(suspect, ally)];
  const isVague = sureness < 1.15 * average && game.todays.length < 2 && draw.fraction() < 0.6;
  return [...answers, ...(isVague ? chat(game, draw) : [accuse(game, suspect, sureness > 0.7 ? 'urge' : 'accuse')])];
};

type AimedKind = 'accuse' | 'defend' | 'ask' | 'follow';
/** Creates a part of a statement: an act on one player, worded by a phrase of `bank`. */
const address = (kind: AimedKind, T: string, bank: Phrases, slots: Slots = {}, why?: Phrases) =>
  express([{ kind, target: T }], bank, { ...slots, T }, why);
const second = (target: string, S: string) => address('accuse', target, phrases.second, { S });
const remark = (bank: Phrases, slots = {}) => express([], bank, slots);
const avow = () => express([{ kind: 'deny' }], phrases.deny);
const deny = (S: string) => express([{ kind: 'deny' }], phrases.denyTo, { S }, phrases.answer);
const claim = ({ name: role }: { name: string }) => express([{ kind: 'claim', role }], phrases.claim, { R: role });
const report = (target: string, team: Team, banks: Readonly<Record<Team, Phrases>> = phrases) =>
  express([{ kind: 'report', target, team }], banks[team], { T: target });
const dispute = (rival: string, role: string) =>
  express([{ kind: 'claim', role }, ...address('accuse', rival, []).acts], phrases.dispute, { R: role, S: rival });

/** Accuses a player. The reason is a reported check or a feeling; secret knowledge is not called a feeling. */
function accuse(game: GameAnalysis, target: string, tone: 'accuse' | 'urge' | 'vote' = 'accuse'): Part {
  const S = game.findReporter(target);
  if (S !== undefined) return address('accuse', target, phrases[tone], { S }, phrases.reported);
  const isSecret = game.known.get(target)?.team === 'werewolves';
  return address('accuse', target, phrases[tone], {}, isSecret ? [] : phrases.feeling);
}

/** Reveals the player's role (unless already claimed) and the results of the player's checks. */
function reveal(game: GameAnalysis): Part[] {
  const checks = game.untold.slice(0, 3);
  const found = checks.find(({ target, team }) => team === 'werewolves' && game.isAlive(target));
  const first = game.impostor === undefined ? claim(game.own) : dispute(game.impostor, game.own.name);
  const banks = game.own.powers.some(({ actor }) => actor === 'moderator') ? phrases.identified : phrases;
  const parts = checks.map(({ target, team }) => report(target, team, banks));
  const isOut = game.hasClaimed(game.me, [game.own]);
  return [...(isOut ? [] : [first]), ...parts, ...(found ? [accuse(game, found.target, 'urge')] : [])];
}

/** Plans a Werewolf's deceptive statement. */
function planLie(game: GameAnalysis, draw: RandomSource): Part[] {
  const { learners, accuser, pressedMate } = game;
  const hasTold = game.reports.some(({ by, round }) => by === game.me && round === game.view.round);
  if (game.hasClaimed(game.me, learners) && !hasTold) return inventCheck(game);
  const isHot = game.isUnderFire || game.publicly(game.me) > 0.55;
  const isFree = !game.view.players.some((name) => game.hasClaimed(name, learners));
  const story = draw.fraction() < (isHot ? 0.7 : isFree ? 0.1 : 0) ? claimFalsely(game, draw) : [];
  if (story.length > 0) return story;
  if (accuser !== undefined) return [deny(accuser), ...blame(game, draw)];
  return pressedMate !== undefined && draw.fraction() < 0.4 ? [accuse(game, pressedMate)] : blame(game, draw);
}

/** Accuses a village player, preferably one whom others already suspect. */
function blame(game: GameAnalysis, draw: RandomSource): Part[] {
  const [victim] = game.rank(game.victims);
  if (victim === undefined) return [avow()];
  const ally = game.accusersOf(victim).findLast((name) => name !== game.me && !game.isMate(name));
  return [ally !== undefined && draw.fraction() < 0.4 ? second(victim, ally) : accuse(game, victim)];
}

/**
 * Claims a power of the village. If a player has reported a check that found a Werewolf, claims to be the real holder
 * of the checking role, and reports that player as a Werewolf.
 */
function claimFalsely(game: GameAnalysis, draw: RandomSource, roles = game.roles.filter(isVillagePower)): Part[] {
  const { learners } = game;
  const finds = game.reports.filter(({ by, team }) => team === 'werewolves' && game.victims.includes(by));
  const accuser = finds.findLast(({ target }) => !game.victims.includes(target))?.by;
  if (game.hasClaimed(game.me)) return [];
  if (accuser !== undefined && learners[0] && !game.mates.some((name) => game.hasClaimed(name, learners)))
    return [dispute(accuser, learners[0].name), report(accuser, 'werewolves')];
  const free = roles.filter((role) => !game.view.players.some((name) => game.hasClaimed(name, [role])));
  const role = free.length > 0 ? draw.pick(free) : undefined;
  return role ? [claim(role), ...(learners.includes(role) ? inventCheck(game) : [])] : [];
}

/** Invents a check that shows a village player to be a Werewolf. */
function inventCheck(game: GameAnalysis): Part[] {
  const [victim] = game.rank(game.victims.filter((name) => !game.hasReported(name)));
  return victim === undefined ? [avow()] : [report(victim, 'werewolves')];
}

/** Keeps the talk going without naming a suspect. */
const chat = (game: GameAnalysis, draw: RandomSource): Part[] =>
  draw.fraction() < 0.5 ? [observe(game), inquire(game, draw)] : [inquire(game, draw)];
const observe = ({ view }: GameAnalysis) => remark(phrases.remark, { n: `${view.alive.length}` });

/** Asks a player who has been silent, or else any player. */
function inquire(game: GameAnalysis, draw: RandomSource): Part {
  const silent = game.others.filter((name) => !game.todays.some(({ by }) => by === name));
  const group = silent.length > 0 && draw.fraction() < 0.7 ? silent : game.others;
  return address('ask', draw.pick(group), phrases.ask);
}

/** Plans the speech of a candidate for Sheriff. */
export const planCampaign: StatementPlan = (game, isLie, draw) => {
  const story = isLie && draw.fraction() < 0.3 ? claimFalsely(game, draw, game.learners) : [];
  const share = game.untold.some(({ team }) => team === 'werewolves') ? 0.7 : game.untold.length > 0 ? 0.3 : 0;
  const isShown = !game.isPack && (game.hasToReveal || draw.fraction() < share);
  const pledge = isShown ? reveal(game) : story.length > 0 ? story : [isLie ? avow() : observe(game)];
  return [remark(phrases.stand), ...pledge];
};

/**
 * Plans the reasons to exile `target`, for a ballot or as Sheriff. A player without a true reason follows other
 * players.
 */
export const planExplanation =
  (target: string, tone: 'vote' | 'urge' = 'vote'): StatementPlan =>
  (game, isLie, draw) => {
    const ally = game.accusersOf(target).findLast((name) => name !== game.me);
    const isForced = !game.isPack && game.known.get(target)?.team === 'villagers'; // there is no other choice
    if (isForced || (game.isPack && !isLie)) return [address('follow', target, phrases.follow)];
    return [ally !== undefined && draw.fraction() < 0.3 ? second(target, ally) : accuse(game, target, tone)];
  };

// Wordings for a part of a statement. Wordings that were heard before are avoided.

type Phrases = readonly string[];
type Slots = Readonly<Record<string, string>>;

/** A part of a statement, in one or two phrases. */
type Part = ReturnType<typeof express>;

/** Expresses acts by a phrase of `bank`, and optionally a phrase of `why` that gives a reason. */
function express(acts: readonly SpeechAct[], bank: Phrases, slots: Slots = {}, why: Phrases = []) {
  const pairs = why.flatMap((one) => bank.flatMap((phrase) => [[one, phrase], [phrase, one]])); // prettier-ignore
  return { acts, slots, ways: [...pairs, ...bank.map((phrase) => [phrase])] };
}

/** Share of lies and of other statements that bots insist on. An attentive listener can recognize lies by this. */
const insistence = { lie: 0.8, other: 0.1 };

/**
 * Returns the statement, followed by a phrase that insists on it if the rules' word limit allows that. Nobody insists
 * on a question.
 */
export function addInsistence(
  facts: GameFacts,
  text: string,
  meant: keyof typeof insistence,
  draw: RandomSource,
): string {
  const isInsisted = draw.fraction() < insistence[meant];
  const whole = `${text} ${draw.pick(phrases.insist)}`;
  return isInsisted && !text.endsWith('?') && whole.split(' ').length <= countMostWords(facts) ? whole : text;
}

export const isInsistedOn = (text: string): boolean => phrases.insist.some((phrase) => text.endsWith(phrase));

const countMostWords = ({ view: { rules } }: GameFacts) =>
  rules.maxWords <= 12 ? rules.maxWords : Math.min(55, Math.floor(rules.maxWords * 0.8));

/** Renders the parts in order, as far as they fit into the rules' word limit. Always returns a text. */
export function renderParts(facts: GameFacts, parts: readonly Part[], draw: RandomSource) {
  const most = countMostWords(facts);
  const said: string[] = [];
  const acts: SpeechAct[] = [];
  for (const part of parts) {
    const heard = [...facts.remarks.map(({ text }) => text), ...said];
    const ways = draw.shuffle(part.ways).flatMap((way) => {
      const text = fillSlots(way.join(' '), part.slots, facts);
      const isFitting = [...said, text].join(' ').split(' ').length <= most;
      return isFitting ? [{ text, echoes: way.reduce((sum, phrase) => sum + countEchoes(phrase, heard), 0) }] : [];
    });
    if (ways.length === 0) continue;
    said.push(ways.reduce((best, way) => (way.echoes < best.echoes ? way : best)).text);
    acts.push(...part.acts);
  }
  return { text: said.join(' ') || 'Let us hear everybody.', acts: mergeActs(acts) };
}

/** Counts how often the words of a phrase, except its slots, were heard before. Recent occurrences count most. */
function countEchoes(phrase: string, heard: Phrases) {
  const [longest = ''] = phrase.split(/\{\w+\}/).sort((one, other) => other.length - one.length);
  return heard.reduce((sum, text, index) => (text.includes(longest) ? sum + 1 + index / heard.length : sum), 0);
}

function fillSlots(phrase: string, slots: Slots, { pack, roles }: GameFacts): string {
  const role = roles.find(({ name }) => name === slots['R']);
  const aR = role ? (role.count === 1 ? `the ${role.name}` : addArticle(role.name)) : '';
  const names: Slots = { wolf: pack.name, wolves: pack.plural, aWolf: addArticle(pack.name), aR };
  return phrase.replace(/\{(\w+)\}/g, (_, slot: string) => slots[slot] ?? names[slot] ?? slot);
}
