// Measures how long commands take that read a study: `verify`, `compare` and the chance baseline of a board.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type BenchFigure, roundTo } from './bench-figure.ts';
import { cleanEnv, readNodeFlags, runNode } from './timed-process.ts';

/** Size of a crossed study of three bots: the number of deals. */
export interface StudySize {
  deals: number;
}

const models = ['bot:classic?salt=1', 'bot:classic?salt=2', 'bot:classic?lie=0.3&salt=3'];

const script = (name: string) => path.join(import.meta.dirname, '..', '..', 'scripts', `${name}.ts`);

/** Runs a command in a separate process, as npm starts it. Returns its duration in milliseconds. */
async function time(command: string, ...args: string[]): Promise<number> {
  const begun = performance.now();
  await runNode([...readNodeFlags(command), script(command), ...args], cleanEnv);
  return performance.now() - begun;
}

const countMatches = (out: string) =>
  readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => path.basename(name) === 'manifest.json')
    .length;

/**
 * Plays the study, then measures each command on it. All caches are empty at the start.
 *
 * @example await measureReading({ deals: 12 }, makeFolder)
 */
export async function measureReading(
  { deals }: StudySize,
  makeFolder: (name: string) => string,
): Promise<BenchFigure[]> {
  const out = makeFolder('study');
  await time('match', '--crossed', ...models, '--matches', String(deals), '--out', out, '--quiet', '--no-report');
  const matches = countMatches(out);
  const verified = await time('verify', out);
  const compared = await time('compare', out, '--judge', 'bot:meant', '--no-cache', '--out', makeFolder('comparison'));
  const report = (name: string, ...more: string[]) =>
    time(
      'report',
      out,
      '--no-tables',
      '--no-cache',
      '--no-judge',
      '--resamples',
      '20',
      '--out',
      makeFolder(name),
      ...more,
    );
  const without = await report('without', '--no-baselines');
  const withChance = await report('with', '--baselines', makeFolder('baselines'));
  const name = `${matches} matches`;
  return [
    {
      what: 'Records verified a second',
      target: { atLeast: 20, text: '20' },
      values: [{ ...roundTo(1, (1000 * matches) / verified), name }],
    },
    {
      what: 'Comparison of a crossed study',
      target: { atMost: 15, text: '15 s' },
      values: [{ ...roundTo(1, compared / 1000, ' s'), name }],
    },
    {
      what: 'Chance baseline of a board',
      target: { atMost: 10, text: '10 s' },
      values: [{ ...roundTo(1, (withChance - without) / 1000, ' s'), name: 'classic-8' }],
    },
  ];
}
