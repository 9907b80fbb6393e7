// Sends a question in the form that its server accepts: with or without the JSON schema of the answer, with or without
// a system message, as a conversation or in one turn. After a rejection, later questions use the form that was
// accepted.
import type { UsageMetadata } from '@langchain/core/messages';
import { getRenamer, replaceInValue } from '../prompts/renaming.ts';
import { getModelLabel } from '../state/model-identity.ts';
import { draw } from '../state/random.ts';
import type { AnyPrompt } from '../prompts/prompt.ts';
import type { ShapesPlace } from '../prompts/shapes.ts';
import type { AnswerLine, CallKey, Reading } from '../state/record.ts';
import type { CallTurn } from './limiters-by-server.ts';
import type { Clock } from './machine/clock.ts';
import type { People, PersonCall } from './human/people.ts';
import { type BotCall, getServerName, type PlayerModel, type PromptMessage } from './model.ts';
import { warnOnce, type WarnOnceContext } from './provider-error.ts';
import { createRedactor } from './redact.ts';
import { callWithRetries, ProviderFailure } from './retry.ts';

/** A call with everything that it needs. */
export interface ModelCall {
  key: CallKey;
  prompt: AnyPrompt;
  messages: readonly PromptMessage[];
  /** Number of pieces of speech that were left out of the messages to fit the model's context. */
  leftOut: number;
  /** How the messages describe the shapes of answers. */
  shapes: ShapesPlace;
  /** Version of the rules by which the answer is parsed. */
  reading: Reading;
  model: PlayerModel;
  /** Whether the answer is parsed by the schema of the question's family. */
  isOfFamily?: boolean;
  seed: number;
  /** Replicate of the set-up; undefined for the first. */
  replicate?: number | undefined;
  clock: Clock;
  /** The call's turn at the model's server; undefined for a bot. */
  turn?: CallTurn | undefined;
  maxWaitMs?: number | undefined;
  /** Aborts a running attempt. */
  signal: AbortSignal;
  /** Aborted when the match stops. No further attempt begins then, but a running attempt continues. */
  stop: AbortSignal;
  /** Model string → which answer schemas its server was found to accept. Every call adds what it learns. */
  schemaUse: Map<string, SchemaUse>;
  warned: WarnOnceContext['warned'];
  metadata: Readonly<Record<string, string | number>>;
  /** Asks the person in the seat; absent if no person plays. */
  people?: Pick<People, 'ask'> | undefined;
  warn: (message: string) => void;
}

/** A form in which messages can be sent if their usual form is rejected. */
type MessageForm = NonNullable<AnswerLine['sent_as']>[number];

/** Messages by which servers reject the usual form, keyed by the form that they accept instead. */
const formWords: Readonly<Record<MessageForm, RegExp>> = {
  // Gemma and other models have no system role. Chat templates without a system role count the system message as a
  // turn.
  'system-in-user':
    /\b(?:system|developer) (?:role|message|prompt|instruction)s?\b.{0,80}(?:not |n't |unsupported|unknown|invalid)|(?:not |n't |unsupported|unknown|invalid).{0,80}\b(?:system|developer) (?:role|message|prompt|instruction)s?\b|role:? .?system|roles must alternate|only user and assistant roles/i,
  // Some servers of reasoning models reject a conversation without the models' earlier reasoning. `reasoning_content`
  // is DeepSeek's field for it.
  'one-user-turn':
    /reasoning_content|thought_signature|\bthinking\W+block|reasoning.{0,80}(?:passed|handed|sent|returned) back|roles must alternate/i,
};

/** Returns whether a form changes these messages. */
const canTake = (form: MessageForm, messages: readonly PromptMessage[]) =>
  messages.some(({ role }) => role === (form === 'system-in-user' ? 'system' : 'assistant'));

