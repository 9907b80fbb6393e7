// The record of an imported match: the parts that all formats share, and how it is written.
import path from 'node:path';
import { z } from 'zod';
import { summarizeMatch } from '../../deception/summary/match-summary.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { createProvenance } from '../../models/record/provenance.ts';
import { type DraftFolder, openDraft } from '../../models/record/draft-folder.ts';
import { readOrExplain, RecordError } from '../../models/record/ndjson.ts';
import { writeFinishedRecord } from '../../models/record/recorder.ts';
import { getHonestySentence } from '../../prompts/rules-text.ts';
import { type Board, boards, readBoard } from '../../state/boards.ts';
import type { GameEvent } from '../../state/events.ts';
import { isMatchId, isTextInTables } from '../../state/file-name.ts';
import type { Setup } from '../../state/game.ts';
import { type AnswerLine, recordFiles, schemaVersion, type Manifest } from '../../state/record.ts';
import { getRole } from '../../state/roles/index.ts';
import { resolveBoardRules } from '../../state/rulebook.ts';
import type { Rules } from '../../state/rules/common-rules.ts';
import { parseJson } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { comparePromptKnowledge, type PromptKnowledge } from './prompt-knowledge.ts';
import type { Discrepancy, ImportReplay, UncountedBallot } from './recorded-game-replay.ts';

/** Contents of import.json. */
interface ImportReport {
  format: string;
  source: string;
  /** SHA-256 of each file's unpacked contents, by name of the file. */
  files: Record<string, string>;
  differences: readonly Discrepancy[];
  uncounted_ballots: readonly UncountedBallot[];
  /** Comparison of assumed knowledge with recorded prompts; absent if the format records no prompts. */
  prompt_knowledge?: PromptKnowledge;
}

/** One question to a model and its answer, as the original recorded them. A missing value is null, not zero. */
export const RecordedCall = z.strictObject({
  round: z.number().int().describe('the round, from 1'),
  step: z.number().int().min(0).describe('as in `answers.ndjson`'),
  action: z.string().describe('as in `answers.ndjson`'),
  player: z.string().describe('who was asked'),
  prompt: z.string().nullable().describe('the prompt, unchanged'),
  raw: z.string().nullable().describe("the model's text, unchanged"),
  error: z.string().nullable().describe('the error that the original recorded'),
  tokens: z
    .strictObject({ in: z.number().min(0), out: z.number().min(0) })
    .nullable()
    .describe('`in`, `out`'),
  cost: z.number().min(0).nullable().describe('USD'),
  started_at: z.string().nullable().describe('ISO 8601, UTC'),
});
export type RecordedCall = z.infer<typeof RecordedCall>;

export interface ImportedMatch {
  manifest: Manifest;
  events: readonly GameEvent[];
  report: ImportReport;
  /** Calls of the game; empty if the format records none. */
  calls: readonly RecordedCall[];
}

/** Contents of a folder: its games, files that are not games, and games that cannot be imported. */
export interface ImportedFolder {
  matches: readonly ImportedMatch[];
  leftOut: readonly string[];
  damaged: readonly DamagedGame[];
}

export interface DamagedGame {
  /** Name of a file or folder. */
  name: string;
  error: RecordError | UsageError;
}

/**
 * Returns the game that `read` returns, or its fault. Other people made these games, and a damaged game must not stop
 * the import of others. Rethrows errors that are not the game's fault.
 *
 * @example readOrNameFault('game.json', () => createMatch(game, now))
 */
export function readOrNameFault<Game>(name: string, read: () => Game): { game: Game } | DamagedGame {
  try {
    return { game: read() };
  } catch (error) {
    if (error instanceof RecordError || error instanceof UsageError) return { name, error };
    throw error;
  }
}

interface MatchParts extends Pick<ImportReport, 'format' | 'source' | 'files'> {
  setup: Setup;
  /** Model of each player, by name of the player. */
  models: Record<string, string>;
  replay: Omit<ImportReplay, 'game'>;
  /** Prompts and answers of the models, if the format records them. */
  calls?: readonly RecordedCall[];
  /** Time of the import in milliseconds since 1970. */
  now: number;
}

