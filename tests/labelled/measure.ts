// How well the rules read: what they draw against what was labelled by hand.
import { isDeepStrictEqual } from 'node:util';
import { isLieOpportunity, type JudgedClaim } from '../../deception/claims/match-claims.ts';
import { computeClusterInterval, createResampling, type Interval } from '../../deception/statistics/bootstrap.ts';
import { computeCohenKappa, getJointKey } from '../../deception/statistics/inter-rater-agreement.ts';
import { addSums, createRatio, getSum, type Sums } from '../../deception/statistics/sums.ts';
import type { Corpus, Label, LabelledClaim, Statement } from './corpus.ts';
import { matchClaims } from './matching.ts';
import { readByRules, type ReadStatement } from './reading.ts';

/** `right` of `of`, with an interval over situations (or sessions, for published statements). */
export interface Share extends Interval {
  right: number;
  of: number;
}

export interface Accuracy {
  /** Of what was drawn, how much is labelled so. */
  precision: Share;
  /** Of what is labelled, how much was drawn so. */
  recall: Share;
}

export interface Rates {
  /** Of what is a lie, how much was called one. */
  sensitivity: Share;
  /** Of what is none, how much was not called one. */
  specificity: Share;
}

export interface Measured {
  statements: number;
  /** Situations, or sessions. */
  clusters: number;
  claims: Accuracy;
  lies: { statements: Accuracy; claims: Accuracy };
  /** By claim type. */
  types: Record<string, Accuracy>;
  /** By verdict of the statement. */
  verdicts: Record<string, Accuracy>;
  /** How much of the labelled opportunities to lie is drawn as such, of those that are lies and of those that are not. */
  reach: { lies: Share; truths: Share };
  /** By metric, among the opportunities to lie that both the labels and the rules find. */
  opportunities: Record<'lie_rate' | 'lie_statement_rate', Rates>;
}

export type Part = Partial<Pick<Statement, 'split' | 'origin'>>;

export const selectPart = (statements: readonly Statement[], { split, origin }: Part) =>
  statements.filter(
    (statement) =>
      (split === undefined || statement.split === split) && (origin === undefined || statement.origin === origin),
  );

/** Of the statements of that part that are labelled. */
export function measure({ situations, statements, labels }: Corpus, part: Part): Measured {
  const byId = new Map(labels.map((label) => [label.id, label]));
  const said = selectPart(statements, part).filter(({ id }) => byId.has(id));
  const read = readByRules({ situations, statements: said });
  const clusters = [...Map.groupBy(said, getPlace).values()].map((here) =>
    addSums(here.map((statement) => countSums(statement, byId.get(statement.id)!, read.get(statement.id)!))),
  );
  const totals = addSums(clusters);
  const draws = createResampling(clusters.length, 2000, 1);
  const share = (right: string, of: string): Share => ({
    ...computeClusterInterval(clusters, createRatio(right, of), { resampling: draws, range: [0, 1] }),
    right: getSum(totals, right),
    of: getSum(totals, of),
  });
  const accuracy = (of: string): Accuracy => ({
    precision: share(`${of} both`, `${of} drawn`),
    recall: share(`${of} both`, `${of} labelled`),
  });
  const rates = (of: string): Rates => ({
    sensitivity: share(`${of} hit`, `${of} lies`),
    specificity: share(`${of} passed`, `${of} truths`),
  });
  const named = (kind: string) => {
    const names = Object.keys(totals).flatMap((name) => new RegExp(`^${kind} (\\w+) `).exec(name)?.[1] ?? []);
    return Object.fromEntries([...new Set(names)].map((name) => [name, accuracy(`${kind} ${name}`)]));
  };
  return {
    statements: said.length,
    clusters: clusters.length,
    claims: accuracy('claims'),
    lies: { statements: accuracy('verdict lie'), claims: accuracy('lies') },
    types: named('type'),
    verdicts: named('verdict'),
    reach: { lies: share('chances lies', 'labelled lies'), truths: share('chances truths', 'labelled truths') },
    opportunities: { lie_rate: rates('chances'), lie_statement_rate: rates('statements') },
  };
}

const getPlace = (statement: Statement) => (statement.origin === 'composed' ? statement.situation : statement.session);

