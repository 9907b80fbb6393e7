// A machine that reaches the network only through a proxy: calls to models and LangSmith go through it.
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { providers } from '../../models/providers/index.ts';
import { openLangsmithServer } from '../langsmith-server.ts';
import { openOpenaiServer } from '../openai-server.ts';
import { legally } from '../scripts/local-model.ts';
import { shortest, start } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { untrustedCertificate } from '../untrusted-certificate.ts';

const program = path.join(import.meta.dirname, '../../scripts/wolfgraph.mjs');
const out = createTemporaryFolder();
/** A server that gives Amazon's credentials for a role. */
const roles = createServer((_question, answer) =>
  answer.end(`<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>
    <AccessKeyId>A</AccessKeyId><SecretAccessKey>S</SecretAccessKey><SessionToken>T</SessionToken>
    <Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>`),
).listen(0, '127.0.0.1');
await once(roles, 'listening');
const models = await openOpenaiServer(legally);
const langsmith = await openLangsmithServer();

/** Host names that only the proxy can resolve, each with its real address. */
const hosts: Readonly<Record<string, string>> = {
  'models.example': new URL(models.baseUrl).host,
  'traces.example': new URL(langsmith.url).host,
  'roles.example': `127.0.0.1:${(roles.address() as AddressInfo).port}`,
};

/** HTTP status with which the proxy refuses all requests. Null if it forwards them. */
let refusal: number | null = null;
const asked: string[] = [];
const proxy = createServer((question, answer) => {
  const { host, pathname, search } = new URL(question.url!);
  asked.push(host);
  const known = hosts[host];
  if (refusal !== null || known === undefined) return void answer.writeHead(refusal ?? 502).end();
  const { method, headers } = question;
  const onward = request(
    `http://${known}${pathname}${search}`,
    { agent: false, method, headers: { ...headers, host: known } },
    (home) => {
      answer.writeHead(home.statusCode!, home.headers);
      home.pipe(answer);
    },
  );
  question.pipe(onward);
}).listen(0, '127.0.0.1');
await once(proxy, 'listening');

