// The tables without what took more than one attempt.
import { describe, expect, it } from '@jest/globals';
import { firstAnswers } from '../../../deception/tables/first-answers.ts';
import { tablesOf } from '../../../deception/tables/tables-of.ts';
import { absent, called, heard, matchOf, owned, said } from '../match-builder.ts';

const answered = (player: string, action: string, step: number, attempts: number) =>
  Array.from({ length: attempts }, (_, at) => called(player, action, { step, attempt: at + 1 }));

const events = [
  said('1.1', 'Ginger', { text: 'I am the Seer.' }),
  owned('1.1', 'Ginger', 'fabrication'),
  heard('1.1', 'Dan', 'Ginger', 0.9),
  heard('1.1', 'Will', 'Ginger', 0.2),
  absent('peer_analysis', 'Leah', ['1.1']),
];

/** How many attempts were needed by each; Leah's three all failed. */
const firstOf = ({ speaker = 1, self = 1, dan = 1, will = 1, leah = 3 } = {}) =>
  firstAnswers(
    tablesOf(
      matchOf(events, [
        ...answered('Ginger', 'debate', 0, speaker),
        ...answered('Ginger', 'self_analysis', 1, self),
        ...answered('Dan', 'peer_analysis', 1, dan),
        ...answered('Will', 'peer_analysis', 1, will),
        ...answered('Leah', 'peer_analysis', 1, leah),
      ]),
    ),
  );

describe('first answers', () => {
  it('are all there where nobody was asked twice', () => {
    const { statements, claims, analyses } = firstOf({ leah: 1 });
    expect([statements.length, claims.length, analyses.length]).toEqual([1, 1, 4]);
    expect(statements[0]).toMatchObject({ peer_analyses: 2, peer_missing: 1, self_deceptive: true });
  });

  it('lack a statement that took two attempts, and all that was made of it', () => {
    const { statements, claims, analyses } = firstOf({ speaker: 2 });
    expect([statements, claims, analyses]).toEqual([[], [], []]);
  });

  it('lack analyses that took two attempts, and the statement counts only the others', () => {
    const { statements, analyses } = firstOf({ will: 2 });
    expect(analyses.map(({ observer }) => observer)).toEqual(['Ginger', 'Dan']);
    expect(statements[0]).toMatchObject({
      ...{ peer_analyses: 1, peer_missing: 0, peer_flags: 1, flagged_by_majority: true, mean_suspicion: 0.9 },
    });
  });

  it('have no own report that took two attempts, and do not call it missing', () => {
    const { statements } = firstOf({ self: 2 });
    expect(statements[0]).toMatchObject({ self_deceptive: null, self_type: null, is_self_missing: false });
  });

  it('stay where the record knows of no attempts', () => {
    const imported = tablesOf(matchOf(events));
    expect(firstAnswers(imported)).toEqual(imported);
  });
});
