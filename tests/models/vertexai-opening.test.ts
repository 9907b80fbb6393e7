// Opening Vertex AI models: credentials, endpoints, thinking.
import { describe, expect, it } from '@jest/globals';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openModel } from '../../models/index.ts';
import { UsageError } from '../../state/usage-error.ts';

const env = { GOOGLE_API_KEY: 'AIza-a-key' };

describe('opening a Vertex AI model', () => {
  const opened = (text: string, given: Record<string, string>) => openModel(text, { temperature: null, env: given });

  it('without any credentials says what to set', async () => {
    await expect(opened('vertexai:gemini-2.5-pro', {})).rejects.toThrow(
      /^No credentials for vertexai:gemini-2.5-pro: set GOOGLE_API_KEY, .*GOOGLE_APPLICATION_CREDENTIALS.*gcloud auth application-default login.*GOOGLE_CLOUD_PROJECT/,
    );
  });

  it('names a key file that is not there', async () => {
    await expect(
      opened('vertexai:gemini-2.5-pro', { GOOGLE_APPLICATION_CREDENTIALS: '/no/such/file.json' }),
    ).rejects.toThrow('GOOGLE_APPLICATION_CREDENTIALS names "/no/such/file.json", which is not there');
  });

  it.each(['GOOGLE_CLOUD_PROJECT', 'K_SERVICE'])('goes by what %s says of the machine', async (name) => {
    await expect(opened('vertexai:gemini-2.5-pro', { [name]: 'x' })).resolves.toMatchObject({ secrets: [] });
  });

  it('finds the login of gcloud', async () => {
    const home = await mkdtemp(path.join(tmpdir(), 'wolfgraph-'));
    await mkdir(path.join(home, '.config', 'gcloud'), { recursive: true });
    await expect(opened('vertexai:gemini-2.5-pro', { HOME: home })).rejects.toThrow('No credentials');
    await writeFile(path.join(home, '.config', 'gcloud', 'application_default_credentials.json'), '{}');
    await expect(opened('vertexai:gemini-2.5-pro', { HOME: home })).resolves.toMatchObject({ secrets: [] });
    await rm(home, { recursive: true });
  });

  it('names the variable of the key that the model string asks for', async () => {
    await expect(opened('vertexai:gemini-2.5-pro?apiKeyEnv=MY_KEY', env)).rejects.toThrow(
      new UsageError('MY_KEY is not set: vertexai:gemini-2.5-pro needs it.'),
    );
  });

  it('refuses what is not Gemini, and says how it can be reached', async () => {
    await expect(opened('vertexai:claude-opus-4', env)).rejects.toThrow(
      /Unknown model "vertexai:claude-opus-4".*openai:/,
    );
  });

  it.each([
    ['gemini-2.0-flash?reasoningEffort=low', 'gemini-2.0-flash has no reasoningEffort to set.'],
    ['gemini-3-pro-preview?reasoningEffort=none', 'Known: minimal, low, medium, high.'],
    ['gemini-2.5-pro?reasoningEffort=xhigh', 'Known: none, minimal, low, medium, high.'],
    ['gemini-2.5-pro?timeout=301', 'must be at most 300: Node waits no longer for the beginning of an answer'],
    ['gemini-2.5-pro?baseUrl=http://x.example', 'must begin with https://'],
    ['gemini-2.5-pro?baseUrl=https://x.example', 'application default credentials only'],
  ])('refuses %s', async (model, message) => {
    await expect(opened(`vertexai:${model}`, env)).rejects.toThrow(message);
  });

  it('knows the price of a model at Google, and not behind another address', async () => {
    expect((await opened('vertexai:gemini-2.5-flash-001', env)).price).toEqual({ in: 0.3, out: 2.5, cached: 0.03 });
    const elsewhere = 'vertexai:gemini-2.5-flash?baseUrl=https://x.example';
    expect((await opened(elsewhere, { GOOGLE_CLOUD_PROJECT: 'x' })).price).toBeNull();
    expect((await opened(`${elsewhere}&priceIn=1&priceOut=2`, { GOOGLE_CLOUD_PROJECT: 'x' })).price).toEqual({
      in: 1,
      out: 2,
    });
  });
});
