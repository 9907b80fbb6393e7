// Every prompt of a match in full, to be read without this code.
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { openPromptLog } from '../../models/record/prompt-log.ts';

const key = { round: 1, step: 0, action: 'bid', player: 'Zoë', attempt: 1 };
const messages = [
  { role: 'system', content: 'You are Zoë' },
  { role: 'user', content: 'Line one.\nLine "two" 🐺\u2028and \r three' },
] as const;
const linesOf = (file: Buffer) =>
  gunzipSync(file)
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);

describe('the log of prompts', () => {
  it('has one line a prompt, in the order in which they were put', async () => {
    const log = openPromptLog();
    log.add(key, messages);
    log.add({ ...key, attempt: 2 }, messages.slice(0, 1));
    expect(linesOf(await log.finish())).toEqual([
      { ...key, messages },
      { ...key, attempt: 2, messages: messages.slice(0, 1) },
    ]);
  });

  it('loses nothing of thousands', async () => {
    const log = openPromptLog();
    const rounds = Array.from({ length: 3000 }, (_, round) => ({ ...key, round }));
    for (const one of rounds) log.add(one, [{ role: 'user', content: `${one.round} `.repeat(200) }]);
    const lines = linesOf(await log.finish()) as { round: number; messages: { content: string }[] }[];
    expect(lines.map(({ round }) => round)).toEqual(rounds.map(({ round }) => round));
    expect(lines.at(-1)!.messages[0]!.content).toBe('2999 '.repeat(200));
  });

  it('is small where the prompts of a player repeat each other', async () => {
    const log = openPromptLog();
    const players = Array.from({ length: 8 }, (_, index) => `Player${index}`);
    const history = (seat: number) => Array.from({ length: 900 }, (_, index) => (index * (7919 + seat)) ** 2).join(' ');
    for (let round = 0; round < 12; round++)
      for (const [seat, player] of players.entries())
        log.add({ ...key, round, player }, [{ role: 'user', content: history(seat) }]);
    const file = await log.finish();
    const lines = linesOf(file) as { round: number; player: string }[];
    expect(lines).toHaveLength(96);
    for (const player of players)
      expect(lines.flatMap((line) => (line.player === player ? [line.round] : []))).toEqual([...Array(12).keys()]);
    expect(file.length).toBeLessThan(gunzipSync(file).length / 4);
  });

  it('is an empty file where nothing was asked', async () => {
    expect(linesOf(await openPromptLog().finish())).toEqual([]);
  });

  it('takes no more of a key than what names the call', async () => {
    const log = openPromptLog();
    log.add({ ...key, secret: 'x' } as typeof key, []);
    expect(linesOf(await log.finish())).toEqual([{ ...key, messages: [] }]);
  });
});
