// LangChain's chat model for Ollama. It is changed to abort running requests, and to report no count if the server
// reports none.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import type { ChatOllama, ChatOllamaInput } from '@langchain/ollama';
import { addExtraBody, type JsonObject } from '../extra-body.ts';
import { fetchJsonLines } from './checked-fetch.ts';

/** Signal of the call that a request belongs to; the package does not pass it on. */
const callSignal = new AsyncLocalStorage<AbortSignal | undefined>();

/** Creates the class. The class to extend is a parameter, because its package is optional. */
export function createOllamaChat(
  Base: typeof ChatOllama,
  fields: ChatOllamaInput,
  extraBody: JsonObject | undefined,
): ChatOllama {
  const send = addExtraBody(fetchJsonLines, extraBody);
  class OllamaChat extends Base {
    override disableStreaming = true;

    override async _generate(
      messages: BaseMessage[],
      options: this['ParsedCallOptions'],
      manager: Parameters<ChatOllama['_generate']>[2],
    ): Promise<ChatResult> {
      const result = await callSignal.run(options.signal, () => super._generate(messages, options, manager));
      for (const { message } of result.generations) {
        const { prompt_eval_count: input, eval_count: output } = message.response_metadata;
        if (typeof input !== 'number' || typeof output !== 'number')
          Object.assign(message, { usage_metadata: undefined });
      }
      return result;
    }
  }
  return new OllamaChat({
    ...fields,
    fetch: (url, init) => {
      const signal = callSignal.getStore();
      return send(url, { ...init, ...(signal ? { signal } : {}) });
    },
  });
}
