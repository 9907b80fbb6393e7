// Finds matches that were played before, so that nothing is paid for twice. A finished match is only read. An
// unfinished match is resumed, even if its id and defaults come from an earlier version.
import path from 'node:path';
import { getDisk } from '../models/machine/machine.ts';
import { summarizeMatch } from '../deception/summary/match-summary.ts';
import type { DeceptionSummary } from '../deception/summary/match-summary-schema.ts';
import { listDifferingKeys, readManifest, readRecord } from '../models/record/recorder.ts';
import type { GameEvent } from '../state/events.ts';
import { type Manifest, recordFiles } from '../state/record.ts';
import { readBoard } from '../state/boards.ts';
import { defaultPlan } from '../state/game.ts';
import { mustBeSealed } from '../state/record-migrations.ts';
import type { RuleValues } from '../state/rules/rule.ts';
import { listEarlierVersions } from '../state/presets.ts';
import { isFormerDefault, listDecidingRules, readRules } from '../state/rulebook.ts';
import { nameStructured } from '../state/model-identity.ts';
import { UsageError } from '../state/usage-error.ts';
import type { MatchPlan } from './prepare-match.ts';

export interface MatchResult {
  id: string;
  /** Folder of the record. Null if nothing was written. */
  folder: string | null;
  summary: DeceptionSummary;
  events: readonly GameEvent[];
}

/**
 * Reads the finished match in this folder and rebuilds its summary from the record. Null if the folder has no finished
 * match with this set-up. Throws RecordError if the record is damaged.
 */
export function readFinishedMatch(folder: string, { id, setup, fork_of: fork }: Manifest): MatchResult | null {
  const files = [recordFiles.summary, recordFiles.prompts].map((name) => path.join(folder, name));
  if (!files.every((file) => getDisk().exists(file))) return null;
  const record = readRecord(folder, { canLackSeal: true });
  if (!record.isFinished || (record.seal === null && mustBeSealed(record.schema))) return null;
  const isOther = listDifferingKeys({ ...record.manifest.setup, fork: record.manifest.fork_of }, { ...setup, fork });
  if (isOther.length > 0) return null; // opening the match will refuse it
  return { id, folder, summary: summarizeMatch(record), events: record.events };
}

/** Id and rules of a match that began under an earlier version. The match is resumed with them. */
export interface EarlierMatch {
  id: string;
  rules: RuleValues;
}

/** Returns the plan of a match that began earlier. */
export const planEarlierMatch = (plan: MatchPlan, { id, rules }: EarlierMatch): MatchPlan => ({
  ...{ ...plan, id, rule: {} },
  recorded: { board: plan.recorded?.board ?? readBoard(plan.board ?? defaultPlan.board), rules },
});

/** Returns the part of a match's id before the hash: board and seed. See prepareMatch. */
export const getBoardAndSeed = (id: string) => id.slice(0, id.lastIndexOf('-'));

/** Lists the folders in `parent`, by name. */
export const listFolders = (parent: string): string[] =>
  getDisk().exists(parent)
    ? getDisk()
        .list(parent)
        .map(({ name }) => name)
    : [];

/**
 * Reads a manifest. Returns null if the manifest is missing or unusable, and for a fork, because only `fork` resumes
 * forks.
 */
export function readManifestIfSound(file: string): Manifest | null {
  try {
    const manifest = getDisk().exists(file) ? readManifest(file) : null;
    return manifest?.fork_of === undefined ? manifest : null;
  } catch {
    return null; // the code that needs the record reports the fault
  }
}

/**
 * Finds a planned match that began under an earlier version. Searches the folders `names` in `parent`, whose ids have
 * the match's board and seed. Earlier versions included irrelevant options in ids, and recorded other values for rules
 * without effect. Null if there is no such match besides the match's own folder. `plan`: the match's plan. Throws a
 * UsageError if a match that has begun differs only in defaults that have changed since, or in the version of the
 * preset, because the user must decide whether to resume it.
 *
 * @example findEarlierMatch(manifest, { parent: 'runs', names: listFolders('runs'), plan });
 */
