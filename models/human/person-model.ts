// A chat model that is a person: it passes the question to the table at which the person plays.
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import type { PersonCall } from './people.ts';

/** Name of a person who has none in the record. */
export const unnamedPerson = 'unnamed';

export class PersonModel extends BaseChatModel {
  /** Name of the person in records. */
  readonly spec: string;
  readonly #seconds: number | null;

  /** `seconds`: time for each answer; null without a limit. */
  constructor(spec: string, seconds: number | null) {
    super({});
    this.spec = spec;
    this.#seconds = seconds;
  }

  override _llmType() {
    return 'wolfgraph-person';
  }

  override async _generate(_messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const { person, signal } = options as unknown as { person?: PersonCall; signal?: AbortSignal }; // a call option of our own
    if (!person) throw new TypeError(`${this.spec} is a person, who answers only as the player of a match.`);
    const given = await person(this.#seconds, signal ?? new AbortController().signal);
    const text = given === null ? '' : JSON.stringify(given.answer);
    const message = new AIMessage({
      content: text,
      additional_kwargs: given === null ? { unanswered: true } : { shown_ms: Math.floor(given.shownMs) },
    });
    return { generations: [{ text, message }] };
  }
}
