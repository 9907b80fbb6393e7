// Whole studies and their plans: `npm run plan` of pilots, and what `npm run compare` reports about a plan.
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Comparison } from '../../deception/comparison/comparison-schema.ts';
import { readPlanFile } from '../../scripts/command/analysis-plan-file.ts';
import { listFolderNames } from '../record-folder.ts';
import { openPlanFolder, sha256 } from '../scripts/plan-folder.ts';
import { run } from '../scripts/process.ts';

const { at, play, planned, changed } = openPlanFolder();

describe('npm run plan of a pilot with replicates', () => {
  it('splits the variance, says what gains more, and plans for another number of replicates', async () => {
    await play('twice', '--matches', '3', '--replicates', '2', '--crossed', 'bot:classic', 'bot:random');
    const listed = await run('plan', [at('twice'), '--effect', '.1', '--json']);
    interface Row {
      variance_between?: number;
      variance_within?: number;
      deals: number;
      matches: number;
      as_found: { deals: number };
      bound: { deals: number };
    }
    const read = (text: string) =>
      JSON.parse(text) as { pilot_deals: number; replicates: number; pilot_replicates: number; endpoints: Row[] };
    const { endpoints, ...rest } = read(listed.stdout);
    expect(rest).toMatchObject({ pilot_deals: 3, replicates: 2, pilot_replicates: 2, matches_per_deal: 4 });
    expect(endpoints.length).toBeGreaterThan(0);
    for (const one of endpoints) {
      expect(one.matches).toBe(8 * one.deals);
      expect(one.bound.deals).toBe(one.deals);
      expect(one.as_found.deals).toBeLessThanOrEqual(one.bound.deals);
      expect((one.variance_between ?? 0) + (one.variance_within ?? 0)).toBeGreaterThan(0);
    }
    const often = read((await run('plan', [at('twice'), '--effect', '.1', '--replicates', '8', '--json'])).stdout);
    const total = (rows: readonly Row[]) => rows.reduce((all, one) => all + one.as_found.deals, 0);
    expect(total(often.endpoints)).toBeLessThanOrEqual(total(endpoints));
    const told = await run('plan', [at('twice'), '--effect', '.1']);
    expect(told.stdout).toMatch(/is within the deal, between replicates\. \S+ore deals/);
    const found = read((await run('plan', [at('twice'), '--effect', '.1', '--spread', 'estimate', '--json'])).stdout);
    for (const one of found.endpoints) expect(one.deals).toBe(one.as_found.deals);
  });

  it('is needed for a number of replicates', async () => {
    await play('once', '--matches', '3');
    const { code, stderr } = await run('plan', [at('once'), '--effect', '.1', '--replicates', '2']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('needs a pilot played with replicates')]);
  });
});

describe('npm run plan', () => {
  it('lists what endpoints take, from cheapest to dearest, from a pilot of two arms, and writes a plan', async () => {
    await play('pilot-a', '--matches', '3');
    await play('pilot-b', '--matches', '3', '--model', 'bot:random');
    const pilot = [at('pilot-a'), at('pilot-b')];
    const listed = await run('plan', [...pilot, '--effect', '.1', '--json']);
    expect([listed.code, listed.stderr]).toEqual([0, expect.stringMatching(/^These matches name no judge\. .*\n$/)]);
    const {
      design,
      pilot_deals: deals,
      matches_per_deal: perDeal,
      endpoints,
    } = JSON.parse(listed.stdout) as {
      design: string;
      pilot_deals: number;
      matches_per_deal: number;
      endpoints: { metric: string; deals: number; deals_least: number; deals_most: number; matches: number }[];
    };
    expect([design, deals, perDeal]).toEqual(['two-arms', 3, 2]);
    expect(endpoints.map((one) => one.deals)).toEqual(endpoints.map((one) => one.deals).sort((a, b) => a - b));
    for (const one of endpoints) {
      expect(one.matches).toBe(2 * one.deals);
      expect(one.deals_least <= one.deals && one.deals <= one.deals_most).toBe(true);
    }
    const named = ['--endpoint', 'words_per_turn:team=werewolves,effect=20', '--out', at('written.yaml')];
    const written = await run('plan', [...pilot, '--effect', '.1', ...named]);
    expect(written.stdout).toContain('the spread itself is uncertain');
    const { sha256: hash, plan } = readPlanFile(at('written.yaml'));
    expect(written.stdout).toContain(hash);
    expect(plan).toMatchObject({ endpoints: [{ metric: 'words_per_turn', effect: 20 }], stop: 'fixed', power: 0.8 });
    const again = await run('plan', [...pilot, '--effect', '.1', ...named]);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('already exists')]);
  });
});

