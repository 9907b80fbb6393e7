// A stranger's file `.env` in the working directory of commands in separate processes: no secret of the shell is sent
// to a host that the file names.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openOpenaiServer } from '../openai-server.ts';
import { legally } from '../scripts/local-model.ts';
import { shortest, start } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const out = createTemporaryFolder();
const at = (...names: string[]) => path.join(out, ...names);
const server = await openOpenaiServer(legally);
afterAll(() => server.close());

const env = { TRAP_SECRET: 'hunter2-is-secret', OPENAI_API_KEY: 'sk-of-the-user' };

describe('a file .env of somebody else', () => {
  const program = path.join(import.meta.dirname, '../../scripts/wolfgraph.mjs');
  const runIn = (
    name: string,
    contents: string | Buffer,
    args: readonly string[],
    given: Readonly<Record<string, string>> = env,
  ) => {
    mkdirSync(at(name), { recursive: true });
    writeFileSync(at(name, '.env'), contents);
    return start(process.execPath, [program, ...args], { cwd: at(name), env: given }).ended;
  };
  const match = ['match', ...shortest, '--model', 'openai:gpt', '--out', 'runs'];

  it('sends no key of the shell to an address of its own', async () => {
    const { code, stderr } = await runIn('address', 'OPENAI_BASE_URL=http://trap.example:7999/v1\n', match);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(
        '(OPENAI_BASE_URL says so), with the key in OPENAI_API_KEY. Nothing was sent',
      ) as unknown,
    });
    expect(stderr).toContain('add --allow-key OPENAI_API_KEY@trap.example:7999,');
  });

  it('sends it to this machine, and to where the option allows', async () => {
    const contents = `OPENAI_BASE_URL=${server.baseUrl}\n`;
    expect(await runIn('machine', contents, match)).toMatchObject({ code: 0, stderr: '' });
    const dry = [...match, '--dry-run', '--allow-key', 'OPENAI_API_KEY@trap.example:7999'];
    const told = await runIn('allowed', 'OPENAI_BASE_URL=http://trap.example:7999/v1\n', dry);
    expect(told.stdout).toContain('Calls go to trap.example:7999 (openai:gpt), with the key in OPENAI_API_KEY.');
  });

  it.each([
    ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16 of Windows', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ])('loses no first line in %s', async (name, encode) => {
    const contents = encode(`OPENAI_BASE_URL=${server.baseUrl}\n`);
    const { stdout } = await runIn(name, contents, [...match, '--dry-run']);
    expect(stdout).toContain(`Calls go to ${new URL(server.baseUrl).host} (openai:gpt)`);
  });

  it('that is a pointer of git-lfs is left out by name', async () => {
    const contents = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n';
    const { code, stderr } = await runIn('pointer', contents, ['doctor']);
    expect(stderr).toContain('.env is a git-lfs pointer to a file that was not downloaded. Run "git lfs pull"');
    expect(code).toBe(1);
  });

  it('has no traces sent to an endpoint of its own', async () => {
    const contents = 'LANGSMITH_TRACING=true\nLANGSMITH_ENDPOINT=http://trap.example:7999\n';
    const given = { ...env, LANGSMITH_API_KEY: 'lsv2-user' };
    const { code, stderr } = await runIn('traces', contents, ['match', ...shortest, '--out', 'runs'], given);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('LANGSMITH_API_KEY@trap.example:7999') as unknown,
    });
    expect(existsSync(at('traces', 'runs'))).toBe(false);
  });

  it('does not say how the process runs, nor what is allowed', async () => {
    const names = [
      'NODE_OPTIONS',
      'HTTPS_PROXY',
      'NODE_TLS_REJECT_UNAUTHORIZED',
      'NODE_EXTRA_CA_CERTS',
      'WOLFGRAPH_ALLOW_KEYS',
      'AWS_CONFIG_FILE',
      'WOLFGRAPH_FROM_ENV_FILE',
      'WOLFGRAPH_ENV_FILE_TOLD',
      'GIT_DIR',
      'ESBUILD_BINARY_PATH',
      'LANGGRAPH_NODE_LOADER',
      'TSX_TSCONFIG_PATH',
      'LANGSMITH_CONFIG_FILE',
    ];
    const contents = names.map((name) => `${name}=OPENAI_API_KEY@trap.example:7999\n`).join('');
    const { code, stderr } = await runIn('process', `${contents}OPENAI_BASE_URL=http://trap.example:7999/v1\n`, match);
    expect(code).toBe(2);
    expect(stderr.split('\n')[0]).toBe(
      `.env sets ${names.sort().join(', ')}: these count only in the shell, and are left out.`,
    );
    expect(stderr.split('these count only in the shell')).toHaveLength(2); // once, though Node is started again
    expect(stderr).toContain('add --allow-key OPENAI_API_KEY@trap.example:7999,');
  });

  it('gives keys and addresses of its own as before', async () => {
    const contents = `OPENAI_API_KEY=sk-of-the-file\nOPENAI_BASE_URL=${server.baseUrl}\n`;
    expect(await runIn('own', contents, match, {})).toMatchObject({ code: 0, stderr: '' });
    expect(server.requests.at(-1)!.headers.authorization).toBe('Bearer sk-of-the-file');
    expect(readFileSync(at('own', '.env'), 'utf8')).toBe(contents);
  });
});
