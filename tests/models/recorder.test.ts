// The recorder: the folder of a match, recorded answers, the log of prompts and the log of events. They are tested in
// one file because all tests begin with the same unfinished folder.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { Disk } from '../../models/machine/disk.ts';
import { getMachine, runOnMachine } from '../../models/machine/machine.ts';
import { getKeptAnswersFile, openKeptAnswers, readKeptAnswers } from '../../models/record/annotation-log.ts';
import { EventLog } from '../../models/record/event-log.ts';
import { openNdjson, RecordError } from '../../models/record/ndjson.ts';
import { openPromptLog } from '../../models/record/prompt-log.ts';
import { createMemoryRecorder, openRecorder, readManifest, readRecord } from '../../models/record/recorder.ts';
import { createRecordChains } from '../../models/record/seal.ts';
import type { GameEvent } from '../../state/events.ts';
import { AnswerLine, type Manifest } from '../../state/record.ts';
import { called, ended, manifestOf, said } from '../deception/match-builder.ts';
import { said as createStatement } from '../game.ts';
import { forge, parseAnswer } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();
let folders = 0;
const createFolder = () => path.join(root, String(folders++));
const manifest = manifestOf();
const answers = [called('Dan', 'bid'), called('Will', 'bid', { raw: 'Zoë says "7"\n' }), called('Leah', 'vote')];

function open(folder: string, as: Manifest = manifest) {
  const warnings: string[] = [];
  return { ...openRecorder(folder, as, (message) => void warnings.push(message)), warnings };
}

/** The folder of a match stopped after these answers. */
function writeStopped(lines: readonly AnswerLine[] = answers): string {
  const folder = createFolder();
  const recorder = open(folder);
  lines.forEach((line) => recorder.put(line));
  recorder.close();
  return folder;
}

/** The folder of a finished match. */
async function writeFinished(): Promise<string> {
  const folder = createFolder();
  const recorder = open(folder);
  answers.forEach((line) => recorder.put(line));
  recorder.happened([ended(1, 'villagers')]);
  await recorder.finish({ winner: 'villagers' });
  recorder.close();
  return folder;
}

const readContents = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]));
const changeFile = (folder: string, name: string, edit: (contents: string) => string) => {
  const file = path.join(folder, name);
  writeFileSync(file, edit(readFileSync(file, 'utf8')));
  return file;
};

describe('the record of a match that has just ended', () => {
  it('is under way as long as its summary and seal are being written, and damaged if they never are', () => {
    const folder = createFolder();
    const recorder = open(folder);
    answers.forEach((line) => recorder.put(line));
    recorder.happened([ended(1, 'villagers')]);
    expect(readRecord(folder)).toMatchObject({ isFinished: false, seal: null });
    recorder.close();
    expect(() => readRecord(folder)).toThrow('is missing, and with it the seal');
  });
});

describe('the record of a new match', () => {
  it('begins with its manifest, before any call', () => {
    const folder = createFolder();
    const recorder = open(folder);
    expect(readManifest(path.join(folder, 'manifest.json'))).toEqual(manifest);
    expect(recorder.answers).toEqual([]);
    recorder.close();
  });

  it('has each answer the moment it is kept', () => {
    const folder = createFolder();
    const recorder = open(folder);
    for (const [index, line] of answers.entries()) {
      recorder.put(line);
      const lines = readFileSync(path.join(folder, 'answers.ndjson'), 'utf8').split('\n');
      expect(lines).toHaveLength(index + 2);
      expect(parseAnswer(lines[index]!)).toEqual(line);
    }
    recorder.close();
  });

  it('has events as they happen, and prompts and further files when the match ends', async () => {
    const folder = createFolder();
    const recorder = open(folder);
    recorder.happened([said('1.1', 'Dan')]);
    recorder.put(answers[0]!);
    recorder.logPrompt(answers[0]!, [{ role: 'user', content: 'How much?' }]);
    expect(readdirSync(folder).sort()).toEqual(['answers.ndjson', 'events.ndjson', 'lock.json', 'manifest.json']);
    expect(readRecord(folder)).toMatchObject({ events: [said('1.1', 'Dan')], isFinished: false });
    recorder.happened([ended(1, 'villagers')]);
    await recorder.finish({ winner: 'villagers' });
    recorder.close();
    expect(readdirSync(folder).sort()).toEqual([
      'answers.ndjson',
      'deception_summary.json',
      'events.ndjson',
      'manifest.json',
      'prompts.ndjson.gz',
    ]);
    expect(readRecord(folder)).toMatchObject({ isFinished: true });
    const prompts = gunzipSync(readFileSync(path.join(folder, 'prompts.ndjson.gz'))).toString();
    expect(JSON.parse(prompts)).toMatchObject({ player: 'Dan', messages: [{ role: 'user', content: 'How much?' }] });
  });
});

