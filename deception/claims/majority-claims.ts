// Several readings of one statement: how often each judge is asked, the claims that most readings contain, and the
// agreement between readings.
import { findModelAddress, getModelLabel, identifyModel } from '../../state/model-identity.ts';
import { quoteForShell } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { ClaimType, type Claim } from './claim.ts';
import { meantJudge } from './meant-claims.ts';

/** Judge models and their settings. */
export interface JudgePlan {
  /** Model strings of the judges. With several judges, a claim counts if more than half of them extract it. */
  models: readonly string[];
  /**
   * Number of times that each judge is asked (default 1). With several readings, a claim counts if more than half of
   * the readings contain it.
   */
  repeat?: number | undefined;
  /** Whether the judge is asked again about claims that the rules found and the judge did not (default true). */
  isGuarded?: boolean | undefined;
  /** Scope of one call: a statement (the default), or up to a dozen statements of a day. */
  per?: 'statement' | 'day' | undefined;
}

/**
 * Names the judges in tables and reports by their labels. @example formatJudges({ models: ['openai:a', 'openai:b'],
 * repeat: 3 }) // 'openai:a ×3 + openai:b ×3'
 */
export function formatJudges({ models, repeat = 1, per, isGuarded }: JudgePlan): string {
  const how = [...(per === 'day' ? ['per day'] : []), ...(isGuarded === false ? ['no guard'] : [])];
  const names = models
    .map((model) => getModelLabel(model))
    .map((label) => (repeat === 1 ? label : `${label} ×${repeat}`))
    .join(' + ');
  return how.length === 0 ? names : `${names} (${how.join(', ')})`;
}

/**
 * Converts a label made by {@link formatJudges} back to the command-line words that name its judges.
 *
 * @example listJudgeWords('openai:a ×3 (no guard)') // ['--judge', 'openai:a', '--repeat', '3', '--no-guard']
 */
export function listJudgeWords(label: string): string[] {
  const how = / \(([^()]*)\)$/.exec(label)?.[1] ?? '';
  const names = label.replace(/ \([^()]*\)$/, '');
  const repeat = / ×(\d+)$/.exec(names)?.[1];
  return [
    '--judge',
    ...names.split(' + ').map((name) => name.replace(/ ×\d+$/, '')),
    ...(repeat === undefined ? [] : ['--repeat', repeat]),
    ...(how.includes('per day') ? ['--judge-per', 'day'] : []),
    ...(how.includes('no guard') ? ['--no-guard'] : []),
  ];
}

/**
 * Returns the judges as command-line options, safe to paste into a shell. Leaves out server addresses and key variables
 * that may come from a file: if pasted, they could send the user's key to an address the file chose.
 *
 * @example formatJudgeFlags({ models: ['openai:a?baseUrl=http://b/v1'], repeat: 3 }) // '--judge openai:a --repeat 3'
 */
export const formatJudgeFlags = ({ models, repeat = 1, per, isGuarded }: JudgePlan): string =>
  [
    `--judge ${models.map((model) => quoteForShell(identifyModel(model))).join(' ')}`,
    ...(per === 'day' ? ['--judge-per day'] : []),
    ...(repeat === 1 ? [] : [`--repeat ${repeat}`]),
    ...(isGuarded === false ? ['--no-guard'] : []),
  ].join(' ');

/**
 * Lists the addresses that `formatJudgeFlags` left out, with a leading space; empty if it left out none.
 *
 * @example describeLeftOutAddresses({ models: ['openai:a'] }) // ''
 */
export function describeLeftOutAddresses({ models }: Pick<JudgePlan, 'models'>): string {
  const addresses = models.flatMap((model) => findModelAddress(model) ?? []);
  if (addresses.length === 0) return '';
  return ` The address ${addresses.join(', ')} is left out of the command: if the server is yours, give it with the model (baseUrl=…) or in a models file (--models FILE).`;
}

/** Whether the judge is `bot:meant`, which asks no model. */
export const isMeantPlan = ({ models }: Pick<JudgePlan, 'models'>): boolean => models.includes(meantJudge);

/**
 * Throws a UsageError for a plan that names a judge twice, has an even number of repeats, or combines `bot:meant` with
 * another judge or another setting.
 */
