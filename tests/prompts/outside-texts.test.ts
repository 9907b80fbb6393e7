// Texts from outside in prompts that are not questions to players: those of judges, reflections, and memories.
import { describe, expect, it } from '@jest/globals';
import { composeConfirmPrompt, composeJudgeDayPrompt, composeJudgePrompt } from '../../prompts/judge.ts';
import { reflection } from '../../prompts/reflection.ts';
import { renderRemembered } from '../../prompts/remembered.ts';
import { draw } from '../../state/random.ts';
import { createPublicView, createView } from '../../state/view.ts';
import { gameAt } from '../game.ts';
import { expectVisible, splitLines } from '../hostile/lines.ts';
import { small } from '../hostile/texts.ts';

const game = gameAt({ personas: { Dan: 'A sailor.' } });
const view = createView(game, 'Dan');
const table = createPublicView(game, 'judge');
const matter = (text: string) => ({ id: '1.1', by: 'Dan', text, kind: 'debate' as const, target: null });
const claim = (quote: string) => ({
  ...{ quote, type: 'own_role' as const, subject: 'Dan', object: null, role: 'Seer', team: null, verbs: [] },
  ...{ cause: null, round: 1, polarity: true },
});
const render = ({ system, user }: { system: string; user: string }) => `${system}\n${user}`;

const prompts: Readonly<Record<string, (text: string) => string>> = {
  'a judge of a statement': (text) => render(composeJudgePrompt(table, 1, matter(text))),
  'a judge of a day': (text) => render(composeJudgeDayPrompt(table, 1, [matter(text), matter('No.')])),
  'a judge that confirms claims': (text) => render(composeConfirmPrompt(table, 1, matter('No.'), [claim(text)])),
  'a player that reflects': (text) =>
    render(reflection.put(view, draw(1), [{ id: 'd1', when: 'Day 1', done: `said: ${text}` }])),
  'a player that remembers': (text) => renderRemembered({ remembered: [{ id: 'a', text }], variant: null }).join('\n'),
};

/** Pattern of text that a server could interpret as the end of a message. */
const markup = /<[|｜/]\s?\S|<\/?s>|\[\/?INST\]/u;

describe.each(Object.entries(prompts))('the prompt of %s', (name, write) => {
  it.each(small.map(({ tries, text }) => [tries, text]))(
    'holds a text within its line that tries %s',
    (_tries, text) => {
      const lines = splitLines(write(text));
      const tame = splitLines(write('Yes.'));
      const pieces = name === 'a player that remembers' ? text.split('\n').length : 1; // each line of the text is a separate piece
      expect(lines).toHaveLength(tame.length + pieces - 1);
      lines.forEach(expectVisible);
      expect(lines.filter((line) => markup.test(line))).toEqual([]);
      expect(lines.filter((line) => tame.includes(line)).length).toBeGreaterThanOrEqual(tame.length - 1);
    },
  );
});