describe('a match that was stopped', () => {
  it('has all its answers when it is opened again, and takes more', () => {
    const folder = writeStopped();
    const recorder = open(folder);
    expect(recorder.answers).toEqual(answers);
    for (const line of answers) expect(recorder.get(line)).toEqual(line);
    expect(recorder.get({ ...answers[0]!, attempt: 2 })).toBeUndefined();
    const more = called('Dan', 'vote');
    recorder.put(more);
    recorder.close();
    expect(readRecord(folder).answers).toEqual([...answers, more]);
    expect(recorder.warnings).toEqual([]);
  });

  it('writes its events anew from the first one', () => {
    const folder = createFolder();
    for (const id of ['1.1', '1.2']) {
      const recorder = open(folder);
      recorder.happened([said(id, 'Dan')]);
      recorder.put(called('Dan', 'bid', { step: Number(id.slice(2)) }));
      recorder.close();
    }
    expect(readRecord(folder).events).toEqual([said('1.2', 'Dan')]);
  });

  it('keeps its events of before until it has gone further than its record', () => {
    const folder = createFolder();
    for (const id of ['1.1', '1.2']) {
      const recorder = open(folder);
      recorder.happened([said(id, 'Dan')]);
      recorder.close();
    }
    expect(readRecord(folder).events).toEqual([said('1.1', 'Dan')]);
    expect(readdirSync(folder)).not.toContain('events.ndjson.new');
  });

  it('fails where its new events cannot replace those of before, with the file and the cause', () => {
    const folder = writeStopped();
    const { disk, ...rest } = getMachine();
    const rename: Disk['rename'] = (from, to) => {
      if (to.endsWith('events.ndjson')) throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
      disk.rename(from, to);
    };
    const recorder = runOnMachine({ ...rest, disk: { ...disk, rename } }, () => open(folder));
    recorder.happened([said('1.1', 'Dan')]);
    expect(() => recorder.put(called('Dan', 'vote'))).toThrow(
      new RegExp(`${path.join(folder, 'events.ndjson')} cannot be written: EACCES`),
    );
    recorder.close();
  });

  it('is closed whole, and the first thing that fails is told', () => {
    const folder = writeStopped();
    const { disk, ...rest } = getMachine();
    const remove: Disk['remove'] = (file) => {
      if (file.endsWith('.new') && disk.exists(file)) throw new Error('EIO: i/o error');
      disk.remove(file);
    };
    const recorder = runOnMachine({ ...rest, disk: { ...disk, remove } }, () => open(folder));
    recorder.happened([said('1.1', 'Dan')]);
    expect(() => recorder.close()).toThrow('EIO: i/o error');
    expect(readdirSync(folder)).not.toContain('lock.json');
  });

  it('loses an answer whose line was torn, with a warning, and goes on behind the others', () => {
    const folder = writeStopped();
    const file = changeFile(folder, 'answers.ndjson', (lines) => lines.slice(0, -20));
    const recorder = open(folder);
    expect(recorder.warnings).toEqual([`${file}: the last line is incomplete; it is dropped and its call repeated.`]);
    expect(recorder.get(answers[2]!)).toBeUndefined();
    recorder.put(answers[2]!);
    recorder.close();
    expect(readRecord(folder).answers).toEqual(answers);
  });

  it('keeps the manifest it was begun with, and warns of other versions', () => {
    const folder = writeStopped();
    const before = readContents(folder)['manifest.json'];
    const later = { ...manifest, made_by: { ...manifest.made_by, node: 'v99', created_at: '2030-01-01T00:00:00Z' } };
    const recorder = open(folder, later);
    expect(recorder.manifest).toEqual(manifest);
    expect(recorder.warnings).toEqual([expect.stringContaining('begun with other versions of: node. See')]);
    recorder.close();
    expect(readContents(folder)['manifest.json']).toBe(before);
  });

  it('has the same bytes with the salts of people as if it had never been stopped', async () => {
    const salted = { ...manifest, salt: 'ab'.repeat(32) };
    const play = async (folder: string, stops: readonly number[]) => {
      let recorder = open(folder, salted);
      for (const [index, line] of answers.entries()) {
        if (stops.includes(index)) {
          recorder.close();
          recorder = open(folder, { ...salted, salt: 'cd'.repeat(32) }); // the process draws a new secret, but uses the recorded one
          recorder.happened([said('1.1', 'Dan')]);
        } else if (index === 0) recorder.happened([said('1.1', 'Dan')]);
        recorder.put(line);
      }
      recorder.happened([ended(1, 'villagers')]);
      await recorder.finish({ winner: 'villagers' });
      recorder.close();
      return folder;
    };
    const [whole, resumed] = [await play(createFolder(), []), await play(createFolder(), [1, 2])];
    const read = (folder: string, name: string) => readContents(folder)[name];
    expect(read(resumed, 'events.ndjson')).toBe(read(whole, 'events.ndjson'));
    expect(read(resumed, 'events.ndjson')).toMatch(/"salt":"[0-9a-f]{32}","chain"/);
    expect(read(resumed, 'manifest.json')).toBe(read(whole, 'manifest.json'));
    expect(readRecord(resumed, { isThorough: true })).toMatchObject({ answers, isFinished: true });
    changeFile(resumed, 'manifest.json', (text) => text.replaceAll('abab', 'cdcd'));
    expect(() => readRecord(resumed)).toThrow(/its salt is not the one that follows from the manifest/);
  });

  it('warns of a model that is asked at another address', () => {
    const [[, model]] = Object.entries(manifest.setup.models) as [[string, string]];
    const at = (addresses: Record<string, string>) => ({ ...manifest, made_by: { ...manifest.made_by, addresses } });
    const folder = createFolder();
    open(folder, at({})).close();
    const recorder = open(folder, at({ [model]: 'http://127.0.0.1:2/v1' }));
    expect(recorder.warnings).toEqual([
      `${model} was called at its own server when this match began, and is called at http://127.0.0.1:2/v1 now. If another model answers there, the match would mix two models: choose another --id.`,
    ]);
    recorder.close();
  });

  it('is opened without a warning where only the time is another', () => {
    const recorder = open(writeStopped(), { ...manifest, made_by: { ...manifest.made_by, created_at: '2030' } });
    expect(recorder.warnings).toEqual([]);
    recorder.close();
  });
});

