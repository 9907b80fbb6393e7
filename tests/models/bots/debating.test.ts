// What a bot says and wants to say: the village tells the truth, the pack lies at its rate, and replies fit.
import { describe, expect, it } from '@jest/globals';
import type { SpeechAct } from '../../../models/bots/scripted/hearing.ts';
import { bid, debate } from '../../../prompts/debate.ts';
import { vote } from '../../../prompts/voting.ts';
import { learned, type Moment, removed, said } from '../../game.ts';
import { answersOf } from './eyes.ts';

type Meant = { acts: (SpeechAct & { sincere: boolean })[]; lie: boolean };
const speeches = (me: string, moment: Moment, lie = 0.6, draws = 20) =>
  answersOf(me, moment, { question: debate, matter: undefined, options: { lie, detect: 0.6 } }, draws).map(
    ({ answer, meant }) => ({ ...answer, ...(meant as Meant) }),
  );
const kinds = ({ acts }: Meant) => acts.map(({ kind }) => kind);
const bids = (me: string, moment: Moment) =>
  answersOf(me, moment, { question: bid, matter: undefined }).map(({ answer }) => answer.bid);
const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

const found = learned(1, 'Sam', 'Leah', 'Werewolf');
const attacks = ['Dan', 'Will', 'Bert'].map((by, index) => said(`1.${index + 1}`, by, 'I suspect Sam.'));

describe('a Seer', () => {
  it('tells of a Werewolf who was found', () => {
    for (const { acts } of speeches('Sam', { round: 2, events: [found] })) {
      expect(acts).toContainEqual({ kind: 'claim', role: 'Seer', sincere: true });
      expect(acts).toContainEqual({ kind: 'report', target: 'Leah', team: 'werewolves', sincere: true });
    }
  });

  it('waits with it while the first day is young', () => {
    for (const speech of speeches('Sam', { events: [found], step: 0 })) expect(kinds(speech)).not.toContain('claim');
  });

  it('keeps the role secret while nothing calls for it', () => {
    const events = [learned(1, 'Sam', 'Dan', 'Villager')];
    for (const speech of speeches('Sam', { events, step: 3 })) expect(kinds(speech)).not.toContain('claim');
  });

  it('shows the role when accused heavily', () => {
    for (const { acts } of speeches('Sam', { events: attacks, step: 3 }))
      expect(acts).toContainEqual({ kind: 'claim', role: 'Seer', sincere: true });
  });

  it('disputes the claim of an impostor', () => {
    for (const { acts } of speeches('Sam', { events: [said('1.1', 'Leah', 'I am the Seer.')], step: 1 })) {
      expect(acts).toContainEqual({ kind: 'claim', role: 'Seer', sincere: true });
      expect(acts).toContainEqual({ kind: 'accuse', target: 'Leah', sincere: true });
    }
  });

  it('says nothing of checks once all that matters has been told', () => {
    const told = said('2.1', 'Sam', 'I am the Seer. I checked Leah: Leah is a Werewolf.');
    for (const speech of speeches('Sam', { round: 2, step: 2, events: [found, told, said('2.2', 'Dan', 'Hm.')] }))
      expect(kinds(speech)).not.toContain('report');
  });

  it('wants the turn badly to tell of it', () => {
    expect(Math.min(...bids('Sam', { round: 2, events: [found] }))).toBeGreaterThanOrEqual(8);
  });
});

describe('a villager', () => {
  const moments: Moment[] = [
    {},
    { events: attacks, step: 3 },
    {
      round: 2,
      events: [said('1.1', 'Leah', 'I checked Sam: Sam is a Werewolf.'), removed(2, 'Mason')],
      gone: ['Mason'],
    },
  ];

  it.each(moments.map((moment, index) => [index, moment] as const))('never lies (moment %d)', (_, moment) => {
    for (const me of ['Sam', 'Paul', 'Dan']) for (const { lie } of speeches(me, moment, 1)) expect(lie).toBe(false);
  });

  it('answers an accusation', () => {
    const events = [said('1.1', 'Leah', 'Dan has not said a word today. I suspect Dan.')];
    for (const speech of speeches('Dan', { events, step: 1 })) expect(kinds(speech)).toContain('deny');
  });

  it('mostly takes the side of a Seer whom nobody disputes', () => {
    const events = [said('1.1', 'Sam', 'I am the Seer. I checked Leah: Leah is a Werewolf.')];
    const against = (name: string) =>
      speeches('Dan', { events, step: 1 }, 0.6, 60).filter(({ acts }) =>
        acts.some((act) => act.kind === 'accuse' && act.target === name),
      ).length;
    expect(against('Leah')).toBeGreaterThan(2 * against('Sam'));
  });
});

