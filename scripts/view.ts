// Shows matches in a browser: `npm run view -- [folder]`.
import { InvalidArgumentError } from 'commander';
import { getDisk } from '../models/machine/machine.ts';
import { formatCommand } from '../state/command-name.ts';
import { UsageError } from '../state/usage-error.ts';
import { type CommandIO, createCommand, readCount, runScript } from './command/command-line.ts';
import { describeNear } from './command/match-folder.ts';
import { noCacheOption } from './report/measurement-cache.ts';

const about =
  'Serve the matches of a folder to a browser on this machine, including matches that are being played. Reads records and writes none. See docs/reference/viewer.md.';

export async function runView(argv: readonly string[], io: CommandIO): Promise<void> {
  const program = createCommand('view', about, io)
    .argument('[folder]', 'folder that contains matches, or one match', 'runs')
    .option('--port <n>', 'port to listen on (default: a free port)', readPort)
    .option('--public', 'for onlookers: show only what all players know')
    .option('--operator', 'show everything of matches in which people still play; no player may see these pages')
    .option(...noCacheOption)
    .parse(argv, { from: 'user' });
  const folder = program.args[0] ?? 'runs';
  const {
    port = 0,
    cache,
    public: isPublic = false,
    operator: isOperator = false,
  } = program.opts<{ port?: number; cache: boolean; public?: boolean; operator?: boolean }>();
  if (isPublic && isOperator) throw new UsageError('--public hides what --operator shows. Remove one of the two.');
  if (getDisk().find(folder)?.kind !== 'folder')
    throw new UsageError(
      `${folder} is not a folder.${describeNear(folder) || ` Name one that contains matches: ${formatCommand('view', 'FOLDER')}`}`,
    );
  const { MatchIndex, getIndexFolder } = await import('./view/match-index.ts');
  const { buildViewerScript } = await import('./command/page-script.ts');
  const { openViewServer } = await import('./view/view-server.ts');
  const shown = { isPublic, isOperator };
  const index = new MatchIndex(folder, cache ? getIndexFolder(io) : null);
  const server = await openViewServer(folder, { index, script: await buildViewerScript(), port, shown });
  io.stdout.write(`${server.address}\n`);
  io.stderr.write(`Serving the matches of ${folder} to a browser on this machine. Press Ctrl-C to stop.\n`);
  await server.closed; // a signal ends the process without cleanup, because the server writes nothing
}

function readPort(text: string): number {
  const port = readCount(text);
  if (port > 65_535) throw new InvalidArgumentError('It must be a port, from 1 to 65535.');
  return port;
}

if (import.meta.main) await runScript(runView);
