// The bound of a first day is at least as large as any legal first day, and not much larger.
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildConversation, estimateMessages } from '../../models/context-trimming.ts';
import type { AnyPrompt } from '../../prompts/prompt.ts';
import { composeLongestFirstDay } from '../../prompts/worst-case-prompt.ts';
import { readBoard } from '../../state/boards.ts';
import { deal } from '../../state/deal.ts';
import { ExperienceSettings } from '../../state/experience-setup.ts';
import { resolveBoardRules } from '../../state/rulebook.ts';
import type { Question } from '../question.ts';
import { anyPlan } from '../random-plans.ts';
import { createLegalAnswer, ScriptedModel } from '../scripted-model.ts';
import { createBoard, dealTable, type Options, play } from '../table.ts';
import { renderFullRound } from './full-round.ts';
import { itLong } from '../it-long.ts';

/** Sizes in estimated tokens. A character outside ASCII counts several times. */
const sizesOf = (prompts: readonly AnyPrompt[]) =>
  Object.fromEntries(prompts.map((prompt) => [prompt.action, estimateMessages(buildConversation(prompt, 0))]));

const words = (count: number) => Array<string>(count).fill('word').join(' ');

/** Answers with public texts as long as the rules allow and private texts of usual length. */
function fully(question: Question, maxWords: number): Record<string, unknown> {
  const said = { statement: words(maxWords), explanation: words(maxWords) };
  const kept = { reasoning: words(50), proposal_reason: words(50), summary: words(50) };
  const written = Object.entries({ ...said, ...kept }).filter(([name]) => name in question.fields);
  return { ...createLegalAnswer(question), ...Object.fromEntries(written) };
}

const tables: [string, Options][] = [
  ['wolf', { beliefs: 'each-statement', syntheticVotes: true, coaching: 'paper' }],
  ['wolf', { analyzeBallots: false, debateTurns: 1, maxWords: 20 }],
  ['arena', {}],
  ['arena', { beliefs: 'each-round', ballots: 'public', analysis: 'peer', maxWords: 200 }],
];

describe.each(tables)('the bound of a first day under %s %j', (rules, rule) => {
  const board = createBoard(2, 1, 1, 3);
  const setup = dealTable({ board, rules, rule, seed: 2 });
  const model = new ScriptedModel((question) => fully(question, setup.rules.maxWords));
  beforeAll(() => play({ board, rules, rule: { ...rule, maxRounds: 2 }, seed: 2, model }));

  it('holds the largest prompt that a first round of long-winded players comes to, and little more', () => {
    const first = model.asked.filter(({ round }) => round === 1);
    const survivors = first.filter(({ action }) => action === 'vote').map(({ player }) => player);
    expect(survivors.length).toBeGreaterThan(4);
    for (const name of survivors) {
      const played = first
        .filter(({ player }) => player === name)
        .map(({ messages }) => messages[0]!.content.length + messages[1]!.content.length);
      const player = setup.players.find((each) => each.name === name)!;
      const bound = Math.max(
        ...composeLongestFirstDay(setup, player).map(({ system, user }) => system.length + user.length),
      );
      expect(bound).toBeGreaterThanOrEqual(Math.max(...played));
      expect(bound).toBeLessThan(1.5 * Math.max(...played));
    }
  });

  it('asks what the rules ask at the end of a day, and nothing else', () => {
    const ofDay = model.asked.filter(({ phase, action }) => phase === 'day' && action !== 'bid');
    const asked = new Set(
      setup.players.flatMap((player) => composeLongestFirstDay(setup, player)).map(({ action }) => action),
    );
    expect([...asked].sort()).toEqual([...new Set(ofDay.map(({ action }) => action))].sort());
  });
});

/** Names of different lengths, some of which have more bytes than letters. */
const names = ['Bo', 'Ann', 'Zoë', 'Maximiliana', 'Ed', 'Bartholomew', 'Ruth', 'Žofie', 'Tim', 'Alexandrina'].concat(
  ...['Al', 'Jo', 'Gwendoline', 'Cy', 'Ida', 'Konstantin'],
);

describe('the bound of a first day', () => {
  it('has room for the longest entries that a player may remember, and less than twice as much', () => {
    const [entries, setup] = [3, dealTable({ board: createBoard(2, 1, 1, 3), seed: 2 })];
    const player = setup.players[0]!;
    const remembering = {
      pool: 'p',
      retriever: 'bm25',
      reward: 'result',
      arm: 'pool',
      k: entries,
      wording: 'w',
    } as const;
    const measure = (seats: string[]) => {
      const chosen = ExperienceSettings.parse({ k: remembering.k, threshold: 0, good: 1, from: 'any' });
      const experience = { ...chosen, ...remembering, seats };
      return sizesOf(composeLongestFirstDay({ ...setup, experience }, player));
    };
    const [without, bound] = [measure([]), measure([player.name])];
    // A pool entry: a situation of 120 words with four statements of 30 words, an act of 50 words, and a reflection of
    // one sentence.
    const entry = estimateMessages([{ content: words(120 + 4 * 30 + 50 + 25) }]);
    const room = bound['vote']! - without['vote']!;
    expect(room).toBeGreaterThanOrEqual(entries * entry);
    expect(room).toBeLessThan(2 * entries * entry);
  });

  itLong('holds every prompt of a full first day on any board, and its largest is less than half as much again', () => {
    fc.assert(
      fc.property(anyPlan, fc.boolean(), fc.constantFrom(5, 80), ({ board, rule, seed }, areNamed, maxWords) => {
        const named = areNamed ? readBoard({ ...board, names }) : board;
        const setup = deal({ board: named, rules: resolveBoardRules(board, 'wolf', { ...rule, maxWords }), seed });
        for (const player of setup.players) {
          const rendered = sizesOf(renderFullRound(setup, player.name));
          const bound = sizesOf(composeLongestFirstDay(setup, player));
          expect(Object.keys(bound)).toEqual(Object.keys(rendered));
          for (const [action, size] of Object.entries(rendered)) expect(bound[action]).toBeGreaterThanOrEqual(size);
          const ratio = Math.max(...Object.values(bound)) / Math.max(...Object.values(rendered));
          if (maxWords === 80) expect(ratio).toBeLessThan(1.5); // if statements are shorter, fixed words are a larger part of a prompt
        }
      }),
      { numRuns: 10 },
    );
  });
});
