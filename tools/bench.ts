// Measures the cost of playing matches, in time, memory, calls and tokens: `npm run bench`.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { computeCpuRatios, type RatioRuns, runPairs } from './bench/cpu-ratio.ts';
import { type BenchFigure, printFigures } from './bench/bench-figure.ts';
import { measureFaultRatio } from './bench/fault-ratio.ts';
import { measureBytes, measureMemory } from './bench/footprint.ts';
import { measureQueue } from './bench/queue.ts';
import { measureRateLimits } from './bench/rate-limits.ts';
import type { RulesVariant } from './bench/timed-process.ts';
import { computeLatencies } from './bench/latencies.ts';
import { measurePromptTokens, type PromptVariant, tokensBefore } from './bench/prompt-tokens.ts';
import { measureReading } from './bench/study.ts';
import { measureCrowd } from './bench/crowd.ts';
import { measureTurns } from './bench/turns.ts';
import { findDatabase } from '../scripts/command/database-option.ts';
import { type CommandIO, createCommand, runScript } from '../scripts/command/command-line.ts';

const full = {
  variants: [
    { name: 'arena', rules: 'arena', rule: {} },
    { name: 'arena, analysis=both', rules: 'arena', rule: { analysis: 'both' }, latencies: 20 },
    { name: 'wolf', rules: 'wolf', rule: {}, latencies: 17 },
  ] as readonly RulesVariant[],
  pairs: { latencyMs: 50, matches: 3, pairs: 3 },
  crowd: { matches: 200, latencyMs: 1000, concurrency: 400 },
  faults: { matches: 4, latencyMs: 1000 },
  turns: { latencyMs: 50, matches: 2 },
  manyAtOnce: {
    variant: { name: 'wolf of a round', rules: 'wolf', rule: { maxRounds: 1, debateTurns: 1 } } as RulesVariant,
    crowd: { matches: 1000, inFlight: 500, latencyMs: 1000 },
  },
  prompts: Object.entries(tokensBefore).map(([rules, recorded]) => ({
    ...{ name: rules, rules, before: recorded },
    rule: rules.startsWith('arena') ? { analysis: 'both' } : {},
  })) as readonly PromptVariant[],
  traced: 3,
  study: { deals: 12 },
  minutes: 20,
  queue: { latencyMs: 1000, matches: 16, workers: [1, 2, 4], simulated: { matches: 500, answers: 300, workers: 50 } },
};

const quick: typeof full = {
  variants: [{ name: 'tiny', rules: 'wolf', rule: { maxRounds: 2, debateTurns: 1 }, latencies: 7 }],
  pairs: { latencyMs: 20, matches: 1, pairs: 1 },
  crowd: { matches: 2, latencyMs: 20, concurrency: 8 },
  faults: { matches: 1, latencyMs: 20 },
  turns: { latencyMs: 20, matches: 1 },
  manyAtOnce: {
    variant: { name: 'tiny', rules: 'wolf', rule: { maxRounds: 1, debateTurns: 1 } },
    crowd: { matches: 4, inFlight: 2, latencyMs: 20 },
  },
  prompts: [{ name: 'tiny', rules: 'wolf', rule: { maxRounds: 1, debateTurns: 1 } }],
  traced: 1,
  study: { deals: 1 },
  minutes: 1,
  queue: { latencyMs: 20, matches: 2, workers: [1], simulated: { matches: 4, answers: 20, workers: 2 } },
};

/** Ways of asking for structured output, each with models of three vendors whose prices are known. */
const asked = {
  modes: {
    family: 'openai:gpt-5.1',
    schema: 'openai:gpt-5.1?structured=schema',
    json: 'openai:gpt-5.1?structured=json',
  },
  vendors: {
    OpenAI: 'openai:gpt-5.1',
    Anthropic: 'anthropic:claude-sonnet-4-5',
    Google: 'google-genai:gemini-2.5-pro',
  },
};

const about = 'Measures how cheaply matches are played, against servers on this machine. Calls no provider.';
const titles = [
  'CPU and latencies',
  'memory',
  'bytes recorded and traced',
  'rate limits',
  'workers',
  'faults',
  'prompt tokens',
  'turns by bids and by drafts',
  'many matches at once',
  'reading a study',
];
const numbers = titles.map((_, index) => String(index + 1));

