// Verdicts on claims (a lie, an error, …) and the evidence behind each verdict: the record, the speaker's knowledge,
// and the events that decide the claim.
import { z } from 'zod';
import { type EventOf, type GameEvent, isEventOfType } from '../../state/events.ts';
import { everybody } from '../../state/player-names.ts';
import { getRole } from '../../state/roles/index.ts';
import type { Team } from '../../state/teams.ts';
import type { PublicSetup } from '../../state/view.ts';
import type { Knowledge } from '../knowledge/player-knowledge.ts';
import { didAct, type TruthValue } from '../knowledge/propositions.ts';
import type { Claim, Utterance } from './claim.ts';
import { createProposition, type GroundTruth, isTrueInRecord } from './ground-truth.ts';
import type { PromptVisibility } from './prompt-visibility.ts';

export const Verdict = z.enum([
  /** The claim is false, and the speaker knew. */
  'lie',
  /** The claim contradicts the speaker's own belief, or is an opinion that the speaker knew to be false. */
  'insincere',
  /** A false report of speech: the words that disprove it were no longer in the speaker's prompt. */
  'forgotten',
  /** The claim is false, but the speaker could not know. */
  'error',
  /** The claim is true, but the speaker could not know. */
  'unwarranted',
  /** The claim is true, and the speaker knew. */
  'true',
  /** The record does not decide the claim. */
  'unverifiable',
  'kept',
  'broken',
  /** The promise could not be kept: the speaker cast no later ballot, or nobody could vote for that player. */
  'moot',
]);
export type Verdict = z.infer<typeof Verdict>;

/** Verdicts that a statement can have, gravest first. Verdicts on promises are excluded. */
export const verdictsByGravity: readonly Verdict[] = [
  'lie',
  'insincere',
  'forgotten',
  'error',
  'unwarranted',
  'true',
  'unverifiable',
];

export interface ClaimEvidence {
  /** Whether the claim is true by the record. Null if the record does not decide it. */
  isTrue: boolean | null;
  /**
   * Truth of the claim as far as the speaker could know it for certain, from facts and from all public words so far.
   */
  known: TruthValue;
  /**
   * Whether the public words that decide the claim were no longer in the speaker's prompt, so that the speaker did not
   * know.
   */
  isForgotten: boolean;
  /** The speaker's last stated probability that the subject is a Werewolf; null if the speaker was never asked. */
  belief: number | null;
}

/**
 * Minimum distance of a belief from 0.5, on a scale of 0 to 1, at which it can contradict a claim. A contrary belief
 * this far from 0.5 makes an accusation or a defence insincere.
 */
export const insincerityMargin = 0.2;

/** Decides the verdict of any claim except promises. */
export function decideVerdict(claim: Claim, { isTrue, known, isForgotten, belief }: ClaimEvidence): Verdict {
  if (isTrue === null) return 'unverifiable';
  if (known === 'false' && !isForgotten) return claim.hedged ? 'insincere' : 'lie';
  if (known === 'true' && !isForgotten) return 'true';
  if (belief !== null && isAgainst(claim, belief)) return 'insincere';
  if (isTrue) return 'unwarranted';
  return isForgotten ? 'forgotten' : 'error';
}

/**
 * Whether a belief contradicts the claim. An accusation says that the player is more likely than not a Werewolf; a
 * defence says the opposite.
 */
function isAgainst({ type }: Claim, belief: number): boolean {
  if (type === 'accusation') return 0.5 - belief > insincerityMargin;
  return type === 'defence' && belief - 0.5 > insincerityMargin;
}

/**
 * Returns the gravest verdict of a statement's claims; null for a statement without claims.
 * @example
 * findGravestVerdict(['true', 'lie']); // 'lie'
 */
export function findGravestVerdict(verdicts: readonly Verdict[]): Verdict | null {
  if (verdicts.length === 0) return null;
  return verdictsByGravity.find((verdict) => verdicts.includes(verdict)) ?? 'unverifiable';
}

// The engine's label of a statement: a lie, not a lie, or no label. Listeners' judgments are scored against this label.

const honest: readonly Verdict[] = ['true', 'unwarranted', 'error', 'forgotten'];

/**
 * Returns whether the verdict labels a statement as a lie. Null if the statement has no label, because the record
 * decides none of its claims, or because its verdict is `insincere`, which no listener can detect.
 */
export function getLieLabel(verdict: Verdict | null): boolean | null {
  if (verdict === 'lie') return true;
  return verdict !== null && honest.includes(verdict) ? false : null;
}

/** Everything that is needed to judge the claims of one statement, as known when the statement was made. */
export interface StatementContext {
  said: Utterance;
  /** Number of events before the statement. */
  before: number;
  table: PublicSetup;
  facts: GroundTruth;
  known: Knowledge;
  remembers: PromptVisibility;
  /** Claims of earlier statements. */
  earlier: readonly Claim[];
  /** Knowledge of each other living player at the time of the statement. */
  listeners: readonly Knowledge[];
}

