// The arm `honest` of a fork changes one question of one player and no other prompt.
import { describe, expect, it } from '@jest/globals';
import { createForkClient } from '../../graph/fork-client.ts';
import { honestInstruction } from '../../prompts/honest-turn.ts';
import type { Question } from '../question.ts';
import { createLegalAnswer, ScriptedModel } from '../scripted-model.ts';
import { createBoard, dealTable, playNodes } from '../table.ts';

const formatQuestion = ({ messages }: Question) => messages.map(({ content }) => content).join('\n');

describe('the instruction of the arm honest', () => {
  const setup = dealTable({ board: createBoard(2, 1, 1, 4), rule: { debateTurns: 2, maxRounds: 1 } });

  it('goes to the player of that statement alone, stands before the last line of that question, and changes nothing else in it', async () => {
    const [plain, told] = [new ScriptedModel(createLegalAnswer), new ScriptedModel(createLegalAnswer)];
    await playNodes(setup, plain);
    await playNodes(setup, told, (client) =>
      createForkClient(client, { match: 'origin', statement: '1.1', arm: 'honest', copy: 1 }),
    );
    const [before, after] = [plain, told].map(({ asked }) => asked.map(formatQuestion)) as [string[], string[]];
    const changed = after.flatMap((text, place) => (text === before[place] ? [] : [{ text, was: before[place] }]));
    expect(changed).toHaveLength(1);
    expect(changed[0]?.text.replace(`${honestInstruction}\n`, '')).toBe(changed[0]?.was);
    expect(changed[0]?.text.split('\n').at(-2)).toBe(honestInstruction);
    const asked = told.asked.filter((question) => formatQuestion(question).includes(honestInstruction));
    expect(asked.map(({ action, round }) => [action, round])).toEqual([['debate', 1]]);
  });
});
