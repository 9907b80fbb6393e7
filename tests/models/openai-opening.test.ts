// Opening OpenAI models and those of compatible servers: keys, addresses, prices.
import { afterEach, describe, expect, it } from '@jest/globals';
import { openModel } from '../../models/index.ts';
import { readReply } from '../../models/reply.ts';
import { UsageError } from '../../state/usage-error.ts';
import { openaiServer, type OpenAIServer } from '../openai-server.ts';

const env = { OPENAI_API_KEY: 'sk-a-key-that-must-not-be-seen' };

const servers: OpenAIServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

describe('opening an OpenAI model', () => {
  const open = (text: string, given: Record<string, string> = env) =>
    openModel(text, { temperature: null, env: given });

  it('names the variable of a missing key', async () => {
    await expect(open('openai:gpt-4o', {})).rejects.toThrow(
      new UsageError('OPENAI_API_KEY is not set: openai:gpt-4o needs it.'),
    );
    await expect(open('openai:gpt-4o?apiKeyEnv=MY_KEY')).rejects.toThrow(
      new UsageError('MY_KEY is not set: openai:gpt-4o needs it.'),
    );
  });

  it('says what to do where a local server checks no key', async () => {
    await expect(open('openai:tiny?baseUrl=http://127.0.0.1:1/v1&apiKeyEnv=NONE_KEY', {})).rejects.toThrow(
      'NONE_KEY is not set: openai:tiny needs it. For a server that checks no key, set it to any word.',
    );
  });

  it('takes the server of OPENAI_BASE_URL unless the model string names one', async () => {
    const other = await openaiServer([{ text: 'from the environment' }]);
    const server = await openaiServer([{ text: 'from the model string' }]);
    servers.push(other, server);
    const given = { ...env, OPENAI_BASE_URL: other.baseUrl };
    const byEnvironment = await open('openai:a', given);
    const byString = await open(`openai:a?baseUrl=${server.baseUrl}`, given);
    expect(readReply(await byEnvironment.chat.invoke('Whom?')).text).toBe('from the environment');
    expect(readReply(await byString.chat.invoke('Whom?')).text).toBe('from the model string');
  });

  it('refuses an OPENAI_BASE_URL that is none', async () => {
    await expect(open('openai:a', { ...env, OPENAI_BASE_URL: 'localhost' })).rejects.toThrow(
      new UsageError('OPENAI_BASE_URL must be an http or https address.'),
    );
  });

  it('knows the price of a model at OpenAI, and of no model at another server', async () => {
    expect((await open('openai:gpt-4o')).price).toEqual({ in: 2.5, out: 10, cached: 1.25 });
    expect((await open('openai:gpt-4o?baseUrl=http://127.0.0.1:1/v1')).price).toBeNull();
    expect((await open('openai:gpt-4o', { ...env, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' })).price).toBeNull();
    expect((await open('openai:tiny?baseUrl=http://127.0.0.1:1/v1&priceIn=0&priceOut=0')).price).toEqual({
      in: 0,
      out: 0,
    });
  });
});
