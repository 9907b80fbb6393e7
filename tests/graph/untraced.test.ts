// A match that nobody traces creates no runs in LangChain; whoever follows a match by callbacks still sees it.
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import { awaitAllCallbacks } from '@langchain/core/callbacks/promises';
import { RunnableLambda } from '@langchain/core/runnables';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import type { Serialized } from '@langchain/core/load/serializable';
import { Client } from 'langsmith';
import { traceable } from 'langsmith/traceable';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { playMatch, type PlayOptions } from '../../graph/play-match.ts';
import { openLangsmithServer } from '../langsmith-server.ts';
import type { Question } from '../question.ts';
import { createLegalAnswer, ScriptedModel } from '../scripted-model.ts';
import { createBoard } from '../table.ts';

const plan = {
  ...{ out: null, seed: 3, id: 'followed', board: createBoard(1, 1, 1, 3), rules: 'arena' },
  rule: { maxRounds: 1, debateTurns: 1 },
};
const playBy = (model: ScriptedModel, more: PlayOptions = {}) => playMatch({ ...plan, model, ...more });

/** Handler that keeps the names of runs. */
class Follower extends BaseCallbackHandler {
  override name = 'follower';
  override awaitHandlers = true;
  readonly chains: string[] = [];
  readonly calls: string[] = [];

  override handleChainStart(...[, , , , , , , name]: Parameters<NonNullable<BaseCallbackHandler['handleChainStart']>>) {
    this.chains.push(name ?? '');
  }

  override handleChatModelStart(_: Serialized, ...rest: unknown[]) {
    this.calls.push(String(rest.at(-1)));
  }
}

describe('a match without traces', () => {
  let unfollowed: Awaited<ReturnType<typeof playMatch>>;
  let calls = 0;
  const answer = (question: Question) => {
    calls += 1;
    return createLegalAnswer(question);
  };
  beforeAll(async () => {
    unfollowed = await playBy(new ScriptedModel(answer));
  });

  it('creates no run: the model is asked outside of any', async () => {
    const stores: unknown[] = [];
    const model = new ScriptedModel((question) => {
      stores.push(AsyncLocalStorageProviderSingleton.getInstance().getStore());
      return answer(question);
    });
    await playBy(model);
    expect(stores.length).toBeGreaterThan(10);
    expect(stores.filter((store) => store !== undefined)).toEqual([]);
  });

  it('is seen by the callbacks of a program that plays it inside a run of its own, and is the same match', async () => {
    const follower = new Follower();
    calls = 0;
    const enclosing = RunnableLambda.from(() => playBy(new ScriptedModel(answer)));
    const { events } = await enclosing.invoke({}, { callbacks: [follower] });
    expect(events).toEqual(unfollowed.events);
    expect(follower.chains).toEqual(expect.arrayContaining(['followed', 'debate', 'vote', 'end']));
    expect(follower.calls.length).toBe(calls);
  });

  it('is a part of the trace of a program that traces it with a client of its own', async () => {
    const server = await openLangsmithServer();
    try {
      const client = new Client({ apiUrl: server.url, apiKey: 'local' });
      const options = { name: 'study', client, tracingEnabled: true };
      await traceable(() => playBy(new ScriptedModel(answer)), options)();
      await client.flush();
      await client.awaitPendingTraceBatches();
      expect(server.runs().map(({ name }) => name)).toEqual(expect.arrayContaining(['study', 'followed', 'debate']));
    } finally {
      server.close();
    }
  });

  it('is seen by the handlers of a model, in its own calls alone', async () => {
    const [follower, model] = [new Follower(), new ScriptedModel(answer)];
    model.callbacks = [follower];
    calls = 0;
    await playBy(model);
    expect(follower.calls.length).toBe(calls);
    expect(follower.chains).toEqual([]);
  });

  it('lets a model that is verbose speak, and no other', async () => {
    const told = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      const model = new ScriptedModel(answer);
      model.verbose = true;
      await playBy(model);
      await awaitAllCallbacks();
      expect(told.mock.calls.length).toBeGreaterThan(10);
      expect(told.mock.calls.filter(([line]) => !/\[llm\/(start|end)\]/.test(String(line)))).toEqual([]);
      told.mockClear();
      await playBy(new ScriptedModel(answer));
      await awaitAllCallbacks();
      expect(told.mock.calls).toEqual([]);
    } finally {
      told.mockRestore();
    }
  });
});
