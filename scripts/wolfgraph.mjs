#!/usr/bin/env node
// The command `wolfgraph`, started without npm. In a clone it runs the TypeScript sources, in the package the compiled
// JavaScript.
import { setEnvironmentData } from 'node:worker_threads';
import './prepare.mjs';
import { restartWithFlags } from './restart.mjs';

if (!(await restartWithFlags(process.argv[2]))) {
  // Passes the prefix to threads; command/start-prefix.ts reads it.
  setEnvironmentData('wolfgraph:prefix', process.env.npm_lifecycle_event === 'npx' ? 'npx wolfgraph' : 'wolfgraph');
  const { runScript } = await import('./command/command-line.ts');
  const { runWolfgraph } = await import('./wolfgraph.ts');
  await runScript(runWolfgraph);
}
