// Matches as logs of Inspect, and seats as chats with rewards: the format's fields and no others, with the values of
// the tables.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { importMatches } from '../../graph/import/import-match.ts';
import { writeImported } from '../../graph/import/imported-match.ts';
import { writeChats, writeInspect } from '../../scripts/export/write-logs.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

// The fields of Inspect's log, version 2, as its schema requires them.
const text = z.string().nullable();
const data = z.record(z.string(), z.unknown());
const nothing = z.record(z.string(), z.null());
const message = {
  id: text,
  content: z.string(),
  source: z.enum(['input', 'generate']).nullable(),
  metadata: data.nullable(),
};
const Assistant = z.strictObject({ ...message, role: z.literal('assistant'), tool_calls: z.null(), model: text });
const Message = z.discriminatedUnion('role', [
  z.strictObject({ ...message, role: z.literal('system') }),
  z.strictObject({ ...message, role: z.literal('user'), tool_call_id: z.array(z.string()).nullable() }),
  Assistant,
]);
const whole = z.number().int();
const Usage = z.strictObject({
  ...{ input_tokens: whole, output_tokens: whole, total_tokens: whole },
  ...{
    input_tokens_cache_write: whole.nullable(),
    input_tokens_cache_read: whole.nullable(),
    reasoning_tokens: whole.nullable(),
  },
});
const Output = z.strictObject({
  model: z.string(),
  choices: z.array(z.strictObject({ message: Assistant, stop_reason: z.literal('stop'), logprobs: z.null() })),
  ...{
    completion: z.string(),
    usage: Usage.nullable(),
    time: z.number().nullable(),
    metadata: data.nullable(),
    error: text,
  },
});
const ModelEvent = z.strictObject({
  ...{ uuid: text, span_id: text, timestamp: z.iso.datetime(), working_start: z.number(), metadata: data.nullable() },
  ...{
    pending: z.boolean().nullable(),
    event: z.literal('model'),
    model: z.string(),
    role: text,
    input: z.array(Message),
  },
  ...{ tools: z.array(z.never()), tool_choice: z.literal('none'), config: nothing, output: Output },
  ...{
    retries: whole.nullable(),
    error: text,
    cache: z.null(),
    call: z.null(),
    completed: z.iso.datetime().nullable(),
  },
  working_time: z.number().nullable(),
});
const Score = z.strictObject({
  ...{ history: z.array(z.never()), value: z.string(), answer: text, explanation: text, metadata: data },
});
const Sample = z.strictObject({
  ...{
    id: z.string(),
    epoch: whole,
    input: z.string(),
    choices: z.null(),
    target: z.string(),
    sandbox: z.null(),
    files: z.null(),
  },
  ...{
    setup: z.null(),
    messages: z.array(Message),
    output: Output,
    scores: z.record(z.string(), Score),
    metadata: data,
  },
  ...{ store: data, events: z.array(ModelEvent), model_usage: z.record(z.string(), Usage), total_time: z.null() },
  ...{
    working_time: z.null(),
    uuid: text,
    error: z.null(),
    error_retries: z.null(),
    attachments: data,
    limit: z.null(),
  },
});
const Log = z.strictObject({
  ...{ version: z.literal(2), status: z.literal('success') },
  eval: z.strictObject({
    ...{
      eval_set_id: text,
      eval_id: z.string(),
      run_id: z.string(),
      created: z.string(),
      task: z.string(),
      task_id: z.string(),
    },
    ...{ task_version: whole, task_file: text, task_display_name: text, task_registry_name: text, task_attribs: data },
    ...{ task_args: data, task_args_passed: data, solver: text, solver_args: z.null(), tags: z.array(z.string()) },
    dataset: z.strictObject({
      ...{ name: text, location: text, samples: whole, sample_ids: z.array(z.string()), shuffled: z.boolean() },
    }),
    ...{ sandbox: z.null(), model: z.string(), model_generate_config: nothing, model_base_url: text, model_args: data },
    ...{ model_roles: z.null(), config: nothing, revision: z.null(), packages: z.record(z.string(), z.string()) },
    ...{ metadata: data, scorers: z.null(), metrics: z.null() },
  }),
  plan: z.strictObject({ name: z.string(), steps: z.array(z.never()), finish: z.null(), config: nothing }),
  results: z.strictObject({
    total_samples: whole,
    completed_samples: whole,
    scores: z.array(z.never()),
    metadata: z.null(),
  }),
  stats: z.strictObject({ started_at: z.string(), completed_at: z.string(), model_usage: z.record(z.string(), Usage) }),
  ...{ error: z.null(), samples: z.array(Sample), reductions: z.null() },
});

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
  let log: z.infer<typeof Log>;

  beforeAll(async () => {
    const written = await writeInspect({ folders: [runs], out, judge: undefined, cache: null }, quiet);
    expect(written).toMatchObject({ count: 2, leftOut: 0 });
    log = Log.parse(JSON.parse(readFileSync(written.files[0]!, 'utf8')));
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
