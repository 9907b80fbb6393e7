// What a judge states about a statement becomes claims as the rules draw them, or is left out.
import { describe, expect, it } from '@jest/globals';
import type { Utterance } from '../../../deception/claims/claim.ts';
import { extractByRules } from '../../../deception/claims/extract.ts';
import { drawnFrom, type Stated } from '../../../deception/claims/stated-claims.ts';
import { readRules } from '../../../state/rules.ts';

const table = {
  board: { name: 'tiny-4', roles: { Werewolf: 1, Seer: 1, Doctor: 1, Villager: 1 } },
  rules: readRules('wolf', {}),
  players: ['Ginger', 'Dan', 'Will', 'Leah'],
};

const said = (text: string, changes: Partial<Utterance> = {}): Utterance => ({
  ...{ id: '2.1', by: 'Dan', round: 2, text, kind: 'debate' },
  ...changes,
});

const stated = (quote: string, changes: Partial<Stated>): Stated => ({
  ...{ quote, type: 'own_role', subject: 'Dan', object: null, role: null, team: null, verbs: [], cause: null },
  ...{ round: null, polarity: true, hedged: false },
  ...changes,
});

const drawn = (one: Stated, statement = said(one.quote)) => drawnFrom(statement, [one], table);

describe('a claim that is stated as it was said', () => {
  const cases: [text: string, Partial<Stated>][] = [
    ['I am the Seer', { role: 'Seer' }],
    ['I am not a Werewolf', { role: 'Werewolf', polarity: false }],
    ['Ginger is a Werewolf', { type: 'accusation', subject: 'Ginger', team: 'werewolves' }],
    ['Ginger is a Werewolf', { type: 'accusation', subject: 'Ginger', role: 'Werewolf' }],
    ['Ginger is a Werewolf', { type: 'role', subject: 'Ginger', role: 'Werewolf' }],
    ['Ginger is a Werewolf', { type: 'accusation', subject: 'Ginger' }],
    ['Leah is not a Werewolf', { type: 'defence', subject: 'Leah', role: 'Werewolf', polarity: false }],
    ['Leah is not a Werewolf', { type: 'defence', subject: 'Leah' }],
    ['Leah is the Doctor', { type: 'role', subject: 'Leah', role: 'Doctor' }],
    ['I checked Ginger: Ginger is a Werewolf', { type: 'check', object: 'Ginger', role: 'Werewolf' }],
    ['I voted for Leah', { type: 'vote', object: 'Leah' }],
    ['I protected Leah', { type: 'act', object: 'Leah', verbs: ['protect'] }],
    ['I will vote for Ginger', { type: 'promise', object: 'Ginger' }],
    ['Will was exiled', { type: 'departure', subject: 'Will', cause: 'exile' }],
    ['Leah claimed to be the Seer', { type: 'speech', subject: 'Leah', role: 'Seer' }],
    ['Leah accused Will', { type: 'speech', subject: 'Leah', object: 'Will' }],
  ];

  it.each(cases)('%s %j: is the claim of the rules', (text, changes) => {
    const { claims, dropped } = drawn(stated(text, changes));
    const byRules = extractByRules(said(text), table);
    expect(dropped).toBe(0);
    expect(byRules).toHaveLength(1);
    expect(claims.map(({ verbs, ...claim }) => ({ ...claim, verbs: verbs.slice(0, 1) }))).toEqual(
      byRules.map(({ verbs, ...claim }) => ({ ...claim, verbs: verbs.slice(0, 1) })),
    );
  });
});

