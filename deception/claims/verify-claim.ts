// Judges a claim: verdicts and what they mean (a lie, an error, …), then the evidence for them: what the record says, what
// the speaker knew, which events decide it.
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
  /** Known by the speaker to be false. */
  'lie',
  /** Against the speaker's own belief, or said as an opinion and known to be false. */
  'insincere',
  /** About what was said: false, and the words that show it no longer stood in the speaker's prompt. */
  'forgotten',
  /** False, which the speaker could not know. */
  'error',
  /** True, which the speaker could not know. */
  'unwarranted',
  /** True, and the speaker knew. */
  'true',
  /** The record does not say. */
  'unverifiable',
  'kept',
  'broken',
  /** A promise that came to nothing: no vote of the speaker's followed, or the player could not be voted for. */
  'moot',
]);
export type Verdict = z.infer<typeof Verdict>;

/** The verdicts that a statement can have, the gravest first. Verdicts of promises are not among them. */
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
  /** By the record; null where it does not say. */
  isTrue: boolean | null;
  /** What the speaker could be certain of, from facts and from all that was ever said to everybody. */
  known: TruthValue;
  /** Whether the public words that decide it no longer stood in the speaker's prompt, so that it was not known. */
  isForgotten: boolean;
  /** The speaker's own last probability that the subject is a Werewolf; null where none was asked. */
  belief: number | null;
}

/** How far, on a scale of 0 to 1, a belief must lie on the other side of 0.5 to make an accusation or a defence insincere. */
export const insincerityMargin = 0.2;

/** The verdict of any claim but a promise. */
export function decideVerdict(claim: Claim, { isTrue, known, isForgotten, belief }: ClaimEvidence): Verdict {
  if (isTrue === null) return 'unverifiable';
  if (known === 'false' && !isForgotten) return claim.hedged ? 'insincere' : 'lie';
  if (known === 'true' && !isForgotten) return 'true';
  if (belief !== null && isAgainst(claim, belief)) return 'insincere';
  if (isTrue) return 'unwarranted';
  return isForgotten ? 'forgotten' : 'error';
}

/** An accusation says "rather than not", a defence "rather not". */
function isAgainst({ type }: Claim, belief: number): boolean {
  if (type === 'accusation') return 0.5 - belief > insincerityMargin;
  return type === 'defence' && belief - 0.5 > insincerityMargin;
}

/**
 * The gravest verdict of a statement's claims; null for a statement without any.
 * @example
 * findGravestVerdict(['true', 'lie']); // 'lie'
 */
export function findGravestVerdict(verdicts: readonly Verdict[]): Verdict | null {
  if (verdicts.length === 0) return null;
  return verdictsByGravity.find((verdict) => verdicts.includes(verdict)) ?? 'unverifiable';
}

// The engine's label of a statement, against which listeners' judgements are scored: a lie, no lie, or no label.

const honest: readonly Verdict[] = ['true', 'unwarranted', 'error', 'forgotten'];

/** Null where there is no label: without a claim that the record can decide, or for `insincere`, which no listener can see. */
export function getLieLabel(verdict: Verdict | null): boolean | null {
  if (verdict === 'lie') return true;
  return verdict !== null && honest.includes(verdict) ? false : null;
}

/** What is needed to judge the claims of one statement, as it was when the statement was made. */
export interface StatementContext {
  said: Utterance;
  /** How many events had happened. */
  before: number;
  table: PublicSetup;
  facts: GroundTruth;
  known: Knowledge;
  remembers: PromptVisibility;
  /** Claims of earlier statements. */
  earlier: readonly Claim[];
  /** What the living others knew at that moment. */
  listeners: readonly Knowledge[];
}

export interface ClaimVerification {
  verdict: Verdict;
  /** Whether it is so by the record; null where that does not say, and for promises. */
  isTrue: boolean | null;
  /** Whether the speaker knew that it is so, or that it is not. */
  isKnown: boolean;
  /** The living others who could know as much, of public words only what still stood in their prompts. */
  knownTo: string[];
  /** Places in the record's events of those that decide it. */
  decidedBy: number[];
}

/** `all` holds all events of the match, later ones too: whether a promise was kept is decided by what follows. */
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

/** To err in the round of what did happen is held against nobody: then the claim is taken without it. */
function dropWrongRound(claim: Claim, { table, facts }: StatementContext): Claim {
  const dated = createProposition(claim, table);
  if (claim.when === null || !claim.polarity || !dated || isTrueInRecord(dated, facts)) return claim;
  const undated = { ...claim, when: null };
  const proposition = createProposition(undated, table);
  return proposition && isTrueInRecord(proposition, facts) ? undated : claim;
}

/** All of it stays in the prompts of those who could ever know it. */
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

/** A vote of today of somebody who has not voted yet: who knows what is meant. */
const isYetToCome = ({ type, subject, when, round }: Claim, events: readonly GameEvent[]) =>
  type === 'vote' && when === round && !events.some((event) => isVoteBy(subject, event) && event.round === round);

const votes: readonly GameEvent['type'][] = ['ballot', 'pseudo_ballot', 'badge_ballot'];

const isVoteBy = (subject: string, event: GameEvent) =>
  subject === everybody ? event.type === 'ballot' : votes.includes(event.type) && 'by' in event && event.by === subject;

/** Everybody heard it: that it was said is false only where nothing of the kind ever was. */
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
  // To know that it was said takes one time that it was, to know that it was not takes all that was said.
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

/** What the speaker last put in numbers about the subject, in beliefs that were asked for or in an analysis. */
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

/** Whether a ballot could name the player: alive, and among the tied where it is between them. */
function canBeNamed(name: string, events: readonly GameEvent[], round: number): boolean {
  const tied = events.filter(isEventOfType('tie')).findLast((event) => event.round === round);
  return (
    !events.some((event) => event.type === 'death' && event.player === name) && (tied?.players.includes(name) ?? true)
  );
}
