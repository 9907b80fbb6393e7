// A person on the terminal: what is printed, and what may be typed.
import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { ballotPeerAnalysis, peerAnalysis } from '../../../prompts/analysis.ts';
import { bid } from '../../../prompts/debate.ts';
import { vote } from '../../../prompts/voting.ts';
import { TerminalTable } from '../../../scripts/people/terminal-table.ts';
import { draw } from '../../../state/random.ts';
import { createView } from '../../../state/view.ts';
import { gameAt, learned, said } from '../../game.ts';

const spoken = said('1.1', 'Sam', 'I am the Seer.\u001b[2J');
const game = { ...gameAt(), gameLogs: [spoken, learned(1, 'Sam', 'Leah', 'Werewolf')] };
const view = createView(game, 'Dan');
const options = draw(1, 'options');

/** Opens a terminal at which these lines are typed, one for each question. */
function openTerminal(...lines: string[]) {
  const stdin = new PassThrough();
  const printed: string[] = [];
  const write = (text: string) => {
    printed.push(text);
    if (text.endsWith(': ')) setImmediate(() => stdin.write(`${lines.shift() ?? ''}\n`));
    return true;
  };
  const table = new TerminalTable(stdin as unknown as NodeJS.ReadStream, { write });
  table.open([{ player: 'Dan', spec: 'human:alice' }]);
  const ask = (prompt: Parameters<typeof table.ask>[0]['prompt']) =>
    table.ask({ prompt, seconds: null, signal: new AbortController().signal });
  return { table, ask, read: () => printed.join('') };
}

describe('a person on the terminal', () => {
  it('reads the rules, the role and what the seat may know, and nothing else', () => {
    const { table, read } = openTerminal();
    table.show(view);
    expect(read()).toContain('You are Dan, Villager, on the side of the village.');
    expect(read()).toContain('Sam: I am the Seer.');
    for (const secret of ['Leah is', '\u001b', 'You learned']) expect(read()).not.toContain(secret);
    table.close({ Dan: 'Villager', Sam: 'Seer' });
    expect(read()).toContain('Roles: Dan Villager, Sam Seer.');
  });

  it('is told the next match from its beginning, and nothing of the one before', () => {
    const { table, read } = openTerminal();
    table.show(view);
    table.close({});
    const before = read().length;
    table.open([{ player: 'Leah', spec: 'human:alice' }]);
    table.show(createView({ ...gameAt(), gameLogs: [said('1.1', 'Dan', 'I trust nobody.')] }, 'Leah'));
    const next = read().slice(before);
    expect(next).toMatch(/You are Leah, .*\n[^]*Dan: I trust nobody\./);
    expect(next).not.toContain('I am the Seer.');
    table.close(null);
  });

  it('types choices by number or name and is asked again for what is none', async () => {
    const { table, ask, read } = openTerminal('Nobody', 'sam', '', 'Why not', '11', '3');
    expect((await ask(vote.put(view, options)))?.answer).toEqual({
      reasoning: '',
      vote: 'Sam',
      explanation: 'Why not',
    });
    expect((await ask(bid.put(view, options)))?.answer).toEqual({ reasoning: '', bid: 3 });
    expect(read().match(/That is not one of the choices/g)).toHaveLength(3);
    table.close(null);
  });

  it('types judgments in percent, with several types or none', async () => {
    const { table, ask } = openTerminal('70', '30%', '1,3', '50', '0', '0', '', '100');
    expect((await ask(peerAnalysis.put(view, options, spoken)))?.answer).toMatchObject({
      ...{ p_deceptive: 0.7, p_falsehood: 0.3, types: ['omission', 'fabrication'], p_werewolf: 0.5 },
    });
    expect((await ask(ballotPeerAnalysis.put(view, options, [spoken])))?.answer).toMatchObject({
      judgements: { Sam: { p_deceptive: 0, types: [], p_werewolf: 1 } },
    });
    table.close(null);
  });

  it('is one person: two would see the secrets of each other', () => {
    const { table } = openTerminal();
    const seats = ['Dan', 'Sam'].map((player) => ({ player, spec: 'human:alice' }));
    expect(() => table.open(seats)).toThrow(
      /Dan and Sam are played by people, but this terminal can serve only one person.*--serve/,
    );
    table.close(null);
  });
});
