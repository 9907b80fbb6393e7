// LangChain's chat model for Claude. It is changed to cache the common parts of its prompts and to keep the status of
// errors.
import { type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import type { ChatAnthropic } from '@langchain/anthropic';
import { optionalTemperature, sendWithoutRefused } from './refused-parameters.ts';

type Fields = NonNullable<ConstructorParameters<typeof ChatAnthropic>[0]> & object;

/** Creates the class. The class to extend is a parameter, because its package is optional. */
export function createAnthropicChat(
  Base: typeof ChatAnthropic,
  fields: Fields,
  { isTemperatureOptional }: { isTemperatureOptional: boolean },
): ChatAnthropic {
  class AnthropicChat extends Base {
    override disableStreaming = true;

    override async _generate(
      messages: BaseMessage[],
      options: this['ParsedCallOptions'],
      manager: Parameters<ChatAnthropic['_generate']>[2],
    ): Promise<ChatResult> {
      return super._generate(markForCache(messages), options, manager);
    }

    override async completionWithRetry(...[request, options]: Parameters<ChatAnthropic['completionWithRetry']>) {
      const isOptional = isTemperatureOptional && request.temperature !== undefined;
      return sendWithoutRefused<typeof request, Awaited<ReturnType<ChatAnthropic['completionWithRetry']>>>(
        `${this.apiUrl} ${request.model}`,
        request,
        isOptional ? [optionalTemperature] : [],
        (sent) => super.completionWithRetry(sent, options).catch(rethrowOriginal),
      );
    }
  }
  return new AnthropicChat(fields);
}

/**
 * Rethrows the original error. LangChain replaces an error about a long prompt by an error of its own, which lacks the
 * status.
 */
function rethrowOriginal(error: Error): never {
  throw error.cause instanceof Error && 'status' in error.cause ? error.cause : error;
}

/**
 * Splits a system message after the part that is the same for all players, so that this part can be marked and cached
 * separately. The player's names and role follow it.
 */
function splitAtBoundary(text: string) {
  const boundary = text.lastIndexOf('\n\n') + 2;
  const parts = boundary < 2 ? [text] : [text.slice(0, boundary), text.slice(boundary)];
  return parts.map((part) => ({ type: 'text' as const, text: part, ...cached }));
}

const cached = { cache_control: { type: 'ephemeral' } } as const;

/**
 * Marks the parts of the messages that Anthropic should cache: the rules, and what the player has seen. What the player
 * has seen ends before the last blank line or, if experiences of earlier matches follow it, before the blank line above
 * them, so both places are marked. Together with two marks in the rules these are four, the most that Anthropic allows.
 * The task at the end is not marked. Each line is a separate block, so that a cached prefix is still found after more
 * lines were added.
 */
function markForCache(messages: BaseMessage[]): BaseMessage[] {
  return messages.map((message, index) => {
    if (typeof message.content !== 'string') return message;
    const { content: text } = message;
    if (message.type === 'system') return new SystemMessage({ content: splitAtBoundary(text) });
    const end = text.lastIndexOf('\n\n') + 2;
    if (message.type !== 'human' || index > 1 || end < 2) return message;
    const lines = text.slice(0, end).match(/[^\n]+\n+/g) ?? [];
    const ends = lines.flatMap((line, place) => (place > 0 && line.endsWith('\n\n') ? [place] : [])).slice(-2);
    const blocks = [...lines, text.slice(end)].map((line) => ({ type: 'text' as const, text: line }));
    return new HumanMessage({
      content: blocks.map((block, place) => (ends.includes(place) ? { ...block, ...cached } : block)),
    });
  });
}
