// A worker in a process of its own whose minutes are short, for tests of limits: the first argument says how long they last.
import { runScript } from '../../scripts/command/command-line.ts';
import { runWorkerCommand } from '../../scripts/worker.ts';

await runScript(([minuteMs, ...argv], io) => runWorkerCommand(argv, io, Number(minuteMs)));
