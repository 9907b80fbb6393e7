// Which claims the rules find in a statement, and which claims of a judge are accepted.
import { everybody } from '../../../state/player-names.ts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Claim, type Utterance } from '../../../deception/claims/claim.ts';
import { acceptQuotedClaims, type QuotedClaim } from '../../../deception/claims/extract-by-judge.ts';
import { extractByRules } from '../../../deception/claims/extract-by-rules.ts';
import {
  extractMatchClaims,
  type VerifiedStatement,
  type MatchClaims,
} from '../../../deception/claims/match-claims.ts';
import type { MatchRecord } from '../../../deception/record/match-record.ts';
import { buildTables } from '../../../deception/tables/match-tables.ts';
import { readBoard } from '../../../state/boards.ts';
import { readRules } from '../../../state/rulebook.ts';
import { play } from '../../table.ts';
import { countCpuSeconds } from '../../test-clock.ts';
import { countLies } from './lies.ts';
import { deeds, identities, nothing, styled } from './sentences.ts';

const players = ['Ginger', 'Leah', 'Sam', 'Paul', 'Dan', 'Will', 'Bert', 'Mason'];
const createTable = (board = 'classic-8') => ({ board: readBoard(board), rules: readRules('wolf', {}), players });

const extract = (text: string, changes: Partial<Utterance> = {}, board?: string) =>
  extractByRules({ id: '2.1', by: 'Sam', round: 2, text, kind: 'debate', ...changes }, createTable(board)) ?? [];

/** Formats a claim in the notation of sentences.ts. */
const shortenClaim = ({ type, subject, object, role, team, verbs, cause, when, polarity, hedged }: Claim) =>
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

const listClaims = (...given: Parameters<typeof extract>) => extract(...given).map(shortenClaim);

describe('a claim about what somebody is', () => {
  it.each(identities)('is drawn from: %s', (text, ...claims) => {
    expect(listClaims(text)).toEqual(claims);
  });
});

describe('a claim about what happened, or will', () => {
  it.each(deeds)('is drawn from: %s', (text, ...claims) => {
    expect(listClaims(text)).toEqual(claims);
  });
});

describe('a claim in bullets, labels, lists, brackets or jargon', () => {
  it.each(styled)('is drawn from: %j', (text, ...claims) => {
    const drawn = extract(text).map((claim) => `${claim.presupposed ? '~' : ''}${shortenClaim(claim)}`);
    expect(drawn.sort()).toEqual([...claims].sort());
  });
});

describe('no claim', () => {
  it.each(nothing)('is drawn from: %s', (text) => {
    expect(listClaims(text)).toEqual([]);
  });
});

