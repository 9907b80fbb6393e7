// Starts what is measured in processes of their own, with nothing of the user's keys and settings.
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { MatchPlan } from '../../graph/prepare.ts';
import type { BenchJob, JobResult } from './worker.ts';

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
export function readNodeFlags(): string[] {
  const file = path.join(import.meta.dirname, '../../package.json');
  const { scripts } = JSON.parse(readFileSync(file, 'utf8')) as { scripts: { match: string } };
  return scripts.match.split(' ').filter((word) => /^--(?!import)/.test(word));
}

/** Runs a job in a process of its own. Throws an Error where that ends without a result. */
export function runJob(job: BenchJob): Promise<JobResult> {
  const { promise, resolve, reject } = Promise.withResolvers<JobResult>();
  const child = fork(path.join(import.meta.dirname, 'worker.ts'), { env: cleanEnv, execArgv: readNodeFlags() });
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
