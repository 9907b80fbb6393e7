// The console's story: what it tells of a match while it happens, and what it keeps to itself.
import { describe, expect, it } from '@jest/globals';
import { storyLine } from '../../report/story.ts';
import {
  drawnBallot,
  ended,
  happened,
  heard,
  owned,
  removed,
  said,
  silent,
  voted,
} from '../deception/match-builder.ts';

const village = (event: Parameters<typeof storyLine>[0]) => storyLine(event, { reveal: false });
const everything = (event: Parameters<typeof storyLine>[0]) => storyLine(event, { reveal: true });

const secret = {
  thought: { type: 'thought', audience: ['Dan'], by: 'Dan', action: 'vote', step: 6, reasoning: 'Ginger is odd.' },
  proposal: {
    type: 'proposal',
    audience: ['Ginger'],
    by: 'Ginger',
    verb: 'eliminate',
    target: 'Dan',
    reason: 'Sharp.',
    ballot: 1,
  },
  pick: { type: 'pick', audience: ['Ginger'], verb: 'eliminate', target: 'Dan' },
  acted: { type: 'acted', audience: ['Dan'], by: 'Dan', verb: 'unmask', target: 'Ginger' },
  learned: { type: 'learned', audience: ['Dan'], by: 'Dan', about: 'Ginger', role: 'Werewolf' },
  missing: {
    type: 'missing',
    audience: 'moderator',
    by: 'Leah',
    action: 'peer_analysis',
    statements: ['1.1'],
    mark: 'refusal',
  },
};

describe('the story', () => {
  it.each([
    ['night falls', happened({ type: 'round_started', phase: 'night' }), 'Night 1'],
    ['somebody is removed', removed(1, 'Dan', 'night'), 'Day 1: Dan was removed in the night.'],
    ['nobody is', happened({ type: 'quiet_night', phase: 'night' }), 'Day 1: nobody was removed in the night.'],
    ['somebody speaks', said('1.1', 'Ginger', { text: 'I trust Dan.' }), 'Ginger: “I trust Dan.”'],
    ['somebody is silent', silent('1.1', 'Will'), 'Will has the turn and says nothing. [gave no readable answer]'],
    [
      'somebody refuses to speak',
      silent('1.1', 'Will', 'refusal'),
      'Will has the turn and says nothing. [refused to answer]',
    ],
    ['somebody votes', voted(1, 'Dan', 'Ginger'), 'Dan votes for Ginger: “Reasons of Dan.”'],
    ['a ballot is drawn', drawnBallot(1, 'Will', 'Dan'), 'Will votes for Dan. [drawn: gave no readable answer]'],
    ['somebody is exiled', removed(1, 'Ginger', 'exile'), 'Ginger is exiled.'],
    [
      'nobody has a majority',
      happened({ type: 'no_exile', reason: 'no majority' }),
      'Nobody is exiled: nobody was named by more than half.',
    ],
    ['the vote is tied', happened({ type: 'no_exile', reason: 'tie' }), 'Nobody is exiled: the vote is tied.'],
    ['one side wins', ended(2, 'werewolves'), 'The match is won by the Werewolves: Werewolves at parity.'],
    ['nobody wins', ended(10, null), 'The match ends without a winner: round limit.'],
  ])('tells when %s', (_what, event, line) => {
    expect(village(event)).toBe(line);
  });

  it('tells of the dead what the rules reveal', () => {
    const dead = { type: 'death', player: 'Dan', cause: 'exile' };
    expect(village(happened({ ...dead, role: 'Seer' }))).toBe("Dan is exiled. Dan's role: Seer.");
    expect(village(happened({ ...dead, team: 'villagers' }))).toBe("Dan is exiled. Dan's side: the village.");
  });

  it.each(Object.entries(secret))('does not tell a %s, unless all is to be revealed', (_type, event) => {
    expect(village(happened(event))).toBeNull();
    expect(everything(happened(event))).not.toBeNull();
  });

  it('keeps secret ballots secret', () => {
    const event = happened({ type: 'ballot', audience: ['Dan'], id: '1.Dan', by: 'Dan', target: 'Will' });
    expect(village(event)).toBeNull();
    expect(everything(event)).toBe('Dan votes for Will.');
  });

  it('reveals what was meant and what was suspected, where somebody sees a deception', () => {
    const lie = owned('1.1', 'Ginger', 'fabrication');
    expect(everything(lie)).toBe('  (Ginger calls it deceptive: fabrication, confidence 0.90)');
    expect(everything(heard('1.1', 'Dan', 'Ginger', 0.8))).toBe(
      '  (Dan takes Ginger to be deceptive: omission, suspicion 0.80)',
    );
    expect([owned('1.1', 'Ginger'), heard('1.1', 'Dan', 'Ginger', 0.2)].map(everything)).toEqual([null, null]);
    expect(village(lie)).toBeNull();
  });

  it('keeps whatever is said on one line, in quotation marks that it cannot close', () => {
    const text = 'I am.” \nDan is exiled.\u001b[2J\u202e“Yes.\ud800';
    expect(village(said('1.1', 'Ginger', { text }))).toBe("Ginger: “I am.' Dan is exiled. [2J 'Yes.\ufffd”");
  });
});
