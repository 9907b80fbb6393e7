// A plan before the run: `npm run plan`, matches played under a plan, and what `npm run compare` reports about it.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { hashPlan } from '../../deception/comparison/analysis-plan.ts';
import { Comparison } from '../../deception/comparison/comparison-schema.ts';
import { readPlanFile } from '../../scripts/command/analysis-plan-file.ts';
import { Manifest } from '../../state/record.ts';
import { listFolderNames } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run, smallBoard } from './process.ts';

const out = createTemporaryFolder();
const at = (...parts: string[]) => path.join(out, ...parts);

function write(name: string, text: string): string {
  writeFileSync(at(name), text);
  return at(name);
}

const brief = ['--rule', 'debateTurns=2', '--rule', 'maxRounds=1', '--rule', 'analysis=off'];
const play = (name: string, ...more: string[]) =>
  run('match', ['--out', at(name), '--board', smallBoard, ...brief, '--quiet', ...more]);

const listManifests = (name: string) =>
  readdirSync(at(name), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('manifest.json'))
    .map((file) => Manifest.parse(JSON.parse(readFileSync(at(name, file), 'utf8'))));

const endpoint = 'endpoints: [{ metric: words_per_turn, of: { team: werewolves } }]';
const planned = write('plan.yaml', `${endpoint}\ndeals: 3\nstop: fixed\n`);
const changed = write('changed.yaml', `${endpoint}\ndeals: 4\nstop: fixed\n`);
const sha256 = hashPlan({
  endpoints: [{ metric: 'words_per_turn', of: { team: 'werewolves' } }],
  deals: 3,
  stop: 'fixed',
});

describe('the hash of a plan', () => {
  it('is of its contents: the same in another order and layout, another for another value', () => {
    expect(hashPlan({ deals: 3, endpoints: [{ of: {}, metric: 'a' }] })).toBe(
      hashPlan({ endpoints: [{ metric: 'a', of: {} }], deals: 3 }),
    );
    expect(hashPlan({ deals: 3 })).not.toBe(hashPlan({ deals: 4 }));
    expect(hashPlan({ endpoints: ['a', 'b'] })).not.toBe(hashPlan({ endpoints: ['b', 'a'] }));
  });
});

