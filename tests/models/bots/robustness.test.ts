// Bots hold their own against what they have never met: later roles, hostile speech, being asked outside a match.
import { describe, expect, it } from '@jest/globals';
import { HumanMessage } from '@langchain/core/messages';
import fc from 'fast-check';
import { BotModel } from '../../../models/bots/bot-model.ts';
import { answerRandomly } from '../../../models/bots/random.ts';
import { createScriptedMind } from '../../../models/bots/scripted/scripted-mind.ts';
import { peerAnalysis } from '../../../prompts/analysis.ts';
import { compose } from '../../../prompts/compose.ts';
import { bid, debate } from '../../../prompts/debate.ts';
import {
  createChoiceField,
  createIntegerField,
  createProbabilityField,
  createTextField,
  createYesNoField,
  reasoning,
} from '../../../prompts/fields.ts';
import { summarize } from '../../../prompts/summarize.ts';
import { vote } from '../../../prompts/voting.ts';
import { draw } from '../../../state/random.ts';
import { createView } from '../../../state/view.ts';
import { gameAt, type Moment, said, votedFor } from '../../game.ts';
import { answersOf, usual } from './eyes.ts';

describe.each([
  ['classic', createScriptedMind(usual)],
  ['random', answerRandomly],
])('bot:%s', (_, mind) => {
  it('answers legally what no role of today is asked', () => {
    const choices = ['Dan', 'Will'];
    const prompt = compose({
      action: 'something_new',
      view: createView(gameAt(), 'Bert'),
      kind: 'choice',
      task: ['Do you want to use your potion, and on whom?'],
      choices,
      fields: {
        reasoning,
        use: createYesNoField('do you?'),
        target: createChoiceField([...choices, 'nobody'], 'whom'),
        how_much: createIntegerField(1, 3, 'drops'),
        how_sure: createProbabilityField('how sure'),
        words: createTextField('last words'),
      },
    });
    for (let seed = 0; seed < 20; seed++)
      expect(prompt.answer.safeParse(mind(prompt, draw(seed, 'bot')).answer).success).toBe(true);
  });

  it('gives the same answer at the same moment', () => {
    const prompt = debate.put(createView(gameAt(), 'Bert'), draw(1, 'order'));
    expect(mind(prompt, draw(1, 'bot'))).toEqual(mind(prompt, draw(1, 'bot')));
  });
});

describe('whatever others say', () => {
  const word = fc.constantFrom(
    'Dan', 'Leah', 'Sam', 'I am', 'the Seer', 'a Werewolf', 'is', 'not', 'I checked', 'you', 'he', 'suspect', 'trust',
    'vote for', ',', '.', '?', ':', '"', "'s", 'and', 'if', 'Doctor', '@1', '#w0', '(', '[', '\\', '💥', '\u202e',
  ); // prettier-ignore
  const speech = fc.oneof(
    fc.array(word, { maxLength: 40 }).map((words) => words.join(' ')),
    fc.string({ maxLength: 200 }),
  );

  it('a bot answers every question legally', () => {
    fc.assert(
      fc.property(
        fc.array(speech, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('Ginger', 'Sam', 'Dan'),
        (texts, me) => {
          const speakers = ['Leah', 'Will', 'Bert', 'Mason', 'Paul'];
          const events = [
            ...texts.map((line, index) => said(`1.${index + 1}`, speakers[index]!, line)),
            ...texts.map((line, index) => votedFor(1, speakers[index]!, 'Dan', line)),
          ];
          const moment: Moment = { events, step: texts.length };
          const last = { id: '1.1', by: speakers[texts.length - 1]!, text: texts.at(-1)! };
          answersOf(me, moment, { question: bid, matter: undefined }, 1);
          answersOf(me, moment, { question: debate, matter: undefined }, 1);
          answersOf(me, moment, { question: vote, matter: undefined }, 1);
          answersOf(me, moment, { question: summarize, matter: undefined }, 1);
          answersOf(me, moment, { question: peerAnalysis, matter: last }, 1);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a bot', () => {
  it('asked outside a match says what to do', async () => {
    const chat = new BotModel('bot:classic', createScriptedMind(usual));
    await expect(chat.invoke([new HumanMessage('Hello?')])).rejects.toThrow(
      'bot:classic answers only as the player of a match: seat it by its model string.',
    );
  });
});
