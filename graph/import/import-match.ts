// Imports a game that another program recorded: turns its folder into the folder of a match, which can be read and
// measured, but not played.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createProvenance } from '../../models/record/provenance.ts';
import { getHonestySentence } from '../../prompts/rules-text.ts';
import type { GameEvent } from '../../state/events.ts';
import { resolveBoardRules } from '../../state/rules/rules.ts';
import { boards, readBoard, type Board } from '../../state/boards.ts';
import type { Rules } from '../../state/rules/options.ts';
import { recordFiles, schemaVersion, type Manifest } from '../../state/record.ts';
import { getRole } from '../../state/roles/index.ts';
import type { RuleValue } from '../../state/rules/rule.ts';
import type { Setup } from '../../state/game.ts';
import { UsageError } from '../../state/usage-error.ts';
import { readArena, type ArenaSession } from './arena-format.ts';
import { replaySession } from './arena-replay.ts';
import type { Discrepancy, UncountedBallot } from './replay.ts';

/** What import.json says of an imported match. */
interface ImportReport {
  format: string;
  source: string;
  /** File → SHA-256 of its unpacked contents. */
  files: Record<string, string>;
  differences: readonly Discrepancy[];
  uncounted_ballots: readonly UncountedBallot[];
}

const importReportFile = 'import.json';

interface ImportedMatch {
  manifest: Manifest;
  events: readonly GameEvent[];
  report: ImportReport;
}

/**
 * Reads the folder of a session of Werewolf Arena or DSGBench. `now`: milliseconds since 1970. Throws a UsageError for a
 * folder that holds no session or one whose players cannot be seated, and a RecordError that names the file for one that
 * is damaged or of another shape.
 *
 * @example writeImported(importArena('sessions/session_20240610_084702', Date.now()), 'runs');
 */
export function importArena(folder: string, now: number): ImportedMatch {
  const { session, winner, files } = readArena(folder);
  const setup = createSetup(session);
  const source = path.basename(path.resolve(folder));
  const models = Object.fromEntries(Object.entries(session.players).map(([name, { model }]) => [name, model]));
  const { events, differences, uncounted } = replaySession(session, setup, winner);
  const prices = Object.fromEntries(Object.values(models).map((model) => [model, null]));
  return {
    manifest: {
      schema_version: schemaVersion,
      id: createId(source),
      setup: { ...setup, honesty_sentence: getHonestySentence(setup.rules), models, bots: [] },
      made_by: createProvenance(prices, now),
      imported: { format: 'arena', source },
    },
    events,
    report: { format: 'arena', source, files, differences, uncounted_ballots: uncounted },
  };
}

/** Other programs record no seed; it would decide nothing that is recorded. */
const noSeed = 0;

/** The set-up of a session. Throws a UsageError for unknown roles and for players that cannot be seated. */
export function createSetup(session: ArenaSession): Setup {
  const board = findBoard(session);
  const players = Object.entries(session.players).map(([name, { role, personality }]) => ({
    name,
    role,
    team: getRole(role).team,
    ...(personality ? { persona: personality } : {}),
  }));
  return { board: { name: board.name, roles: board.roles }, rules: findRules(session, board), seed: noSeed, players };
}

function findBoard({ players }: ArenaSession): Board {
  const dealt = Object.values(players).map(({ role }) => role);
  const known = Object.values(boards).find(
    ({ roles }) =>
      Object.values(roles).reduce((sum, count) => sum + count, 0) === dealt.length &&
      Object.entries(roles).every(([role, count]) => dealt.filter((other) => other === role).length === count),
  );
  const roles = Object.fromEntries([...Map.groupBy(dealt, (role) => role)].map(([role, { length }]) => [role, length]));
  const { name, roles: counts } = known ?? { name: `arena-${dealt.length}`, roles };
  return readBoard({ name, roles: counts, names: Object.keys(players) });
}

/** The original limits neither words nor rounds; these are the highest limits that our rules allow. */
const unlimited = { maxWords: 1000, maxRounds: 50 };

/**
 * The rule set `arena`, with the advice that the original's prompts gave. Where there are no bids, everybody spoke in
 * seat order as in DSGBench, whose temperatures are not known.
 */
function findRules({ rounds }: ArenaSession, board: Board): Rules {
  const isBidFor = rounds.some(({ bids }) => bids.length > 0);
  const longest = Math.max(1, ...rounds.map(({ debate }) => debate.length));
  const most = Math.max(1, ...rounds.map(({ debate, players, exiled }) => countTurnsEach(debate, players, exiled)));
  const orderRules: Record<string, RuleValue> = isBidFor
    ? { debateTurns: Math.min(longest, 40) }
    : { debateOrder: 'round-robin', debatePasses: most, choiceTemperature: null, talkTemperature: null };
  const syntheticVotes = rounds.some(({ log }) => log.votes.length > 1);
  return resolveBoardRules(board, 'arena', { ...unlimited, ...orderRules, syntheticVotes, coaching: 'paper' });
}

const countTurnsEach = (debate: readonly unknown[], left: readonly string[], exiled: string | null | undefined) =>
  Math.min(5, Math.ceil(debate.length / Math.max(1, left.length + (exiled ? 1 : 0))));

/** A valid id: letters, digits, ".", "_" and "-". */
const createId = (name: string) =>
  name
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 100) || 'imported';

/** Writes an imported match into a new folder in `out` and returns that. Throws a UsageError where it exists already. */
export function writeImported({ manifest, events, report }: ImportedMatch, out: string): string {
  const folder = path.join(out, manifest.id);
  if (existsSync(folder)) throw new UsageError(`${folder} is there already. Remove it, or choose another --out.`);
  mkdirSync(folder, { recursive: true });
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const contents = {
    [recordFiles.answers]: '',
    [recordFiles.events]: lines,
    [importReportFile]: `${JSON.stringify(report, null, 2)}\n`,
    [recordFiles.manifest]: `${JSON.stringify(manifest, null, 2)}\n`, // last, since a folder with a manifest counts as a match
  };
  for (const [name, text] of Object.entries(contents)) writeFileSync(path.join(folder, name), text);
  return folder;
}
