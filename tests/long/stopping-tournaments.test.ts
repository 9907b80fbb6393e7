// Dry runs of tournaments, which estimate calls, cost and deals, and tournaments that a stopping rule ends.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import type { TournamentRecord } from '../../deception/tournament-plan/tournament-record.ts';
import { openOpenaiServer } from '../openai-server.ts';
import { legally, reaching } from '../scripts/local-model.ts';
import { run, smallBoard } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();
const short = { debateTurns: 1, maxRounds: 1, analysis: 'off' };
/** The board with the fewest players, for matches that are played. */
const small = { boards: [smallBoard] };
const field = { zebra: 'bot:classic', okapi: { model: 'bot:classic', persona: 'Speaks little.' }, gnu: 'bot:random' };

const writePlan = (name: string, changes: object = {}) => {
  const file = path.join(root, `${name}.yaml`);
  const plan = { name: 'trial', entrants: field, format: 'round-robin', rule: short, deals: 1, ...changes };
  writeFileSync(file, stringify(plan));
  return file;
};

/** Maps pairing and match to the folder. */
const listMatches = (out: string) =>
  readdirSync(out, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => readdirSync(path.join(out, name)).map((id) => path.join(name, id)))
    .sort();

const readTournamentIn = (out: string) =>
  JSON.parse(readFileSync(path.join(out, 'tournament.json'), 'utf8')) as TournamentRecord;

describe('the dry run of a tournament', () => {
  it('says what memory=retrieval saves, and nothing of it under other rules', async () => {
    const server = await openOpenaiServer(legally);
    const entrants = { one: 'openai:local', other: 'bot:classic' };
    const rule = { debateTurns: 3, maxRounds: 3, analysis: 'off' };
    const plan = { entrants, format: 'head-to-head', ...small };
    const dry = async (name: string, rules: object) =>
      run('tournament', [writePlan(name, { ...plan, rule: { ...rule, ...rules } }), '--dry-run', '--out', path.join(root, name)], reaching(server)); // prettier-ignore
    const recalled = await dry('recalling', { memory: 'retrieval', historyK: 2 });
    expect(recalled).toMatchObject({ code: 0 });
    expect(recalled.stdout).toMatch(
      /memory=retrieval takes [\d,]+ tokens in; memory=full would take [\d,]+: \d+% less\./,
    );
    const [, taken, full] = /takes ([\d,]+) tokens in; memory=full would take ([\d,]+)/.exec(recalled.stdout)!;
    const readCount = (text: string) => Number(text.replaceAll(',', ''));
    expect(readCount(full!)).toBeGreaterThan(readCount(taken!));
    expect((await dry('summing', {})).stdout).not.toContain('memory=');
    const [bid, draft] = ['bid', 'draft'].map((turn) =>
      new RegExp(`${turn}: .* (\\d+) in a match`).exec(recalled.stdout)!,
    );
    expect(Number(bid![1])).toBeGreaterThan(Number(draft![1]));
    expect(server.requests).toEqual([]);
    await server.close();
  });
});

describe('a tournament with a stopping rule', () => {
  it('ends once it is decided, with exit code 0, and the same command plays nothing more', async () => {
    const out = path.join(root, 'decided');
    writeFileSync(path.join(root, 'lone.yaml'), 'name: lone\nroles: { Werewolf: 1, Seer: 1, Villager: 4 }\n');
    const plan = writePlan('decided', {
      ...{
        boards: ['lone.yaml'],
        entrants: { calm: 'bot:classic', dice: 'bot:random' },
        format: 'head-to-head',
        rules: 'arena',
      },
      ...{ rule: { debateTurns: 1, syntheticVotes: false, analysis: 'off' }, deals: 60, seed: 31 }, // with this seed, the entrant calm wins often
      stop: { decide: true, alpha: 0.9 },
    });
    const { code, stdout, stderr } = await run('tournament', [plan, '--out', out, '--concurrency', '4']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { stopped } = readTournamentIn(out);
    expect(stopped).toEqual({ deals: expect.any(Number), reason: 'decided' });
    expect(stdout).toContain(
      `The stopping rule ended the tournament after ${stopped!.deals} deals: the difference of every pair is decided.`,
    );
    expect(stdout).toMatch(/ {2}calm − dice: [01]\.\d+ \(0\.\d+ to [01]\.\d+\) after \d+ blocks/);
    const played = listMatches(out);
    expect(played.length).toBeGreaterThanOrEqual(2 * stopped!.deals);
    expect(played.length).toBeLessThanOrEqual(2 * stopped!.deals + 4);
    const before = readFileSync(path.join(out, 'tournament.json'), 'utf8');
    expect(await run('tournament', [plan, '--out', out, '--concurrency', '4'])).toMatchObject({ code: 0, stderr: '' });
    expect(listMatches(out)).toEqual(played);
    expect(readFileSync(path.join(out, 'tournament.json'), 'utf8')).toBe(before);
    const tell = async (...options: string[]) => (await run('tournament', [plan, '--out', out, ...options])).stdout;
    const status = await tell('--status');
    expect(status).toContain(`0 under way, ${120 - countOver(status)} left unplayed by the stopping rule, 0 failed`);
    expect(status).toContain('Nothing is left to play or to pay');
    const reason = { reason: 'decided', rule: { decide: true, alpha: 0.9 }, decided_deals: stopped!.deals };
    expect(JSON.parse(await tell('--status', '--json'))).toMatchObject({
      waiting: 0,
      seconds_left: null,
      stop: reason,
    });
    const dry = await tell('--dry-run');
    expect(dry).toContain('the difference of every pair is decided.');
    expect(dry).not.toMatch(/Estimate for|after which the stopping rule would end the tournament/);
    expect(JSON.parse(await tell('--dry-run', '--json'))).toMatchObject({ left: null, stop: reason });
    const last = (await tell('--json')).trimEnd().split('\n').at(-1)!;
    expect(JSON.parse(last)).toMatchObject({ tournament: 'trial', stop: reason });
  });

  it('is told by the dry run when it would end, by true difference', async () => {
    const plan = writePlan('foretold', {
      ...{ ...small, entrants: { calm: 'bot:classic', dice: 'bot:random' }, format: 'crossed', deals: 6 },
      stop: { decide: true },
    });
    const dry = ['--dry-run', '--out', path.join(root, 'foretold')];
    const { stdout } = await run('tournament', [plan, ...dry]);
    expect(stdout).toContain('Tournament trial: crossed, 2 entrants, 6 deals, 24 matches; seeds 1 to 6');
    expect(stdout).toContain(
      'Deals after which the stopping rule would end the tournament, with each pair decided (of 6 deals):',
    );
    expect(stdout).toMatch(/equals .*at most 5 %/);
    const told = JSON.parse((await run('tournament', [plan, ...dry, '--json'])).stdout) as object;
    expect(told).toMatchObject({
      stop: { reason: null },
      stop_forecast: [{ difference: 0, is_bound: true }, {}, {}, {}],
    });
  });
});

const countOver = (status: string) => Number(/(\d+) of 120 matches done/.exec(status)![1]);
