// A job of the bench, done in a process of its own without the user's keys and settings: it plays matches or makes their
// calls bare, and tells the processor's time, the memory and, from a profile, what the time was spent on.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import module from 'node:module';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { MatchPlan } from '../../graph/prepare-match.ts';
import type { ChatRequest } from './servers.ts';

/** The first that fits the address of a function's file. What fits none, such as V8's JSON, counts for its caller. */
const groups: readonly (readonly [string, RegExp])[] = [
  ['LangGraph', /node_modules\/@langchain\/langgraph/],
  ['LangChain, OpenAI', /node_modules\/(@langchain|openai|langsmith)\//],
  ['zod', /node_modules\/zod\//],
  ['HTTP', /node_modules\/undici|^node:.*(undici|http|net|stream|tls|dns|url|web)/],
  ['other packages', /node_modules\//],
  ['record', /\/models\/record\/|^node:.*(fs|zlib)/],
  ['hashing', /^node:.*crypto/],
  ['loading code', /^node:.*(modules|vm|esm)/],
  ['Node', /^node:/],
  ['prompts', /\/prompts\//],
  ['models', /\/models\//],
  ['state', /\/state\//],
  ['graph, nodes', /\/(graph|nodes)\//],
  ['measuring', /\/deception\//],
  ['bench', /^file:/],
];

/** V8's names for what is no function. */
const rootNames: Readonly<Record<string, string>> = {
  '(garbage collector)': 'collecting garbage',
  '(program)': 'V8 and the system',
  '(root)': 'V8 and the system',
  '(idle)': '',
};

/**
 * Self time in milliseconds by group, idle time left out. A profile counts time by the clock, in which others have the
 * processor too: its parts are made to add up to `cpuMs`.
 */
export function groupProfile(
  { nodes, samples = [], timeDeltas = [] }: Profiler.Profile,
  cpuMs: number,
): Record<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const groupsById = new Map<number, string>();
  const pending = [{ id: nodes[0]!.id, group: 'V8 and the system' }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { callFrame, children = [] } = byId.get(next.id)!;
    const { functionName, url } = callFrame;
    const group = rootNames[functionName] ?? groups.find(([, files]) => files.test(url))?.[0] ?? next.group;
    groupsById.set(next.id, group);
    for (const id of children) pending.push({ id, group });
  }
  const sums: Record<string, number> = {};
  for (const [index, id] of samples.entries()) {
    const group = groupsById.get(id)!;
    if (group !== '') sums[group] = (sums[group] ?? 0) + timeDeltas[index]!;
  }
  const total = Object.values(sums).reduce((sum, one) => sum + one, 0);
  for (const group of Object.keys(sums)) sums[group]! *= cpuMs / total;
  return sums;
}

type BenchJob = { isProfiled?: boolean } & (
  | { kind: 'matches'; plans: readonly MatchPlan[]; inFlight: number; concurrency: number; out: string }
  /** `file`: the calls as JSON, in their waves. */
  | { kind: 'bare'; file: string; baseUrl: string }
);

export interface JobResult {
  /** Folders of the matches; none of bare calls. */
  folders: string[];
  /** CPU of this process with all its threads, from its start. */
  cpuMs: number;
  /** Most resident memory, in bytes. */
  maxRss: number;
  /** CPU of the main thread by what it was spent on, where it was profiled. */
  profile: Record<string, number>;
}

/** LangGraph and the project are loaded only where matches are played: bare calls need neither. */
async function playAll({ plans, inFlight, concurrency, out }: BenchJob & { kind: 'matches' }) {
  const [{ default: pLimit }, { playMatch }] = await Promise.all([
    import('p-limit'),
    import('../../graph/play-match.ts'),
  ]);
  const [seats, calls] = [pLimit(inFlight), pLimit(concurrency)];
  const play = async (plan: MatchPlan) => (await playMatch({ ...plan, out, concurrency: calls })).folder!;
  return Promise.all(plans.map((plan) => seats(() => play(plan))));
}

/** What anyone would write who wants an answer of a JSON schema from LangChain's model. */
async function callBare(waves: readonly (readonly ChatRequest[])[], baseURL: string) {
  const [{ ChatOpenAI }, { HumanMessage, SystemMessage }] = await Promise.all([
    import('@langchain/openai'),
    import('@langchain/core/messages'),
  ]);
  const chat = new ChatOpenAI({ model: 'bench', apiKey: 'none', configuration: { baseURL }, maxRetries: 0 });
  const call = ({ messages, response_format }: ChatRequest) => {
    const input = messages.map(({ role, content }) => new (role === 'system' ? SystemMessage : HumanMessage)(content));
    return chat.invoke(input, { response_format });
  };
  for (const wave of waves) await Promise.all(wave.map(call));
  return [];
}

const addUp = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;
const countCpuMs = () => addUp(process.cpuUsage());
const countMainThreadMs = () => addUp(process.threadCpuUsage());

async function startProfiler() {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  return session;
}

async function run(job: BenchJob): Promise<JobResult> {
  const before = countCpuMs();
  const waves = job.kind === 'bare' ? (JSON.parse(readFileSync(job.file, 'utf8')) as ChatRequest[][]) : [];
  const readingMs = countCpuMs() - before; // what only the bench does
  const session = job.isProfiled ? await startProfiler() : null;
  const profiledFrom = countMainThreadMs();
  const folders = await (job.kind === 'bare' ? callBare(waves, job.baseUrl) : playAll(job));
  const cpuMs = countCpuMs() - readingMs;
  const mainMs = countMainThreadMs() - profiledFrom;
  const profile = session ? groupProfile((await session.post('Profiler.stop')).profile, mainMs) : {};
  return { folders, cpuMs, maxRss: process.resourceUsage().maxRSS * 1024, profile };
}

const keyName = 'BENCH_KEY';

/** What a process needs to run as it usually does, and a key for the local server, which checks none. */
const inherited = ['PATH', 'HOME', 'SystemRoot'].filter((name) => process.env[name] !== undefined);

/** Where scripts/prepare.mjs keeps compiled code for the next start; Node adds a folder of its own. */
const compileCache = module.getCompileCacheDir();

export const cleanEnv: Readonly<Record<string, string>> = {
  ...Object.fromEntries(inherited.map((name) => [name, process.env[name]!])),
  ...(compileCache === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(compileCache) }),
  [keyName]: 'none',
};

/** A match of a variant of the rules, with the local server in every seat. */
export const planMatch = ({ rules, rule }: RulesVariant, baseUrl: string, seed: number) => ({
  ...{ rules, rule, seed },
  model: `openai:bench?baseUrl=${baseUrl}&apiKeyEnv=${keyName}`,
});

export interface RulesVariant {
  name: string;
  /** A preset, and single options besides. */
  rules: string;
  rule: MatchPlan['rule'] & object;
  /** Latencies that a full round may take; left out where nothing is set. */
  latencies?: number;
}

/** The settings of Node with which `npm run match` starts. */
function readNodeFlags(): string[] {
  const file = path.join(import.meta.dirname, '../../package.json');
  const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: { match: string } };
  return scripts.match.split(' ').filter((word) => /^--(?!import)/.test(word));
}

/** Runs a job in a process of its own. Throws an Error where that ends without a result. */
export function runJob(job: BenchJob): Promise<JobResult> {
  const { promise, resolve, reject } = Promise.withResolvers<JobResult>();
  const child = fork(import.meta.filename, { env: cleanEnv, execArgv: readNodeFlags() });
  child.on('message', (result: JobResult) => resolve(result));
  child.on('error', reject);
  child.on('exit', (code) => reject(new Error(`The measured process ended with exit code ${code}.`)));
  child.send(job);
  return promise;
}

/** Runs a script of this project to its end. Throws an Error with what it wrote to standard error where it fails. */
export async function runScriptFile(name: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const file = path.join(import.meta.dirname, '..', name);
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const [told, [code]] = await Promise.all([text(child.stderr), once(child, 'exit') as Promise<[number | null]>]);
  if (code !== 0) throw new Error(`${name} ${args.join(' ')} ended with exit code ${code}: ${told}`);
}

if (import.meta.main)
  process.once('message', (job: BenchJob) => {
    void run(job).then((result) => process.send!(result, () => process.disconnect()));
  });