describe('a folder is refused and left as it is', () => {
  const expectRefusal = (folder: string, as?: Manifest) => {
    const before = readContents(folder);
    let message = '';
    try {
      open(folder, as).close();
    } catch (error) {
      if (!(error instanceof RecordError)) throw error;
      message = error.message;
    }
    expect(readContents(folder)).toEqual(before);
    return message;
  };

  it('when it holds a match of another set-up, naming what differs', () => {
    const folder = writeStopped();
    const other = manifestOf({ seed: 8, rules: { maxRounds: 3 } });
    expect(expectRefusal(folder, other)).toContain(
      'has another set-up: it differs in rules, seed. Choose another --id',
    );
  });

  it('when it holds a match of a later version, naming it and what is known here', () => {
    const folder = writeStopped();
    const file = changeFile(folder, 'manifest.json', (text) =>
      text.replace('"schema_version": 4', '"schema_version": 5'),
    );
    expect(expectRefusal(folder)).toBe(
      `${file} has schema_version 5, but this version of Wolfgraph reads only up to 4; Wolfgraph ${manifest.made_by.wolfgraph} wrote it. Update Wolfgraph, or use the version that wrote it.`,
    );
  });

  it.each([
    ['is cut', (text: string) => text.slice(0, -30), 'is damaged: it is not JSON. Restore it from a copy'],
    ['lacks something', (text: string) => text.replace('"seed": 7,', ''), 'is damaged: '],
    ['is empty', () => '', 'is damaged: it is not JSON'],
    [
      'names a rule that nobody knows',
      (text: string) => text.replace('"analysis":', '"anelysis":'),
      'is damaged: setup.rules names "anelysis", which are not rules of any version of Wolfgraph. Restore it from a copy',
    ],
    [
      'gives a rule a value that it cannot have',
      (text: string) => text.replace(/"debateOrder": ".*?"/, '"debateOrder": "loudest"'),
      'is damaged: setup.rules.debateOrder must be one of bidding, round-robin. Restore it from a copy',
    ],
    [
      'is something else',
      () => 'null',
      'is damaged: it has no schema_version, which must be a whole number from 1 to 4. Restore it',
    ],
  ])('when its manifest %s', (_what, edit, message) => {
    const folder = writeStopped();
    const file = changeFile(folder, 'manifest.json', edit);
    expect(expectRefusal(folder)).toContain(`${file} ${message}`);
  });

  it('when its manifest is missing beside answers', () => {
    const folder = createFolder();
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'answers.ndjson'), `${JSON.stringify(answers[0])}\n`);
    expect(expectRefusal(folder)).toBe(
      `${path.join(folder, 'manifest.json')} is missing beside answers.ndjson. Restore it from a copy, or choose another --id.`,
    );
  });

  it('when a line in the middle of its answers is damaged', () => {
    const folder = writeStopped();
    const file = changeFile(folder, 'answers.ndjson', (lines) => lines.replace('"player":"Will"', '"player":7'));
    expect(expectRefusal(folder)).toContain(`${file}, line 2 is damaged: `);
  });

  it('when an answer stands in it twice, even with a torn line behind it', () => {
    const folder = writeStopped();
    const { step } = answers[0]!;
    const file = changeFile(folder, 'answers.ndjson', (lines) => `${lines}${lines.split('\n')[0]}\n{"round":1,`);
    forge(folder);
    expect(expectRefusal(folder)).toContain(
      `${file}, line 4 is damaged: it contains round 1, step ${step}, bid by Dan, attempt 1 twice. Restore the file from a copy.`,
    );
  });

  it('when another process is playing it', () => {
    const folder = writeStopped();
    const recorder = open(folder);
    expect(expectRefusal(folder)).toContain(`says that process ${process.pid}`);
    recorder.close();
    expect(expectRefusal(folder)).toBe('');
  });

  it('and can be opened as soon as it is repaired', () => {
    const folder = writeStopped();
    changeFile(folder, 'answers.ndjson', (lines) => `x${lines}`);
    expect(expectRefusal(folder)).toContain('line 1 is damaged');
    changeFile(folder, 'answers.ndjson', (lines) => lines.slice(1));
    const recorder = open(folder);
    expect(recorder.answers).toEqual(answers);
    recorder.close();
  });
});

