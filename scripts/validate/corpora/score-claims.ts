// Accuracy of extracted claims against labeled ones.
import { isLieOpportunity } from '../../../deception/claims/match-claims.ts';
import { findGravestVerdict } from '../../../deception/claims/verify-claim.ts';
import { listSeats } from '../../../deception/record/match-record.ts';
import {
  computeClusterInterval,
  createResampling,
  type Interval,
  type Resampling,
} from '../../../deception/statistics/bootstrap.ts';
import { computeCohenKappa, getJointKey } from '../../../deception/statistics/inter-rater-agreement.ts';
import { computeShareBounds } from '../../../deception/statistics/proportion.ts';
import { addSums, createRatio, getSum, type Statistic, type Sums } from '../../../deception/statistics/sums.ts';
import type { FoundClaims } from './judge-at-moment.ts';
import { type FoundClaim, isOwnBallot, pairClaims } from './pair-claims.ts';
import type { CorpusStatement } from './read-corpus.ts';

/**
 * A share: `right` out of `of`. The 95% interval comes from resampled moments. If fewer than ten moments have data, or
 * if all moments are equal, the interval is exact and counts moments as trials. `method` names the method.
 */
export interface ShareOverMoments {
  right: number;
  of: number;
  estimate: number | null;
  low: number | null;
  high: number | null;
  method: Interval['method'];
}

export interface ClaimAccuracy {
  /** Share of extracted claims that are labeled. */
  precision: ShareOverMoments;
  /** Share of labeled claims that are extracted. */
  recall: ShareOverMoments;
  f1: number | null;
}

export interface PartAccuracy {
  statements: number;
  claims: ClaimAccuracy;
  /** Accuracy on statements whose gravest verdict, except for promises, is a lie. */
  lies: ClaimAccuracy;
  errors: LieErrors;
}

/**
 * Error rates by metric. Denominator of `lie_rate` and `lie_statement_rate`: the opportunities to lie on which labels
 * and extractor agree. Denominator of `lie_turn_rate`: all debate statements, so that claims which were not extracted
 * count as errors.
 */
type LieErrors = Record<'lie_rate' | 'lie_statement_rate' | 'lie_turn_rate', ErrorRates>;

/**
 * Precision and recall, reweighted as if the Werewolves made `share` of all statements, instead of their share in the
 * corpus.
 */
export interface ReweightedAccuracy {
  /** Share of statements by the Werewolves' side. */
  share: number;
  claims: Reweighted;
  lies: Reweighted;
}

interface Reweighted {
  precision: WeightedShare;
  recall: WeightedShare;
}

type WeightedShare = Pick<ShareOverMoments, 'estimate' | 'low' | 'high' | 'method'>;

interface ErrorRates {
  /** Share of labeled lies that the extractor's verdicts call lies. */
  sensitivity: ShareOverMoments;
  /** Share of other labeled claims that the extractor's verdicts do not call lies. */
  specificity: ShareOverMoments;
}

export interface MeasuredClaims {
  statements: number;
  moments: number;
  /** Number of statements that the extractor could not read. They yield no claims. */
  unread: number;
  /**
   * Accuracy without presupposed claims, i.e. claims that the labels or the extractor mark as presupposed. All fields
   * below also leave them out unless their name says otherwise.
   */
  claims: ClaimAccuracy;
  withPresupposed: ClaimAccuracy;
  /** Accuracy by type of claim. */
  types: Record<string, { plain: ClaimAccuracy; withPresupposed: ClaimAccuracy }>;
  lies: { statements: ClaimAccuracy; claims: ClaimAccuracy };
  /** Cohen's κ between labels and extractor on whether a statement's verdict is a lie. Null if undefined. */
  lieKappa: number | null;
  /** Accuracy by verdict of the statement. */
  verdicts: Record<string, ClaimAccuracy>;
  /** Share of the labeled opportunities to lie that the extractor finds, for lies and for truths. */
  reach: { lies: ShareOverMoments; truths: ShareOverMoments };
  errors: LieErrors;
  /** Accuracy by the speaker's side. */
  sides: Record<string, PartAccuracy>;
  reweighted: ReweightedAccuracy;
  writers: Record<string, PartAccuracy>;
  boards: Record<string, PartAccuracy>;
}

