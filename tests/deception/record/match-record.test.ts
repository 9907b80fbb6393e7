// Finds the recorded answer behind each statement, ballot and analysis.
import { describe, expect, it } from '@jest/globals';
import { createAnswerFinder, statementActions } from '../../../deception/record/match-record.ts';
import { called } from '../match-builder.ts';

const answer = (action: string, step: number, changes: Parameters<typeof called>[2] = {}) =>
  called('Dan', action, { step, raw: `${action} ${step} ${changes.attempt ?? 1}`, ...changes });

const find = createAnswerFinder([
  answer('debate', 2, { attempt: 2 }),
  answer('debate', 2),
  answer('self_analysis', 3),
  answer('debate', 5),
  answer('self_analysis', 6),
  answer('ballot', 9),
  answer('ballot_self_analysis', 10),
  answer('ballot', 13),
  answer('ballot_self_analysis', 14),
  answer('debate', 2, { round: 2, raw: 'of the second day' }),
]);
const findRaw = (statement: string, ...actions: string[]) => find(statement, 'Dan', actions)?.raw ?? null;

describe('the answer that made', () => {
  it('a speech is the last attempt at its step of its round', () => {
    expect(findRaw('1.3', ...statementActions)).toBe('debate 2 2');
    expect(findRaw('1.6', ...statementActions)).toBe('debate 5 1');
    expect(findRaw('2.3', ...statementActions)).toBe('of the second day');
  });

  it('an analysis of a speech stands a step after it', () => {
    expect(findRaw('1.3', 'self_analysis')).toBe('self_analysis 3 1');
  });

  it('a ballot, or an analysis of it, is the first of its round, and after a tie the last', () => {
    expect(findRaw('1.ballot.Dan', 'ballot')).toBe('ballot 9 1');
    expect(findRaw('1.pk.ballot.Dan', 'ballot')).toBe('ballot 13 1');
    expect(findRaw('1.ballot.Dan', 'ballot_self_analysis')).toBe('ballot_self_analysis 10 1');
    expect(findRaw('1.pk.ballot.Dan', 'ballot_self_analysis')).toBe('ballot_self_analysis 14 1');
  });

  it('what nobody was asked is none', () => {
    expect([findRaw('1.4', ...statementActions), findRaw('3.ballot.Dan', 'ballot')]).toEqual([null, null]);
    expect(find('1.3', 'Leah', statementActions)).toBeNull();
  });
});