describe('a record that is only read', () => {
  it('gives manifest, answers and events without its last torn line', () => {
    const folder = writeStopped();
    changeFile(folder, 'answers.ndjson', (lines) => lines.slice(0, -5));
    const before = readContents(folder);
    const rest = { events: [], isFinished: false, seal: null, schema: 4 };
    expect(readRecord(folder)).toEqual({ manifest, answers: answers.slice(0, 2), ...rest });
    expect(readContents(folder)).toEqual(before);
  });

  it.each<[what: string, spoil: (file: string) => void]>([
    ['missing', (file) => rmSync(file)],
    ['empty', (file) => writeFileSync(file, '')],
  ])('is damaged where its match is over and its answers are %s', async (what, spoil) => {
    const folder = await writeFinished();
    expect(readRecord(folder).isFinished).toBe(true);
    const file = path.join(folder, 'answers.ndjson');
    spoil(file);
    expect(() => readRecord(folder)).toThrow(
      new RecordError(
        `${file} is ${what}, although the match was played to its end. Restore it from a copy, or move the folder away.`,
      ),
    );
    changeFile(folder, 'manifest.json', (text) =>
      text.replace('{', '{"imported":{"format":"arena","source":"session"},'),
    );
    writeFileSync(file, '');
    expect(readRecord(forge(folder)).answers).toEqual([]); // another program had the files open
  });

  it('is damaged where it has lost its manifest', () => {
    const folder = writeStopped();
    const file = path.join(folder, 'manifest.json');
    rmSync(file);
    expect(() => readRecord(folder)).toThrow(
      new RecordError(`${file} is missing beside events.ndjson. Restore it from a copy.`),
    );
  });

  it('is none where there is no manifest', () => {
    const folder = createFolder();
    expect(() => readRecord(folder)).toThrow(
      new RecordError(`${path.join(folder, 'manifest.json')} is missing: this is not the folder of a match.`),
    );
  });
});

