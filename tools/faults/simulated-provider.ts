// Models for simulated matches: a bot whose answers are stored, and a language model that repeats these answers over a
// network.
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { BotModel } from '../../models/bots/bot-model.ts';
import { answerRandomly } from '../../models/bots/random.ts';
import { hashMessages } from '../../models/call-model.ts';
import type { PromptMessage } from '../../models/model.ts';
import type { SimulatedProcess } from './simulated-world.ts';

/** Hash of a prompt → its answer. */
export type KeptReplies = Map<string, string>;

const roles: Readonly<Record<string, PromptMessage['role']>> = { system: 'system', human: 'user', ai: 'assistant' };

/** Hashes a prompt as the record of its answer does. */
const hashPrompt = (messages: readonly BaseMessage[]) =>
  hashMessages(messages.map((message) => ({ role: roles[message.getType()]!, content: message.text })));

/** A bot whose answers are all stored. */
export class ReplyKeeper extends BotModel {
  readonly #replies: KeptReplies;

  constructor(replies: KeptReplies) {
    super('bot:random', answerRandomly);
    this.#replies = replies;
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const result = await super._generate(messages, options);
    this.#replies.set(hashPrompt(messages), result.generations[0]!.text);
    return result;
  }
}

/** Error for a prompt that is never sent in the match without faults. */
export class UnknownPrompt extends Error {
  override name = 'UnknownPrompt';
}

/** A model that repeats stored answers over a simulated network, as a provider would. */
export class SimulatedModel extends BaseChatModel {
  readonly #process: SimulatedProcess;
  readonly #replies: KeptReplies;
  readonly #onReply: (prompt: string) => void;

  /** `onReply`: called with the hash of each answered prompt, at the moment at which a real call would be charged. */
  constructor(process: SimulatedProcess, replies: KeptReplies, onReply: (prompt: string) => void) {
    super({});
    [this.#process, this.#replies, this.#onReply] = [process, replies, onReply];
  }

  override _llmType() {
    return 'simulated';
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    const prompt = hashPrompt(messages);
    const { signal } = options as { signal?: AbortSignal };
    const text = await this.#process.call(() => {
      const reply = this.#replies.get(prompt);
      if (reply === undefined) throw new UnknownPrompt(`${messages.at(-1)?.text.slice(0, 200)}`);
      this.#onReply(prompt);
      return reply;
    }, signal);
    return { generations: [{ text, message: new AIMessage({ content: text }) }] };
  }
}
