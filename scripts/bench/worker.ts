// The process that is measured: it plays matches, or makes their calls bare, and tells what that took.
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import type { MatchPlan } from '../../graph/prepare.ts';
import { groupProfile } from './profile.ts';
import type { ChatRequest } from './servers.ts';

export type BenchJob = { isProfiled?: boolean } & (
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

process.once('message', (job: BenchJob) => {
  void run(job).then((result) => process.send!(result, () => process.disconnect()));
});