/** Converts the messages to these forms. The record keeps the originals. */
export function formatMessages(
  messages: readonly PromptMessage[],
  forms: readonly MessageForm[],
): readonly PromptMessage[] {
  const joined = forms.includes('one-user-turn') ? joinTurns(messages) : messages;
  const [first, second, ...rest] = joined;
  return forms.includes('system-in-user') && first?.role === 'system' && second?.role === 'user'
    ? [{ role: 'user', content: `${first.content}\n\n${second.content}` }, ...rest]
    : joined;
}

/** Joins the task, the earlier answers and their errors into one turn. */
function joinTurns(messages: readonly PromptMessage[]): readonly PromptMessage[] {
  const turns = messages.filter(({ role }) => role !== 'system');
  const told = turns.map(({ role, content }) => (role === 'assistant' ? `Your earlier answer:\n${content}` : content));
  return [...messages.filter(({ role }) => role === 'system'), { role: 'user', content: told.join('\n\n') }];
}

/**
 * Forms that servers need, as learned by this process: by server and model, or by chat model for a model given as an
 * object.
 */
const learnedForms = new Map<string, Set<MessageForm>>();
const learnedFormsOfObjects = new WeakMap<object, Set<MessageForm>>();

function getLearnedForms({ server, spec, chat }: PlayerModel): Set<MessageForm> {
  const key = server && `${server.address ?? server.name} ${spec}`;
  const found = key === undefined ? learnedFormsOfObjects.get(chat) : learnedForms.get(key);
  if (found) return found;
  const none = new Set<MessageForm>();
  if (key === undefined) learnedFormsOfObjects.set(chat, none);
  else learnedForms.set(key, none);
  return none;
}

/** Facts that earlier calls have shown about a model: whether its server accepts JSON schemas. */
export interface SchemaUse {
  /** Number of questions that the server accepted only without their schema. */
  refusals: number;
  /** Whether the model has rejected the schema of a family and then accepted the schema of a question. */
  hasNoFamilies: boolean;
  /** Whether the model has ever accepted a schema. */
  isTaken: boolean;
}

/**
 * Number of questions after which no further schema is sent, if the server has accepted all of them only without a
 * schema.
 */
const enoughRefusals = 2;

/** Words for the part of a request that asks for a schema. */
const schemaWords =
  /response_?(?:format|schema|mime_?type)|json[_ -]?(?:schema|object|mode)|\bschema|\bgrammar|\bstructured|additionalProperties|output_?(?:config|format)|guided_(?:json|decoding)|\btool_choice|\btools?\b|function call/i;

/** Words by which a server says that it does not support something, whatever the question. */
const supportWords =
  /support|\bun(?:known|recogni[sz]ed|expected)|\bnot (?:allowed|permitted|available|enabled|implemented|valid|compatible)|\binvalid|disallowed|\btoo (?:large|complex|deep|many|long)|extra inputs|\bno\b|\bmust (?:be|have|not)|\bcannot|can't|only\b|fail(?:s|ed) to compile|refuse/i;

interface SentQuestion {
  result: Awaited<ReturnType<PlayerModel['chat']['invoke']>>;
  retries: number;
}

/** Form in which a question was last sent, as in its answer's line. Also set if sending failed. */
export type Sending = Pick<AnswerLine, 'schema' | 'structured' | 'sent_as'>;

/**
 * Sends a question, and reports in `sending` how it was sent. The schema is sent if the model supports it. If the
 * server rejects the request, it is repeated without the schema. The schema is left out from then on, with one warning,
 * in two cases: the server's message is about schema support, or the server has accepted several questions only without
 * a schema and none with one.
 */
