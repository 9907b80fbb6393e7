// What a player remembers of the election, the badge, the tie and of last acts.
import { describe, expect, it } from '@jest/globals';
import { historyText } from '../../prompts/history.ts';
import { rulesText } from '../../prompts/rules-text.ts';
import type { EventOf, GameEvent } from '../../state/event.ts';
import { view } from '../../state/view.ts';
import { acted, attacked, badge, badgeVote, eight, elected, gameAt, passed, said, shot, stood, tied } from '../game.ts';

const seats = { ...eight, Paul: 'Hunter', Bert: 'Witch', Mason: 'Guard' };
const linesOf = (me: string, ...events: GameEvent[]) =>
  historyText(view(gameAt({ seats, events }), me))
    .split('\n')
    .filter((line) => line.startsWith('- ') && !line.includes('besides you'))
    .map((line) => line.slice(2));
const day = { round: 1, phase: 'day', audience: 'everyone' } as const;
const how = (player: string, way: EventOf<'elected'>['how']): GameEvent => ({ ...elected(player), how: way });

describe('what everybody sees of the office', () => {
  it.each<[string, GameEvent, string | null, string | null]>([
    ['who stands', stood('Dan'), 'You stand for Sheriff.', 'Dan stands for Sheriff.'],
    ['who does not', stood('Dan', false), 'You do not stand for Sheriff.', null],
    ['a vote', badgeVote('Dan', 'Will'), 'You voted for Will as Sheriff.', 'Dan voted for Will as Sheriff.'],
    [
      'a second vote',
      badgeVote('Dan', 'Will', 2),
      'You voted for Will as Sheriff in the second vote.',
      'Dan voted for Will as Sheriff in the second vote.',
    ],
    ['who is elected', elected('Dan'), 'You were elected Sheriff.', 'Dan was elected Sheriff.'],
    [
      'who is drawn',
      how('Dan', 'draw'),
      'You were elected Sheriff by lot, the vote being tied.',
      'Dan was elected Sheriff by lot, the vote being tied.',
    ],
    [
      'who was alone',
      how('Dan', 'unopposed'),
      'You were elected Sheriff unopposed.',
      'Dan was elected Sheriff unopposed.',
    ],
    [
      'the badge torn',
      badge(1, 'Dan', null),
      "You tore the Sheriff's badge: there is no Sheriff any more.",
      "Dan tore the Sheriff's badge: there is no Sheriff any more.",
    ],
    [
      'the badge passed',
      badge(1, 'Dan', 'Will'),
      "You passed the Sheriff's badge to Will.",
      "Dan passed the Sheriff's badge to Will.",
    ],
    [
      'the pseudo-vote',
      { ...day, type: 'pseudo_ballot', by: 'Dan', target: 'Will' },
      'You voted for Will in the pseudo-vote.',
      'Dan voted for Will in the pseudo-vote.',
    ],
    [
      'the order',
      { ...day, type: 'speaking_order', by: 'Dan', direction: 'down' },
      'You, as Sheriff, let the debate go down the order of seats.',
      'Dan, as Sheriff, let the debate go down the order of seats.',
    ],
    [
      'a campaign',
      { ...said('1.1', 'Dan', 'Me!'), occasion: 'campaign' },
      'You said as a candidate: "Me!"',
      'Dan said as a candidate: "Me!"',
    ],
    [
      'a recommendation',
      { ...said('1.1', 'Dan', 'So.'), occasion: 'recommendation', recommends: 'Will' },
      'You said, recommending to exile Will: "So."',
      'Dan said, recommending to exile Will: "So."',
    ],
    [
      'the word of the tied',
      { ...said('1.1', 'Dan', 'No!'), occasion: 'pk' },
      'You said once more, being tied: "No!"',
      'Dan said once more, being tied: "No!"',
    ],
  ])('%s', (_what, event, own, others) => {
    expect(linesOf('Dan', event)).toEqual(own === null ? [] : [own]);
    expect(linesOf('Sam', event)).toEqual(others === null ? [] : [others]);
  });

  it('a badge that comes to oneself, a tie, and that nobody stands', () => {
    expect(linesOf('Will', badge(1, 'Dan', 'Will'))).toEqual(["Dan passed the Sheriff's badge to you."]);
    expect(linesOf('Sam', tied(1, 'Dan', 'Will'))).toEqual([
      'The vote was tied between Dan and Will: they speak once more.',
    ]);
    expect(linesOf('Sam', { ...day, type: 'no_sheriff' })).toEqual(['Nobody stood for Sheriff, so there is none.']);
  });
});

