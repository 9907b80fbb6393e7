// What a bot's ballot keeps to: what it knows for certain, and what it has called for, whatever the others say.
import { describe, expect, it } from '@jest/globals';
import { promiseOf } from '../../../models/bots/classic/promises.ts';
import { pseudoVote, vote } from '../../../prompts/vote.ts';
import { phrases } from '../../../models/bots/classic/phrases.ts';
import { fill } from '../../../models/bots/classic/speech.ts';
import { attacked, elected, learned, said, tied, votedFor, type Moment } from '../../game.ts';
import { answersOf, sceneOf } from './eyes.ts';
import { recommended, twelve } from './twelve.ts';

type Events = NonNullable<Moment['events']>;
const crowd = ['Hayley', 'Jacob', 'Paul', 'Will', 'Bert', 'Mason'];
const against = (name: string) => crowd.map((by, index) => said(`2.${index + 3}`, by, `I suspect ${name}.`));
const at = (events: Events, moment: Moment = {}): Moment => ({ seats: twelve, round: 2, step: 12, events, ...moment });
const ballots = (me: string, events: Events, moment: Moment = {}) =>
  [vote, pseudoVote].flatMap((question) =>
    answersOf(me, at(events, moment), { question, matter: undefined }, 30).map(({ answer }) => answer.vote),
  );

describe('a Seer who knows a Werewolf', () => {
  const found = learned(1, 'Sam', 'Leah', 'Werewolf');
  const told = said('2.1', 'Sam', 'I am the Seer. I checked Leah: Leah is a Werewolf.');

  it('votes for that Werewolf, whomever all others and a trusted Sheriff speak against', () => {
    const events = [elected('Paul'), found, told, ...against('Dan'), recommended(2, 'Paul', 'Dan')];
    expect(new Set(ballots('Sam', events))).toEqual(new Set(['Leah']));
  });

  it('does so before having told anybody', () => {
    expect(new Set(ballots('Sam', [found, ...against('Dan')]))).toEqual(new Set(['Leah']));
  });

  it('votes for one of the tied where that Werewolf is not among them', () => {
    for (const target of ballots('Sam', [found, told, tied(2, 'Dan', 'Ginger')]))
      expect(['Dan', 'Ginger']).toContain(target);
  });
});

it('somebody known to be of the village gets no vote while there is anybody else', () => {
  const events = [attacked(1, 'Hayley', 'Dan'), tied(2, 'Dan', 'Will'), ...against('Dan')];
  expect(new Set(ballots('Hayley', events))).toEqual(new Set(['Will']));
});

describe('who has urged the others to exile somebody', () => {
  const report = said('2.1', 'Sam', 'I am the Seer. I checked Leah: Leah is a Werewolf.');
  const urged = (by: string, name: string) => said('2.2', by, `I will vote for ${name}, and I hope most of us do.`);

  it.each(phrases.urge)('votes accordingly after %j', (urge) => {
    const words = fill(urge, { T: 'Leah' }, sceneOf('Dan', at([])).lexicon);
    const events = [report, said('2.2', 'Dan', words), ...against('Bert'), votedFor(1, 'Leah', 'Ginger')];
    expect(new Set(ballots('Dan', events))).toEqual(new Set(['Leah']));
  });

  it('does so as a Werewolf too', () => {
    expect(new Set(ballots('Ginger', [urged('Ginger', 'Sam'), ...against('Dan')]))).toEqual(new Set(['Sam']));
  });

  it('is bound by the last such word of the day, and by none of the day before', () => {
    const promised = (events: Events, round = 2) => promiseOf(sceneOf('Dan', at(events, { round })));
    const twice = [urged('Dan', 'Leah'), said('2.3', 'Dan', 'Bert has to go today.')];
    expect(promised(twice)).toBe('Bert');
    expect(promised(twice, 3)).toBeNull();
  });

  it.each([
    ['a check', said('2.3', 'Bert', 'I am the Seer. I checked Will: Will is a Werewolf.'), null],
    ['a power', said('2.3', 'Leah', 'I am the Hunter.'), null],
    ['nothing but suspicions', said('2.3', 'Bert', 'I suspect Will.'), 'Leah'],
    ['being a plain Villager', said('2.3', 'Leah', 'I am just a Villager.'), 'Leah'],
  ])('may think again once somebody else has told of %s: %j', (_, news, expected) => {
    expect(promiseOf(sceneOf('Dan', at([report, urged('Dan', 'Leah'), news])))).toBe(expected);
  });

  it('is not bound by a word about somebody who has left, nor by a mere suspicion', () => {
    expect(promiseOf(sceneOf('Dan', at([urged('Dan', 'Leah')], { gone: ['Leah'] })))).toBeNull();
    expect(promiseOf(sceneOf('Dan', at([said('2.2', 'Dan', 'I would vote for Leah today.')])))).toBeNull();
  });
});

describe('the words to a ballot', () => {
  const thought = (exile: 'majority' | 'plurality') => {
    const moments = [at([...against('Dan')], { rules: { exile } }), at([], { rules: { exile } })];
    const asked = ['Ginger', 'Leah', 'Bert', 'Sam'].flatMap((me) =>
      moments.flatMap((moment) =>
        answersOf(me, moment, { question: vote, matter: undefined, options: { lie: 0, detect: 0.6 } }, 30),
      ),
    );
    return asked.map(({ answer }) => `${answer.reasoning} ${answer.explanation}`).join('\n');
  };

  it('speak of a majority only where an exile takes one', () => {
    expect(thought('majority')).toMatch(/We need a majority/);
    expect(thought('majority')).toMatch(/we may reach a majority/);
    expect(thought('plurality')).not.toMatch(/majority/);
    expect(thought('plurality')).toMatch(/The most votes decide/);
  });
});
