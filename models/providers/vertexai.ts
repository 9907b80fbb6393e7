// The provider `vertexai`: Google's Gemini models on Vertex AI.
import path from 'node:path';
import { getDisk } from '../machine/machine.ts';
import { parseJson } from '../../state/text.ts';
import { UsageError } from '../../state/usage-error.ts';
import { createFileTest } from '../key-policy.ts';
import type { Environment, ModelSpec, Provider } from '../model.ts';
import { getThinkingConfig, createGeminiSchemaOptions } from './gemini-options.ts';
import {
  createLanguageModel,
  createModelOptions,
  dropUndefined,
  type ModelOptions,
  readApiKey,
} from '../model-options.ts';
import { findPrice } from './prices.ts';

/**
 * Variable with the file of Google's credentials. In permissions and notices, its name also stands for credentials from
 * a login or from the machine.
 */
const googleCredentials = 'GOOGLE_APPLICATION_CREDENTIALS';

/** Variables that are set on Google's own machines, where credentials come from the machine. */
const googleHostVariables = [
  'GOOGLE_CLOUD_PROJECT',
  'GCLOUD_PROJECT',
  'GCE_METADATA_HOST',
  'GCE_METADATA_IP',
  'K_SERVICE',
  'CLOUD_RUN_JOB',
  'FUNCTION_TARGET',
  'GAE_SERVICE',
];

/**
 * Checks, without a call, whether Google's application default credentials can probably be found. Throws a UsageError
 * that says what to set if there is no sign of them, or if a named file does not exist.
 */
function checkCredentials(env: Environment, { provider, model }: ModelSpec): void {
  const file = env['GOOGLE_APPLICATION_CREDENTIALS'];
  if (file) {
    if (getDisk().exists(file)) {
      if (createFileTest(env)('GOOGLE_APPLICATION_CREDENTIALS')) checkPlainCredentials(file);
      return;
    }
    throw new UsageError(
      `GOOGLE_APPLICATION_CREDENTIALS names "${file}", which does not exist: ${provider}:${model} needs it.`,
    );
  }
  if (googleHostVariables.some((name) => env[name])) return;
  const login = findLoginFile(env);
  if (login && getDisk().exists(login)) return;
  throw new UsageError(
    `No credentials for ${provider}:${model}: set GOOGLE_API_KEY, or set GOOGLE_APPLICATION_CREDENTIALS to a key file, or run "gcloud auth application-default login", or, on a machine of Google Cloud, set GOOGLE_CLOUD_PROJECT.`,
  );
}

/**
 * Throws a UsageError for credentials that name the address, file or program from which a token is fetched. A
 * stranger's `.env` file could name such credentials and have any file sent anywhere.
 */
function checkPlainCredentials(file: string): void {
  const { type, universe_domain: domain = 'googleapis.com' } = (parseJson(getDisk().readText(file)) ?? {}) as {
    type?: unknown;
    universe_domain?: unknown;
  };
  if ((type === 'service_account' || type === 'authorized_user') && domain === 'googleapis.com') return;
  throw new UsageError(
    `GOOGLE_APPLICATION_CREDENTIALS in .env names "${file}", which is not a plain service account or login. Set the variable in the shell if you trust that file.`,
  );
}

/** Returns the file in which gcloud stores the credentials of a login. */
function findLoginFile(env: Environment): string | undefined {
  const { CLOUDSDK_CONFIG: config, APPDATA: windows, HOME: home } = env;
  const folder = config || (windows ? path.join(windows, 'gcloud') : home && path.join(home, '.config', 'gcloud'));
  return folder ? path.join(folder, 'application_default_credentials.json') : undefined;
}

/** Options of the model string. Google's package uses Node's own `fetch`, which limits the timeout. */
const VertexOptions = createModelOptions(['api']).refine(({ timeout }) => timeout <= 300, {
  path: ['timeout'],
  error: 'must be at most 300: Node waits no longer for the beginning of an answer',
});