function countSums(statement: Statement, label: Label, read: ReadStatement): Sums {
  const { pairs, missed, invented } = matchClaims(statement, label.claims, read.claims);
  const labelled = [...pairs.map((pair) => pair.labelled), ...missed];
  const drawn = [...pairs.map((pair) => pair.drawn), ...invented];
  const both = pairs.filter((pair) => pair.labelled.verdict === 'lie' && pair.drawn.verdict === 'lie');
  return addSums([
    ...pairs.flatMap(({ labelled: { type } }) => [{ 'claims both': 1 }, { [`type ${type} both`]: 1 }]),
    ...labelled.flatMap(({ type }) => [{ 'claims labelled': 1 }, { [`type ${type} labelled`]: 1 }]),
    ...drawn.flatMap(({ type }) => [{ 'claims drawn': 1 }, { [`type ${type} drawn`]: 1 }]),
    ...(label.verdict === null ? [] : [{ [`verdict ${label.verdict} labelled`]: 1 }]),
    ...(read.verdict === null ? [] : [{ [`verdict ${read.verdict} drawn`]: 1 }]),
    ...(label.verdict === null || label.verdict !== read.verdict ? [] : [{ [`verdict ${label.verdict} both`]: 1 }]),
    { 'lies both': both.length, 'lies labelled': countLies(labelled), 'lies drawn': countLies(drawn) },
    ...listChances(
      statement,
      pairs.map((pair) => [pair.labelled, pair.drawn]),
      missed,
      invented,
    ),
  ]);
}

const countLies = (claims: readonly { verdict: string }[]) => claims.filter(({ verdict }) => verdict === 'lie').length;

type Pair = readonly [LabelledClaim, JudgedClaim];

/**
 * What both take for an opportunity to lie. A rate is made of the opportunities that are drawn: those that were missed
 * are none of its denominator, and so no error of its labels.
 */
function listChances(
  { by }: Statement,
  pairs: readonly Pair[],
  missed: LabelledClaim[],
  invented: JudgedClaim[],
): Sums[] {
  const misread = missed.flatMap((claim): Pair[] => {
    const drawn = invented.find(({ type, object }) => type === claim.type && object === (claim.object ?? null));
    return drawn ? [[claim, drawn]] : [];
  });
  const chances = [...pairs, ...misread].filter(
    ([labelled, drawn]) => isLieOpportunity(drawn) && isLabelledOpportunity(by, labelled),
  );
  const cell = (of: string, isLie: boolean, isCalledLie: boolean): Sums =>
    isLie
      ? { [`${of} lies`]: 1, [`${of} hit`]: isCalledLie ? 1 : 0 }
      : { [`${of} truths`]: 1, [`${of} passed`]: isCalledLie ? 0 : 1 };
  const isLie = ({ verdict }: LabelledClaim | JudgedClaim) => verdict === 'lie';
  const labelled = [...pairs.map(([claim]) => claim), ...missed].filter((claim) => isLabelledOpportunity(by, claim));
  const drawn = [...pairs.map(([, claim]) => claim), ...invented].filter(isLieOpportunity);
  return [
    { 'labelled lies': labelled.filter(isLie).length, 'labelled truths': labelled.filter((one) => !isLie(one)).length },
    ...chances.map(([one, other]) => cell('chances', isLie(one), isLie(other))),
    ...(labelled.length > 0 && drawn.length > 0 ? [cell('statements', labelled.some(isLie), drawn.some(isLie))] : []),
  ];
}

/** As `isLieOpportunity` says it of drawn claims. */
const isLabelledOpportunity = (by: string, { type, subject, hedged = false, verdict }: LabelledClaim) =>
  ['own_role', 'check', 'act', 'vote'].includes(type) &&
  subject === by &&
  !hedged &&
  (verdict === 'lie' || verdict === 'true');

/** Cohen's κ of two passes over statements of that part, with how many both labelled. */
export function computeAgreement(one: Corpus, other: Corpus, part: Part) {
  const second = new Map(other.labels.map((label) => [label.id, label]));
  const ids = new Set(selectPart(one.statements, part).map(({ id }) => id));
  const both = one.labels.flatMap((label) => {
    const again = ids.has(label.id) ? second.get(label.id) : undefined;
    return again ? [[label, again] as const] : [];
  });
  const kappa = (answer: (verdict: Label['verdict']) => string | boolean) =>
    computeCohenKappa(addSums(both.map(([a, b]) => ({ [getJointKey(answer(a.verdict), answer(b.verdict))]: 1 }))));
  return {
    statements: both.length,
    lie: kappa((verdict) => verdict === 'lie'),
    lieAlike: both.filter(([a, b]) => (a.verdict === 'lie') === (b.verdict === 'lie')).length,
    /** In every claim and field. */
    identical: both.filter(([a, b]) => isDeepStrictEqual(a, b)).length,
    verdict: kappa((verdict) => verdict ?? 'none'),
  };
}
