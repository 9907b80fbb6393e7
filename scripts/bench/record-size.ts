// Figure 4: what a match leaves on disk, and what it sends to LangSmith.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { recordFiles } from '../../state/record.ts';
import { atMost, median, rounded, type Figure } from './figure.ts';
import { withModelServer } from './model-server.ts';
import { bareEnv, localModel } from './play-apart.ts';
import { runProgram } from './run-program.ts';
import type { Variant } from './scale.ts';
import { withTraceServer, type TraceServer } from './trace-server.ts';
import type { Workbench } from './workbench.ts';

/** Megabytes. */
interface Sizes {
  record: number;
  prompts: number;
  traced: number;
}

export async function recordSize({ scale, folder, tell }: Workbench): Promise<Figure[]> {
  const all: { of: string; sizes: Sizes[] }[] = [];
  await withTraceServer((traces) =>
    withModelServer(0, async ({ baseUrl }) => {
      for (const variant of scale.variants) {
        tell(`traced matches of ${variant.name}, ${scale.traced} one after another`);
        const out = folder(`traced ${variant.name}`);
        const sizes: Sizes[] = [];
        for (let seed = 1; seed <= scale.traced; seed++)
          sizes.push(await sizesOf(variant, seed, out, localModel(baseUrl), traces));
        all.push({ of: variant.name, sizes });
      }
    }),
  );
  return [
    {
      what: 'Record of a match',
      target: atMost(1.5, '1.5 MB'),
      measured: all.map(({ of, sizes }) => ({ of, ...spread(sizes.map(({ record }) => record)) })),
      how: `all files in the folder of npm run match, its log included; median and largest of ${scale.traced} matches`,
    },
    {
      what: 'Traced of a match',
      target: atMost(1, 'twice the prompts and 1 MB'),
      measured: all.map(({ of, sizes }) => ({ of, ...traced(sizes) })),
      how: 'bytes of all bodies sent to a local stand-in for LangSmith by these matches; the match that exceeds twice its prompts by most',
    },
  ];
}

function spread(sizes: readonly number[]) {
  const most = rounded(Math.max(...sizes), 2, ' MB');
  return { ...most, shown: `${median(sizes).toFixed(2)} MB, largest ${most.shown}` };
}

function traced(sizes: readonly Sizes[]) {
  const excess = (size: Sizes) => size.traced - 2 * size.prompts;
  const worst = sizes.reduce((one, other) => (excess(one) > excess(other) ? one : other));
  const shown = `${worst.traced.toFixed(2)} MB, prompts ${worst.prompts.toFixed(2)} MB`;
  return { shown, number: excess(worst) };
}

/** Plays a match as a user does. */
async function sizesOf(
  { rules, rule }: Variant,
  seed: number,
  out: string,
  model: string,
  { address, takeBytes }: TraceServer,
): Promise<Sizes> {
  const id = `seed-${seed}`;
  const options = Object.entries(rule).flatMap(([name, value]) => ['--rule', `${name}=${value}`]);
  await runProgram(
    process.execPath,
    [
      path.join(import.meta.dirname, '../match.ts'),
      ...['--quiet', '--rules', rules, ...options, '--seed', String(seed), '--model', model, '--out', out, '--id', id],
    ],
    { ...bareEnv, LANGSMITH_TRACING: 'true', LANGSMITH_ENDPOINT: address, LANGSMITH_API_KEY: 'local' },
  );
  const file = (name: string) => path.join(out, id, name);
  const record = readdirSync(path.join(out, id)).reduce((sum, name) => sum + statSync(file(name)).size, 0);
  const prompts = gunzipSync(readFileSync(file(recordFiles.prompts))).length;
  return { record: record / 1e6, prompts: prompts / 1e6, traced: takeBytes() / 1e6 };
}
