// Presets: named sets of options, one for each paper, each with its earlier versions under which matches were played.
import type { RuleValues } from './rules/rule.ts';
import { describeNearName, UsageError } from './usage-error.ts';

const firstArena: RuleValues = {
  debateTurns: 8,
  bidScale: 4,
  ballots: 'secret',
  syntheticVotes: true,
  analysis: 'off',
  analyzeBallots: false,
  scores: 'hidden',
  pack: 'one',
  choiceTemperature: 0.5,
  talkTemperature: 1,
};

const firstPlus: RuleValues = {
  debateOrder: 'round-robin',
  exile: 'plurality',
  exileTies: 'pk',
  analysis: 'off',
  analyzeBallots: false,
  scores: 'hidden',
  beliefs: 'each-round',
  checkTells: 'team',
  wins: 'majority',
};

/**
 * The versions of each preset, the first one first; an option that a version does not name has its default. A version is
 * never changed once it was released: whoever changes what a preset plays adds one. docs/reference/presets.md says how each departs
 * from its paper, and tests/state/presets.test.ts holds it to what `papers.ts` says of the paper.
 */
const versions: Readonly<Record<string, readonly [RuleValues, ...RuleValues[]]>> = {
  /** As in WOLF. */
  wolf: [{ scoresFrom: 'debate' }, { bidders: 'all', bidTies: 'lot', scores: 'hidden', thoughts: 'kept' }],
  /** As in Werewolf Arena. */
  arena: [firstArena, { ...firstArena, thoughts: 'none' }],
  /** As in WereWolf-Plus. */
  plus: [
    firstPlus,
    { ...firstPlus, hunterPoisoned: true, witchSelfSave: 'always', choiceTemperature: 1, talkTemperature: 1 },
  ],
};

/** The names of presets without a version, which mean the newest. */
export const presetNames: readonly string[] = Object.keys(versions);

/** Every preset by its whole name, the newest version of each first. */
export const presets: Readonly<Record<string, RuleValues>> = Object.fromEntries(
  Object.entries(versions).flatMap(([name, all]) =>
    all.map((rules, index): [string, RuleValues] => [`${name}@${index + 1}`, rules]).reverse(),
  ),
);

/**
 * The whole name of a preset as a user writes it: without a version, the newest is meant. Throws a UsageError for one that
 * is unknown.
 *
 * @example resolvePreset('wolf') // 'wolf@2'
 */
export function resolvePreset(name: string): string {
  const whole = Object.hasOwn(versions, name) ? `${name}@${versions[name]!.length}` : name;
  if (Object.hasOwn(presets, whole)) return whole;
  const known = [...presetNames, ...Object.keys(presets)];
  throw new UsageError(
    `Unknown rules ${JSON.stringify(name)}. ${describeNearName(name, known)}Known rules: ${listPresetNames()}.`,
  );
}

/**
 * All presets as help and messages name them.
 *
 * @example listPresetNames() // 'wolf, arena, plus; as earlier versions played them: wolf@1, arena@1, plus@1'
 */
export function listPresetNames(): string {
  const earlier = presetNames.flatMap(listEarlierVersions);
  return `${presetNames.join(', ')}; as earlier versions played them: ${earlier.join(', ')}`;
}

/**
 * The versions before that of a preset, by their whole names, the newest first.
 *
 * @example listEarlierVersions('wolf') // ['wolf@1']
 */
export function listEarlierVersions(name: string): string[] {
  const [, bare, version] = /^(.+)@(\d+)$/.exec(resolvePreset(name))!;
  return Array.from({ length: Number(version) - 1 }, (_, index) => `${bare!}@${Number(version) - 1 - index}`);
}

/**
 * The name of a preset without its version.
 *
 * @example getPresetFamily('wolf@2') // 'wolf'
 */
export const getPresetFamily = (name: string): string => name.replace(/@\d+$/, '');

// Names in records of before presets had versions: there a name alone is its first version.

/**
 * The whole name of a preset as a stored plan has it.
 *
 * @example readStoredPreset('wolf') // 'wolf@1'
 */
export const readStoredPreset = (name: string): string => (Object.hasOwn(versions, name) ? `${name}@1` : name);

/**
 * The name under which a preset is stored and hashed, so that plans keep the hashes that they had.
 *
 * @example nameStoredPreset('wolf@1') // 'wolf'
 */
export const nameStoredPreset = (name: string): string => name.replace(/@1$/, '');

/**
 * Rules in a few words, with the version of their preset where an earlier program left it out.
 *
 * @example addPresetVersion('preset wolf with maxRounds=3') // 'preset wolf@1 with maxRounds=3'
 */
export const addPresetVersion = (words: string): string =>
  words.replace(/^preset ([\w-]+)(?= with |$)/, (_, name: string) => `preset ${readStoredPreset(name)}`);