export async function sendQuestion(call: ModelCall, sending: Sending): Promise<SentQuestion> {
  const { model, stop } = call;
  const use = getSchemaUse(call);
  sending.schema = false;
  sending.structured = model.structured === 'json' || model.hasJsonAlone === true ? 'json' : 'schema';
  if (!model.schemaOptions || use.refusals >= enoughRefusals) return deliverInForm(call, {}, sending);
  let retries = 0; // retries of a request that was finally rejected
  if (call.key.attempt === 1 && call.prompt.family !== undefined && takesFamilies(model, use)) {
    const sent = await sendFamily(call, call.prompt.family, sending);
    if ('result' in sent) return sent;
    ({ retries } = sent);
  }
  const tell = getRenamer(call.prompt.view);
  const options = model.schemaOptions(tell(call.prompt.action), replaceInValue(call.prompt.schema, tell));
  sending.schema = model.hasJsonAlone !== true;
  try {
    const sent = await deliverInForm(call, options, sending);
    use.isTaken = true;
    return { ...sent, retries: retries + sent.retries };
  } catch (error) {
    if (stop.aborted || !isBadRequest(error)) throw error;
    sending.schema = false;
    const sent = await deliverInForm(call, {}, sending);
    const said = error.message.replace(getModelLabel(model.spec), '');
    const isClear = schemaWords.test(said) && supportWords.test(said);
    use.refusals = isClear ? enoughRefusals : use.isTaken ? 0 : use.refusals + 1; // read only now: concurrent calls change it
    if (use.refusals >= enoughRefusals)
      warnOnce(
        call,
        `The server rejects the JSON schema of an answer; continuing without it. ${error.message}`,
        `${model.spec} refuses schemas`,
      );
    return { ...sent, retries: retries + sent.retries + error.tries - 1 };
  }
}

/**
 * Sends a question with the schema of its family. If the server rejects that schema, returns only the number of
 * retries; this and all following questions then use their own schemas.
 */
async function sendFamily(
  call: ModelCall,
  { name, schema }: NonNullable<AnyPrompt['family']>,
  sending: Sending,
): Promise<SentQuestion | Pick<SentQuestion, 'retries'>> {
  const { model, stop } = call;
  if (!model.schemaOptions) return { retries: 0 };
  Object.assign(sending, { schema: true, structured: 'family' });
  try {
    return await deliverInForm(
      call,
      model.schemaOptions(name, replaceInValue(schema, getRenamer(call.prompt.view))),
      sending,
    );
  } catch (error) {
    if (stop.aborted || !isBadRequest(error)) throw error;
    Object.assign(sending, { schema: false, structured: 'schema' });
    getSchemaUse(call).hasNoFamilies = true;
    warnOnce(
      call,
      `The server rejects one schema for all questions of a family; continuing with a schema for each question. ${error.message}`,
      `${model.spec} refuses families`,
    );
    return { retries: error.tries - 1 };
  }
}

const takesFamilies = (
  { structured, schemaOptions }: Pick<PlayerModel, 'structured' | 'schemaOptions'>,
  use?: SchemaUse,
) =>
  structured === 'family' &&
  schemaOptions !== undefined &&
  !use?.hasNoFamilies &&
  !(use && use.refusals >= enoughRefusals);

/**
 * Returns how the prompt of a question describes the shapes of answers to this model. If a question is sent with the
 * schema of its family and the provider puts schemas before the messages, the model reads the schema. Other servers may
 * only enforce a schema, so their prompts describe the shapes.
 */
export function placeShapes(
  model: Pick<PlayerModel, 'spec' | 'structured' | 'schemaOptions' | 'cache'>,
  schemaUse: ModelCall['schemaUse'] = new Map(),
): ShapesPlace {
  if (!takesFamilies(model, schemaUse.get(model.spec))) return 'prompt';
  return model.cache?.isSchemaFirst === true ? 'schema' : 'family';
}

function getSchemaUse({ schemaUse, model: { spec } }: ModelCall): SchemaUse {
  const use = schemaUse.get(spec) ?? { refusals: 0, isTaken: false, hasNoFamilies: false };
  schemaUse.set(spec, use);
  return use;
}

const isBadRequest = (error: unknown): error is ProviderFailure =>
  error instanceof ProviderFailure && error.kind === 'bad-request';

/**
 * Sends a question in the forms that the server is known to need, and repeats it in each further form that the server
 * asks for.
 */
