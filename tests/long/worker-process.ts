// Runs a worker for tests of rate limits, with a shortened minute. The first argument is the duration of a minute in
// milliseconds.
import { runScript } from '../../scripts/command/command-line.ts';
import { runWorkerCommand } from '../../scripts/worker.ts';

await runScript(([minuteMs, ...argv], io) => runWorkerCommand(argv, io, Number(minuteMs)));
