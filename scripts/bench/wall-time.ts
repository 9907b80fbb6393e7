// Figure 1: how near a match comes to the time that waiting alone takes.
import { readRecord } from '../../models/record/recorder.ts';
import { atMost, median, rounded, unmeasured, type Figure, type Measured } from './figure.ts';
import { fullRounds, latencies } from './latencies.ts';
import type { TimedMatches, Workbench } from './workbench.ts';

export async function wallTime({ scale, timedMatches }: Workbench): Promise<Figure[]> {
  const all = await timedMatches();
  const target = atMost(1.1, '1.10');
  const how = `playMatch from its call to its result, over the latencies on the match's critical path × ${scale.latencyMs} ms`;
  return [
    {
      what: 'Wall time over waiting alone, matches of a running process',
      target,
      measured: all.map((timed) => overWaiting(timed, scale.latencyMs, 1)),
      how: `${how}; one match after another, without the first; their median, and least and most`,
    },
    {
      what: 'The same, first match of a process',
      target,
      measured: all.map((timed) => overWaiting(timed, scale.latencyMs, 0, 1)),
      how: `the same; loading the model's package, opening models and the first use of all code included`,
    },
    ...all.flatMap(latenciesOfRounds),
  ];
}

/** Of the matches from `from` on, and before `to`. */
function overWaiting({ variant, played }: TimedMatches, latencyMs: number, from: number, to?: number): Measured {
  const matches = played.matches.slice(from, to);
  if (matches.length === 0) return { of: variant.name, ...unmeasured };
  const counts = matches.map(({ folder }) => latencies(readRecord(folder).answers));
  const ratios = matches.map(({ wallMs }, index) => wallMs / (counts[index]! * latencyMs));
  const ratio = rounded(median(ratios), 2);
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)].map((one) => rounded(one, 2).shown);
  const range = least === most ? '' : `${least} to ${most}; `;
  return { of: variant.name, ...ratio, shown: `${ratio.shown} (${range}${counts.join(', ')} latencies)` };
}

function latenciesOfRounds({ variant, played }: TimedMatches): Figure[] {
  if (variant.latencies === null) return [];
  const counts = played.matches.flatMap(({ folder }) => fullRounds(readRecord(folder).answers));
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return [
    {
      what: 'Latencies of a full round',
      target: atMost(variant.latencies, String(variant.latencies)),
      measured: [
        {
          of: variant.name,
          ...(counts.length === 0
            ? unmeasured
            : { shown: least === most ? String(most) : `${least} to ${most}`, number: most }),
        },
      ],
      how: `the longest chain of calls in the record of which each began when the one before had ended; ${counts.length} rounds from the night to the summaries, without a second round of proposals at night`,
    },
  ];
}
