// Figure 5: how soon a script answers.
import path from 'node:path';
import { median, rounded, type Figure } from './figure.ts';
import { bareEnv } from './play-apart.ts';
import { runProgram } from './run-program.ts';
import type { Workbench } from './workbench.ts';

/** A module that tells the processor time of its process at the end, in microseconds. */
const tellCpu = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => { const { user, system } = process.cpuUsage(); process.stderr.write(`cpu=${user + system}`); });',
)}`;

export async function coldStart({ scale, tell }: Workbench): Promise<Figure[]> {
  tell(`starts of npm run match -- --help, ${scale.starts} one after another`);
  const walls: number[] = [];
  const cpus: number[] = [];
  for (let start = 0; start < scale.starts; start++) {
    walls.push(await commandSeconds());
    cpus.push(await processSeconds());
  }
  const usual = rounded(median(walls), 2, ' s');
  return [
    {
      what: 'npm run match -- --help',
      target: { text: 'under 1 s', allows: (seconds) => seconds < 1 },
      measured: [{ ...usual, shown: `${usual.shown}, least ${Math.min(...walls).toFixed(2)} s` }],
      how: `wall time of the whole command, npm's own part included; median and least of ${scale.starts}`,
    },
    {
      what: 'CPU of its own process',
      target: null,
      measured: [rounded(median(cpus), 2, ' s')],
      how: `user and system time of node alone, without npm; median of ${scale.starts}`,
    },
  ];
}

async function commandSeconds(): Promise<number> {
  const before = performance.now();
  await runProgram('npm', ['run', 'match', '--', '--help'], bareEnv);
  return (performance.now() - before) / 1000;
}

async function processSeconds(): Promise<number> {
  const script = path.join(import.meta.dirname, '../match.ts');
  const told = await runProgram(process.execPath, ['--import', tellCpu, script, '--help'], bareEnv);
  return Number(/cpu=(\d+)/.exec(told)?.[1]) / 1e6;
}