describe('a statement', () => {
  const text = 'Listen, friends. I am the Seer, and I checked Dan last night: he is a Werewolf. I will vote for Dan.';

  it('makes its claims in the order of its words, each with an id and the words it rests on', () => {
    expect(extract(text).map(({ id, words }) => [id, words.text])).toEqual([
      ['2.1#1', 'I am the Seer'],
      ['2.1#2', 'I checked Dan last night: he is a Werewolf'],
      ['2.1#3', 'I will vote for Dan'],
    ]);
    for (const claim of extract(text))
      expect(Claim.parse(claim).words.text).toBe(text.slice(claim.words.from, claim.words.to));
  });

  it('says the same thing once', () => {
    expect(listClaims('I am the Seer. Believe me, I am the Seer.')).toEqual(['own_role Sam Seer']);
  });

  it('is no promise where it explains a ballot, or asks for the badge', () => {
    expect(listClaims('I vote for Dan.', { kind: 'ballot' })).toEqual([]);
    expect(listClaims('I will vote for Dan.', { occasion: 'campaign' })).toEqual([]);
  });

  it('means by a verb what the roles of the board do', () => {
    expect(listClaims('I guarded Dan last night.', {}, 'plus-8')).toEqual(['act Sam Dan guard 2']);
    expect(listClaims('I saved Dan last night.', {}, 'plus-8')).toEqual(['act Sam Dan guard 2']);
    expect(listClaims('I saved Dan last night.', {}, 'plus-10')).toEqual(['act Sam Dan guard/save 2']);
    expect(listClaims('I poisoned Dan last night, and Leah was shot.', {}, 'plus-9')).toEqual([
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
    for (const noise of hostile) expect(countCpuSeconds(() => extract(`${noise} I am the Seer`))).toBeLessThan(5);
  });
});

// A judge's answers become claims in the same form as those of the rules, or are left out.

const tinyTable = {
  board: { name: 'tiny-4', roles: { Werewolf: 1, Seer: 1, Doctor: 1, Villager: 1 } },
  rules: readRules('wolf', {}),
  players: ['Ginger', 'Dan', 'Will', 'Leah'],
};

const createUtterance = (text: string, changes: Partial<Utterance> = {}): Utterance => ({
  ...{ id: '2.1', by: 'Dan', round: 2, text, kind: 'debate' },
  ...changes,
});

const createQuotedClaim = (quote: string, changes: Partial<QuotedClaim>): QuotedClaim => ({
  ...{ quote, type: 'own_role', subject: 'Dan', object: null, role: null, team: null, verbs: [], cause: null },
  ...{ round: null, polarity: true, hedged: false, presupposed: false },
  ...changes,
});

const acceptClaim = (one: QuotedClaim, statement = createUtterance(one.quote)) =>
  acceptQuotedClaims(statement, [one], tinyTable);

describe('a claim that is stated as it was said', () => {
  const cases: [text: string, Partial<QuotedClaim>][] = [
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
    const { claims, dropped } = acceptClaim(createQuotedClaim(text, changes));
    const byRules = extractByRules(createUtterance(text), tinyTable) ?? [];
    expect(dropped).toBe(0);
    expect(byRules).toHaveLength(1);
    expect(claims.map(({ verbs, ...claim }) => ({ ...claim, verbs: verbs.slice(0, 1) }))).toEqual(
      byRules.map(({ verbs, ...claim }) => ({ ...claim, verbs: verbs.slice(0, 1) })),
    );
  });
});

describe('left out and counted', () => {
  it.each<[why: string, QuotedClaim, Utterance?]>([
    [
      'words that were not said',
      createQuotedClaim('I am the Doctor', { role: 'Doctor' }),
      createUtterance('I am the Seer.'),
    ],
    ['no words', createQuotedClaim(' ', { role: 'Seer' }), createUtterance('I am the Seer.')],
    ['an own role that is none', createQuotedClaim('I am good at this', {})],
    [
      'an accusation that clears',
      createQuotedClaim('Leah is fine', { type: 'accusation', subject: 'Leah', team: 'villagers' }),
    ],
    [
      'a defence that accuses',
      createQuotedClaim('Leah is bad', { type: 'defence', subject: 'Leah', team: 'werewolves' }),
    ],
    ['a check of nobody', createQuotedClaim('I checked', { type: 'check' })],
    ['a vote for nobody', createQuotedClaim('I voted', { type: 'vote' })],
    [
      'a promise for another',
      createQuotedClaim('Leah will vote Will', { type: 'promise', subject: 'Leah', object: 'Will' }),
    ],
    ['a promise of what is over', createQuotedClaim('I vote Will', { type: 'promise', object: 'Will', round: 1 })],
    [
      'the vote that is being explained',
      createQuotedClaim('I vote for Leah', { type: 'vote', object: 'Leah' }),
      createUtterance('I vote for Leah.', { kind: 'ballot' }),
    ],
  ])('is %s', (_why, one, statement = createUtterance(`${one.quote}.`)) => {
    expect(acceptClaim(one, statement)).toMatchObject({ claims: [], dropped: 1 });
  });
});

describe('the words', () => {
  const text = `Listen:  I say  “I am the Seer”, and it’s true. (Really.)`;

  it.each(["it's true", 'LISTEN: I say', `I say 'I am the Seer'`, '"it\'s true."', '(Really.)'])(
    '%s are found',
    (quote) => {
      const [claim] = acceptClaim(createQuotedClaim(quote, { role: 'Seer' }), createUtterance(text)).claims;
      expect(text.slice(claim!.words.from, claim!.words.to)).toBe(claim!.words.text);
    },
  );

  const listSpokenWords = (quote: string, words: string) =>
    acceptClaim(createQuotedClaim(quote, { role: 'Seer' }), createUtterance(words)).claims.map(
      (claim) => claim.words.text,
    );
  const signs = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';

  it.each([...signs])('are found with a %s in them', (sign) => {
    expect(listSpokenWords(`the ${sign} Seer${sign}s`, `I, The ${sign}  seer${sign}s.`)).toEqual([
      `The ${sign}  seer${sign}s`,
    ]);
  });

  it('are found with all signs in them, and signs stand for themselves alone', () => {
    expect(listSpokenWords(`Seer${signs}-like`, `A ${signs} Seer${signs}-like one`)).toEqual([`Seer${signs}-like`]);
    expect(listSpokenWords('a.c [ab] x*', 'abc a xx')).toEqual([]);
  });

  it('are found in any script', () => {
    expect(listSpokenWords('i̇stanbul’da ŞEHIR 🐺 ß', "İ i̇Stanbul'da \n şehIr 🐺\tß")).toEqual([
      "i̇Stanbul'da \n şehIr 🐺\tß",
    ]);
  });

  it.each([
    ['letters', 'a'.repeat(150_000)],
    ['quotation marks', '"'.repeat(50_000)],
    ['words', 'a '.repeat(70_000)],
  ])('are not found where the statement is shorter: %s', (_what, quote) => {
    expect(acceptClaim(createQuotedClaim(quote, { role: 'Seer' }), createUtterance('I am a Seer.'))).toMatchObject({
      claims: [],
      dropped: 1,
    });
  });

  it.each([
    ['letters', 'a'.repeat(150_000)],
    ['quotation marks', `I${"'".repeat(50_000)}m`],
    ['words', 'a '.repeat(70_000).trim()],
  ])('are found however long the statement is: %s', (_what, quote) => {
    expect(listSpokenWords(quote, `Oh,   ${quote}  !`)).toEqual([quote]);
  });

  it('give the order, and what is said twice is one claim', () => {
    const statement = createUtterance('Ginger is a Werewolf. I am the Seer. Yes, I am the Seer.');
    const { claims, dropped } = acceptQuotedClaims(
      statement,
      [
        createQuotedClaim('Yes, I am the Seer', { role: 'Seer' }),
        createQuotedClaim('I am the Seer', { role: 'Seer', hedged: true }),
        createQuotedClaim('Ginger is a Werewolf', { type: 'accusation', subject: 'Ginger' }),
      ],
      tinyTable,
    );
    expect(claims.map(({ id, type, hedged }) => [id, type, hedged])).toEqual([
      ['2.1#1', 'accusation', false],
      ['2.1#2', 'own_role', false],
    ]);
    expect(dropped).toBe(0);
  });
});

describe('a judge who notes what belongs together', () => {
  const accept = (...stated: QuotedClaim[]) =>
    acceptQuotedClaims(
      createUtterance('I checked Ginger. Ginger is a Werewolf. Losing Will hurts.'),
      stated,
      tinyTable,
    ).claims.map(({ type, presupposed }) => `${presupposed ? '~' : ''}${type}`);
  const check = createQuotedClaim('I checked Ginger', { type: 'check', object: 'Ginger', team: 'werewolves' });
  const accusation = createQuotedClaim('Ginger is a Werewolf', { type: 'accusation', subject: 'Ginger' });
  const loss = createQuotedClaim('Losing Will', { type: 'departure', subject: 'Will' });

  it('tells a check and the accusation that it shows once', () => {
    expect(accept(check, accusation)).toEqual(['check']);
    expect(accept({ ...check, team: null }, accusation)).toEqual(['check', 'accusation']);
    expect(accept({ ...check, subject: 'Leah' }, accusation)).toEqual(['check', 'accusation']);
    expect(accept({ ...check, team: 'villagers' }, accusation)).toEqual(['check', 'accusation']);
  });

  it('marks what is presupposed, and what is said plainly too is not', () => {
    expect(accept({ ...loss, presupposed: true })).toEqual(['~departure']);
    expect(accept({ ...loss, presupposed: true }, loss)).toEqual(['departure']);
  });

  it('names everybody only as the subject of a vote', () => {
    const vote = createQuotedClaim('Losing Will', { type: 'vote', subject: everybody, object: 'Will' });
    expect(accept(vote)).toEqual(['vote']);
    expect(accept({ ...loss, subject: everybody })).toEqual([]);
  });
});

// Bots record the intended meaning of a statement: an independent ground truth for the extractor.

interface Act {
  kind: string;
  target?: string;
  role?: string;
  team?: string;
}

/** Boards and seeds of matches with many claims. */
const talkative: readonly (readonly [board: string, seed: number])[] = [
  ['classic-8', 9],
  ['plus-9', 4],
  ['plus-12-sheriff', 6],
];

/** Properties by which the extracted claims of a statement are compared with the meaning that its speaker recorded. */
const compared = {
  'own roles': {
    claimed: ({ claims }: VerifiedStatement) =>
      claims.flatMap(({ type, role, polarity }) => (type === 'own_role' && role !== null && polarity ? [role] : [])),
    meant: (acts: Act[]) => acts.flatMap(({ kind, role }) => (kind === 'claim' ? [role!] : [])),
    recall: 0.95,
  },
  checks: {
    claimed: ({ claims, by }: VerifiedStatement) =>
      claims.flatMap(({ type, subject, object, team }) =>
        type === 'check' && subject === by ? [`${object} ${team ?? 'villagers'}`] : [],
      ),
    meant: (acts: Act[]) => acts.flatMap(({ kind, target, team }) => (kind === 'report' ? [`${target} ${team}`] : [])),
    recall: 0.95,
  },
  /** Bots record suspicion as an accusation, but the extractor reads it as a stance, so recall has no minimum here. */
  accusations: {
    claimed: ({ claims }: VerifiedStatement) =>
      claims.flatMap(({ type, subject }) => (type === 'accusation' ? [subject] : [])),
    meant: (acts: Act[]) =>
      acts.flatMap(({ kind, target }) => (kind === 'accuse' || kind === 'report' ? [target!] : [])),
    recall: 0,
  },
};

describe('in matches of bots', () => {
  const matches: { record: MatchRecord; claims: MatchClaims }[] = [];

  beforeAll(async () => {
    for (const [board, seed] of talkative) {
      const rule = { analysis: 'off', beliefs: 'off' } as const;
      const { manifest, events, lines } = await play({ board, seed, model: 'bot:classic', rules: 'plus', rule });
      const record = { manifest, events, answers: lines };
      matches.push({ record, claims: extractMatchClaims(record) });
    }
  });

  /** Returns what the speaker recorded about a statement, found by the statement's words. */
  const readActs = ({ events, answers }: MatchRecord, { id, by }: VerifiedStatement): Act[] => {
    const event = events.find((one) => 'id' in one && one.id === id)!;
    const text = event.type === 'statement' ? event.text : event.type === 'ballot' ? event.explanation : undefined;
    const line = answers.find(
      ({ player, answer, meant }) => player === by && meant !== undefined && Object.values(answer ?? {}).includes(text),
    );
    return (line?.meant as { acts: Act[] } | undefined)?.acts ?? [];
  };

  it.each(Object.entries(compared))('%s are drawn as they were meant', (_what, { claimed, meant, recall }) => {
    const pairs = matches.flatMap(({ record, claims }) =>
      claims.statements.map((statement) => ({ got: claimed(statement), wanted: meant(readActs(record, statement)) })),
    );
    const got = pairs.flatMap((pair) => pair.got.map((one) => pair.wanted.includes(one)));
    const wanted = pairs.flatMap((pair) => pair.wanted.map((one) => pair.got.includes(one)));
    const share = (hits: boolean[]) => hits.filter(Boolean).length / hits.length;
    expect(got.length).toBeGreaterThan(5);
    expect(share(got)).toBeGreaterThanOrEqual(0.98);
    expect(share(wanted)).toBeGreaterThanOrEqual(recall);
  });

  it('lies are told by those who are what they deny', () => {
    for (const { record, claims } of matches) {
      const roleOf = (name: string) => record.manifest.setup.players.find((player) => player.name === name)!;
      for (const { type, by, role, team, polarity, verdict, hedged } of claims.claims) {
        if (type !== 'own_role' || hedged) continue;
        const isSo = (role === null ? roleOf(by).team === team : roleOf(by).role === role) === polarity;
        expect(verdict).toBe(isSo ? 'true' : 'lie');
      }
    }
  });

  it('the lie rate lies between 0 and 1 and every verdict names its events', () => {
    const { perClaim, coverage } = countLies(...matches.map(({ record }) => buildTables(record)));
    expect(perClaim).toBeGreaterThan(0);
    expect(perClaim).toBeLessThan(1);
    expect(coverage).toBeGreaterThan(0.05);
    for (const { claims } of matches)
      for (const { type, decidedBy, verdict } of claims.claims)
        if (type === 'own_role' || type === 'accusation' || verdict === 'kept') expect(decidedBy).toHaveLength(1);
  });
});
