// A plan before the run: `npm run plan`, and matches played under a plan. What takes a whole study is in
// tests/long/pilots-and-plans.test.ts.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { hashPlan } from '../../deception/comparison/analysis-plan.ts';
import { Manifest } from '../../state/record.ts';
import { brief, endpoint, openPlanFolder, sha256 } from './plan-folder.ts';
import { run, smallBoard } from './process.ts';
import { itLong } from '../it-long.ts';

const { at, write, play, planned, changed } = openPlanFolder();

const listManifests = (name: string) =>
  readdirSync(at(name), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('manifest.json'))
    .map((file) => Manifest.parse(JSON.parse(readFileSync(at(name, file), 'utf8'))));

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

describe('npm run plan', () => {
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

  itLong('plans without a pilot for a board of a file', async () => {
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
      'claims that the rules extracted',
    );
    expect(await refuse(...crossed, '--endpoint', 'win_rate:team=werewolves')).toContain('needs a part');
  });
});
