// A bot's acts at night and when it leaves the game: attacks, shields, checks, potions, shots.
import { describe, expect, it } from '@jest/globals';
import { createActQuestion, createLastActQuestion, createProposalQuestion } from '../../../prompts/night-actions.ts';
import type { EventOf } from '../../../state/events.ts';
import { getLastAct, getPower } from '../../../state/roles/index.ts';
import { type Moment, acted, exiled, learned, removed, said } from '../../game.ts';
import { answersOf } from './eyes.ts';
import { attacked, elected, twelve } from './twelve.ts';

const night = (round: number, moment: Moment = {}): Moment => ({ ...moment, round, phase: 'night' });
const claim = said('1.1', 'Sam', 'I am the Seer. I checked Leah: Leah is a Werewolf.');
const alone = (me: string, verb: string, moment: Moment) =>
  answersOf(me, moment, { question: createActQuestion(getPower(verb)), matter: undefined }).map(
    ({ answer }) => answer.target,
  );
const proposals = (me: string, moment: Moment) =>
  answersOf(me, moment, { question: createProposalQuestion(getPower('eliminate')), matter: undefined }).map(
    ({ answer }) => answer,
  );
const proposed = (by: string, target: string): EventOf<'proposal'> => ({
  round: 2,
  phase: 'night',
  audience: ['Ginger', 'Leah'],
  type: 'proposal',
  by,
  verb: 'eliminate',
  target,
  reason: 'Because.',
  ballot: 1,
});
const share = (targets: readonly string[], name: string) =>
  targets.filter((one) => one === name).length / targets.length;

describe('the pack', () => {
  it('wants to remove whoever claims to learn what others are', () => {
    const targets = proposals('Ginger', night(2, { events: [claim] })).map(({ proposal }) => proposal);
    expect(share(targets, 'Sam')).toBe(1);
  });

  it('agrees in the second round of proposals on one that was named, both on the same', () => {
    const moment = night(2, { events: [proposed('Ginger', 'Dan'), proposed('Leah', 'Will')] });
    const all = [...proposals('Ginger', moment), ...proposals('Leah', moment)];
    expect(new Set(all.map(({ proposal }) => proposal)).size).toBe(1);
    expect(['Dan', 'Will']).toContain(all[0]!.proposal);
  });

  it('follows the one proposal that was made, though another is more dangerous', () => {
    const moment = night(2, { events: [claim, proposed('Ginger', 'Dan')] });
    expect(
      share(
        proposals('Leah', moment).map(({ proposal }) => proposal),
        'Dan',
      ),
    ).toBe(1);
  });

  it('gives a reason to its own', () => {
    for (const { proposal, proposal_reason } of proposals('Ginger', night(1)))
      expect(proposal_reason).toContain(proposal);
  });

  it('looks for somebody else once an attack has failed', () => {
    const attacked: EventOf<'pick'> = {
      round: 2, phase: 'night', audience: ['Ginger', 'Leah'], type: 'pick', verb: 'eliminate', target: 'Sam',
    }; // prettier-ignore
    const failed = [attacked, { round: 2, phase: 'night', audience: 'everyone', type: 'quiet_night' } as const];
    const targets = proposals('Ginger', night(3, { events: [claim, ...failed] })).map(({ proposal }) => proposal);
    expect(share(targets, 'Sam')).toBeLessThan(1);
  });
});

describe('a shield', () => {
  it('goes to a credible claimant more often than to anybody else', () => {
    const targets = alone('Paul', 'protect', night(2, { events: [claim] }));
    expect(share(targets, 'Sam')).toBeGreaterThan(0.3);
    expect(share(targets, 'Leah')).toBe(0);
  });

  it('does not always stay with its holder', () => {
    const targets = alone('Paul', 'protect', night(1));
    expect(share(targets, 'Paul')).toBeGreaterThan(0);
    expect(share(targets, 'Paul')).toBeLessThan(1);
  });

  it('goes to somebody else where the holder may not be shielded', () => {
    expect(share(alone('Paul', 'protect', night(1, { rules: { protectSelf: false } })), 'Paul')).toBe(0);
  });
});

describe('a check', () => {
  it('is made on those of whom least is known', () => {
    const events = [learned(1, 'Sam', 'Dan', 'Villager'), removed(2, 'Will'), said('1.1', 'Leah', 'I am the Seer.')];
    const targets = alone('Sam', 'unmask', night(3, { gone: ['Will'], events }));
    expect(share(targets, 'Leah')).toBe(0); // the Seer knows that this claim is a lie
    expect(new Set(targets).size).toBeGreaterThan(1);
  });
});

describe('at a table with every role', () => {
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
  /** Evidence against a player that is enough for certainty. */
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
});
