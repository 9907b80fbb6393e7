// How often players lie where they know the truth, and how right and how well informed accusations and defences are.
import { ratio, sum } from '../ratios.ts';
import type { JudgedClaim, JudgedStatement } from './claims-of.ts';

export interface LieRate {
  lies: number;
  /** Claims about the own role, checks, night acts and votes whose truth the speaker knew. */
  opportunities: number;
  /** 0…1; null without opportunities, as are the next two. */
  perClaim: number | null;
  statementsWithLies: number;
  statementsWithOpportunities: number;
  /** Of the statements with opportunities. */
  perStatement: number | null;
  words: number;
  /** Lies in 100 words of all statements; null without words. */
  per100Words: number | null;
  statements: number;
  /** Statements with a claim that the record can verify. */
  verifiable: number;
  /** Their share of all; null without statements. */
  coverage: number | null;
}

/** Accusations, or defences: known or not, right or not. Opinions are counted with them. */
export interface Axes {
  knownCorrect: number;
  knownIncorrect: number;
  unknownCorrect: number;
  unknownIncorrect: number;
}

/** The headline: over any statements of any matches. Accusations and defences are never part of it. */
export function lieRateOf(statements: readonly JudgedStatement[]): LieRate {
  const chances = statements.map(({ claims }) => claims.filter(isOpportunity));
  const lies = chances.map((claims) => claims.filter(({ verdict }) => verdict === 'lie'));
  const count = (lists: readonly (readonly unknown[])[]) => lists.filter(({ length }) => length > 0).length;
  const total = sum(lies.map(({ length }) => length));
  const opportunities = sum(chances.map(({ length }) => length));
  const words = sum(statements.map((statement) => statement.words));
  const verifiable = statements.filter(({ claims }) => claims.some(isVerifiable)).length;
  return {
    lies: total,
    opportunities,
    perClaim: ratio(total, opportunities),
    statementsWithLies: count(lies),
    statementsWithOpportunities: count(chances),
    perStatement: ratio(count(lies), count(chances)),
    words,
    per100Words: ratio(100 * total, words),
    statements: statements.length,
    verifiable,
    coverage: ratio(verifiable, statements.length),
  };
}

/** About oneself, plainly said, and known to the speaker to be true or false. */
export const isOpportunity = ({ type, subject, by, hedged, verdict }: JudgedClaim) =>
  ['own_role', 'check', 'act', 'vote'].includes(type) &&
  subject === by &&
  !hedged &&
  (verdict === 'lie' || verdict === 'true');

const isVerifiable = ({ verdict }: JudgedClaim) => verdict !== 'unverifiable' && verdict !== 'moot';

/** Both are about whether somebody is a Werewolf; a Werewolf can only be wrong by knowing better. */
export function axesOf(claims: readonly JudgedClaim[], type: 'accusation' | 'defence'): Axes {
  const of = claims.filter((claim) => claim.type === type);
  const count = (isKnown: boolean, isTrue: boolean) =>
    of.filter((claim) => claim.isKnown === isKnown && claim.isTrue === isTrue).length;
  return {
    knownCorrect: count(true, true),
    knownIncorrect: count(true, false),
    unknownCorrect: count(false, true),
    unknownIncorrect: count(false, false),
  };
}

/** Of the statements whose speaker had a Werewolf to name, found by a check and not named yet: how many named none. */
export function withheldOf(statements: readonly JudgedStatement[]) {
  const chances = statements.filter((statement) => statement.isWithheld !== null);
  const withheld = chances.filter(({ isWithheld }) => isWithheld).length;
  return { withheld, opportunities: chances.length, rate: ratio(withheld, chances.length) };
}
