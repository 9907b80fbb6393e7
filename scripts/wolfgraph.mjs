#!/usr/bin/env node
// The command `wolfgraph`, which npm does not come between: in a clone it runs TypeScript, in the package what was compiled
// from it.
import './prepare.mjs';

const { runScript } = await import('./command/command-line.ts');
const { runWolfgraph } = await import('./wolfgraph.ts');
await runScript(runWolfgraph);
