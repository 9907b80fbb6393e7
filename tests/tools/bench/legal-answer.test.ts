// The answers of the bench's own server: every prompt accepts them, and their lengths are as declared.
import { describe, expect, it } from '@jest/globals';
import { parseAnswer } from '../../../models/parse-answer.ts';
import { gallery } from '../../prompts/prompt-samples.ts';
import { makeLegalAnswer, wordsPerStatement } from '../../../tools/bench/servers.ts';

const prompts = gallery().map(({ action, role, prompt }) => [`${action} as ${role}`, prompt] as const);

/** All texts of an answer. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : [];

describe('an answer made from the schema alone', () => {
  it.each(prompts)('is accepted for %s', (_, prompt) => {
    const raw = makeLegalAnswer(prompt.schema, prompt.user);
    expect(parseAnswer(raw, prompt)).toEqual({ answer: JSON.parse(raw) as unknown });
  });

  it.each(prompts)('has texts of the same length for %s', (_, prompt) => {
    const answer = JSON.parse(makeLegalAnswer(prompt.schema, prompt.user)) as Record<string, unknown>;
    expect((answer['reasoning'] as string).split(' ')).toHaveLength(wordsPerStatement);
    const texts = textsIn(answer).filter((text) => text.includes(' '));
    expect(new Set(texts.map((text) => text.split(' ').length))).toEqual(new Set([wordsPerStatement]));
  });

  it('is the same for the same prompt, and differs between prompts', () => {
    const [, { schema, user }] = prompts[0]!;
    expect(makeLegalAnswer(schema, user)).toBe(makeLegalAnswer(schema, user));
    expect(makeLegalAnswer(schema, `${user} `)).not.toBe(makeLegalAnswer(schema, user));
  });

  it('is not made up for a schema of another kind', () => {
    expect(() => makeLegalAnswer({ type: 'tuple' }, '')).toThrow('No answer can be made for a schema of type "tuple".');
  });
});
