// Facts always stand in a prompt; words may have left it.
import { describe, expect, it } from '@jest/globals';
import { wordsIn } from '../../state/speech.ts';
import { view } from '../../state/view.ts';
import { exiled, gameAt, said, silent, summary, thought, votedFor } from '../game.ts';

const events = [
  said('1.1', 'Dan', 'I am a Villager.'),
  silent('1.2', 'Will'),
  thought(1, 'Dan', 'vote', 'Bert is too quiet.'),
  thought(1, 'Will', 'vote', 'Dan is too loud.'),
  votedFor(1, 'Will', 'Bert', 'He hides.'),
  votedFor(1, 'Dan', 'Bert'),
  exiled(1, 'Bert'),
  summary(1, 'Dan', 'Will voted with me.'),
  said('2.1', 'Will', 'Dan said that he is a Villager.'),
  votedFor(2, 'Will', 'Dan', 'I changed my mind.'),
];
const viewOf = (memory: 'full' | 'summary') => view(gameAt({ events, round: 2, rules: { memory } }), 'Dan');
const texts = (some: ReturnType<typeof wordsIn>) =>
  some.map((event) =>
    (Object.values(event) as unknown[]).findLast((value) => typeof value === 'string' && value.includes(' ')),
  );

describe('the words that stand in a prompt', () => {
  it('are all that the player heard and thought where memory is full', () => {
    expect(texts(wordsIn(viewOf('full')))).toEqual([
      'I am a Villager.',
      'Bert is too quiet.',
      'He hides.',
      'Will voted with me.',
      'Dan said that he is a Villager.',
      'I changed my mind.',
    ]);
  });

  it('are without the public speech of earlier rounds where summaries stand for it', () => {
    expect(texts(wordsIn(viewOf('summary')))).toEqual([
      'Bert is too quiet.',
      'Will voted with me.',
      'Dan said that he is a Villager.',
      'I changed my mind.',
    ]);
  });

  it('are without what a prompt had no room for', () => {
    const seen = viewOf('full');
    expect(texts(wordsIn(seen, 1))).not.toContain('I am a Villager.');
    expect(texts(wordsIn(seen, 1))).toHaveLength(5);
  });
});
