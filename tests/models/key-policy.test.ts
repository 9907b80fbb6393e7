// Permissions to send a variable's value to a host. They depend only on the pair of variable and host.
import { describe, expect, it } from '@jest/globals';
import { playMatch } from '../../graph/play-match.ts';
import {
  tellServers,
  addCommandPolicy,
  addDryPolicy,
  addProgramPolicy,
  isLoopback,
  readHost,
  readKeyPair,
} from '../../models/key-policy.ts';
import { openModel } from '../../models/providers/index.ts';
import { openTracing } from '../../models/tracing.ts';
import { failure, openOpenaiServer } from '../openai-server.ts';

const keys = {
  OPENAI_API_KEY: 'sk-user',
  ANTHROPIC_API_KEY: 'sk-ant',
  GROQ_API_KEY: 'gsk',
  OPENROUTER_API_KEY: 'or',
  GOOGLE_API_KEY: 'AIza',
  AWS_SECRET_ACCESS_KEY: 'aws',
  MY_KEY: 'mine',
};

/** Opens a model as a command with these arguments would. */
const open = (text: string, env: Record<string, string> = {}, argv: readonly string[] = []) =>
  openModel(text, { temperature: null, env: addCommandPolicy({ ...keys, ...env }, { argv, tell: () => undefined }) });

const trap = 'http://trap.example:7999/v1';

describe('a key is sent without asking', () => {
  it.each([
    ['to its vendor', 'openai:gpt-4o', {}],
    [
      'to its vendor, named by another provider',
      'openai:x?baseUrl=https://api.groq.com/openai/v1&apiKeyEnv=GROQ_API_KEY',
      {},
    ],
    ['to its vendor, by a variable in the shell', 'openai:gpt-4o', { OPENAI_BASE_URL: 'https://api.openai.com/v1' }],
    [
      'to a service that has no provider of its own',
      'openai:x?baseUrl=https://openrouter.ai/api/v1&apiKeyEnv=OPENROUTER_API_KEY',
      {},
    ],
    ['to Google', 'vertexai:gemini-2.5-pro', {}],
    ['to this machine', 'openai:x?baseUrl=http://127.0.0.1:8080/v1&apiKeyEnv=AWS_SECRET_ACCESS_KEY', {}],
    ['to this machine by name', 'openai:x?baseUrl=http://LOCALHOST:8080/v1&apiKeyEnv=AWS_SECRET_ACCESS_KEY', {}],
    ['to this machine by IPv6', 'openai:x?baseUrl=http://[::1]:8080/v1&apiKeyEnv=AWS_SECRET_ACCESS_KEY', {}],
    ['to this machine by a number', 'openai:x?baseUrl=http://2130706433:8080/v1&apiKeyEnv=AWS_SECRET_ACCESS_KEY', {}],
    ['where the shell says', 'openai:x', { OPENAI_BASE_URL: trap }],
    ['where the shell says, named again by a file', `openai:x?baseUrl=${trap}`, { OPENAI_BASE_URL: trap }],
    [
      'where the shell allows it',
      `openai:x?baseUrl=${trap}&apiKeyEnv=MY_KEY`,
      { WOLFGRAPH_ALLOW_KEYS: 'A@b, MY_KEY@Trap.example:7999' },
    ],
    [
      'by .env where both stand there',
      'openai:x',
      { OPENAI_BASE_URL: trap, WOLFGRAPH_FROM_ENV_FILE: 'OPENAI_BASE_URL,OPENAI_API_KEY' },
    ],
  ])('%s', async (_what, text, env) => {
    await expect(open(text, env as Record<string, string>)).resolves.toBeDefined();
  });

  it.each([
    ['--allow-key', ['--allow-key', 'MY_KEY@trap.example:7999']],
    ['--allow-key=', ['--allow-key=MY_KEY@trap.example:7999']],
    ['the model string itself', ['--model', `openai:x?baseUrl=${trap}&apiKeyEnv=MY_KEY`]],
    ['a seat', ['--seat', `Ginger=openai:y?baseUrl=${trap}/&apiKeyEnv=MY_KEY`]],
    ['a seat in one word', [`--seat=Ginger=openai:y?apiKeyEnv=MY_KEY&baseUrl=${trap}`]],
  ])('where it was typed: %s', async (_what, argv) => {
    const text = `openai:x?baseUrl=${trap}&apiKeyEnv=MY_KEY`;
    await expect(open(text, {}, argv)).resolves.toBeDefined();
    await expect(open(text.replace('MY_KEY', 'GROQ_API_KEY'), {}, argv)).rejects.toThrow(
      '--allow-key GROQ_API_KEY@trap',
    );
    await expect(open(text.replace('trap.', 'trap2.'), {}, argv)).rejects.toThrow(
      '--allow-key MY_KEY@trap2.example:7999',
    );
  });
});

