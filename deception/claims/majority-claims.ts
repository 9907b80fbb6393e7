// Several readings of one statement: who is asked how often, the claims that most readings hold, and how far they agree.
import { findModelAddress, getModelLabel, identifyModel } from '../../state/model-identity.ts';
import { quoteForShell } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { ClaimType, type Claim } from './claim.ts';
import { meantJudge } from './meant-claims.ts';

/** Which models judge, and how. */
export interface JudgePlan {
  /** Model strings. Of several, a claim counts that more than half of them draw. */
  models: readonly string[];
  /** How often each is asked the same; of several times, a claim counts that more than half draw. 1 by default. */
  repeat?: number | undefined;
  /** Whether a judge is asked again, once, about claims that the rules draw and it lacks. True by default. */
  isGuarded?: boolean | undefined;
  /** Scope of one call: a statement (the default), or up to a dozen statements of a day. */
  per?: 'statement' | 'day' | undefined;
}

/** How judges are named in tables and reports: by their labels. @example formatJudges({ models: ['openai:a', 'openai:b'], repeat: 3 }) // 'openai:a ×3 + openai:b ×3' */
export function formatJudges({ models, repeat = 1, per, isGuarded }: JudgePlan): string {
  const how = [...(per === 'day' ? ['per day'] : []), ...(isGuarded === false ? ['no guard'] : [])];
  const names = models
    .map((model) => getModelLabel(model))
    .map((label) => (repeat === 1 ? label : `${label} ×${repeat}`))
    .join(' + ');
  return how.length === 0 ? names : `${names} (${how.join(', ')})`;
}

/**
 * Returns the words of a command line that name the judges of a label made by {@link formatJudges}.
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
 * The same as it is typed, safe to paste into a shell: without addresses and keys' variables, which a file may have given. Typed,
 * they would be the user's own, and a key would go where the file says.
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
 * Says which addresses `formatJudgeFlags` has left out, with a space before; empty where there is none.
 *
 * @example describeLeftOutAddresses({ models: ['openai:a'] }) // ''
 */
export function describeLeftOutAddresses({ models }: Pick<JudgePlan, 'models'>): string {
  const addresses = models.flatMap((model) => findModelAddress(model) ?? []);
  if (addresses.length === 0) return '';
  return ` The address ${addresses.join(', ')} is left out of the command: if the server is yours, give it with the model (baseUrl=…) or in a models file (--models FILE).`;
}

/** Whether the judge is `bot:meant`, which is asked nothing. */
export const isMeantPlan = ({ models }: Pick<JudgePlan, 'models'>): boolean => models.includes(meantJudge);

/**
 * Throws a UsageError for a plan that names a judge twice, `bot:meant` beside another or asked in a way of its own, or an even
 * number of repeats.
 */
export function checkJudgePlan(plan: JudgePlan): void {
  const { models, repeat = 1 } = plan;
  if (isMeantPlan(plan) && formatJudges(plan) !== meantJudge)
    throw new UsageError(
      `${formatJudges(plan)}: ${meantJudge} reads what bots have recorded and is asked nothing. Give --judge ${meantJudge} alone, without --judge-per, --repeat and --no-guard.`,
    );
  if (new Set(models).size < models.length) throw new UsageError(`A judge is named twice: ${models.join(', ')}.`);
  if (repeat % 2 === 0)
    throw new UsageError(`--repeat ${repeat} may leave a claim undecided. Give an odd number, from 3 on.`);
}

/** The claims of one reading; null where it could not be read. */
export type ClaimReading = readonly Claim[] | null;

/**
 * Two claims with the same key say the same thing of the same players. What is often left out (rounds, causes, which of
 * several verbs) and how it is said does not count, and "not on one side" is on the other.
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
 * The claims that more than half of the readable readings hold, each as the first of them has it, in the order of the
 * words; hedged or presupposed where most of those that hold it say so. Null where no reading was readable.
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
 * How far readings agree, 0…1: the mean over their pairs of F1 = 2 × common / (claims of the one + of the other), which is
 * 1 for two that hold nothing. Null with fewer than two readable ones.
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

/** The types of the claims of a reading, each once, in the order of `ClaimType`, separated by spaces. */
export const listClaimTypes = (claims: readonly Claim[]): string =>
  ClaimType.options.filter((type) => claims.some((claim) => claim.type === type)).join(' ');

/** How far judges agree about one statement. */
export interface JudgeAgreement {
  /** Between the repeats of one judge, 0…1, the mean over judges; null where none was asked several times. */
  retest: number | null;
  /** Per judge, the types of the claims it found, separated by spaces; null: not readable. */
  types: readonly (string | null)[];
}
