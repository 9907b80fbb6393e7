// Turns a judge's answer into claims: keeps those whose quoted words stand in the statement and that can be checked
// against the record.
import { everybody } from '../../state/player-names.ts';
import { getRole } from '../../state/roles/index.ts';
import type { Team } from '../../state/teams.ts';
import type { PublicSetup } from '../../state/view.ts';
import type { Claim, Utterance } from './claim.ts';
import { listCheckVerbs } from './meant-claims.ts';

/** A claim as a judge stated it: players and roles by their names on this board. */
export interface QuotedClaim extends Pick<
  Claim,
  'type' | 'subject' | 'object' | 'role' | 'team' | 'verbs' | 'cause' | 'polarity' | 'hedged' | 'presupposed'
> {
  /** The words of the statement. */
  quote: string;
  round: number | null;
}

export interface AcceptedClaims {
  claims: Claim[];
  /** Stated claims that were left out: their words do not stand in the statement, or they make no sense as they are. */
  dropped: number;
}

/**
 * The claims of a judge's answer that its statement bears, in the order of the words and without duplicates, and how many
 * were dropped.
 */
export function acceptQuotedClaims(
  statement: Utterance,
  stated: readonly QuotedClaim[],
  table: PublicSetup,
): AcceptedClaims {
  const read = stated.map((one) => {
    const words = findQuote(one.quote, statement.text);
    const meaning = parseMeaning(one, statement, table);
    return words && meaning ? { meaning, hedged: one.hedged, presupposed: one.presupposed, words } : null;
  });
  const found = read.filter((claim) => claim !== null);
  const distinct = [...Map.groupBy(found, ({ meaning }) => JSON.stringify(meaning)).values()].map(
    // said plainly once, it is no mere opinion and not only taken for granted
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
  return { claims, dropped: read.length - found.length };
}

/** Where the words stand, in any case, with any spaces and quotation marks; null: nowhere. */
function findQuote(quote: string, text: string): Claim['words'] | null {
  const sought = foldText(quote.trim().replace(/^["“”]+|(?<!["“”])["“”]+$/g, ''));
  const found = sought === '' ? -1 : foldText(text).indexOf(sought); // no pattern: of a long quote it would be too large
  if (found === -1) return null;
  const [from, to] = [unfoldPlace(found, text), unfoldPlace(found + sought.length, text)];
  return { from, to, text: text.slice(from, to) };
}

/** With one space for any white space; all else keeps its length. */
const foldText = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/["“”‘’`]/g, "'")
    .replace(/ς/g, 'σ')
    .replace(/\p{Changes_When_Lowercased}/gu, (letter) => {
      const small = letter.toLowerCase();
      return small.length === letter.length ? small : letter;
    });

/** Where in a text stands what its folded form has at `index`. */
function unfoldPlace(index: number, text: string): number {
  let place = index;
  for (const { 0: white, index: start } of text.matchAll(/\s{2,}/g)) if (start < place) place += white.length - 1;
  return place;
}

const rankPlainness = ({ hedged, presupposed }: { hedged: boolean; presupposed: boolean }) =>
  Number(hedged) + 2 * Number(presupposed);

type Meaning = Omit<Claim, 'id' | 'statement' | 'by' | 'round' | 'hedged' | 'presupposed' | 'words'>;

/**
 * Whether a claim says no more than what a check told in the same statement has shown: it belongs to the check. Of who has
 * left the same may be known from the game: "N1 Dan: Villager (dead, confirmed)".
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

/** In the form in which the rules draw such a claim; null for what is no claim of this type. */
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
      return object && one.verbs.length > 0 ? { ...bare, object, verbs: one.verbs, when } : null;
    case 'vote':
      return object && !isThisBallot(one, said) ? { ...bare, object, when } : null;
    case 'departure':
      return { ...bare, cause, when };
    case 'speech': {
      const isSaid = object !== null || one.role !== null || one.team !== null;
      return isSaid && polarity && subject !== said.by
        ? { ...bare, ...(object ? { object } : generalizeToSide(one)) }
        : null;
    }
    case 'promise':
      return object && isPromise(one, said) ? { ...bare, object, when: when ?? said.round } : null;
  }
}

/** A role of the Werewolves says the side and no more. */
function generalizeToSide({ role, team }: QuotedClaim): { role: string | null; team: Team | null } {
  if (role === null) return { role, team };
  const side = getRole(role).team;
  return side === 'werewolves' ? { role: null, team: side } : { role, team: null };
}

/** The type follows from what is said of whom; one that was stated otherwise says that something else was meant. */
function createIdentityMeaning(one: QuotedClaim, by: string, bare: Meaning): Meaning | null {
  const { type, subject, polarity } = one;
  const what = generalizeToSide(one);
  if (what.role === null && what.team === null) return createSideMeaning(one, by, bare);
  const accuses = (what.team === 'werewolves') === polarity;
  const found = subject === by ? 'own_role' : what.role !== null ? 'role' : accuses ? 'accusation' : 'defence';
  return type === found || type === 'role' || found === 'own_role' ? { ...bare, ...what, type: found } : null;
}

/** An accusation or a defence names its side by its type. */
function createSideMeaning({ type, subject, polarity }: QuotedClaim, by: string, bare: Meaning): Meaning | null {
  const isAccusation = type === 'accusation' && polarity;
  if (subject === by || !(isAccusation || type === 'defence')) return null;
  return { ...bare, team: 'werewolves', polarity: isAccusation };
}

/** "I vote for Dan because …", said with the ballot. */
const isThisBallot = ({ subject, round }: QuotedClaim, { kind, by, round: now }: Utterance) =>
  kind === 'ballot' && subject === by && (round === null || round === now);

/** A ballot is cast in the same breath, a campaign means other votes, and what is only considered is not promised. */
const isPromise = ({ subject, hedged, round }: QuotedClaim, { by, kind, occasion, round: now }: Utterance) =>
  subject === by && !hedged && kind !== 'ballot' && occasion !== 'campaign' && (round === null || round >= now);
