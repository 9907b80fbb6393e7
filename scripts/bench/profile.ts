// What the processor's time of a profile was spent on: by package, by folder of the project, by part of Node.
import type { Profiler } from 'node:inspector';

/** The first that fits the address of a function's file. What fits none, such as V8's JSON, counts for its caller. */
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
];

/** V8's names for what is no function. */
const rootNames: Readonly<Record<string, string>> = {
  '(garbage collector)': 'collecting garbage',
  '(program)': 'V8 and the system',
  '(root)': 'V8 and the system',
  '(idle)': '',
};

/**
 * Self time in milliseconds by group, idle time left out. A profile counts time by the clock, in which others have the
 * processor too: its parts are made to add up to `cpuMs`.
 */
export function groupProfile(
  { nodes, samples = [], timeDeltas = [] }: Profiler.Profile,
  cpuMs: number,
): Record<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const groupsById = new Map<number, string>();
  const pending = [{ id: nodes[0]!.id, group: 'V8 and the system' }];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { callFrame, children = [] } = byId.get(next.id)!;
    const { functionName, url } = callFrame;
    const group = rootNames[functionName] ?? groups.find(([, files]) => files.test(url))?.[0] ?? next.group;
    groupsById.set(next.id, group);
    for (const id of children) pending.push({ id, group });
  }
  const sums: Record<string, number> = {};
  for (const [index, id] of samples.entries()) {
    const group = groupsById.get(id)!;
    if (group !== '') sums[group] = (sums[group] ?? 0) + timeDeltas[index]!;
  }
  const total = Object.values(sums).reduce((sum, one) => sum + one, 0);
  for (const group of Object.keys(sums)) sums[group]! *= cpuMs / total;
  return sums;
}
