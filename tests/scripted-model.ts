// A chat model for tests. It answers by a script that receives the question, parsed from the messages alone.
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { replaceInValue, type Renamer } from '../prompts/renaming.ts';
import { draw, type RandomSource } from '../state/random.ts';
import { readQuestion, type Message, type Question, type Shapes } from './question.ts';

/**
 * A script's answer: an object is sent as JSON; a text or message is sent unchanged. If the script throws, the model
 * throws the same error.
 */
export type Script = (question: Question, number: number) => Answer | Promise<Answer>;
export type Answer = AIMessage | string | Readonly<Record<string, unknown>>;

export class ScriptedModel extends BaseChatModel {
  /** All questions so far, in order. */
  readonly asked: Question[] = [];
  readonly #script: Script;
  readonly #tell: Renamer;

  /**
   * `tell`: translates the wording of a match to the usual wording and back, so that the script reads and answers in
   * the usual wording.
   */
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

/** Creates a legal answer that depends only on player, action and time, not on the rest of the prompt. */
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

/** Creates a script of legal answers. `changes`: replacements by action. */
export const createScript =
  (changes: Readonly<Record<string, (question: Question) => Record<string, unknown>>>, seed = 0): Script =>
  (question) => ({ ...createLegalAnswer(question, seed), ...changes[question.action]?.(question) });
