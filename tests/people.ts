// People for tests. Each answers immediately, with a legal answer that is drawn or that the test chooses.
import { drawLegalAnswer } from '../models/bots/random.ts';
import type { People, PersonAnswer, PersonQuestion } from '../models/human/people.ts';
import { draw } from '../state/random.ts';
import type { View } from '../state/view.ts';

export interface AskedPeople extends People {
  questions: PersonQuestion[];
  views: View[];
  roles: Readonly<Record<string, string>> | null | undefined;
}

/**
 * Creates people. `decide`: returns the answer to a question, or null if none comes in time. Default: a legal answer
 * that depends only on the place of the question.
 */
export function seatPeople(
  decide: (
    question: PersonQuestion,
    drawn: Record<string, unknown>,
  ) => PersonAnswer['answer'] | null | Promise<never> = (_question, drawn) => drawn,
): AskedPeople {
  const people: AskedPeople = {
    ...{ questions: [], views: [], roles: undefined },
    open: () => undefined,
    show: (view) => void people.views.push(view),
    ask: async (question) => {
      people.questions.push(question);
      const { schema, view, step, action } = question.prompt;
      const drawn = drawLegalAnswer(schema, draw(1, view.me, view.round, step, action));
      const answer = await decide(question, { ...drawn, reasoning: '' });
      return answer === null ? null : { answer, shownMs: 12.7 };
    },
    close: (roles) => void (people.roles = roles),
  };
  return people;
}