export function createImportedMatch({
  format,
  source,
  files,
  setup,
  models,
  replay,
  calls = [],
  now,
}: MatchParts): ImportedMatch {
  const { events, differences, uncounted } = replay;
  const roles = new Map(setup.players.map(({ name, role }) => [name, role]));
  const known = comparePromptKnowledge(calls, events, roles);
  const prices = Object.fromEntries(Object.values(models).map((model) => [model, null]));
  return {
    manifest: {
      schema_version: schemaVersion,
      id: createId(source),
      setup: { ...setup, honesty_sentence: getHonestySentence(setup.rules), models, bots: [] },
      made_by: createProvenance(prices, now),
      imported: { format, source },
    },
    events,
    report: {
      format,
      source,
      files,
      differences,
      uncounted_ballots: uncounted,
      ...(known && { prompt_knowledge: known }),
    },
    calls,
  };
}

/** Creates a valid id from a name. */
function createId(name: string): string {
  const id = name
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 100)
    .replace(/\.+$/, '');
  return isMatchId(id) && isTextInTables(id) ? id : `imported-${id}`.slice(0, 100).replace(/-$/, '');
}

/** Seed of imported matches. Other programs record no seed, and nothing that is recorded depends on it. */
const noSeed = 0;

/** A player of a recorded game, with the name that the other program gave. */
interface ImportedPlayer {
  name: string;
  role: string;
  persona?: string;
}

/**
 * Limits of words and rounds for imported matches. The original games had no limits, so these are the highest that this
 * project's rules allow.
 */
export const highestLimits = { maxWords: 1000, maxRounds: 50 };

/**
 * Returns the rules of a game in which everybody speaks in the order of seats and the most votes exile. `passes`: for
 * each player and day, the number of the player's statements; `more`: further rules that the game shows.
 *
 * @example resolveRoundRobinRules(board, [1, 2], { reveal: 'none' }).debatePasses // 2
 */
export const resolveRoundRobinRules = (board: Board, passes: readonly number[], more: Partial<Rules>): Rules =>
  resolveBoardRules(board, 'wolf@1', {
    ...highestLimits,
    debateOrder: 'round-robin',
    debatePasses: Math.min(5, Math.max(1, ...passes)),
    exile: 'plurality',
    exileTies: 'random',
    memory: 'full',
    analysis: 'off',
    ...more,
  });

/**
 * Creates the set-up of players in seat order. `format`: name of the format. Throws a UsageError for unknown roles and
 * for players who cannot be seated.
 */
export function createImportedSetup(
  format: string,
  players: readonly ImportedPlayer[],
  findRules: (board: Board) => Rules,
): Setup {
  const board = findBoard(format, players);
  return {
    board: { name: board.name, roles: board.roles },
    rules: findRules(board),
    seed: noSeed,
    players: players.map(({ name, role, persona }) => ({
      name,
      role,
      team: getRole(role).team,
      ...(persona ? { persona } : {}),
    })),
  };
}

function findBoard(format: string, players: readonly ImportedPlayer[]): Board {
  const dealt = players.map(({ role }) => role);
  const known = Object.values(boards).find(
    ({ roles }) =>
      Object.values(roles).reduce((sum, count) => sum + count, 0) === dealt.length &&
      Object.entries(roles).every(([role, count]) => dealt.filter((other) => other === role).length === count),
  );
  const roles = Object.fromEntries([...Map.groupBy(dealt, (role) => role)].map(([role, { length }]) => [role, length]));
  const { name, roles: counts } = known ?? { name: `${format}-${dealt.length}`, roles };
  return readBoard({ name, roles: counts, names: players.map((player) => player.name) });
}

/**
 * Writes imported matches into new folders in `out` and returns the folders. `matches` are read one by one, so that
 * only one is in memory. Nothing appears in `out` before all matches are written. Throws a UsageError if a folder
 * exists, or if two matches have the same name.
 *
 * @example writeImported([importArena('sessions/session_20240610_084702', Date.now())], 'runs');
 */
