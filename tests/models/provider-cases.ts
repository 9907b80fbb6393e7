// Test cases for the providers of the register. Each has a model at a server that speaks the provider's protocol.
import type { Environment } from '../../models/model.ts';
import { openaiServers } from '../../models/providers/openai-servers.ts';
import {
  type ModelRequest,
  type ModelScript,
  openModelServer,
  type ProtocolName,
  protocols,
  readModelRequest,
  renderReply,
} from '../model-server.ts';
import { stubVertex } from '../vertex-stub.ts';

/** A model to open, and the requests of its server so far. */
interface ProviderCase {
  spec: string;
  env: Environment;
  requests: readonly ModelRequest[];
  close: () => Promise<void> | void;
}

const key = 'sk-a-key-that-must-not-be-seen';

/** Creates a case for a provider whose models are called at the address in the model string. */
const atServer =
  (protocol: ProtocolName, model: string, env: Environment, options = '') =>
  async (script: ModelScript): Promise<ProviderCase> => {
    const { address, requests, close } = await openModelServer(protocol, script);
    return { spec: `${model}?baseUrl=${address}${options}`, env, requests, close };
  };

/** Google's host cannot be replaced without https, so fetch is replaced. */
function openVertex(script: ModelScript): ProviderCase {
  const requests: ModelRequest[] = [];
  const { restore } = stubVertex(({ url, headers, body }) => {
    const received = { path: new URL(url).pathname, headers: Object.fromEntries(headers), body: { ...body } };
    const request = readModelRequest(protocols.gemini, received);
    requests.push(request);
    const { body: answer = {}, ...rest } = renderReply(protocols.gemini, script(request, requests.length - 1), request);
    return { body: answer, status: rest.status ?? 200, headers: rest.headers ?? {} };
  });
  return { spec: 'vertexai:gemini-2.5-pro', env: { GOOGLE_API_KEY: key }, requests, close: restore };
}

/** Bedrock's host cannot be named in a model string, only in the shell. */
async function openBedrock(script: ModelScript): Promise<ProviderCase> {
  const { address, requests, close } = await openModelServer('converse', script);
  const env = { AWS_BEARER_TOKEN_BEDROCK: key };
  process.env['AWS_ENDPOINT_URL_BEDROCK_RUNTIME'] = address;
  process.env['AWS_BEARER_TOKEN_BEDROCK'] = key;
  process.env['AWS_REGION'] = 'eu-west-1';
  return {
    spec: 'bedrock:anthropic.claude-3-5-haiku-20241022-v1:0',
    env: { ...env, AWS_REGION: 'eu-west-1' },
    requests,
    close: async () => {
      for (const name of ['AWS_ENDPOINT_URL_BEDROCK_RUNTIME', 'AWS_BEARER_TOKEN_BEDROCK', 'AWS_REGION'])
        delete process.env[name];
      await close();
    },
  };
}

const ofOpenAI = Object.entries(openaiServers).map(([provider, { keyEnv }]) => ({
  provider,
  protocol: 'chat' as const,
  start: atServer('chat', `${provider}:some/model:free`, { [keyEnv[0]!]: key }, '/v1'),
}));

/** A provider has several cases if it has several protocols or ways to ask. */
export const providerCases: readonly {
  provider: string;
  protocol: ProtocolName;
  label?: string;
  start: (script: ModelScript) => Promise<ProviderCase> | ProviderCase;
}[] = [
  ...ofOpenAI,
  {
    provider: 'openai',
    label: 'openai, by responses',
    protocol: 'responses',
    start: atServer('responses', 'openai:gpt-4o', { OPENAI_API_KEY: key }, '/v1&api=responses'),
  },
  {
    provider: 'anthropic',
    protocol: 'anthropic',
    start: atServer('anthropic', 'anthropic:claude-haiku-4-5', { ANTHROPIC_API_KEY: key }),
  },
  {
    provider: 'anthropic',
    label: 'anthropic, by a tool',
    protocol: 'anthropic',
    start: atServer('anthropic', 'anthropic:claude-sonnet-4-20250514', { ANTHROPIC_API_KEY: key }),
  },
  {
    provider: 'google-genai',
    protocol: 'gemini',
    start: atServer('gemini', 'google-genai:gemini-2.5-flash', { GEMINI_API_KEY: key }, '/v1beta'),
  },
  { provider: 'vertexai', protocol: 'gemini', start: openVertex },
  { provider: 'bedrock', protocol: 'converse', start: openBedrock },
  { provider: 'ollama', protocol: 'ollama', start: atServer('ollama', 'ollama:llama3.1:8b', {}) },
];
