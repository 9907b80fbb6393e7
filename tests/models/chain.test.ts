// Lines of a record: everything that was written can be read, and lines of a process that lost the match are left out.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Disk } from '../../models/machine/disk.ts';
import { getMachine, type Machine, runOnMachine } from '../../models/machine/machine.ts';
import { addLink, createChain, extractLink, extractSalt, hasLink } from '../../models/record/chain.ts';
import { isLocked, takeLock } from '../../models/record/lock.ts';
import { openNdjson, readChained, readNdjson, RecordError } from '../../models/record/ndjson.ts';
import { openRecorder, readRecord } from '../../models/record/recorder.ts';
import { GameEvent } from '../../state/events.ts';
import { AnswerLine } from '../../state/record.ts';
import { called, manifestOf, said } from '../deception/match-builder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();
let files = 0;
const createPath = () => path.join(root, String(files++));
const ignore = () => undefined;

/** Secret of a match in which people play. */
const secret = 'ab'.repeat(32);

/** Text that a model, a provider or a player can put into a record. */
const anyText = fc.string({ unit: 'binary', maxLength: 200 });
const anyAnswer = fc
  .record({
    raw: anyText,
    answer: fc.jsonValue(),
    error: anyText,
    model_returned: fc.option(anyText),
    provider_reasoning: anyText,
    cost: fc.option(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
    ms: fc.nat(),
    step: fc.nat(),
  })
  .map((changes) => called('Dan', 'bid', changes));

describe('the link of a line', () => {
  it.each(['{"a":1}', '{"said":",\\"chain\\":\\"0123456789abcdef\\"}"}', `{"long":"${'x'.repeat(500)}"}`])(
    'is taken off again, and the line is as it was: %s',
    (text) => {
      const chain = createChain('events');
      const { text: read, link } = extractLink(addLink(text, chain));
      expect([read, link !== null && hasLink(chain, link)]).toEqual([text, true]);
      expect(extractLink(text)).toEqual({ text, link: null });
    },
  );
});

describe('whatever the writer wrote, the reader reads', () => {
  it('of answers, with and without links, in pieces of any size', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyAnswer, { maxLength: 4 }), { maxLength: 4 }), (batches) => {
        const [plain, linked, salted] = [createPath(), createPath(), createPath()];
        for (const [file, linking] of [
          [plain, undefined],
          [linked, { chain: createChain('a'), epoch: 1 }],
          [salted, { chain: createChain('a', secret), epoch: 1 }],
        ] as const) {
          const open = openNdjson(file, 'anew', AnswerLine, linking);
          for (const batch of batches) open.append(batch);
          open.close();
        }
        const stored = batches.flat().map((row) => JSON.parse(JSON.stringify(row)) as AnswerLine);
        expect(readNdjson(plain, AnswerLine).rows).toEqual(stored);
        const whole = { rows: stored, fault: null, strays: [] };
        expect(readChained(linked, createChain('a'), AnswerLine)).toMatchObject(whole);
        expect(readChained(salted, createChain('a', secret), AnswerLine)).toMatchObject(whole);
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('of events, whatever is said', () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 5 }), (texts) => {
        const file = createPath();
        const events = texts.map((text): GameEvent => ({ ...said('1.1', 'Dan'), text }) as GameEvent);
        const open = openNdjson(file, 'anew', GameEvent, { chain: createChain('events') });
        open.append(events);
        open.close();
        expect(readChained(file, createChain('events'), GameEvent).rows).toEqual(events);
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('and what it could not read is not written', () => {
    const file = createPath();
    const open = openNdjson(file, 'anew', AnswerLine);
    for (const wrong of [{ ms: -1 }, { ms: NaN }, { cost: Infinity, retries: 0.5 }])
      expect(() => open.append([{ ...called('Dan', 'bid'), ...wrong }])).toThrow(/would be unreadable with this line/);
    open.append([called('Dan', 'bid')]);
    open.close();
    expect(readNdjson(file, AnswerLine).rows).toHaveLength(1);
  });
});

describe('the salt of a line', () => {
  const row = (step: number) => called('Dan', 'bid', { step });
  const write = (chain = createChain('a', secret)) => {
    const file = createPath();
    const open = openNdjson(file, 'anew', AnswerLine, { chain, epoch: 1 });
    open.append([row(0), row(1), row(1)]);
    open.close();
    return file;
  };
  const readSalts = (file: string) =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => extractSalt(extractLink(line).text).salt);

  it('is another one in every line, file and match, and the same again for the same match', () => {
    const salts = [
      readSalts(write()),
      readSalts(write(createChain('b', secret))),
      readSalts(write(createChain('a', 'cd'))),
    ];
    expect(new Set(salts.flat()).size).toBe(9);
    expect(readSalts(write())).toEqual(salts[0]);
    expect(readSalts(write(createChain('a')))).toEqual([null, null, null]);
  });

  it('must be the one that follows from the secret, also where the links agree', () => {
    const file = write(createChain('a', 'cd'));
    const { fault, rows } = readChained(file, createChain('a', secret), AnswerLine);
    expect(fault?.message).toMatch(/line 1 is damaged: its salt is not the one that follows from the manifest/);
    expect(rows).toEqual([]);
    expect(readChained(write(), createChain('a'), AnswerLine).fault?.message).toMatch(/line 1 is damaged: .*salt/);
    expect(readChained(write(createChain('a')), createChain('a', secret), AnswerLine).fault?.message).toMatch(
      /line 1 is damaged: its salt/,
    );
  });
});

// Two processes play one match, in containers that cannot see each other's processes.

/**
 * A machine that is another container of the same host: its processes cannot be seen. `lag`: additional age in ms with
 * which this container sees the lock.
 */
