// A public statement: the question to its speaker, and what everybody hears.
import type { Door } from '../models/ask.ts';
import type { Speech } from '../prompts/debate.ts';
import type { Question } from '../prompts/prompt.ts';
import { turnOf } from '../state/deeds.ts';
import type { GameEvent, Occasion } from '../state/event.ts';
import type { Game } from '../state/game.ts';
import { cutAt } from '../state/words.ts';
import { askEach, marked, thought, type Change } from './node.ts';

interface Turn<Said extends Speech> {
  speaker: string;
  question: Question<Said>;
  /** Absent: the debate. */
  occasion?: Occasion;
  /** What the statement's event says besides its words. */
  more?: (said: Said) => object;
}

/** `speaker` makes a statement, or is silent where nothing could be understood; either takes a turn. */
export async function speak<Said extends Speech>(
  game: Game,
  door: Door,
  { speaker, question, occasion, more = () => ({}) }: Turn<Said>,
): Promise<Change> {
  const answers = await askEach(door, game, [speaker], question, () => undefined);
  const said = answers.flatMap((answer): GameEvent[] => {
    const at = turnOf(game, speaker, occasion);
    if (!answer.value) return [{ ...at, type: 'silence', ...marked(answer) }];
    const { text, cut } = cutAt(answer.value.statement, game.setup.rules.maxWords * 2);
    return [
      ...thought(game, question.action, answer),
      { ...at, type: 'statement', text, ...(cut || answer.cut ? { cut: true } : {}), ...more(answer.value) },
    ];
  });
  return { step: game.step + 1, events: said };
}
