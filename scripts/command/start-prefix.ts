// Makes messages in this thread name commands with the prefix that started the process, e.g. `npx wolfgraph`.
// `wolfgraph.mjs` passes the prefix to all threads. Without a passed prefix, npm started the command or a program
// imports the package. Every thread that prints messages imports this file for this effect only.
import { getEnvironmentData } from 'node:worker_threads';
import { type CommandPrefix, setCommandPrefix } from '../../state/command-name.ts';

setCommandPrefix(getEnvironmentData('wolfgraph:prefix') as CommandPrefix | undefined);
