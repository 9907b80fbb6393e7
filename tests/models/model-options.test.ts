// The options of model strings: what is taken, and what is refused with which words.
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { contextOf, ModelOptions } from '../../models/providers/model-options.ts';

const read = (options: Record<string, string>) => ModelOptions.parse(options);

const refusal = (options: Record<string, string>) => {
  const { error } = ModelOptions.safeParse(options);
  return error && z.prettifyError(error);
};

describe('the options of a model string', () => {
  it('have defaults where they are needed', () => {
    expect(read({})).toEqual({ timeout: 120, contextTokens: 128_000 });
  });

  it('are numbers where they look like words', () => {
    expect(
      read({ temperature: '0', topP: '1', maxTokens: '50', timeout: '0.5', seed: '-3', contextTokens: '2048' }),
    ).toEqual({ temperature: 0, topP: 1, maxTokens: 50, timeout: 0.5, seed: -3, contextTokens: 2048 });
  });

  it('take zero for a price', () => {
    expect(read({ priceIn: '0', priceOut: '0' })).toMatchObject({ priceIn: 0, priceOut: 0 });
  });

  it.each([
    ['temperature', '2.5'],
    ['temperature', 'hot'],
    ['temperature', ''],
    ['topP', '0'],
    ['maxTokens', '0'],
    ['maxTokens', '1.5'],
    ['timeout', '0'],
    ['timeout', '3601'],
    ['seed', '1e12'],
    ['contextTokens', '-1'],
    ['reasoningEffort', 'lots'],
    ['baseUrl', 'localhost:8080'],
    ['baseUrl', 'ftp://x.example'],
  ])('refuse %s=%j', (option, value) => {
    expect(refusal({ [option]: value })).toContain(option);
  });

  it('refuse an unknown one with the known ones', () => {
    expect(refusal({ temprature: '1' })).toBe(
      '✖ unknown option "temprature"; known options: temperature, topP, maxTokens, timeout, seed, reasoningEffort, contextTokens, baseUrl, apiKeyEnv, priceIn, priceOut',
    );
  });

  it('refuse one price without the other', () => {
    expect(refusal({ priceIn: '1' })).toContain('priceIn and priceOut are given together');
  });

  it.each(['https://me:secret@x.example/v1', 'https://me@x.example/v1'])(
    'refuse a name or password in an address, and say where a key belongs: %s',
    (baseUrl) => {
      expect(refusal({ baseUrl })).toContain('put the key in an environment variable');
      expect(refusal({ baseUrl })).not.toContain('secret');
    },
  );

  it('refuse a key in the query of an address', () => {
    expect(refusal({ baseUrl: 'https://x.example/v1?key=secret' })).toContain('must end before any "?"');
  });

  it('refuse a key where the name of its variable belongs', () => {
    expect(refusal({ apiKeyEnv: 'sk-abc' })).toContain('never the key itself');
  });
});

describe('what a prompt may take of the context', () => {
  it.each([
    [{}, 128_000 - 4096],
    [{ contextTokens: '2048' }, 1536],
    [{ contextTokens: '8192', maxTokens: '700' }, 7492],
    [{ contextTokens: '32768' }, 32768 - 4096],
    [{ contextTokens: '1000', maxTokens: '2000' }, 0],
  ])('of %j is %i tokens: what is not kept for the answer', (options, prompt) => {
    const read = ModelOptions.parse(options);
    expect(contextOf(read)).toEqual({ tokens: read.contextTokens, prompt });
  });
});
