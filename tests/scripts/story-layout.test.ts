// How the story of a match is set on the console: above all the count of a vote, in which the Sheriff's weighs more.
import { describe, expect, it } from '@jest/globals';
import { storyLine } from '../../report/story.ts';
import { storyLayout } from '../../scripts/console/story-layout.ts';
import type { GameEvent } from '../../state/event.ts';
import { readRules } from '../../state/rules.ts';

const day = { round: 1, phase: 'day', audience: 'everyone' } as const;
const rules = readRules('plus', { sheriff: true });

function shown(events: readonly GameEvent[]): string[] {
  const set = storyLayout(false, rules);
  return events.flatMap((event) => {
    const line = storyLine(event, { reveal: false });
    return line === null ? [] : set(event, line).split('\n');
  });
}

const vote = (type: 'ballot' | 'pseudo_ballot', by: string, target: string): GameEvent =>
  type === 'ballot' ? { ...day, type, id: `1.${by}`, by, target } : { ...day, type, by, target };

const elected: GameEvent = { ...day, type: 'elected', player: 'Dan', how: 'vote' };
const exiled: GameEvent = { ...day, type: 'death', player: 'Will', cause: 'exile' };

describe('the count of a vote', () => {
  it("gives the Sheriff's ballot its weight", () => {
    const lines = shown([elected, vote('ballot', 'Dan', 'Will'), vote('ballot', 'Leah', 'Dan'), exiled]);
    expect(lines.at(-1)).toBe('Will is exiled. Votes: Will 1.5, Dan 1.');
  });

  it('gives it to whoever has been passed the badge', () => {
    const passed: GameEvent = { ...day, type: 'badge', by: 'Dan', to: 'Leah' };
    const lines = shown([elected, passed, vote('ballot', 'Leah', 'Will'), vote('ballot', 'Paul', 'Leah'), exiled]);
    expect(lines.at(-1)).toBe('Will is exiled. Votes: Will 1.5, Leah 1.');
  });

  it('stands above the summing up of a pseudo-vote, and not in that of the vote which counts', () => {
    const sums: GameEvent = {
      ...{ ...day, type: 'statement', id: '1.2', by: 'Dan', text: 'Will it is.' },
      ...{ occasion: 'recommendation', recommends: 'Will' },
    };
    const votes = [vote('pseudo_ballot', 'Leah', 'Dan'), sums, vote('ballot', 'Leah', 'Will'), exiled];
    expect(shown([elected, ...votes])).toEqual([
      ...['Dan is elected Sheriff.', '', 'Leah votes for Dan in the pseudo-vote.', 'Pseudo-votes: Dan 1.'],
      ...[
        'Dan (Sheriff, recommends Will): “Will it is.”',
        '',
        'Leah votes for Will.',
        'Will is exiled. Votes: Will 1.',
      ],
    ]);
  });

  it('is told of a tie too', () => {
    const tie: GameEvent = { ...day, type: 'tie', players: ['Will', 'Leah'] };
    const lines = shown([vote('ballot', 'Dan', 'Will'), vote('ballot', 'Paul', 'Leah'), tie]);
    expect(lines.at(-1)).toBe(
      'The vote is tied between Will and Leah: they speak once more (PK). Votes: Will 1, Leah 1.',
    );
  });
});
