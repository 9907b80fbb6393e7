// Each hostile text in each place where the words of players stand: one line, quoted, of its speaker, and nothing else.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readAnswer } from '../../models/read-answer.ts';
import { ballotPeerAnalysis, ballotSelfAnalysis, peerAnalysis, selfAnalysis } from '../../prompts/analysis.ts';
import { correction } from '../../prompts/correction.ts';
import { debate } from '../../prompts/debate.ts';
import { historyText } from '../../prompts/history.ts';
import { quote } from '../../prompts/quote.ts';
import { markdownText } from '../../report/markdown-text.ts';
import { plain, plainLines, speech } from '../../report/plain-text.ts';
import { storyLine } from '../../report/story.ts';
import { readRules } from '../../state/rules.ts';
import { openStoryLayout } from '../../scripts/console/story.ts';
import { draw } from '../../state/draw.ts';
import type { GameEvent } from '../../state/event.ts';
import { view } from '../../state/view.ts';
import { cutAt, oneLine } from '../../state/words.ts';
import { gameAt, said, summary, thought, votedFor } from '../game.ts';
import { expectQuoted, expectVisible, letters, linesOf } from './lines.ts';
import { hostileTexts, ordinaryTexts, readable } from './texts.ts';

const seen = (events: readonly GameEvent[] = []) => view(gameAt({ events }), 'Sam');

/** What is left of a statement once it was read and cut; null where nothing could be. */
function statementOf(text: string): string | null {
  const raw = JSON.stringify({ reasoning: '', statement: text });
  const reading = readAnswer(raw, debate.put(seen(), draw(1), undefined));
  return 'answer' in reading ? cutAt((reading.answer as { statement: string }).statement, 160).text : null;
}

const entered = readable.flatMap(({ tries, text }) => {
  const words = statementOf(text);
  return words === null ? [] : [[tries, words] as const];
});

