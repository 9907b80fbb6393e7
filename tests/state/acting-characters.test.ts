// Characters in names that a terminal, page or prompt would obey. They are detected, and messages name them harmlessly.
import { describe, expect, it } from '@jest/globals';
import { findActingText, hasActingCharacters, quoteActingName } from '../../state/text.ts';

const hostile = 'a\u001b[31m\nresult: 100 %\r\u202E\u2028b';

describe('a name', () => {
  it.each(['a\nb', 'a\u001bb', 'a\u009bb', 'a\u007fb', 'a\u202eb', 'a\u2066b', 'a\u2029b'])('acts: %j', (name) => {
    expect(hasActingCharacters(name)).toBe(true);
    expect(hasActingCharacters(quoteActingName(name))).toBe(false);
  });

  it.each(['runs/a b', 'Zoë', '狼', '👩‍🚀', 'a\u200fب', 'openai:gpt-4o?x=<b>'])('does not act, and stays: %s', (name) => {
    expect(hasActingCharacters(name)).toBe(false);
    expect(quoteActingName(name)).toBe(name);
  });

  it('that acts is told in quotes, with escapes that say what it is', () => {
    expect(quoteActingName(hostile)).toBe(String.raw`"a\u001b[31m\nresult: 100 %\r\u202e\u2028b"`);
    expect(JSON.parse(quoteActingName(hostile))).toBe(hostile);
  });
});

it('the first text or name within a value that acts is found', () => {
  expect(findActingText({ a: ['x', { b: hostile }], c: hostile })).toEqual(['a', '1', 'b']);
  expect(findActingText({ a: { [hostile]: 1 } })).toEqual(['a', hostile]);
  expect(findActingText({ a: ['x', 1, null, true] })).toBeNull();
});
