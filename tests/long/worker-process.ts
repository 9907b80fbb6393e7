// Runs a worker whose minutes are short, for tests of rate limits. The first argument is the duration of a minute.
import { runScript } from '../../scripts/command/command-line.ts';
import { runWorkerCommand } from '../../scripts/worker.ts';

await runScript(([minuteMs, ...argv], io) => runWorkerCommand(argv, io, Number(minuteMs)));