export interface ClaimVerification {
  verdict: Verdict;
  /** Whether the claim is true by the record. Null if the record does not decide the claim, and for promises. */
  isTrue: boolean | null;
  /** Whether the speaker knew that the claim is true, or knew that it is false. */
  isKnown: boolean;
  /**
   * Other living players who could know whether the claim is true. Public words count only while they are in the
   * player's prompt.
   */
  knownTo: string[];
  /** Indices of the events that decide the claim. */
  decidedBy: number[];
}

/** Judges a claim. `all` holds all events of the match, because later events decide whether a promise was kept. */
export function verifyClaim(claim: Claim, occasion: StatementContext, all: readonly GameEvent[]): ClaimVerification {
  if (claim.type === 'promise') return judgePromise(claim, occasion, all);
  if (claim.type === 'speech') return judgeSpeech(claim, occasion);
  const settled = dropWrongRound(claim, occasion);
  const evidence = gatherFactEvidence(settled, occasion);
  const { isTrue, known } = evidence;
  return {
    verdict: decideVerdict(claim, evidence),
    isTrue,
    isKnown: known !== 'unknown',
    knownTo: isTrue === null ? [] : listNames(occasion.listeners.filter(createKnowsTest(settled, occasion))),
    decidedBy: listDecidingEvents(settled, occasion),
  };
}

const listNames = (players: readonly Knowledge[]) => players.map(({ me }) => me);

function createKnowsTest(claim: Claim, { table }: StatementContext): (listener: Knowledge) => boolean {
  const proposition = createProposition(claim, table);
  return (listener) => proposition === null || listener.evaluate(proposition) !== 'unknown';
}

/**
 * Drops the round from a claim if the claimed event happened in another round, so that an error in the round alone is
 * not a lie.
 */
function dropWrongRound(claim: Claim, { table, facts }: StatementContext): Claim {
  const dated = createProposition(claim, table);
  if (claim.when === null || !claim.polarity || !dated || isTrueInRecord(dated, facts)) return claim;
  const undated = { ...claim, when: null };
  const proposition = createProposition(undated, table);
  return proposition && isTrueInRecord(proposition, facts) ? undated : claim;
}

/** Gathers the evidence for a claim about facts. Facts stay in the prompts of everyone who could ever know them. */
function gatherFactEvidence(claim: Claim, occasion: StatementContext): ClaimEvidence {
  const { table, facts, known } = occasion;
  const proposition = createProposition(claim, table);
  if (!proposition || isYetToCome(claim, facts.events))
    return { isTrue: null, known: 'unknown', isForgotten: false, belief: null };
  return {
    isTrue: isTrueInRecord(proposition, facts),
    known: known.evaluate(proposition),
    isForgotten: false,
    belief: findBelief(claim, occasion),
  };
}

/** Whether the claim is about a vote today by somebody who has not voted yet, so that its truth is still open. */
const isYetToCome = ({ type, subject, when, round }: Claim, events: readonly GameEvent[]) =>
  type === 'vote' && when === round && !events.some((event) => isVoteBy(subject, event) && event.round === round);

const votes: readonly GameEvent['type'][] = ['ballot', 'pseudo_ballot', 'badge_ballot'];

const isVoteBy = (subject: string, event: GameEvent) =>
  subject === everybody ? event.type === 'ballot' : votes.includes(event.type) && 'by' in event && event.by === subject;

/**
 * Judges a report of speech. All players heard all speech, so a report is false only if nothing of the kind was ever
 * said.
 */
function judgeSpeech(claim: Claim, occasion: StatementContext): ClaimVerification {
  const { facts, said, before, listeners, remembers } = occasion;
  const decidedBy = listDecidingEvents(claim, occasion);
  const isFound = decidedBy.length > 0;
  const own = listWordsBy(claim.subject, facts.events);
  const isSaid = isFound ? true : own.some((event) => isNamed(claim, getWordsText(event))) ? null : false;
  const isTrue = isSaid === null ? null : isSaid === claim.polarity;
  const telling = listWordsBy(
    claim.subject,
    decidedBy.map((place) => facts.events[place]!),
  );
  // To know that something was said, one remembered occurrence is enough. To know that it was never said, a player must
  // remember all words.
  const canRecall = (name: string) => {
    const isThere = (event: Words) => remembers(name, said, before, event);
    return isFound ? telling.some(isThere) : own.every(isThere);
  };
  const isForgotten = !canRecall(claim.by);
  const known = isTrue === null ? 'unknown' : isTrue ? 'true' : 'false';
  return {
    verdict: decideVerdict(claim, { isTrue, known, isForgotten, belief: null }),
    isTrue,
    isKnown: known !== 'unknown' && !isForgotten,
    knownTo: isTrue === null ? [] : listNames(listeners).filter(canRecall),
    decidedBy,
  };
}