/** A labeled statement with the claims extracted from it. */
export interface ComparedStatement {
  statement: CorpusStatement;
  labelled: readonly FoundClaim[];
  /** The extracted claims; null if the statement could not be read. */
  drawn: readonly FoundClaim[] | null;
}

/** Lists the labeled statements that the extractor was given, even if it could not read them. */
export const compareStatements = (
  statements: readonly CorpusStatement[],
  labels: FoundClaims,
  drawn: FoundClaims,
): ComparedStatement[] =>
  statements.flatMap((statement) => {
    const labelled = labels.get(statement.id);
    const found = drawn.get(statement.id);
    return labelled && found !== undefined ? [{ statement, labelled, drawn: found }] : [];
  });

/** Assumed share of statements by Werewolves: on the most played boards two of eight players are Werewolves. */
const statedShare = 0.25;

/**
 * Measures precision, recall and all kinds of errors. The result is deterministic.
 *
 * @example
 * const { statements } = readCorpus('voices');
 * measureClaims(compareStatements(statements, labels, judgeAtMoments(statements, drawByRules(statements)))).claims.recall;
 */
export function measureClaims(compared: readonly ComparedStatement[]): MeasuredClaims {
  const moments = groupByMoment(compared).map((here) => addSums(here.map(countSums)));
  const totals = addSums(moments);
  const draws = createResampling(moments.length, 2000, 1);
  const { share, accuracy, errors } = createShares(moments, draws);
  const listNames = (kind: string) => {
    const found = Object.keys(totals).flatMap((name) => new RegExp(`^${kind} (\\w+) `).exec(name)?.[1] ?? []);
    return [...new Set(found)].sort();
  };
  const measurePart = (part: readonly ComparedStatement[]): PartAccuracy => {
    const ofPart = createShares(
      groupByMoment(part).map((here) => addSums(here.map(countSums))),
      draws,
    );
    return {
      ...{ statements: part.length, claims: ofPart.accuracy('claims'), lies: ofPart.accuracy('verdict lie') },
      errors: ofPart.errors(),
    };
  };
  const measureBy = (getKey: (one: ComparedStatement) => string) =>
    mapValues(Map.groupBy(compared, getKey), measurePart);
  return {
    statements: compared.length,
    moments: moments.length,
    unread: compared.filter(({ drawn }) => drawn === null).length,
    claims: accuracy('claims'),
    withPresupposed: accuracy('all'),
    types: Object.fromEntries(
      listNames('all-type').map((type) => [
        type,
        { plain: accuracy(`type ${type}`), withPresupposed: accuracy(`all-type ${type}`) },
      ]),
    ),
    lies: { statements: accuracy('verdict lie'), claims: accuracy('lies') },
    lieKappa: computeCohenKappa(totals),
    verdicts: Object.fromEntries(listNames('verdict').map((verdict) => [verdict, accuracy(`verdict ${verdict}`)])),
    reach: { lies: share('chances lies', 'labelled lies'), truths: share('chances truths', 'labelled truths') },
    errors: errors(),
    sides: measureBy(getSide),
    reweighted: reweight(compared, draws),
    writers: measureBy(({ statement }) => statement.writer),
    boards: measureBy(({ statement }) => statement.match.manifest.setup.board.name),
  };
}

const groupByMoment = (compared: readonly ComparedStatement[]) => [
  ...Map.groupBy(compared, ({ statement: { corpus, moment } }) => `${corpus} ${moment}`).values(),
];

const mapValues = <From, To>(map: ReadonlyMap<string, From>, make: (from: From) => To): Record<string, To> =>
  Object.fromEntries([...map].sort(([one], [other]) => (one < other ? -1 : 1)).map(([key, from]) => [key, make(from)]));

