// Writes a study's plan to its folder and, during play, the limits of its servers, for anyone who watches the study.
// The records contain everything else. Failures to write are ignored, so that they stop no match.
import path from 'node:path';
import {
  groupPairings,
  type PlannedPairing,
  type PlannedPlace,
  type StudyPlan,
  studyFileName,
} from '../../deception/design/study-plan.ts';
import type { TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import { listFolders, readManifestIfSound } from '../../graph/earlier-match.ts';
import { listMatchPlaces, type MatchPlace, type MatchSet, prepareFirstMatches } from '../../graph/match-set.ts';
import type { PlayLimits } from '../../models/call-limits.ts';
import type { SetListener } from '../../graph/play-matches.ts';
import type { Environment } from '../../models/model.ts';
import { getCallLimiters } from '../../models/limiters-by-server.ts';
import { getDisk, getMachine } from '../../models/machine/machine.ts';
import { writeWhole } from '../../models/record/recorder.ts';
import { pluralize, sanitizeText } from '../../report/format.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import { type Manifest, recordFiles } from '../../state/record.ts';
import { getRole } from '../../state/roles/index.ts';
import { describeRules } from '../../state/rulebook.ts';
import { hashText } from '../../state/hash-text.ts';
import { listSignFiles, readSign, readStudyPlan, type SignOfLife } from './study-file.ts';

/** The study that a command plays. */
export interface PlayedStudy {
  set: MatchSet;
  out: string;
  env: Environment;
  judge: string | undefined;
  limits: PlayLimits;
  /** Called with a warning if the folder contains matches with other rules than the study. */
  warn?: (line: string) => void;
}

/** Writes a study's plan and signs of life while the study is played. */
export interface StudyRecording {
  /** Wraps a set's listener, so that the study is also recorded. */
  listen(listener: SetListener): SetListener;
  /**
   * Begins the recording. Needed for a set that does not call its listener with the survey. `left`: number of matches
   * left.
   */
  open(left: number): Promise<void>;
  /** Receives the estimate for one match, made before the first call. */
  expect: (of: { calls: number; cost: number | null }) => void;
  /** Removes this command's sign of life. */
  close: () => void;
}

/** Milliseconds between checks for changes, and maximum number of milliseconds between two writes. */
const [signEvery, longestSilence] = [2000, 10_000];

/**
 * Starts recording a study's plan and signs of life. Writes nothing until the existing records have been read.
 *
 * @example
 * const recording = recordStudy({ set, out: 'runs/study', env, judge, limits: { maxCost: 20, concurrency: 32 } });
 * await playMatches(set, recording.listen(listener)).finally(recording.close);
 */
export function recordStudy(study: PlayedStudy): StudyRecording {
  const { clock, processes } = getMachine();
  const sign = path.join(study.out, `.running-${hashText(JSON.stringify([processes.getOwn(), clock.now()])).slice(0, 12)}.json`); // prettier-ignore
  let plan: StudyPlan | null = null;
  let expected: StudyPlan['expected'] = null;
  let last = { text: '', at: -Infinity };
  let end = () => {};
  const tell = () => {
    const servers = listServers();
    const text = JSON.stringify(servers);
    const now = clock.elapsed();
    if (text === last.text && now - last.at < longestSilence) return;
    last = { text, at: now };
    const told: SignOfLife = { told_at: new Date(clock.now()).toISOString(), process: processes.getOwn(), servers };
    attempt(() => replaceFile(sign, `${JSON.stringify(told)}\n`));
  };
  const keepPlan = () => {
    if (plan !== null) attempt(() => writeWhole(path.join(study.out, studyFileName), `${JSON.stringify(plan)}\n`));
  };
  const open = async (left: number) => {
    if (plan !== null || (left === 0 && !getDisk().exists(study.out))) return;
    plan = await createPlan(study, readStudyPlan(study.out), expected, left);
    const others = describeOtherRules(study.out, plan.pairings);
    if (others !== null && left > 0) study.warn?.(others);
    attempt(() => getDisk().makeFolder(study.out));
    removeOldSigns(study.out);
    keepPlan();
    tell();
    end = clock.repeat(signEvery, tell);
  };
  return {
    open,
    listen: (listener) => ({
      ...listener,
      onSurveyed: async (left) => {
        await open(left.matches);
        await listener.onSurveyed?.(left);
      },
    }),
    expect: ({ calls, cost }) => {
      expected = { calls, cost };
      if (plan !== null) plan = { ...plan, expected };
      keepPlan();
    },
    close: () => {
      end();
      attempt(() => getDisk().remove(sign));
    },
  };
}

const listServers = (): SignOfLife['servers'] =>
  getCallLimiters(getMachine().clock)
    .list()
    .map(({ server, underWay, waiting, perMinute, heldMs }) => ({
      ...{ server, under_way: underWay, waiting, per_minute: perMinute === null ? null : Math.round(perMinute) },
      held_ms: 1000 * Math.ceil(heldMs / 1000),
    }));

/**
 * Creates the plan of the study. `before`: earlier contents of the folder; a resumed study keeps its start time.
 * `left`: number of matches to play.
 */
async function createPlan(
  { set, out, env, judge, limits }: PlayedStudy,
  before: StudyPlan | null,
  expected: StudyPlan['expected'],
  left: number,
): Promise<StudyPlan> {
  const isPlayed = left > 0;
  const now = new Date(getMachine().clock.now()).toISOString();
  return {
    ...{ study_version: 1, begun_at: before?.begun_at ?? now },
    played_since: isPlayed || before === null ? now : before.played_since,
    runs: (before?.runs ?? 0) + (isPlayed || before === null ? 1 : 0),
    ...{ judge: judge ?? null, max_cost: limits.maxCost ?? null, concurrency: limits.concurrency },
    expected: expected ?? before?.expected ?? null,
    pairings: await listPairings(set, { out, env }),
  };
}

async function listPairings(set: MatchSet, { out, env }: Pick<PlayedStudy, 'out' | 'env'>): Promise<PlannedPairing[]> {
  const places = listMatchPlaces(set);
  if (set.listed !== undefined) return groupPairings(places.map((place) => describeTournamentPlace(place as TournamentMatch))); // prettier-ignore
  const firsts = await prepareFirstMatches(set, { out, env, now: 0 });
  const byFolder = new Map(
    listMatchPlaces({ ...set, matches: 1 }).flatMap((place, at) => {
      const first = firsts[at];
      return first === undefined ? [] : [[place.folder ?? '', first.prepared.manifest] as const];
    }),
  );
  return groupPairings(
    places.flatMap((place) => {
      const first = byFolder.get(place.folder ?? '');
      if (first === undefined) return [];
      const described = describeSetPlace(place, first);
      // Seats are drawn for every match, so the sides of the first match say nothing about the other matches.
      return [set.people === undefined ? described : { ...described, werewolves: null, villagers: null }];
    }),
  );
}

/**
 * Describes the place of a tournament's match. The schedule determines the opponents. Each folder is a pairing or a
 * condition.
 */
function describeTournamentPlace({ seed, folder, board, sides, pairing, condition }: TournamentMatch): PlannedPlace {
  const name = [sides === null ? pairing : null, condition].filter((part) => part !== null).join(', ');
  return {
    ...{ seed, folder, board: board.name, rules: null, models: null, name: name === '' ? null : name },
    ...{ werewolves: sides?.werewolves ?? null, villagers: sides?.villagers ?? null },
  };
}

/**
 * Describes the place of a set's match. The first match of each arm shows its models, except if the seats of one side
 * have several models.
 */
function describeSetPlace({ seed, folder = '', rule, variant }: MatchPlace, { setup }: Manifest): PlannedPlace {
  const { board, rules, players, models } = setup;
  const listModels = (side: string | null) => [
    ...new Set(
      players
        .filter(({ role }) => side === null || getRole(role).team === side)
        .map(({ name }) => getModelLabel(models[name] ?? '')),
    ),
  ];
  const findOnly = (side: string) => (listModels(side).length === 1 ? listModels(side).join('') : null);
  const condition = [...Object.entries(rule ?? {}).map(([name, value]) => `${name}=${String(value)}`), variant ?? null];
  const name = condition.filter((part) => part !== null).join(', ');
  return {
    ...{ seed, folder, board: board.name, rules: describeRules(rules, board), models: listModels(null).sort() },
    ...{ werewolves: findOnly('werewolves'), villagers: findOnly('villagers'), name: name === '' ? null : name },
  };
}

/**
 * Describes the rules of matches that are in the folders of these pairings but not in the plan. Null if there are none.
 * A report on the folder includes such matches.
 */
function describeOtherRules(out: string, pairings: readonly PlannedPairing[]): string | null {
  const planned = new Set(pairings.flatMap(({ rules }) => rules ?? []));
  if (planned.size === 0) return null; // each condition of a tournament has its own folder
  const found = [...new Set(pairings.map(({ folder }) => folder))].flatMap((folder) =>
    listFolders(path.join(out, folder)).flatMap((name) => {
      const kept = readManifestIfSound(path.join(out, folder, name, recordFiles.manifest));
      return kept === null ? [] : [describeRules(kept.setup.rules, kept.setup.board)];
    }),
  );
  const others = Map.groupBy(
    found.filter((rules) => !planned.has(rules)),
    (rules) => rules,
  );
  if (others.size === 0) return null;
  const told = [...others].map(([rules, { length }]) => `${pluralize(length, 'match', 'matches')} under ${rules}`);
  return sanitizeText(
    `${out} also contains ${told.join(', ')}; this command plays matches under ${[...planned].join(', ')}. Reports on the folder include all of them: to keep them separate, choose another --out.`,
  );
}

/** Removes the signs of life that killed commands left behind. */
function removeOldSigns(folder: string): void {
  const now = getMachine().clock.now();
  for (const file of listSignFiles(folder)) if (readSign(file, now) === null) attempt(() => getDisk().remove(file));
}

/** Replaces a file without waiting for the disk: after a power failure the file is useless anyway. */
function replaceFile(file: string, text: string): void {
  const disk = getDisk();
  disk.write(`${file}.new`, text);
  disk.rename(`${file}.new`, file);
}

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // Ignore the error: the study's watchers then see only its records.
  }
}