async function deliverInForm(call: ModelCall, options: object, sending: Sending): Promise<SentQuestion> {
  const { model, messages, stop } = call;
  const learned = getLearnedForms(model);
  let retries = 0;
  for (;;) {
    const forms = [...learned].filter((form) => canTake(form, messages));
    sending.sent_as = forms.length === 0 ? undefined : forms;
    try {
      const sent = await deliverCall(call, formatMessages(messages, forms), options);
      return { result: sent.result, retries: retries + sent.retries };
    } catch (error) {
      if (stop.aborted || !isBadRequest(error)) throw error;
      const wanted = (Object.keys(formWords) as MessageForm[]).find(
        (form) => !forms.includes(form) && canTake(form, messages) && formWords[form].test(error.told.words),
      );
      if (wanted === undefined) throw error;
      retries += error.tries - 1;
      if (wanted === 'system-in-user' && !learned.has(wanted)) warnOfSystemRole(call, error);
      learned.add(wanted);
    }
  }
}

const warnOfSystemRole = (call: ModelCall, { message }: ProviderFailure) =>
  warnOnce(
    call,
    `${endSentence(message)} The rules are sent at the head of the first user message instead.`,
    `${call.model.spec} takes no system message`,
  );

/** Milliseconds. A warning states the length of a wait that is at least this long. */
const longWait = 90_000;

const endSentence = (words: string) => (/[.!?…]$/.test(words) ? words : `${words}.`);

/** Describes the wait for a warning. The words seldom change from call to call. */
function describeRetry(waitMs: number, askedMs: number | undefined): string {
  if (waitMs > longWait) return ` in ${Math.round(waitMs / 60_000)} minutes`;
  return askedMs === undefined ? '' : ` (the server asks to wait ${Math.ceil(askedMs / 1000)} s)`;
}

async function deliverCall(call: ModelCall, messages: readonly PromptMessage[], options: object) {
  const { key, prompt, model, seed, replicate, clock, turn, maxWaitMs, signal, stop, metadata, people } = call;
  const { round, step, action, player } = key;
  const label = getModelLabel(model.spec);
  const createBotCall: BotCall = (salt) => ({
    prompt,
    draw: draw(
      ...[seed, 'bot', ...(salt === undefined ? [] : ['salt', salt])],
      ...(replicate === undefined ? [] : ['replicate', replicate]),
      ...[round, step, action, player],
    ),
  });
  const createPersonCall =
    (table: Pick<People, 'ask'>): PersonCall =>
    (seconds, attemptSignal) =>
      table.ask({ prompt, seconds, signal: AbortSignal.any([attemptSignal, stop]) });
  const input = messages.map(({ role, content }) => ({ role, content })); // works with other copies of LangChain too
  const invokeModel = (attemptSignal: AbortSignal) =>
    model.chat.invoke(input, {
      ...options,
      ...(model.isBot ? { bot: createBotCall } : {}),
      ...(model.isPerson && people ? { person: createPersonCall(people) } : {}),
      signal: attemptSignal,
      runName: `${action} ${player}`,
      tags: [action, player],
      metadata: { ...metadata, seat: player, role: prompt.view.role, action, round, turn: step },
    });
  return callWithRetries(invokeModel, {
    name: label,
    server: getServerName(model),
    keyVariable: model.keyVariable,
    timeoutMs: model.timeoutMs,
    maxWaitMs,
    signal,
    stop,
    clock,
    redact: createRedactor(model.secrets),
    ...(turn && { turn }),
    countTokens: ({ usage_metadata: usage }) => (usage as UsageMetadata | undefined)?.total_tokens ?? null,
    onRetry: ({ words, sort, waitMs, askedMs }) => {
      const when = waitMs > longWait ? describeRetry(waitMs, askedMs) : '';
      warnOnce(
        call,
        `${label}: ${endSentence(words)} Trying again${describeRetry(waitMs, askedMs)}.`,
        `${label}: ${sort}, ${when}`,
      );
    },
  });
}
