// The first round at its fullest is as large as any that is played by the rules, and not much larger.
import { describe, expect, it } from '@jest/globals';
import { fullestRound } from '../../prompts/fullest-round.ts';
import type { Question } from '../question.ts';
import { legalAnswer, ScriptedModel } from '../scripted-model.ts';
import { boardOf, dealt, play, type Options } from '../table.ts';

const words = (count: number) => Array<string>(count).fill('word').join(' ');

/** As long as the rules allow in public, as long as is usual in private. */
function fully(question: Question, maxWords: number): Record<string, unknown> {
  const said = { statement: words(maxWords), explanation: words(maxWords) };
  const kept = { reasoning: words(50), proposal_reason: words(50), summary: words(50) };
  const written = Object.entries({ ...said, ...kept }).filter(([name]) => name in question.fields);
  return { ...legalAnswer(question), ...Object.fromEntries(written) };
}

const tables: [string, Options][] = [
  ['wolf', { beliefs: 'each-statement', syntheticVotes: true, coaching: 'paper' }],
  ['wolf', { analyzeBallots: false, debateTurns: 1, maxWords: 20 }],
  ['arena', {}],
  ['arena', { beliefs: 'each-round', ballots: 'public', analysis: 'peer', maxWords: 200 }],
];

describe.each(tables)('the first round at its fullest under %s %j', (rules, rule) => {
  const board = boardOf(2, 1, 1, 3);
  const setup = dealt({ board, rules, rule, seed: 2 });

  it('has the largest prompt that a first round of long-winded players comes to', async () => {
    const model = new ScriptedModel((question) => fully(question, setup.rules.maxWords));
    await play({ board, rules, rule: { ...rule, maxRounds: 2 }, seed: 2, model });
    const first = model.asked.filter(({ round }) => round === 1);
    const survivors = first.filter(({ action }) => action === 'vote').map(({ player }) => player);
    expect(survivors.length).toBeGreaterThan(4);
    for (const name of survivors) {
      const played = first
        .filter(({ player }) => player === name)
        .map(({ messages }) => messages[0]!.content.length + messages[1]!.content.length);
      const fullest = fullestRound(setup, name).map(({ system, user }) => system.length + user.length);
      expect(Math.max(...fullest)).toBeGreaterThanOrEqual(Math.max(...played));
      expect(Math.max(...fullest)).toBeLessThan(1.5 * Math.max(...played));
    }
  });

  it('asks what the rules ask at the end of a day, and nothing else', async () => {
    const model = new ScriptedModel((question) => legalAnswer(question));
    await play({ board, rules, rule: { ...rule, maxRounds: 2 }, seed: 2, model });
    const ofDay = model.asked.filter(({ phase, action }) => phase === 'day' && action !== 'bid');
    const asked = new Set(setup.players.flatMap(({ name }) => fullestRound(setup, name)).map(({ action }) => action));
    expect([...asked].sort()).toEqual([...new Set(ofDay.map(({ action }) => action))].sort());
  });
});