describe('a record whose answers name somebody who is not at the table', () => {
  it('is not gone on with', () => {
    const folder = createFolder();
    openRecorder(folder, manifest, () => undefined).close();
    const file = path.join(folder, 'answers.ndjson');
    const open = openNdjson(file, 'anew', AnswerLine, { chain: createRecordChains(manifest).answers, epoch: 1 });
    open.append([{ ...answers[0]!, player: 'Zorro' }]);
    open.close();
    expect(() => openRecorder(folder, manifest, () => undefined)).toThrow(
      new RecordError(`${file} names "Zorro", who is not a player of the match. Restore it from a copy.`),
    );
  });
});

describe('a record in memory', () => {
  it('recalls what was recorded, keeps more, and leaves the recorded list alone', () => {
    const recorder = createMemoryRecorder(manifest, answers.slice(0, 2));
    recorder.put(answers[2]!);
    recorder.happened([said('1.1', 'Dan')]);
    expect(recorder.unasked()).toEqual(answers.slice(0, 2));
    expect(answers.slice(0, 2).map((line) => recorder.get(line))).toEqual(answers.slice(0, 2));
    expect(recorder.unasked()).toEqual([]);
    expect(recorder.get(answers[2]!)).toBeUndefined(); // no question is asked again
    expect(recorder.answers).toEqual(answers);
    expect(recorder.events).toEqual([said('1.1', 'Dan')]);
    expect(createMemoryRecorder(manifest, answers.slice(0, 2)).answers).toHaveLength(2);
  });
});

// The file of a model's answers beside a record, and the processes that may write it.

const folder = createTemporaryFolder();
const nameOf = (model: string) => path.basename(getKeptAnswersFile(folder, 'annotations', model));

describe('the file of a model', () => {
  it('has the name of the model', () => {
    expect(nameOf('openai:gpt-4o-mini')).toBe('annotations.openai-gpt-4o-mini.ndjson');
    expect(path.basename(getKeptAnswersFile(folder, 'claims', 'bot:classic'))).toBe('claims.bot-classic.ndjson');
  });

  it('is its own, whatever the model string holds', () => {
    const models = ['openai:a', 'openai:a?temperature=1', 'openai:a?temperature=0.1', 'openai:a/b', 'openai:a:b'];
    const names = [...models, `openai:${'long/'.repeat(90)}`, `openai:${'long/'.repeat(91)}`].map(nameOf);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^annotations\.[\w.-]{1,120}\.ndjson$/);
  });

  it('is written by one process at a time', () => {
    const file = getKeptAnswersFile(folder, 'claims', 'openai:a');
    const kept = openKeptAnswers(file, () => undefined);
    expect(() => openKeptAnswers(file, () => undefined)).toThrow(`says that process ${process.pid} on `);
    kept.close();
    openKeptAnswers(file, () => undefined).close();
    expect(readKeptAnswers(file)).toEqual([]);
  });
});

// Every prompt of a match is stored in full, and can be read without this code.

const key = { round: 1, step: 0, action: 'bid', player: 'Zoë', attempt: 1 };
const messages = [
  { role: 'system', content: 'You are Zoë' },
  { role: 'user', content: 'Line one.\nLine "two" 🐺\u2028and \r three' },
] as const;
const readPromptLines = (file: Buffer) =>
  gunzipSync(file)
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);

