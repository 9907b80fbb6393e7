// What a bot says and does where the vote is tied, and what it hears of the powers and the office of larger boards.
import { describe, expect, it } from '@jest/globals';
import { pkDebate } from '../../../prompts/debate.ts';
import { vote } from '../../../prompts/vote.ts';
import { earOf } from '../../../models/bots/classic/hearing.ts';
import { lexiconOf } from '../../../models/bots/classic/lexicon.ts';
import { actName, type Act } from '../../../models/bots/classic/speech-act.ts';
import { boards } from '../../../state/boards.ts';
import { learned, said, votedFor, type Moment } from '../../game.ts';
import { answersOf } from './eyes.ts';
import { attacked, tied, twelve } from './twelve.ts';

type Events = NonNullable<Moment['events']>;
type Meant = { acts: (Act & { sincere: boolean })[]; lie: boolean };
const rules = { exile: 'plurality', exileTies: 'pk' };
const at = (moment: Moment): Moment => ({ seats: twelve, rules, step: 6, ...moment });
const pleas = (me: string, moment: Moment, lie = 0.6) =>
  answersOf(me, at(moment), { question: pkDebate, matter: undefined, options: { lie, detect: 0.6 } }, 40).map(
    ({ answer, meant }) => ({ ...answer, ...(meant as Meant) }),
  );
const kinds = ({ acts }: Meant) => acts.map(({ kind }) => kind);

describe('somebody between whom and another the vote is tied', () => {
  const tie = [tied(1, 'Dan', 'Jacob'), votedFor(1, 'Will', 'Dan'), votedFor(1, 'Bert', 'Jacob')];

  it('denies being a Werewolf and speaks against the other', () => {
    for (const plea of pleas('Dan', { events: tie })) {
      expect(kinds(plea)).toContain('deny');
      expect(plea.acts).toContainEqual({ kind: 'accuse', target: 'Jacob', sincere: true });
    }
  });

  it('shows a power now or never', () => {
    for (const { acts, lie } of pleas('Jacob', { events: tie })) {
      expect(acts).toContainEqual({ kind: 'claim', role: 'Hunter', sincere: true });
      expect(lie).toBe(false);
    }
  });

  it('speaks against nobody of whom it is known that they are of the village', () => {
    const events = [learned(1, 'Sam', 'Dan', 'Villager'), tied(1, 'Sam', 'Dan')];
    for (const { acts, lie } of pleas('Sam', { events })) {
      expect(acts).not.toContainEqual(expect.objectContaining({ kind: 'accuse', target: 'Dan' }));
      expect(lie).toBe(false);
    }
  });

  it('lies as a Werewolf at the rate asked for, and may claim any role of the village', () => {
    const events = [tied(1, 'Ginger', 'Dan')];
    const liars = [...pleas('Ginger', { events }, 1), ...pleas('Leah', { events: [tied(1, 'Leah', 'Dan')] }, 1)];
    expect(liars.every(({ lie }) => lie)).toBe(true);
    expect(pleas('Ginger', { events }, 0).some(({ lie }) => lie)).toBe(false);
    const claimed = new Set(
      liars.flatMap(({ acts }) => acts.flatMap((act) => (act.kind === 'claim' ? [act.role] : []))),
    );
    expect([...claimed].sort()).toEqual(['Guard', 'Hunter', 'Seer', 'Witch']);
  });

  it('speaks against no partner who is tied too', () => {
    for (const { acts } of pleas('Ginger', { events: [tied(1, 'Ginger', 'Leah')] }, 1))
      expect(acts).not.toContainEqual(expect.objectContaining({ kind: 'accuse', target: 'Leah' }));
  });
});

describe('a vote between the tied', () => {
  const votes = (me: string, events: Events) =>
    answersOf(me, at({ events }), { question: vote, matter: undefined }, 40).map(({ answer, meant }) => ({
      ...answer,
      ...(meant as Meant),
    }));

  it('goes to one of them, from the pack to one of the village', () => {
    for (const { vote: target } of votes('Ginger', [tied(1, 'Leah', 'Dan')])) expect(['Leah', 'Dan']).toContain(target);
    const spared = votes('Ginger', [tied(1, 'Leah', 'Dan')]).filter(({ vote: target }) => target === 'Dan');
    expect(spared.length).toBeGreaterThan(30);
  });

  it('is explained without a lie where both are known to be of the village', () => {
    const events = [
      learned(1, 'Sam', 'Dan', 'Villager'),
      learned(2, 'Sam', 'Will', 'Villager'),
      tied(3, 'Dan', 'Will'),
    ];
    const all = answersOf('Sam', at({ round: 3, events }), { question: vote, matter: undefined });
    for (const { meant } of all) expect((meant as Meant).lie).toBe(false);
  });

  it('of a Witch never goes to whom the pack has attacked while there is another', () => {
    const events = [
      attacked(1, 'Dan'),
      tied(1, 'Dan', 'Will'),
      ...['Bert', 'Mason', 'Sam'].map((by) => said('1.1', by, 'I suspect Dan.')),
    ];
    for (const { vote: target } of votes('Hayley', events)) expect(target).toBe('Will');
  });
});

describe('on a board with more powers', () => {
  const ear = (board: string) => earOf(lexiconOf({ board: boards[board]!, players: Object.keys(twelve) }));

  it.each([
    ['plus-12', 'I guarded Dan last night.', ['claim Guard']],
    ['plus-12', 'I protected Dan last night.', ['claim Guard']],
    ['plus-12', 'I saved Dan last night.', ['claim Witch']],
    ['plus-12', 'I poisoned Dan last night.', ['claim Witch']],
    ['plus-9', 'I protected Dan last night.', ['claim Witch']],
    ['plus-12', 'I am the Hunter.', ['claim Hunter']],
    ['plus-12', "I'm just a plain Villager.", ['claim Villager']],
    ['plus-12', 'As the Witch, I can tell you that Dan is a Werewolf.', ['claim Witch', 'accuse Dan']],
    ['plus-12-sheriff', 'I vote for Dan as Sheriff.', ['defend Dan']],
    ['plus-12-sheriff', 'I would not vote for Dan as Sheriff.', ['accuse Dan']],
    ['plus-12-sheriff', 'As Sheriff, I vote for Dan.', ['accuse Dan']],
    ['plus-12-sheriff', 'Jacob would make a good Sheriff.', []],
    ['classic-8', 'I saved Dan last night.', ['claim Doctor']],
    ['classic-8', 'I poisoned Dan last night.', []],
  ])('%s: %j is heard as %j', (board, text, acts) => {
    expect(ear(board)(text).map(actName)).toEqual(acts);
  });

  it('a Villager, not a Hunter, is the plain role', () => {
    expect(lexiconOf({ board: boards['plus-12']!, players: [] }).plain?.name).toBe('Villager');
  });
});
