// A chat model for tests: it answers by a script that is given the question, read from the messages alone.
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { replaceInValue, type Renamer } from '../prompts/renaming.ts';
import { draw, type RandomSource } from '../state/random.ts';
import { readQuestion, type Message, type Question, type Shapes } from './question.ts';

/** An object is answered as JSON, a text or a whole message as it stands. What it throws, the model throws. */
export type Script = (question: Question, number: number) => Answer | Promise<Answer>;
export type Answer = AIMessage | string | Readonly<Record<string, unknown>>;

export class ScriptedModel extends BaseChatModel {
  /** Every question that was put to the model, in the order in which they came. */
  readonly asked: Question[] = [];
  readonly #script: Script;
  readonly #tell: Renamer;

  /** `tell`: of a match whose words are others; the script reads and gives the usual ones. */
  constructor(script: Script, tell: Renamer = (text) => text) {
    super({});
    [this.#script, this.#tell] = [script, tell];
  }

  override _llmType() {
    return 'scripted';
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const plain = messages.map(createPlainMessage);
    const question = readQuestion(plain.map(({ role, content }) => ({ role, content: this.#tell(content) })));
    this.asked.push(question);
    const answer = await this.#script(question, this.asked.length - 1);
    const message =
      answer instanceof AIMessage
        ? answer
        : new AIMessage({
            content: typeof answer === 'string' ? answer : JSON.stringify(replaceInValue(answer, this.#tell)),
          });
    return { generations: [{ text: message.text, message }] };
  }
}

const roles: Readonly<Record<string, string>> = { system: 'system', human: 'user', ai: 'assistant' };

const createPlainMessage = (message: BaseMessage): Message => ({
  role: roles[message.getType()]!,
  content: message.text,
});

/** A legal answer, drawn by whoever is asked what and when: whatever the prompt says besides changes nothing. */
export function createLegalAnswer(question: Question, seed = 0): Record<string, unknown> {
  const { player, round, action, turn, speaker, attempt } = question;
  return fillFields(
    question.fields,
    draw(seed, player, round, action, turn ?? 0, speaker ?? '', attempt),
    `${player} ${round}`,
  );
}

function fillFields(fields: Shapes, by: RandomSource, words: string): Record<string, unknown> {
  const each = (names: readonly string[], value: () => unknown): Record<string, unknown> =>
    Object.fromEntries(names.map((name) => [name, value()]));
  const fraction = () => by.integer(101) / 100;
  return Object.fromEntries(
    Object.entries(fields).map(([name, shape]): [string, unknown] => {
      if (shape.kind === 'choice') return [name, by.pick(shape.of.toSorted())];
      if (shape.kind === 'subset') return [name, shape.of.filter(() => by.pick([true, false]))];
      if (shape.kind === 'integer') return [name, shape.from + by.integer(shape.to - shape.from + 1)];
      if (shape.kind === 'boolean') return [name, by.pick([true, false])];
      if (shape.kind === 'fraction') return [name, fraction()];
      if (shape.kind === 'fractions') return [name, each(shape.of, fraction)];
      if (shape.kind === 'entries') return [name, each(shape.of, () => fillFields(shape.fields, by, words))];
      return [name, `The ${name} of ${words}, ${by.integer(1e6)}.`];
    }),
  );
}

/** Legal answers, with what `changes` says of an action in place of what was drawn. */
export const createScript =
  (changes: Readonly<Record<string, (question: Question) => Record<string, unknown>>>, seed = 0): Script =>
  (question) => ({ ...createLegalAnswer(question, seed), ...changes[question.action]?.(question) });
