// The process that plays: it is given matches, plays them, and says what they took, so that nothing else is measured.
import pLimit from 'p-limit';
import { playMatch } from '../../graph/play-match.ts';
import type { MatchPlan } from '../../graph/prepare.ts';

export interface Job {
  matches: readonly MatchPlan[];
  /** Matches played at the same time. */
  inFlight: number;
  /** Calls under way at the same time, of all matches together. */
  concurrency: number;
  /** Where their folders are made. */
  out: string;
}

export interface Played {
  matches: { folder: string; wallMs: number; calls: number }[];
  /** CPU of this process, system and all threads included, in milliseconds: from its start, and of the playing alone. */
  cpuMs: number;
  playingCpuMs: number;
  /** Most resident memory of this process, in bytes. */
  maxRss: number;
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function play({ matches, inFlight, concurrency, out }: Job): Promise<Played> {
  const before = cpuMs();
  const calls = pLimit(concurrency);
  const seats = pLimit(inFlight);
  const played = matches.map((plan) =>
    seats(async () => {
      const start = performance.now();
      const { folder, summary } = await playMatch({ ...plan, out, concurrency: calls });
      return { folder: folder!, wallMs: performance.now() - start, calls: summary.model_calls.total.calls };
    }),
  );
  return {
    matches: await Promise.all(played),
    cpuMs: cpuMs(),
    playingCpuMs: cpuMs() - before,
    maxRss: process.resourceUsage().maxRSS * 1024,
  };
}

process.once('message', (job: Job) => {
  void play(job).then((played) => process.send!(played, () => process.disconnect()));
});
