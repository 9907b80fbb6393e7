// What a bot does as a candidate, as a voter for Sheriff and as Sheriff, and what it makes of the Sheriff's word.
import { describe, expect, it } from '@jest/globals';
import type { SpeechAct } from '../../../models/bots/scripted/hearing.ts';
import { campaign, candidacy, elect, passBadge, recommend } from '../../../prompts/sheriff.ts';
import { pseudoVote, vote } from '../../../prompts/voting.ts';
import type { EventOf } from '../../../state/events.ts';
import { tear } from '../../../state/sheriff.ts';
import { exiled, learned, type Moment, removed, said } from '../../game.ts';
import { answersOf } from './eyes.ts';
import { campaigned, elected, leaned, recommended, twelve } from './twelve.ts';

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
    for (const { acts } of speeches('Sam', [found]).filter(({ acts: all }) => all.some(({ kind }) => kind === 'claim')))
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
    answersOf(me, at({ events: [...choices.map(stands), ...events] }), { question: elect, matter: undefined }, 60).map(
      ({ answer }) => answer.vote,
    );

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
      const talk = [elected(me), ...['Will', 'Paul'].map((by, index) => said(`1.${index + 1}`, by, 'I suspect Bert.'))];
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
    expect(share(heirs('Sam', events, gone), tear)).toBe(1);
  });

  it('of a Werewolf goes to a partner at times, and is torn at times', () => {
    const all = heirs('Ginger');
    const toPartner = all.filter((name) => pack.includes(name)).length / all.length;
    expect(toPartner).toBeGreaterThan(0.2);
    expect(toPartner).toBeLessThan(0.7);
    expect(share(all, tear)).toBeGreaterThan(0.1);
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
