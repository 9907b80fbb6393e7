// A bot's statements, bids and votes, and its behavior as candidate, as voter for Sheriff and as Sheriff.
import { describe, expect, it } from '@jest/globals';
import type { SpeechAct } from '../../../models/bots/scripted/parse-speech-acts.ts';
import { bid, debate } from '../../../prompts/debate.ts';
import { campaign, candidacy, elect, passBadge, recommend } from '../../../prompts/sheriff.ts';
import { pseudoVote, vote } from '../../../prompts/voting.ts';
import type { EventOf } from '../../../state/events.ts';
import { destroyBadgeChoice } from '../../../state/sheriff.ts';
import { type Moment, exiled, learned, removed, said } from '../../game.ts';
import { answersOf } from './eyes.ts';
import { campaigned, elected, leaned, recommended, twelve } from './twelve.ts';

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

describe('at a table with a Sheriff', () => {
  type Events = NonNullable<Moment['events']>;
  type Meant = { acts: (SpeechAct & { sincere: boolean })[]; lie: boolean };
  const pack = ['Ginger', 'Leah', 'Tyler', 'Scott'];
  const at = (moment: Moment = {}): Moment => ({ seats: twelve, rules: { sheriff: true }, ...moment });
  const share = (all: readonly string[], name: string) => all.filter((one) => one === name).length / all.length;
  const found = learned(1, 'Sam', 'Leah', 'Werewolf');

  describe('a candidacy', () => {
    const stands = (me: string, events: Events = []) => {
      const answers = answersOf(me, at({ events }), { question: candidacy, matter: undefined }, 100);
      return answers.filter(({ answer }) => answer.stand).length / answers.length;
    };

    it('is most to the mind of a Seer, then of the pack, and left to chance with all', () => {
      expect(stands('Sam')).toBeGreaterThan(stands('Ginger'));
      expect(stands('Ginger')).toBeGreaterThan(stands('Hayley'));
      for (const me of ['Dan', 'Hayley', 'Ginger']) {
        expect(stands(me)).toBeGreaterThan(0.1);
        expect(stands(me)).toBeLessThan(0.7);
      }
    });

    it('is all but certain for a Seer who has found a Werewolf', () => {
      expect(stands('Sam', [found])).toBeGreaterThan(0.8);
    });
  });

  describe('a candidate', () => {
    const speeches = (me: string, events: Events = [], lie = 0.6) =>
      answersOf(me, at({ events }), { question: campaign, matter: undefined, options: { lie, detect: 0.6 } }, 60).map(
        ({ answer, meant }) => ({ ...answer, ...(meant as Meant) }),
      );
    const claims = (all: ReturnType<typeof speeches>) =>
      all.filter(({ acts }) => acts.some((act) => act.kind === 'claim' && act.role === 'Seer')).length / all.length;

    it('speaks as one', () => {
      for (const me of ['Dan', 'Ginger', 'Sam'])
        for (const { statement } of speeches(me)) expect(statement).toMatch(/Sheriff|badge|Elect me/);
    });

    it('of the village does not lie', () => {
      for (const me of ['Dan', 'Sam', 'Hayley', 'Jacob', 'Paul'])
        for (const { lie } of speeches(me, [], 1)) expect(lie).toBe(false);
    });

    it('who is the Seer mostly tells of a Werewolf found, and often keeps another check', () => {
      expect(claims(speeches('Sam', [found]))).toBeGreaterThan(0.5);
      expect(claims(speeches('Sam', [learned(1, 'Sam', 'Dan', 'Villager')]))).toBeLessThan(0.5);
      for (const { acts } of speeches('Sam', [found]).filter(({ acts: all }) =>
        all.some(({ kind }) => kind === 'claim'),
      ))
        expect(acts).toContainEqual({ kind: 'report', target: 'Leah', team: 'werewolves', sincere: true });
    });

    it('who is a Werewolf lies at its rate, at times as a Seer', () => {
      const liars = speeches('Ginger', [], 1);
      expect(liars.every(({ lie }) => lie)).toBe(true);
      expect(claims(liars)).toBeGreaterThan(0.1);
      expect(claims(liars)).toBeLessThan(0.6);
      expect(speeches('Ginger', [], 0).some(({ lie }) => lie)).toBe(false);
    });

    it('who is a Werewolf does not claim what a partner claims', () => {
      const partner = campaigned('1.1', 'Leah', 'I am the Seer. I checked Dan: Dan is a Werewolf.');
      expect(claims(speeches('Ginger', [partner], 1))).toBe(0);
    });

    it('disputes the claim of an impostor', () => {
      const impostor = campaigned('1.1', 'Leah', 'I stand for Sheriff. I am the Seer.');
      expect(claims(speeches('Sam', [impostor]))).toBe(1);
    });
  });

  describe('a vote for Sheriff', () => {
    const stands = (by: string): EventOf<'candidacy'> => ({
      round: 1,
      phase: 'day',
      audience: 'everyone',
      type: 'candidacy',
      by,
      stands: true,
    });
    const votes = (me: string, choices: string[], events: Events = []) =>
      answersOf(
        me,
        at({ events: [...choices.map(stands), ...events] }),
        { question: elect, matter: undefined },
        60,
      ).map(({ answer }) => answer.vote);

    it('of the village goes to the most trusted', () => {
      const claim = campaigned('1.1', 'Sam', 'I am the Seer. I checked Leah: Leah is a Werewolf.');
      expect(share(votes('Dan', ['Sam', 'Leah', 'Will'], [claim]), 'Leah')).toBe(0);
      expect(share(votes('Dan', ['Sam', 'Leah', 'Will'], [claim]), 'Sam')).toBeGreaterThan(0.8);
    });

    it('of the pack goes to a partner at times, else to whoever is no danger', () => {
      const claim = campaigned('1.1', 'Sam', 'I am the Seer. I checked Will: Will is not a Werewolf.');
      const all = votes('Ginger', ['Leah', 'Sam', 'Will'], [claim]);
      expect(share(all, 'Leah')).toBeGreaterThan(0.3);
      expect(share(all, 'Leah')).toBeLessThan(0.7);
      expect(share(all, 'Sam')).toBe(0);
    });
  });

  describe('a Sheriff', () => {
    const words = (me: string, events: Events, lie = 1) =>
      answersOf(me, at({ events, step: 6 }), {
        question: recommend,
        matter: undefined,
        options: { lie, detect: 0.6 },
      }).map(({ answer, meant }) => ({ ...answer, ...(meant as Meant) }));
    const report = said('1.1', 'Sam', 'I am the Seer. I checked Leah: Leah is a Werewolf.');

    it('recommends the best suspect, in the statement as in the field', () => {
      const all = words('Dan', [elected('Dan'), report, leaned(1, 'Will', 'Leah')]);
      expect(share(all.map(({ recommendation }) => recommendation), 'Leah')).toBe(1); // prettier-ignore
      for (const { recommendation, statement, acts } of all) {
        expect(statement).toContain(recommendation);
        expect(acts).toContainEqual({ kind: 'accuse', target: recommendation, sincere: true });
      }
    });

    it('who is a Werewolf recommends no partner, lying or not', () => {
      for (const lie of [0, 1]) {
        const all = words(
          'Ginger',
          [elected('Ginger'), report, ...['Dan', 'Will', 'Bert', 'Paul'].map((by) => leaned(1, by, 'Leah'))],
          lie,
        );
        for (const { recommendation } of all) expect(pack).not.toContain(recommendation);
        expect(all.map((one) => one.lie)).toEqual(all.map(() => lie === 1));
      }
    });

    it('names the best suspect in the first ballot, without chance, and recommends whom it has named', () => {
      for (const me of ['Dan', 'Ginger']) {
        const talk = [
          elected(me),
          ...['Will', 'Paul'].map((by, index) => said(`1.${index + 1}`, by, 'I suspect Bert.')),
        ];
        const first = answersOf(me, at({ events: talk, step: 6 }), { question: pseudoVote, matter: undefined });
        expect(new Set(first.map(({ answer }) => answer.vote))).toEqual(new Set(['Bert']));
        const shown = ['Will', 'Paul', 'Mason', 'Hayley', 'Jacob'].map((by) => leaned(1, by, 'Sam'));
        for (const { recommendation } of words(me, [...talk, leaned(1, me, 'Bert'), ...shown]))
          expect(recommendation).toBe('Bert');
      }
    });

    it('votes as recommended', () => {
      const events = [elected('Dan'), recommended(1, 'Dan', 'Bert'), report];
      const all = answersOf('Dan', at({ events, step: 7 }), { question: vote, matter: undefined });
      for (const { answer } of all) expect(answer.vote).toBe('Bert');
    });
  });

  describe('the badge of a Sheriff who leaves', () => {
    const heirs = (me: string, events: Events = [], gone: string[] = []) =>
      answersOf(
        me,
        at({ round: 2, gone: [me, ...gone], events: [elected(me), ...events, exiled(2, me)] }),
        { question: passBadge, matter: undefined },
        60,
      ).map(({ answer }) => answer.successor);
    const report = said('1.1', 'Sam', 'I am the Seer. I checked Leah: Leah is a Werewolf.');

    it('goes from a player of the village to a Seer who is believed, never to a suspect', () => {
      expect(share(heirs('Dan', [report]), 'Sam')).toBeGreaterThan(0.9);
      expect(share(heirs('Dan', [report]), 'Leah')).toBe(0);
    });

    it('goes from a Seer to somebody who was checked', () => {
      expect(share(heirs('Sam', [learned(1, 'Sam', 'Will', 'Villager')]), 'Will')).toBeGreaterThan(0.9);
    });

    it('is torn by a player of the village who trusts nobody who is left', () => {
      const events = [learned(1, 'Sam', 'Leah', 'Werewolf'), learned(2, 'Sam', 'Ginger', 'Werewolf')];
      const gone = Object.keys(twelve).filter((name) => !['Leah', 'Ginger', 'Sam'].includes(name));
      expect(share(heirs('Sam', events, gone), destroyBadgeChoice)).toBe(1);
    });

    it('of a Werewolf goes to a partner at times, and is torn at times', () => {
      const all = heirs('Ginger');
      const toPartner = all.filter((name) => pack.includes(name)).length / all.length;
      expect(toPartner).toBeGreaterThan(0.2);
      expect(toPartner).toBeLessThan(0.7);
      expect(share(all, destroyBadgeChoice)).toBeGreaterThan(0.1);
    });
  });

  describe('the word of a Sheriff', () => {
    const votes = (sheriff: string, events: Events = []) =>
      ['Dan', 'Will', 'Mason'].flatMap((me) =>
        answersOf(
          me,
          at({ round: 2, step: 7, events: [elected(sheriff), ...events] }),
          { question: vote, matter: undefined },
          30,
        ).map(({ answer }) => answer.vote),
      );

    it('moves the votes of others to whom it names', () => {
      const word = recommended(2, 'Paul', 'Bert');
      expect(share(votes('Paul', [word]), 'Bert')).toBeGreaterThan(share(votes('Paul'), 'Bert') + 0.3);
    });

    it('moves them less where the Sheriff is not trusted', () => {
      const report = said('1.1', 'Sam', 'I am the Seer. I checked Leah: Leah is a Werewolf.');
      const before = [report, removed(2, 'Sam')];
      const trusted = votes('Paul', [...before, recommended(2, 'Paul', 'Bert')]);
      const suspect = votes('Leah', [...before, recommended(2, 'Leah', 'Bert')]);
      expect(share(suspect, 'Bert')).toBeLessThan(share(trusted, 'Bert') + 0.01);
      expect(share(suspect, 'Leah')).toBeGreaterThan(0.6);
    });

    it('comes after a first ballot, which moves votes too', () => {
      const shown = ['Hayley', 'Jacob', 'Paul', 'Sam'].map((by) => leaned(2, by, 'Bert'));
      expect(share(votes('Paul', shown), 'Bert')).toBeGreaterThan(share(votes('Paul'), 'Bert') + 0.2);
    });
  });
});
