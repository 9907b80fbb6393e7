// What a bot does at night, by what its power aims at.
import { describe, expect, it } from '@jest/globals';
import { createActQuestion, createProposalQuestion } from '../../../prompts/night-actions.ts';
import type { EventOf } from '../../../state/events.ts';
import { getPower } from '../../../state/roles/index.ts';
import { learned, removed, said, type Moment } from '../../game.ts';
import { answersOf } from './eyes.ts';

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
    expect(share(targets, 'Leah')).toBe(0); // the Seer knows that claim for a lie
    expect(new Set(targets).size).toBeGreaterThan(1);
  });
});
