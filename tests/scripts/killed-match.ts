// A match whose process is killed repeatedly, and the calls that a server saw.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { hashMessages } from '../../models/call-model.ts';
import type { PromptMessage } from '../../models/model.ts';
import { draw } from '../../state/random.ts';
import type { AnswerLine } from '../../state/record.ts';
import { openOpenaiServer } from '../openai-server.ts';
import { legally, reaching } from './local-model.ts';
import { startScript, type Ended } from './process.ts';

/** One process from its start to its death. Calls are identified by the hash of their prompt. */
export interface Life {
  /** Contents of the record before the process started. */
  before: string[];
  asked: string[];
  /** Calls without a response when the process was killed. */
  unanswered: Set<string>;
  /** Contents of the record after the process died. */
  after: string[];
}

export interface KilledMatch {
  lives: Life[];
  /** The last process, which was not killed. */
  last: Life;
  ended: Ended;
}

/** Shortest and longest time of a response, in milliseconds. */
const latencies = [20, 50] as const;

/** Time to load the program, in milliseconds. */
const loading = 600;

/** Maximum number of calls that a process makes before it is killed. */
const callsOfLife = 12;

/**
 * Plays `args` in the folder of a match. The process is killed the given number of times, at moments drawn with `seed`,
 * and then plays to the end.
 */
export async function playKilled(
  folder: string,
  args: readonly string[],
  kills: number,
  seed: number,
): Promise<KilledMatch> {
  const by = draw(seed, 'kill');
  const lives: Life[] = [];
  let heard = Promise.withResolvers<void>();
  const server = await openOpenaiServer((request) => {
    // Each process has a key of its own, because a request of one may arrive after the next has started.
    const { asked, unanswered } = lives[Number(request.headers.authorization?.replace('Bearer ', ''))]!;
    const name = hashMessages(request.body.messages as PromptMessage[]);
    asked.push(name);
    unanswered.add(name);
    heard.resolve();
    const latency = latencies[0] + by.integer(latencies[1] - latencies[0]);
    return { ...legally(request), latency, answered: () => unanswered.delete(name) };
  });
  const begin = () => {
    const life: Life = { before: recordedIn(folder), asked: [], unanswered: new Set(), after: [] };
    const env = { ...reaching(server).env, OPENAI_API_KEY: String(lives.push(life) - 1) };
    return { life, ...startScript('match', args, { env }) };
  };
  /**
   * Waits for the moment at which a process is killed. Some moments are during loading or replay, most are during the
   * calls after that.
   */
  const moment = async ({ asked }: Life) => {
    if (by.integer(4) === 0) return wait(by.integer(loading));
    for (const calls = 1 + by.integer(callsOfLife); asked.length < calls;) {
      heard = Promise.withResolvers();
      await heard.promise;
    }
    await wait(by.integer(latencies[1]));
  };
  try {
    while (lives.length < kills) {
      const { life, child, ended } = begin();
      await Promise.race([moment(life), ended]);
      life.unanswered = new Set(life.unanswered); // later responses reach nobody
      child.kill('SIGKILL');
      const { code, stderr } = await ended;
      if (code !== null) throw new Error(`The match ended before it could be killed ${kills} times:\n${stderr}`);
      life.after = recordedIn(folder);
    }
    const { life: last, ended } = begin();
    const end = await ended;
    last.after = recordedIn(folder);
    return { lives: lives.slice(0, -1), last, ended: end };
  } finally {
    await server.close();
  }
}

/** Reads complete lines only, because the last line may be incomplete. */
function recordedIn(folder: string): string[] {
  const file = path.join(folder, 'answers.ndjson');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as AnswerLine).prompt_sha256);
}
