// Converts a judge's answer to claims. Keeps the claims whose quoted words are in the statement and that can be checked
// against the record.
import { everybody } from '../../state/player-names.ts';
import { getRole } from '../../state/roles/index.ts';
import { getCountedSide } from '../../state/roles/role.ts';
import type { Team } from '../../state/teams.ts';
import type { PublicSetup } from '../../state/view.ts';
import type { Claim, Utterance } from './claim.ts';
import { findQuote } from './find-quote.ts';
import { createLexicon } from './lexicon.ts';
import { listCheckVerbs } from './meant-claims.ts';

/** A claim as the judge stated it, with players and roles named as on this board. */
export interface QuotedClaim extends Pick<
  Claim,
  'type' | 'subject' | 'object' | 'role' | 'team' | 'verbs' | 'cause' | 'polarity' | 'hedged' | 'presupposed'
> {
  /** The words that the judge quoted from the statement. */
  quote: string;
  round: number | null;
}

export interface AcceptedClaims {
  claims: Claim[];
  /**
   * Number of the judge's claims that were dropped because their quote is not in the statement or they make no sense.
   */
  dropped: number;
  /** Indices of claims that make sense but whose quote is not in the statement. */
  unquoted: readonly number[];
}

/**
 * Returns the judge's claims that the statement supports, in the order of the words and without duplicates, and the
 * number of claims dropped.
 */
export function acceptQuotedClaims(
  statement: Utterance,
  stated: readonly QuotedClaim[],
  table: PublicSetup,
): AcceptedClaims {
  const read = stated.map((one) => ({
    one,
    words: findQuote(one.quote, statement.text),
    meaning: parseMeaning(one, statement, table),
  }));
  const found = read.flatMap(({ one: { hedged, presupposed }, words, meaning }) =>
    words && meaning ? [{ meaning, hedged, presupposed, words }] : [],
  );
  const distinct = [...Map.groupBy(found, ({ meaning }) => JSON.stringify(meaning)).values()].map(
    // a claim that is asserted once counts as asserted, even if it is hedged or presupposed elsewhere
    (same) => same.toSorted((one, other) => rankPlainness(one) - rankPlainness(other))[0]!,
  );
  const { id, by, round } = statement;
  const claims = distinct
    .filter(
      ({ meaning }) =>
        !isResultOfCheck(
          meaning,
          by,
          distinct.map((one) => one.meaning),
        ),
    )
    .sort((one, other) => one.words.from - other.words.from || one.words.to - other.words.to)
    .map(({ meaning, hedged, presupposed, words }, index): Claim => ({
      id: `${id}#${index + 1}`,
      statement: id,
      by,
      round,
      ...meaning,
      hedged,
      presupposed,
      words,
    }));
  const unquoted = read.flatMap(({ words, meaning }, index) => (meaning && !words ? [index] : []));
  return { claims, dropped: read.length - found.length, unquoted };
}

const rankPlainness = ({ hedged, presupposed }: { hedged: boolean; presupposed: boolean }) =>
  Number(hedged) + 2 * Number(presupposed);

type Meaning = Omit<Claim, 'id' | 'statement' | 'by' | 'round' | 'hedged' | 'presupposed' | 'words'>;

/**
 * Whether a claim only repeats the result of the speaker's own check in the same statement, and so is part of the
 * check. False if the statement also says that the checked player left, because the game may have revealed that role:
 * "N1 Dan: Villager (dead, confirmed)".
 */
const isResultOfCheck = ({ type, subject, role }: Meaning, by: string, said: readonly Meaning[]) =>
  ['role', 'accusation', 'defence'].includes(type) &&
  !said.some((other) => other.type === 'departure' && other.subject === subject && other.polarity) &&
  said.some(
    (check) =>
      check.type === 'check' &&
      check.subject === by &&
      check.object === subject &&
      check.polarity &&
      (check.role !== null
        ? role === null || role === check.role
        : check.team !== null && role === null && (type === 'accusation') === (check.team === 'werewolves')),
  );

/** Converts a claim to the form that the rules extract; null if the claim does not fit its type. */
function parseMeaning(one: QuotedClaim, said: Utterance, table: PublicSetup): Meaning | null {
  const { type, subject, object, polarity, cause, round: when } = one;
  if (subject === everybody && type !== 'vote') return null;
  const bare = { type, subject, object: null, role: null, team: null, verbs: [], cause: null, when: null, polarity };
  switch (type) {
    case 'own_role':
    case 'role':
    case 'accusation':
    case 'defence':
      return createIdentityMeaning(one, said.by, bare);
    case 'check':
      return object === null ? null : { ...bare, object, ...generalizeToSide(one), verbs: listCheckVerbs(table), when };
    case 'act':
      return object === null ? null : createActMeaning(one, { ...bare, object, when }, table);
    case 'vote':
      return object && !isThisBallot(one, said) ? { ...bare, object, when } : null;
    case 'departure':
      return { ...bare, cause, when };
    case 'speech': {
      const isSaid = object !== null || one.role !== null || one.team !== null;
      if (!isSaid || !polarity) return null;
      if (subject === said.by) return parseMeaning(restateOwnWords(one), said, table);
      return { ...bare, ...(object ? { object } : generalizeToSide(one)) };
    }
    case 'promise':
      return object && isPromise(one, said) ? { ...bare, object, when: when ?? said.round } : null;
  }
}

