// The questions to a judge of claims: the record so far, the statement, and examples of the notation.
import { describe, expect, it } from '@jest/globals';
import { composeJudgeDayPrompt, composeJudgePrompt } from '../../prompts/judge.ts';
import { claimTypes } from '../../prompts/judge-office.ts';
import { createPublicView } from '../../state/view.ts';
import { gameAt, said } from '../game.ts';

const events = [said('1.1', 'Dan', 'I am the first.'), said('1.2', 'Leah', 'I am the second.')];
const view = createPublicView(gameAt({ events }), 'judge');
const matter = { id: '1.3', by: 'Sam', text: 'I am the Seer.', kind: 'debate', target: null } as const;
const prompts = [composeJudgePrompt(view, 3, matter), composeJudgeDayPrompt(view, 3, [matter, matter])];

describe.each(prompts)('a judge asked for $action', (prompt) => {
  const { system, user } = prompt;

  it('reads everything said before, with nothing left out, and the oldest speech goes first where there is no room', () => {
    expect(user).toBe(prompt.without(0));
    for (const text of ['I am the first.', 'I am the second.', 'I am the Seer.']) expect(user).toContain(text);
    const shortened = prompt.without(1);
    expect(shortened).not.toContain('I am the first.');
    expect(shortened).toContain('I am the second.');
    expect(shortened).toContain('I am the Seer.');
  });

  it('has an example of every type of claim but one, and of a statement that makes none', () => {
    const examples = system.split('Examples of other games, in short:\n')[1]!.split('\n\n')[0]!.split('\n');
    const claims = examples.flatMap((line) => line.split(' → ')[1]!.split('; '));
    const types = new Set(claims.map((claim) => claim.split(' ')[0]!));
    expect(types).toEqual(new Set([...Object.keys(claimTypes).filter((type) => type !== 'defence'), 'no']));
    expect(examples.every((line) => /^- [A-Z][a-z]+: ".+" → /.test(line))).toBe(true);
  });
});
