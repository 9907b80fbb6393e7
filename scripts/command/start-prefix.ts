// Makes this thread name commands in the way in which the process was started. `wolfgraph.mjs` passes that way to all
// threads; if nothing was passed, npm started the command or a program imports the package. Every thread that prints
// messages imports this file only for this effect.
import { getEnvironmentData } from 'node:worker_threads';
import { type CommandPrefix, setCommandPrefix } from '../../state/command-name.ts';

setCommandPrefix(getEnvironmentData('wolfgraph:prefix') as CommandPrefix | undefined);
