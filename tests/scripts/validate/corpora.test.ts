// The labeled statements are sound and have the promised properties, and the rules read them as well as published.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { judgeAtMoments, readLabels } from '../../../scripts/validate/corpora/judge-at-moment.ts';
import {
  createLabelledClaim,
  type FoundClaim,
  isOwnBallot,
  pairClaims,
} from '../../../scripts/validate/corpora/pair-claims.ts';
import {
  corporaFolder,
  corpusNames,
  type LabelledClaim,
  readCorpus,
} from '../../../scripts/validate/corpora/read-corpus.ts';
import { findFaults } from './corpus-faults.ts';
import { compareReaders, measureRules } from '../../../scripts/validate/validate-claims.ts';

const corpora = { voices: readCorpus('voices'), verdicts: readCorpus('verdicts'), table: readCorpus('table') };

describe('the labelled statements', () => {
  it.each(corpusNames)('of %s are said by the living and labelled with names, roles and acts of the table', (name) => {
    expect(corpora[name].statements.length).toBeGreaterThan(0);
    expect(findFaults(corpora[name])).toEqual([]);
  });

  it.each([
    ['voices', 0.55, 0.7],
    ['verdicts', 0.25, 0.45],
    ['table', 0.45, 0.55],
  ] as const)('of %s are split: from %d to %d are for development', (name, least, most) => {
    const { statements } = corpora[name];
    const share = statements.filter(({ split }) => split === 'development').length / statements.length;
    expect(share).toBeGreaterThan(least);
    expect(share).toBeLessThan(most);
  });

  it('of table were said in four matches on four boards, and two readers agree on their claims', () => {
    const matches = new Set(corpora.table.statements.map(({ match }) => match));
    expect(matches.size).toBe(4);
    expect(new Set([...matches].map(({ manifest }) => manifest.setup.board.name)).size).toBe(4);
    const readers = compareReaders([corpora.table], { split: 'both' })!;
    expect(readers.statements).toBe(115);
    expect(readers.claims.f1).toBeGreaterThan(0.9);
  });

  it('that nobody made, or that somebody made who has left, are named', () => {
    const { statements, labels } = corpora.verdicts;
    const first = statements.find(({ moment }) => moment === 'arena-day-2')!;
    const faults = findFaults({
      name: 'verdicts',
      statements: [{ ...first, said: { ...first.said, by: 'Scott' } }],
      labels: {
        first: labels.first!.filter(({ id }) => id === first.id).concat({ id: 'x', claims: [] }),
        second: null,
      },
    });
    expect(faults).toContainEqual(expect.stringContaining('Scott is not among the living'));
    expect(faults).toContainEqual('A label is of "x", which nobody said.');
  });

  it('of a moment in both splits, without a label, or labelled with what is not at the table are named', () => {
    const { statements } = corpora.voices;
    const [one, other] = statements.filter(({ moment }) => moment === statements[0]!.moment).slice(0, 2) as [
      (typeof statements)[number],
      (typeof statements)[number],
    ];
    const wrong: LabelledClaim[] = [
      { type: 'act', subject: 'Nobody', object: one.said.by, verb: 'tickle' },
      { type: 'role', subject: one.said.by, role: 'Jester' },
      { type: 'speech', subject: 'everybody', role: 'Seer' },
    ];
    const faults = findFaults({
      name: 'voices',
      statements: [one, { ...other, split: one.split === 'test' ? 'development' : 'test' }],
      labels: { first: [{ id: one.id, claims: wrong }], second: null },
    });
    for (const fault of [
      'is in both splits',
      'has no label',
      'nobody is called "Nobody"',
      'nobody is called "everybody"',
      'nobody on the board can tickle',
      'the board has no Jester',
      'role of the speaker',
    ])
      expect(faults).toContainEqual(expect.stringContaining(fault));
  });
});

// The new corpus resembles models' writing: shares in percent, counted on published games with these patterns.

