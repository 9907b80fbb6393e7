// Choosing a player: who may be chosen, and in which order the names stand.
import { describe, expect, it } from '@jest/globals';
import { act, propose } from '../../prompts/night-act.ts';
import type { AnyPrompt } from '../../prompts/prompt.ts';
import { syntheticVote, vote } from '../../prompts/vote.ts';
import { draw } from '../../state/draw.ts';
import { powerNamed } from '../../state/roles/index.ts';
import type { EventOf } from '../../state/event.ts';
import { view } from '../../state/view.ts';
import { gameAt, type Moment } from '../game.ts';

const votePrompt = (key: number, moment: Moment = {}) => vote.put(view(gameAt(moment), 'Sam'), draw(1, key), undefined);
const offered = ({ user }: AnyPrompt) => /, one of: ([\p{L}, ]+)$/mu.exec(user)![1]!.split(', ');
const fieldsOf = ({ schema }: AnyPrompt) => Object.keys(schema['properties'] as object);
const prompts = Array.from({ length: 300 }, (_, key) => votePrompt(key));

describe('a vote', () => {
  it('is for another living player', () => {
    expect(votePrompt(1, { gone: ['Leah', 'Bert'] }).choices).toEqual(['Ginger', 'Paul', 'Dan', 'Will', 'Mason']);
    expect(offered(votePrompt(1, { gone: ['Leah', 'Bert'] })).sort()).toEqual([
      'Dan',
      'Ginger',
      'Mason',
      'Paul',
      'Will',
    ]);
  });

  it('has an explanation for everybody where ballots are public, and none where they are secret', () => {
    expect(fieldsOf(votePrompt(1, { rules: { ballots: 'public' } }))).toEqual(['reasoning', 'vote', 'explanation']);
    expect(fieldsOf(votePrompt(1, { rules: { ballots: 'secret' } }))).toEqual(['reasoning', 'vote']);
  });

  it('that changes nothing is never explained', () => {
    const prompt = syntheticVote.put(view(gameAt({ rules: { ballots: 'public' } }), 'Sam'), draw(1), undefined);
    expect(fieldsOf(prompt)).toEqual(['reasoning', 'vote']);
    expect(prompt.user).toContain('The answer changes nothing and no other player ever sees it.');
  });

  it('lists the same names in shuffled order, each as likely in each place', () => {
    const firsts = prompts.map((prompt) => offered(prompt)[0]!);
    for (const prompt of prompts) expect(offered(prompt).sort()).toEqual(prompt.choices.toSorted());
    for (const name of prompts[0]!.choices)
      expect(firsts.filter((first) => first === name).length / 300).toBeCloseTo(1 / 7, 1);
  });

  it('differs by the order of the names in one line of the task and nowhere else', () => {
    const without = ({ system, user }: AnyPrompt) => [system, user.replace(/, one of: .*/g, '')].join('\n');
    expect(new Set(prompts.map(({ user }) => user)).size).toBeGreaterThan(250);
    expect(new Set(prompts.map(without)).size).toBe(1);
    expect(new Set(prompts.map(({ schema }) => JSON.stringify(schema))).size).toBe(1);
  });

  it('that cannot be had is replaced by a legal one, drawn evenly', () => {
    const drawn = Array.from({ length: 700 }, (_, key) => votePrompt(1).fallback!(draw(2, key)).vote);
    for (const name of votePrompt(1).choices)
      expect(drawn.filter((other) => other === name).length / 700).toBeCloseTo(1 / 7, 1);
  });
});