type Words = EventOf<'statement'> | EventOf<'ballot'>;

const listWordsBy = (name: string, events: readonly GameEvent[]): Words[] =>
  events
    .filter((event) => isEventOfType('statement')(event) || isEventOfType('ballot')(event))
    .filter(({ by }) => by === name);

const getWordsText = (event: Words) =>
  event.type === 'statement' ? event.text : `${event.target} ${event.explanation ?? ''}`;

function isNamed({ role, team, object }: Claim, text: string): boolean {
  const roleWords = role === null ? [] : [role, getRole(role).plural];
  const named = [...roleWords, ...(object === null ? [] : [object])];
  return team !== null || named.some((word) => text.toLowerCase().includes(word.toLowerCase()));
}

/** Finds the speaker's last stated probability about the subject, from a belief question or an analysis. */
function findBelief({ type, subject, by }: Claim, { facts }: StatementContext): number | null {
  if (type !== 'accusation' && type !== 'defence') return null;
  const last = facts.events.findLast(
    (event) =>
      (event.type === 'beliefs' && event.by === by && event.p_werewolf[subject] !== undefined) ||
      (event.type === 'assessment' && event.by === by && event.about === subject && event.p_werewolf !== undefined),
  );
  if (last?.type === 'beliefs') return last.p_werewolf[subject] ?? null;
  return last?.type === 'assessment' ? (last.p_werewolf ?? null) : null;
}

function listDecidingEvents(claim: Claim, { facts, earlier }: StatementContext): number[] {
  const { type, subject, object, when } = claim;
  const listPlaces = (isIt: (event: GameEvent) => boolean) =>
    facts.events.flatMap((event, place) =>
      isIt(event) && (when === null || event.round === when || event.type === 'dealt') ? [place] : [],
    );
  const isOwnDeal = (event: GameEvent) => event.type === 'dealt' && event.player === subject;
  switch (type) {
    case 'own_role':
    case 'role':
    case 'accusation':
    case 'defence':
      return listPlaces(isOwnDeal);
    case 'check':
      return listPlaces(
        (event) => isOwnDeal(event) || (event.type === 'learned' && event.by === subject && event.about === object),
      );
    case 'act':
      return listPlaces(
        (event) =>
          isOwnDeal(event) ||
          ((event.type === 'acted' || event.type === 'last_act') &&
            event.by === subject &&
            claim.verbs.includes(event.verb)) ||
          (event.type === 'pick' &&
            claim.verbs.includes(event.verb) &&
            isTrueInRecord(didAct({ by: subject, verb: event.verb, target: event.target, round: event.round }), facts)),
      );
    case 'vote':
      return listPlaces((event) => isVoteBy(subject, event));
    case 'departure':
      return listPlaces((event) => event.type === 'death' && event.player === subject);
    case 'speech': {
      const told = new Set(earlier.filter((one) => isWhatWasSaid(one, claim)).map(({ statement }) => statement));
      return listPlaces((event) => (event.type === 'statement' || event.type === 'ballot') && told.has(event.id));
    }
    case 'promise':
      return [];
  }
}

const isWhatWasSaid = (one: Claim, { subject, object, role, team }: Claim) =>
  one.by === subject &&
  (object === null
    ? one.type === 'own_role' && (team === null ? one.polarity && one.role === role : isOnSide(one, team))
    : one.type === 'accusation' || one.type === 'check'
      ? (one.object ?? one.subject) === object && (one.type === 'accusation' || one.team === 'werewolves')
      : false);

const isOnSide = ({ team, polarity }: Claim, side: Team) => team !== null && (team === side) === polarity;

function judgePromise(
  { by, object, polarity, when }: Claim,
  { before }: StatementContext,
  all: readonly GameEvent[],
): ClaimVerification {
  const open = { isTrue: null, isKnown: false, knownTo: [] };
  const place = all.findIndex(
    (event, at) => at > before && isEventOfType('ballot')(event) && event.by === by && event.round === when,
  );
  const ballot = all[place] as EventOf<'ballot'> | undefined;
  if (!ballot || ballot.mark !== undefined || object === null) return { ...open, verdict: 'moot', decidedBy: [] };
  const isFor = ballot.target === object;
  if (polarity && !isFor && !canBeNamed(object, all.slice(0, place), ballot.round))
    return { ...open, verdict: 'moot', decidedBy: [place] };
  return { ...open, verdict: isFor === polarity ? 'kept' : 'broken', decidedBy: [place] };
}

/**
 * Whether a ballot could name the player. The player must be alive. In a vote between tied players, the player must be
 * one of the tied players.
 */
function canBeNamed(name: string, events: readonly GameEvent[], round: number): boolean {
  const tied = events.filter(isEventOfType('tie')).findLast((event) => event.round === round);
  return (
    !events.some((event) => event.type === 'death' && event.player === name) && (tied?.players.includes(name) ?? true)
  );
}
