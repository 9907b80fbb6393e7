// Plans, match files, models files and `.env` that would send a key elsewhere: no host is called before the command
// line allows it.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import pLimit from 'p-limit';
import { openOpenaiServer } from '../openai-server.ts';
import { legally, reaching } from '../scripts/local-model.ts';
import { findOuterAddress, openTrap } from '../hostile/trap-server.ts';
import { startLimited } from '../hostile/limited-script.ts';
import { run, short, shortest } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const describeLinux = process.platform === 'linux' ? describe : describe.skip;

// An address that is neither loopback nor a vendor's. On a machine without a network, a name that does not exist is
// used instead, and only refusals are tested.
const outer = findOuterAddress();
const trap = outer === null ? null : await openTrap(outer);
afterAll(() => trap?.close());
const host = trap?.host ?? 'trap.example:7999';
const address = `http://${host}/v1`;
const secret = 'trap-secret-0123456789';

const root = createTemporaryFolder();
const stranger = path.join(root, 'stranger');
mkdirSync(stranger);
const write = (name: string, value: unknown) =>
  writeFileSync(path.join(stranger, name), typeof value === 'string' ? value : JSON.stringify(value));
await run('match', [...shortest, '--seed', '1', '--out', path.join(stranger, 'runs'), '--quiet']);
// A model that plays, and is then asked about its own match.
const local = await openOpenaiServer(legally);
const played = [...shortest, '--seed', '1', '--model', 'openai:gpt', '--out', path.join(stranger, 'played'), '--quiet'];
await run('match', played, reaching(local));
await local.close();

const reach = { baseUrl: address, apiKeyEnv: 'TRAP_SECRET' };
const text = `openai:gpt?baseUrl=${address}&apiKeyEnv=TRAP_SECRET`;
const gpt = { model: 'openai:gpt', ...reach };
const rule = { debateTurns: 1, maxRounds: 1, analysis: 'off' };
const tournament = { rules: 'arena', rule, format: 'round-robin', deals: 1 };
write('models.yaml', { gpt });
write('match.yaml', { rules: 'arena', rule, model: text });
write('seats.yaml', { rules: 'arena', rule, models: { gpt }, roles: { Seer: 'gpt' } });
write('linked.yaml', { rules: 'arena', rule, models: 'models.yaml', werewolves: 'gpt' });
write('plan.yaml', { name: 'a', ...tournament, entrants: { one: text, two: 'bot:classic' } });
write('named.yaml', { name: 'b', ...tournament, models: { gpt }, entrants: { one: 'gpt', two: 'bot:classic' } });
write('linked-plan.yaml', {
  name: 'c',
  ...tournament,
  models: 'models.yaml',
  entrants: { one: 'gpt', two: 'bot:classic' },
});
write(
  '.env',
  `OPENAI_BASE_URL=${address}\nLANGSMITH_ENDPOINT=http://${host}\nWOLFGRAPH_ALLOW_KEYS=OPENAI_API_KEY@${host},TRAP_SECRET@${host}\n`,
);

/** A command that calls an address, and the permission `pair` that it needs for the call. */
interface Case {
  command: [script: string, ...args: string[]];
  pair: string;
  env: Record<string, string>;
  /** Whether the command has a dry run, which makes no call. */
  hasDryRun?: boolean;
}