describe('the log of prompts', () => {
  it('has one line a prompt, in the order in which they were put', async () => {
    const log = openPromptLog();
    log.add(key, messages);
    log.add({ ...key, attempt: 2 }, messages.slice(0, 1));
    expect(readPromptLines(await log.finish())).toEqual([
      { ...key, messages },
      { ...key, attempt: 2, messages: messages.slice(0, 1) },
    ]);
  });

  it('loses nothing of thousands', async () => {
    const log = openPromptLog();
    const rounds = Array.from({ length: 3000 }, (_, round) => ({ ...key, round }));
    for (const one of rounds) log.add(one, [{ role: 'user', content: `${one.round} `.repeat(200) }]);
    const lines = readPromptLines(await log.finish()) as { round: number; messages: { content: string }[] }[];
    expect(lines.map(({ round }) => round)).toEqual(rounds.map(({ round }) => round));
    expect(lines.at(-1)!.messages[0]!.content).toBe('2999 '.repeat(200));
  });

  it('is small where the prompts of a player repeat each other', async () => {
    const log = openPromptLog();
    const players = Array.from({ length: 8 }, (_, index) => `Player${index}`);
    const history = (seat: number) => Array.from({ length: 900 }, (_, index) => (index * (7919 + seat)) ** 2).join(' ');
    for (let round = 0; round < 12; round++)
      for (const [seat, player] of players.entries())
        log.add({ ...key, round, player }, [{ role: 'user', content: history(seat) }]);
    const file = await log.finish();
    const lines = readPromptLines(file) as { round: number; player: string }[];
    expect(lines).toHaveLength(96);
    for (const player of players)
      expect(lines.flatMap((line) => (line.player === player ? [line.round] : []))).toEqual([...Array(12).keys()]);
    expect(file.length).toBeLessThan(gunzipSync(file).length / 4);
  });

  it('is an empty file where nothing was asked', async () => {
    expect(readPromptLines(await openPromptLog().finish())).toEqual([]);
  });

  it('takes no more of a key than what names the call', async () => {
    const log = openPromptLog();
    log.add({ ...key, secret: 'x' } as typeof key, []);
    expect(readPromptLines(await log.finish())).toEqual([{ ...key, messages: [] }]);
  });
});

// The order of events in the record does not depend on which model answered first.

type Finished = [node: string, ...words: string[]];

/** Returns the events that are written if these nodes run, superstep by superstep, and finish in the given order. */
function writeEvents(...supersteps: Finished[][]): string[][] {
  const pieces: string[][] = [];
  const log = new EventLog((events) => void pieces.push(events.map(getWords)));
  for (const [superstep, nodes] of supersteps.entries()) {
    nodes.forEach(() => log.begin(superstep));
    for (const [node, ...words] of nodes) log.add(node, words.map(createEvent));
  }
  log.flush();
  return pieces;
}

const createEvent = (words: string): GameEvent => createStatement('1.1', 'Dan', words);
const getWords = (event: GameEvent) => (event.type === 'statement' ? event.text : event.type);

describe('the event log', () => {
  it('orders the events of a superstep by node, whatever order the nodes finish in', () => {
    const wave: Finished[] = [
      ['unmask', 'u1'],
      ['eliminate', 'e1', 'e2'],
      ['protect', 'p1'],
    ];
    const [a, b, c] = wave as [Finished, Finished, Finished];
    for (const order of [
      [a, b, c],
      [a, c, b],
      [b, a, c],
      [b, c, a],
      [c, a, b],
      [c, b, a],
    ])
      expect(writeEvents(order)).toEqual([['e1', 'e2', 'p1', 'u1']]);
  });

  it('keeps the order in which a node returned its events', () => {
    expect(writeEvents([['vote', 'z', 'a', 'm']])).toEqual([['z', 'a', 'm']]);
  });

  it('writes one superstep after the other, whatever their nodes are called', () => {
    expect(writeEvents([['vote', '1']], [['bid', '2']], [['debate', '3']])).toEqual([['1'], ['2'], ['3']]);
  });

  it('writes a superstep as soon as the next one begins, and not before', () => {
    const pieces: string[][] = [];
    const log = new EventLog((events) => void pieces.push(events.map(getWords)));
    log.begin(1);
    log.add('bid', [createEvent('1')]);
    log.begin(1);
    expect(pieces).toEqual([]);
    log.begin(2);
    expect(pieces).toEqual([['1']]);
    log.begin(2);
    expect(pieces).toEqual([['1']]);
  });

  it('writes nothing where nothing happened', () => {
    expect(writeEvents([['bid']], [['debate', '1']], [['end']])).toEqual([['1']]);
    expect(writeEvents([], [])).toEqual([]);
  });

  it('writes what waits only once', () => {
    const pieces: string[][] = [];
    const log = new EventLog((events) => void pieces.push(events.map(getWords)));
    log.begin(1);
    log.add('end', [createEvent('1')]);
    log.flush();
    log.flush();
    expect(pieces).toEqual([['1']]);
  });
});