/** Replaces a Werewolf role by its side, because the role says no more than the side. */
function generalizeToSide({ role, team }: QuotedClaim): { role: string | null; team: Team | null } {
  if (role === null) return { role, team };
  const side = getCountedSide(getRole(role));
  return side === 'werewolves' ? { role: null, team: side } : { role, team: null };
}

/**
 * Converts a speaker's report of an earlier claim of their own ("I said that I am the Seer") to that claim, because
 * repeating a claim makes it again.
 */
const restateOwnWords = (one: QuotedClaim): QuotedClaim =>
  one.object === null
    ? { ...one, type: 'own_role' }
    : { ...one, type: 'accusation', subject: one.object, object: null, role: null, team: null };

/**
 * Finds the verb of an act: the verb that the judge states, else a verb in the quoted words, else a verb of the stated
 * role. If none of these gives a verb, the claim may mean any act of the village's roles on the board.
 */
function createActMeaning(one: QuotedClaim, bare: Meaning, table: PublicSetup): Meaning | null {
  if (one.verbs.length > 0) return { ...bare, verbs: one.verbs };
  const { past, infinitive, gerund, register } = createLexicon(table);
  const words = one.quote.toLowerCase().match(/\p{L}+/gu) ?? [];
  const said = words.flatMap((word) => past.get(word) ?? infinitive.get(word) ?? gerund.get(word) ?? []);
  if (said.some(({ isCheck }) => isCheck))
    return { ...bare, type: 'check', ...generalizeToSide(one), verbs: listCheckVerbs(table) };
  const onBoard = register.filter(({ name }) => (table.board.roles[name] ?? 0) > 0);
  const listVerbs = (names: readonly string[]) =>
    onBoard
      .filter(({ name }) => names.includes(name))
      .flatMap(({ powers, lastAct }) => [...powers, ...(lastAct ? [lastAct] : [])])
      .flatMap(({ aim, verb }) => (aim === 'learn' ? [] : [verb]));
  const candidates = [
    said.flatMap(({ verbs }) => verbs),
    one.role === null ? [] : listVerbs([one.role]),
    listVerbs(onBoard.filter(({ team }) => team === 'villagers').map(({ name }) => name)),
  ];
  const verbs = candidates.find((some) => some.length > 0);
  return verbs ? { ...bare, verbs: [...new Set(verbs)] } : null;
}

/**
 * Creates the meaning of a claim about identity. Its type is derived from the subject, the role or side, and the
 * denial. Null if the judge's type contradicts the derived type.
 */
function createIdentityMeaning(one: QuotedClaim, by: string, bare: Meaning): Meaning | null {
  const { type, subject, polarity } = one;
  const stated = generalizeToSide(one);
  const what = stated.role === null && stated.team === null ? findSideOfType(one) : { ...stated, polarity };
  if (what === null) return null;
  const accuses = (what.team === 'werewolves') === what.polarity;
  if (subject === by) return { ...bare, ...what, type: 'own_role' };
  const found = what.role !== null ? 'role' : accuses ? 'accusation' : 'defence';
  const isContradicted =
    (type === 'accusation' && polarity && (found === 'defence' || (found === 'role' && what.polarity))) ||
    (type === 'defence' && (found === 'accusation' || (found === 'role' && !what.polarity)));
  return isContradicted ? null : { ...bare, ...what, type: found };
}

/**
 * Returns the side that an accusation or a defence states without naming it. A defence states that the player is not a
 * Werewolf, even if the judge marks it as a denial.
 */
function findSideOfType({ type, polarity }: QuotedClaim): Pick<Meaning, 'role' | 'team' | 'polarity'> | null {
  if (type === 'accusation') return { role: null, team: 'werewolves', polarity };
  return type === 'defence' ? { role: null, team: 'werewolves', polarity: false } : null;
}

/** Returns whether the claim is about the ballot that the statement itself explains: "I vote for Dan because …". */
const isThisBallot = ({ subject, round }: QuotedClaim, { kind, by, round: now }: Utterance) =>
  kind === 'ballot' && subject === by && (round === null || round === now);

/**
 * Whether the claim is a promise. The explanation of a ballot announces that ballot, a campaign concerns other votes,
 * and considering a vote promises nothing.
 */
const isPromise = ({ subject, hedged, round }: QuotedClaim, { by, kind, occasion, round: now }: Utterance) =>
  subject === by && !hedged && kind !== 'ballot' && occasion !== 'campaign' && (round === null || round >= now);
