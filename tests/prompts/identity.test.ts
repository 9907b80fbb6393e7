// Who a player is told to be.
import { describe, expect, it } from '@jest/globals';
import { bid } from '../../prompts/bid.ts';
import { identityText } from '../../prompts/identity.ts';
import { draw } from '../../state/draw.ts';
import { roles } from '../../state/roles/index.ts';
import { view } from '../../state/view.ts';
import { eight, gameAt, type Moment } from '../game.ts';
import { expectVisible, linesOf } from '../hostile/lines.ts';
import { small } from '../hostile/texts.ts';

const identityOf = (me: string, moment: Moment = {}) => identityText(view(gameAt(moment), me));

describe('a player', () => {
  it.each([
    ['Ginger', 'Werewolf', 'on the side of the Werewolves', 'The Werewolves win as soon as'],
    ['Sam', 'Seer', 'on the side of the village', 'The village wins as soon as'],
    ['Paul', 'Doctor', 'on the side of the village', 'The village wins as soon as'],
    ['Dan', 'Villager', 'on the side of the village', 'The village wins as soon as'],
  ])('named %s with the role %s is told name, role, side and aim', (name, role, side, aim) => {
    const [first, second, third] = identityOf(name).split('\n');
    expect(first).toBe(`You are ${name}`);
    expect(second).toContain(`Your role is ${role}; you are ${side}.`);
    expect(third).toContain(`Your aim: ${aim}`);
  });

  it('is told what the role may do at night under these rules', () => {
    expect(identityOf('Paul', { rules: { protectSelf: false } })).toContain('protects one player other than himself');
    expect(identityOf('Sam', { rules: { checkTells: 'team' } })).toContain('is on the side of the Werewolves');
    expect(identityOf('Dan')).toContain('You have no power at night.');
  });

  it('gets no advice unless the rules say so', () => {
    for (const name of Object.keys(eight)) expect(identityOf(name)).not.toContain('Advice');
  });

  it('gets the advice for the own role, and for no other, with coaching=paper', () => {
    for (const [name, role] of Object.entries(eight)) {
      const text = identityOf(name, { rules: { coaching: 'paper' } });
      for (const { name: other, advice } of roles.values()) expect(text.includes(advice)).toBe(other === role);
    }
  });

  it('reads the own persona and nobody else does', () => {
    const game = gameAt({ personas: { Dan: 'A sailor of few words.' } });
    const reads = (name: string) => {
      const { system, user } = bid.put(view(game, name), draw(1), undefined);
      return `${system}\n${user}`.includes('A sailor of few words.');
    };
    expect(Object.keys(eight).filter(reads)).toEqual(['Dan']);
    expect(identityOf('Dan', { personas: { Dan: 'A sailor.' } })).toContain('\nYour character: A sailor.\n');
  });

  it('reads a persona of several lines in one', () => {
    expect(identityOf('Dan', { personas: { Dan: 'A sailor.\nHates cats.\n' } })).toContain(
      '\nYour character: A sailor. Hates cats.\n',
    );
  });

  it.each(small.map(({ tries, text }) => [tries, text]))(
    'has a persona and no more where it tries %s',
    (_tries, text) => {
      const lines = linesOf(identityOf('Dan', { personas: { Dan: text } }));
      const tame = linesOf(identityOf('Dan', { personas: { Dan: 'A sailor.' } }));
      const isPersona = (line: string) => line.startsWith('Your character: ');
      expect(lines.filter((line) => !isPersona(line))).toEqual(tame.filter((line) => !isPersona(line)));
      lines.forEach(expectVisible);
    },
  );
});
