// Settings of an entrant in a plan.
import { describe, expect, it } from '@jest/globals';
import { Entrant } from '../../../deception/tournament-plan/tournament-plan.ts';

describe('an entrant', () => {
  it.each([
    { model: 'openai:gpt-4o' },
    { model: 'openai:gpt-4o', persona: 'p' },
    { model: 'openai:gpt-4o', persona: 'p'.repeat(500) },
  ])('may be as in case %#', (entrant) => {
    expect(Entrant.parse(entrant)).toEqual(entrant);
  });

  it.each([
    [{}, 'model'],
    [{ model: '' }, 'model'],
    [{ model: 4 }, 'model'],
    [{ model: 'openai:gpt-4o', persona: '' }, 'persona'],
    [{ model: 'openai:gpt-4o', persona: 'p'.repeat(501) }, 'persona'],
  ])('may not be as in case %#', (entrant, field) => {
    expect(Entrant.safeParse(entrant).error?.issues.map(({ path }) => path)).toEqual([[field]]);
  });
});
