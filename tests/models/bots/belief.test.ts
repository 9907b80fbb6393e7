// Beliefs of a bot: certain facts have probability 1 or 0, and words, votes and nights determine the others. They add
// up to the number of Werewolves.
import { describe, expect, it } from '@jest/globals';
import { acted, eight, exiled, learned, removed, said, votedFor, type Moment } from '../../game.ts';
import { peerAnalysis } from '../../../prompts/analysis.ts';
import { createProposalQuestion } from '../../../prompts/night-actions.ts';
import { vote } from '../../../prompts/voting.ts';
import type { EventOf } from '../../../state/events.ts';
import { getPower } from '../../../state/roles/index.ts';
import { analysisOf, answersOf } from './eyes.ts';

const names = Object.keys(eight);
const believed = (me: string, moment: Moment) => {
  const { mine } = analysisOf(me, moment);
  return Object.fromEntries(names.map((name) => [name, mine(name)]));
};
const quiet = (round: number) => ({ round, phase: 'night', audience: 'everyone', type: 'quiet_night' }) as const;

describe('before anything has happened', () => {
  it('a villager takes each of the others for a Werewolf alike', () => {
    const { Bert, ...others } = believed('Bert', {});
    expect(Bert).toBe(0);
    for (const p of Object.values(others)) expect(p).toBeCloseTo(2 / 7);
  });

  it('a Werewolf knows who is who', () => {
    expect(believed('Ginger', {})).toEqual({
      Ginger: 1, Leah: 1, Sam: 0, Paul: 0, Dan: 0, Will: 0, Bert: 0, Mason: 0,
    }); // prettier-ignore
  });

  it('a Seer is certain of those who were checked', () => {
    const events = [learned(1, 'Sam', 'Ginger', 'Werewolf'), learned(2, 'Sam', 'Dan', 'Villager')];
    const { Ginger, Dan, Leah } = believed('Sam', { round: 3, events });
    expect([Ginger, Dan]).toEqual([1, 0]);
    expect(Leah).toBeCloseTo(1 / 5);
  });
});

describe('whatever has happened', () => {
  it('the beliefs add up to the Werewolves there are', () => {
    const events = [
      said('1.1', 'Dan', 'I suspect Ginger.'),
      said('1.2', 'Ginger', 'I am the Seer. I checked Dan: Dan is a Werewolf.'),
      votedFor(1, 'Will', 'Dan'),
      votedFor(1, 'Bert', 'Ginger'),
      exiled(1, 'Dan'),
      removed(2, 'Will'),
    ];
    const p = believed('Bert', { round: 2, gone: ['Dan', 'Will'], events });
    expect(Object.values(p).reduce((sum, one) => sum + one, 0)).toBeCloseTo(2);
  });

  it('a game that goes on still has a Werewolf, and not so many that they would have won', () => {
    const events = [
      exiled(1, 'Ginger', { role: 'Werewolf' }),
      removed(2, 'Dan'),
      exiled(2, 'Will'),
      removed(3, 'Bert'),
    ];
    const gone = ['Ginger', 'Dan', 'Will', 'Bert'];
    const p = believed('Mason', { round: 3, gone, events });
    expect(p['Ginger']).toBe(1);
    expect(p['Will']).toBe(0); // if both Werewolves were gone, the game would be over
  });

  it('nobody whom the Werewolves removed is one of them', () => {
    expect(believed('Bert', { gone: ['Dan'], events: [removed(1, 'Dan')] })['Dan']).toBeLessThan(0.01);
  });

  it('whoever was kept in the game by the own shield is of the village', () => {
    const events = [acted(1, 'Paul', 'protect', 'Dan'), quiet(1)];
    expect(believed('Paul', { events })['Dan']).toBeLessThan(0.05);
    expect(believed('Bert', { events: events.slice(1) })['Dan']).toBeCloseTo(2 / 7);
  });
});

