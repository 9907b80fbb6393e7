// Makes this thread name commands as the process was started: `wolfgraph.mjs` passes that to all threads. Otherwise npm
// started the command, or a program imports the package. Every thread that prints messages imports this file for its
// effect only.
import { getEnvironmentData } from 'node:worker_threads';
import { type CommandPrefix, setCommandPrefix } from '../../state/command-name.ts';

setCommandPrefix(getEnvironmentData('wolfgraph:prefix') as CommandPrefix | undefined);
