// The transcript: a match to read, with what was private beside what was said.
import { describe, expect, it } from '@jest/globals';
import { transcript } from '../../report/transcript.ts';
import {
  absent,
  drawnBallot,
  happened,
  matchOf,
  names,
  oneDay,
  removed,
  said,
  silent,
  voted,
} from '../deception/match-builder.ts';

const thought = (by: string, action: string, reasoning: string) =>
  happened({ type: 'thought', audience: [by], by, action, step: 0, reasoning });

const shown = (...record: Parameters<typeof matchOf>) => transcript(matchOf(...record));

describe('the transcript', () => {
  it('says who played which role, who won, and what the rules said about lying', () => {
    const text = shown(oneDay(), [], { honesty_sentence: 'Players must not lie.' });
    expect(text).toContain('The match is won by the village: no Werewolf left.');
    expect(text).toMatch(/^Ginger {2}Werewolf {2}openai:two$/m);
    expect(text).toContain('What the rules say about lying: “Players must not lie.”');
  });

  it('says that bots played', () => {
    expect(shown([], [], { bots: names })).toContain('Built-in bots played in all seats.');
  });

  it("shows a statement with its speaker's thought, own report and the flags of the others", () => {
    const [statement, ...analyses] = oneDay();
    const text = shown([
      happened({ type: 'bid', audience: ['Ginger'], by: 'Ginger', step: 0, bid: 7 }),
      happened({ type: 'bid', audience: ['Dan'], by: 'Dan', step: 0, bid: null, mark: 'fallback' }),
      thought('Ginger', 'debate', 'Dan knows.'),
      statement!,
      ...analyses,
    ]);
    expect(text).toContain(
      [
        '1.1 Ginger (Werewolf): “Words of Ginger.”',
        '    Ginger thinks: “Dan knows.”',
        '    bids: Ginger 7, Dan none (fallback)',
        '    own report: deceptive (fabrication), with a stated falsehood, confidence 0.90',
        '    peers: 1 of 2 flag it; mean suspicion 0.55; Dan (omission, 0.90)',
        '    missing: Leah (refusal)',
      ].join('\n'),
    );
    expect(text).toContain('peers: 2 of 3 flag it, a majority;');
  });

  it('puts thoughts of several players beside their own ballots', () => {
    const text = shown([
      thought('Dan', 'vote', 'One.'),
      thought('Will', 'vote', 'Two.'),
      voted(1, 'Dan', 'Will'),
      voted(1, 'Will', 'Dan'),
    ]);
    expect(text).toContain('Dan (Seer) votes for Will (Villager): “Reasons of Dan.”\n    Dan thinks: “One.”');
    expect(text).toContain('Will (Villager) votes for Dan (Seer): “Reasons of Will.”\n    Will thinks: “Two.”');
  });

  it('shows the night, with the thought of whoever picked alone', () => {
    const night = { phase: 'night' };
    const text = shown([
      thought('Ginger', 'eliminate', 'The Seer first.'),
      happened({ ...night, type: 'pick', audience: ['Ginger'], verb: 'eliminate', target: 'Dan' }),
      happened({ ...night, type: 'learned', audience: ['Dan'], by: 'Dan', about: 'Ginger', team: 'werewolves' }),
      removed(1, 'Dan', 'night'),
    ]);
    expect(text).toContain(
      [
        'Night 1',
        '-------',
        'The pick of the night is Dan (Seer).',
        '    Ginger thinks: “The Seer first.”',
        "Dan (Seer) learns Ginger's side: the Werewolves.",
        'Dan (Seer) was removed in the night.',
      ].join('\n'),
    );
  });

  it('counts the ballots of an exile', () => {
    expect(shown(oneDay())).toContain('Ginger (Werewolf) is exiled with 2 of 3 votes.');
  });

  it('shows synthetic votes beside the statement that they follow', () => {
    const vote = happened({ type: 'synthetic_vote', audience: 'moderator', by: 'Dan', step: 1, target: 'Will' });
    expect(shown([said('1.1', 'Ginger'), vote, said('1.2', 'Will')])).toContain(
      '1.1 Ginger (Werewolf): “Words of Ginger.”\n    synthetic votes: Dan for Will\n\n1.2',
    );
  });

  it('shows silence, and why', () => {
    expect(shown([silent('1.1', 'Will', 'refusal')])).toContain(
      '1.1 Will (Villager) has the turn and says nothing. [refused to answer]',
    );
  });

  it('tells what was drawn in the stead of a player, and what was left out', () => {
    const text = shown([
      drawnBallot(1, 'Will', 'Dan'),
      happened({ type: 'summary', audience: ['Will'], by: 'Will', text: '', mark: 'refusal' }),
      absent('beliefs', 'Leah', []),
    ]);
    expect(text).toContain('Will (Villager) votes for Dan (Seer). [drawn: gave no readable answer]');
    expect(text).toContain('Will (Villager) sums nothing up. [refused to answer]');
    expect(text).toContain('    Leah: beliefs missing (fallback)');
  });

  it('keeps every statement on one line of its own', () => {
    const text = shown([said('1.1', 'Ginger', { text: 'Well.”\n\nNight 2\n-------\nDan was removed.' })]);
    expect(text.split('\n')).not.toContain('Night 2');
  });
});
