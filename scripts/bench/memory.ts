// Figure 2, second half: what many matches in flight take of memory, and whether their common limit holds.
import { atMost, rounded, type Figure } from './figure.ts';
import { withModelServer } from './model-server.ts';
import { localModel, playApart } from './play-apart.ts';
import { plansOf } from './scale.ts';
import type { Workbench } from './workbench.ts';

export function memory({ scale, folder, tell }: Workbench): Promise<Figure[]> {
  const { matches: count, latencyMs, concurrency } = scale.crowd;
  const variant = scale.variants.at(-1)!;
  tell(`${count} matches of ${variant.name} in flight at ${latencyMs} ms latency`);
  return withModelServer(latencyMs, async ({ baseUrl, mostUnderWay, calls }) => {
    const matches = plansOf(variant, localModel(baseUrl), count);
    const { maxRss, cpuMs } = await playApart({ matches, inFlight: count, concurrency, out: folder('crowd') });
    return [
      {
        what: `Memory with ${count} matches in flight`,
        target: atMost(1000, '1000 MB'),
        measured: [rounded(maxRss / 1e6, 0, ' MB')],
        how: `the most resident memory of one process that plays ${count} matches of ${variant.name} side by side to their ends, recorded on disk, against a server of ${latencyMs / 1000} s latency; ${calls()} calls, ${(cpuMs / calls()).toFixed(1)} ms CPU each`,
      },
      {
        what: 'Calls under way meanwhile',
        target: atMost(concurrency, String(concurrency)),
        measured: [rounded(mostUnderWay(), 0, ' at most')],
        how: `counted by the server; one limit of ${concurrency} for all matches`,
      },
    ];
  });
}