function createContainer(pid: number, lag = 0): Machine {
  const machine = getMachine();
  const own = { pid, started: '1', host: 'node', namespace: `pid:[${pid}]`, boot: 'b' };
  const find: Disk['find'] = (file) => {
    const found = machine.disk.find(file);
    return found && file.endsWith('lock.json') ? { ...found, changedAt: found.changedAt - lag } : found;
  };
  const processes = { ...machine.processes, getOwn: () => own, isAlive: () => null };
  return { ...machine, disk: { ...machine.disk, find }, processes };
}

describe('a match that a process of another container holds', () => {
  const manifest = manifestOf();
  const openOn = (machine: Machine, folder: string, warn: (words: string) => void = ignore) =>
    runOnMachine(machine, () => openRecorder(folder, manifest, warn));
  const [one, two, three, four] = [0, 1, 2, 3].map((step) => called('Dan', 'bid', { step })) as [
    AnswerLine,
    AnswerLine,
    AnswerLine,
    AnswerLine,
  ];

  it('is refused as long as that gives signs of life', () => {
    const folder = createPath();
    const first = openOn(createContainer(1), folder);
    expect(() => openOn(createContainer(2, 30_000), folder)).toThrow(
      /process 1 on node is playing this match.* another container .* 30 seconds ago/,
    );
    first.close();
  });

  it('is taken over after a minute without one; the loser stops at its next line', () => {
    const folder = createPath();
    const first = openOn(createContainer(1), folder);
    first.put(one);
    const second = openOn(createContainer(2, 61_000), folder);
    second.put(two);
    expect(() => first.put(three)).toThrow(/no longer belongs to this process: process 2 on node has taken it/);
    first.close();
    second.put(four);
    second.close();
    expect(readRecord(folder).answers).toEqual([one, two, four]);
  });

  it.each([
    ['before the winner has written', [three, two], 2],
    ['after the winner has written', [two, three], 3],
  ])('loses a line that lands all the same %s: it is known by its epoch, left out and told', (_when, order, stray) => {
    const folder = createPath();
    const file = path.join(folder, 'answers.ndjson');
    const first = openOn(createContainer(1), folder);
    first.put(one);
    const before = readFileSync(file);
    first.put(three); // lines of the loser, removed to be written later
    const late = readFileSync(file).subarray(before.length);
    writeFileSync(file, before);
    const second = openOn(createContainer(2, 61_000), folder);
    for (const line of order)
      if (line === three) writeFileSync(file, late, { flag: 'a' });
      else second.put(line);
    second.put(four);
    second.close();
    expect(readRecord(folder).answers).toEqual([one, two, four]);
    const warnings: string[] = [];
    openOn(createContainer(3), folder, (words) => warnings.push(words)).close();
    expect(warnings).toEqual([expect.stringContaining(`ignored line ${stray}, which a process wrote after another`)]);
  });

  it('is refused to a process that stood still for minutes while it looked', () => {
    const folder = createPath();
    const first = openOn(createContainer(1), folder);
    const machine = createContainer(2);
    let looks = 0;
    const find: Disk['find'] = (file) => {
      const found = machine.disk.find(file);
      const isBefore = file.includes('lock.json.') && looks++ === 0; // its draft, written before the process paused
      return found && isBefore ? { ...found, changedAt: found.changedAt - 120_000 } : found;
    };
    expect(() => openOn({ ...machine, disk: { ...machine.disk, find } }, folder)).toThrow(/is playing this match/);
    expect(looks).toBe(2);
    first.close();
  });

  it('is taken over where its clock is ahead, and stays so', () => {
    const folder = createPath();
    const first = openOn(createContainer(1), folder);
    openOn(createContainer(2, -61_000), folder).close();
    first.close();
  });

  it('is locked by signs of life alone where it cannot be asked, else for as long as it lives', () => {
    const file = `${createPath()}.json`;
    const hold = runOnMachine(createContainer(7), () => takeLock(file));
    const look = (lag: number, isAlive: boolean | null) => {
      const machine = createContainer(8);
      const find: Disk['find'] = (name) => {
        const found = machine.disk.find(name);
        return found && { ...found, changedAt: found.changedAt - lag };
      };
      const processes = { ...machine.processes, isAlive: () => isAlive };
      return runOnMachine({ ...machine, disk: { ...machine.disk, find }, processes }, () => isLocked(file));
    };
    expect([look(0, null), look(61_000, null)]).toEqual([true, false]);
    expect([look(0, false), look(61_000, true)]).toEqual([false, true]);
    hold.release();
    expect(look(0, null)).toBe(false);
  });

  it('is taken over at once where it can be asked and is dead', () => {
    const file = path.join(createPath() + '.json');
    const dead = createContainer(7);
    runOnMachine(dead, () => takeLock(file));
    const asking = { ...dead, processes: { ...dead.processes, isAlive: () => false } };
    const hold = runOnMachine(asking, () => takeLock(file));
    expect(hold.epoch).toBe(2);
    hold.release();
  });
});

it('a match that grows beyond its limit stops, told beforehand', () => {
  const folder = createPath();
  const machine = getMachine();
  let size = 100;
  const find: Disk['find'] = (file) => {
    const found = machine.disk.find(file);
    return found && file.endsWith('answers.ndjson') ? { ...found, size: size * 1024 * 1024 } : found;
  };
  const warnings: string[] = [];
  const open = () =>
    runOnMachine({ ...machine, disk: { ...machine.disk, find } }, () =>
      openRecorder(folder, manifestOf(), (words) => warnings.push(words)),
    );
  open().close();
  size = 130;
  open().close();
  expect(warnings).toEqual([expect.stringMatching(/takes 130 MB of the 256 MB/)]);
  size = 300;
  expect(open).toThrow(RecordError);
});