export function findEarlierMatch(
  manifest: Manifest,
  { parent, names, plan }: { parent: string; names: readonly string[]; plan: MatchPlan },
): EarlierMatch | null {
  const { id, setup } = manifest;
  if (names.includes(id)) return null;
  const { rules, ...others } = setup;
  const kept = names
    .filter((name) => getBoardAndSeed(name) === getBoardAndSeed(id))
    .flatMap((name) => {
      const one = readManifestIfSound(path.join(parent, name, recordFiles.manifest));
      if (one === null) return [];
      const { rules: before, ...rest } = one.setup;
      const isOtherForm = isAskedOtherwise(rest.models, others.models);
      const models = isOtherForm ? others.models : rest.models;
      if (listDifferingKeys({ ...rest, models }, others).length > 0) return [];
      const differing = listDecidingRules(before, rules, setup.board);
      return [{ name, before, differing, isOtherForm, made_by: one.made_by }];
    });
  const same = kept.find(({ differing }) => differing.length === 0);
  if (same?.isOtherForm) throw new UsageError(describeOtherForm(path.join(parent, same.name)));
  if (same) return { id: same.name, rules: same.before };
  const earlier = kept.filter(({ made_by }) => made_by.templates_sha256 !== manifest.made_by.templates_sha256);
  for (const { preset, rules: today } of listFormerRules(plan, rules))
    for (const { name, before, isOtherForm } of earlier) {
      const differing = listDecidingRules(before, today, setup.board);
      const isFormer = (rule: string) =>
        plan.rule?.[rule] === undefined && isFormerDefault(rule, before[rule]!, today[rule]!);
      if (differing.every(isFormer))
        throw new UsageError(describeFormerRules(path.join(parent, name), { preset, before, differing, isOtherForm }));
    }
  return null;
}

/** Whether the seats differ only in the default form of structured output: every seat has the same model. */
function isAskedOtherwise(before: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>): boolean {
  const isSame = Object.keys(now).every((name) => before[name] === now[name]);
  return !isSame && Object.entries(now).every(([name, model]) => before[name] === nameStructured(model, null));
}

const addForm = 'add structured=schema to the model';

const describeOtherForm = (folder: string) =>
  `The models in ${folder} were asked with a schema for each question, but today’s default is another form, so that match would be played and paid for again. To resume in this folder, ${addForm}; to start again, choose another --out.`;

/** Lists the rules of a plan under the current version of its preset and under each earlier version. */
function listFormerRules(plan: MatchPlan, rules: RuleValues): { preset: string | null; rules: RuleValues }[] {
  const versions = plan.recorded ? [] : listEarlierVersions(plan.rules ?? defaultPlan.rules);
  const board = readBoard(plan.board ?? defaultPlan.board);
  return [
    { preset: null, rules },
    ...versions.map((preset) => ({ preset, rules: readRules(preset, plan.rule, { board }) })),
  ];
}

/**
 * Describes how the rules of a match that began under an earlier version differ from today's, and how to resume the
 * match. `preset`: version of the preset under which the match began; null if that version is still the newest.
 */
function describeFormerRules(
  folder: string,
  {
    preset,
    before,
    differing,
    isOtherForm,
  }: { preset: string | null; before: RuleValues; differing: readonly string[]; isOtherForm: boolean },
): string {
  const pairs = differing.map((name) => [name, String(before[name])]);
  const options = [
    ...(preset === null ? [] : [`--rules ${preset}`]),
    ...pairs.map(([name, value]) => `--rule ${name}=${value}`),
  ];
  const lines = [
    ...(preset === null ? [] : [`rules: ${preset}`]),
    ...(pairs.length === 0 ? [] : [`rule: { ${pairs.map(([name, value]) => `${name}: ${value}`).join(', ')} }`]),
  ];
  const how = [
    ...(preset === null ? [] : [`under the preset ${preset}`]),
    ...(pairs.length === 0 ? [] : [`with another default of ${differing.join(', ')}`]),
  ];
  return `${folder} was begun by an earlier version, ${how.join(' and ')}: today's ${preset === null ? 'defaults' : 'rules'} would play and pay for that match again. To resume it, ${preset === null ? 'add' : 'give'} ${options.join(' ')} (in a file: ${lines.join(', ')})${isOtherForm ? `, and ${addForm}` : ''}; to start again, choose another --out.`;
}