describe('a Werewolf', () => {
  it('lies in all statements at a rate of 1 and in none at 0', () => {
    const moment = { events: attacks, step: 3 };
    expect(speeches('Ginger', moment, 1, 50).every(({ lie }) => lie)).toBe(true);
    expect(speeches('Ginger', moment, 0, 50).some(({ lie }) => lie)).toBe(false);
  });

  it('lies in about as many as the rate says', () => {
    const lies = speeches('Ginger', {}, 0.3, 200).filter(({ lie }) => lie).length;
    expect(lies).toBeGreaterThan(40);
    expect(lies).toBeLessThan(80);
  });

  it('never says what only the pack can know', () => {
    for (const { acts } of speeches('Ginger', { events: attacks, step: 3 }, 1, 50))
      expect(acts).not.toContainEqual(expect.objectContaining({ kind: 'claim', role: 'Werewolf' }));
  });

  it('claims no power that a partner claims', () => {
    const events = [
      said('2.1', 'Sam', 'I am the Seer. I checked Leah: Leah is a Werewolf.'),
      said('2.2', 'Leah', 'Sam is lying: I am the Seer.'),
    ];
    for (const { acts } of speeches('Ginger', { round: 2, events, step: 2 }, 1, 50))
      expect(acts).not.toContainEqual(expect.objectContaining({ kind: 'claim', role: 'Seer' }));
  });
});

describe('a bid', () => {
  it('is high for whoever was accused and low for whoever has just had a say', () => {
    const accused = [said('1.1', 'Leah', 'I suspect Dan.')];
    expect(mean(bids('Dan', { events: accused, step: 1 }))).toBeGreaterThan(7);
    expect(
      mean(bids('Bert', { events: [said('1.1', 'Bert', 'Hm.'), said('1.2', 'Dan', 'Hm.')], step: 2 })),
    ).toBeLessThan(4);
  });

  it('stays within the scale of the board', () => {
    const moment = { rules: { bidScale: 4 }, round: 2, events: [found] };
    for (const one of bids('Sam', moment)) expect(one).toBeLessThanOrEqual(4);
  });
});

describe('a ballot', () => {
  const ballots = (me: string, moment: Moment, lie = 1) =>
    answersOf(me, moment, { question: vote, matter: undefined, options: { lie, detect: 0.6 } }).map(
      ({ answer, meant }) => ({
        ...answer,
        ...(meant as Meant),
      }),
    );

  it('of the village mostly goes to a Werewolf whom a Seer has found', () => {
    const events = [said('1.1', 'Sam', 'I am the Seer. I checked Leah: Leah is a Werewolf.')];
    const targets = ['Dan', 'Will', 'Bert'].flatMap((me) => ballots(me, { events, step: 6 }));
    expect(targets.filter(({ vote: target }) => target === 'Leah').length / targets.length).toBeGreaterThan(0.6);
  });

  it('is explained by words about whom it names', () => {
    for (const me of ['Dan', 'Ginger'])
      for (const lie of [0, 1])
        for (const { vote: target, explanation, acts } of ballots(me, { events: attacks, step: 6 }, lie)) {
          expect(explanation).toContain(target);
          expect(acts).toContainEqual(expect.objectContaining({ target }));
        }
  });

  it('of the pack goes to the villager whom others suspect, by both Werewolves', () => {
    const moment = { events: attacks, step: 6 };
    const targets = [...ballots('Ginger', moment), ...ballots('Leah', moment)].map(({ vote: target }) => target);
    expect([...new Set(targets)]).toEqual(['Sam']);
  });
});
