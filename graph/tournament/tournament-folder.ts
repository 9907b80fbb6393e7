// The folder of a tournament: the plan of its matches, and whether they may continue under another plan.
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { listTournamentMatches } from '../../deception/tournament-plan/tournament-schedule.ts';
import type { TournamentPlan } from '../../deception/tournament-plan/tournament-plan.ts';
import {
  hashTournament,
  identifyEntrants,
  tournamentFileName,
  TournamentRecord,
} from '../../deception/tournament-plan/tournament-record.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { readTextOrExplain } from '../../models/record/ndjson.ts';
import { writeWhole } from '../../models/record/recorder.ts';
import { describeInOneLine, UsageError } from '../../state/usage-error.ts';
import { getPresetFamily } from '../../state/presets.ts';
import { parseJson } from '../../state/text.ts';

/**
 * Reads the tournament of a folder; null if there is none. Throws a UsageError if its file cannot be used.
 *
 * @example readTournament('runs/frontier')?.plan.deals // 20
 */
export function readTournament(folder: string): TournamentRecord | null {
  const file = path.join(folder, tournamentFileName);
  if (!getDisk().exists(file)) return null;
  const read = TournamentRecord.safeParse(parseJson(readTextOrExplain(file)));
  if (!read.success)
    throw new UsageError(
      `${file} is not a valid record of a tournament: ${describeInOneLine(read.error)}. Restore it from a copy.`,
    );
  return read.data;
}

/** Writes the record of a tournament, completely or not at all. Throws a RecordError if it cannot be written. */
export function writeTournament(folder: string, record: TournamentRecord): void {
  getDisk().makeFolder(folder);
  writeWhole(path.join(folder, tournamentFileName), `${JSON.stringify(record, null, 2)}\n`);
}

/**
 * Returns the record under which a plan continues or begins in a folder: the existing record, extended by added deals
 * or entrants. Writes nothing. Throws a UsageError that names any other changes.
 */
export function prepareTournament(folder: string, plan: TournamentPlan): TournamentRecord {
  const own = identifyEntrants(plan);
  const fresh: TournamentRecord = {
    ...{ tournament_version: 1, plan: own, plan_sha256: hashTournament(plan), earlier_plans: [] },
    ...{ matches: listTournamentMatches(plan).length, stopped: null },
  };
  const before = readTournament(folder);
  if (before === null) return fresh;
  if (before.plan_sha256 === fresh.plan_sha256) return { ...before, plan: own };
  const refusal = findPlanConflict(before.plan, own);
  if (isOtherVersion(before.plan, own))
    throw new UsageError(
      `${path.join(folder, tournamentFileName)}: ${plan.name} began under ${before.plan.rules.join(', ')}, but the plan now selects ${own.rules.join(', ')}. To resume, write rules: ${formatRules(before.plan.rules)} in the plan; to begin under ${own.rules.join(', ')}, choose another name, or --out.`,
    );
  if (refusal !== null)
    throw new UsageError(
      `${path.join(folder, tournamentFileName)}: ${plan.name} began under another plan. ${refusal} Under the same name you may only raise deals and change maxCost; for another plan choose another name, or --out.`,
    );
  const { plan_sha256, plan: earlier } = before;
  const extended = { plan_sha256, deals: earlier.deals, entrants: Object.keys(earlier.entrants) };
  return { ...fresh, earlier_plans: [...before.earlier_plans, extended] };
}

/** Returns whether two plans use different versions of the same presets. */
const isOtherVersion = ({ rules: before }: TournamentPlan, { rules: now }: TournamentPlan) =>
  !isDeepStrictEqual(before, now) && isDeepStrictEqual(before.map(getPresetFamily), now.map(getPresetFamily));

const formatRules = (rules: readonly string[]) => (rules.length === 1 ? rules[0]! : `[${rules.join(', ')}]`);

/** Formats in which a new entrant only adds matches to the existing ones. */
const extensible: readonly TournamentPlan['format'][] = ['round-robin', 'self-play', 'by-role'];

/**
 * Returns why matches of one plan cannot continue under another plan; null if they can. In both plans, models are given
 * by identity.
 */
export function findPlanConflict(before: TournamentPlan, now: TournamentPlan): string | null {
  const added = Object.keys(now.entrants).filter((name) => !Object.hasOwn(before.entrants, name));
  const mayAdd = extensible.includes(now.format) && now.design === 'all' && now.stop === undefined;
  const kept = mayAdd ? { ...now, entrants: dropNames(now.entrants, added) } : now;
  const differences = listDifferences(
    { ...before, deals: undefined, maxCost: undefined },
    { ...kept, deals: undefined, maxCost: undefined },
  );
  if (differences.length > 0) return `It differs in ${differences.join('; ')}.`;
  if (now.deals < before.deals) return `It has fewer deals (${now.deals}) than were planned (${before.deals}).`;
  const folders = new Set(listTournamentMatches({ ...now, deals: 1 }).map(({ folder }) => folder));
  const lost = listTournamentMatches({ ...before, deals: 1 }).find(({ folder }) => !folders.has(folder));
  return lost === undefined
    ? null
    : `With the name ${added.join(', ')} the folder ${lost.folder} would have another name. Choose a name that differs in letters or digits.`;
}

const dropNames = (entrants: TournamentPlan['entrants'], names: readonly string[]) =>
  Object.fromEntries(Object.entries(entrants).filter(([name]) => !names.includes(name)));

/** Maximum number of differences to list. Further differences are only counted. */
const toldDifferences = 5;

/** Lists differences by path, e.g. `seed (1, now 2)`. */
function listDifferences(before: unknown, now: unknown): string[] {
  const found = listPaths(before, now, '');
  const more = found.length > toldDifferences ? [`${found.length - toldDifferences} more`] : [];
  return [...found.slice(0, toldDifferences), ...more];
}

function listPaths(before: unknown, now: unknown, at: string): string[] {
  if (isDeepStrictEqual(before, now)) return [];
  if (!isRecord(before) || !isRecord(now)) return [`${at} (${describe(before)}, now ${describe(now)})`];
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return names.flatMap((name) => listPaths(before[name], now[name], at === '' ? name : `${at}.${name}`));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Maximum number of characters shown of a value. */
const toldValue = 80;

function describe(value: unknown): string {
  const text = value === undefined ? 'not there' : JSON.stringify(value);
  return text.length > toldValue ? `${text.slice(0, toldValue)}…` : text;
}
