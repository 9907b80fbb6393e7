// The folder of a match: reading, damage, replay and resumption. They are tested in one file because they use the same
// records.
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AIMessage } from '@langchain/core/messages';
import { playMatch, replayMatch } from '../../graph/play-match.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { type AnswerLine, formatCallKey, type Manifest, recordLimits } from '../../state/record.ts';
import { presetNames } from '../../state/presets.ts';
import { readRules } from '../../state/rulebook.ts';
import {
  forge,
  readAnswers,
  readContents,
  readLines,
  readPrompts,
  rewrite,
  rewriteLine,
  copyUnfinished,
} from '../record-folder.ts';
import { createLegalAnswer, type Script, ScriptedModel } from '../scripted-model.ts';
import { createBoard, dealTable, everyRole, play, playDeal } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { testClock } from '../test-clock.ts';
import { createHeldModel, waitUntilQuiet, recordWaves } from '../waves.ts';
import { itLong } from '../it-long.ts';

const plan = { board: createBoard(1, 1, 1, 3), rule: { debateTurns: 1, maxRounds: 2, analyzeBallots: false }, seed: 4 };
const out = createTemporaryFolder();
const listNames = (table: typeof plan) => dealTable(table).players.map(({ name }) => name);
const createObedientModel = () => new ScriptedModel((question) => createLegalAnswer(question));

let whole: Awaited<ReturnType<typeof play>>;

/** An unfinished copy of the match, and the result of resuming it. */
function copyRecord(id: string) {
  const folder = copyUnfinished(whole.folder!, path.join(out, id));
  const model = createObedientModel();
  const resume = (changes: Parameters<typeof playMatch>[0] = {}) => playMatch({ ...plan, out, id, model, ...changes });
  return { folder, model, resume };
}

function copyFinished(id: string) {
  cpSync(whole.folder!, path.join(out, id), { recursive: true });
  return path.join(out, id);
}

/** Expects that a folder is refused with this message, that no call is made, and that nothing in the folder changes. */
async function expectRefused(
  { folder, model, resume }: ReturnType<typeof copyRecord>,
  words: string | RegExp,
  changes = {},
) {
  const before = readContents(folder);
  const refusal = await resume(changes).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(RecordError);
  expect((refusal as RecordError).message).toMatch(words);
  expect(model.asked).toEqual([]);
  expect(readContents(folder)).toEqual(before);
}

