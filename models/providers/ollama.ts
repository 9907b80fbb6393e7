// The provider `ollama`: models of an Ollama server, through LangChain's package, which is installed only if it is
// needed.
import { UsageError } from '../../state/usage-error.ts';
import type { Provider } from '../model.ts';
import { importChatClass } from './import-chat-class.ts';
import {
  createLanguageModel,
  createModelOptions,
  dropUndefined,
  type ModelOptions,
  readApiKey,
  readBaseUrl,
} from '../model-options.ts';

const home = 'http://127.0.0.1:11434';

/**
 * Default context in tokens. Ollama reserves memory for the whole context. Its own default is smaller, and Ollama
 * silently cuts longer prompts.
 */
const contextTokens = 16_384;

export const ollama: Provider<ModelOptions> = {
  name: 'ollama',
  about: { MODEL: 'a model of an Ollama server; reads OLLAMA_BASE_URL or OLLAMA_HOST' },
  keyEnv: [],
  options: createModelOptions(['api'], { contextTokens }),
  locate: (_spec, { baseUrl, apiKeyEnv = null }, env) => {
    const named = readBaseUrl(env, 'OLLAMA_BASE_URL');
    const host = parseOllamaHost(env['OLLAMA_HOST'] ?? '');
    const address = baseUrl ?? named ?? host ?? home;
    const variable = named === undefined ? 'OLLAMA_HOST' : 'OLLAMA_BASE_URL';
    const addressFrom = baseUrl === undefined && address !== home ? variable : null;
    return { address, isHome: address === home, key: apiKeyEnv, addressFrom };
  },
  open: async (spec, options, { temperature, env }) => {
    const secrets = options.apiKeyEnv ? [readApiKey(env, [options.apiKeyEnv], spec)] : [];
    const { address: baseUrl } = ollama.locate(spec, options, env)!;
    const BaseChat = await importChatClass<typeof import('@langchain/ollama').ChatOllama>(
      spec,
      '@langchain/ollama@1.3.0',
    );
    const { createOllamaChat } = await import('./ollama-chat.ts');
    const chat = createOllamaChat(
      BaseChat,
      {
        model: spec.model,
        baseUrl: baseUrl.replace(/\/+$/, ''),
        maxRetries: 0,
        numCtx: options.contextTokens,
        ...(secrets[0] === undefined ? {} : { headers: { authorization: `Bearer ${secrets[0]}` } }),
        ...dropUndefined({
          temperature: options.temperature ?? temperature ?? undefined,
          topP: options.topP,
          numPredict: options.maxTokens,
          seed: options.seed,
          think: getThinking(spec.model, options.reasoningEffort) as boolean | undefined, // the package also passes words on
        }),
      },
      options.extraBody,
    );
    return createLanguageModel(spec, options, {
      chat,
      schemaOptions: (_name, schema) => ({ format: schema }),
      listed: null,
      server: { name: baseUrl === home ? 'ollama' : new URL(baseUrl).host, address: baseUrl },
      secrets,
    });
  },
};

/**
 * Parses OLLAMA_HOST as Ollama itself does: scheme, port and path are optional, and quotation marks around it are
 * ignored. An address that listens on all networks means this machine. Returns undefined if it is empty. Throws a
 * UsageError for a value that is not an address.
 *
 * @example parseOllamaHost('0.0.0.0:8080') // 'http://127.0.0.1:8080'
 */
export function parseOllamaHost(value: string): string | undefined {
  const text = value.trim().replace(/^["']+|["']+$/g, '');
  if (text === '') return undefined;
  const [, scheme, rest = ''] = /^(?:(\w+):\/\/)?(.*)$/s.exec(text)!;
  const [, place = '', path = ''] = /^([^/]*)(.*)$/s.exec(rest)!;
  const isIPv6 = !place.startsWith('[') && (place.match(/:/g)?.length ?? 0) > 1;
  const [, name = '', port] = isIPv6 ? ['', `[${place}]`] : (/^(\[.*\]|[^:]*)(?::(\d*))?$/.exec(place) ?? []);
  const standard = scheme === 'https' ? '443' : scheme === 'http' ? '80' : '11434';
  const host = ['', '0.0.0.0', '[::]', '::'].includes(name) ? '127.0.0.1' : name;
  const address = `${scheme ?? 'http'}://${host}:${port || standard}${path.replace(/\/+$/, '')}`;
  if (!URL.canParse(address) || !/^https?:/.test(address) || (name === '' && !/^(?:$|:\d*$)/.test(place)))
    throw new UsageError(`OLLAMA_HOST must be the address of an Ollama server, e.g. 127.0.0.1:11434, not "${text}".`);
  return address;
}

/**
 * Returns Ollama's option for thinking. gpt-oss accepts an effort. The thinking of other models can only be switched on
 * or off.
 */
function getThinking(model: string, effort: ModelOptions['reasoningEffort']) {
  if (effort === undefined) return undefined;
  if (effort === 'none') return false;
  const isGraded = model.includes('gpt-oss') && (effort === 'low' || effort === 'medium' || effort === 'high');
  return isGraded ? effort : true;
}
