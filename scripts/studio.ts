// Serves the graph to LangGraph Studio and other clients: `npm run studio`. Open the printed address in a browser.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { allowKeyOption, type CommandIO, createCommand, runScript } from './command/command-line.ts';
import { findCacheFolder } from './command/cache-folder.ts';
import { getDisk } from '../models/machine/machine.ts';
import { createFileTest } from '../models/key-policy.ts';
import { addTypedPairs } from '../models/providers/permit-keys.ts';
import { checkTracing } from '../models/tracing.ts';
import { checkNpmOptions } from './command/npm-options.ts';
import { checkOutOfFile } from './command/own-folder.ts';

/** The module of @langchain/langgraph-cli, which has no types. */
const cli: string = import.meta.resolve('@langchain/langgraph-cli/dist/cli/cli.mjs');

/** Writes the configuration to the user's cache, because the dev server keeps its files next to it. */
function writeConfiguration(): string {
  const project = path.join(import.meta.dirname, '..');
  const folder = findCacheFolder('studio', process);
  getDisk().makeFolder(folder);
  const relocate = (file: string) => path.relative(folder, path.join(project, file));
  const { graphs, auth, http, ...rest } = JSON.parse(readFileSync(path.join(project, 'langgraph.json'), 'utf8')) as {
    graphs: { match: string };
    auth: { path: string };
    http: { app: string };
  };
  const moved = {
    graphs: { match: relocate(graphs.match) },
    auth: { ...auth, path: relocate(auth.path) },
    http: { ...http, app: relocate(http.app) },
  };
  writeFileSync(path.join(folder, 'langgraph.json'), JSON.stringify({ ...rest, ...moved }));
  return folder;
}

/**
 * Throws for options of the dev server that npm consumed, and for settings that a `.env` file may not set. The dev
 * server authenticates users with LangSmith by itself, before any match.
 */
function checkOptions(_: readonly string[], io: CommandIO): void {
  checkTracing(io.env);
  const out = io.env['WOLFGRAPH_OUT']?.trim();
  if (out && createFileTest(io.env)('WOLFGRAPH_OUT')) checkOutOfFile('.env', out, `WOLFGRAPH_OUT=${out} in the shell`);
  const program = createCommand('studio', 'Serves the graph.', io)
    .option('-p, --port <number>')
    .option('-h, --host <string>')
    .option('--no-browser')
    .option('--no-reload')
    .option('-n, --n-jobs-per-worker <number>')
    .option('-c, --config <path>')
    .option('--tunnel')
    .option('--studio-url <url>')
    .option(...allowKeyOption);
  checkNpmOptions(program, 'studio', io.env);
}

await runScript(checkOptions);

if (process.exitCode === undefined) {
  // Typed paths are relative to the current working directory. The dev server has another one.
  for (const name of ['WOLFGRAPH_MODELS', 'WOLFGRAPH_OUT'])
    if (process.env[name]?.trim()) process.env[name] = path.resolve(process.env[name]);

  // Without this flag, Node would open its debugger in the server's process at SIGUSR1.
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --disable-sigusr1`.trim();
  addTypedPairs(process.env, process.argv); // passes typed environment variables on to the dev server
  process.env['LANGGRAPH_CLI_NO_ANALYTICS'] ??= '1'; // no analytics about users
  process.argv.splice(2, 0, 'dev', '--no-browser', '--config', writeConfiguration()); // a typed --config comes later and wins
  await import(cli);
}
