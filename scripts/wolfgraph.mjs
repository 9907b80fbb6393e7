#!/usr/bin/env node
// The command `wolfgraph`, which npm does not come between: in a clone it runs TypeScript, in the package what was compiled
// from it.
import { setEnvironmentData } from 'node:worker_threads';
import './prepare.mjs';
import { restartWithFlags } from './restart.mjs';

if (!(await restartWithFlags(process.argv[2]))) {
  // Threads are told too; command/start-prefix.ts reads it.
  setEnvironmentData('wolfgraph:prefix', process.env.npm_lifecycle_event === 'npx' ? 'npx wolfgraph' : 'wolfgraph');
  const { runScript } = await import('./command/command-line.ts');
  const { runWolfgraph } = await import('./wolfgraph.ts');
  await runScript(runWolfgraph);
}
