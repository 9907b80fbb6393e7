// Matches between real processes and a hostile server: the key that its texts repeat, and its escape sequences, appear
// nowhere.
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { expectVisible } from '../hostile/lines.ts';
import { readable } from '../hostile/texts.ts';
import { failure, openOpenaiServer, type Received, type Scripted } from '../openai-server.ts';
import { readQuestion } from '../question.ts';
import { createLegalAnswer } from '../scripted-model.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { key, legally, modelMatch, reaching } from './local-model.ts';
import { eventsIn, filesIn } from './match-folder.ts';
import { run, type Ended } from './process.ts';

const out = createTemporaryFolder();
const folder = (id: string) => path.join(out, id);

/** Repeats the key in every place of a server's response. */
function telling({ headers, body }: Received, index: number): Scripted {
  const sent = headers.authorization!;
  const question = readQuestion(body.messages);
  const hostile = readable[index % readable.length]!.text;
  const texts = Object.entries(question.fields).filter(([, { kind }]) => kind === 'text');
  const words = Object.fromEntries(texts.map(([field]) => [field, `Is it ${sent}? ${hostile}`]));
  const content = JSON.stringify({ ...createLegalAnswer(question), ...words });
  const message = { role: 'assistant', content, refusal: index === 5 ? sent : null, reasoning_content: sent };
  const completion = {
    ...{ id: sent, object: 'chat.completion', created: 1, model: sent, system_fingerprint: sent },
    choices: [{ index: 0, message, finish_reason: sent, logprobs: null }],
  };
  return { headers: { 'x-request-id': sent }, body: completion };
}

function expectNoKey(id: string, { stdout, stderr }: Ended) {
  const everything = Object.entries({ stdout, stderr, ...filesIn(folder(id)) });
  expect(everything.length).toBeGreaterThan(4);
  for (const form of [key, key.slice(3), encodeURIComponent(key), Buffer.from(key).toString('base64')])
    expect(everything.filter(([, text]) => text.includes(form)).map(([where]) => where)).toEqual([]);
}

const told = ({ stdout, stderr }: Ended) => [...stdout.split('\n'), ...stderr.split('\n')];

const server = await openOpenaiServer(telling);
const played = await run('match', modelMatch(out, 'telling', '--reveal'), reaching(server));
await server.close();

describe('a server that says the key in its answers, among hostile texts,', () => {
  it('has a match played to its end that holds no key', () => {
    const ended = played;
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(eventsIn(folder('telling'))).toContain('Is it Bearer [redacted]?');
    expectNoKey('telling', ended);
  });

  it('has a story of visible lines, and a log of as many', () => {
    const ended = played;
    told(ended).forEach(expectVisible);
    const statements = eventsIn(folder('telling')).split('"type":"statement"').length - 1;
    const spoken = /^\p{L}+: “Is it [^“”]*”$/u;
    expect(told(ended).filter((line) => spoken.test(line))).toHaveLength(statements);
    const log = filesIn(folder('telling'))['log.ndjson']!.trimEnd().split('\n');
    const messages = log.map((line) => (JSON.parse(line) as { message: string }).message);
    messages.flatMap((message) => message.split('\n')).forEach(expectVisible);
    expect(messages.filter((message) => spoken.test(message))).toHaveLength(statements);
  });

  it('can be reported, shown and played again, all without the key', async () => {
    const [reported, shown, replayed] = [
      await run('report', [folder('telling')]),
      await run('show', [folder('telling')]),
      await run('replay', [folder('telling')]),
    ];
    for (const ended of [reported, shown, replayed]) {
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      told(ended).forEach(expectVisible);
      expectNoKey('telling', ended);
    }
  });
});

describe('a server that fails', () => {
  it.each([
    ['in the words of the request', failure(`\u001b[31mNo:\u001b[0m\u202e authorization: Bearer ${key}\nNext`)],
    ['in an address', failure(`See https://ann:${key}@x.example/?key=${encodeURIComponent(key)}`)],
    ['with a page', `<h1>401</h1>\u009b2J<p>Bearer ${key}</p>`],
  ])('%s tells neither the key nor the terminal what to do', async (what, body) => {
    const id = what.replaceAll(' ', '-');
    const strict = await openOpenaiServer((request, index) => (index < 3 ? legally(request) : { status: 401, body }));
    const set = path.join(out, `set-${id}`); // servers at several addresses would else need names
    const ended = await run('match', modelMatch(set, id), reaching(strict));
    await strict.close();
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain('[redacted]');
    told(ended).forEach(expectVisible);
    expectNoKey(path.join(path.basename(set), id), ended);
  });
});

describe('a key where none belongs', () => {
  const secret = 'hunter2-hunter2';
  const wrong: [what: string, args: string[], env: Record<string, string>][] = [
    [
      'in the address of the server',
      ['--model', 'openai:x'],
      { OPENAI_BASE_URL: `http://ann:${secret}@127.0.0.1:1/v1` },
    ],
    ['as an option of the model', ['--model', `openai:x?apiKey=${secret}`], {}],
    ['as an option of a model that is none', ['--model', `opnai:x?api_key=${secret}`], {}],
    ['as the model', ['--model', 'openai:sk-hunter2-hunter2'], {}],
    ['in a key that is no header', ['--model', 'openai:x'], { OPENAI_API_KEY: `${secret}\u0007\n${secret}` }],
  ];

  it.each(wrong)('is told by nobody: %s', async (_what, args, env) => {
    const surroundings = { env: { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', ...env } };
    const ended = await run('match', ['--out', out, '--id', 'wrong', ...args], surroundings);
    expect(ended.code).toBe(2);
    expect(ended.stdout + ended.stderr).not.toContain('hunter2');
  });
});
