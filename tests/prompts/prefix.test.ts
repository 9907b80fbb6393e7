// Prompts are built for a provider's cache: what a player has seen only ever grows at its end.
import { describe, expect, it } from '@jest/globals';
import { legalAnswer, ScriptedModel } from '../scripted-model.ts';
import { play, type Options } from '../table.ts';

/** The part of a prompt that stands before the moment and its task. */
const historyIn = (user: string) => user.slice(0, user.search(/\n\nIt is (night|day) \d+\. Still in the game: /));

async function promptsOf(rules: string, rule: Options) {
  const model = new ScriptedModel((question) => legalAnswer(question));
  await play({ model, rules, rule: { maxRounds: 3, debateTurns: 3, ...rule }, seed: 3 });
  const prompts = model.asked.map(({ player, round, messages }) => ({
    player,
    round,
    system: messages[0]!.content,
    history: historyIn(messages[1]!.content),
  }));
  return Map.groupBy(prompts, ({ player }) => player);
}

/** Neighbours of which the later does not go on where the earlier ended. */
const breaks = (prompts: readonly { history: string }[]) =>
  prompts.flatMap(({ history }, index) => {
    const before = prompts[index - 1]?.history ?? '';
    return history.startsWith(before) ? [] : [[before, history]];
  });

const variants: [string, Options][] = [
  ['wolf', { beliefs: 'each-round', syntheticVotes: true }],
  ['arena', {}],
];

describe.each(variants)('in a match by the rules %s %j', (rules, rule) => {
  it('the rules and the role of a player are the same text in every prompt', async () => {
    for (const prompts of (await promptsOf(rules, rule)).values())
      expect(new Set(prompts.map(({ system }) => system)).size).toBe(1);
  });

  it('what a player has seen goes on, within a round, where the prompt before ended', async () => {
    const byPlayer = await promptsOf(rules, rule);
    const spans = [...byPlayer.values()].flatMap((prompts) => [...Map.groupBy(prompts, ({ round }) => round).values()]);
    expect(spans.length).toBeGreaterThan(16);
    expect(spans.flatMap(breaks)).toEqual([]);
    expect(spans.some((span) => new Set(span.map(({ history }) => history)).size > 3)).toBe(true);
  });

  it('what a player has seen goes on through the whole match where all speech is remembered', async () => {
    const byPlayer = await promptsOf(rules, { ...rule, memory: 'full' });
    expect([...byPlayer.values()].flatMap(breaks)).toEqual([]);
  });
});