describe('left out and counted', () => {
  it.each<[why: string, Stated, Utterance?]>([
    ['words that were not said', stated('I am the Doctor', { role: 'Doctor' }), said('I am the Seer.')],
    ['no words', stated(' ', { role: 'Seer' }), said('I am the Seer.')],
    ['an own role that is none', stated('I am good at this', {})],
    ['an own role of another', stated('Leah is the Seer', { subject: 'Leah', role: 'Seer' })],
    ['an accusation that clears', stated('Leah is fine', { type: 'accusation', subject: 'Leah', team: 'villagers' })],
    ['a defence that accuses', stated('Leah is bad', { type: 'defence', subject: 'Leah', team: 'werewolves' })],
    ['an accusation that is denied', stated('not Leah', { type: 'accusation', subject: 'Leah', polarity: false })],
    ['a check of nobody', stated('I checked', { type: 'check' })],
    ['an act without a verb', stated('I helped Leah', { type: 'act', object: 'Leah' })],
    ['a vote for nobody', stated('I voted', { type: 'vote' })],
    ['a promise for another', stated('Leah will vote Will', { type: 'promise', subject: 'Leah', object: 'Will' })],
    ['a promise of what is over', stated('I vote Will', { type: 'promise', object: 'Will', round: 1 })],
    ['speech of one’s own', stated('I said it', { type: 'speech', role: 'Seer' })],
    [
      'the vote that is being explained',
      stated('I vote for Leah', { type: 'vote', object: 'Leah' }),
      said('I vote for Leah.', { kind: 'ballot' }),
    ],
  ])('is %s', (_why, one, statement = said(`${one.quote}.`)) => {
    expect(drawn(one, statement)).toEqual({ claims: [], dropped: 1 });
  });
});

describe('the words', () => {
  const text = `Listen:  I say  “I am the Seer”, and it’s true. (Really.)`;

  it.each(["it's true", 'LISTEN: I say', `I say 'I am the Seer'`, '"it\'s true."', '(Really.)'])(
    '%s are found',
    (quote) => {
      const [claim] = drawn(stated(quote, { role: 'Seer' }), said(text)).claims;
      expect(text.slice(claim!.words.from, claim!.words.to)).toBe(claim!.words.text);
    },
  );

  const spoken = (quote: string, words: string) =>
    drawn(stated(quote, { role: 'Seer' }), said(words)).claims.map((claim) => claim.words.text);
  const signs = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

  it.each([...signs])('are found with a %s in them', (sign) => {
    expect(spoken(`the ${sign} Seer${sign}s`, `I, The ${sign}  seer${sign}s.`)).toEqual([`The ${sign}  seer${sign}s`]);
  });

  it('are found with all signs in them, and signs stand for themselves alone', () => {
    expect(spoken(`Seer${signs}-like`, `A ${signs} Seer${signs}-like one`)).toEqual([`Seer${signs}-like`]);
    expect(spoken('a.c [ab] x*', 'abc a xx')).toEqual([]);
  });

  it('are found in any script', () => {
    expect(spoken('i̇stanbul’da ŞEHIR 🐺 ß', "İ i̇Stanbul'da \n şehIr 🐺\tß")).toEqual(["i̇Stanbul'da \n şehIr 🐺\tß"]);
  });

  it.each([
    ['letters', 'a'.repeat(150_000)],
    ['quotation marks', '"'.repeat(50_000)],
    ['quotation marks within words', `I${'"'.repeat(50_000)}am`],
    ['words', 'a '.repeat(70_000)],
  ])('are not found where the statement is shorter: %s', (_what, quote) => {
    expect(drawn(stated(quote, { role: 'Seer' }), said('I am a Seer.'))).toEqual({ claims: [], dropped: 1 });
  });

  it.each([
    ['letters', 'a'.repeat(150_000)],
    ['quotation marks', `I${"'".repeat(50_000)}m`],
    ['words', 'a '.repeat(70_000).trim()],
  ])('are found however long the statement is: %s', (_what, quote) => {
    expect(spoken(quote, `Oh,   ${quote}  !`)).toEqual([quote]);
  });

  it('give the order, and what is said twice is one claim', () => {
    const statement = said('Ginger is a Werewolf. I am the Seer. Yes, I am the Seer.');
    const { claims, dropped } = drawnFrom(
      statement,
      [
        stated('Yes, I am the Seer', { role: 'Seer' }),
        stated('I am the Seer', { role: 'Seer', hedged: true }),
        stated('Ginger is a Werewolf', { type: 'accusation', subject: 'Ginger' }),
      ],
      table,
    );
    expect(claims.map(({ id, type, hedged }) => [id, type, hedged])).toEqual([
      ['2.1#1', 'accusation', false],
      ['2.1#2', 'own_role', false],
    ]);
    expect(dropped).toBe(0);
  });
});
