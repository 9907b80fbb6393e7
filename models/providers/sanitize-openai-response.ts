// Converts the answers of servers with OpenAI's protocol, in all their variants, to the form that LangChain reads, or
// to errors.
import type { OpenAIClient } from '@langchain/openai';
import { parseJsonOrText } from '../parse-answer.ts';
import { findErrorMessage } from '../error-body.ts';
import { noAnswerCode } from '../provider-error.ts';

export type Completion = OpenAIClient.Chat.Completions.ChatCompletion;
export type CompletionMessage = Completion['choices'][number]['message'];

/**
 * Returns a completion that LangChain can read: LangChain fails on an empty list of choices, a message without a role,
 * and content or tool calls of another shape. Throws, with the server's message, if the answer is not a completion:
 * some servers send their errors with status 200.
 */
export function normalizeCompletion(given: unknown): Completion {
  const answer = typeof given === 'string' ? parseJsonOrText(given) : given; // a text if the server does not declare JSON
  const { choices } = (answer ?? {}) as Partial<Completion>;
  const first = Array.isArray(choices) ? choices[0] : undefined;
  const fault = findFault(first ? { error: (first as { error?: unknown }).error } : answer);
  if (!Array.isArray(choices) || fault) throw createAnswerError(answer, fault, 'a chat completion server');
  const { message, ...choice } = first ?? { index: 0, finish_reason: null as never, logprobs: null };
  const { content, ...rest } = (message ?? {}) as Partial<CompletionMessage>;
  const read = {
    refusal: null,
    ...rest,
    ...withoutToolCalls,
    content: normalizeContent(content) as CompletionMessage['content'],
    role: 'assistant' as const,
  };
  return { ...(answer as Completion), choices: [{ ...choice, message: read }] };
}

/** Removes tool calls, because no tools are offered. */
const withoutToolCalls = { tool_calls: undefined, function_call: undefined } as object;

/**
 * Converts content to a text, to parts that LangChain reads, or to null. Other JSON becomes text, e.g. from a server
 * that parses the answer itself.
 */
function normalizeContent(content: unknown): unknown {
  if (content === undefined || content === null || typeof content === 'string') return content ?? null;
  if (Array.isArray(content) && content.length === 0) return null;
  const parts = Array.isArray(content) ? content.filter((part) => typeof part === 'object' && part !== null) : [];
  return parts.length > 0 ? parts : JSON.stringify(content);
}

interface Fault {
  message: string | undefined;
  code: unknown;
  body: object;
}

/** Finds an error in place of an answer: in a field of its own or, from older versions of vLLM, as the whole body. */
export function findFault(body: unknown): Fault | null {
  if (typeof body !== 'object' || body === null) return null;
  const { error, code } = body as { error?: { code?: unknown } | null; code?: unknown };
  const fault = { message: findErrorMessage(body), code: error?.code ?? code, body };
  return fault.message === undefined && typeof fault.code !== 'number' ? null : fault;
}

/** Error codes in words → HTTP status. */
const statuses: Readonly<Record<string, number>> = {
  invalid_api_key: 401,
  model_not_found: 404,
  insufficient_quota: 429,
  context_length_exceeded: 400,
};

/**
 * Creates an error that counts as a lost connection, like a page from a proxy, so that a retry may succeed. If `fault`
 * has the code of another kind of error, the created error counts as that kind.
 */
export function createAnswerError(answer: unknown, fault: Fault | null, server: string): Error {
  const { code, body } = fault ?? {};
  const words = fault?.message ?? `Not a valid answer of ${server}: ${describeAnswer(answer)}`;
  const status = statuses[String(code)] ?? Number(code);
  const isStatus = Number.isInteger(status) && status >= 400 && status < 600;
  return Object.assign(new Error(words), {
    body,
    ...(isStatus ? { status, code, error: { message: words } } : { code: noAnswerCode }),
  });
}

function describeAnswer(answer: unknown): string {
  if (answer === undefined || answer === '') return 'nothing';
  try {
    return JSON.stringify(answer);
  } catch {
    return 'JSON that is nested too deeply'; // JSON.stringify overflows the stack
  }
}
