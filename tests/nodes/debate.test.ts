// Debates: who speaks next, and what becomes of a statement.
import { describe, expect, it } from '@jest/globals';
import { isType } from '../../state/event.ts';
import type { Question } from '../question.ts';
import { answering, legalAnswer, ScriptedModel, type Script } from '../scripted-model.ts';
import { boardOf, dealt, playDeal, type Options } from '../table.ts';

const board = boardOf(1, 1, 1, 3);

/** The first day of a match at a table of six, with what `script` says. */
async function day(script: Script, rule: Options = {}) {
  const setup = dealt({ board, rules: 'arena', rule: { debateTurns: 2, maxRounds: 1, ...rule } });
  const model = new ScriptedModel(script);
  const { events } = await playDeal(setup, model);
  const turns = events.filter((event) => event.type === 'statement' || event.type === 'silence');
  return { events, turns, asked: model.asked };
}

describe('the turn to speak', () => {
  it('goes to the highest bid', async () => {
    const wanted = ({ alive, turn }: Question) => alive[turn === 1 ? 3 : 1];
    const { turns, asked } = await day(
      answering({ bid: (question) => ({ bid: question.player === wanted(question) ? 3 : 2 }) }),
    );
    const { alive } = asked.find(({ action }) => action === 'debate')!;
    expect(turns.map(({ by }) => by)).toEqual([alive[3], alive[1]]);
  });

  it('is drawn among all where no bid can be read, and the bids are marked', async () => {
    const { events, turns } = await day((question) =>
      question.action === 'bid' ? { bid: 99 } : legalAnswer(question),
    );
    const bids = events.filter(isType('bid'));
    expect(new Set(bids.map(({ bid, mark }) => `${bid} ${mark}`))).toEqual(new Set(['null fallback']));
    expect(turns).toHaveLength(2);
  });
});

describe('a statement', () => {
  it('is cut at twice the limit of words, and said to be cut', async () => {
    const { turns } = await day(answering({ debate: () => ({ statement: 'word '.repeat(10_000) }) }), { maxWords: 10 });
    expect(turns[0]).toMatchObject({ type: 'statement', cut: true, text: `${'word '.repeat(20)}…` });
  });

  it('keeps its words where it is a little too long', async () => {
    const text = 'word '.repeat(15).trim();
    const { turns } = await day(answering({ debate: () => ({ statement: text }) }), { maxWords: 10 });
    expect(turns[0]).toMatchObject({ type: 'statement', text });
    expect(turns[0]).not.toHaveProperty('cut');
  });

  it.each([
    ['an empty text', 'fallback', 3],
    ["I'm sorry, but I can't take part in this.", 'refusal', 1],
  ])('is silence that is marked and not analysed where it is %s', async (text, mark, times) => {
    const silent: Script = (question) => {
      if (question.action !== 'debate') return legalAnswer(question);
      return mark === 'refusal' ? text : { reasoning: 'Hm.', statement: ' ' };
    };
    const { turns, asked } = await day(silent, { analysis: 'both', debateTurns: 1 });
    expect(turns).toMatchObject([{ type: 'silence', mark }]);
    expect(asked.filter(({ action }) => action === 'debate')).toHaveLength(times);
    expect(asked.filter(({ action }) => action.endsWith('analysis'))).toEqual([]);
  });
});
