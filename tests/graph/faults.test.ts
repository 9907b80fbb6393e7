// Each fault of a server during a match: number of calls, waiting time, and the resulting answer.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Disk } from '../../models/machine/disk.ts';
import { getMachine, runOnMachine } from '../../models/machine/machine.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { isEventOfType } from '../../state/events.ts';
import { type Fault, faults } from '../faults.ts';
import { failure, openOpenaiServer, type OpenAIServer, type Received, type Scripted } from '../openai-server.ts';
import { type Question, readQuestion } from '../question.ts';
import { createLegalAnswer, ScriptedModel } from '../scripted-model.ts';
import { createBoard, play } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { testClock } from '../test-clock.ts';

const servers: OpenAIServer[] = [];

const plan = {
  ...{ board: createBoard(1, 1, 1, 3), seed: 4 },
  rule: { debateTurns: 1, maxRounds: 1, analysis: 'peer', analyzeBallots: false },
};

const answerLegally = (question: Question): Scripted => ({ text: JSON.stringify(createLegalAnswer(question)) });

const readRequest = ({ body }: Received) => readQuestion(body.messages);

/**
 * Plays a match whose server follows the script. `requestsOf` returns the requests that ask a question of this action.
 */
async function matchAt(script: (question: Question, request: Received) => Scripted, key = 'none') {
  const clock = testClock();
  const server = await openOpenaiServer((request) => {
    const scripted = script(readRequest(request), request);
    if (scripted.hang) queueMicrotask(() => clock.expire());
    return scripted;
  });
  servers.push(server);
  const { requests, baseUrl } = server;
  const warnings: string[] = [];
  const match = await play({
    ...plan,
    model: `openai:tiny?baseUrl=${baseUrl}`,
    env: { OPENAI_API_KEY: key },
    clock,
    concurrency: 1, // so that only the hanging call times out
    onWarning: (message) => warnings.push(message),
  });
  return { ...match, requests, clock, warnings };
}

/** Plays a match in which the server fails to answer the first question for `action` this many times in a row. */
async function playFailing(fault: Fault, action: string, times: number) {
  const failed: Question[] = [];
  const match = await matchAt((question) => {
    const isIt = question.action === action && question.player === (failed[0] ?? question).player;
    if (!isIt || failed.length === times) return answerLegally(question);
    failed.push(question);
    return fault.does(createLegalAnswer(question), question);
  });
  const isSame = ({ action: asked, player }: { action: string; player: string }) =>
    asked === action && player === failed[0]!.player;
  return {
    ...match,
    player: failed[0]!.player,
    put: match.requests.map(readRequest).filter(isSame),
    answers: match.lines.filter(isSame),
  };
}

let undisturbed: ReturnType<typeof matchAt> | undefined;
/** Returns the events of a match without faults, which is played once. */
const playUndisturbed = async () => (await (undisturbed ??= matchAt(answerLegally))).events;

const listFaults = (what: Fault['brings']) => Object.entries(faults).filter(([, { brings }]) => brings === what);