export const vertexai: Provider<ModelOptions> = {
  name: 'vertexai',
  aliases: ['google-vertexai', 'google-vertexai-web'],
  keyEnv: ['GOOGLE_API_KEY'],
  credentials: [googleCredentials],
  about: { MODEL: 'Gemini on Vertex AI; reads GOOGLE_API_KEY or the application default credentials' },
  options: VertexOptions,
  isOwnHost,
  locate: (_spec, { baseUrl, apiKeyEnv }, env) => {
    const isKeyed = apiKeyEnv !== undefined || Boolean(env['GOOGLE_API_KEY']?.trim());
    const location = isKeyed ? 'global' : readLocation(env);
    const host =
      location === 'global'
        ? 'aiplatform.googleapis.com'
        : location.includes('-')
          ? `${location}-aiplatform.googleapis.com`
          : `aiplatform.${location}.rep.googleapis.com`;
    const address = baseUrl ?? `https://${host}`;
    return {
      address,
      isHome: isOwnHost(new URL(address).host),
      key: apiKeyEnv ?? (isKeyed ? 'GOOGLE_API_KEY' : googleCredentials),
      addressFrom: null,
    };
  },
  open: async (spec, options, { temperature, env }) => {
    if (!/^gem(ini|ma)/i.test(spec.model))
      throw new UsageError(
        `Unknown model "vertexai:${spec.model}": only Vertex AI's models named gemini-… and gemma-… are supported. Use others as openai:MODEL with the baseUrl of a server that speaks OpenAI's protocol.`,
      );
    const apiKey = findApiKey(env, options, spec);
    if (apiKey === undefined) checkCredentials(env, spec);
    const thinkingConfig = getThinkingConfig(spec.model, options.reasoningEffort);
    const { GeminiChat } = await import('./gemini-chat.ts');
    const chat = new GeminiChat(
      {
        model: spec.model,
        location: readLocation(env),
        ...dropUndefined({
          apiKey,
          endpoint: parseEndpoint(options, apiKey),
          temperature: options.temperature ?? temperature ?? undefined,
          topP: options.topP,
          maxOutputTokens: options.maxTokens,
          seed: options.seed,
          authOptions: (await import('../proxies.ts')).findProxies(env) === null ? undefined : proxiedCredentials,
        }),
      },
      { thinking: thinkingConfig, extraBody: options.extraBody },
    );
    return createLanguageModel(spec, options, {
      chat,
      schemaOptions: createGeminiSchemaOptions,
      listed: options.baseUrl === undefined ? findPrice('vertexai', spec.model) : null,
      secrets: apiKey === undefined ? [] : [apiKey],
    });
  },
};

/**
 * Makes Google's credentials package use Node's `fetch`. Left alone, the package connects through proxies, but reports
 * a proxy's refusal as if Google's server had refused. `fetch` uses the same proxies, and its errors name them.
 */
const proxiedCredentials = {
  clientOptions: {
    transporterOptions: {
      fetchImplementation: (url: string | URL | Request, init?: RequestInit) => fetch(url, init),
    },
  },
};

/** Returns whether a host belongs to Vertex AI, which has one host for all locations and one for each location. */
function isOwnHost(host: string): boolean {
  return (
    /^([a-z0-9-]+-)?aiplatform\.googleapis\.com$/.test(host) || /^aiplatform\.[a-z]+\.rep\.googleapis\.com$/.test(host)
  );
}

/**
 * Returns the location. Throws a UsageError if it is malformed, because it becomes part of the host that receives the
 * request.
 */
function readLocation(env: Environment): string {
  const location = env['GOOGLE_CLOUD_LOCATION']?.trim() || 'global';
  if (/^[a-z0-9-]+$/.test(location)) return location;
  throw new UsageError(`GOOGLE_CLOUD_LOCATION must be a location such as us-central1, not "${location}".`);
}

/** Returns the key; undefined if application default credentials should be used. */
const findApiKey = (env: Environment, { apiKeyEnv }: ModelOptions, spec: ModelSpec) =>
  apiKeyEnv === undefined ? env['GOOGLE_API_KEY']?.trim() || undefined : readApiKey(env, [apiKeyEnv], spec);

/** Returns host and path of a server that replaces Google's. */
function parseEndpoint({ baseUrl }: ModelOptions, apiKey: string | undefined): string | undefined {
  if (baseUrl === undefined) return undefined;
  const { protocol, host, pathname } = new URL(baseUrl);
  if (protocol !== 'https:')
    throw new UsageError(`baseUrl of a vertexai model must begin with https://, not ${protocol}//.`);
  if (apiKey !== undefined)
    throw new UsageError(
      'baseUrl of a vertexai model works with application default credentials only, not with a key.',
    );
  return `${host}${pathname.replace(/\/+$/, '')}`;
}
