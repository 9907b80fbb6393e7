// Thoughts and invented dialogue in statements: no other player's prompt contains them, and the record marks them.
import { describe, expect, it } from '@jest/globals';
import { type Question } from '../question.ts';
import { createLegalAnswer, ScriptedModel } from '../scripted-model.ts';
import { everyRole, play } from '../table.ts';
import { getRenamer } from '../../prompts/renaming.ts';
import { restoreWording } from '../restore-wording.ts';
import { Variant } from '../../state/variants.ts';

const heard = ['statement', 'explanation', 'proposal_reason'];
const nameSecret = (player: string) => `ZQLEAK-OF-${player.toUpperCase()}`;
const invented = 'ZQINVENTED';

/** Every statement begins with thoughts and goes on with lines of another player. */
function answerWithThoughts(question: Question) {
  const answer = createLegalAnswer(question);
  const other = question.alive.find((name) => name !== question.player)!;
  return Object.fromEntries(
    Object.entries(answer).map(([field, value]) => [
      field,
      heard.includes(field)
        ? `<think>${nameSecret(question.player)}</think>${String(value)}\n${other}: ${invented}.`
        : value,
    ]),
  );
}

describe.each([
  {
    of: 'the rules of WOLF',
    plan: { rules: 'wolf', rule: { debateTurns: 2, maxRounds: 2, selfReport: 'with-notes' } },
  },
  {
    of: 'every role, a Sheriff and ties',
    plan: { board: everyRole, rules: 'plus', rule: { sheriff: true, maxRounds: 2 } },
  },
  ...Variant.options.map((variant) => ({
    of: `a telling that is ${variant}`,
    tell: variant === 'paraphrased' ? restoreWording : getRenamer({ variant }),
    plan: { variant, rules: 'wolf', rule: { debateTurns: 2, maxRounds: 1, ballots: 'public' } },
  })),
])('thoughts and invented lines under $of', ({ plan, ...told }) => {
  it('reach no other player, and are told of in the record', async () => {
    const model = new ScriptedModel(answerWithThoughts, 'tell' in told ? told.tell : undefined);
    const match = await play({ ...plan, seed: 3, model });
    const leaks = model.asked.flatMap(({ player, messages }) =>
      match.setup.players
        .filter(({ name }) => name !== player)
        .filter(({ name }) => messages.some(({ content }) => content.includes(nameSecret(name))))
        .map(({ name }) => `${name} to ${player}`),
    );
    expect(leaks).toEqual([]);
    expect(model.asked.filter(({ messages }) => messages.some(({ content }) => content.includes(invented)))).toEqual(
      [],
    );
    const spoken = match.lines.filter(({ answer }) => heard.some((field) => field in (answer as object)));
    expect(spoken.length).toBeGreaterThan(3);
    for (const { answer, moved_thoughts: moved, cut_dialogue: cut } of spoken) {
      const fields = heard.filter((field) => field in (answer as object));
      expect(moved).toEqual(fields);
      expect(Object.keys(cut!)).toEqual(fields);
      expect((answer as { reasoning: string }).reasoning).toContain('ZQLEAK');
    }
  });
});
