// Simulates games without speech by Algorithm 1 of Werewolf Arena: `npm run simulate`.
import { UsageError } from '../state/usage-error.ts';
import { type CommandIO, createCommand, readCount, readWhole, runScript } from './command/command-line.ts';

interface Flags {
  board: string;
  players?: number;
  werewolves?: number;
  doctor: boolean;
  games: number;
  seed: number;
  json?: boolean;
}

const about =
  'Simulate how often the village wins by Algorithm 1 of Werewolf Arena, in which nobody speaks and all vote at random, without and with a Seer whom everybody believes. See docs/reference/simulate.md.';

export async function runSimulate(argv: readonly string[], io: CommandIO): Promise<void> {
  const program = createCommand('simulate', about, io)
    .option('--board <name or YAML file>', 'board whose numbers of players and roles to use', 'classic-8')
    .option('--players <number>', 'number of players, instead of a board', readCount)
    .option('--werewolves <number>', 'number of Werewolves', readCount)
    .option('--no-doctor', 'protect no player at night')
    .option('--games <number>', 'number of games for each line', readCount, 1_000_000)
    .option('--seed <number>', 'seed; the same seed gives the same games', readWhole, 1)
    .option('--json', 'print JSON')
    .parse(argv, { from: 'user' });
  const flags = program.opts<Flags>();
  const { simulate } = await import('../deception/baseline/village-win-simulation.ts');
  const { renderSimulation } = await import('../report/simulation-text.ts');
  const numbers = await readNumbers(flags, program.getOptionValueSource('board') === 'cli');
  io.step?.('Playing games', 0, 0);
  const before = process.cpuUsage();
  const lines = simulate(numbers, flags.games, flags.seed);
  const { user, system } = process.cpuUsage(before);
  if (flags.json) {
    const { players, werewolves, isProtected } = numbers;
    const table = { players, werewolves, doctor: isProtected };
    io.stdout.write(`${JSON.stringify({ ...table, seed: flags.seed, results: lines }, null, 2)}\n`);
    return;
  }
  const perSecond = (flags.games * lines.length) / ((user + system) / 1e6);
  io.stdout.write(renderSimulation(numbers, lines));
  io.stderr.write(`${Math.round(perSecond).toLocaleString('en-US')} games per second of CPU time\n`);
}

if (import.meta.main) await runScript(runSimulate);

/**
 * Returns the typed numbers of players and roles, or the numbers of the typed board. Throws a UsageError if both a
 * board and numbers are given, or if only some of the numbers are given.
 */
async function readNumbers({ board, players, werewolves, doctor }: Flags, isBoardGiven: boolean) {
  const { countTable } = await import('../deception/baseline/village-win-simulation.ts');
  if (players === undefined && werewolves === undefined) {
    const { readBoard } = await import('../state/boards.ts');
    const { readBoardFile } = await import('./command/match-options.ts');
    const numbers = countTable(readBoard(readBoardFile(board)));
    return { ...numbers, isProtected: numbers.isProtected && doctor };
  }
  if (isBoardGiven) throw new UsageError('Give either --board or --players with --werewolves, not both.');
  if (players === undefined || werewolves === undefined)
    throw new UsageError('--players and --werewolves go together: give both.');
  return { players, werewolves, isProtected: doctor };
}
