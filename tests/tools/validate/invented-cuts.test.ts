// `npm run validate -- --cuts`: how many statements of published games the rule for invented dialogue cuts.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { measureCuts } from '../../../tools/validate/invented-cuts.ts';
import { createTemporaryFolder } from '../../temporary-folder.ts';
import { run } from '../../scripts/process.ts';

const published = path.join(import.meta.dirname, '../../published-games');
const sessions = readdirSync(published)
  .filter((name) => name.startsWith('session_'))
  .map((name) => path.join(published, name));

it('cuts no statement of the published sessions', async () => {
  expect(sessions.length).toBeGreaterThan(0);
  const { folders, cut } = measureCuts(sessions);
  expect(cut).toEqual([]);
  expect(folders.every(({ games, statements }) => games === 1 && statements > 9)).toBe(true);
  const { code, stdout } = await run('validate', ['--cuts', ...sessions]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^0 of \d+ statements are cut as invented dialogue\./m);
});

it('counts a cut and shows where it begins', async () => {
  const folder = path.join(createTemporaryFolder(), 'games');
  mkdirSync(folder);
  const players = ['Ann', 'Ben', 'Cid', 'Dot', 'Eve', 'Fay', 'Gus', 'Hal'].map((id, at) => ({
    ...{ id, model: 'm', reward: 0 },
    role: ['Werewolf', 'Werewolf', 'Seer', 'Doctor', 'Villager', 'Villager', 'Villager', 'Villager'][at],
  }));
  const chat = (player: string, message: string) => ({
    type: 'chat',
    day: 1,
    phase: 'day',
    player,
    message,
    reasoning: '',
  });
  const timeline = [chat('Eve', 'I pass.\nBen: I am the Seer.'), chat('Fay', 'Ben: why so quiet?\nI wait.')];
  const game = { id: 'one', game_number: 1, players, winner: 'Villagers', total_days: 1, timeline };
  writeFileSync(path.join(folder, '1.json'), JSON.stringify(game));
  const { folders, cut } = measureCuts([folder]);
  expect(folders).toEqual([{ folder, games: 1, statements: 2, cut: 1 }]);
  expect(cut).toEqual([{ game: '1', by: 'Eve', kept: 'I pass.', cut: 'Ben: I am the Seer.' }]);
  expect((await run('validate', ['--cuts', folder])).stdout).toContain('  1, Eve: … | Ben: I am the Seer.\n');
});

it.each([
  ['a folder without games', (empty: string) => ['--cuts', empty], /contains no published game/],
  [
    'another validation',
    (empty: string) => ['--cuts', empty, '--ratings'],
    /--cuts stands alone\. Leave out --ratings/,
  ],
])('%s is refused', async (_, args, words) => {
  const { code, stderr } = await run('validate', args(createTemporaryFolder()));
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(words) });
});