describe('compare', () => {
  const compare = async (a: string, b: string, ...more: string[]) => {
    const ended = await run('compare', [at(a), at(b), '--out', at('comparison'), '--resamples', '9', ...more]);
    if (ended.code !== 0) throw new Error(ended.stderr);
    const page = readFileSync(at('comparison', 'comparison.md'), 'utf8');
    return { page, json: Comparison.parse(JSON.parse(readFileSync(at('comparison', 'comparison.json'), 'utf8'))) };
  };
  const playArms = async (name: string, ...flags: string[]) => {
    await play(`${name}-a`, ...flags);
    await play(`${name}-b`, ...flags, '--rule', 'honesty=forbidden');
  };

  it('says which endpoints are confirmatory, and whether the deals are reached', async () => {
    await playArms('whole', '--plan', planned);
    const { page, json } = await compare('whole-a', 'whole-b', '--plan', planned);
    expect(json.plan).toMatchObject({ sha256, alpha: 0.05 });
    expect(json.preregistration).toEqual({
      status: 'preregistered',
      played_under: [{ sha256, matches: 6 }],
      deals_planned: 3,
      sample: 'reached',
    });
    expect(json.primary.map((row) => row.confirmatory)).toEqual([true]);
    expect(json.secondary.some((row) => row.confirmatory)).toBe(false);
    expect(page).toContain('**preregistered: yes; confirmatory.**');
    const other = await compare('whole-a', 'whole-b', '--plan', changed);
    expect(other.json).toMatchObject({
      preregistration: { status: 'another plan' },
      primary: [{ confirmatory: false }],
    });
    const unnamed = await compare('whole-a', 'whole-b');
    expect(unnamed.json.preregistration.status).toBe('plan not named');
    expect(unnamed.page).toContain('Name its file with `--plan`');
  });

  it('calls a look before the last deal, and a plan after the matches, exploratory', async () => {
    await playArms('whole', '--plan', planned);
    for (const arm of ['a', 'b']) {
      cpSync(at(`whole-${arm}`), at(`early-${arm}`), { recursive: true });
      rmSync(
        at(
          `early-${arm}`,
          listFolderNames(at(`early-${arm}`))
            .sort()
            .at(-1)!,
        ),
        { recursive: true },
      );
    }
    const early = await compare('early-a', 'early-b', '--plan', planned, '--so-far');
    expect(early.json).toMatchObject({
      preregistration: { status: 'preregistered', sample: 'not reached' },
      primary: [{ confirmatory: false }],
    });
    expect(early.page).toContain('2 deals of 3 planned');
    await playArms('late', '--matches', '2');
    const late = await compare('late-a', 'late-b', '--plan', planned);
    expect(late.json).toMatchObject({
      preregistration: { status: 'plan after the matches', played_under: [{ sha256: null, matches: 4 }] },
      primary: [{ confirmatory: false }],
    });
    const none = await compare('late-a', 'late-b');
    expect(none.json.preregistration.status).toBe('no plan');
    expect(none.page.match(/exploratory/gi)).toHaveLength(2); // once for the whole page, once above the table
  });
});
