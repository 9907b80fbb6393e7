// User-defined additions to requests: for every provider that sends JSON, and as part of the model's identity.
import { afterEach, describe, expect, it } from '@jest/globals';
import { HumanMessage } from '@langchain/core/messages';
import { openModel, providers, readModelSpec } from '../../models/providers/index.ts';
import { readNamedModels } from '../../models/providers/models-file.ts';
import { UsageError } from '../../state/usage-error.ts';
import { openModelServer, type ProtocolName } from '../model-server.ts';

const extraBody = { provider: { order: ['deepinfra'], allow_fallbacks: false }, chat_template_kwargs: { a: null } };
const canonical = '{"chat_template_kwargs":{"a":null},"provider":{"allow_fallbacks":false,"order":["deepinfra"]}}';

const opened: { close: () => Promise<void> }[] = [];
afterEach(() => Promise.all(opened.splice(0).map(({ close }) => close())));

/** Returns the model string that a models file creates for an entry. */
const nameModel = (entry: object) => readNamedModels('models.yaml', { gpt: entry }).get('gpt')!;

describe('an extra body', () => {
  it.each<[ProtocolName, string, string]>([
    ['chat', 'openai:some-model', '/v1'],
    ['chat', 'groq:some-model', '/v1'],
    ['responses', 'openai:some-model?api=responses', '/v1'],
    ['anthropic', 'anthropic:claude-sonnet-4-5', ''],
    ['gemini', 'google-genai:gemini-2.5-pro', '/v1beta'],
    ['ollama', 'ollama:qwen3', ''],
  ])('is in each request by the protocol %s of %s', async (protocol, model, path) => {
    const server = await openModelServer(protocol, () => ({ text: '{}' }));
    opened.push(server);
    const env = { OPENAI_API_KEY: 'k', GROQ_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k' };
    const text = nameModel({ model, baseUrl: `${server.address}${path}`, extraBody });
    const player = await openModel(text, { temperature: 0.5, env });
    await player.chat.invoke([new HumanMessage('Bid.')]);
    expect(server.requests[0]!.body).toMatchObject(extraBody);
    expect(player.spec).toContain('extraBody=');
  });

  it('is taken by every provider but those whose requests are not JSON of ours', () => {
    const without = providers.filter(({ name }) => {
      try {
        readModelSpec(`${name}:${name === 'bot' ? 'classic' : 'gemini'}?extraBody={}`);
        return false;
      } catch {
        return true;
      }
    });
    expect(without.map(({ name }) => name).sort()).toEqual(['bedrock', 'bot', 'human']);
  });

  it('is the same model in whatever order its keys are given, in a file and in a model string', () => {
    const [one, other] = [
      nameModel({ model: 'openai:gpt', extraBody }),
      nameModel({ model: 'openai:gpt', extraBody: Object.fromEntries(Object.entries(extraBody).reverse()) }),
    ];
    expect(one).toBe(other);
    expect(new URLSearchParams(one.slice(one.indexOf('?'))).get('extraBody')).toBe(canonical);
    expect(readModelSpec('openai:gpt?extraBody={"b":1,"a":2}&topP=.5').text).toBe(
      readModelSpec('openai:gpt?extraBody=%7B%22a%22:2,%22b%22:1%7D&topP=.5').text,
    );
  });

  it.each([
    [{ messages: [] }, 'messages'],
    [{ model: 'other' }, 'model'],
    [{ temperature: 2 }, 'temperature'],
    [{ response_format: {} }, 'response_format'],
    [{ generationConfig: {} }, 'generationConfig'],
    [{ systemInstruction: {} }, 'systemInstruction'],
    [{ provider: { api_key: 'x' } }, 'apiKeyEnv'],
    [{ a: [{ Authorization: 'x' }] }, 'apiKeyEnv'],
    [{ a: `sk-${'a1'.repeat(24)}` }, 'must not contain (?:a )?key'],
    [{ mcp_servers: [{ url: 'https://trap.example' }] }, 'must not contain an address'],
    [{ 'HTTP://trap.example': true }, 'must not contain an address'],
    [{ a: 'x'.repeat(3000) }, '2000 characters'],
  ])('is refused with what Wolfgraph sets, with keys, addresses and where it is long: %j', (body, words) => {
    const read = () => nameModel({ model: 'openai:gpt', extraBody: body });
    expect(read).toThrow(UsageError);
    expect(read).toThrow(new RegExp(words));
  });

  it.each(['[]', '1', 'null', '{', ''])('is refused where it is no JSON object: %s', (text) => {
    expect(() => readModelSpec(`openai:gpt?extraBody=${text}`)).toThrow('must be a JSON object');
  });
});
