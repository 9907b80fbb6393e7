// What is claimed by a sentence, and what is not.
import { describe, expect, it } from '@jest/globals';
import { extractByRules } from '../../../deception/claims/extract.ts';
import { Claim, type Utterance } from '../../../deception/claims/claim.ts';
import { readBoard } from '../../../state/boards.ts';
import { readRules } from '../../../state/rules.ts';
import { deeds, identities, nothing } from './sentences.ts';

const players = ['Ginger', 'Leah', 'Sam', 'Paul', 'Dan', 'Will', 'Bert', 'Mason'];
const table = (board = 'classic-8') => ({ board: readBoard(board), rules: readRules('wolf', {}), players });

const drawn = (text: string, changes: Partial<Utterance> = {}, board?: string) =>
  extractByRules({ id: '2.1', by: 'Sam', round: 2, text, kind: 'debate', ...changes }, table(board));

/** Said as in sentences.ts. */
const inShort = ({ type, subject, object, role, team, verbs, cause, when, polarity, hedged }: Claim) =>
  [
    `${hedged ? '?' : ''}${polarity ? '' : '!'}${type}`,
    subject,
    object,
    role ?? team,
    type === 'act' ? verbs.join('/') : null,
    cause,
    when,
  ]
    .filter((part) => part !== null)
    .join(' ');

const claimed = (...given: Parameters<typeof drawn>) => drawn(...given).map(inShort);

describe('a claim about what somebody is', () => {
  it.each(identities)('is drawn from: %s', (text, ...claims) => {
    expect(claimed(text)).toEqual(claims);
  });
});

describe('a claim about what happened, or will', () => {
  it.each(deeds)('is drawn from: %s', (text, ...claims) => {
    expect(claimed(text)).toEqual(claims);
  });
});

describe('no claim', () => {
  it.each(nothing)('is drawn from: %s', (text) => {
    expect(claimed(text)).toEqual([]);
  });
});

describe('a statement', () => {
  const text = 'Listen, friends. I am the Seer, and I checked Dan last night: he is a Werewolf. I will vote for Dan.';

  it('makes its claims in the order of its words, each with an id and the words it rests on', () => {
    expect(drawn(text).map(({ id, words }) => [id, words.text])).toEqual([
      ['2.1#1', 'I am the Seer'],
      ['2.1#2', 'I checked Dan last night: he is a Werewolf'],
      ['2.1#3', 'I will vote for Dan'],
    ]);
    for (const claim of drawn(text))
      expect(Claim.parse(claim).words.text).toBe(text.slice(claim.words.from, claim.words.to));
  });

  it('says the same thing once', () => {
    expect(claimed('I am the Seer. Believe me, I am the Seer.')).toEqual(['own_role Sam Seer']);
  });

  it('is no promise where it explains a ballot, or asks for the badge', () => {
    expect(claimed('I vote for Dan.', { kind: 'ballot' })).toEqual([]);
    expect(claimed('I will vote for Dan.', { occasion: 'campaign' })).toEqual([]);
  });

  it('means by a verb what the roles of the board do', () => {
    expect(claimed('I guarded Dan last night.', {}, 'plus-8')).toEqual(['act Sam Dan guard 2']);
    expect(claimed('I saved Dan last night.', {}, 'plus-8')).toEqual(['act Sam Dan guard 2']);
    expect(claimed('I saved Dan last night.', {}, 'plus-10')).toEqual(['act Sam Dan guard/save 2']);
    expect(claimed('I poisoned Dan last night, and Leah was shot.', {}, 'plus-9')).toEqual([
      'act Sam Dan poison 2',
      'departure Leah last_act',
    ]);
  });

  it('of any length and shape is read in bounded time', () => {
    const hostile = [
      'I think '.repeat(3000),
      'Dan and '.repeat(3000),
      '"'.repeat(9999),
      'is not a '.repeat(3000),
      "'a ".repeat(5000),
      'well , '.repeat(4000),
    ];
    const started = performance.now();
    for (const noise of hostile) drawn(`${noise} I am the Seer`);
    expect(performance.now() - started).toBeLessThan(3000);
  });
});
