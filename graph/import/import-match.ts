// Imports games recorded by other programs: turns their folders into matches, which can be read and measured, but not
// played.
import path from 'node:path';
import type { Board } from '../../state/boards.ts';
import type { Setup } from '../../state/game.ts';
import type { Rules } from '../../state/rules/common-rules.ts';
import type { RuleValue } from '../../state/rules/rule.ts';
import { resolveBoardRules } from '../../state/rulebook.ts';
import { findArenaSessions, readArena, type ArenaSession } from './arena-format.ts';
import { replaySession } from './arena-replay.ts';
import { importTimelines } from './import-timeline.ts';
import {
  createImportedMatch,
  createImportedSetup,
  type ImportedFolder,
  type ImportedMatch,
  highestLimits,
  readOrNameFault,
} from './imported-match.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { UsageError } from '../../state/usage-error.ts';

/** Format → reader of a folder in that format. */
const importers: Readonly<Record<string, (folder: string, now: number) => ImportedFolder>> = {
  arena: (folder, now) => {
    const { whole, stopped } = findArenaSessions(folder);
    const sessions = whole.length + stopped.length === 0 ? [folder] : whole; // reading it tells what it lacks
    const read = sessions.map((session) => readOrNameFault(session, () => importArena(session, now)));
    return {
      matches: read.flatMap((one) => ('game' in one ? [one.game] : [])),
      leftOut: stopped,
      damaged: read.flatMap((one) => ('game' in one ? [] : [one])),
    };
  },
  'kaggle-timeline': importTimelines,
};

/**
 * Reads the games of folders in one of the formats. `now`: milliseconds since 1970. A game goes into `damaged` if it is
 * damaged, has another shape, has players who cannot be seated, or has an earlier game's name. Throws a UsageError if a
 * folder has no games, or no game can be imported.
 *
 * @example writeImported(importMatches('arena', ['sessions/session_20240610_084702'], Date.now()).matches, 'runs');
 */
export function importMatches(format: string, folders: readonly string[], now: number): ImportedFolder {
  const read = folders.map((folder) => importers[format]!(folder, now));
  const matches = new Map<string, ImportedMatch>();
  const damaged = read.flatMap((one) => one.damaged);
  for (const match of read.flatMap((one) => one.matches)) {
    const { id } = match.manifest;
    if (matches.has(id))
      damaged.push({
        name: match.report.source,
        error: new UsageError(
          `Two of the matches would be named ${id}, and the first is imported. Rename this one, or import it into another --out.`,
        ),
      });
    else matches.set(id, match);
  }
  const [first, ...others] = damaged;
  if (matches.size === 0 && first)
    throw others.length === 0 ? first.error : new RecordError(damaged.map(({ error }) => error.message).join('\n'));
  if (matches.size === 0)
    throw new UsageError(
      `${folders.join(', ')}: no game there was played to its end, and only such games are imported.`,
    );
  return { matches: [...matches.values()], leftOut: read.flatMap(({ leftOut }) => leftOut), damaged };
}

/**
 * Reads the folder of a session of Werewolf Arena or DSGBench. `now`: milliseconds since 1970. Throws a UsageError if
 * the folder has no session, or its players cannot be seated, and a RecordError that names the file if it is damaged or
 * has another shape.
 *
 * @example writeImported([importArena('sessions/session_20240610_084702', Date.now())], 'runs');
 */
export function importArena(folder: string, now: number) {
  const { session, winner, files } = readArena(folder);
  const setup = createSetup(session);
  return createImportedMatch({
    format: 'arena',
    source: path.basename(path.resolve(folder)),
    files,
    setup,
    models: Object.fromEntries(Object.entries(session.players).map(([name, { model }]) => [name, model])),
    replay: replaySession(session, setup, winner),
    now,
  });
}

/** Creates the set-up of a session. Throws a UsageError for unknown roles and for players who cannot be seated. */
export const createSetup = (session: ArenaSession): Setup =>
  createImportedSetup(
    'arena',
    Object.entries(session.players).map(([name, { role, personality }]) => ({
      name,
      role,
      ...(personality ? { persona: personality } : {}),
    })),
    (board) => findRules(session, board),
  );

/**
 * Returns the preset `arena`, with the advice in the original's prompts. If there are no bids, everybody spoke in seat
 * order, as in DSGBench, whose temperatures are unknown.
 */
function findRules({ rounds }: ArenaSession, board: Board): Rules {
  const isBidFor = rounds.some(({ bids }) => bids.length > 0);
  const longest = Math.max(1, ...rounds.map(({ debate }) => debate.length));
  const most = Math.max(1, ...rounds.map(({ debate, players, exiled }) => countTurnsEach(debate, players, exiled)));
  const orderRules: Record<string, RuleValue> = isBidFor
    ? { debateTurns: Math.min(longest, 40) }
    : { debateOrder: 'round-robin', debatePasses: most, choiceTemperature: null, talkTemperature: null };
  const syntheticVotes = rounds.some(({ log }) => log.votes.length > 1);
  return resolveBoardRules(board, 'arena', { ...highestLimits, ...orderRules, syntheticVotes, coaching: 'paper' });
}

const countTurnsEach = (debate: readonly unknown[], left: readonly string[], exiled: string | null | undefined) =>
  Math.min(5, Math.ceil(debate.length / Math.max(1, left.length + (exiled ? 1 : 0))));