const patterns: readonly [name: string, share: number, pattern: RegExp][] = [
  ['a dash', 70, /—|–| - |--/],
  ['"town"', 29, /\b[Tt]own\b|\bTOWN\b/],
  ['a question', 55, /\?/],
  ['Markdown', 21, /\*\*|^\s*([-*•]|\d+[.)])\s|\*[^*\s][^*]*\*|^#/m],
  ['slashed names', 16, /\b[A-Z][a-z]+\s?\/\s?[A-Z][a-z]+/],
  [
    'shorthand',
    18,
    /\bWWs?\b|\bLYLO\b|\bMYLO\b|\bsus\b|\bmis-?(exile|lynch|elim)\w*|\bNKs?\b|\bPRs?\b|\bTMI\b|\bwolfy\b/,
  ],
  ['N0 or D1', 14, /\b[ND][0-9]\b/],
  ['"flipped"', 14, /\bflip(s|ped|ping)?\b/],
  [
    'a role in brackets beside a name',
    8,
    /\b[A-Z][a-z]+ \((the |a |our |claimed |confirmed |real |likely )*(Seer|Witch|Hunter|Guard|Doctor|Villager|Werewolf|wolf|WW)\b/,
  ],
];

describe('the statements of voices', () => {
  const { statements } = corpora.voices;
  /** Statements that were written for this corpus. They keep their line breaks, which a match would remove. */
  const written = readFileSync(path.join(corporaFolder, 'voices', 'statements.ndjson'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text: string }).text);

  it('are at least 400, on at least four boards, by at least five writers, half of them for Werewolves', () => {
    const count = (key: (one: (typeof statements)[number]) => string) => new Set(statements.map(key)).size;
    expect(statements.length).toBeGreaterThanOrEqual(400);
    expect(count(({ match }) => match.manifest.setup.board.name)).toBeGreaterThanOrEqual(4);
    expect(count(({ writer }) => writer)).toBeGreaterThanOrEqual(5);
    const byWolves = statements.filter(({ match, said }) =>
      match.manifest.setup.players.some(({ name, team }) => name === said.by && team === 'werewolves'),
    );
    expect(byWolves.length / statements.length).toBeGreaterThan(0.4);
    expect(byWolves.length / statements.length).toBeLessThan(0.6);
  });

  it.each(patterns)('have %s in %d %% of cases, give or take ten', (_name, share, pattern) => {
    const found = written.filter((text) => pattern.test(text)).length;
    expect(Math.abs((100 * found) / written.length - share)).toBeLessThanOrEqual(10);
  });
});

describe('labelled claims', () => {
  it('have the verdicts that readers gave them who knew all roles', () => {
    const { verdicts } = corpora;
    const bare = verdicts.labels.first!.map(({ id, claims }) => ({
      id,
      claims: claims.map((claim) => ({ ...claim, verdict: undefined })),
    }));
    const given = readLabels(verdicts, 'first')!;
    const followed = readLabels({ ...verdicts, labels: { first: bare, second: null } }, 'first')!;
    const pairs = [...given].flatMap(([id, claims]) =>
      claims!.map((claim, index) => [claim, followed.get(id)![index]!] as const),
    );
    const alike = pairs.filter(([one, other]) => one.verdict === other.verdict).length;
    expect(pairs.length).toBeGreaterThan(500);
    expect(alike / pairs.length).toBeGreaterThan(0.97);
  });
});

describe('a promise in a written statement', () => {
  it('is judged by the ballot that its speaker cast after it', () => {
    const statement = corpora.voices.statements.find(({ id }) => id === 'analytic-m01-1')!;
    const { said, id } = statement;
    const ballot = statement.match.events
      .slice(statement.before)
      .filter((event) => event.type === 'ballot')
      .find(({ by, round }) => by === said.by && round === said.round)!;
    const judge = (object: string) => {
      const claim = createLabelledClaim(said, { type: 'promise', subject: said.by, object });
      const drawn = { ...claim, id: `${id}#1`, statement: id, words: { from: 0, to: 0, text: '' } };
      return judgeAtMoments([statement], new Map([[id, [drawn]]])).get(id)![0]!.verdict;
    };
    expect(ballot.target).toBe('Leah');
    expect([judge('Leah'), judge('Derek')]).toEqual(['kept', 'broken']);
  });
});

