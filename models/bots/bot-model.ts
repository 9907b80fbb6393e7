// A chat model without a language model. It answers only from the View that the prompt was made from.
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import type { RandomSource } from '../../state/random.ts';
import type { AnyPrompt } from '../../prompts/prompt.ts';
import { getRenamer, replaceInValue } from '../../prompts/renaming.ts';
import type { BotCall, IntendedMeaning } from '../model.ts';

/** Answers a prompt. `draw` is keyed by the question's place in the match, so the same place gives the same answer. */
export type BotPolicy = (
  prompt: AnyPrompt,
  draw: RandomSource,
) => { answer: Readonly<Record<string, unknown>>; meant?: IntendedMeaning };

export class BotModel extends BaseChatModel {
  /** Name of the model in records. */
  readonly spec: string;
  readonly #mind: BotPolicy;
  readonly #salt: number | undefined;

  /** Creates the model. `salt`: bots with different salts draw independently of each other. */
  constructor(spec: string, mind: BotPolicy, salt?: number) {
    super({});
    this.spec = spec;
    this.#mind = mind;
    this.#salt = salt;
  }

  override _llmType() {
    return 'wolfgraph-bot';
  }

  override _generate(_messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const { bot } = options as unknown as { bot?: BotCall }; // a call option of our own, unknown to LangChain's types
    if (!bot)
      throw new TypeError(
        `${this.spec} can only answer as a player in a match. To seat it, name it as a model, for example with --model.`,
      );
    const { prompt, draw } = bot(this.#salt);
    const { answer, meant } = this.#mind(prompt, draw);
    const text = JSON.stringify(replaceInValue(answer, getRenamer(prompt.view))); // a language model would answer in the words of a renamed game
    const message = new AIMessage({
      content: text,
      additional_kwargs: { meant },
      response_metadata: { model_name: this.spec },
    });
    return Promise.resolve({ generations: [{ text, message }] });
  }
}
