// The Witch: one antidote for whom the pack has picked, one poison.
import { describe, expect, it } from '@jest/globals';
import { powerNamed, roleNamed } from '../../../state/roles/index.ts';
import { view } from '../../../state/view.ts';
import { acted, attacked, eight, gameAt, passed, picked, type Moment } from '../../game.ts';

const seats = { ...eight, Paul: 'Witch', Bert: 'Witch' };
const at = (moment: Moment) => gameAt({ seats, phase: 'night', round: 2, ...moment });
const choices = (verb: string, moment: Moment = {}, me = 'Paul') => powerNamed(verb).choices(view(at(moment), me));
const told = (moment: Moment, me = 'Paul') => powerNamed('save').brief!(at(moment), me);
const isReady = (moment: Moment = {}) => powerNamed('save').isReady!(view(at(moment), 'Paul'));
const others = Object.keys(seats).filter((name) => name !== 'Paul');

describe('the Witch', () => {
  it('is special to the village, and acts once the pack has settled', () => {
    expect(roleNamed('Witch')).toMatchObject({ team: 'villagers', special: true });
    expect(powerNamed('save')).toMatchObject({ aim: 'shield', actor: 'holder', mayPass: true });
    expect(powerNamed('poison')).toMatchObject({ aim: 'harm', actor: 'holder', mayPass: true });
    const waves = ['eliminate', 'save', 'poison'].map((verb) => powerNamed(verb).wave);
    expect(waves).toEqual([1, 2, 3]);
  });
});

describe('the antidote', () => {
  it('comes with being told whom the pack has picked this night, and nobody else is told', () => {
    expect(told({ events: [picked(1, 'Sam'), picked(2, 'Dan')] })).toEqual([attacked(2, 'Paul', 'Dan')]);
  });

  it('once used, leaves the Witch untold', () => {
    const used = acted(1, 'Paul', 'save', 'Sam');
    expect(told({ events: [used, picked(2, 'Dan')] })).toEqual([]);
    expect(choices('save', { events: [used, attacked(2, 'Paul', 'Dan')] })).toEqual([]);
    expect(isReady({ events: [used] })).toBe(false);
  });

  it('is kept by a Witch who passed, and by one while another used hers', () => {
    for (const event of [passed(1, 'Paul', 'save'), acted(1, 'Bert', 'save', 'Sam')]) {
      expect(told({ events: [event, picked(2, 'Dan')] })).toHaveLength(1);
      expect(choices('save', { events: [event, attacked(2, 'Paul', 'Dan')] })).toEqual(['Dan']);
      expect(isReady({ events: [event] })).toBe(true);
    }
  });

  it('is for the one who was picked this night and for nobody else', () => {
    expect(choices('save', { events: [attacked(1, 'Paul', 'Sam'), attacked(2, 'Paul', 'Dan')] })).toEqual(['Dan']);
    expect(choices('save')).toEqual([]);
  });

  it.each([
    ['always', 1, true],
    ['always', 2, true],
    ['first-night', 1, true],
    ['first-night', 2, false],
    ['never', 1, false],
    ['never', 2, false],
  ])('with witchSelfSave=%s saves herself in night %i: %s', (witchSelfSave, round, may) => {
    const events = [attacked(round, 'Paul', 'Paul')];
    expect(choices('save', { events, round, rules: { witchSelfSave } })).toEqual(may ? ['Paul'] : []);
  });

  it('cures whom it is given to', () => {
    const intent = { round: 2, verb: 'save', by: ['Paul'], target: 'Dan' };
    expect(powerNamed('save').settle(intent, at({}))).toEqual({ kind: 'cure', target: 'Dan' });
  });
});

describe('the poison', () => {
  it('may be given to every other living player', () => {
    expect(choices('poison')).toEqual(others);
    expect(choices('poison', { gone: ['Sam'] })).toEqual(others.filter((name) => name !== 'Sam'));
  });

  it('is gone once it was used, and kept by who passed or while another Witch used hers', () => {
    expect(choices('poison', { events: [acted(1, 'Paul', 'poison', 'Sam')] })).toEqual([]);
    expect(choices('poison', { events: [passed(1, 'Paul', 'poison')] })).toEqual(others);
    expect(choices('poison', { events: [acted(1, 'Bert', 'poison', 'Sam')] })).toEqual(others);
  });

  it('is not used in the night of the antidote, but in a later one, unless the rules allow both', () => {
    const saved = acted(2, 'Paul', 'save', 'Dan');
    expect(choices('poison', { events: [saved] })).toEqual([]);
    expect(choices('poison', { events: [saved], round: 3 })).toEqual(others);
    expect(choices('poison', { events: [saved], rules: { witchBothPotions: true } })).toEqual(others);
  });

  it('poisons whom it is given to', () => {
    const intent = { round: 2, verb: 'poison', by: ['Paul'], target: 'Dan' };
    expect(powerNamed('poison').settle(intent, at({}))).toEqual({ kind: 'poison', target: 'Dan' });
  });
});

it.each([
  [{ witchSelfSave: 'never' }, 'unless it is herself'],
  [{ witchSelfSave: 'first-night' }, 'herself only in the first night'],
  [{ witchBothPotions: false }, 'but not in the same night'],
  [{ witchBothPotions: true }, 'in the same night too, even the one she has just saved'],
  [{ guardAndAntidote: 'dies' }, 'a player who has both is removed unless something else protects them'],
])('the rules with %j say of the Witch: %s', (rules, words) => {
  expect(roleNamed('Witch').does(rules)).toContain(words);
});
