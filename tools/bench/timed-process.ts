// A job of the benchmark in a separate process without the user's keys and settings. The job plays matches or makes
// only their calls. It reports CPU time and memory and, if it records a profile, the parts of CPU time.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import module from 'node:module';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';
import type { MatchPlan } from '../../graph/prepare-match.ts';
import { boundHeap } from '../../scripts/command/bound-heap.ts';
import { groupProfile } from './profile.ts';
import type { ChatRequest } from './servers.ts';

type BenchJob = { isProfiled?: boolean } & (
  | { kind: 'matches'; plans: readonly MatchPlan[]; inFlight: number; concurrency: number; out: string }
  /** Makes only the calls. `file`: the calls as JSON, in waves. */
  | { kind: 'bare'; file: string; baseUrl: string }
  /** Plays matches of one plan that all start at once. */
  | { kind: 'set'; plan: MatchPlan; matches: number; inFlight: number; out: string }
);

/** Plays matches. LangGraph and the project are loaded only here, because bare calls need neither. */
async function playAll({ plans, inFlight, concurrency, out }: BenchJob & { kind: 'matches' }) {
  const { default: pLimit } = await import('p-limit');
  const { playMatch } = await import('../../graph/play-match.ts');
  const play = async (plan: MatchPlan) => (await playMatch({ ...plan, out, concurrency })).folder!;
  return pLimit(inFlight).map(plans, play);
}

/** Number of answers between two samples of the memory. */
const sampledAnswers = 100;

/** Milliseconds between two looks at the event loop. */
const watchedEvery = 5;

/**
 * Plays a set of matches and watches the event loop. Returns the longest block in milliseconds, the most CPU time in
 * milliseconds that the thread took between two looks at the loop, which other processes lengthen less, and the
 * resident memory in bytes after every `sampledAnswers` answers.
 */
async function playSet({ plan, matches, inFlight, out }: BenchJob & { kind: 'set' }) {
  const { playMatches } = await import('../../graph/play-matches.ts');
  const delays = monitorEventLoopDelay({ resolution: watchedEvery });
  let longestWorkMs = 0;
  let begun = process.threadCpuUsage();
  const look = () => {
    longestWorkMs = Math.max(longestWorkMs, addUp(process.threadCpuUsage(begun)));
    begun = process.threadCpuUsage();
  };
  const memory: number[] = [];
  let answers = 0;
  const onAnswer = () => {
    answers += 1;
    if (answers % sampledAnswers === 0) memory.push(process.memoryUsage.rss());
  };
  delays.enable();
  const watch = setInterval(look, watchedEvery);
  await playMatches(
    { seed: 1, matches, planOf: () => plan },
    { out, concurrency: inFlight, onBegin: () => ({ onAnswer }) },
  );
  clearInterval(watch);
  delays.disable();
  return { longestBlockMs: delays.max / 1e6, longestWorkMs, memory };
}

/** Makes calls with the code that anyone would write to get an answer with a JSON schema from a LangChain model. */
async function callBare(waves: readonly (readonly ChatRequest[])[], baseURL: string) {
  const { ChatOpenAI } = await import('@langchain/openai');
  const { HumanMessage, SystemMessage } = await import('@langchain/core/messages');
  const chat = new ChatOpenAI({ model: 'bench', apiKey: 'none', configuration: { baseURL }, maxRetries: 0 });
  const call = ({ messages, response_format }: ChatRequest) => {
    const input = messages.map(({ role, content }) => new (role === 'system' ? SystemMessage : HumanMessage)(content));
    return chat.invoke(input, { response_format });
  };
  for (const wave of waves) await Promise.all(wave.map(call));
}

export type JobResult = Awaited<ReturnType<typeof run>>;

const addUp = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;

/**
 * Runs a job. Returns the folders of the matches (none for bare calls), the CPU time of all threads of this process
 * since its start, and its maximum resident memory in bytes. If the job records a profile, also returns the main
 * thread's CPU time by group.
 */
async function run(job: BenchJob) {
  if (job.kind !== 'bare') boundHeap(job.inFlight);
  const before = process.cpuUsage();
  const waves = job.kind === 'bare' ? (JSON.parse(readFileSync(job.file, 'utf8')) as ChatRequest[][]) : [];
  const readingMs = addUp(process.cpuUsage(before)); // work that only the bench does
  const session = new Session();
  if (job.isProfiled) {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
  }
  const profiledFrom = process.threadCpuUsage();
  const folders = job.kind === 'matches' ? await playAll(job) : [];
  if (job.kind === 'bare') await callBare(waves, job.baseUrl);
  const watched = job.kind === 'set' ? await playSet(job) : {};
  const cpuMs = addUp(process.cpuUsage()) - readingMs;
  const mainMs = addUp(process.threadCpuUsage(profiledFrom));
  const profile = job.isProfiled ? groupProfile((await session.post('Profiler.stop')).profile, mainMs) : {};
  const result = { folders, cpuMs, maxRss: process.resourceUsage().maxRSS * 1024, profile };
  return { ...result, ...(watched as Partial<Awaited<ReturnType<typeof playSet>>>) };
}

const keyName = 'BENCH_KEY';

/** Folder in which scripts/prepare.mjs stores compiled code for the next start. Node adds a subfolder. */
const compileCache = module.getCompileCacheDir();

/** Environment for a usual run of the process. The key is for the local server, which accepts any. */
export const cleanEnv: NodeJS.ProcessEnv = {
  ...Object.fromEntries(['PATH', 'HOME', 'SystemRoot'].map((name) => [name, process.env[name]])),
  ...(compileCache === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(compileCache) }),
  [keyName]: 'none',
};

export interface RulesVariant {
  name: string;
  /** Name of a preset. `rule`: single rules that differ from it. */
  rules: string;
  rule: MatchPlan['rule'] & object;
  /** Target for the latencies of a full round; absent if there is no target. */
  latencies?: number;
}

/** Plans a variant's matches. Every seat has the local server's model, and seeds count from 1. */
export const planMatches = ({ rules, rule }: RulesVariant, baseUrl: string, matches: number) =>
  Array.from({ length: matches }, (_, index) => ({
    ...{ rules, rule, seed: index + 1 },
    model: `openai:bench?baseUrl=${baseUrl}&apiKeyEnv=${keyName}`,
  }));

/** Reads the options that npm gives to Node for a command, e.g. `match`. */
export function readNodeFlags(command: string): string[] {
  const file = path.join(import.meta.dirname, '../../package.json');
  const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: Record<string, string> };
  return (scripts[command] ?? '').split(' ').filter((word) => /^--(?!import)/.test(word));
}

/** Runs Node until it ends and returns its output. Throws an Error that includes its standard error if it fails. */
export async function runNode(args: readonly string[], env: NodeJS.ProcessEnv = cleanEnv): Promise<string> {
  return (await promisify(execFile)(process.execPath, args, { env })).stdout;
}

/** Runs a job in a separate process. */
export const runJob = async (job: BenchJob) =>
  JSON.parse(await runNode([...readNodeFlags('match'), import.meta.filename, JSON.stringify(job)])) as JobResult;

if (import.meta.main) process.stdout.write(JSON.stringify(await run(JSON.parse(process.argv[2]!) as BenchJob)));
