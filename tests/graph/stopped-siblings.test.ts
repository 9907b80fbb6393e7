// A match that one model stops while others have trouble of their own: what is told, and that nobody calls any more.
import { afterEach, describe, expect, it } from '@jest/globals';
import { failure, openaiServer, type OpenAIServer, type Scripted } from '../openai-server.ts';
import { ScriptedModel } from '../scripted-model.ts';
import { boardOf, play } from '../table.ts';
import { testClock } from '../test-clock.ts';

let server: OpenAIServer | undefined;
afterEach(() => server?.close());

/** So many are asked at the same time in the first night, besides the one who fails. */
const others = 2;

/** A promise that resolves once it has been told so often. */
function counted(times: number) {
  const { promise, resolve } = Promise.withResolvers<void>();
  let told = 0;
  return {
    promise,
    tell: () => {
      if (++told === times) resolve();
    },
  };
}

/** A clock on which every wait lasts until it is given up. */
const sleepingClock = (onSleep: () => void) => ({
  ...testClock(),
  sleep: (_: number, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      onSleep();
    }),
});

/** Plays a match in which one model fails with `status` once the others, whose server follows the script, are `ready`. */
async function stopped(status: number, script: (received: () => void) => Scripted, ready: 'asleep' | 'asked') {
  const [asleep, asked] = [counted(others), counted(others)];
  const { baseUrl, requests } = (server = await openaiServer(() => script(asked.tell)));
  const failing = new ScriptedModel(async () => {
    await { asleep, asked }[ready].promise;
    throw Object.assign(new Error('No such thing.'), { status });
  });
  const warnings: string[] = [];
  const model = `openai:tiny?baseUrl=${baseUrl}`;
  const match = play({
    board: boardOf(1, 1, 1, 3),
    seed: 4,
    model,
    roles: { Seer: failing },
    env: { OPENAI_API_KEY: 'none' },
    clock: sleepingClock(asleep.tell),
    onWarning: (message) => warnings.push(message),
  });
  const error: unknown = await match.catch((thrown: unknown) => thrown);
  return { error, requests, warnings, model };
}

describe('a match that one model stops', () => {
  it.each([
    [400, 'bad-request'],
    [401, 'final'],
  ])('with %d while others wait to try again: it is told as it is, and nobody tries', async (status, kind) => {
    const busy = () => ({ status: 429, body: failure('Busy.') });
    const { error, requests, warnings, model } = await stopped(status, busy, 'asleep');
    expect(error).toMatchObject({ name: 'ProviderFailure', kind, status, message: 'custom:scripted: No such thing.' });
    expect(requests).toHaveLength(others);
    expect(warnings).toEqual([`${model}: Busy. Trying again.`]);
  });

  it.each([400, 503])('while others are answered with %d: they say nothing and call no more', async (status) => {
    const late = (received: () => void) => {
      received();
      return { status, body: failure('None of that.'), latency: 50 };
    };
    const { error, requests, warnings } = await stopped(401, late, 'asked');
    expect(error).toMatchObject({ status: 401, message: 'custom:scripted: No such thing.' });
    expect(requests).toHaveLength(others);
    expect(warnings).toEqual([]);
  });
});