describe('matches under a plan', () => {
  it('have its hash in their manifests, and are as many as its deals', async () => {
    const { code } = await play('under', '--plan', planned);
    expect(code).toBe(0);
    expect(listManifests('under').map((manifest) => manifest.plan_sha256)).toEqual([sha256, sha256, sha256]);
    const again = await play(
      'under',
      '--plan',
      write('again.yaml', `# told anew\nstop: fixed\ndeals: 3\n${endpoint}\n`),
    );
    expect(again.code).toBe(0);
  });

  it.each([
    ['under another plan', ['--plan', changed], /began under another plan \(SHA-256 \w{64}.*cannot be changed/],
    ['without one', ['--matches', '3'], /began under a plan .*--plan/],
  ])('are not gone on with %s', async (_, flags, message) => {
    await play('under', '--plan', planned);
    const { code, stderr } = await play('under', ...flags);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('are none that were begun without', async () => {
    await play('before', '--matches', '1');
    const { code, stderr } = await play('before', '--plan', planned);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/began without a plan.*before the first call/)]);
    expect(listManifests('before').map((manifest) => manifest.plan_sha256)).toEqual([undefined]);
  });

  it.each([
    ['more matches than it has deals', ['--plan', planned, '--matches', '4'], /stops at 3 deals, and --matches 4/],
    ['fewer matches than it has deals', ['--plan', planned, '--matches', '2'], /plans 3 deals, and --matches 2/],
    ['no number of deals', ['--plan', write('open.yaml', endpoint)], /does not say how many deals/],
    [
      'an unknown metric',
      ['--plan', write('odd.yaml', 'endpoints: [{ metric: lie_rat }]\ndeals: 3')],
      /unknown metric "lie_rat"/,
    ],
    [
      'an endpoint that a crossed design refuses',
      ['--plan', write('joint.yaml', `${endpoint}\ndeals: 3`), '--crossed', 'bot:classic', 'bot:random'],
      /words_per_turn needs a part/,
    ],
    [
      'a deal of the pilot',
      ['--plan', write('pilot.yaml', `${endpoint}\ndeals: 3\npilot_seeds: [5, 8-12]`), '--seed', '6'],
      /pilot that played seed 8, and this study would play it too \(seeds 6 to 8\).*Add --seed 13\./,
    ],
    [
      'deals that it does not fix',
      ['--plan', write('seeded.yaml', `${endpoint}\ndeals: 3\nseed: 50`), '--seed', '6'],
      /--seed 6 differs from the plan in .*: 50\. Leave it out/,
    ],
    [
      'none of its models',
      ['--plan', write('models.yaml', `${endpoint}\ndeals: 3\ncrossed: ["bot:classic", "bot:random"]`)],
      /plans a crossed design .* Add --crossed bot:classic bot:random\./,
    ],
    [
      'other models than it fixes',
      ['--plan', at('models.yaml'), '--crossed', 'bot:classic', 'bot:classic?lie=.9'],
      /--crossed bot:classic bot:classic\?lie=\.9 differs from the plan .* Use --crossed bot:classic bot:random/,
    ],
  ])('are not played with %s', async (_, flags, message) => {
    const { code, stderr } = await play('refused', ...flags);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

it('matches play the deals that the plan fixes', async () => {
  expect((await play('fixed', '--plan', at('seeded.yaml'))).code).toBe(0);
  expect(listManifests('fixed').map(({ setup }) => setup.seed)).toEqual([50, 51, 52]);
});

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
    expect([listed.code, listed.stderr]).toEqual([0, '']);
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

  it.each([
    ['no effect', ['--trials', '2'], /--effect/],
    ['no effect of one endpoint', ['--endpoint', 'win_rate:part=actor'], /--effect .1, or with each endpoint/],
    ['an effect of 0', ['--effect', '0'], /above 0: the smallest difference that matters/],
    ['a width beside an effect', ['--effect', '.1', '--precision', '.1'], /--precision 0.1 plans for the width/],
    ['a power of 1', ['--effect', '.1', '--power', '1'], /above 0 and below 1/],
    ['an endpoint without a name', ['--effect', '.1', '--endpoint', ':team=werewolves'], /NAME:key=value/],
    ['a folder that is missing', ['--effect', '.1', at('nowhere')], /nowhere/],
    ['a plan of no endpoint', ['--effect', '.1', '--out', at('none.yaml')], /--out needs endpoints for the plan/],
    [
      'two models in one arm',
      ['--effect', '.1', '--trials', '2', ...brief, '--design', 'single', '--models', 'bot:classic', 'bot:random'],
      /takes one model in all seats/,
    ],
  ])('refuses %s', async (_, flags, message) => {
    const { code, stderr } = await run('plan', flags);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('plans without a pilot for a board of a file', async () => {
    const flags = ['--trials', '2', ...brief, '--effect', '.1', '--design', 'single', '--models', 'bot:random'];
    const { code, stdout } = await run('plan', ['--board', smallBoard, ...flags]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('lie_turn_rate')]);
    const unreadable = await run('plan', ['--board', at('none.yaml'), ...flags]);
    expect([unreadable.code, unreadable.stderr]).toEqual([2, expect.stringContaining('none.yaml')]);
  });

  it('refuses what a comparison refuses, and a pilot of one deal', async () => {
    await play('alone', '--matches', '1');
    const alone = await run('plan', [at('alone'), '--effect', '.1']);
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringMatching(/has one deal, which says nothing/)]);
    await play('one-arm', '--matches', '2');
    const refuse = async (...flags: string[]) => {
      const { code, stderr } = await run('plan', [at('one-arm'), '--effect', '.1', ...flags]);
      expect(code).toBe(2);
      return stderr;
    };
    const tooLarge = await run('plan', ['--effect', '10']);
    expect(tooLarge).toMatchObject({ code: 2, stderr: expect.stringContaining('.1 for ten points') });
    expect(await refuse('--endpoint', 'lie_rat')).toContain('unknown metric "lie_rat"');
    expect(await refuse('--endpoint', 'lie_rate:team=werewolves')).toContain('Name lie_turn_rate of the same team');
    const crossed = ['--models', 'bot:classic', 'bot:random'];
    expect(await refuse(...crossed, '--endpoint', 'lie_turn_rate:team=werewolves,part=actor')).toContain(
      'claims that rules drew',
    );
    expect(await refuse(...crossed, '--endpoint', 'win_rate:team=werewolves')).toContain('needs a part');
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
    expect(none.page.match(/exploratory/gi)).toHaveLength(2); // of the whole, and over the table
  });
});
