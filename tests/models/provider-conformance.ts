// The tests that every provider of the register must pass.
import { afterEach, describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { AIMessage, HumanMessage, SystemMessage, type BaseMessage } from '@langchain/core/messages';
import { openModel, providers, readModelSpec } from '../../models/providers/index.ts';
import type { BotCall, Environment, PlayerModel } from '../../models/model.ts';
import { parseResponse } from '../../models/parse-response.ts';
import { callWithRetries } from '../../models/retry.ts';
import { bid } from '../../prompts/debate.ts';
import { draw } from '../../state/random.ts';
import { AnswerLine } from '../../state/record.ts';
import { createView } from '../../state/view.ts';
import { gameAt } from '../game.ts';
import { testClock } from '../test-clock.ts';

/** How a provider is tested: a model of it, and a server or stub that answers its calls. */
interface ProviderSetUp {
  /** A model string that can be opened with `env`. */
  spec: string;
  env: Environment;
  /** The name of an option that is a number from 0. */
  numberOption: string;
  /** Calls that were made so far. */
  calls: () => number;
  close: () => Promise<void> | void;
}

const keptOfReply = AnswerLine.pick({
  raw: true,
  tokens: true,
  model_returned: true,
  system_fingerprint: true,
  finish_reason: true,
});

/** Sets up a server or stub that gives `answer` to every call, or, for null, refuses each with status 401. */
type StartProvider = (answer: string | null) => Promise<ProviderSetUp> | ProviderSetUp;

/** Tests every provider of the register; one for which `setUps` has nothing fails. */
export function testProviders(setUps: Readonly<Record<string, StartProvider>>): void {
  describe('every provider of the register', () => {
    it('has a set-up for these tests, and no other has', () => {
      expect(Object.keys(setUps).sort()).toEqual(providers.map(({ name }) => name).sort());
    });
  });
  for (const { name } of providers) if (setUps[name]) testProvider(name, setUps[name]);
}

function testProvider(name: string, start: StartProvider): void {
  let setUp: ProviderSetUp | undefined;
  afterEach(async () => {
    await setUp?.close();
    setUp = undefined;
  });

  async function opened(answer: string | null = '{"reasoning": "I wait.", "bid": 2}') {
    setUp = await start(answer);
    return { ...setUp, player: await openModel(setUp.spec, { temperature: 0.5, env: setUp.env }) };
  }

  const prompt = bid.put(createView(gameAt(), 'Sam'), draw(1, 'options'));
  const messages: BaseMessage[] = [new SystemMessage(prompt.system), new HumanMessage(prompt.user)];

  function asked({ chat, isBot, schemaOptions, timeoutMs }: PlayerModel, input = messages) {
    const forBot: BotCall = () => ({ prompt, draw: draw(1, 'bot') });
    const options = { ...schemaOptions?.(prompt.action, prompt.schema), ...(isBot ? { bot: forBot } : {}) };
    const { signal } = new AbortController();
    return callWithRetries((own) => chat.invoke(input, { ...options, signal: own }), {
      timeoutMs,
      signal,
      clock: testClock(),
    });
  }

  describe(`the provider ${name}`, () => {
    it('is the one that its model string names', async () => {
      const { spec } = await opened();
      expect(readModelSpec(spec).provider).toBe(name);
    });

    it('opens a model without a call', async () => {
      const { player, calls, spec } = await opened();
      expect(calls()).toBe(0);
      expect(player.spec).toBe(spec);
      expect(player.timeoutMs).toBeGreaterThan(0);
    });

    it('answers a prompt so that its schema reads the answer, and a line of the record holds it', async () => {
      const { player } = await opened();
      const reply = parseResponse((await asked(player)).result);
      expect(prompt.answer.safeParse(JSON.parse(reply.text))).toMatchObject({ success: true });
      expect(reply.refusal).toBeNull();
      const line = {
        raw: reply.text,
        tokens: reply.tokens,
        model_returned: reply.modelReturned,
        system_fingerprint: reply.systemFingerprint,
        finish_reason: reply.finishReason,
      };
      expect(keptOfReply.parse(line)).toEqual(line);
      expect(reply.modelReturned).not.toBeNull();
    });

    it('answers when asked again after an answer that could not be read', async () => {
      const { player } = await opened();
      const again = [...messages, new AIMessage('Two.'), new HumanMessage('That was no JSON object.')];
      expect(parseResponse((await asked(player, again)).result).text).toContain('"bid"');
    });

    it('shows its secrets in no model string, in no trace and in no error', async () => {
      const { player } = await opened(null);
      const error: unknown = await asked(player).catch((thrown: unknown) => thrown);
      const seen = [player.spec, JSON.stringify(player.chat), inspect(error, { depth: 20 })].join('\n');
      for (const secret of player.secrets) expect(seen).not.toContain(secret);
    });

    it('refuses an option that it does not know, and names those that it does', async () => {
      const { spec } = await opened();
      const known = Object.keys(readModelSpec(spec).opener.options.parse({}) as object);
      for (const option of known)
        expect(() => readModelSpec(withOption(spec, 'tempreature', '1'))).toThrow(
          new RegExp(`"tempreature".*\\b${option}\\b`),
        );
    });

    it.each(['', 'warm', '-1', 'NaN'])('takes %j for no number', async (value) => {
      const { spec, numberOption } = await opened();
      expect(() => readModelSpec(withOption(spec, numberOption, value))).toThrow(numberOption);
    });
  });
}

const withOption = (spec: string, name: string, value: string) =>
  `${spec}${spec.includes('?') ? '&' : '?'}${name}=${value}`;
