// Matches as logs of Inspect, and seats as chats with rewards: the format's fields and no others, with the values of
// the tables.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { importMatches } from '../../graph/import/import-match.ts';
import { writeImported } from '../../graph/import/imported-match.ts';
import { writeChats, writeInspect } from '../../scripts/export/write-logs.ts';
import { InspectLog } from '../inspect-log.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const folder = createTemporaryFolder();
const runs = path.join(folder, 'runs');
const quiet = { stderr: { write: () => true } } as never;

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  writeImported(
    importMatches('kaggle', [path.join(import.meta.dirname, '../invented-games/kaggle-native')], 0).matches,
    runs,
  );
});

const readLines = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as {
          id: string;
          messages: { role: string; content: string }[];
          rewards: Record<string, number>;
        },
    );

describe('a log of Inspect', () => {
  const out = path.join(folder, 'logs');
  let log: InspectLog;

  beforeAll(async () => {
    const written = await writeInspect({ folders: [runs], out, judge: undefined, cache: null }, quiet);
    expect(written).toMatchObject({ count: 2, leftOut: 0 });
    log = InspectLog.parse(JSON.parse(readFileSync(written.files[0]!, 'utf8')));
  });

  it('has every field of the format and no other, and a name that its viewer lists', () => {
    expect(readdirSync(out)).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\+00-00_wolfgraph_episode-1\.json$/),
    ]);
    expect(log.samples.map(({ id }) => id)).toEqual(['episode-1', 'episode-2']);
  });

  it('has the verdict of each statement with a label as its score, and its words as the answer', () => {
    const { scores, messages } = log.samples[0]!;
    expect(scores['winner']?.value).toBe('villagers');
    expect(
      Object.entries(scores)
        .filter(([, { value }]) => value === 'lie')
        .map(([id]) => id),
    ).toEqual(['s1.1', 's2.1']);
    for (const [id, { answer }] of Object.entries(scores))
      if (id !== 'winner') expect(messages.find((one) => one.id === id)?.content).toContain(answer);
  });

  it('has the calls of public words with prompt, answer and tokens, and nothing of times that are not known', () => {
    const { events, model_usage: usage } = log.samples[0]!;
    expect(events).toHaveLength(26);
    expect(events[0]).toMatchObject({ model: 'vendor/invented-a', role: 'Ivo', retries: null, working_time: null });
    expect(usage).toMatchObject({
      'vendor/invented-a': { input_tokens: 17 * 320 },
      'vendor/invented-b': { input_tokens: 16 * 320 },
    });
  });
});

describe('chats with rewards', () => {
  it('have a line for each seat, whose answers are the recorded ones and whose rewards those of the tables', async () => {
    const out = path.join(folder, 'seats.jsonl');
    expect((await writeChats({ folders: [runs], out, judge: undefined, cache: null }, quiet)).count).toBe(16);
    const seats = readLines(out);
    expect(seats.map(({ id }) => id).slice(0, 2)).toEqual(['episode-1/Ivo', 'episode-1/Mara']);
    const [ivo, mara] = seats;
    expect(ivo!.rewards).toEqual({
      result: 0,
      labelled_statements: 1,
      verified_lies: 1,
      ballots: 1,
      ballots_on_werewolves: 0,
    });
    expect(mara!.messages.map(({ role }) => role)).toEqual(Array(6).fill(['user', 'assistant']).flat());
    expect(mara!.messages[1]!.content).toContain('A quiet player is missed least.');
    expect(seats.find(({ id }) => id === 'episode-1/Nils')!.rewards).toMatchObject({
      result: 1,
      verified_lies: 0,
      ballots_on_werewolves: 2,
    });
  });

  it('leave an earlier file as it was where nothing can be read', async () => {
    const out = path.join(folder, 'seats.jsonl');
    const before = readFileSync(out, 'utf8');
    await expect(
      writeChats({ folders: [path.join(folder, 'logs')], out, judge: undefined, cache: null }, quiet),
    ).rejects.toThrow();
    expect(readFileSync(out, 'utf8')).toBe(before);
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  });
});
