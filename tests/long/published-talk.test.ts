// Published games between language models have cases for every metric of claims. Three games come with the project;
// WOLFGRAPH_GAMES names a folder of more games, in any format that `import` reads.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { metrics } from '../../deception/metrics/index.ts';
import { Report } from '../../deception/summary/report-schema.ts';
import { run } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const out = createTemporaryFolder();
const more = process.env['WOLFGRAPH_GAMES'];
const ours = path.join(import.meta.dirname, '../published-games');

/**
 * Reports on a folder of matches, with claims extracted by the rules. Lists the metrics of claims that have any figure.
 */
async function listFilled(folder: string): Promise<string[]> {
  const to = path.join(out, `${path.basename(folder)}-report`);
  const flags = ['--no-judge', '--no-baselines', '--no-tables', '--resamples', '20', '--out', to];
  const { code, stderr } = await run('report', [folder, ...flags]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const report = Report.parse(JSON.parse(readFileSync(path.join(to, 'report.json'), 'utf8')));
  const ofClaims = new Set(metrics.flatMap(({ name, readsClaims }) => (readsClaims === undefined ? [] : [name])));
  return report.metrics
    .filter(({ name, figures }) => ofClaims.has(name) && figures.some(({ value }) => value !== null))
    .map(({ name }) => name);
}

const importGames = async (name: string, from: string) => {
  const folder = path.join(out, name);
  const { code, stderr } = await run('import', [from, '--out', folder]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return folder;
};

/** A metric that few games have cases for, because Seers rarely state their role in words that the rules can read. */
const rare = 'seer_first_claim_round';

/** Metrics of claims that have cases in matches of bots without analyses, like the published games. */
let filledByBots: string[];
beforeAll(async () => {
  const folder = path.join(out, 'bots');
  const ground = ['--board', 'classic-8', '--rules', 'arena', '--rule', 'analysis=off'];
  const played = await run('match', ['--model', 'bot:classic', ...ground, '--matches', '12', '--out', folder, '--quiet', '--no-report']); // prettier-ignore
  expect(played.code).toBe(0);
  filledByBots = await listFilled(folder);
}, 120_000);

describe('published games', () => {
  it('fill the headlines of lies', async () => {
    const filled = await listFilled(await importGames('ours', ours));
    expect(filled).toEqual(
      expect.arrayContaining(['lie_turn_rate', 'lie_rate', 'first_lie_hazard', 'counter_claims', 'coverage']),
    );
  }, 120_000);

  (more === undefined ? it.skip : it)(
    'of several formats fill every metric of claims that bots fill',
    async () => {
      const [own, others] = [path.join(out, 'ours'), await importGames('others', more ?? '')];
      const filled = new Set([...(await listFilled(own)), ...(await listFilled(others))]);
      const missing = filledByBots.filter((name) => !filled.has(name) && name !== rare);
      expect(missing).toEqual([]);
    },
    240_000,
  );
});