describe('a claimed check', () => {
  const report = said('1.1', 'Sam', 'I am the Seer. I checked Ginger: Ginger is a Werewolf.');

  it('is believed while nobody disputes it', () => {
    const { Ginger, Sam } = believed('Bert', { events: [report] });
    expect(Ginger).toBeGreaterThan(0.5);
    expect(Sam).toBeLessThan(Ginger!);
  });

  it('is believed less where somebody else claims the same role', () => {
    const rival = said('1.2', 'Ginger', 'Sam is lying: I am the Seer. My check of Sam showed a Werewolf.');
    const alone = believed('Bert', { events: [report] });
    const both = believed('Bert', { events: [report, rival] });
    expect(both['Ginger']).toBeLessThan(alone['Ginger']!);
    expect(both['Ginger']! + both['Sam']!).toBeGreaterThan(0.95); // at least one of the two lies
  });

  it('that I know to be false makes its speaker a Werewolf', () => {
    const aboutMe = said('1.1', 'Leah', 'I checked Bert: he is a Werewolf.');
    expect(believed('Bert', { events: [aboutMe] })['Leah']).toBeGreaterThan(0.95);
  });

  it('of the one role that is mine makes its speaker a Werewolf', () => {
    expect(believed('Sam', { events: [said('1.1', 'Leah', 'I am the Seer.')] })['Leah']).toBeGreaterThan(0.95);
  });

  it('of somebody removed in the night is believed firmly', () => {
    const p = believed('Bert', { round: 2, gone: ['Sam'], events: [report, removed(2, 'Sam')] });
    expect(p['Ginger']).toBeGreaterThan(0.95);
  });

  it('clears the one who was checked', () => {
    const cleared = said('1.1', 'Sam', 'I am the Seer. I checked Dan: Dan is not a Werewolf.');
    const { Dan, Will } = believed('Bert', { events: [cleared] });
    expect(Dan).toBeLessThan(Will!);
  });
});

describe('the witness against a suspect', () => {
  const both = 'I am the Seer. I checked Leah: Leah is a Werewolf. I checked Dan: Dan is not a Werewolf.';
  const checks = said('1.1', 'Sam', both);

  it('is whoever found a Werewolf by a check and is trusted, and nobody for a player who was cleared', () => {
    const { findReporter } = analysisOf('Bert', { round: 2, gone: ['Sam'], events: [checks, removed(2, 'Sam')] });
    expect(['Leah', 'Dan'].map(findReporter)).toEqual(['Sam', undefined]);
  });

  it('is nobody who is doubted', () => {
    const rival = said('1.2', 'Leah', 'I am the Seer. I checked Sam: he is a Werewolf.');
    expect(analysisOf('Bert', { events: [checks, rival] }).findReporter('Leah')).toBeUndefined();
  });

  it('is somebody else', () => {
    expect(analysisOf('Sam', { events: [checks] }).findReporter('Leah')).toBeUndefined();
  });
});

/** Returns how a bot with this skill in the seat of `me` judges a statement. */
const judge = (me: string, by: string, text: string, events: Moment['events'] = [], detect = 1) =>
  answersOf(
    me,
    { round: 3, gone: ['Dan', 'Ginger'], rules: { analysis: 'peer' }, events: [...events, said('3.1', by, text)] },
    { question: peerAnalysis, matter: { id: '3.1', by, text }, options: { lie: 0.6, detect } },
    1,
  )[0]!.answer;

describe('what was said', () => {
  const gone = [
    exiled(1, 'Dan', { role: 'Villager' }),
    votedFor(2, 'Leah', 'Ginger'), // speaks for Leah
    exiled(2, 'Ginger', { role: 'Werewolf' }),
  ];

  it('is a lie, all but surely, where it is a check that shows what the listener knows to be false', () => {
    expect(judge('Bert', 'Leah', 'I checked Dan: he is a Werewolf.', gone)).toMatchObject({
      ...{ types: ['fabrication'], p_deceptive: 0.97, p_falsehood: 0.97 },
    });
  });

  it('is hardly a lie where the listener knows that the speaker is of the village', () => {
    const cleared = learned(1, 'Sam', 'Leah', 'Villager');
    expect(judge('Sam', 'Leah', 'I checked Dan: he is a Werewolf.', [...gone, cleared])).toMatchObject({
      ...{ types: [], p_deceptive: 0.02, p_falsehood: 0.02 },
    });
  });
});

