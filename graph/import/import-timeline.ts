// Imports games of Kaggle's Game Arena in two forms: published games with a timeline, and native episodes, which are
// converted to timelines.
import path from 'node:path';
import type { Board } from '../../state/boards.ts';
import type { Setup } from '../../state/game.ts';
import type { Rules } from '../../state/rules/common-rules.ts';
import { getPower } from '../../state/roles/index.ts';
import { UsageError } from '../../state/usage-error.ts';
import { createEpisodeCalls } from './episode-calls.ts';
import { type GameFormat, hasKeys } from './game-format.ts';
import {
  createImportedMatch,
  createImportedSetup,
  resolveRoundRobinRules,
  type RecordedCall,
} from './imported-match.ts';
import { readEpisode } from './kaggle-episode-format.ts';
import type { ImportReplay } from './recorded-game-replay.ts';
import { parsePublishedGame, type PublishedGame } from './timeline-format.ts';
import { replayTimeline } from './timeline-replay.ts';
import { gatherRounds, type Timeline, type TimelineAct } from './timeline-rounds.ts';

/** Format of games of Kaggle's Game Arena as blogs and tables publish them: players and a timeline of events. */
export const kaggleTimeline: GameFormat = {
  name: 'kaggle-timeline',
  title: "a published game of Kaggle's Game Arena (players and a timeline)",
  aliases: ['kaggle'],
  endings: ['.json'],
  isRecognized: ({ value }) =>
    (hasKeys(value, 'players') && Array.isArray(value.players)) ||
    (hasKeys(value, 'timeline') && Array.isArray(value.timeline)),
  read: (source, now) => {
    const game = parsePublishedGame(source);
    return { id: game.id, match: createMatch(kaggleTimeline.name, game, now) };
  },
};

/** Format of episodes as Kaggle's environment writes them. */
export const kaggleEpisode: GameFormat = {
  name: 'kaggle-episode',
  title: "an episode of Kaggle's Game Arena (env.toJSON())",
  aliases: ['kaggle'],
  endings: ['.json'],
  isRecognized: ({ value }) =>
    hasKeys(value, 'info', 'steps') &&
    (hasKeys(value.info, 'MODERATOR_OBSERVATION') || hasKeys(value.info, 'GAME_END')),
  read: (source, now) => {
    const { game, calls } = readEpisode(source);
    return {
      id: game.id,
      match: createMatch(kaggleEpisode.name, game, now, (replay) => createEpisodeCalls(calls, replay)),
    };
  },
};

/** Creates the match. `findCalls` returns the recorded calls, given the replayed game. */
function createMatch(
  format: string,
  game: PublishedGame,
  now: number,
  findCalls: (replay: Omit<ImportReplay, 'game'>) => RecordedCall[] = () => [],
) {
  const { file, sha256, winner } = game;
  const timeline = gatherRounds(game);
  const players = game.players.map(({ id: name, role }) => ({ name, role }));
  const setup = seatPlayers(file, () => createImportedSetup(format, players, (board) => findRules(timeline, board)));
  const replay = replayTimeline(timeline, setup, winner);
  return createImportedMatch({
    format,
    source: path.basename(file, '.json'),
    files: { [path.basename(file)]: sha256 },
    setup,
    models: Object.fromEntries(game.players.map(({ id, model }) => [id, model])),
    replay,
    calls: findCalls(replay),
    now,
  });
}

/** Creates the set-up. Errors are rethrown with the name of the file. */
function seatPlayers(file: string, create: () => Setup): Setup {
  try {
    return create();
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${file}: ${error.message}`) : error;
  }
}

/**
 * Returns the rules that are closest to the game's rules. Rules that a game does not show have their defaults. The
 * game's moderator allows neither protecting oneself nor protecting the same player twice in a row; if one of these
 * happened, the rules allow it.
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
  return resolveRoundRobinRules(board, turns, { reveal: 'role', ...(board.roles[role.name] ? protection : {}) });
}
