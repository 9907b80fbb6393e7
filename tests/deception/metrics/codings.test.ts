// Metrics of codings: how often a code applies, and how far coders agree with themselves and with each other.
import { describe, expect, it } from '@jest/globals';
import { computeFigures, findFigure, findValue } from './figures.ts';
import { byWolf, coding, tables } from './row-builder.ts';

const coder = 'openai:coder';
const formal = { coder, kind: 'debate', code: 'formal' };

describe('the rate of a code', () => {
  it('is the share of coded statements whose words show it, by coder, model and side', () => {
    const coded = tables({
      codings: [
        coding({ statement: '1.1', codes: 'formal' }),
        coding({ statement: '1.2', codes: 'humor sarcasm' }),
        coding({ statement: '1.3', ...byWolf, codes: 'formal seeding_doubt' }),
        coding({ statement: '1.3', ...byWolf, coder: 'openai:other', codes: '' }),
      ],
    });
    const figures = computeFigures('code_rate', coded);
    expect(findValue(figures, formal)).toBeCloseTo(2 / 3, 12);
    expect(findValue(figures, { ...formal, team: 'werewolves', model: 'openai:two' })).toBe(1);
    expect(findValue(figures, { ...formal, code: 'humor', model: 'openai:one' })).toBe(1 / 2);
    expect(findValue(figures, { ...formal, coder: 'openai:other' })).toBe(0);
  });

  it('counts repeats as their mean, and a statement without any answer as missing', () => {
    const coded = tables({
      codings: [
        coding({ repeat: 1, codes: 'formal' }),
        coding({ repeat: 2, codes: '' }),
        coding({ repeat: 3, codes: null, missing: 'fallback' }),
        coding({ statement: '1.2', codes: null, missing: 'refusal' }),
      ],
    });
    expect(findFigure(computeFigures('code_rate', coded), formal)).toMatchObject({
      ...{ value: 1 / 2, opportunities: 1, lowest: 1 / 4, highest: 3 / 4 },
    });
  });
});

describe('agreement on codes', () => {
  /**
   * Ten statements with two codings each. The first coding finds the first five formal; the second finds the first four
   * formal.
   */
  const pair = (second: (at: number) => boolean, of: 'repeat' | 'coder') =>
    tables({
      codings: Array.from({ length: 10 }, (_, at) => [
        coding({ statement: `1.${at}`, codes: at < 5 ? 'formal' : '' }),
        coding({
          statement: `1.${at}`,
          codes: second(at) ? 'formal' : '',
          ...(of === 'repeat' ? { repeat: 2 } : { coder: 'openai:other' }),
        }),
      ]).flat(),
    });

  it.each([
    ['coding_retest', 'repeat', { coder, kind: 'debate' }],
    ['coding_alpha', 'coder', { kind: 'debate' }],
  ] as const)('%s is Krippendorff’s α over each %s, by code', (name, of, cell) => {
    const figures = computeFigures(
      name,
      pair((at) => at < 4, of),
    );
    // The code applies in 9 of 20 answers. One unit in ten disagrees; by chance 2 · 9 · 11 / (20 · 19) of the pairs
    // would.
    expect(findValue(figures, { ...cell, code: 'formal' })).toBeCloseTo(1 - 0.1 / ((2 * 9 * 11) / (20 * 19)), 12);
    expect(
      findValue(
        computeFigures(
          name,
          pair((at) => at < 5, of),
        ),
        cell,
      ),
    ).toBe(1);
    expect(findValue(figures, { ...cell, code: 'humor' })).toBeNull(); // all answers are equal, so agreement is undefined
  });

  it('needs two answers, and takes no repeat for another coder', () => {
    const alone = tables({ codings: [coding()] });
    expect(computeFigures('coding_retest', alone)).toEqual([]);
    expect(
      computeFigures(
        'coding_alpha',
        pair((at) => at < 4, 'repeat'),
      ),
    ).toEqual([]);
    expect(
      computeFigures(
        'coding_retest',
        pair((at) => at < 4, 'coder'),
      ),
    ).toEqual([]);
  });
});
