// `npm run simulate` as a user runs it.
import { describe, expect, it } from '@jest/globals';
import { run } from './process.ts';

describe('npm run simulate', () => {
  it('says what the paper says, what its algorithm gives, and that the two differ', async () => {
    const { code, stdout, stderr } = await run('simulate', ['--games', '50000']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/8 players, 2 of them on the side of the Werewolves, with a Doctor/);
    expect(stdout).toMatch(/Without a Seer.* 50,000 .* 1\.\d\d %.* to .*1\.20 %/);
    expect(stdout).toMatch(/With the Seer.* 50,000 .* 4[67]\.\d\d %.* to .*100\.00 %/);
    expect(stdout).toMatch(/The 100 % with the Seer is not what its algorithm gives as printed/);
    expect(stderr).toMatch(/games a second of processor time/);
  });

  it('gives the same numbers as JSON for the same seed', async () => {
    const once = () => run('simulate', ['--board', 'plus-12', '--games', '1000', '--seed', '7', '--json']);
    const [first, second] = await Promise.all([once(), once()]);
    expect(second).toEqual(first);
    expect(JSON.parse(first.stdout)).toMatchObject({
      players: 12,
      werewolves: 4,
      doctor: true,
      seed: 7,
      results: [
        { with_seer: false, games: 1000, published: null },
        { with_seer: true, games: 1000, published: null },
      ],
    });
  });

  it.each([
    [['--players', '8'], /give both/],
    [['--board', 'plus-12', '--players', '8', '--werewolves', '2'], /not both/],
    [['--players', '8', '--werewolves', '5'], /5 Werewolves among 8 players/],
    [['--board', 'none'], /Unknown board "none"/],
    [['--games', '0'], /from 1 up/],
  ])('answers %j with what is wrong', async (args, words) => {
    const { code, stderr } = await run('simulate', args);
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
  });
});
