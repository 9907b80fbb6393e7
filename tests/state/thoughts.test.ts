// A model's thoughts are separated from its public words.
import { describe, expect, it } from '@jest/globals';
import { splitThoughts } from '../../state/thoughts.ts';

describe('a text', () => {
  it('with thoughts is what stands outside them, without the space around it', () => {
    expect(splitThoughts('<think>I am a Werewolf.</think>\n I trust everyone. ')).toEqual({
      said: 'I trust everyone.',
      thoughts: 'I am a Werewolf.',
    });
  });

  it('without thoughts stays as it is', () => {
    expect(splitThoughts(' I trust everyone.\n')).toEqual({ said: ' I trust everyone.\n', thoughts: '' });
  });
});
