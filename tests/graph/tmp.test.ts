import { expect, it } from '@jest/globals';
import { ScriptedModel, legalAnswer } from '../scripted-model.ts';
import { playDeal, dealt } from '../table.ts';
it('x', async () => {
  const model = new ScriptedModel((q) => legalAnswer(q));
  const { steps, game, events } = await playDeal(dealt(), model);
  console.log(steps.join(' '), game.winner, events.length);
});