const at = (name: string) => path.join(stranger, name);
const named = `TRAP_SECRET@${host}`;
const ofEnv = `OPENAI_API_KEY@${host}`;
const shell = { TRAP_SECRET: secret };
const openai = { OPENAI_API_KEY: secret };
const models = ['--models', at('models.yaml')];
const cases: readonly Case[] = [
  ...['match.yaml', 'seats.yaml', 'linked.yaml'].map((file): Case => ({
    command: ['match', at(file), '--out', at(`out-${file}`)],
    pair: named,
    env: shell,
    hasDryRun: true,
  })),
  ...['plan.yaml', 'named.yaml', 'linked-plan.yaml'].map((file): Case => ({
    command: ['tournament', at(file), '--out', at(`out-${file}`)],
    pair: named,
    env: shell,
    hasDryRun: true,
  })),
  {
    command: ['match', ...short, ...models, '--model', 'gpt', '--out', at('out-1')],
    pair: named,
    env: shell,
    hasDryRun: true,
  },
  { command: ['annotate', at('runs'), ...models, '--model', 'gpt'], pair: named, env: shell, hasDryRun: true },
  {
    command: ['report', at('runs'), ...models, '--judge', 'gpt', '--no-baselines'],
    pair: named,
    env: shell,
    hasDryRun: true,
  },
  { command: ['doctor', ...models, '--call', 'gpt'], pair: named, env: shell },
  {
    command: ['validate', '--claims', '--corpus', 'table', ...models, '--judge', 'gpt', '--answers', at('kept-1')],
    pair: named,
    env: shell,
    hasDryRun: true,
  },
  // Addresses in the `.env` of the working directory, with the key from the shell. One command's dry run shows that
  // every command reads these addresses.
  {
    command: ['match', ...short, '--model', 'openai:gpt', '--out', 'out-2'],
    pair: ofEnv,
    env: openai,
    hasDryRun: true,
  },
  { command: ['annotate', 'runs', '--model', 'openai:gpt'], pair: ofEnv, env: openai },
  { command: ['report', 'runs', '--judge', 'openai:gpt', '--no-baselines'], pair: ofEnv, env: openai },
  { command: ['doctor', '--call', 'openai:gpt'], pair: ofEnv, env: openai },
  { command: ['pool', 'build', 'played', '--out', 'pool', '--reflect', 'openai:gpt'], pair: ofEnv, env: openai },
  {
    command: ['validate', '--claims', '--corpus', 'table', '--judge', 'openai:gpt', '--answers', 'kept-2'],
    pair: ofEnv,
    env: openai,
  },
  {
    command: ['match', ...shortest, '--out', 'traced'],
    pair: `LANGSMITH_API_KEY@${host}`,
    env: { LANGSMITH_API_KEY: secret, LANGSMITH_TRACING: 'true' },
  },
];

const limit = pLimit(2);
/** Runs the command, in a separate process in the stranger's folder if it must read the folder's `.env`. */
const type = ({ command: [script, ...args], env, pair }: Case, ...more: string[]) =>
  limit(() =>
    pair === named
      ? run(script as Parameters<typeof run>[0], [...args, ...more], { env })
      : startLimited(script, [...args, ...more], { env, cwd: stranger }).ended,
  );

const results = await Promise.all(
  cases.map(async (one) => ({
    plain: await type(one),
    dry: one.hasDryRun ? await type(one, '--dry-run') : null,
  })),
);
const before = { requests: [...(trap?.requests ?? [])], connections: trap?.countConnections() ?? 0 };

describeLinux('a key that a file sends to a host that is neither a vendor’s nor of this machine', () => {
  it.each(cases.map(({ command, pair }, place) => [command.join(' ').replaceAll(root, ''), pair, place] as const))(
    'is not sent by %s, which says how it is allowed',
    (_, pair, place) => {
      const { plain, dry } = results[place]!;
      const told = plain.stdout + plain.stderr;
      expect({ code: plain.code, told }).toEqual({ code: _.startsWith('doctor') ? 1 : 2, told });
      expect(plain.stdout + plain.stderr).toContain(`--allow-key ${pair}`);
      if (dry !== null) {
        expect(dry.stdout + dry.stderr).toContain(`--allow-key ${pair}`);
        expect(dry.stdout).toContain(`Calls would go to ${host}`);
      }
      for (const ended of [plain, dry]) expect((ended?.stdout ?? '') + (ended?.stderr ?? '')).not.toContain(secret);
    },
  );

  it('and nobody has connected before', () => {
    expect(before).toEqual({ requests: [], connections: 0 });
  });

  (trap === null ? it.skip : it)('is sent where the command line allows it', async () => {
    const chosen = cases.filter(({ command: [script] }) => script !== 'validate');
    for (const one of chosen) {
      const count = trap!.requests.length;
      await type(one, '--allow-key', one.pair);
      expect({ one, called: trap!.requests.length > count }).toEqual({ one, called: true });
    }
  });
});