export function writeImported(matches: Iterable<ImportedMatch>, out: string): string[] {
  const disk = getDisk();
  const draft = openDraftFor(out);
  const ids = new Set<string>();
  try {
    for (const match of matches) {
      const { id } = match.manifest;
      if (ids.has(id))
        throw new UsageError(
          `Two of the matches would be named ${id}. Rename one, or import them into different folders (--out).`,
        );
      const folder = path.join(out, id);
      if (disk.exists(folder)) throw new UsageError(`${folder} already exists. Remove it, or choose another --out.`);
      writeMatch(match, path.join(draft.folder, id));
      ids.add(id);
    }
    if (disk.exists(out)) for (const id of ids) disk.rename(path.join(draft.folder, id), path.join(out, id));
    else disk.rename(draft.folder, out);
    disk.syncFolder(out);
  } finally {
    draft.remove();
  }
  return [...ids].map((id) => path.join(out, id));
}

/** Error codes that occur if the folder that contains `out` is not writable, or is on another file system. */
const besideFails = ['EACCES', 'EPERM', 'EROFS', 'EXDEV'];

/**
 * Opens a draft folder beside `out`, so that a killed command leaves nothing in `out`. If that is not possible, opens
 * it inside `out`.
 */
function openDraftFor(out: string): DraftFolder {
  const disk = getDisk();
  const beside = path.dirname(path.resolve(out));
  disk.makeFolder(beside);
  try {
    const draft = openDraft(beside);
    if (disk.exists(out)) tryToMove(draft, out);
    return draft;
  } catch (error) {
    if (!besideFails.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    disk.makeFolder(out);
    return openDraft(out);
  }
}

/**
 * Tests whether a folder can be moved from a draft into `out`. If not, removes the draft and throws the system's error.
 */
function tryToMove(draft: DraftFolder, out: string): void {
  const disk = getDisk();
  let inside: DraftFolder | null = null;
  try {
    inside = openDraft(out);
    const [from, to] = [draft, inside].map(({ folder }) => path.join(folder, 'moved')) as [string, string];
    disk.makeFolder(from);
    disk.rename(from, to);
  } catch (error) {
    draft.remove();
    throw error;
  } finally {
    inside?.remove();
  }
}

function writeMatch({ manifest, events, report, calls }: ImportedMatch, folder: string) {
  const record = { manifest, events, answers: [] };
  const files = {
    [recordFiles.import]: `${JSON.stringify(report, null, 2)}\n`,
    ...(calls.length > 0 && { [recordFiles.importedCalls]: calls.map((call) => `${JSON.stringify(call)}\n`).join('') }),
  };
  writeFinishedRecord(folder, record, files, summarizeMatch(record));
}

/** Size limit in bytes of the file of calls. */
const mostCalls = 256 * 2 ** 20;

/**
 * Returns the calls of an imported match as the other program recorded them, in the recorded order. Empty if it
 * recorded no calls. Throws a RecordError that names the file and the line if the file is damaged.
 *
 * @example readImportedCalls('runs/episode-1').filter(({ action }) => action === 'debate')
 */
export function readImportedCalls(folder: string): RecordedCall[] {
  const file = path.join(folder, recordFiles.importedCalls);
  if (!getDisk().exists(file)) return [];
  const lines = readOrExplain(file, () => getDisk().readText(file, mostCalls)).split('\n');
  return lines.flatMap((line, place) => {
    if (line === '') return [];
    const read = RecordedCall.safeParse(parseJson(line));
    if (!read.success)
      throw new RecordError(
        `${file}, line ${place + 1} is damaged: ${z.prettifyError(read.error)} Import the game again.`,
      );
    return [read.data];
  });
}

/**
 * Converts a recorded call to the form of this project's answers, for looking up its text. The answer's time, retries
 * and prompt hash must not be counted, because the other program did not record them.
 */
export const convertToAnswer = ({ raw, error, tokens, cost, ...call }: RecordedCall, model: string): AnswerLine => ({
  ...{ round: call.round, step: call.step, action: call.action, player: call.player, attempt: 1, prompt_sha256: '' },
  ...{ raw: raw ?? '', answer: parseJson(raw ?? '') ?? null },
  ...(error === null ? {} : { error }),
  ...{ model, model_returned: null, system_fingerprint: null, finish_reason: null, retries: 0, ms: 0 },
  ...{ tokens: tokens && { ...tokens, cached: null, reasoning: null }, cost, started_at: call.started_at ?? '' },
});