export function checkJudgePlan(plan: JudgePlan): void {
  const { models, repeat = 1 } = plan;
  if (isMeantPlan(plan) && formatJudges(plan) !== meantJudge)
    throw new UsageError(
      `${formatJudges(plan)}: ${meantJudge} reads what bots have recorded and asks no model. Give --judge ${meantJudge} alone, without --judge-per, --repeat and --no-guard.`,
    );
  if (new Set(models).size < models.length) throw new UsageError(`A judge is named twice: ${models.join(', ')}.`);
  if (repeat % 2 === 0)
    throw new UsageError(`--repeat ${repeat} may leave a claim undecided. Give an odd number, from 3 on.`);
}

/** The claims of one reading; null if the answer could not be read. */
export type ClaimReading = readonly Claim[] | null;

/**
 * Returns a key that is equal for claims that say the same about the same players. The key ignores certainty, and
 * details that are often left out (rounds, causes, which of several verbs). "Not on one side" equals "on the other
 * side".
 *
 * @example getClaimKey(claim) // '["accusation","Ginger",null,null,"werewolves",true]'
 */
export function getClaimKey({ type, subject, object, role, team, polarity }: Claim): string {
  const isSide = team !== null && role === null && ['own_role', 'accusation', 'defence'].includes(type);
  const side = isSide && !polarity ? (team === 'werewolves' ? 'villagers' : 'werewolves') : team;
  const isOpposite = type === 'defence' && side === null; // "no Werewolf", without a side
  return JSON.stringify([type, subject, object, role, isOpposite ? 'villagers' : side, isSide || polarity]);
}

/**
 * Selects the claims that more than half of the readable readings contain, in the order of the words. Each claim is
 * copied from the first reading that has it, and is hedged or presupposed if most of its readings say so. Null if no
 * reading was readable.
 *
 * @example selectMajorityClaims([[seer, accusation], [seer], null]) // [seer]
 */
export function selectMajorityClaims(readings: readonly ClaimReading[]): Claim[] | null {
  const readable = readings.filter((reading) => reading !== null);
  if (readable.length === 0) return null;
  const isMost = (count: number, of: number) => count * 2 > of;
  const byKey = Map.groupBy(
    readable.flatMap((reading) => [...new Map(reading.map((claim) => [getClaimKey(claim), claim])).values()]),
    getClaimKey,
  );
  return [...byKey.values()]
    .filter((same) => isMost(same.length, readable.length))
    .map((same) => ({
      ...same[0]!,
      hedged: isMost(same.filter(({ hedged }) => hedged).length, same.length),
      presupposed: isMost(same.filter(({ presupposed }) => presupposed).length, same.length),
    }))
    .sort((one, other) => one.words.from - other.words.from || one.words.to - other.words.to)
    .map((claim, index) => ({ ...claim, id: `${claim.statement}#${index + 1}` }));
}

/**
 * Computes the agreement of readings, from 0 to 1: the mean of F1 over all pairs of readings. F1 = 2 × common claims /
 * (claims of one + claims of the other), and 1 for two empty readings. Null with fewer than two readable readings.
 */
export function computePairwiseF1(readings: readonly ClaimReading[]): number | null {
  const sets = readings.flatMap((reading) => (reading === null ? [] : [new Set(reading.map(getClaimKey))]));
  const scores = sets.flatMap((one, place) =>
    sets.slice(place + 1).map((other) => {
      const common = [...one].filter((key) => other.has(key)).length;
      return one.size + other.size === 0 ? 1 : (2 * common) / (one.size + other.size);
    }),
  );
  return scores.length === 0 ? null : scores.reduce((total, score) => total + score, 0) / scores.length;
}

/** Lists the types of a reading's claims, each once, in the order of `ClaimType`, separated by spaces. */
export const listClaimTypes = (claims: readonly Claim[]): string =>
  ClaimType.options.filter((type) => claims.some((claim) => claim.type === type)).join(' ');

/** Agreement of judges on one statement. */
export interface JudgeAgreement {
  /**
   * Agreement between the repeats of a judge, 0 to 1, averaged over judges; null if no judge was asked several times.
   */
  retest: number | null;
  /** For each judge, the types of the claims that it found, separated by spaces; null if its answer was unreadable. */
  types: readonly (string | null)[];
}
