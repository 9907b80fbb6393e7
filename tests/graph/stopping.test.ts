// What stops a match stops it at once, before another call, and is told as what it is.
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { playMatch } from '../../graph/play-match.ts';
import { BudgetReached } from '../../models/budget.ts';
import { ProviderFailure } from '../../models/transport.ts';
import { openaiServer, type OpenAIServer } from '../openai-server.ts';
import { readQuestion } from '../question.ts';
import { answersIn, rewriteLine } from '../record-folder.ts';
import { legalAnswer, ScriptedModel } from '../scripted-model.ts';
import { boardOf, play } from '../table.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { heldModel, quiet } from '../waves.ts';

const plan = { board: boardOf(2, 1, 1, 2), rule: { debateTurns: 1, maxRounds: 1, analyzeBallots: false }, seed: 4 };
const out = temporaryFolder();
const refused = () => Object.assign(new Error('This key may not play.'), { status: 401 });

describe('with one call at a time', () => {
  let server: OpenAIServer | undefined;
  afterEach(() => server?.close());

  it('no call starts after one has failed for good', async () => {
    const model = new ScriptedModel((question, index) => {
      if (index === 6) throw refused();
      return legalAnswer(question);
    });
    await expect(play({ ...plan, out, id: 'one', model, concurrency: 1 })).rejects.toThrow('This key may not play.');
    expect(model.asked.length).toBe(7);
  });

  it('no call starts once the money spent has reached the cap', async () => {
    server = await openaiServer((request) => ({
      text: JSON.stringify(legalAnswer(readQuestion(request.body.messages))),
    }));
    const model = `openai:tiny?baseUrl=${server.baseUrl}&priceIn=1000&priceOut=1000`; // 0.025 USD a call
    const options = {
      ...plan,
      out,
      id: 'cap',
      model,
      env: { OPENAI_API_KEY: 'none' },
      maxCost: 0.1625,
      concurrency: 1,
    };
    await expect(play(options)).rejects.toThrow(BudgetReached);
    expect(server.requests.length).toBe(7);
  });
});

describe('a provider that does not say what a call took', () => {
  it('is taken to have taken much, so that the cap is reached all the same', async () => {
    const silent = await openaiServer((request) => ({
      text: JSON.stringify(legalAnswer(readQuestion(request.body.messages))),
      usage: null,
    }));
    const model = `openai:tiny?baseUrl=${silent.baseUrl}&priceIn=10&priceOut=10`; // about 0.01 USD a call
    const options = { ...plan, out, id: 'silent', model, env: { OPENAI_API_KEY: 'none' }, concurrency: 1 };
    await expect(play({ ...options, maxCost: 0.05 })).rejects.toThrow(BudgetReached);
    const made = silent.requests.length;
    expect(made).toBeGreaterThan(1);
    await expect(play({ ...options, maxCost: 0.05 })).rejects.toThrow(BudgetReached);
    expect(silent.requests.length).toBe(made);
    await silent.close();
  });
});

describe('a match whose record is refused in the middle of a wave', () => {
  it('makes no further call', async () => {
    const stopped = new ScriptedModel((question) => {
      if (question.action === 'vote' && question.player === question.alive[2]) throw refused();
      return legalAnswer(question);
    });
    await expect(play({ ...plan, out, id: 'half', model: stopped })).rejects.toThrow('This key may not play.');
    const folder = path.join(out, 'half');
    const number = answersIn(folder).findIndex(({ action }) => action === 'vote') + 1;
    rewriteLine(folder, 'answers.ndjson', number, (line) =>
      line.replace(/"prompt_sha256":"\w+"/, '"prompt_sha256":"0"'),
    );
    const { model, held } = heldModel(() => 'Hm.');
    const ended: unknown[] = [];
    const match = playMatch({ ...plan, out, id: 'half', model }).catch((error: unknown) => ended.push(error));
    await quiet(() => held.length);
    const asked = model.asked.length;
    for (const { release } of held.splice(0)) release();
    await match;
    await quiet(() => model.asked.length);
    expect(ended).toHaveLength(1);
    expect(model.asked.length).toBe(asked);
  });
});

describe('several nodes that fail in one superstep', () => {
  it.each(['eliminate protect unmask', 'bid self_analysis peer_analysis', 'protect unmask'])(
    'stop the match with the failure itself: %s',
    async (actions) => {
      const model = new ScriptedModel((question) => {
        if (actions.includes(question.action) && (question.turn ?? 2) > 1) throw refused();
        return legalAnswer(question);
      });
      const match = play({ ...plan, rule: { debateTurns: 2, maxRounds: 1 }, model });
      await expect(match).rejects.toBeInstanceOf(ProviderFailure);
    },
  );
});