describe('a night act', () => {
  const night = (moment: Moment = {}) => gameAt({ phase: 'night', ...moment });
  const first: EventOf<'proposal'> = {
    round: 1,
    phase: 'night',
    audience: ['Ginger', 'Leah'],
    type: 'proposal',
    by: 'Ginger',
    verb: 'eliminate',
    target: 'Sam',
    reason: 'He is loud.',
    ballot: 1,
  };
  const proposal = (ballot: number, rules: Moment['rules'] = {}) =>
    propose(powerNamed('eliminate')).put(view(night({ rules, events: ballot === 1 ? [] : [first] }), 'Leah'), draw(1));

  it('is a question of its own for each power, with its legal targets', () => {
    const protect = act(powerNamed('protect')).put(view(night(), 'Paul'), draw(1), undefined);
    expect(protect.user).toContain('Which player do you want to protect tonight?');
    expect(offered(protect)).toContain('Paul');
    const check = act(powerNamed('unmask')).put(view(night(), 'Sam'), draw(1), undefined);
    expect(offered(check)).not.toContain('Sam');
    expect(fieldsOf(check)).toEqual(['reasoning', 'target']);
  });

  it('of the pack is a proposal with a reason for the pack where it votes', () => {
    expect(fieldsOf(proposal(1))).toEqual(['reasoning', 'proposal', 'proposal_reason']);
    expect(proposal(1).user).toContain('All living Werewolves propose at once.');
    expect(proposal(2).user).toContain('The proposals differed; you have seen them. Propose again');
    expect(offered(proposal(1)).sort()).toEqual(['Bert', 'Dan', 'Mason', 'Paul', 'Sam', 'Will']);
  });

  it('of the pack is one pick without a reason where one decides', () => {
    expect(fieldsOf(proposal(1, { pack: 'one' }))).toEqual(['reasoning', 'proposal']);
    expect(proposal(1, { pack: 'one' }).user).toContain('Tonight the choice is yours alone');
  });

  it('is told apart by the round of proposals', () => {
    expect([proposal(1).step, proposal(2).step]).toEqual([0, 1]);
  });
});

describe('what a player is reminded of when voting', () => {
  const suspicions = { Sam: { Ginger: 0.61, Leah: 0.6, Paul: 0.4, Dan: 0.39, Will: 0.5, Bert: 0.95, Mason: 0 } };
  const remindersIn = ({ user }: AnyPrompt) => user.split('\n').filter((line) => /seemed/.test(line));
  const reminders = (rules: Moment['rules'], moment: Moment = {}) =>
    remindersIn(votePrompt(1, { rules: { ...rules }, suspicions, ...moment }));

  it('in bands is only those above 0.6 and below 0.4', () => {
    expect(reminders({ scores: 'bands' })).toEqual([
      'Their statements have seemed deceptive to you so far: Ginger, Bert.',
      'Their statements have seemed honest to you so far: Dan, Mason.',
    ]);
  });

  it('in bands is nothing where nobody stands out', () => {
    expect(reminders({ scores: 'bands' }, { suspicions: { Sam: { Dan: 0.6, Will: 0.4 } } })).toEqual([]);
    expect(remindersIn(votePrompt(1, { rules: { scores: 'bands' } }))).toEqual([]);
  });

  it('in numbers is every living player’s, in two places', () => {
    expect(reminders({ scores: 'numbers' })).toEqual([
      'How deceptive their statements have seemed to you so far, from 0 to 1: Ginger 0.61, Leah 0.60, Paul 0.40, Dan 0.39, Will 0.50, Bert 0.95, Mason 0.00.',
    ]);
  });

  it.each(['bands', 'numbers'])('in %s leaves out who has left the game', (scores) => {
    expect(reminders({ scores }, { gone: ['Bert', 'Mason'] }).join()).not.toMatch(/Bert|Mason/);
  });

  it.each([{ scores: 'hidden' }, { analysis: 'off' }, { analysis: 'self' }])('is nothing with %j', (rules) => {
    expect(reminders(rules)).toEqual([]);
  });

  it('is the player’s own suspicion and nobody else’s', () => {
    const theirs = { Dan: { Sam: 0.9, Leah: 0.9 }, Sam: { Dan: 0.1 } };
    expect(reminders({ scores: 'bands' }, { suspicions: theirs })).toEqual([
      'Their statements have seemed honest to you so far: Dan.',
    ]);
  });
});

describe('the last of a pack', () => {
  it('decides alone, and is told of no others', () => {
    const game = gameAt({ phase: 'night' });
    const [first, ...others] = game.setup.players.filter(({ team }) => team === 'werewolves').map(({ name }) => name);
    const left = { ...game, alivePlayers: game.alivePlayers.filter((name) => !others.includes(name)) };
    const prompt = propose(powerNamed('eliminate')).put(view(left, first!), draw(1));
    expect(fieldsOf(prompt)).toEqual(['reasoning', 'proposal']);
    expect(prompt.user).toContain('You are the last of your side: the choice is yours alone.');
    expect(prompt.user).not.toContain('other Werewolves');
  });
});
