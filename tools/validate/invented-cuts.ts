// Counts the statements of published games that the rule for invented dialogue cuts. All these statements were really
// made. So each cut is wrong, unless the speaker did write lines for other players.
import path from 'node:path';
import { readArena } from '../../graph/import/arena-format.ts';
import { readGameSource } from '../../graph/import/game-format.ts';
import { kaggleTimeline } from '../../graph/import/import-timeline.ts';
import { parsePublishedGame } from '../../graph/import/timeline-format.ts';
import { gatherRounds } from '../../graph/import/timeline-rounds.ts';
import { dropInventedDialogue } from '../../models/invented-dialogue.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { formatWhole, pluralize, sanitizeText } from '../../report/format.ts';
import { UsageError } from '../../state/usage-error.ts';

/** Public statements of one published game, with line breaks. */
interface PublishedGame {
  name: string;
  players: readonly string[];
  said: readonly { by: string; text: string }[];
}

export interface CutStatement {
  game: string;
  by: string;
  kept: string;
  cut: string;
}

/** Effect of the rule on the statements of each folder. */
export interface MeasuredCuts {
  folders: { folder: string; games: number; statements: number; cut: number }[];
  cut: CutStatement[];
}

/**
 * Reads published games: folders of sessions of Werewolf Arena or DSGBench, and of games of Kaggle's Game Arena. Makes
 * no calls. Throws a UsageError for a folder without games, and a RecordError for a damaged game.
 *
 * @example measureCuts(['sessions/session_20241117_221340']).folders[0].cut // 0
 */
export function measureCuts(folders: readonly string[]): MeasuredCuts {
  const cut: CutStatement[] = [];
  const counted = folders.map((folder) => {
    const games = readGames(folder);
    const before = cut.length;
    for (const { name, players, said } of games)
      for (const { by, text } of said) {
        const { said: kept, invented } = dropInventedDialogue(text, { me: by, players });
        if (invented !== '') cut.push({ game: name, by, kept, cut: invented });
      }
    const statements = games.reduce((all, { said }) => all + said.length, 0);
    return { folder, games: games.length, statements, cut: cut.length - before };
  });
  return { folders: counted, cut };
}

function readGames(folder: string): PublishedGame[] {
  const disk = getDisk();
  const isSession = ['game_complete.json', 'game_complete.json.gz'].some((name) =>
    disk.exists(path.join(folder, name)),
  );
  const games = isSession ? [readSession(folder)] : listFiles(folder).flatMap(readTimeline);
  if (games.length === 0)
    throw new UsageError(
      `${folder} contains no published game: neither game_complete.json nor JSON files with players and timeline.`,
    );
  return games;
}

function readSession(folder: string): PublishedGame {
  const { session } = readArena(folder);
  const said = session.rounds.flatMap(({ debate }) => debate.map(([by, text]) => ({ by, text })));
  return { name: path.basename(path.resolve(folder)), players: Object.keys(session.players), said };
}

function readTimeline(file: string): PublishedGame[] {
  const source = readGameSource(file);
  if (!kaggleTimeline.isRecognized(source)) return [];
  const game = parsePublishedGame(source);
  const said = gatherRounds(game).rounds.flatMap((round) =>
    round.said.map(({ by, message }) => ({ by, text: message })),
  );
  return [{ name: path.basename(file, '.json'), players: game.players.map(({ id }) => id), said }];
}

const listFiles = (folder: string): string[] =>
  getDisk()
    .list(folder)
    .map(({ name }) => name)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => path.join(folder, name));

/** Renders a line for each folder, a line for each cut with its first words, and a total. */
export function renderCuts({ folders, cut }: MeasuredCuts): string {
  const lines = folders.map(
    (one) =>
      `${one.folder}: ${pluralize(one.statements, 'statement')} of ${pluralize(one.games, 'game')}, ${formatWhole(one.cut)} cut`,
  );
  const shown = cut.map(
    ({ game, by, cut: words }) => `  ${game}, ${by}: … | ${sanitizeText(words.slice(0, mostShown))}`,
  );
  const all = folders.reduce((sum, { statements }) => sum + statements, 0);
  const told = `${formatWhole(cut.length)} of ${formatWhole(all)} statements are cut as invented dialogue. Each is a false cut unless its speaker wrote lines for others: read it above.`;
  return `${[...lines, ...shown, told].map((line) => `${line}\n`).join('')}`;
}

/** Maximum number of characters of a cut to show. */
const mostShown = 100;