describe('a statement that is insisted on', () => {
  const suspect = (text: string, detect: number, events: Moment['events'] = []) =>
    (judge('Sam', 'Leah', text, events, detect) as { p_deceptive?: number }).p_deceptive ?? NaN;

  it('is what a bot hears lies by, as far as its skill goes', () => {
    const [plain, insisted] = ['I suspect Dan.', 'I suspect Dan. Take my word for it.'];
    expect(suspect(insisted, 1) - suspect(plain, 1)).toBeCloseTo(0.6, 1);
    expect(suspect(insisted, 0.5) - suspect(plain, 0.5)).toBeCloseTo(0.3, 1);
    expect(suspect(insisted, 0)).toBe(suspect(plain, 0));
  });

  it('is believed all the same where the listener knows the speaker', () => {
    const cleared = learned(1, 'Sam', 'Leah', 'Villager');
    expect(suspect('I suspect Dan. Take my word for it.', 1, [cleared])).toBe(0.02);
  });
});

describe('accusations and votes', () => {
  it('tell against those who made them once the target turns out to be of the village', () => {
    const events = [votedFor(1, 'Leah', 'Dan'), votedFor(1, 'Will', 'Leah'), exiled(1, 'Dan', { role: 'Villager' })];
    const p = believed('Bert', { round: 2, gone: ['Dan'], events });
    expect(p['Leah']).toBeGreaterThan(p['Mason']!);
  });

  it('tell for those who made them once the target turns out to be a Werewolf', () => {
    const events = [votedFor(1, 'Dan', 'Ginger'), exiled(1, 'Ginger', { role: 'Werewolf' })];
    const p = believed('Bert', { round: 2, gone: ['Ginger'], events });
    expect(p['Dan']).toBeLessThan(p['Mason']!);
  });

  it('of those who defended a Werewolf tell against them', () => {
    const events = [said('1.1', 'Dan', 'I trust Ginger.'), exiled(1, 'Ginger', { role: 'Werewolf' })];
    const p = believed('Bert', { round: 2, gone: ['Ginger'], events });
    expect(p['Dan']).toBeGreaterThan(p['Mason']!);
  });

  it('of my own tell me nothing', () => {
    const events = [said('1.1', 'Bert', 'I suspect Dan.'), votedFor(1, 'Bert', 'Dan')];
    expect(believed('Bert', { round: 2, events })['Dan']).toBeCloseTo(2 / 7);
  });
});

describe('an Idiot who has survived an exile', () => {
  const shown: EventOf<'exile_survived'> = {
    round: 1,
    phase: 'day',
    audience: 'everyone',
    type: 'exile_survived',
    player: 'Dan',
    role: 'Idiot',
  };
  const seats = { ...eight, Dan: 'Idiot' };
  const accused = ['Leah', 'Will', 'Bert'].map((by, index) => said(`2.${index + 1}`, by, 'I suspect Dan.'));
  const moment = { seats, round: 2, step: 6, events: [shown, ...accused] };

  it('is known to everybody', () => {
    for (const me of ['Bert', 'Sam', 'Ginger']) {
      const { mine, publicly } = analysisOf(me, moment);
      expect([mine('Dan'), publicly('Dan')]).toEqual([0, 0]);
    }
  });

  it('gets no more votes, whatever is said', () => {
    for (const me of ['Bert', 'Sam', 'Ginger'])
      for (const { answer } of answersOf(me, moment, { question: vote, matter: undefined }))
        expect(answer.vote).not.toBe('Dan');
  });

  it('is not worth an attack, having no vote', () => {
    const put = { question: createProposalQuestion(getPower('eliminate')), matter: undefined };
    for (const { answer } of answersOf('Ginger', { ...moment, round: 3, phase: 'night' }, put))
      expect(answer.proposal).not.toBe('Dan');
  });
});