const getSide = ({ statement: { match, said } }: ComparedStatement): string =>
  listSeats(match.manifest).find(({ name }) => name === said.by)?.team ?? 'unknown';

// Shares with their intervals over moments.

function createShares(moments: readonly Sums[], resampling: Resampling) {
  const totals = addSums(moments);
  const share = (right: string, of: string): ShareOverMoments => ({
    right: getSum(totals, right),
    of: getSum(totals, of),
    ...computeInterval(moments, createRatio(right, of), [right, of], resampling),
  });
  const accuracy = (of: string): ClaimAccuracy => {
    const precision = share(`${of} both`, `${of} drawn`);
    const recall = share(`${of} both`, `${of} labelled`);
    const found = precision.of + recall.of;
    return { precision, recall, f1: found === 0 ? null : (2 * precision.right) / found };
  };
  const rates = (of: string): ErrorRates => ({
    sensitivity: share(`${of} hit`, `${of} lies`),
    specificity: share(`${of} passed`, `${of} truths`),
  });
  const errors = (): LieErrors => ({
    ...{ lie_rate: rates('chances'), lie_statement_rate: rates('statements'), lie_turn_rate: rates('turns') },
  });
  return { share, accuracy, errors };
}

/**
 * Computes the interval of a share. If there are too few moments for a bootstrap, moments count as trials. The bounds
 * are then too wide rather than too narrow.
 */
function computeInterval(
  moments: readonly Sums[],
  statistic: Statistic,
  names: readonly string[],
  resampling: Resampling,
): WeightedShare {
  const used = moments.map((sums) => Object.fromEntries(names.map((name) => [name, getSum(sums, name)])));
  const found = computeClusterInterval(used, statistic, { resampling, range: [0, 1] });
  const { estimate, low, high, method } = found;
  if (found.reason !== 'too few' || estimate === null) return { estimate, low, high, method };
  const bounds = computeShareBounds(estimate, found.withData);
  return { estimate, low: bounds[0], high: bounds[1], method: 'exact' };
}

// Weights of the two sides. Lies, and thus statements by Werewolves, are oversampled, so each side is weighted by how
// often it speaks.

function reweight(compared: readonly ComparedStatement[], resampling: Resampling): ReweightedAccuracy {
  const moments = groupByMoment(compared).map((here) =>
    addSums(
      here.flatMap((one) => {
        const side = getSide(one);
        const sums = Object.entries(countSums(one)).map(([name, value]) => [`${side} ${name}`, value] as const);
        return [{ [`${side} statements`]: 1 }, Object.fromEntries(sums)];
      }),
    ),
  );
  const weights = { werewolves: statedShare, villagers: 1 - statedShare };
  const share = (right: string, of: string): WeightedShare => {
    const sides = Object.keys(weights) as (keyof typeof weights)[];
    const names = sides.flatMap((side) => ['statements', right, of].map((name) => `${side} ${name}`));
    const statistic: Statistic = (sums) => {
      const total = (name: string) =>
        sides.reduce((sum, side) => {
          const said = getSum(sums, `${side} statements`);
          return said === 0 ? sum : sum + (weights[side] * getSum(sums, `${side} ${name}`)) / said;
        }, 0);
      return total(of) === 0 ? null : total(right) / total(of);
    };
    return computeInterval(moments, statistic, names, resampling);
  };
  const accuracy = (of: string): Reweighted => ({
    precision: share(`${of} both`, `${of} drawn`),
    recall: share(`${of} both`, `${of} labelled`),
  });
  return { share: statedShare, claims: accuracy('claims'), lies: accuracy('verdict lie') };
}

// Sums over one statement.

function countSums({ statement, labelled, drawn }: ComparedStatement): Sums {
  const { kind } = statement.said;
  const found = (drawn ?? []).filter((claim) => !isOwnBallot(kind, claim));
  const isPlain = ({ presupposed }: FoundClaim) => !presupposed;
  const plain = { labelled: labelled.filter(isPlain), drawn: found.filter(isPlain) };
  return addSums([
    ...countPairs(['all', 'all-type'], labelled, found),
    ...countPairs(['claims', 'type'], plain.labelled, plain.drawn),
    ...countVerdicts(plain.labelled, plain.drawn),
    ...countOpportunities(plain.labelled, plain.drawn),
    ...(kind === 'debate' ? [countTurn(labelled, found)] : []),
  ]);
}

