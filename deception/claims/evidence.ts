// The evidence for and against a claim: what decides it, and what its speaker had of it.
import { isType, type EventOf, type GameEvent } from '../../state/event.ts';
import { roleNamed } from '../../state/roles/index.ts';
import type { Team } from '../../state/teams.ts';
import type { PublicSetup } from '../../state/view.ts';
import type { Knowledge } from '../knowledge/knowledge.ts';
import type { Claim, Utterance } from './claim.ts';
import type { Memory } from './memory.ts';
import { propositionOf } from './proposition-of.ts';
import { holds, type Facts } from './truth.ts';
import { verdictOf, type Evidence, type Verdict } from './verdict.ts';

/** The moment of a statement. */
export interface Occasion {
  said: Utterance;
  /** How many events had happened. */
  before: number;
  table: PublicSetup;
  facts: Facts;
  known: Knowledge;
  remembers: Memory;
  /** Claims of earlier statements. */
  earlier: readonly Claim[];
  /** What the living others knew at that moment. */
  listeners: readonly Knowledge[];
}

export interface Judgement {
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

/** All events of the match stand in `all`: a promise is decided by what follows. */
export function judge(claim: Claim, occasion: Occasion, all: readonly GameEvent[]): Judgement {
  if (claim.type === 'promise') return judgePromise(claim, occasion, all);
  if (claim.type === 'speech') return judgeSpeech(claim, occasion);
  const settled = withoutWrongRound(claim, occasion);
  const evidence = ofFact(settled, occasion);
  const { isTrue, known } = evidence;
  return {
    verdict: verdictOf(claim, evidence),
    isTrue,
    isKnown: known !== 'unknown',
    knownTo: isTrue === null ? [] : namesOf(occasion.listeners.filter(couldKnow(settled, occasion))),
    decidedBy: deciding(settled, occasion),
  };
}

const namesOf = (players: readonly Knowledge[]) => players.map(({ me }) => me);

function couldKnow(claim: Claim, { table }: Occasion): (listener: Knowledge) => boolean {
  const proposition = propositionOf(claim, table);
  return (listener) => proposition === null || listener.known(proposition) !== 'unknown';
}

/** To err in the round of what did happen is held against nobody: then the claim is taken without it. */
function withoutWrongRound(claim: Claim, { table, facts }: Occasion): Claim {
  const dated = propositionOf(claim, table);
  if (claim.when === null || !claim.polarity || !dated || holds(dated, facts)) return claim;
  const undated = { ...claim, when: null };
  const proposition = propositionOf(undated, table);
  return proposition && holds(proposition, facts) ? undated : claim;
}

/** All of it stays in the prompts of those who could ever know it. */
function ofFact(claim: Claim, occasion: Occasion): Evidence {
  const { table, facts, known } = occasion;
  const proposition = propositionOf(claim, table);
  if (!proposition || isYetToCome(claim, facts.events))
    return { isTrue: null, known: 'unknown', isForgotten: false, belief: null };
  return {
    isTrue: holds(proposition, facts),
    known: known.known(proposition),
    isForgotten: false,
    belief: beliefOf(claim, occasion),
  };
}

/** A vote of today of somebody who has not voted yet: who knows what is meant. */
const isYetToCome = ({ type, subject, when, round }: Claim, events: readonly GameEvent[]) =>
  type === 'vote' &&
  when === round &&
  !events.some((event) => votes.includes(event.type) && 'by' in event && event.by === subject && event.round === round);

const votes: readonly GameEvent['type'][] = ['ballot', 'pseudo_ballot', 'badge_ballot'];

/** Everybody heard it: that it was said is false only where nothing of the kind ever was. */
function judgeSpeech(claim: Claim, occasion: Occasion): Judgement {
  const { facts, said, before, listeners, remembers } = occasion;
  const decidedBy = deciding(claim, occasion);
  const isFound = decidedBy.length > 0;
  const own = wordsBy(claim.subject, facts.events);
  const isSaid = isFound ? true : own.some((event) => isNamed(claim, textOf(event))) ? null : false;
  const isTrue = isSaid === null ? null : isSaid === claim.polarity;
  const telling = wordsBy(
    claim.subject,
    decidedBy.map((place) => facts.events[place]!),
  );
  // To know that it was said takes one time that it was, to know that it was not takes all that was said.
  const recalls = (name: string) => {
    const isThere = (event: Words) => remembers(name, said, before, event);
    return isFound ? telling.some(isThere) : own.every(isThere);
  };
  const isForgotten = !recalls(claim.by);
  const known = isTrue === null ? 'unknown' : isTrue ? 'true' : 'false';
  return {
    verdict: verdictOf(claim, { isTrue, known, isForgotten, belief: null }),
    isTrue,
    isKnown: known !== 'unknown' && !isForgotten,
    knownTo: isTrue === null ? [] : namesOf(listeners).filter(recalls),
    decidedBy,
  };
}

type Words = EventOf<'statement'> | EventOf<'ballot'>;

const wordsBy = (name: string, events: readonly GameEvent[]): Words[] =>
  events.filter((event) => isType('statement')(event) || isType('ballot')(event)).filter(({ by }) => by === name);

const textOf = (event: Words) =>
  event.type === 'statement' ? event.text : `${event.target} ${event.explanation ?? ''}`;

function isNamed({ role, team, object }: Claim, text: string): boolean {
  const roleWords = role === null ? [] : [role, roleNamed(role).plural];
  const named = [...roleWords, ...(object === null ? [] : [object])];
  return team !== null || named.some((word) => text.toLowerCase().includes(word.toLowerCase()));
}

/** What the speaker last put in numbers about the subject, in beliefs that were asked for or in an analysis. */
function beliefOf({ type, subject, by }: Claim, { facts }: Occasion): number | null {
  if (type !== 'accusation' && type !== 'defence') return null;
  const last = facts.events.findLast(
    (event) =>
      (event.type === 'beliefs' && event.by === by && event.p_werewolf[subject] !== undefined) ||
      (event.type === 'assessment' && event.by === by && event.about === subject && event.p_werewolf !== undefined),
  );
  if (last?.type === 'beliefs') return last.p_werewolf[subject] ?? null;
  return last?.type === 'assessment' ? (last.p_werewolf ?? null) : null;
}

function deciding(claim: Claim, { facts, earlier }: Occasion): number[] {
  const { type, subject, object, when } = claim;
  const places = (isIt: (event: GameEvent) => boolean) =>
    facts.events.flatMap((event, place) =>
      isIt(event) && (when === null || event.round === when || event.type === 'dealt') ? [place] : [],
    );
  const dealt = (event: GameEvent) => event.type === 'dealt' && event.player === subject;
  switch (type) {
    case 'own_role':
    case 'role':
    case 'accusation':
    case 'defence':
      return places(dealt);
    case 'check':
      return places(
        (event) => dealt(event) || (event.type === 'learned' && event.by === subject && event.about === object),
      );
    case 'act':
      return places(
        (event) =>
          dealt(event) ||
          ((event.type === 'acted' || event.type === 'last_act') &&
            event.by === subject &&
            claim.verbs.includes(event.verb)),
      );
    case 'vote':
      return places((event) => votes.includes(event.type) && 'by' in event && event.by === subject);
    case 'departure':
      return places((event) => event.type === 'death' && event.player === subject);
    case 'speech': {
      const told = new Set(earlier.filter((one) => isWhatWasSaid(one, claim)).map(({ statement }) => statement));
      return places((event) => (event.type === 'statement' || event.type === 'ballot') && told.has(event.id));
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
  { before }: Occasion,
  all: readonly GameEvent[],
): Judgement {
  const open = { isTrue: null, isKnown: false, knownTo: [] };
  const place = all.findIndex(
    (event, at) => at > before && isType('ballot')(event) && event.by === by && event.round === when,
  );
  const ballot = all[place] as EventOf<'ballot'> | undefined;
  if (!ballot || ballot.mark !== undefined || object === null) return { ...open, verdict: 'moot', decidedBy: [] };
  const isFor = ballot.target === object;
  if (polarity && !isFor && !couldBeNamed(object, all.slice(0, place), ballot.round))
    return { ...open, verdict: 'moot', decidedBy: [place] };
  return { ...open, verdict: isFor === polarity ? 'kept' : 'broken', decidedBy: [place] };
}

/** Whether a ballot could name the player: alive, and among the tied where it is between them. */
function couldBeNamed(name: string, events: readonly GameEvent[], round: number): boolean {
  const tied = events.filter(isType('tie')).findLast((event) => event.round === round);
  return (
    !events.some((event) => event.type === 'death' && event.player === name) && (tied?.players.includes(name) ?? true)
  );
}
