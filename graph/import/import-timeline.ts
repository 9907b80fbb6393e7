// Imports published games of Kaggle's Game Arena: each JSON file of a folder is a game.
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import type { Board } from '../../state/boards.ts';
import type { Setup } from '../../state/game.ts';
import type { Rules } from '../../state/rules/common-rules.ts';
import { getPower } from '../../state/roles/index.ts';
import { resolveBoardRules } from '../../state/rulebook.ts';
import { UsageError } from '../../state/usage-error.ts';
import {
  createImportedMatch,
  createImportedSetup,
  type DamagedGame,
  type ImportedFolder,
  type ImportedMatch,
  highestLimits,
  readOrNameFault,
} from './imported-match.ts';
import { type PublishedGame, readPublishedGame } from './timeline-format.ts';
import { replayTimeline } from './timeline-replay.ts';
import { gatherRounds, type Timeline, type TimelineAct } from './timeline-rounds.ts';
import { hasActingCharacters, quoteActingName } from '../../state/text.ts';

const format = 'kaggle-timeline';

/**
 * Reads the games of a folder, or one game by its file. `now`: milliseconds since 1970. JSON files that are not games
 * are left out. Games that are damaged, already present or have players who cannot be seated are reported by file and
 * place. Throws a UsageError for a folder without games.
 *
 * @example writeImported(importTimelines('games', Date.now()).matches, 'runs');
 */
export function importTimelines(folder: string, now: number): ImportedFolder {
  const found = { matches: [] as ImportedMatch[], leftOut: [] as string[], damaged: [] as DamagedGame[] };
  const seen = new Map<string, string>();
  for (const file of listFiles(folder)) {
    const read = readOrNameFault(file, () => {
      const game = readPublishedGame(file);
      if (game === null) return null;
      const other = seen.get(game.id);
      if (other !== undefined) throw new RecordError(`${other} and ${file} are the same game, ${game.id}. Remove one.`);
      const match = createMatch(game, now);
      seen.set(game.id, file);
      return match;
    });
    if (!('game' in read)) found.damaged.push(read);
    else if (read.game === null) found.leftOut.push(file);
    else found.matches.push(read.game);
  }
  if (found.matches.length === 0 && found.damaged.length === 0)
    throw new UsageError(
      `${folder} holds no published game of Kaggle's Game Arena, which is a JSON file with players and timeline.`,
    );
  return found;
}

function listFiles(folder: string): string[] {
  const disk = getDisk();
  const found = disk.find(folder);
  if (!found) throw new UsageError(`${folder} does not exist.`);
  if (found.kind !== 'folder') return [folder];
  const names = disk
    .list(folder)
    .map(({ name }) => name)
    .filter((name) => name.endsWith('.json'))
    .sort();
  const acting = names.find(hasActingCharacters);
  if (acting !== undefined)
    throw new UsageError(
      `${quoteActingName(acting)} in ${folder} holds a line break or control character in its name. Rename it.`,
    );
  return names.map((name) => path.join(folder, name));
}

function createMatch(game: PublishedGame, now: number) {
  const { file, sha256, winner } = game;
  const timeline = gatherRounds(game);
  const players = game.players.map(({ id: name, role }) => ({ name, role }));
  const setup = seatPlayers(file, () => createImportedSetup(format, players, (board) => findRules(timeline, board)));
  return createImportedMatch({
    format,
    source: path.basename(file, '.json'),
    files: { [path.basename(file)]: sha256 },
    setup,
    models: Object.fromEntries(game.players.map(({ id, model }) => [id, model])),
    replay: replayTimeline(timeline, setup, winner),
    now,
  });
}

/** Creates the set-up; errors name the file. */
function seatPlayers(file: string, create: () => Setup): Setup {
  try {
    return create();
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${file}: ${error.message}`) : error;
  }
}

/**
 * Returns the rules closest to those played there; rules that a game does not show have their default. The moderator
 * allows nobody to be protected twice in a row, and no self-protection; a game in which either happens had other rules.
 */
function findRules({ rounds }: Timeline, board: Board): Rules {
  const turns = rounds.flatMap(({ said }) => [...Map.groupBy(said, ({ by }) => by).values()].map((all) => all.length));
  const { verb, role } = getPower('protect');
  const nights = rounds.map(({ acts }) => acts.filter((act) => act.verb === verb));
  const isRepeated = ({ by, target }: TimelineAct, night: number) =>
    nights[night - 1]?.some((before) => before.by === by && before.target === target) ?? false;
  const protection = {
    protectSelf: nights.flat().some(({ by, target }) => by === target),
    protectRepeat: nights.some((acts, night) => acts.some((act) => isRepeated(act, night))),
  };
  return resolveBoardRules(board, 'wolf@1', {
    ...highestLimits,
    debateOrder: 'round-robin',
    debatePasses: Math.min(5, Math.max(1, ...turns)),
    exile: 'plurality',
    exileTies: 'random',
    reveal: 'role',
    memory: 'full',
    analysis: 'off',
    ...(board.roles[role.name] ? protection : {}),
  });
}
