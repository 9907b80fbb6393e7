// What a bot does with potions, shields and last words of power: it weighs, and may leave them unused.
import { describe, expect, it } from '@jest/globals';
import { createActQuestion, createLastActQuestion, createProposalQuestion } from '../../../prompts/night-actions.ts';
import { getLastAct, getPower } from '../../../state/roles/index.ts';
import { acted, exiled, learned, removed, said, type Moment } from '../../game.ts';
import { answersOf } from './eyes.ts';
import { attacked, elected, twelve } from './twelve.ts';

const night = (round: number, moment: Moment = {}): Moment => ({ seats: twelve, ...moment, round, phase: 'night' });
const targets = (me: string, verb: string, moment: Moment) =>
  answersOf(me, moment, { question: createActQuestion(getPower(verb)), matter: undefined }, 40).map(
    ({ answer }) => answer.target,
  );
const shots = (moment: Moment) =>
  answersOf(
    'Jacob',
    { seats: twelve, gone: ['Jacob'], ...moment },
    { question: createLastActQuestion(getLastAct('shoot')), matter: undefined },
  ).map(({ answer }) => answer.target);
const share = (all: readonly string[], name: string) => all.filter((one) => one === name).length / all.length;
/** Enough against somebody that nobody doubts it. */
const caught = (name: string) => [
  said('1.1', 'Sam', `I am the Seer. I checked ${name}: ${name} is a Werewolf.`),
  removed(2, 'Sam'),
];

describe('an antidote', () => {
  const saves = (round: number, victim: string, events: Moment['events'] = []) =>
    targets('Hayley', 'save', night(round, { events: [...events, attacked(round, victim)] }));

  it('is always used on the Witch herself, where she may', () => {
    expect(share(saves(1, 'Hayley'), 'Hayley')).toBe(1);
  });

  it('is mostly kept on the first night', () => {
    expect(share(saves(1, 'Dan'), 'pass')).toBeGreaterThan(0.5);
  });

  it('is used on somebody with a credible claim to a power', () => {
    const claim = said('1.1', 'Sam', 'I am the Seer. I checked Leah: Leah is a Werewolf.');
    expect(share(saves(2, 'Sam', [claim]), 'Sam')).toBeGreaterThan(0.9);
    expect(share(saves(2, 'Dan', [claim]), 'Dan')).toBeLessThan(0.9);
  });

  it('is rather used on the Sheriff than on anybody else', () => {
    expect(share(saves(2, 'Dan', [elected('Dan')]), 'Dan')).toBeGreaterThan(share(saves(2, 'Dan', []), 'Dan'));
  });

  it('is rather used from night to night, for one that is never used is wasted', () => {
    const [first, second, fourth] = [1, 2, 4].map((round) => share(saves(round, 'Dan'), 'Dan'));
    expect(second).toBeGreaterThan(first!);
    expect(fourth).toBeGreaterThan(second!);
  });

  it('is used on anybody where the village can hardly lose one more', () => {
    const events = [attacked(1, 'Dan')];
    const gone = ['Will', 'Mason'];
    expect(share(targets('Hayley', 'save', night(1, { events, gone })), 'Dan')).toBe(1);
  });
});

describe('poison', () => {
  it('is kept while nobody is suspect enough', () => {
    expect(share(targets('Hayley', 'poison', night(1)), 'pass')).toBe(1);
  });

  it('goes to whoever is believed to be a Werewolf', () => {
    const poisoned = targets('Hayley', 'poison', night(3, { gone: ['Sam'], events: caught('Leah') }));
    expect(share(poisoned, 'Leah')).toBe(1);
  });

  it('takes less certainty in later rounds', () => {
    const events = [said('1.1', 'Leah', 'I am the Seer.'), said('1.2', 'Sam', 'Leah is lying: I am the Seer.')];
    const used = (round: number) => 1 - share(targets('Hayley', 'poison', night(round, { events })), 'pass');
    expect(used(5)).toBeGreaterThan(used(1));
  });

  it('never goes to somebody whom the pack has attacked', () => {
    const events = [
      said('1.1', 'Leah', 'I checked Dan: he is a Werewolf.'),
      attacked(1, 'Dan'),
      acted(1, 'Hayley', 'save', 'Dan'),
    ];
    expect(share(targets('Hayley', 'poison', night(5, { events })), 'Dan')).toBe(0);
  });
});

describe('a Guard', () => {
  it('never leaves his power unused', () => {
    for (const round of [1, 2, 4]) expect(share(targets('Paul', 'guard', night(round)), 'pass')).toBe(0);
  });

  it('does not guard the same player twice in a row', () => {
    expect(share(targets('Paul', 'guard', night(2, { events: [acted(1, 'Paul', 'guard', 'Dan')] })), 'Dan')).toBe(0);
  });

  it('looks after the Sheriff and after whoever credibly claims a power', () => {
    const usual = targets('Paul', 'guard', night(2));
    const claim = said('1.1', 'Hayley', 'I am the Witch.');
    expect(share(targets('Paul', 'guard', night(2, { events: [claim] })), 'Hayley')).toBeGreaterThan(
      share(usual, 'Hayley'),
    );
    expect(share(targets('Paul', 'guard', night(2, { events: [elected('Dan')] })), 'Dan')).toBeGreaterThan(
      share(usual, 'Dan'),
    );
  });

  it('guards nobody whom he takes for a Werewolf', () => {
    expect(share(targets('Paul', 'guard', night(3, { gone: ['Sam'], events: caught('Leah') })), 'Leah')).toBe(0);
  });
});

describe('a Hunter who leaves', () => {
  it('shoots the best suspect', () => {
    const events = [...caught('Leah'), exiled(2, 'Jacob')];
    expect(share(shots({ round: 2, gone: ['Sam', 'Jacob'], events }), 'Leah')).toBe(1);
  });

  it('holds fire where nobody is suspect enough', () => {
    expect(share(shots({ phase: 'night', events: [removed(1, 'Jacob')] }), 'pass')).toBe(1);
  });
});

describe('whoever learned of a Werewolf', () => {
  it('needs no further evidence to strike', () => {
    const seats = { ...twelve, Sam: 'Hunter', Jacob: 'Seer' };
    const events = [learned(1, 'Sam', 'Tyler', 'Werewolf'), exiled(1, 'Sam')];
    const question = createLastActQuestion(getLastAct('shoot'));
    const answers = answersOf('Sam', { seats, gone: ['Sam'], events }, { question, matter: undefined });
    expect(share(answers.map(({ answer }) => answer.target), 'Tyler')).toBe(1); // prettier-ignore
  });
});

describe('the pack', () => {
  it('never strikes a partner, and rather a Witch who shows herself than a Hunter', () => {
    const put = { question: createProposalQuestion(getPower('eliminate')), matter: undefined };
    const events = [said('1.1', 'Hayley', 'I am the Witch.'), said('1.2', 'Jacob', 'I am the Hunter.')];
    const picked = answersOf('Ginger', night(2, { events }), put, 40).map(({ answer }) => answer.proposal);
    for (const mate of ['Ginger', 'Leah', 'Tyler', 'Scott']) expect(picked).not.toContain(mate);
    expect(share(picked, 'Hayley')).toBeGreaterThan(share(picked, 'Jacob'));
  });
});