describe('a key is not sent, and the option is told,', () => {
  it.each([
    ['to a host of a file', `openai:x?baseUrl=${trap}`, {}, 'OPENAI_API_KEY@trap.example:7999'],
    ['of another vendor', 'openai:x?apiKeyEnv=AWS_SECRET_ACCESS_KEY', {}, 'AWS_SECRET_ACCESS_KEY@api.openai.com'],
    ['to another vendor', 'openai:x?baseUrl=https://api.groq.com/openai/v1', {}, 'OPENAI_API_KEY@api.groq.com'],
    ['to its vendor over HTTP', 'openai:x?baseUrl=http://api.openai.com/v1', {}, 'OPENAI_API_KEY@api.openai.com'],
    [
      'to another port of its vendor',
      'openai:x?baseUrl=https://api.openai.com:8443/v1',
      {},
      'OPENAI_API_KEY@api.openai.com:8443',
    ],
    [
      'to a host below its vendor',
      'openai:x?baseUrl=https://evil.api.openai.com/v1',
      {},
      'OPENAI_API_KEY@evil.api.openai.com',
    ],
    [
      'to a host that begins as its vendor',
      'openai:x?baseUrl=https://api.openai.com.evil.example/v1',
      {},
      'OPENAI_API_KEY@api.openai.com.evil.example',
    ],
    ['to its vendor with a dot', 'openai:x?baseUrl=https://api.openai.com./v1', {}, 'OPENAI_API_KEY@api.openai.com.'],
    [
      'to letters that look alike',
      'openai:x?baseUrl=https://аpi.openai.com/v1',
      {},
      'OPENAI_API_KEY@xn--pi-6kc.openai.com',
    ],
    [
      'to what begins as this machine',
      'openai:x?baseUrl=http://127.0.0.1.evil.com/v1',
      {},
      'OPENAI_API_KEY@127.0.0.1.evil.com',
    ],
    ['to any address of this machine', 'openai:x?baseUrl=http://0.0.0.0:1/v1', {}, 'OPENAI_API_KEY@0.0.0.0:1'],
    ['to Claude’s place', `anthropic:claude-sonnet-4-5?baseUrl=${trap}`, {}, 'ANTHROPIC_API_KEY@trap.example:7999'],
    ['to Gemini’s place', `google-genai:gemini-2.5-pro?baseUrl=${trap}`, {}, 'GOOGLE_API_KEY@trap.example:7999'],
    [
      'to an account at Azure',
      'azure-openai:x?baseUrl=https://evil.openai.azure.com/openai/v1&apiKeyEnv=MY_KEY',
      {},
      'MY_KEY@evil.openai.azure.com',
    ],
    ['with prompts alone', 'ollama:x?baseUrl=http://10.0.0.7:11434', {}, 'none@10.0.0.7:11434'],
    [
      'with prompts alone, where the shell sends the key of another provider',
      `ollama:x?baseUrl=${trap}`,
      { OPENAI_BASE_URL: trap },
      'none@trap.example:7999',
    ],
    [
      'of a file where the shell gives the address',
      'openai:x?apiKeyEnv=MY_KEY',
      { OPENAI_BASE_URL: trap },
      'MY_KEY@trap.example:7999',
    ],
    [
      'of the shell to an address of .env',
      'openai:x',
      { OPENAI_BASE_URL: trap, WOLFGRAPH_FROM_ENV_FILE: 'OPENAI_BASE_URL' },
      'OPENAI_API_KEY@trap.example:7999',
    ],
    [
      'where .env allows it',
      `openai:x?baseUrl=${trap}`,
      { WOLFGRAPH_ALLOW_KEYS: 'OPENAI_API_KEY@trap.example:7999', WOLFGRAPH_FROM_ENV_FILE: 'WOLFGRAPH_ALLOW_KEYS' },
      'OPENAI_API_KEY@trap.example:7999',
    ],
    [
      'with prompts alone to an address of .env',
      'ollama:x',
      { OLLAMA_BASE_URL: trap, WOLFGRAPH_FROM_ENV_FILE: 'OLLAMA_BASE_URL' },
      'none@trap.example:7999',
    ],
  ])('%s', async (_what, text, env, pair) => {
    await expect(open(text, env as unknown as Record<string, string>)).rejects.toThrow(`add --allow-key ${pair},`);
    const allowed = open(text, env, ['--allow-key', pair]);
    await expect(allowed).resolves.toBeDefined();
  });

  it('typed without its address where .env gives that', async () => {
    const env = { OPENAI_BASE_URL: trap, WOLFGRAPH_FROM_ENV_FILE: 'OPENAI_BASE_URL' };
    const opened = open('openai:x?apiKeyEnv=MY_KEY', env, ['--model', 'openai:x?apiKeyEnv=MY_KEY']);
    await expect(opened).rejects.toThrow('--allow-key MY_KEY@trap.example:7999');
  });

  it('by an environment that lost its policy', async () => {
    const env = { ...keys };
    await expect(openModel(`openai:x?baseUrl=${trap}`, { temperature: null, env })).rejects.toThrow('--allow-key');
  });

  it('by a region or location that is a host', async () => {
    await expect(
      open('vertexai:gemini-2.5-pro', {
        GOOGLE_API_KEY: '',
        GOOGLE_CLOUD_PROJECT: 'p',
        GOOGLE_CLOUD_LOCATION: 'evil.com/#',
      }),
    ).rejects.toThrow('must be a location');
    await expect(open('bedrock:x', { AWS_REGION: 'evil.com/#' })).rejects.toThrow('must be a region');
  });
});