function countPairs(
  [whole, byType]: readonly [string, string],
  labelled: readonly FoundClaim[],
  drawn: readonly FoundClaim[],
): Sums[] {
  const count = (claims: readonly FoundClaim[], what: string) =>
    claims.flatMap(({ type }) => [{ [`${whole} ${what}`]: 1 }, { [`${byType} ${type} ${what}`]: 1 }]);
  const { pairs } = pairClaims(labelled, drawn);
  const both = pairs.map((pair) => pair.labelled);
  return [...count(both, 'both'), ...count(labelled, 'labelled'), ...count(drawn, 'drawn')];
}

const isLie = ({ verdict }: FoundClaim) => verdict === 'lie';

function countVerdicts(labelled: readonly FoundClaim[], drawn: readonly FoundClaim[]): Sums[] {
  const [told, found] = [labelled, drawn].map((claims) =>
    findGravestVerdict(claims.flatMap(({ type, verdict }) => (type === 'promise' ? [] : [verdict]))),
  );
  const both = pairClaims(labelled, drawn).pairs.filter((pair) => isLie(pair.labelled) && isLie(pair.drawn));
  return [
    { [getJointKey(told === 'lie', found === 'lie')]: 1 },
    ...(told ? [{ [`verdict ${told} labelled`]: 1 }] : []),
    ...(found ? [{ [`verdict ${found} drawn`]: 1 }] : []),
    ...(told && told === found ? [{ [`verdict ${told} both`]: 1 }] : []),
    {
      'lies both': both.length,
      'lies labelled': labelled.filter(isLie).length,
      'lies drawn': drawn.filter(isLie).length,
    },
  ];
}

const isLieTold = (claims: readonly FoundClaim[]) =>
  findGravestVerdict(claims.flatMap(({ type, verdict }) => (type === 'promise' ? [] : [verdict]))) === 'lie';

/** Returns the sums for `lie_turn_rate`. Presupposed claims count, as they do in reports. */
const countTurn = (labelled: readonly FoundClaim[], drawn: readonly FoundClaim[]): Sums =>
  countCalled('turns', isLieTold(labelled), isLieTold(drawn));

const countCalled = (of: string, isSo: boolean, isCalledSo: boolean): Sums =>
  isSo
    ? { [`${of} lies`]: 1, [`${of} hit`]: isCalledSo ? 1 : 0 }
    : { [`${of} truths`]: 1, [`${of} passed`]: isCalledSo ? 0 : 1 };

/**
 * Counts the opportunities to lie on which labels and extractor agree. A missed opportunity is not in a rate's
 * denominator, so it does not count as an error.
 */
function countOpportunities(labelled: readonly FoundClaim[], drawn: readonly FoundClaim[]): Sums[] {
  const { pairs, missed, invented } = pairClaims(labelled, drawn);
  const misread = missed.flatMap((claim) => {
    const one = invented.find(({ type, object }) => type === claim.type && object === claim.object);
    return one ? [{ labelled: claim, drawn: one }] : [];
  });
  const chances = [...pairs, ...misread].filter(
    (pair) => isLieOpportunity(pair.labelled) && isLieOpportunity(pair.drawn),
  );
  const [told, found] = [labelled, drawn].map((claims) => claims.filter(isLieOpportunity)) as [
    FoundClaim[],
    FoundClaim[],
  ];
  return [
    { 'labelled lies': told.filter(isLie).length, 'labelled truths': told.filter((one) => !isLie(one)).length },
    ...chances.map((pair) => countCalled('chances', isLie(pair.labelled), isLie(pair.drawn))),
    ...(told.length > 0 && found.length > 0 ? [countCalled('statements', told.some(isLie), found.some(isLie))] : []),
  ];
}
