// The history pool of `memory=retrieval`: the utterances of earlier rounds that a player's prompts contain.
import { describe, expect, it } from '@jest/globals';
import { renderHistory } from '../../prompts/history.ts';
import type { GameEvent } from '../../state/events.ts';
import { listRecalledUtterances } from '../../state/history-pool.ts';
import { createView } from '../../state/view.ts';
import { gameAt, type Moment, said, summary, thought, votedFor } from '../game.ts';

const spoken = [
  said('1.1', 'Leah', 'I checked Bert in the night: Bert is a Werewolf.'),
  said('1.2', 'Paul', 'Lovely weather! Long river walks await.'),
  said('1.3', 'Bert', 'Leah lies: I am the Doctor.'),
  said('1.4', 'Mason', 'Quiet people worry me, the river does not.'),
  votedFor(1, 'Paul', 'Bert', 'The claim of Leah convinces me: Bert must go.'),
];
const own = summary(1, 'Dan', 'Leah claims to have checked Bert; Bert claims to be the Doctor.');
const rules = { memory: 'retrieval', historyK: 3, thoughts: 'this-round' };
const at = (changes: Partial<Moment> = {}) =>
  createView(
    gameAt({ rules, round: 2, events: [...spoken, own, said('2.1', 'Sam', 'Leah checked Bert.')], ...changes }),
    'Dan',
  );
const tell = (view: ReturnType<typeof at>) =>
  [...listRecalledUtterances(view)].map((event) => ('id' in event ? event.id : event.type)).sort();

describe('what a player still sees word for word under memory=retrieval', () => {
  it('is what has most in common with the own summaries, so many of it', () => {
    expect(tell(at())).toEqual(['1.1', '1.3', '1.Paul']);
    expect(tell(at({ rules: { ...rules, historyK: 2 } }))).toHaveLength(2);
    expect(tell(at({ rules: { ...rules, historyK: 40 } }))).not.toContain('1.2'); // shares no word
  });

  it('is the latest under historyRetriever=latest', () => {
    expect(tell(at({ rules: { ...rules, historyRetriever: 'latest' } }))).toEqual(['1.3', '1.4', '1.Paul']);
  });

  it('is nothing in the first round, without a summary, and under other rules', () => {
    expect(tell(at({ round: 1, events: spoken }))).toEqual([]);
    expect(tell(at({ events: spoken }))).toEqual([]);
    for (const memory of ['summary', 'full'])
      expect(tell(at({ rules: { memory, thoughts: 'this-round' } }))).toEqual([]);
  });

  it('stands in its place in the history, beside the summary, and the rest does not', () => {
    const history = renderHistory(at());
    expect(history).toContain('Leah said: "I checked Bert in the night: Bert is a Werewolf."');
    expect(history).toContain('Paul voted for Bert: "The claim of Leah convinces me: Bert must go."');
    expect(history).toContain('Your summary of the round: "Leah claims');
    expect(history).toContain('Sam said: "Leah checked Bert."'); // of today
    expect(history).not.toMatch(/river/);
  });

  it('depends on nothing that others know alone', () => {
    const secrets: GameEvent[] = [
      summary(1, 'Sam', 'The river, the river, lovely weather, quiet people.'),
      thought(1, 'Paul', 'vote', 'The river matters.'),
    ];
    expect(renderHistory(at({ events: [...spoken, ...secrets, own] }))).toBe(
      renderHistory(at({ events: [...spoken, own] })),
    );
  });
});