describe('the record of a match', () => {
  beforeAll(async () => {
    whole = await play({ ...plan, out, id: 'whole', model: createObedientModel() });
  });

  describe('a finished match', () => {
    it('is read again without a call, and nothing is written', async () => {
      const model = createObedientModel();
      const before = readContents(whole.folder!);
      const again = await playMatch({ ...plan, out, id: 'whole', model });
      expect(again.events).toEqual(whole.events);
      expect(again.summary).toEqual(whole.summary);
      expect(model.asked).toEqual([]);
      expect(readContents(whole.folder!)).toEqual(before);
    });

    it('says nothing of the clock, of tokens or of money in its events', async () => {
      const clock = { ...testClock(), now: () => 0 };
      const other = await play({ ...plan, out, id: 'whole-again', model: createObedientModel(), clock });
      expect(readLines(path.join(other.folder!, 'events.ndjson'))).toEqual(
        readLines(path.join(whole.folder!, 'events.ndjson')),
      );
    });

    it('holds each call once, and a lock no more', () => {
      const names = readLines(path.join(whole.folder!, 'answers.ndjson')).map((line) =>
        formatCallKey(JSON.parse(line) as AnswerLine),
      );
      expect(new Set(names).size).toBe(names.length);
      expect(existsSync(path.join(whole.folder!, 'lock.json'))).toBe(false);
    });
  });

  describe('a match during which the clock is set back', () => {
    it('tells how long its calls took all the same, and is read again', async () => {
      let [time, passed] = [Date.UTC(2026, 0, 1), 0.5];
      const clock = { ...testClock(), now: () => (time -= 2000), elapsed: () => (passed += 2.75) };
      const match = await play({ ...plan, out, id: 'set-back', model: createObedientModel(), clock, concurrency: 1 });
      expect(new Set(match.lines.map(({ ms }) => ms))).toEqual(new Set([2]));
      expect(readRecord(match.folder!).answers).toEqual(match.lines);
      expect(match.events).toEqual(whole.events);
    });
  });

  describe('a match during which the clock is set forward by two days', () => {
    it('has lasted as long as it took, and its calls were made when they were', async () => {
      const begun = Date.UTC(2026, 0, 1);
      let [readings, passed] = [0, 0];
      const now = () => begun + (readings++ > 2 ? 2 * 24 * 3600 * 1000 : 0) + passed;
      const clock = { ...testClock(), now, elapsed: () => (passed += 2.75) };
      const match = await play({ ...plan, out, id: 'set-forward', model: createObedientModel(), clock });
      expect(match.lines.every(({ ms }) => ms < 60_000)).toBe(true);
      const begins = match.lines.map(({ started_at: at }) => Date.parse(at));
      expect(Math.max(...begins) - Math.min(...begins)).toBeLessThan(60_000);
      expect(match.summary.model_calls.wall_ms).toBeLessThan(60_000);
      expect(match.events).toEqual(whole.events);
    });
  });

  describe('an answer that is longer than a record keeps', () => {
    it('is cut, says how long it was, and its match is read and replayed', async () => {
      const padding = 'w '.repeat(1_100_000);
      const model = new ScriptedModel((question, number) => {
        const text = JSON.stringify(createLegalAnswer(question));
        return number === 5 ? `${text}${padding}` : text;
      });
      const match = await play({ ...plan, out, id: 'cut', model, concurrency: 1 });
      const { answers } = readRecord(match.folder!);
      const cut = answers.filter(({ full_length: full }) => full !== undefined);
      expect(cut.map(({ raw, full_length: full }) => [raw.length, full])).toEqual([
        [recordLimits.raw, { raw: JSON.stringify(createLegalAnswer(model.asked[5]!)).length + padding.length }],
      ]);
      expect((await replayMatch(match.folder!)).events).toEqual(match.events);
    });
  });

  describe('reasoning that is longer than a record keeps', () => {
    const thoughts = 'w '.repeat(120_000);

    it.each([
      ['before the answer', `<think>${thoughts}</think>`, ''],
      ['before the answer, its opening tag in the chat template', `${thoughts}[/THINK]`, ''],
      ['in a field of its own', '', thoughts],
    ])('%s is cut, and its answer counts', async (where, before, apart) => {
      const model = new ScriptedModel((question, number) => {
        const answer = JSON.stringify(createLegalAnswer(question));
        if (number !== 5) return answer;
        return new AIMessage({ content: before + answer, additional_kwargs: { reasoning_content: apart } });
      });
      const match = await play({ ...plan, out, id: `long-${where.length}`, model, concurrency: 1 });
      const { answers } = readRecord(match.folder!);
      const [cut, ...others] = answers.filter(({ full_length: full }) => full !== undefined);
      expect(others).toEqual([]);
      expect(cut!.answer).toEqual(createLegalAnswer(model.asked[5]!));
      expect(cut!.raw.length + (cut!.provider_reasoning?.length ?? 0)).toBeLessThan(recordLimits.reasoning + 1000);
      const length = before.length + JSON.stringify(cut!.answer).length;
      expect(cut!.full_length).toEqual(apart ? { provider_reasoning: apart.length } : { raw: length });
      expect((await replayMatch(match.folder!)).events).toEqual(match.events);
    });
  });

  describe('a record in which a call took less than no time', () => {
    const setBack = (folder: string) => {
      rewriteLine(folder, 'answers.ndjson', 9, (line) => line.replace(/"ms":\d+/, '"ms":-1870'));
      forge(folder);
    };

    it('is read: how long that call took is lost, and nothing else', async () => {
      const folder = copyFinished('negative');
      setBack(folder);
      const { answers } = readRecord(folder);
      expect(answers).toEqual(whole.lines.map((line, index) => (index === 8 ? { ...line, ms: 0 } : line)));
      expect((await playMatch({ ...plan, out, id: 'negative', model: createObedientModel() })).events).toEqual(
        whole.events,
      );
    });

    it('is gone on with', async () => {
      const { folder, resume } = copyRecord('negative-unfinished');
      setBack(folder);
      expect((await resume()).events).toEqual(whole.events);
    });
  });

  describe('a finished match whose summary is damaged', () => {
    it('is reported from its record', async () => {
      rewrite(copyFinished('unsummed'), 'deception_summary.json', (text) => text.slice(0, 100));
      const model = createObedientModel();
      expect((await playMatch({ ...plan, out, id: 'unsummed', model })).summary).toEqual(whole.summary);
      expect(model.asked).toEqual([]);
    });
  });

  describe('a resumption that is refused', () => {
    it('leaves the events of before as they were', async () => {
      const { folder, model, resume } = copyRecord('kept');
      rewriteLine(folder, 'answers.ndjson', 9, (line) => line.replace(/"prompt_sha256":"\w+"/, '"prompt_sha256":"0"'));
      forge(folder);
      const before = readContents(folder);
      await expect(resume()).rejects.toThrow('is not the recorded one');
      expect(model.asked).toEqual([]);
      expect(readContents(folder)).toEqual(before);
    });
  });

  describe('a finished match whose events were torn by a power cut', () => {
    it('is played to its end again or refused, but not taken for a whole one', async () => {
      rewrite(copyFinished('torn'), 'events.ndjson', (text) => text.slice(0, -30));
      const again = await playMatch({ ...plan, out, id: 'torn', model: createObedientModel() }).catch(
        (error: unknown) => error,
      );
      if (!(again instanceof RecordError)) expect(again).toMatchObject({ events: whole.events });
    });
  });

  describe('a record that cannot be used', () => {
    const changeFifthAnswer = (change: (line: string) => string) => (folder: string) =>
      rewriteLine(folder, 'answers.ndjson', 5, change);
    const changeManifest = (change: (manifest: Manifest) => object) => (folder: string) =>
      rewrite(folder, 'manifest.json', (text) => JSON.stringify(change(JSON.parse(text) as Manifest)));

    it.each([
      [
        'half a line in the middle',
        /answers\.ndjson, line 5 is damaged/,
        changeFifthAnswer((line) => line.slice(0, 40)),
      ],
      [
        'a line that is missing',
        /answers\.ndjson, line 6 is damaged: .* does not match the line before/,
        changeFifthAnswer(() => ''),
      ],
      [
        'a line without its player',
        /answers\.ndjson, line 5 is damaged.*player/,
        changeFifthAnswer((line) => line.replace('"player"', '"seat"')),
      ],
      [
        'a call that stands there twice',
        /answers\.ndjson, line 6 is damaged: .* twice/,
        (folder: string) => {
          changeFifthAnswer((line) => `${line}\n${line}`)(folder);
          forge(folder);
        },
      ],
      [
        'another version',
        /manifest\.json has schema_version 9/,
        changeManifest((manifest) => ({ ...manifest, schema_version: 9 })),
      ],
      [
        'a manifest that is damaged',
        /manifest\.json is damaged/,
        changeManifest(({ id, schema_version }) => ({ id, schema_version })),
      ],
      [
        'a manifest that is no JSON',
        /manifest\.json is damaged/,
        (folder: string) => rewrite(folder, 'manifest.json', (text) => text.slice(10)),
      ],
    ])('is refused with the file and left as it is: %s', async (id, words, damage) => {
      const folder = copyRecord(id.replaceAll(' ', '-'));
      damage(folder.folder);
      await expectRefused(folder, words);
    });

    it.each([
      ['rules', { rule: { ...plan.rule, maxWords: 50 } }],
      ['seed', { seed: 5 }],
      ['models', { villagers: 'bot:random' }],
      ['board', { board: createBoard(2, 1, 1, 2) }],
      ['players', { seats: { [listNames(plan)[0]!]: { persona: 'A baker.' } } }],
    ])('is one of another set-up under the same id: other %s', async (what, changes) => {
      await expectRefused(copyRecord(`other-${what}`), new RegExp(`another set-up: .*${what}`), changes);
    });

    it('is a finished one of another set-up too', async () => {
      const before = readContents(whole.folder!);
      await expect(playMatch({ ...plan, out, id: 'whole', model: createObedientModel(), seed: 5 })).rejects.toThrow(
        'another set-up',
      );
      expect(readContents(whole.folder!)).toEqual(before);
    });

    it('is one whose recorded answer is not what its text says', async () => {
      const forged = copyRecord('twisted');
      const file = path.join(forged.folder, 'answers.ndjson');
      const number = readLines(file).findIndex((line) => line.includes('"action":"bid"')) + 1;
      rewriteLine(forged.folder, 'answers.ndjson', number, (line) => line.replace(/("answer":\{.*?"bid":)\d+/, '$111'));
      forge(forged.folder);
      await expect(forged.resume()).rejects.toThrow(
        /recorded answer of round 1, step 0, bid by \w+, attempt 1 is parsed differently/,
      );
    });

    it('is one that is being played', async () => {
      const { model, held } = createHeldModel((question) => createLegalAnswer(question));
      const first = playMatch({ ...plan, out, id: 'shared', model });
      await waitUntilQuiet(() => held.length);
      await expect(playMatch({ ...plan, out, id: 'shared', model: createObedientModel() })).rejects.toThrow(
        `process ${process.pid} on `,
      );
      let isOver = false;
      const over = first.finally(() => (isOver = true));
      while (!isOver) {
        for (const { release } of held.splice(0)) release();
        await waitUntilQuiet(() => held.length);
      }
      expect((await over).events).toEqual(whole.events);
    });

    it('is not one whose lock was left by a process that is dead', async () => {
      const left = copyRecord('left');
      const dead = { pid: 2 ** 22 + 1, started: '1', host: (await import('node:os')).hostname() };
      writeFileSync(path.join(left.folder, 'lock.json'), JSON.stringify(dead));
      expect((await left.resume()).events).toEqual(whole.events);
      expect(existsSync(path.join(left.folder, 'lock.json'))).toBe(false);
    });
  });

  describe('a replay', () => {
    it('gives the events and the summary again from the record alone', async () => {
      const { events, summary } = await replayMatch(whole.folder!);
      expect(events).toEqual(whole.events);
      const sealed = JSON.parse(readFileSync(path.join(whole.folder!, 'deception_summary.json'), 'utf8')) as object;
      expect(sealed).toEqual({ ...summary, seal: expect.anything() });
    });

    it('fails with the line where the recorded events differ', async () => {
      const folder = copyFinished('other-events');
      const line = whole.events.findIndex(({ type }) => type === 'bid') + 1;
      rewriteLine(folder, 'events.ndjson', line, (text) => text.replace(/"bid":\d+/, '"bid":3,"step":7'));
      await expect(replayMatch(forge(folder))).rejects.toThrow(`events.ndjson, line ${line}: recorded as`);
    });

    it.each([
      ['are more', (text: string) => `${text}${text.split('\n').at(-2)}\n`],
      ['are fewer', (text: string) => `${text.split('\n').slice(0, -3).join('\n')}\n`],
    ])('fails where the recorded events %s', async (how, change) => {
      const folder = copyFinished(`events-${how.replace(' ', '-')}`);
      rewrite(folder, 'events.ndjson', change);
      await expect(replayMatch(forge(folder))).rejects.toThrow(/events\.ndjson, line \d+: recorded as/);
    });

    it('fails where an answer is missing, and names it', async () => {
      const folder = copyFinished('missing');
      const [line] = readLines(path.join(folder, 'answers.ndjson')).slice(-1) as [string];
      rewrite(folder, 'answers.ndjson', (text) => text.replace(`${line}\n`, ''));
      await expect(replayMatch(forge(folder))).rejects.toThrow(
        `No answer is recorded for ${formatCallKey(JSON.parse(line) as AnswerLine)}.`,
      );
    });

    it('fails where an answer is recorded that nobody asked for', async () => {
      const folder = copyFinished('surplus');
      rewrite(
        folder,
        'answers.ndjson',
        (text) => `${text}${text.split('\n')[0]!.replace('"attempt":1', '"attempt":3')}\n`,
      );
      await expect(replayMatch(forge(folder))).rejects.toThrow(
        'contains an answer to a question that the match does not ask',
      );
    });

    it('fails where a prompt is not the recorded one, and names the place; resuming does too', async () => {
      const changed = { ...copyRecord('changed'), folder: copyFinished('changed') };
      const file = path.join(changed.folder, 'answers.ndjson');
      const place = formatCallKey(JSON.parse(readLines(file)[6]!) as AnswerLine);
      rewriteLine(changed.folder, 'answers.ndjson', 7, (line) =>
        line.replace(/"prompt_sha256":"\w+"/, '"prompt_sha256":"0"'),
      );
      forge(changed.folder);
      await expect(replayMatch(changed.folder)).rejects.toThrow(`The prompt of ${place} is not the recorded one`);
      rmSync(path.join(changed.folder, 'deception_summary.json'));
      await expect(changed.resume()).rejects.toThrow(`The prompt of ${place} is not the recorded one`);
      expect(changed.model.asked).toEqual([]);
    });

    it('passes over changed prompts where it is told to', async () => {
      const folder = copyFinished('allowed');
      rewrite(folder, 'answers.ndjson', (text) => text.replaceAll(/"prompt_sha256":"\w+"/g, '"prompt_sha256":"0"'));
      expect((await replayMatch(forge(folder), { allowChangedPrompts: true })).events).toEqual(whole.events);
    });
  });
});

// Matches stopped at any point resume with the same result.

const rule = { debateTurns: 1, maxRounds: 2, syntheticVotes: true, analysis: 'peer', analyzeBallots: false };
const stoppedPlan = { board: createBoard(1, 1, 1, 3), rule, seed: 4 };
const stoppedOut = createTemporaryFolder();

/** Legal answers; summaries and synthetic votes need a second attempt. */
const script: Script = (question) =>
  question.attempt === 1 && ['summarize', 'synthetic_vote'].includes(question.action)
    ? 'Hm.'
    : createLegalAnswer(question);

const createRefusal = () => Object.assign(new Error('This key may not play.'), { status: 401 });

const readEvents = (folder: string) => readFileSync(path.join(folder, 'events.ndjson'), 'utf8');

type Whole = Awaited<ReturnType<typeof play>>;
let undisturbed: Whole;

/** Resumes and expects the whole match. No recorded call may be repeated. */
async function expectRest(id: string) {
  const folder = path.join(stoppedOut, id);
  const before = readAnswers(folder).map(formatCallKey);
  const model = new ScriptedModel(script);
  const rest = await play({ ...stoppedPlan, out: stoppedOut, id, model });
  expect(readEvents(folder)).toBe(readEvents(undisturbed.folder!));
  expect(JSON.stringify(rest.events)).toBe(JSON.stringify(undisturbed.events));
  expect(model.asked).toHaveLength(rest.live.length);
  expect(rest.live.map(formatCallKey).filter((name) => before.includes(name))).toEqual([]);
  expect(rest.lines.map(formatCallKey).sort()).toEqual(undisturbed.lines.map(formatCallKey).sort());
  expect(readPrompts(folder)).toEqual(readPrompts(undisturbed.folder!));
  return rest;
}

/** Finds the number of the first call in each superstep except the first, counted from 0. */
async function findFirstCalls(): Promise<number[]> {
  const { waves } = await recordWaves((model) => playDeal(dealTable(stoppedPlan), model), script);
  const ends = waves.reduce<number[]>((sums, { length }) => [...sums, (sums.at(-1) ?? 0) + length], []);
  return ends.slice(0, -1);
}

/** Every third call, starting at this one. */
const isThirdFrom = (first: number) => (_: unknown, index: number) => index % 3 === first;

describe('going on with a match', () => {
  beforeAll(async () => {
    undisturbed = await play({ ...stoppedPlan, out: stoppedOut, id: 'whole', model: new ScriptedModel(script) });
  });

  describe('a match that was stopped', () => {
    it('goes on to the same events after a provider has failed at the end of every third superstep', async () => {
      for (const number of (await findFirstCalls()).filter(isThirdFrom(0)).map((first) => first - 1)) {
        const id = `failed-${number}`;
        const failing = new ScriptedModel((question, index) => {
          if (index === number) throw createRefusal();
          return script(question, index);
        });
        await expect(play({ ...stoppedPlan, out: stoppedOut, id, model: failing })).rejects.toThrow(
          'This key may not play.',
        );
        const recorded = readAnswers(path.join(stoppedOut, id));
        expect(recorded).toHaveLength(failing.asked.length - 1);
        await expectRest(id);
      }
    });

    itLong('goes on to the same events after it was aborted at the beginning of every third', async () => {
      for (const number of (await findFirstCalls()).filter(isThirdFrom(1))) {
        const id = `aborted-${number}`;
        const controller = new AbortController();
        const aborting = new ScriptedModel((question, index) => {
          if (index === number) controller.abort(new Error('Stopped by hand.'));
          return script(question, index);
        });
        const stopped = play({ ...stoppedPlan, out: stoppedOut, id, model: aborting, signal: controller.signal });
        await expect(stopped).rejects.toThrow('Stopped by hand.');
        await expectRest(id);
      }
    });

    itLong('goes on to the same events when every start gets no further than one call', async () => {
      const brief = { ...stoppedPlan, rule: { ...rule, maxRounds: 1, analysis: 'self' } };
      const once = await play({ ...brief, out: stoppedOut, id: 'once', model: new ScriptedModel(script) });
      const live: string[] = [];
      for (let starts = 0; starts < once.lines.length; starts++) {
        const model = new ScriptedModel((question, index) => {
          if (index >= 1) throw createRefusal();
          return script(question, index);
        });
        const onAnswer: Parameters<typeof play>[0]['onAnswer'] = (line, isRecorded) =>
          void (isRecorded || live.push(formatCallKey(line)));
        const start = play({ ...brief, out: stoppedOut, id: 'bit-by-bit', model, concurrency: 1, onAnswer });
        if (starts < once.lines.length - 1) await expect(start).rejects.toThrow('This key may not play.');
        else expect((await start).events).toEqual(once.events);
      }
      expect(live.toSorted()).toEqual(once.lines.map(formatCallKey).sort());
      expect(readEvents(path.join(stoppedOut, 'bit-by-bit'))).toBe(readEvents(once.folder!));
    });

    it.each([1, 30])(
      'drops a last line that lacks its last %i bytes, says so, and makes its call again',
      async (bytes) => {
        const id = `torn-${bytes}`;
        const folder = copyUnfinished(undisturbed.folder!, path.join(stoppedOut, id));
        rewrite(folder, 'answers.ndjson', (text) => text.slice(0, -bytes));
        const warnings: string[] = [];
        const model = new ScriptedModel(script);
        const { events } = await play({
          ...stoppedPlan,
          out: stoppedOut,
          id,
          model,
          onWarning: (message) => warnings.push(message),
        });
        expect(events).toEqual(undisturbed.events);
        expect(model.asked).toHaveLength(1);
        expect(warnings).toEqual([expect.stringMatching(/torn-\d+\/answers\.ndjson: the last line is incomplete/)]);
        expect(readAnswers(folder).map(formatCallKey).sort()).toEqual(undisturbed.lines.map(formatCallKey).sort());
      },
    );

    it('goes on where its events were cut off or lost, which follow from the answers', async () => {
      for (const [id, left] of [
        ['half', 1000],
        ['none', 0],
      ] as const) {
        const folder = copyUnfinished(undisturbed.folder!, path.join(stoppedOut, id));
        rewrite(folder, 'events.ndjson', (text) => text.slice(0, left));
        const { live } = await expectRest(id);
        expect(live).toEqual([]);
      }
    });
  });
});

// Matches with every role and office are replayed and resumed byte for byte, under every preset.

const plusOut = createTemporaryFolder();
const readEventFile = (folder: string) => readFileSync(path.join(folder, 'events.ndjson'), 'utf8');

describe.each(presetNames.map((rules, index) => [rules, [0.3, 0.8, 0.5][index]!] as const))(
  'a match of every role and office under %s',
  (rules, share) => {
    const { debateOrder, analysis } = readRules(rules);
    const few = debateOrder === 'bidding' ? { debateTurns: 1, analyzeBallots: false } : {};
    const plan = {
      board: everyRole,
      rules,
      rule: { ...few, sheriff: true, maxRounds: analysis === 'off' ? 2 : 1 },
      seed: 2,
      model: 'bot:random',
      out: plusOut,
    };

    it('is replayed from its record, and goes on from a part of it', async () => {
      const { folder, events, lines } = await play({ ...plan, id: `whole-${rules}` });
      expect((await replayMatch(folder!)).events).toEqual(events);
      const id = `${rules}-${share * 10}`;
      const copy = copyUnfinished(folder!, path.join(plusOut, id));
      rewrite(copy, 'answers.ndjson', (text) => {
        const kept = text.split('\n').slice(0, Math.floor(lines.length * share));
        return `${kept.join('\n')}\n`;
      });
      const rest = await play({ ...plan, id });
      expect(rest.live.length).toBe(lines.length - Math.floor(lines.length * share));
      expect(readEventFile(copy)).toBe(readEventFile(folder!));
    });
  },
);
