// The CPU time of matches relative to that of their calls alone, from a tiny match in separate processes and from given
// times; and the modules that commands load at their start.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readRecord } from '../../models/record/recorder.ts';
import { computeCpuRatios, runPairs, type RatioRuns } from '../../tools/bench/cpu-ratio.ts';
import { measureFaultRatio } from '../../tools/bench/fault-ratio.ts';
import { groupProfile } from '../../tools/bench/profile.ts';
import { runProcess } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();
const tiny = { name: 'tiny', rules: 'arena', rule: { maxRounds: 1, debateTurns: 1 } };

it('makes the calls of a match bare, all of them, and profiles both', async () => {
  const makeFolder = (name: string) => mkdirSync(path.join(root, name), { recursive: true })!;
  const plan = { latencyMs: 0, matches: 1, pairs: 0 };
  const { calls, bareCalls, folders, profiled } = await runPairs(tiny, plan, makeFolder);
  expect(calls).toBe(readRecord(folders[0]!).answers.length);
  expect(bareCalls).toBe(calls);
  expect(Object.keys(profiled.matches.profile)).toEqual(expect.arrayContaining(['LangGraph', 'zod', 'prompts']));
  expect(Object.keys(profiled.bare.profile)).not.toContain('LangGraph');
  expect(profiled.bare.cpuMs).toBeGreaterThan(0);
});

it('plays the same matches with and without faults, which are of several kinds', async () => {
  const makeFolder = (name: string) => mkdirSync(path.join(root, 'faults', name), { recursive: true })!;
  const variant = { name: 'faulty', rules: 'arena', rule: { maxRounds: 2, debateTurns: 4 } };
  const { what, target, values } = await measureFaultRatio(variant, { matches: 3, latencyMs: 5 }, makeFolder);
  expect(what).toBe('Time of matches at 5 % faults over that without');
  expect(target).toMatchObject({ atMost: 2.5 });
  const [{ text, number }] = values as [(typeof values)[number]];
  expect(number).toBeGreaterThan(0);
  const kinds = ['status 503', 'connection closed', 'status 429', 'answer cut off', 'page of a gateway', 'no JSON'];
  for (const kind of kinds) expect(text).toMatch(new RegExp(`${kind} \\d+`));
  const [, answers] = /; (\d+) answers/.exec(text)!;
  const faults = [...text.matchAll(/(?<!status) (\d+)(?=,|$)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  expect(Math.abs(faults - Number(answers) / 20)).toBeLessThan(Number(answers) / 100);
});

describe('the figures', () => {
  const take = (cpuMs: number, profile: Record<string, number> = {}) => ({ folders: [], cpuMs, maxRss: 0, profile });
  const runs: RatioRuns = {
    variant: tiny,
    calls: 100,
    bareCalls: 100,
    folders: [],
    pairs: [
      { matches: take(200), bare: take(100) },
      { matches: take(330), bare: take(150) },
      { matches: take(180), bare: take(100) },
    ],
    profiled: { matches: take(210, { zod: 30, HTTP: 60, Node: 100.5 }), bare: take(100, { HTTP: 80, Node: 10 }) },
  };
  const [ratio, rest] = computeCpuRatios([runs]);

  it('give the median of the pairs, with its range', () => {
    const text = '2.00 (1.80 to 2.20), 100 calls of 1.00 ms bare';
    expect(ratio!.values).toEqual([{ name: 'tiny', text, number: 2 }]);
  });

  it('split what is above the bare calls into parts that add up', () => {
    const parts = rest!.values.map(({ name, number }) => [name, number]);
    expect(parts).toEqual([
      ['Node', 0.91],
      ['zod', 0.3],
      ['start, other threads', 0.1],
      ['HTTP', -0.2],
      ['else', 0],
    ]);
  });
});

it('a profile is grouped by package and folder, built-ins with their callers, and made to add up to the time', () => {
  const frame = (id: number, functionName: string, url: string, children: number[] = []) => ({
    ...{ id, children },
    callFrame: { functionName, url, scriptId: '', lineNumber: 0, columnNumber: 0 },
  });
  const nodes = [
    frame(1, '(root)', '', [2, 3, 7]),
    frame(2, '(idle)', ''),
    frame(3, 'compose', 'file:///there/prompts/compose.ts', [4, 5]),
    frame(4, 'stringify', ''),
    frame(5, 'parse', 'file:///there/node_modules/zod/v4/core/parse.js', [6]),
    frame(6, 'update', 'node:internal/crypto/hash'),
    frame(7, '(garbage collector)', ''),
  ];
  const samples = [2, 3, 4, 5, 6, 7];
  const profile = { nodes, startTime: 0, endTime: 0, samples, timeDeltas: [900, 10, 20, 30, 40, 100] };
  expect(groupProfile(profile, 2)).toEqual({ prompts: 0.3, zod: 0.3, hashing: 0.4, 'collecting garbage': 1 });
});

describe('--help', () => {
  it.each(['match', 'report', 'annotate'] as const)('of %s waits for no client of a provider', async (script) => {
    const listing = `import { registerHooks } from 'node:module';
      const urls = [];
      registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
      process.on('exit', () => process.stderr.write(urls.join('\\n')));`;
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(listing)}` };
    const { stderr } = await runProcess(script, ['--help'], { env });
    const modules = stderr.split('\n');
    expect(
      modules.filter((url) => /node_modules\/(@langchain\/(openai|google)|openai|winston|undici)/.test(url)),
    ).toEqual([]);
    expect(modules.length).toBeGreaterThan(100); // otherwise the list would be empty
    expect(modules.length).toBeLessThan(1000);
  });
});
