// The provider `bedrock`: models on Amazon Bedrock, through LangChain's package, which is installed only where it is used.
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { UsageError } from '../../state/usage-error.ts';
import type { Provider } from '../model.ts';
import { importChatClass } from './import-chat-class.ts';
import { createLanguageModel, createModelOptions, dropUndefined, type ModelOptions } from './model-options.ts';

type BedrockChat = BaseChatModel & { supportsToolChoiceValues?: readonly string[] };

/** Amazon's credentials come from wherever its own package finds them: the environment, a profile, the machine. */
export const bedrock: Provider<ModelOptions> = {
  name: 'bedrock',
  aliases: ['aws'],
  about: { MODEL: "Amazon Bedrock; reads AWS_REGION and Amazon's usual credentials" },
  keyEnv: [],
  isUntested: true,
  options: createModelOptions(['api', 'seed', 'reasoningEffort', 'baseUrl', 'apiKeyEnv']),
  open: async (spec, options, { temperature, env }) => {
    const region = env['AWS_REGION']?.trim() || env['AWS_DEFAULT_REGION']?.trim();
    if (!region) throw new UsageError(`AWS_REGION is not set: ${spec.provider}:${spec.model} needs it.`);
    const Chat = await importChatClass<new (fields: object) => BedrockChat>(spec, '@langchain/aws@1.4.5');
    const chat = new Chat({
      model: spec.model,
      region,
      maxRetries: 0,
      ...dropUndefined({
        temperature: options.temperature ?? temperature ?? undefined,
        topP: options.topP,
        maxTokens: options.maxTokens,
      }),
    });
    return createLanguageModel(spec, options, {
      chat,
      schemaOptions: (name, parameters) => ({
        tools: [{ type: 'function', function: { name, description: 'Takes the answer.', parameters } }],
        // LangChain's class throws where the model cannot be made to take a tool; it then answers by it or in text.
        ...(chat.supportsToolChoiceValues?.includes('tool') ? { tool_choice: name } : {}),
      }),
      listed: null,
      secrets: ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_BEARER_TOKEN_BEDROCK'].flatMap(
        (name) => env[name]?.trim() || [],
      ),
    });
  },
};