describe('a statement that tries', () => {
  it.each(hostileTexts.map(({ tries, text }) => [tries, text]))(
    '%s enters as one short line or not',
    (_tries, text) => {
      const words = statementOf(text) ?? '';
      expectVisible(words);
      expect(words.length).toBeLessThanOrEqual(160 * 20 + 2);
      expect(oneLine(words).replace(/ …$/, '')).toBe(words.replace(/\s*…$/, '').trimEnd());
    },
  );

  it('anything at all mostly enters: only what has no visible character does not', () => {
    expect(entered.length).toBeGreaterThan(readable.length - 4);
  });

  it.each(entered)('%s is one line of history, of its speaker', (_tries, words) => {
    const proposed = {
      type: 'proposal',
      by: 'Leah',
      verb: 'eliminate',
      target: 'Dan',
      reason: words,
      ballot: 1,
    } as const;
    const places: [event: GameEvent, told: string][] = [
      [said('1.1', 'Dan', words), '- Dan said: '],
      [votedFor(1, 'Dan', 'Will', words), '- Dan voted for Will: '],
      [thought(1, 'Sam', 'vote', words), '- You thought (vote): '],
      [summary(1, 'Sam', words), '- Your summary of the round: '],
      [
        { round: 1, phase: 'night', audience: ['Sam'], ...proposed },
        '- Leah proposed to the other Werewolves to remove Dan: ',
      ],
    ];
    for (const [event, told] of places) {
      const lines = linesOf(historyText(seen([event])));
      expect(lines).toHaveLength(4); // the title, an empty line, the heading of the day or night, the event
      expect(lines[3]!.startsWith(`${told}"`) && lines[3]!.endsWith('"')).toBe(true);
      const quoted = lines[3]!.slice(told.length + 1, -1);
      expectQuoted(quoted);
      expect(letters(quoted)).toBe(letters(words));
    }
  });

  it.each(entered)('%s is one line of the task where it is analysed', (_tries, words) => {
    const statement = { id: '1.1', by: 'Dan', text: words };
    const tasks: [text: string, told: string][] = [
      [peerAnalysis.put(seen(), draw(1), statement).user, 'Dan has just said: '],
      [selfAnalysis.put(seen(), draw(1), statement).user, 'You have just said: '],
      [ballotPeerAnalysis.put(seen(), draw(1), [statement]).user, 'Dan: '],
      [ballotSelfAnalysis.put(seen(), draw(1), statement).user, 'You have just explained your vote to everybody: '],
    ];
    const tame = { ...statement, text: 'Hm.' };
    const others = linesOf(peerAnalysis.put(seen(), draw(1), tame).user).filter((line) => !line.includes('Hm.'));
    expect(linesOf(tasks[0]![0]).filter((line) => !line.startsWith(tasks[0]![1]))).toEqual(others);
    for (const [text, told] of tasks) {
      const [line, ...more] = linesOf(text).filter((one) => one.startsWith(`${told}"`));
      expect(more).toEqual([]);
      expectQuoted(line!.slice(told.length + 1, -1));
    }
  });

  it.each(entered)('%s is one line of the story, in colours or without', (_tries, words) => {
    const events: [event: GameEvent, told: string][] = [
      [said('1.1', 'Dan', words), 'Dan: '],
      [votedFor(1, 'Dan', 'Will', words), 'Dan votes for Will: '],
      [thought(1, 'Dan', 'vote', words), '  (Dan thinks: '],
    ];
    const [bare, colored] = [openStoryLayout(false, readRules('wolf')), openStoryLayout(true, readRules('wolf'))];
    for (const [event, told] of events) {
      const line = storyLine(event, { reveal: true })!;
      expect(bare(event, line).trimStart()).toBe(line.trimStart());
      expect(colored(event, line).replace(/^\n|\u001b\[\d+m/g, '')).toBe(line); // eslint-disable-line no-control-regex
      const [, words_, rest] = new RegExp(`^${told.replace(/[()]/g, '\\$&')}“([^”]*)”(.*)$`, 'u').exec(line)!;
      expectVisible(line);
      expect(words_).not.toMatch(/["“”„‟«»]/u);
      expect(['', ')']).toContain(rest);
    }
  });
});

describe('any text', () => {
  it.each(hostileTexts.map(({ tries, text }) => [tries, text]))('that tries %s can be shown', (_tries, text) => {
    for (const shown of [plain(text), speech(text), markdownText(text)]) expectVisible(shown);
    for (const line of plainLines(text.slice(0, 10_000)).split('\n')) expectVisible(line);
    const [answer] = correction(text, '');
    expect(answer.content.isWellFormed()).toBe(true);
    expect(answer.content.length).toBeLessThan(700);
  });

  it('is the same line when it is made one line again', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom('❤', '1', '\ufe0f', '\u200d', '\u0301', ' ', 'a'),
            fc.string({ unit: 'binary' }),
          ),
        }),
        (text) => {
          const line = oneLine(text);
          expectVisible(line);
          expect(oneLine(line)).toBe(line);
          expectQuoted(quote(line).slice(1, -1));
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each(ordinaryTexts)('in which nothing is hostile stays as it was said: %s', (text) => {
    expect(statementOf(text)).toBe(text);
    expect(quote(text)).toBe(`"${text.replace(/["“”]/g, "'")}"`);
    expect(speech(text)).toBe(`“${text.replace(/["“”]/g, "'")}”`);
  });

  it.each([
    ['joined emoji stand side by side', '👨‍👩‍👧 🏳️‍🌈', '👨👩👧 🏳️🌈'],
    ['what Persian parts without a space is parted by one', 'می‌خواهم', 'می خواهم'],
    ['letters that are joined for their look alone keep their order', 'ශ්‍රී', 'ශ්රී'],
    ['words lose the places where they might be divided', 'Were\u00adwolf', 'Werewolf'],
  ])('stays readable: %s', (_what, text, shown) => {
    expect(statementOf(text)).toBe(shown);
  });
});
