// Claims stated by a judge: unambiguous types, and claims implied by stronger ones.
import { describe, expect, it } from '@jest/globals';
import { acceptQuotedClaims, type QuotedClaim } from '../../../deception/claims/extract-by-judge.ts';
import { isImpliedBy, mergeConfirmed } from '../../../deception/claims/implied-claims.ts';
import { readBoard } from '../../../state/boards.ts';
import { readRules } from '../../../state/rulebook.ts';

const players = ['Alex', 'Casey', 'Charlie', 'Jamie', 'Kai', 'Quinn', 'Sam', 'Taylor'];
const table = { board: readBoard('classic-8'), rules: readRules('wolf'), players };
const statement = { id: '2.1', by: 'Quinn', round: 2, kind: 'debate', text: 'These are my words.' } as const;
const blank = {
  ...{ quote: 'These are my words', type: 'role', subject: 'Kai', object: null, role: null, team: null, verbs: [] },
  ...{ cause: null, round: null, polarity: true, hedged: false, presupposed: false },
} as const satisfies QuotedClaim;
const accept = (...some: Partial<QuotedClaim>[]) =>
  acceptQuotedClaims(
    statement,
    some.map((one) => ({ ...blank, ...one })),
    table,
  ).claims;

describe('a stated claim', () => {
  it.each<[string, Partial<QuotedClaim>, object]>([
    ['a defence as Villager', { type: 'defence', role: 'Villager' }, { type: 'role', role: 'Villager' }],
    ['a denied accusation', { type: 'accusation', polarity: false }, { type: 'defence', polarity: false }],
    ['a denied accusation with its side', { type: 'accusation', team: 'werewolves', polarity: false }, { type: 'defence' }], // prettier-ignore
    ['an own role of another', { type: 'own_role', role: 'Seer' }, { type: 'role', role: 'Seer' }],
    ['an own side of another', { type: 'own_role', team: 'werewolves' }, { type: 'accusation' }],
    ['an accusation of oneself', { type: 'accusation', subject: 'Quinn' }, { type: 'own_role', team: 'werewolves' }],
    ['a denied role called an accusation', { type: 'accusation', role: 'Seer', polarity: false }, { type: 'role', polarity: false }], // prettier-ignore
    ['an act without a verb', { type: 'act', subject: 'Quinn', object: 'Kai' }, { type: 'act', verbs: ['protect'] }],
    ['own earlier words', { type: 'speech', subject: 'Quinn', role: 'Seer' }, { type: 'own_role', role: 'Seer' }],
    ['own earlier accusation', { type: 'speech', subject: 'Quinn', object: 'Kai' }, { type: 'accusation', subject: 'Kai' }], // prettier-ignore
  ])('%s is taken as what it means', (_what, stated, meant) => {
    expect(accept(stated)).toMatchObject([meant]);
  });

  it.each<[string, Partial<QuotedClaim>]>([
    ['an accusation as Seer', { type: 'accusation', role: 'Seer' }],
    ['a defence as a Werewolf', { type: 'defence', team: 'werewolves' }],
    ['an act on nobody', { type: 'act', subject: 'Quinn' }],
  ])('%s contradicts itself and is dropped', (_what, stated) => expect(accept(stated)).toEqual([]));

  it('with words that do not stand in the statement is told by its place, unless it makes no sense either', () => {
    const stated = [
      { ...blank, role: 'Seer' },
      { ...blank, role: 'Seer', quote: 'Other words' },
      { ...blank, quote: 'Other' },
    ];
    const { claims, dropped, unquoted } = acceptQuotedClaims(statement, stated, table);
    expect({ claims: claims.length, dropped, unquoted }).toEqual({ claims: 1, dropped: 2, unquoted: [1] });
  });
});

describe('a claim in a stronger form', () => {
  const [seer] = accept({ type: 'own_role', subject: 'Quinn', role: 'Seer' }) as [never];
  const [noWolf] = accept({ type: 'own_role', subject: 'Quinn', team: 'werewolves', polarity: false }) as [never];
  const [all] = accept({ type: 'vote', subject: 'everybody', object: 'Kai' }) as [never];
  const [vote] = accept({ type: 'vote', subject: 'Sam', object: 'Kai' }) as [never];
  const [check] = accept({ type: 'check', subject: 'Quinn', object: 'Kai', team: 'werewolves' }) as [never];
  const [accusation] = accept({ type: 'accusation' }) as [never];
  const [villager] = accept({ role: 'Villager' }) as [never];
  const [defence] = accept({ type: 'defence' }) as [never];
  const [doctor] = accept({ role: 'Doctor', polarity: false }) as [never];

  it.each([
    [noWolf, seer],
    [vote, all],
    [accusation, check],
    [defence, villager],
    [doctor, villager],
    [doctor, accusation],
    [seer, seer],
  ])('holds the weaker one, and not the other way round', (weak, strong) => {
    expect(isImpliedBy(weak, strong)).toBe(true);
    if (weak !== strong) expect(isImpliedBy(strong, weak)).toBe(false);
  });

  it('is counted once with it', () => {
    expect(mergeConfirmed([noWolf], [seer])).toMatchObject([{ role: 'Seer', id: '2.1#1' }]);
    expect(mergeConfirmed([seer], [noWolf])).toMatchObject([{ role: 'Seer' }]);
    expect(mergeConfirmed([seer], [accusation])).toHaveLength(2);
  });
});
