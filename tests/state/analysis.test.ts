// Analyses: fields recorded from probabilities, and the fields of WOLF's paper.
import { describe, expect, it } from '@jest/globals';
import { readAssessmentFields } from '../../state/steps/analysis.ts';

describe('an answer in probabilities', () => {
  const heard = { p_deceptive: 0.8, p_falsehood: 0.3, types: ['omission', 'distortion'] as const, p_werewolf: 0.6 };
  const opinionOf = (changes: object) => readAssessmentFields({ ...heard, types: [...heard.types], ...changes });

  it('of a listener gives the fields of the paper besides its own', () => {
    expect(opinionOf({})).toEqual({
      deceptive: true,
      deception_type: 'omission',
      confidence: 0.8,
      suspicion: 0.8,
      p_werewolf: 0.6,
      p_deceptive: 0.8,
      p_falsehood: 0.3,
      deception_types: ['omission', 'distortion'],
    });
  });

  it.each([
    [0, false, 1],
    [0.2, false, 0.8],
    [0.5, false, 0.5],
    [0.51, true, 0.51],
    [1, true, 1],
  ])('of %d is deceptive: %s, with a confidence of %d', (intent, deceptive, confidence) => {
    expect(opinionOf({ p_deceptive: intent })).toMatchObject({ deceptive, confidence, suspicion: intent });
  });

  it('of a speaker says whether a falsehood was stated, and suspects nobody', () => {
    const own = { p_deceptive: 0.8, p_falsehood: 0.3 };
    const report = readAssessmentFields({ ...own, types: [], p_falsehood: 0.9 });
    expect(report).toMatchObject({ deceptive: true, deception_type: 'none', stated_falsehood: true });
    expect(report).not.toHaveProperty('suspicion');
    expect(readAssessmentFields({ ...own, types: [], p_falsehood: 0.5 })).toMatchObject({ stated_falsehood: false });
  });

  it('names each type once', () => {
    expect(opinionOf({ types: ['fabrication', 'omission', 'fabrication'] }).deception_types).toEqual([
      'fabrication',
      'omission',
    ]);
  });
});

describe("an answer in the paper's fields", () => {
  it('is recorded as it is', () => {
    const own = { deceptive: true, type: 'omission', confidence: 0.7 } as const;
    const fields = { deceptive: true, deception_type: 'omission', confidence: 0.7 };
    expect(readAssessmentFields({ ...own, stated_falsehood: false })).toEqual({ ...fields, stated_falsehood: false });
    expect(readAssessmentFields({ ...own, suspicion: 0.1, p_werewolf: 0.2 })).toEqual({
      ...fields,
      suspicion: 0.1,
      p_werewolf: 0.2,
    });
  });
});
