// Cache marks for Anthropic: at the boundary of the family, which all players share, and at the end of the history.
import { expect, it } from '@jest/globals';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { openModel } from '../../models/providers/index.ts';
import type { AnyPrompt } from '../../prompts/prompt.ts';
import { vote } from '../../prompts/voting.ts';
import { draw } from '../../state/random.ts';
import { openModelServer } from '../model-server.ts';
import { gallery } from '../prompts/prompt-samples.ts';

interface Block {
  text: string;
  cache_control?: unknown;
}

/** Sends a prompt. Returns the blocks that the server received: those of the rules, and those of the question. */
async function send({ system, user, schema, action }: AnyPrompt) {
  const server = await openModelServer('anthropic', () => ({ text: '{}' }));
  try {
    const spec = `anthropic:claude-haiku-4-5?baseUrl=${server.address}`;
    const { chat, schemaOptions } = await openModel(spec, { temperature: null, env: { ANTHROPIC_API_KEY: 'k' } });
    await chat.invoke([new SystemMessage(system), new HumanMessage(user)], schemaOptions!(action, schema));
    const { body } = server.requests[0]!;
    const [question] = body['messages'] as { content: Block[] }[];
    return { system: body['system'] as Block[], question: question!.content };
  } finally {
    await server.close();
  }
}

it('is the end of what all players of a family read, names and role behind it, and the end of the history', async () => {
  const asked = (action: string) =>
    gallery('wolf').filter((exhibit) => exhibit.action === action && ['Werewolf', 'Seer'].includes(exhibit.role));
  for (const action of ['vote', 'peer_analysis']) {
    const sent = await Promise.all(asked(action).map(({ prompt }) => send(prompt)));
    expect(sent).toHaveLength(2);
    const [one, other] = sent;
    for (const { system, question } of sent) {
      expect(system.map(({ cache_control: mark }) => mark)).toEqual([{ type: 'ephemeral' }, { type: 'ephemeral' }]);
      expect(system[1]!.text).toMatch(/^The players are .+\nYou are \p{Lu}/u);
      const marked = question.filter(({ cache_control: mark }) => mark !== undefined);
      expect(marked).toEqual(
        question
          .slice(1, -1)
          .filter(({ text }) => text.endsWith('\n\n'))
          .slice(-2),
      );
      expect(marked.at(-1)).toEqual(question.at(-2));
      expect(question.at(-1)!.text).toMatch(/^It is day 2\./);
    }
    expect(one!.system[0]).toEqual(other!.system[0]);
    expect(one!.system[1]).not.toEqual(other!.system[1]);
  }
  const families = await Promise.all(['vote', 'bid', 'peer_analysis'].map((action) => send(asked(action)[0]!.prompt)));
  const [vote, bid, peer] = families.map(({ system }) => system[0]!.text);
  expect(vote).toBe(bid);
  expect(vote).not.toBe(peer);
});

it('is at the end of the history too if experiences of earlier matches follow', async () => {
  const prompt = gallery('wolf').find(({ action }) => action === 'vote')!.prompt;
  const remembering = { ...prompt.view, remembered: [{ id: '0', text: 'You are [A].\n[B] said: no.' }] };
  const { question } = await send(vote.put(remembering, draw(1, 'options')));
  const marks = question.flatMap(({ cache_control: mark }, place) => (mark === undefined ? [] : [place]));
  expect(marks).toHaveLength(2);
  expect(question[marks[0]! + 1]!.text).toMatch(/^What you remember of earlier games:/);
  expect(question[marks[1]! + 1]!.text).toMatch(/^It is day 2\./);
});
