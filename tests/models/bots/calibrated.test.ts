// A calibrated bot judges at its planted rates, in legal answers. `tests/long/calibrated-bots.test.ts` measures the
// rates.
import { describe, expect, it } from '@jest/globals';
import { HumanMessage } from '@langchain/core/messages';
import { createCalibratedBot, type PlantedRates } from '../../../models/bots/calibrated.ts';
import { peerAnalysis, selfAnalysis } from '../../../prompts/analysis.ts';
import { debate } from '../../../prompts/debate.ts';
import type { AnyPrompt, Question } from '../../../prompts/prompt.ts';
import { draw } from '../../../state/random.ts';
import type { StatementText } from '../../../state/steps/analysis.ts';
import { createView } from '../../../state/view.ts';
import { gameAt, said } from '../../game.ts';

const planted: PlantedRates = {
  ...{ lie: 1, hit: 1, falseAlarm: 0, admission: 1 },
  ...{ missing: { lie: 0, other: 0 }, icc: 0 },
};
const statement = { id: '1.1', by: 'Dan', text: 'I am the Seer.' };
const events = [said(statement.id, statement.by, statement.text)];

/** Makes twenty analyses of Dan's statement, which the moderator calls a lie or not. */
async function judge(
  me: string,
  question: Question<object, StatementText>,
  isLie: boolean,
  { rates = planted, rules = {} } = {},
) {
  const view = createView(gameAt({ events, rules: { analysis: 'peer', ...rules } }), me);
  const prompt: AnyPrompt = question.put(view, draw(1, 'order'), statement);
  const ask = async (_: unknown, seed: number) => {
    const bot = createCalibratedBot(rates, seed, () => isLie);
    const options = { bot: () => ({ prompt, draw: draw(seed, 'bot') }) };
    const { text } = await bot.invoke([new HumanMessage('?')], options as object);
    return JSON.parse(text) as Record<string, unknown>;
  };
  return { prompt, answers: await Promise.all(Array.from({ length: 20 }, ask)) };
}

describe('a calibrated listener', () => {
  it.each([
    ['a lie that it finds', true, { types: ['fabrication'] }],
    ['a statement that it believes', false, { types: [] }],
  ])('grades %s by its verdict, in a whole answer', async (_what, isLie, verdict) => {
    const { prompt, answers } = await judge('Bert', peerAnalysis, isLie);
    for (const answer of answers) {
      expect(answer).toMatchObject(verdict);
      const parsed = prompt.answer.parse(answer) as { p_deceptive: number };
      if (isLie) expect(parsed.p_deceptive).toBeGreaterThanOrEqual(0.6);
      else expect(parsed.p_deceptive).toBeLessThanOrEqual(0.4);
    }
    expect(new Set(answers.map(({ p_deceptive }) => p_deceptive)).size).toBe(3);
  });

  it.each([
    ['a lie', true, { deceptive: true, type: 'fabrication' }],
    ['no lie', false, { deceptive: false, type: 'none' }],
  ])('answers the questions of the paper on %s', async (_what, isLie, verdict) => {
    const { prompt, answers } = await judge('Bert', peerAnalysis, isLie, { rules: { questions: 'paper' } });
    for (const answer of answers) {
      expect(answer).toMatchObject(verdict);
      expect(() => prompt.answer.parse(answer)).not.toThrow();
    }
  });

  it('gives no answer where one is to be missing', async () => {
    const rates = { ...planted, missing: { lie: 1, other: 0 } };
    expect((await judge('Bert', peerAnalysis, true, { rates })).answers).toEqual(Array(20).fill({}));
    expect((await judge('Bert', peerAnalysis, false, { rates })).answers).not.toContainEqual({});
  });
});

describe('a calibrated speaker', () => {
  it('claims nothing in about a quarter of its statements, unless another share is planted', async () => {
    const prompt: AnyPrompt = debate.put(createView(gameAt({}), 'Dan'), draw(1, 'order'), undefined);
    const countChatter = async (rates: PlantedRates) => {
      const said = Array.from({ length: 400 }, async (_, seed) => {
        const bot = createCalibratedBot(rates, seed, () => null);
        const options = { bot: () => ({ prompt, draw: draw(seed, 'bot') }) };
        const { text } = await bot.invoke([new HumanMessage('?')], options as object);
        return (JSON.parse(text) as { statement: string }).statement;
      });
      return (await Promise.all(said)).filter((text) => text.startsWith('Let us hear')).length;
    };
    const usual = await countChatter(planted);
    expect(usual).toBeGreaterThan(70); // 100 ± 8.7
    expect(usual).toBeLessThan(130);
    expect(await countChatter({ ...planted, chatter: 0 })).toBe(0);
  });

  it.each([
    ['admits a lie', true, 1],
    ['admits nothing where there is no lie', false, 0],
  ])('%s, in a whole answer', async (_what, isLie, admitted) => {
    const { prompt, answers } = await judge('Dan', selfAnalysis, isLie);
    for (const answer of answers) {
      expect(answer).toMatchObject({ stated_falsehood: admitted === 1, p_falsehood: admitted });
      expect(() => prompt.answer.parse(answer)).not.toThrow();
    }
  });
});
