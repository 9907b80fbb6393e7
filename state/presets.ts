// Presets: named sets of rules, one for each paper. Earlier versions are kept because recorded matches used them.
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
 * Versions of each preset, oldest first. A rule that a version does not name has its default. A released version never
 * changes: to change what a preset plays, add a version. docs/reference/presets.md lists each preset's departures from
 * its paper, and tests/state/presets.test.ts compares them with `papers.ts`.
 */
const versions: Readonly<Record<string, readonly [RuleValues, ...RuleValues[]]>> = {
  /** Preset for WOLF. */
  wolf: [{ scoresFrom: 'debate' }, { bidders: 'all', bidTies: 'lot', scores: 'hidden', thoughts: 'kept' }],
  /** Preset for Werewolf Arena. */
  arena: [firstArena, { ...firstArena, thoughts: 'none' }],
  /** Preset for WereWolf-Plus. */
  plus: [
    firstPlus,
    { ...firstPlus, hunterPoisoned: true, witchSelfSave: 'always', choiceTemperature: 1, talkTemperature: 1 },
  ],
};

/** Names of presets without a version. Such a name means the newest version. */
export const presetNames: readonly string[] = Object.keys(versions);

/** All presets by full name, the newest version of each first. */
export const presets: Readonly<Record<string, RuleValues>> = Object.fromEntries(
  Object.entries(versions).flatMap(([name, all]) =>
    all.map((rules, index): [string, RuleValues] => [`${name}@${index + 1}`, rules]).reverse(),
  ),
);

/**
 * Returns the full name of the preset that a user names. A name without a version means the newest version. Throws a
 * UsageError if the preset is unknown.
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
 * Lists all presets for help texts and messages.
 *
 * @example listPresetNames() // 'wolf, arena, plus; earlier versions: wolf@1, arena@1, plus@1'
 */
export function listPresetNames(): string {
  const earlier = presetNames.flatMap(listEarlierVersions);
  return `${presetNames.join(', ')}; earlier versions: ${earlier.join(', ')}`;
}

/**
 * Lists the full names of the earlier versions of a preset, newest first.
 *
 * @example listEarlierVersions('wolf') // ['wolf@1']
 */
export function listEarlierVersions(name: string): string[] {
  const [, bare, version] = /^(.+)@(\d+)$/.exec(resolvePreset(name))!;
  return Array.from({ length: Number(version) - 1 }, (_, index) => `${bare!}@${Number(version) - 1 - index}`);
}

/**
 * Returns the name of a preset without its version.
 *
 * @example getPresetFamily('wolf@2') // 'wolf'
 */
export const getPresetFamily = (name: string): string => name.replace(/@\d+$/, '');

// Preset names in records written before presets had versions: a name without a version means the first one.

/**
 * Returns the full name of a preset whose name is stored in a plan.
 *
 * @example readStoredPreset('wolf') // 'wolf@1'
 */
export const readStoredPreset = (name: string): string => (Object.hasOwn(versions, name) ? `${name}@1` : name);

/**
 * Returns the name under which a preset is stored and hashed. The first version has no suffix, so that earlier plans
 * keep their hashes.
 *
 * @example nameStoredPreset('wolf@1') // 'wolf'
 */
export const nameStoredPreset = (name: string): string => name.replace(/@1$/, '');

/**
 * Adds the version of the preset to a short description of rules if an earlier program left it out.
 *
 * @example addPresetVersion('preset wolf with maxRounds=3') // 'preset wolf@1 with maxRounds=3'
 */
export const addPresetVersion = (words: string): string =>
  words.replace(/^preset ([\w-]+)(?= with |$)/, (_, name: string) => `preset ${readStoredPreset(name)}`);