describe('a fault of a model or of its server', () => {
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

  describe('a fault that passes', () => {
    it.each(listFaults('retry'))('costs a wait and another call, and changes nothing: %s', async (_, fault) => {
      const { put, clock, answers, events, warnings } = await playFailing(fault, 'vote', 2);
      expect(put.map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
      const waits = fault.wait ? [fault.wait] : [312.5, 625];
      expect(clock.waits.slice(0, waits.length)).toEqual(waits);
      expect(answers).toEqual([expect.objectContaining({ attempt: 1, retries: 2 })]);
      expect(answers[0]).not.toHaveProperty('mark');
      expect(events).toEqual(await playUndisturbed());
      expect(warnings).toEqual([
        expect.stringMatching(/^openai:tiny\S*: .+ Trying again(?: \(the server asks to wait 7 s\))?\.$/),
      ]);
    });
  });

  describe('a long wait', () => {
    it('that a server asks for is told', async () => {
      let asked = 0;
      const { clock, warnings } = await matchAt((question) =>
        asked++ === 0
          ? { status: 429, headers: { 'retry-after': '120' }, body: failure('Slow down') }
          : answerLegally(question),
      );
      expect(clock.waits).toEqual([126_000]);
      expect(warnings).toEqual([expect.stringMatching(/^openai:tiny\S*: Slow down\. Trying again in 2 minutes\.$/)]);
    });
  });

  describe('an answer that holds the key in other letters', () => {
    const key = 'sk-rev0/FAKE+key2';
    const escaped = [...key].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

    it.each([
      ['escaped', escaped],
      ['with a slash as some servers write it', key.replaceAll('/', '\\/')],
      ['with a soft hyphen, which is left out of what is said', `${key.slice(0, 5)}\u00ad${key.slice(5)}`],
    ])('is not kept, and asked for again: %s', async (_, spelled) => {
      let asked = 0;
      const { lines, events, requests } = await matchAt((question) => {
        if (question.action !== 'debate' || asked++ > 0) return answerLegally(question);
        const answer = { ...createLegalAnswer(question), statement: 'It is KEY.' };
        return { text: JSON.stringify(answer).replace('KEY', spelled) };
      }, key);
      const spoken = lines.filter(({ action }) => action === 'debate');
      expect(spoken.slice(0, 2).map(({ raw, error }) => [raw === '[redacted]', error !== undefined])).toEqual([
        [true, true],
        [false, false],
      ]);
      const told = JSON.stringify([lines, events, requests.map(({ body }) => body)]);
      expect([told.includes(key), told.includes(escaped)]).toEqual([false, false]);
    });
  });

  describe('trouble that is worded differently each time', () => {
    it('is told once of a model for each status', async () => {
      const met = new Set<string>();
      const { warnings } = await matchAt((question) => {
        const place = JSON.stringify([question.player, question.action, question.round, question.turn]);
        if (met.has(place)) return answerLegally(question);
        met.add(place);
        const status = met.size % 2 ? 429 : 503;
        return { status, body: failure(`Limit 30000, used ${29000 + met.size}, try again in ${met.size} ms.`) };
      });
      expect(met.size).toBeGreaterThan(10);
      expect(warnings).toEqual([expect.stringContaining('used 29001,'), expect.stringContaining('used 29002,')]);
    });
  });

  describe('an answer that cannot be used', () => {
    it.each(listFaults('question'))('is asked for again at once, with what was wrong: %s', async (_, fault) => {
      const { put, clock, answers, player, events } = await playFailing(fault, 'vote', 2);
      expect(put.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
      expect(clock.waits).toEqual([]);
      expect(answers.map(({ retries, error }) => [retries, error === undefined])).toEqual([
        [0, false],
        [0, false],
        [0, true],
      ]);
      expect(put[1]!.messages.at(-1)!.content).toContain(answers[0]!.error);
      const ballot = events.filter(isEventOfType('ballot')).find(({ by }) => by === player);
      expect(ballot).toMatchObject({ target: (answers[2]!.answer as { vote: string }).vote });
      expect(ballot).not.toHaveProperty('mark');
    });

    it.each(listFaults('question'))('is replaced by a draw after three attempts, and marked: %s', async (_, fault) => {
      const { put, clock, answers, player, events, summary } = await playFailing(fault, 'vote', 3);
      expect(put).toHaveLength(3);
      expect(clock.waits).toEqual([]);
      expect(answers.map(({ mark }) => mark)).toEqual([undefined, undefined, 'fallback']);
      expect(events.filter(isEventOfType('ballot')).find(({ by }) => by === player)).toMatchObject({
        mark: 'fallback',
      });
      expect(summary.model_calls.by_action['vote']).toMatchObject({ asked_again: 2, fallbacks: 1, missing: 0 });
    });

    it.each(listFaults('question'))('is missing after three attempts where it is an analysis: %s', async (_, fault) => {
      const { put, player, events, summary } = await playFailing(fault, 'peer_analysis', 3);
      expect(put).toHaveLength(3);
      expect(events.filter(isEventOfType('missing'))).toEqual([
        expect.objectContaining({ by: player, action: 'peer_analysis', mark: 'fallback' }),
      ]);
      expect(summary.model_calls.by_action['peer_analysis']).toMatchObject({
        asked_again: 2,
        fallbacks: 0,
        missing: 1,
      });
    });
  });

  describe('a refusal', () => {
    it.each(listFaults('refusal'))('is not asked again, and marked: %s', async (_, fault) => {
      const { put, clock, answers, player, events, summary } = await playFailing(fault, 'vote', 1);
      expect(put).toHaveLength(1);
      expect(clock.waits).toEqual([]);
      expect(answers).toEqual([expect.objectContaining({ mark: 'refusal', retries: 0 })]);
      expect(events.filter(isEventOfType('ballot')).find(({ by }) => by === player)).toMatchObject({ mark: 'refusal' });
      expect(summary.model_calls.by_action['vote']).toMatchObject({ refusals: 1, asked_again: 0, fallbacks: 0 });
    });

    it.each(listFaults('refusal'))('is a missing analysis where it is one of these: %s', async (_, fault) => {
      const { put, events, summary } = await playFailing(fault, 'peer_analysis', 1);
      expect(put).toHaveLength(1);
      expect(events.filter(isEventOfType('missing'))).toEqual([expect.objectContaining({ mark: 'refusal' })]);
      expect(summary.model_calls.by_action['peer_analysis']).toMatchObject({ refusals: 1, fallbacks: 0, missing: 1 });
    });
  });

  describe('a server that refuses the JSON schema', () => {
    it('is asked without from then on, with one warning, at the cost of one call and no wait', async () => {
      const { requests, clock, warnings, lines, events } = await matchAt((question, { body }) =>
        'response_format' in body ? { status: 400, body: failure('No response_format.') } : answerLegally(question),
      );
      expect(requests.map(({ body }) => 'response_format' in body)).toEqual([true, ...lines.map(() => false)]);
      expect(clock.waits).toEqual([]);
      expect(warnings).toEqual([
        expect.stringMatching(/^The server rejects the JSON schema of an answer; .*No response_format\.$/),
      ]);
      expect(events).toEqual(await playUndisturbed());
    });

    it('loses no count of the retries before', async () => {
      let asked = 0;
      const { lines, requests, clock } = await matchAt((question, { body }) => {
        if ('response_format' in body)
          return asked++ === 0 ? { status: 500 } : { status: 400, body: failure('No such schema.') };
        return answerLegally(question);
      });
      expect(lines.map(({ retries }) => retries).sort()).toEqual([...lines.slice(1).map(() => 0), 1]);
      expect(requests).toHaveLength(lines.length + 3); // while the first call waited, the next got the same refusal
      expect(clock.waits).toEqual([312.5]);
    });
  });

  describe('a server that refuses a request without saying what of it', () => {
    const playRefusing = (times: number) => {
      let asked = 0;
      return matchAt((question, { body }) =>
        'response_format' in body && asked++ < times
          ? { status: 400, body: failure('Bad request. For more information see our JSON page.') }
          : answerLegally(question),
      );
    };

    it('once is asked with the schema again: it may have been something else', async () => {
      const { requests, warnings, lines } = await playRefusing(1);
      expect(requests.map(({ body }) => 'response_format' in body)).toEqual([
        ...[true, false],
        ...lines.slice(1).map(() => true),
      ]);
      expect(warnings).toEqual([]);
    });

    it('twice is asked without from then on, with one warning', async () => {
      const { requests, warnings, lines } = await playRefusing(Infinity);
      expect(requests.map(({ body }) => 'response_format' in body)).toEqual([
        ...[true, false, true, false],
        ...lines.slice(2).map(() => false),
      ]);
      expect(warnings).toEqual([
        expect.stringMatching(
          /^The server rejects the JSON schema of an answer; .*Bad request\. For more information see our JSON page\.$/,
        ),
      ]);
    });
  });

  describe('a server that refuses for good', () => {
    it.each([
      [401, 'Incorrect API key.', 'invalid_api_key'],
      [404, 'The model `tiny` does not exist.', 'model_not_found'],
    ])('with %i stops the match after one call, in its own words', async (status, words, code) => {
      const match = matchAt(() => ({ status, body: failure(words, code) }));
      await expect(match).rejects.toMatchObject({
        name: 'ProviderFailure',
        kind: 'final',
        status,
        message: expect.stringMatching(new RegExp(`^openai:tiny\\S*: ${words}(?: \\(key: OPENAI_API_KEY\\))?$`)),
      });
      expect(servers[0]!.requests).toHaveLength(1);
    });
  });
});

// A full disk for one file of a match: the match stops at once, makes no more calls, and can be resumed.

const diskPlan = { board: createBoard(1, 1, 1, 3), rule: { debateTurns: 1, maxRounds: 1 }, seed: 4 };
const out = createTemporaryFolder();
const createObedientModel = () => new ScriptedModel((question) => createLegalAnswer(question));

/** A machine on which a resumed match cannot write its events, which are first written to a new file. */
function createFullMachine() {
  const { disk, ...rest } = getMachine();
  const open: Disk['open'] = (file, mode) => {
    const opened = disk.open(file, mode);
    const write = () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };
    return file.endsWith('events.ndjson.new') ? { ...opened, write } : opened;
  };
  return { ...rest, disk: { ...disk, open } };
}

describe('a disk that is full for the events', () => {
  function prepareFolder(id: string) {
    const folder = path.join(out, id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'events.ndjson'), '');
    return folder;
  }

  it('stops the match before another call, with the name of the file', async () => {
    const folder = prepareFolder('at-once');
    const model = new ScriptedModel(() => 'Hm.');
    const match = runOnMachine(createFullMachine(), () => play({ ...diskPlan, out, id: 'at-once', model }));
    await expect(match).rejects.toBeInstanceOf(RecordError);
    await expect(match).rejects.toThrow(
      /events\.ndjson\.new cannot be written: ENOSPC.* Free some space or repair the disk/,
    );
    expect(model.asked).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual(['answers.ndjson', 'events.ndjson', 'manifest.json']);
  });

  it('is mended by making room: the same match goes on to the same events', async () => {
    const whole = await play({ ...diskPlan, out, id: 'whole', model: createObedientModel() });
    const folder = prepareFolder('mended');
    const playMended = () => play({ ...diskPlan, out, id: 'mended', model: createObedientModel() });
    await expect(runOnMachine(createFullMachine(), playMended)).rejects.toThrow('ENOSPC');
    expect((await playMended()).events).toEqual(whole.events);
    expect(readFileSync(path.join(folder, 'events.ndjson'))).toEqual(
      readFileSync(path.join(whole.folder!, 'events.ndjson')),
    );
  });
});
