// Positions of a claim's words in its statement, counted in Python's code points.
import { describe, expect, it } from '@jest/globals';
import { countCharacters, findRawSpan, findStatementPart, type TextSpan } from '../../../deception/bank/text-spans.ts';

const cut = (text: string, { from, to }: TextSpan) => [...text].slice(from, to).join('');
const findSpan = (text: string, words: string, nth = 0) => {
  let from = -1;
  for (let found = 0; found <= nth; found += 1) from = text.indexOf(words, from + 1);
  return { from, to: from + words.length };
};

/** Returns the words at the positions that a bank records, in characters of the raw answer. */
function findWords(raw: string, text: string, span: TextSpan): string | null {
  const part = findStatementPart(raw, text);
  const found = part && findRawSpan(raw, part, text, span);
  return found && cut(raw, countCharacters(raw, found));
}

describe('a span', () => {
  it('counts an emoji as one character', () => {
    const text = '😀😀 I am the Seer';
    expect(cut(text, countCharacters(text, findSpan(text, 'the Seer')))).toBe('the Seer');
    expect(countCharacters(text, findSpan(text, 'the Seer'))).toEqual({ from: 8, to: 16 });
  });
});

describe('the words in a raw answer', () => {
  const text = 'I am the Seer. I checked Dan.';

  it('are those of the statement, not of the thoughts before it', () => {
    const raw = JSON.stringify({ reasoning: 'I am the Seer, they think.', statement: text });
    const part = findStatementPart(raw, text)!;
    const found = findRawSpan(raw, part, text, findSpan(text, 'I am the Seer'))!;
    expect(raw.slice(found.from, found.to)).toBe('I am the Seer');
    expect(found.from).toBe(raw.lastIndexOf('I am the Seer'));
  });

  it('stand behind emoji and Markdown fences', () => {
    const raw = `Sure 😀!\n\`\`\`json\n${JSON.stringify({ statement: text })}\n\`\`\``;
    expect(findWords(raw, text, findSpan(text, 'checked Dan'))).toBe('checked Dan');
  });

  it('are the right ones of several that are alike', () => {
    const twice = 'Dan lies. Yes, Dan lies.';
    const raw = JSON.stringify({ statement: twice });
    const found = findRawSpan(raw, findStatementPart(raw, twice)!, twice, findSpan(twice, 'Dan lies', 1))!;
    expect(found.from).toBe(raw.lastIndexOf('Dan lies'));
  });

  it('stand in an answer that is no JSON', () => {
    expect(findWords(`My words: ${text}`, text, findSpan(text, 'checked Dan'))).toBe('checked Dan');
  });

  it('stand in an answer that was cut, and in one whose statement was', () => {
    expect(findWords(`{"statement": "${text}`, text, findSpan(text, 'checked Dan'))).toBe('checked Dan');
    const raw = JSON.stringify({ statement: `${text} And more.` });
    expect(findWords(raw, `${text} …`, findSpan(text, 'checked Dan'))).toBe('checked Dan');
  });

  it.each([
    ['an escape lies between', '{"statement": "I am the\\u0020Seer. I checked Dan."}'],
    ['a line break lies between', '{"statement": "I am the\\nSeer. I checked Dan."}'],
    ['the speech was taken apart', '{"statement": "I am <think>no</think>the Seer. I checked Dan."}'],
    ['it holds something else', '{"statement": "Nothing."}'],
    ['it is empty', ''],
  ])('are not there if %s', (_, raw) => {
    expect(findWords(raw, text, findSpan(text, 'am the Seer'))).toBeNull();
  });
});
