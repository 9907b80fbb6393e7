// Figure 2, first half: what a match takes of the processor.
import { atLeast, atMost, rounded, type Figure, type Measured } from './figure.ts';
import { playApart } from './play-apart.ts';
import { plansOf } from './scale.ts';
import type { Workbench } from './workbench.ts';

export async function cpuPerCall({ scale, timedMatches }: Workbench): Promise<Figure> {
  const all = await timedMatches();
  const measured = all.map(({ variant, played }) => {
    const calls = played.matches.reduce((sum, match) => sum + match.calls, 0);
    return { of: variant.name, ...rounded(played.cpuMs / calls, 1, ' ms') };
  });
  return {
    what: 'CPU per model call through ChatOpenAI',
    target: atMost(4, '4 ms'),
    measured,
    how: `user and system time of the whole process, its start and all its threads included, over its calls: ${scale.timed} matches one after another against a local server in another process, recorded on disk`,
  };
}

export async function botMatches({ scale, folder, tell }: Workbench): Promise<Figure> {
  const measured: Measured[] = [];
  for (const variant of scale.variants) {
    tell(`bot matches of ${variant.name}, ${scale.bots} one after another`);
    const matches = plansOf(variant, 'bot:classic', scale.bots);
    const { cpuMs } = await playApart({ matches, inFlight: 1, concurrency: 32, out: folder(`bots ${variant.name}`) });
    measured.push({ of: variant.name, ...rounded(scale.bots / (cpuMs / 1000), 1) });
  }
  return {
    what: 'Bot matches per second of one core',
    target: atLeast(3, '3'),
    measured,
    how: `${scale.bots} matches of bot:classic one after another, recorded on disk, over the user and system time of the whole process, its start included`,
  };
}
