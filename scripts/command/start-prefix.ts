// Has this thread name commands as the process was started: `wolfgraph.mjs` leaves word of that for all threads. Whatever
// else starts a command is npm, or imports the package. Imported for that effect alone, by each thread that prints messages.
import { getEnvironmentData } from 'node:worker_threads';
import { type CommandPrefix, setCommandPrefix } from '../../state/command-name.ts';

setCommandPrefix(getEnvironmentData('wolfgraph:prefix') as CommandPrefix | undefined);
