// Matches that were stopped at any point go on as if they had not been.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { callName } from '../../state/record.ts';
import { answersIn, promptsIn, rewrite, unfinishedCopy } from '../record-folder.ts';
import { legalAnswer, ScriptedModel, type Script } from '../scripted-model.ts';
import { boardOf, dealt, play, playDeal } from '../table.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { wavesOf } from '../waves.ts';

const rule = { debateTurns: 1, maxRounds: 2, syntheticVotes: true, analysis: 'peer', analyzeBallots: false };
const plan = { board: boardOf(1, 1, 1, 3), rule, seed: 4 };
const out = temporaryFolder();

/** Legal answers, but for summaries and votes for show, which are given at the second attempt only. */
const script: Script = (question) =>
  question.attempt === 1 && ['summarize', 'synthetic_vote'].includes(question.action) ? 'Hm.' : legalAnswer(question);

const refused = () => Object.assign(new Error('This key may not play.'), { status: 401 });

const eventsFile = (folder: string) => readFileSync(path.join(folder, 'events.ndjson'), 'utf8');

type Whole = Awaited<ReturnType<typeof play>>;
let whole: Whole;
beforeAll(async () => {
  whole = await play({ ...plan, out, id: 'whole', model: new ScriptedModel(script) });
});

/** Plays on and expects the whole match, without any call that was recorded before. */
async function expectRest(id: string) {
  const folder = path.join(out, id);
  const before = answersIn(folder).map(callName);
  const model = new ScriptedModel(script);
  const rest = await play({ ...plan, out, id, model });
  expect(eventsFile(folder)).toBe(eventsFile(whole.folder!));
  expect(JSON.stringify(rest.events)).toBe(JSON.stringify(whole.events));
  expect(model.asked).toHaveLength(rest.live.length);
  expect(rest.live.map(callName).filter((name) => before.includes(name))).toEqual([]);
  expect(rest.lines.map(callName).sort()).toEqual(whole.lines.map(callName).sort());
  expect(promptsIn(folder)).toEqual(promptsIn(whole.folder!));
  return rest;
}

/** The number of the first call of each superstep but the first, counted from 0. */
async function firstCalls(): Promise<number[]> {
  const { waves } = await wavesOf((model) => playDeal(dealt(plan), model), script);
  const ends = waves.reduce<number[]>((sums, { length }) => [...sums, (sums.at(-1) ?? 0) + length], []);
  return ends.slice(0, -1);
}

describe('a match that was stopped', () => {
  it('goes on to the same events after a provider has failed at the end of any superstep', async () => {
    for (const number of (await firstCalls()).map((first) => first - 1)) {
      const id = `failed-${number}`;
      const failing = new ScriptedModel((question, index) => {
        if (index === number) throw refused();
        return script(question, index);
      });
      await expect(play({ ...plan, out, id, model: failing })).rejects.toThrow('This key may not play.');
      const recorded = answersIn(path.join(out, id));
      expect(recorded).toHaveLength(failing.asked.length - 1);
      await expectRest(id);
    }
  });

  it('goes on to the same events after it was aborted at the beginning of any superstep', async () => {
    for (const number of await firstCalls()) {
      const id = `aborted-${number}`;
      const controller = new AbortController();
      const aborting = new ScriptedModel((question, index) => {
        if (index === number) controller.abort(new Error('Stopped by hand.'));
        return script(question, index);
      });
      const stopped = play({ ...plan, out, id, model: aborting, signal: controller.signal });
      await expect(stopped).rejects.toThrow('Stopped by hand.');
      await expectRest(id);
    }
  });

  it('goes on to the same events when every start gets no further than one call', async () => {
    const brief = { ...plan, rule: { ...rule, maxRounds: 1, analysis: 'self' } };
    const once = await play({ ...brief, out, id: 'once', model: new ScriptedModel(script) });
    const live: string[] = [];
    for (let starts = 0; starts < once.lines.length; starts++) {
      const model = new ScriptedModel((question, index) => {
        if (index >= 1) throw refused();
        return script(question, index);
      });
      const onAnswer: Parameters<typeof play>[0]['onAnswer'] = (line, isRecorded) =>
        void (isRecorded || live.push(callName(line)));
      const start = play({ ...brief, out, id: 'bit-by-bit', model, concurrency: 1, onAnswer });
      if (starts < once.lines.length - 1) await expect(start).rejects.toThrow('This key may not play.');
      else expect((await start).events).toEqual(once.events);
    }
    expect(live.toSorted()).toEqual(once.lines.map(callName).sort());
    expect(eventsFile(path.join(out, 'bit-by-bit'))).toBe(eventsFile(once.folder!));
  });

  it.each([1, 30])(
    'drops a last line that lacks its last %i bytes, says so, and makes its call again',
    async (bytes) => {
      const id = `torn-${bytes}`;
      const folder = unfinishedCopy(whole.folder!, path.join(out, id));
      rewrite(folder, 'answers.ndjson', (text) => text.slice(0, -bytes));
      const warnings: string[] = [];
      const model = new ScriptedModel(script);
      const { events } = await play({ ...plan, out, id, model, onWarning: (message) => warnings.push(message) });
      expect(events).toEqual(whole.events);
      expect(model.asked).toHaveLength(1);
      expect(warnings).toEqual([expect.stringMatching(/torn-\d+\/answers\.ndjson: the last line was cut off/)]);
      expect(answersIn(folder).map(callName).sort()).toEqual(whole.lines.map(callName).sort());
    },
  );

  it('goes on where its events were cut off or lost, which follow from the answers', async () => {
    for (const [id, left] of [
      ['half', 1000],
      ['none', 0],
    ] as const) {
      const folder = unfinishedCopy(whole.folder!, path.join(out, id));
      rewrite(folder, 'events.ndjson', (text) => text.slice(0, left));
      const { live } = await expectRest(id);
      expect(live).toEqual([]);
    }
  });
});