describe('a program', () => {
  it('decides itself', async () => {
    const env = addProgramPolicy({ ...keys });
    await expect(openModel(`openai:x?baseUrl=${trap}`, { temperature: null, env })).resolves.toBeDefined();
  });
});

describe('where calls go', () => {
  it('is told once for each server, with models and variable, and not the value', async () => {
    const told: string[] = [];
    const env = addCommandPolicy({ ...keys }, { argv: [], tell: (line) => void told.push(line) });
    for (const text of ['openai:a', 'openai:b?name=bee', 'groq:c', 'bot:classic'])
      await openModel(text, { temperature: null, env });
    tellServers(env);
    tellServers({ ...env });
    expect(told).toEqual([
      'Calls go to api.openai.com (openai:a, bee), with the key in OPENAI_API_KEY.',
      'Calls go to api.groq.com (groq:c), with the key in GROQ_API_KEY.',
    ]);
  });

  it('is told where the first policy says, also if a program adds another', async () => {
    const told: string[] = [];
    const first = addCommandPolicy({ ...keys }, { argv: [], tell: (line) => void told.push(line) });
    const env = addProgramPolicy(addCommandPolicy(first, { argv: [], tell: () => undefined }));
    await openModel('openai:a', { temperature: null, env });
    tellServers(env);
    expect(told).toEqual(['Calls go to api.openai.com (openai:a), with the key in OPENAI_API_KEY.']);
  });

  it('is told of what an estimate would have refused, with the option', async () => {
    const told: string[] = [];
    const env = addDryPolicy(addCommandPolicy({ ...keys }, { argv: [], tell: (line) => void told.push(line) }));
    await openModel(`openai:x?baseUrl=${trap}&apiKeyEnv=MY_KEY`, { temperature: null, env });
    tellServers(env);
    expect(told).toEqual([
      'Calls would go to trap.example:7999 (openai:x), with the key in MY_KEY. This needs --allow-key MY_KEY@trap.example:7999.',
    ]);
  });
});

it('a match tells where its calls go, before the first', async () => {
  const told: string[] = [];
  const asked: number[] = [];
  const server = await openOpenaiServer(() => {
    asked.push(told.length);
    return { status: 401, body: failure('No such key.') };
  });
  const { host } = new URL(server.baseUrl);
  const env = addCommandPolicy({ ...keys }, { argv: [], tell: (line) => void told.push(line) });
  const model = `openai:x?baseUrl=${server.baseUrl}`;
  await expect(playMatch({ model, out: null, env })).rejects.toThrow('No such key.');
  await server.close();
  expect(told).toEqual([`Calls go to ${host} (openai:x), with the key in OPENAI_API_KEY.`]);
  expect(new Set(asked)).toEqual(new Set([1]));
});

describe('traces', () => {
  const traced = { LANGSMITH_TRACING: 'true', LANGSMITH_API_KEY: 'ls' };
  const tryTracing = (env: Record<string, string>) => () =>
    openTracing(addCommandPolicy({ ...traced, ...env }, { argv: [], tell: () => undefined }));

  it('go to LangSmith, to this machine, and where the shell says', () => {
    for (const endpoint of ['https://api.smith.langchain.com', 'http://127.0.0.1:9', trap])
      expect(tryTracing({ LANGSMITH_ENDPOINT: endpoint })).not.toThrow();
    expect(tryTracing({})).not.toThrow();
  });

  it('do not go where .env says, with the key of the shell', () => {
    const env = { LANGSMITH_ENDPOINT: trap, WOLFGRAPH_FROM_ENV_FILE: 'LANGSMITH_ENDPOINT,LANGSMITH_TRACING' };
    expect(tryTracing(env)).toThrow('add --allow-key LANGSMITH_API_KEY@trap.example:7999,');
    expect(tryTracing({ ...env, WOLFGRAPH_FROM_ENV_FILE: 'LANGSMITH_ENDPOINT,LANGSMITH_API_KEY' })).not.toThrow();
  });
});

describe('a host', () => {
  it.each([
    ['https://API.OpenAI.com/v1', 'api.openai.com'],
    ['http://h:80/v1', 'h'],
    ['http://h:443/v1', 'h'],
    ['https://h:8443', 'h:8443'],
  ])('of %s is %s', (address, host) => {
    expect(readHost(address)).toBe(host);
  });

  it.each(['', 'KEY', 'KEY@', '@host', 'KEY@a/b', 'KEY@a b', 'KEY@a@b', 'KEY=x@host'])('is not in "%s"', (text) => {
    expect(() => readKeyPair('--allow-key', text)).toThrow('--allow-key must be NAME@HOST');
  });

  it.each([
    ['http://127.1', true],
    ['http://127.0.0.1.evil.com', false],
    ['http://localhost.evil.com', false],
    ['http://evil.localhost', false],
    ['http://[::1]', true],
    ['http://[::2]', false],
  ])('%s is this machine: %s', (address, isHere) => {
    expect(isLoopback(address)).toBe(isHere);
  });
});