function readNumbers(list: string): string[] {
  const wanted = list.split(',').map((number) => number.trim());
  const unknown = wanted.find((number) => !numbers.includes(number));
  if (unknown !== undefined) throw new InvalidArgumentError(`"${unknown}" is not one of: ${numbers.join(', ')}.`);
  return wanted;
}

await runScript(async (argv, io: CommandIO) => {
  const parts = titles.map((title, index) => `${numbers[index]} ${title}`).join(', ');
  const program = createCommand('bench', about, io)
    .option('--only <numbers>', `what to measure, e.g. 1,3: ${parts}`, readNumbers, numbers)
    .option('--quick', 'tiny matches: shows that everything runs, but the figures are of no use', false)
    .parse(argv, { from: 'user' });
  const { only, quick: isQuick } = program.opts<{ only: string[]; quick: boolean }>();
  const { variants, pairs, crowd, traced, minutes, queue, faults, prompts, turns, manyAtOnce, study } = isQuick
    ? quick
    : full;
  const tell = (line: string) => void io.stderr.write(`Measuring: ${line}\n`);
  const root = mkdtempSync(path.join(tmpdir(), 'wolfgraph-bench-'));
  const makeFolder = (name: string) => mkdirSync(path.join(root, name), { recursive: true })!;
  const figures: BenchFigure[] = [];
  try {
    if (only.includes('1')) {
      const runs: RatioRuns[] = [];
      for (const variant of variants) {
        tell(`matches and bare calls of ${variant.name}, ${pairs.pairs} times and profiled`);
        runs.push(await runPairs(variant, pairs, makeFolder));
      }
      figures.push(...computeCpuRatios(runs), ...computeLatencies(runs));
    }
    if (only.includes('2')) {
      tell(`memory of ${crowd.matches} matches in flight`);
      figures.push(await measureMemory(variants.at(-1)!, crowd, makeFolder('crowd')));
    }
    if (only.includes('3')) {
      tell(`bytes of ${traced} matches of each variant`);
      figures.push(...(await measureBytes(variants, traced, makeFolder)));
    }
    if (only.includes('4')) {
      tell(`calls at rate limits, for ${minutes} minutes of 2 s`);
      figures.push(...(await measureRateLimits(minutes)));
    }
    const database = findDatabase(undefined, io.env);
    if (only.includes('5') && database !== undefined) {
      tell(`workers, ${queue.workers.join(', ')} of them, and ${queue.simulated.workers} simulated ones`);
      figures.push(...(await measureQueue(database, queue, path.join(root, 'queue'))));
    } else if (only.includes('5'))
      io.stderr.write(
        'Measurement 5 is left out: it needs a PostgreSQL database. Give its address in WOLFGRAPH_DATABASE.\n',
      );
    if (only.includes('6')) {
      tell(`${faults.matches} matches with and without faults`);
      figures.push(await measureFaultRatio(variants[0]!, faults, makeFolder));
    }
    if (only.includes('7')) {
      tell('prompt tokens by dry runs');
      figures.push(...(await measurePromptTokens(prompts, asked)));
    }
    if (only.includes('8')) {
      tell('rounds with turns by bids and by drafts');
      const variantsOfTurns = prompts.filter(({ rules }) => !rules.includes('@'));
      figures.push(...(await measureTurns(variantsOfTurns, { ...turns, model: asked.modes.family }, makeFolder)));
    }
    if (only.includes('10')) {
      tell(`commands that read a study of ${study.deals} deals`);
      figures.push(...(await measureReading(study, makeFolder)));
    }
    if (only.includes('9')) {
      tell(`${manyAtOnce.crowd.matches} matches, ${manyAtOnce.crowd.inFlight} at once`);
      figures.push(...(await measureCrowd(manyAtOnce.variant, manyAtOnce.crowd, makeFolder('at once'))));
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.versions.node}`;
  const note = isQuick ? 'Taken with --quick: the figures are of no use.\n' : '';
  io.stdout.write(`${printFigures(figures, !isQuick)}\n${machine}\n${note}`);
});
