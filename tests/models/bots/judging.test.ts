// How a bot analyses statements: honestly about its own, by evidence and skill about those of others.
import { describe, expect, it } from '@jest/globals';
import {
  ballotPeerAnalysis,
  ballotSelfAnalysis,
  beliefs,
  peerAnalysis,
  selfAnalysis,
} from '../../../prompts/analysis.ts';
import { learned, said, votedFor, type Moment } from '../../game.ts';
import { answersOf } from './eyes.ts';

const own = (me: string, text: string, moment: Moment = {}) => {
  const events = [...(moment.events ?? []), said('1.1', me, text)];
  const matter = { id: '1.1', by: me, text };
  return answersOf(me, { ...moment, events, step: 1 }, { question: selfAnalysis, matter }, 1)[0]!.answer;
};
const heard = (me: string, by: string, text: string, detect: number, moment: Moment = {}, draws = 40) => {
  const events = [...(moment.events ?? []), said('1.1', by, text)];
  const put = { question: peerAnalysis, matter: { id: '1.1', by, text }, options: { lie: 0.6, detect } };
  return answersOf(me, { ...moment, events, step: 1 }, put, draws).map(({ answer }) => answer);
};
const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

describe('about its own statement', () => {
  it.each([
    ['Ginger', 'I suspect Dan.', true, true, 'misdirection'],
    ['Ginger', 'I am the Seer. I checked Dan: Dan is a Werewolf.', true, true, 'fabrication'],
    ['Ginger', 'I am not a Werewolf.', true, true, 'fabrication'],
    ['Ginger', 'I trust Leah.', true, true, 'distortion'],
    ['Ginger', 'That proves nothing about me.', false, true, 'omission'],
    ['Ginger', 'I suspect Leah.', false, true, 'omission'],
    ['Ginger', 'Dan, whom do you suspect?', false, false, 'none'],
    ['Ginger', 'I trust Dan.', false, false, 'none'],
    ['Dan', 'I suspect Bert. I am not a Werewolf.', false, false, 'none'],
    ['Dan', 'I am a plain Villager.', false, false, 'none'],
  ])('%s, having said %j, owns up', (me, text, falsehood, deceptive, type) => {
    expect(own(me, text)).toMatchObject({ stated_falsehood: falsehood, deceptive, type });
  });

  it('a Seer who tells of a real check has been honest', () => {
    const events = [learned(1, 'Sam', 'Leah', 'Werewolf')];
    expect(own('Sam', 'I am the Seer. I checked Leah: Leah is a Werewolf.', { events })).toMatchObject({
      stated_falsehood: false,
      deceptive: false,
    });
  });

  it('a Werewolf owns up to the words to a ballot too', () => {
    const matter = { id: '1.Ginger', by: 'Ginger', text: 'I vote for Dan.' };
    const moment = { step: 6, votes: { Ginger: 'Dan' }, events: [votedFor(1, 'Ginger', 'Dan', 'I vote for Dan.')] };
    const [first] = answersOf('Ginger', moment, { question: ballotSelfAnalysis, matter }, 1);
    expect(first!.answer).toMatchObject({ stated_falsehood: true, deceptive: true, type: 'misdirection' });
  });
});

describe('about the statement of another, with full skill', () => {
  it('a claim that cannot be true is called a fabrication', () => {
    for (const judgement of heard('Sam', 'Leah', 'I am the Seer.', 1))
      expect(judgement).toMatchObject({ deceptive: true, type: 'fabrication' });
  });

  it('a check of myself that I know to be false is called deceptive, and its speaker a Werewolf', () => {
    for (const { deceptive, p_werewolf } of heard('Dan', 'Leah', 'I checked Dan: he is a Werewolf.', 1)) {
      expect(deceptive).toBe(true);
      expect(p_werewolf).toBeGreaterThan(0.9);
    }
  });

  it('the words of somebody known to be of the village are believed', () => {
    const events = [learned(1, 'Sam', 'Dan', 'Villager')];
    for (const { deceptive, p_werewolf } of heard('Sam', 'Dan', 'I suspect Bert.', 1, { events })) {
      expect(deceptive).toBe(false);
      expect(p_werewolf).toBe(0);
    }
  });

  it('a Werewolf sees through a partner and knows the village for honest', () => {
    for (const { deceptive } of heard('Ginger', 'Leah', 'I suspect Dan.', 1)) expect(deceptive).toBe(true);
    for (const { deceptive } of heard('Ginger', 'Dan', 'I suspect Sam.', 1)) expect(deceptive).toBe(false);
  });

  it('suspicion grows with what speaks against the speaker', () => {
    const events = [said('1.0', 'Sam', 'I am the Seer. I checked Leah: Leah is a Werewolf.')];
    const suspicion = (by: string) => heard('Dan', by, 'I am not a Werewolf.', 1, { events }, 1)[0]!.suspicion;
    expect(suspicion('Leah')).toBeGreaterThan(suspicion('Bert'));
  });
});

describe('about the statement of another, without any skill', () => {
  it('it is a toss', () => {
    const judgements = heard('Sam', 'Leah', 'I am the Seer.', 0, {}, 400);
    const flagged = judgements.filter(({ deceptive }) => deceptive).length / judgements.length;
    expect(Math.abs(flagged - 0.5)).toBeLessThan(0.1);
    expect(Math.abs(mean(judgements.map(({ suspicion }) => suspicion)) - 0.5)).toBeLessThan(0.1);
  });

  it('what is certain stays certain', () => {
    for (const { p_werewolf } of heard('Ginger', 'Dan', 'I suspect Sam.', 0)) expect(p_werewolf).toBe(0);
  });
});

describe('numbers', () => {
  it('have two decimals', () => {
    for (const { confidence, suspicion, p_werewolf } of heard('Dan', 'Leah', 'I suspect Bert.', 0.5))
      for (const number of [confidence, suspicion, p_werewolf]) expect(number).toBe(Number(number.toFixed(2)));
  });

  it('of belief name every living other', () => {
    const [first] = answersOf('Dan', { gone: ['Bert'] }, { question: beliefs, matter: undefined }, 1);
    expect(Object.keys(first!.answer.p_werewolf_of)).toEqual(['Ginger', 'Leah', 'Sam', 'Paul', 'Will', 'Mason']);
  });
});

describe('about the explanations of a ballot', () => {
  it('each is judged for itself', () => {
    const events = [
      votedFor(1, 'Leah', 'Dan', 'I am the Seer, so I vote for Dan.'),
      votedFor(1, 'Bert', 'Leah', 'I vote for Leah.'),
    ];
    const matter = [
      { id: '1.Leah', by: 'Leah', text: 'I am the Seer, so I vote for Dan.' },
      { id: '1.Bert', by: 'Bert', text: 'I vote for Leah.' },
    ];
    const put = { question: ballotPeerAnalysis, matter, options: { lie: 0.6, detect: 1 } };
    const [first] = answersOf('Sam', { events, step: 6, votes: { Leah: 'Dan' } }, put, 1);
    expect(first!.answer.judgements['Leah']!.deceptive).toBe(true);
    expect(first!.answer.judgements['Bert']!.deceptive).toBe(false);
  });
});
