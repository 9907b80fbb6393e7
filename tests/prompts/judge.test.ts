// The questions to a judge of claims: the record so far, the statement, and examples of the notation.
import { describe, expect, it } from '@jest/globals';
import { readRules } from '../../state/rulebook.ts';
import {
  composeConfirmPrompt,
  composeJudgeDayPrompt,
  composeJudgePrompt,
  composeQuotePrompt,
} from '../../prompts/judge.ts';
import { claimTypes, judgeWording } from '../../prompts/judge-office.ts';
import { hashText } from '../../state/hash-text.ts';
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

describe('the wording of the judge', () => {
  /** SHA-256 over the questions below, by the number of the wording. */
  const hashes: Readonly<Record<number, string>> = {
    2: '383a12a4881bc56e8ca15dd86ad140d7ec5c85e9d8446dd87fb8e8b2fcda0055',
  };

  const sets = [
    readRules('wolf', {}),
    readRules('wolf', { exile: 'plurality', exileTies: 'random', wins: 'majority', reveal: 'team' }),
    readRules('arena', { sheriff: true, exile: 'majority', wins: 'edge', honesty: 'forbidden' }),
    readRules('plus', { exileTies: 'pk', reveal: 'role' }),
  ];

  /** Returns everything that a judge reads, of all its questions. */
  const listWords = () =>
    sets.flatMap((rules) => {
      const seen = createPublicView(gameAt({ events, rules }), 'judge');
      const claim = { quote: 'Seer', type: 'own_role', subject: 'Sam', object: null, role: 'Seer' } as const;
      const stated = [{ ...claim, team: null, verbs: [], cause: null, round: null, polarity: true }];
      return [
        composeJudgePrompt(seen, 3, matter),
        composeJudgeDayPrompt(seen, 3, [matter, { ...matter, id: '1.Sam', kind: 'ballot', target: 'Dan' }]),
        composeConfirmPrompt(seen, 3, matter, stated),
        composeQuotePrompt(seen, 3, matter, stated),
      ].map(({ system, user, schema }) => [system, user, schema]);
    });

  it('changes only with its number, whatever is reworded for players: raise judgeWording, or keep the sentence in judge-rules.ts', () => {
    expect(hashText(JSON.stringify(listWords()))).toBe(hashes[judgeWording]);
  });
});
