// An earlier name of the command `verify`.
import { type CommandIO, runScript } from './command/command-line.ts';
import { runVerify } from './verify.ts';

export const runReplay = (argv: readonly string[], io: CommandIO): Promise<number> => runVerify(argv, io, 'replay');

if (import.meta.main) await runScript(runReplay);
