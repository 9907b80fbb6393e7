// Keys stay out of everything that is written or shown.
import { describe, expect, it } from '@jest/globals';
import { redactor } from '../../models/record/redact.ts';

describe('what is shown', () => {
  it('has no secret that is known, however often it stands there', () => {
    const redact = redactor(['my secret key', 'another-one']);
    expect(redact('"my secret key" and another-one, my secret key')).toBe('"[redacted]" and [redacted], [redacted]');
  });

  it('has no part of a secret that begins with another one', () => {
    expect(redactor(['my-secret', 'my-secret-and-more'])('key: my-secret-and-more')).toBe('key: [redacted]');
  });

  it('has no secret that holds signs of a pattern', () => {
    expect(redactor(['a.b*c(d$&e'])('key a.b*c(d$&e!')).toBe('key [redacted]!');
    expect(redactor(['a.b*c(d$&e'])('axbbc(d$&e')).toBe('axbbc(d$&e');
  });

  it.each([
    [
      'a key of OpenAI',
      'Incorrect API key provided: sk-proj-abcDEF_1234567890',
      'Incorrect API key provided: [redacted]',
    ],
    ['a key of Google', 'key=AIzaSyA1234567890abcdefghijklmnop', 'key=[redacted]'],
    ['a token of Google', 'token ya29.a0AfH6SMB-1234567890', 'token [redacted]'],
    ['a bearer token', 'Authorization: Bearer abc.def-ghi=', 'Authorization: Bearer [redacted]'],
  ])('has nothing that looks like %s', (_what, text, safe) => {
    expect(redactor([])(text)).toBe(safe);
  });

  it('keeps short words that servers without keys are given', () => {
    expect(redactor(['none', ''])('none of it')).toBe('none of it');
  });

  it.each(['Dan is a risk-averse player.', 'sk-', 'bearer of bad news', 'openai:gpt-4o?temperature=0.5'])(
    'keeps plain words: %s',
    (text) => {
      expect(redactor(['my secret key'])(text)).toBe(text);
    },
  );
});
