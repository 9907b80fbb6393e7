// The identity of a model: it includes everything that shapes its answers, and nothing about access, limits and cost.
import { describe, expect, it } from '@jest/globals';
import { findModelAddress, identifyModel, listModelStrings } from '../../state/model-identity.ts';
import { migrateAnswer, migrateManifest } from '../../state/record-migrations.ts';

const address = 'http://127.0.0.1:8080/v1';
const outside = `baseUrl=${address}&apiKeyEnv=K&timeout=300&priceIn=1&priceOut=2&rpm=60&tpm=1e5&concurrency=2`;

describe('the identity of a model', () => {
  it.each([
    ['openai:gpt-4o', 'openai:gpt-4o'],
    [`openai:gpt-4o?${outside}`, 'openai:gpt-4o'],
    [`openai:gpt-4o?temperature=0.5&${outside}&seed=3`, 'openai:gpt-4o?temperature=0.5&seed=3'],
    ['ollama:llama3:8b?contextTokens=8192&timeout=60', 'ollama:llama3:8b?contextTokens=8192'],
    ['bot:classic?lie=0.3&detect=0.7', 'bot:classic?lie=0.3&detect=0.7'],
  ])('of %s is %s', (text, identity) => {
    expect(identifyModel(text)).toBe(identity);
    expect(identifyModel(identifyModel(text))).toBe(identifyModel(text));
  });

  it('leads back to the model string that was named', () => {
    expect(listModelStrings(['bot:classic', `openai:x?${outside}`])).toEqual({
      model_strings: { 'openai:x': `openai:x?${outside}` },
    });
    expect(listModelStrings(['bot:classic'])).toEqual({});
  });

  it('leaves the address to be told apart from it', () => {
    expect(findModelAddress(`openai:x?${outside}`)).toBe(address);
    expect(findModelAddress(`openai:x?baseUrl=${encodeURIComponent(address)}`)).toBe(address);
    expect(findModelAddress('openai:x?timeout=3')).toBeUndefined();
  });
});

describe('a record of version 2', () => {
  const text = `openai:x?maxTokens=9&${outside}`;

  it('has in its manifest the identities of its models, and what they were named beside', () => {
    const stored = {
      schema_version: 2,
      setup: { seed: 1, models: { Dan: text, Will: 'bot:classic' } },
      made_by: { node: 'v24', prices: { [text]: { in: 1, out: 2 }, 'bot:classic': null } },
    };
    expect(migrateManifest(stored)).toEqual({
      schema_version: 4,
      setup: { seed: 1, models: { Dan: 'openai:x?maxTokens=9', Will: 'bot:classic' } },
      made_by: {
        node: 'v24',
        model_strings: { 'openai:x?maxTokens=9': text },
        prices: { 'openai:x?maxTokens=9': { in: 1, out: 2 }, 'bot:classic': null },
      },
    });
  });

  it('has in its answers the identity and the address', () => {
    const line = { model: 'openai:x?maxTokens=9', address };
    expect(migrateAnswer({ model: text })).toEqual(line);
    expect(migrateAnswer(line)).toEqual(line);
    expect(migrateAnswer({ model: 'openai:x?timeout=3' })).toEqual({ model: 'openai:x' });
  });
});