describe('of the later roles', () => {
  it('everybody sees a shot and whom it took', () => {
    const events = shot(1, 'Paul', 'Dan');
    expect(linesOf('Sam', ...events)).toEqual(['Paul was the Hunter and shot Dan.', 'Dan left the game.']);
    expect(linesOf('Dan', ...events)).toEqual(['Paul was the Hunter and shot you.', 'You left the game.']);
    expect(linesOf('Paul', ...events)).toEqual(['You were the Hunter and shot Dan.', 'Dan left the game.']);
  });

  it('a shot is that of a Hunter where there are several', () => {
    const two = gameAt({ seats: { ...seats, Will: 'Hunter' }, events: shot(1, 'Paul', 'Dan') });
    expect(historyText(view(two, 'Sam'))).toContain('Paul was a Hunter and shot Dan.');
  });

  it('each sees the own acts, and nobody else does', () => {
    const events = [
      attacked(1, 'Bert', 'Dan'),
      acted(1, 'Bert', 'save', 'Dan'),
      passed(1, 'Bert', 'poison'),
      acted(1, 'Mason', 'guard', 'Sam'),
      passed(1, 'Paul', 'shoot'),
    ];
    expect(linesOf('Bert', ...events)).toEqual([
      'You were told whom the Werewolves picked this night: Dan.',
      'You chose to save Dan.',
      'You chose to poison nobody.',
    ]);
    expect(linesOf('Mason', ...events)).toEqual(['You chose to guard Sam.']);
    expect(linesOf('Paul', ...events)).toEqual(['You chose to shoot nobody.']);
    for (const other of ['Dan', 'Sam', 'Ginger']) expect(linesOf(other, ...events)).toEqual([]);
  });
});

describe('the rules', () => {
  const rulesOf = (moment: Parameters<typeof gameAt>[0]) => rulesText(view(gameAt(moment), 'Sam'));
  const unlessMore = { seats: { ...seats, Will: 'Witch', Dan: 'Hunter' } };

  it.each<[string, Parameters<typeof gameAt>[0], string]>([
    ['which votes are explained', { rules: { sheriff: true } }, 'those for Sheriff and pseudo-votes without.'],
    ['that nobody hears what made a player leave', { seats }, 'nobody is told what made them leave.'],
    ['that last acts come before the end', { seats }, 'only then is it seen whether a side has won.'],
    [
      'that the badge comes before the end',
      { rules: { sheriff: true } },
      'only then is it seen whether a side has won.',
    ],
    ['that holding fire is told to nobody', { seats }, 'that he shoots nobody is told to nobody.'],
    ['that a shot tells the role where nothing else does', { seats }, 'though nothing else is said of roles;'],
    ['what each of several has', unlessMore, 'Each Witch has one antidote'],
    ['what special roles are', { seats, rules: { wins: 'edge' } }, 'a special role (Seer, Hunter, Witch, Guard) have'],
    [
      'that nobody is exiled where all are tied',
      { rules: { exile: 'plurality', exileTies: 'pk' } },
      'or all the living are tied at once, nobody is exiled',
    ],
  ])('say %s', (_what, moment, words) => {
    expect(rulesOf(moment)).toContain(words);
  });

  it('say none of it where it does not matter', () => {
    expect(rulesOf({})).not.toMatch(/made them leave|only then|pseudo-vote|shoots|special role/);
    expect(rulesOf({ seats, rules: { reveal: 'role' } })).not.toContain('nothing else is said of roles');
  });
});

it('the rules say that the dead do nothing, but for last acts where there are any', () => {
  const last = (moment: Parameters<typeof gameAt>[0]) =>
    rulesText(view(gameAt(moment), 'Sam'))
      .split('\n')
      .find((line) => line.includes('does nothing any more'));
  expect(last({})).toBe('- A player who has left the game does nothing any more.');
  expect(last({ seats })).toMatch(/^- But for what stands above, a player/);
  expect(last({ rules: { sheriff: true } })).toMatch(/^- But for what stands above, a player/);
});
