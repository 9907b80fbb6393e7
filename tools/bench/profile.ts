// Splits a process's CPU time by package and folder.
import type { Profiler } from 'node:inspector';
import { sum } from '../../deception/statistics/sums.ts';

/**
 * Groups of functions. The pattern of a group matches a function's file, or V8's name for internal work. The first
 * matching group counts. The time of a function that matches no group, such as V8's JSON, counts for its caller.
 */
const groups: readonly (readonly [string, RegExp])[] = [
  ['LangGraph', /node_modules\/@langchain\/langgraph/],
  ['LangChain, OpenAI', /node_modules\/(@langchain|openai|langsmith)\//],
  ['zod', /node_modules\/zod\//],
  ['HTTP', /node_modules\/undici|^node:.*(undici|http|net|stream|tls|dns|url|web)/],
  ['other packages', /node_modules\//],
  ['record', /\/models\/record\/|^node:.*(fs|zlib)/],
  ['hashing', /^node:.*crypto/],
  ['loading code', /^node:.*(modules|vm|esm)/],
  ['Node', /^node:/],
  ['prompts', /\/prompts\//],
  ['models', /\/models\//],
  ['state', /\/state\//],
  ['graph, nodes', /\/(graph|nodes)\//],
  ['measuring', /\/deception\//],
  ['bench', /^file:/],
  ['collecting garbage', /^\(garbage collector\)$/],
  ['V8 and the system', /^\((program|root)\)$/],
  ['', /^\(idle\)$/],
];

/**
 * Returns the self time in milliseconds by group, without idle time. A profile measures wall time, which other
 * processes share, so the parts are scaled to add up to `cpuMs`.
 */
export function groupProfile({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, cpuMs: number) {
  const groupsById = new Map<number, string>();
  for (const { id, callFrame, children = [] } of nodes) {
    // Profiles list callers before callees, so that the caller's group is already known.
    const place = callFrame.url || callFrame.functionName;
    const group = groups.find(([, places]) => places.test(place))?.[0] ?? groupsById.get(id)!;
    for (const each of [id, ...children]) groupsById.set(each, group);
  }
  const sums: Record<string, number> = {};
  for (const [index, id] of samples.entries()) {
    const group = groupsById.get(id)!;
    if (group !== '') sums[group] = (sums[group] ?? 0) + timeDeltas[index]!;
  }
  const total = sum(Object.values(sums));
  return Object.fromEntries(Object.entries(sums).map(([group, time]) => [group, (time * cpuMs) / total]));
}
