// What a node of the graph is: it reads the game, asks players, and returns what changed and what happened.
import type { Answered, Door } from '../models/ask.ts';
import type { Question } from '../prompts/prompt.ts';
import { draw } from '../state/draw.ts';
import type { EventOf, GameEvent } from '../state/event.ts';
import type { Game, GameUpdate } from '../state/game.ts';
import { stamp } from '../state/moment.ts';
import { view } from '../state/view.ts';
import { cutAt, privateWords } from '../state/words.ts';

export type Change = Omit<GameUpdate, 'gameLogs'> & { events?: GameEvent[] };

export type Node = (game: Game, door: Door) => Promise<Change> | Change;

/** A player's answer, or what stands for it. */
export type AnswerBy<Answer> = { by: string } & Answered<Answer>;

/** Puts a question to each of `players` at the same time; the answers come in the order of `players`. */
export function askEach<Answer, Matter>(
  door: Door,
  game: Game,
  players: readonly string[],
  question: Question<Answer, Matter>,
  matter: (player: string) => Matter,
): Promise<AnswerBy<Answer>[]> {
  const { setup, roundNum, step } = game;
  return Promise.all(
    players.map(async (by) => {
      const options = draw(setup.seed, 'options', roundNum, step, question.action, by);
      return { by, ...(await door.ask(question.put(view(game, by), options, matter(by)))) };
    }),
  );
}

/** The reasoning of an answer, for the player's own scratchpad; nothing where there is none. */
export function thought(
  game: Game,
  action: string,
  { by, value }: AnswerBy<{ reasoning: string }>,
): EventOf<'thought'>[] {
  if (!value?.reasoning) return [];
  const reasoning = cutAt(value.reasoning, privateWords).text;
  return [{ ...stamp(game, [by]), type: 'thought', by, action, step: game.step, reasoning }];
}

/** The mark of an answer, to be spread into its event. */
export const marked = ({ mark }: Answered<unknown>) => (mark === undefined ? {} : { mark });