describe('the rules', () => {
  const older = measureRules([corpora.verdicts], { split: 'test' });

  it('find lies of the older corpus at a precision of at least .95 and a recall of at least .87', () => {
    const { statements, lies } = older.measured;
    expect(statements).toBe(314);
    expect(lies.statements.precision.estimate).toBeGreaterThanOrEqual(0.95);
    expect(lies.statements.recall.estimate).toBeGreaterThanOrEqual(0.87);
  });

  it('find its claims, and lies among them, no worse than was published', () => {
    const { lies, claims } = older.measured;
    expect(lies.claims.precision.estimate).toBeGreaterThanOrEqual(0.92);
    expect(lies.claims.recall.estimate).toBeGreaterThanOrEqual(0.75);
    expect(claims.precision.estimate).toBeGreaterThanOrEqual(0.95);
    expect(claims.recall.estimate).toBeGreaterThanOrEqual(0.69);
  });

  it('are known by two sets of labels that agree on what is a lie', () => {
    expect(older.readers!.statements).toBe(314);
    expect(older.readers!.lieKappa).toBeGreaterThan(0.95);
  });
});

describe('a drawn claim', () => {
  const speaker = { by: 'Ann', round: 2 };
  const createClaim = (claim: Partial<FoundClaim>): FoundClaim => ({
    ...createLabelledClaim(speaker, { type: 'own_role', subject: 'Ann' }),
    verdict: 'true',
    ...claim,
  });
  const countPairs = (labelled: LabelledClaim, claim: Partial<FoundClaim>) =>
    pairClaims([{ ...createLabelledClaim(speaker, labelled), verdict: 'true' }], [createClaim(claim)]).pairs.length;

  it.each<[what: string, labelled: LabelledClaim, claim: Partial<FoundClaim>, isSame: boolean]>([
    [
      'of no Werewolf is one of the village',
      { type: 'own_role', subject: 'Ann', team: 'villagers' },
      { team: 'werewolves', polarity: false },
      true,
    ],
    [
      'of a defence needs no side',
      { type: 'defence', subject: 'Bob' },
      { type: 'defence', subject: 'Bob', team: 'werewolves', polarity: false },
      true,
    ],
    [
      'of another side is another claim',
      { type: 'accusation', subject: 'Bob' },
      { type: 'defence', subject: 'Bob', team: 'villagers' },
      false,
    ],
    [
      'of a night counts where the label has none',
      { type: 'act', subject: 'Ann', object: 'Bob', verb: 'guard' },
      { type: 'act', object: 'Bob', verbs: ['guard', 'save'], when: 2 },
      true,
    ],
    [
      'of another night does not',
      { type: 'act', subject: 'Ann', object: 'Bob', verb: 'guard', when: 1 },
      { type: 'act', object: 'Bob', verbs: ['guard'], when: 2 },
      false,
    ],
    [
      'of another act does not',
      { type: 'act', subject: 'Ann', object: 'Bob', verb: 'guard' },
      { type: 'act', object: 'Bob', verbs: ['save'] },
      false,
    ],
    [
      'without its result is not the whole check',
      { type: 'check', subject: 'Ann', object: 'Bob', team: 'werewolves' },
      { type: 'check', object: 'Bob' },
      false,
    ],
  ])('%s', (_what, labelled, claim, isSame) => {
    expect(countPairs(labelled, claim)).toBe(isSame ? 1 : 0);
  });

  it('of the vote that the ballot casts is not counted', () => {
    const vote = createClaim({ type: 'vote', object: 'Bob', when: 2 });
    expect(isOwnBallot('ballot', vote)).toBe(true);
    expect(isOwnBallot('debate', vote)).toBe(false);
    expect(isOwnBallot('ballot', { ...vote, when: 1 })).toBe(false);
  });
});
