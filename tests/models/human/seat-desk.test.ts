// The desk of a seat: one question at a time, legal answers only, and a time limit.
import { describe, expect, it } from '@jest/globals';
import { getMachine, runOnMachine } from '../../../models/machine/machine.ts';
import { SeatDesk } from '../../../models/human/seat-desk.ts';
import { bid } from '../../../prompts/debate.ts';
import { vote } from '../../../prompts/voting.ts';
import { draw } from '../../../state/random.ts';
import { createView } from '../../../state/view.ts';
import { gameAt } from '../../game.ts';

const view = createView(gameAt(), 'Ginger');
const prompts = { vote: vote.put(view, draw(1, 'options')), bid: bid.put(view, draw(1, 'options')) };
interface Asked {
  seconds?: number | null;
  signal?: AbortSignal;
  question?: keyof typeof prompts;
}
const ask = (
  desk: SeatDesk,
  { seconds = null, signal = new AbortController().signal, question = 'vote' }: Asked = {},
) => desk.ask({ prompt: prompts[question], seconds, signal });

describe('the desk of a seat', () => {
  it('shows one question at a time and takes only legal answers to it', async () => {
    let changes = 0;
    const desk = new SeatDesk(() => (changes += 1));
    const [first, second] = [ask(desk), ask(desk, { question: 'bid' })];
    expect(desk.question).toMatchObject({ id: 1, form: { action: 'vote' }, leftMs: null });
    expect(desk.answer(1, { vote: 'Nobody of that name', explanation: 'x' })).toMatch(/answer every part/);
    expect(desk.answer(1, { vote: 'Sam' })).toMatch(/answer every part/);
    expect(desk.answer(2, { bid: 3 })).toMatch(/no longer open/);
    expect(desk.answer(1, { vote: 'Sam', explanation: 'Why not', reasoning: 'mine' })).toBeNull();
    expect(await first).toMatchObject({ answer: { vote: 'Sam', explanation: 'Why not', reasoning: '' } });
    expect(desk.answer(2, { bid: 3 })).toBeNull();
    expect((await second)?.answer).toEqual({ reasoning: '', bid: 3 });
    expect([desk.question, changes > 3]).toEqual([null, true]);
  });

  it('closes a question when its time is over, counted from when it is shown', async () => {
    const alarms: { ms: number; ring: () => void }[] = [];
    const machine = getMachine();
    const clock = {
      ...machine.clock,
      elapsed: () => 1000,
      alarm: (ms: number, ring: () => void) => (alarms.push({ ms, ring }), () => undefined),
    };
    await runOnMachine({ ...machine, clock }, async () => {
      const desk = new SeatDesk(() => undefined);
      const [first, second] = [ask(desk, { seconds: 30 }), ask(desk, { seconds: 60 })];
      expect(alarms.map(({ ms }) => ms)).toEqual([30_000]);
      alarms[0]?.ring();
      expect(await first).toBeNull();
      expect([alarms.map(({ ms }) => ms), desk.question?.leftMs]).toEqual([[30_000, 60_000], 60_000]);
      desk.answer(2, { vote: 'Sam', explanation: 'x' });
      expect(await second).not.toBeNull();
    });
  });

  it('withdraws a question that nobody waits for any more, shown or waiting', async () => {
    const desk = new SeatDesk(() => undefined);
    const [one, two] = [new AbortController(), new AbortController()];
    const [first, second, third] = [ask(desk, { signal: one.signal }), ask(desk, { signal: two.signal }), ask(desk)];
    two.abort(new Error('second'));
    one.abort(new Error('first'));
    await expect(first).rejects.toThrow('first');
    await expect(second).rejects.toThrow('second');
    expect(desk.question?.id).toBe(2);
    desk.answer(2, { vote: 'Sam', explanation: 'x' });
    expect((await third)?.answer).toMatchObject({ vote: 'Sam' });
  });
});