/** A server in place of all HTTPS hosts. Nobody trusts its certificate. */
const encrypted = createTlsServer(untrustedCertificate).listen(0, '127.0.0.1');
await once(encrypted, 'listening');
const tunnels: string[] = [];
proxy.on('connect', ({ url }, socket) => {
  tunnels.push(url!);
  if (refusal !== null) return void socket.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`);
  const onward = connect((encrypted.address() as AddressInfo).port, '127.0.0.1');
  socket.write('HTTP/1.1 200 Connected\r\n\r\n');
  socket.on('error', () => onward.destroy()).pipe(onward);
  onward.on('error', () => socket.destroy()).pipe(socket);
});

afterAll(async () => {
  encrypted.close();
  roles.close();
  proxy.close();
  langsmith.close();
  await models.close();
});

const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
const key = 'OPENAI_API_KEY@models.example';
const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  start(process.execPath, [program, ...args], { cwd: out, env: { OPENAI_API_KEY: 'k', HTTP_PROXY: address, ...env } })
    .ended;
const match = (id: string, host = 'http://models.example/v1') => [
  ...['match', ...shortest, '--seed', '3', '--out', id, '--allow-key', key],
  ...['--model', `openai:tiny?baseUrl=${host}`],
];

describe('behind a proxy', () => {
  it('a match asks its model and sends its traces through it', async () => {
    const traced = {
      LANGSMITH_TRACING: 'true',
      LANGSMITH_ENDPOINT: 'http://traces.example',
      LANGSMITH_API_KEY: 'local',
    };
    const { code, stderr } = await run(match('through'), traced);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(new Set(asked)).toEqual(new Set(['models.example', 'traces.example']));
    expect(langsmith.runs().length).toBeGreaterThan(10);
  });

  it('a server on this machine is asked without it', async () => {
    asked.length = 0;
    const { code, stderr } = await run(match('local', models.baseUrl));
    expect({ code, stderr, asked }).toEqual({ code: 0, stderr: '', asked: [] });
  });

  it('a refusal of the proxy stops at once, with what to check', async () => {
    refusal = 407;
    const { code, stderr } = await run(match('refused')).finally(() => (refusal = null));
    expect(code).toBe(3);
    expect(stderr).toContain('The proxy answered with status 407: check HTTPS_PROXY');
    expect(stderr).toContain('add the server to NO_PROXY');
  });

  it('doctor says where calls go by way of', async () => {
    const { stdout } = await run(['doctor'], { HTTP_PROXY: address.replace('//', '//me:secret@') });
    expect(stdout).toMatch(/^ok +proxy +calls go through 127\.0\.0\.1:\d+, except to localhost, 127\.0\.0\.1/m);
    expect(stdout).not.toContain('secret');
    const wrong = await run(['doctor'], { HTTP_PROXY: 'proxy.lab' });
    expect(wrong.stdout).toMatch(/^FAULT +proxy .*is not an address/m);
  });
});

/** Providers that call a server, each with a model and the settings that its client needs before it connects. */
const called = providers.filter(({ name }) => name !== 'bot' && name !== 'human').map(({ name }) => name);
const options: Readonly<Record<string, string>> = { ollama: '?baseUrl=https://ollama.example' };
const specs = called.map((name) => `${name}:gemini-any${options[name] ?? ''}`);
const credentials = Object.fromEntries(
  providers.flatMap(({ keyEnv = [] }) => keyEnv.map((variable) => [variable, 'k'])),
);
const callAll = async (env: Readonly<Record<string, string>> = {}) => {
  tunnels.length = 0;
  const { stdout } = await run(['doctor', '--call', ...specs], {
    ...credentials,
    AWS_REGION: 'eu-west-1',
    AWS_BEARER_TOKEN_BEDROCK: 'k',
    AZURE_OPENAI_ENDPOINT: 'https://mine.openai.azure.com',
    HTTPS_PROXY: address,
    ...env,
  });
  return stdout.split('\n').filter((line) => /^\S+ +call /.test(line));
};

describe('the client of every provider', () => {
  it('connects through the proxy, and names NODE_EXTRA_CA_CERTS where a certificate is not trusted', async () => {
    const lines = await callAll();
    const other = lines.filter((line) => !/certificate.*NODE_EXTRA_CA_CERTS/.test(line));
    expect({ lines: lines.length, other }).toEqual({ lines: called.length, other: [] });
    expect(tunnels).toHaveLength(called.length);
    expect(tunnels).toContain('bedrock-runtime.eu-west-1.amazonaws.com:443');
    expect(tunnels).toContain('aiplatform.googleapis.com:443');
  });

  it('says what to check where the proxy refuses', async () => {
    refusal = 403;
    const lines = await callAll().finally(() => (refusal = null));
    expect(lines.filter((line) => !line.includes('The proxy answered with status 403: check HTTPS_PROXY'))).toEqual([]);
    expect(lines).toHaveLength(called.length);
  });

  it('leaves the proxy aside for the hosts of NO_PROXY', async () => {
    await callAll({ NO_PROXY: '.amazonaws.com,api.openai.com' });
    expect(tunnels).toHaveLength(called.length - 2);
    expect(tunnels.filter((host) => /amazonaws|api\.openai/.test(host))).toEqual([]);
  });
});

/**
 * Writes credentials that a client must first exchange for others at a server. Returns the environment that names them.
 */
function writeCredentials(): Readonly<Record<string, string>> {
  const home = createTemporaryFolder();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const account = {
    ...{ type: 'service_account', project_id: 'p', client_email: 'a@p.iam.gserviceaccount.com', client_id: '1' },
    ...{ private_key_id: 'x', private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }) },
    token_uri: 'https://oauth2.googleapis.com/token',
  };
  writeFileSync(path.join(home, 'account.json'), JSON.stringify(account));
  const portal = 'https://d-1.awsapps.com/start';
  const sso = ['[profile sso]', `sso_start_url = ${portal}`, 'sso_region = eu-west-1', 'sso_account_id = 1'];
  const role = ['[profile role]', 'role_arn = arn:aws:iam::123456789012:role/r', 'source_profile = base'];
  const base = ['[profile base]', 'aws_access_key_id = A', 'aws_secret_access_key = S'];
  writeFileSync(path.join(home, 'aws'), [...sso, 'sso_role_name = r', ...role, ...base].join('\n'));
  const cache = path.join(home, '.aws', 'sso', 'cache');
  mkdirSync(cache, { recursive: true });
  const name = createHash('sha1').update(portal).digest('hex');
  const token = { startUrl: portal, region: 'eu-west-1', accessToken: 't', expiresAt: '2099-01-01T00:00:00Z' };
  writeFileSync(path.join(cache, `${name}.json`), JSON.stringify(token));
  return {
    ...{ HOME: home, AWS_CONFIG_FILE: path.join(home, 'aws'), AWS_REGION: 'eu-west-1', HTTPS_PROXY: address },
    GOOGLE_APPLICATION_CREDENTIALS: path.join(home, 'account.json'),
  };
}

describe('credentials that a server gives', () => {
  const env = writeCredentials();
  const call = async (model: string, more: Readonly<Record<string, string>> = {}) => {
    tunnels.length = asked.length = 0;
    const { stdout } = await run(['doctor', '--call', model], { ...env, ...more });
    return stdout.split('\n').find((line) => /^\S+ +call /.test(line));
  };

  it.each([
    ['vertexai:gemini-any', 'service account', {}, 'oauth2.googleapis.com:443'],
    ['bedrock:any', 'role', { AWS_PROFILE: 'role' }, 'sts.eu-west-1.amazonaws.com:443'],
    ['bedrock:any', 'SSO', { AWS_PROFILE: 'sso' }, 'portal.sso.eu-west-1.amazonaws.com:443'],
  ])(
    '%s with a %s asks for them through the proxy, and names its refusal and a certificate',
    async (model, _kind, more, host) => {
      // prettier-ignore
      expect(await call(model, more)).toMatch(/certificate.*NODE_EXTRA_CA_CERTS/);
      expect(new Set(tunnels)).toEqual(new Set([host]));
      refusal = 403;
      const line = await call(model, more).finally(() => (refusal = null));
      expect(line).toContain('The proxy answered with status 403: check HTTPS_PROXY');
      expect(new Set(tunnels)).toEqual(new Set([host]));
    },
  );

  it('are then used: bedrock is called with those of a role', async () => {
    await call('bedrock:any', { AWS_PROFILE: 'role', AWS_ENDPOINT_URL_STS: 'http://roles.example' });
    expect({ asked, tunnels }).toEqual({
      asked: ['roles.example'],
      tunnels: ['bedrock-runtime.eu-west-1.amazonaws.com:443'],
    });
  });
});
