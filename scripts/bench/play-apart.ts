// Plays matches in a process of their own, with nothing of the user's keys and settings.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import type { Job, Played } from './player.ts';

/** The variable that holds the local server's key; it checks none. */
const keyName = 'BENCH_KEY';

/** What a process needs to run as it usually does, but no key of the user's and no tracing. */
const kept = ['PATH', 'HOME', 'SystemRoot'];

/** Where compiled code is kept for the next start, as scripts/prepare.mjs asks for; Node adds a folder of its own. */
const compiled = module.getCompileCacheDir();

export const bareEnv: Readonly<Record<string, string>> = {
  ...Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
  ...(compiled === undefined ? {} : { NODE_COMPILE_CACHE: path.dirname(compiled) }),
  [keyName]: 'none',
};

/** The model string of a local server, for every seat. */
export const localModel = (baseUrl: string) => `openai:bench?baseUrl=${baseUrl}&apiKeyEnv=${keyName}`;

/** Settings of Node with which `npm run match` starts. */
function settings(): string[] {
  const { scripts } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    scripts: { match: string };
  };
  return scripts.match.split(' ').filter((word) => /^--(?!import)/.test(word));
}

/** Throws an Error where the process ends without having played all. */
export function playApart(job: Job): Promise<Played> {
  const { promise, resolve, reject } = Promise.withResolvers<Played>();
  const child = fork(path.join(import.meta.dirname, 'player.ts'), { env: bareEnv, execArgv: settings() });
  child.on('message', (played: Played) => resolve(played));
  child.on('error', reject);
  child.on('exit', (code) => reject(new Error(`The playing process ended with exit code ${code}.`)));
  child.send(job);
  return promise;
}
