// The labelled statements are sound: everybody named is at the table, speakers are alive, no situation is in both splits.
import { describe, expect, it } from '@jest/globals';
import { ruleExtractorErrors, ruleExtractorReach } from '../../deception/claims/extract-by-rules.ts';
import type { JudgedClaim } from '../../deception/claims/match-claims.ts';
import { findFaults, type LabelledClaim, readCorpus, type Statement } from './corpus.ts';
import { matchClaims } from './matching.ts';
import { computeAgreement, measure, type Share } from './measure.ts';

describe('the labelled statements', () => {
  const corpus = readCorpus();

  it('are said by living players of recorded matches and labelled with names, roles and acts of the table', () => {
    expect(findFaults(corpus)).toEqual([]);
  });

  it('are split about one to two', () => {
    const development = corpus.statements.filter(({ split }) => split === 'development').length;
    expect(development / corpus.statements.length).toBeGreaterThan(0.25);
    expect(development / corpus.statements.length).toBeLessThan(0.45);
  });

  it('name a statement of which nobody spoke and a speaker who has left', () => {
    const { statements, labels, situations } = corpus;
    const first = statements.find(({ situation }) => situation === 'arena-day-2')!;
    const faults = findFaults({
      situations,
      statements: [{ ...first, by: 'Scott' }],
      labels: labels.filter(({ id }) => id === first.id).concat({ id: 'x', claims: [], verdict: null }),
    });
    expect(faults).toContainEqual(expect.stringContaining('Scott is not among the living'));
    expect(faults).toContainEqual('A label is of "x", which nobody said.');
  });
});

// The rules read as well as docs/accuracy.md says.

const corpus = readCorpus();
const share = ({ estimate }: Share) => estimate!;

describe('on the test part of the labelled statements', () => {
  const { statements, lies, claims, opportunities, reach } = measure(corpus, { split: 'test' });

  it('lies are found at a precision of at least .95 and a recall of at least .80', () => {
    expect(statements).toBe(314);
    expect(share(lies.statements.precision)).toBeGreaterThanOrEqual(0.95);
    expect(share(lies.statements.recall)).toBeGreaterThanOrEqual(0.87);
  });

  it('claims, and lies among them, are no worse than published', () => {
    expect(share(lies.claims.precision)).toBeGreaterThanOrEqual(0.92);
    expect(share(lies.claims.recall)).toBeGreaterThanOrEqual(0.75);
    expect(share(claims.precision)).toBeGreaterThanOrEqual(0.95);
    expect(share(claims.recall)).toBeGreaterThanOrEqual(0.69);
  });

  it.each(['lie_rate', 'lie_statement_rate'] as const)(
    'the errors that %s is corrected by are those measured, with intervals over situations',
    (name) => {
      const rounded = (bound: number | null) => Number(bound?.toFixed(3));
      const known = ({ right, of, low, high }: Share) => ({ right, of, low: rounded(low), high: rounded(high) });
      const { sensitivity, specificity } = opportunities[name];
      expect(ruleExtractorErrors[name]).toEqual({ sensitivity: known(sensitivity), specificity: known(specificity) });
    },
  );

  it('so many of the labelled lies and truths are drawn at all', () => {
    const known = ({ right, of }: Share) => ({ drawn: right, of });
    expect(ruleExtractorReach).toEqual({ lies: known(reach.lies), truths: known(reach.truths) });
  });

  it('two passes agree on what is a lie', () => {
    const { statements: both, lie } = computeAgreement(corpus, readCorpus('second'), {});
    expect(both).toBe(corpus.statements.length);
    expect(lie).toBeGreaterThan(0.95);
  });
});

describe('a drawn claim', () => {
  const statement: Statement = {
    id: 'x',
    by: 'Ann',
    kind: 'ballot',
    text: 'x',
    split: 'development',
    origin: 'composed',
    situation: 'x',
  };
  const createClaim = (claim: Partial<JudgedClaim>): JudgedClaim => ({
    id: 'x#1',
    statement: 'x',
    by: 'Ann',
    round: 2,
    type: 'own_role',
    subject: 'Ann',
    object: null,
    role: null,
    team: null,
    verbs: [],
    cause: null,
    when: null,
    polarity: true,
    hedged: false,
    presupposed: false,
    words: { from: 0, to: 1, text: 'x' },
    verdict: 'true',
    isTrue: true,
    isKnown: true,
    knownTo: [],
    decidedBy: [],
    ...claim,
  });
  const pairClaims = (labelled: Omit<LabelledClaim, 'verdict'>, claim: Partial<JudgedClaim>) =>
    matchClaims(statement, [{ ...labelled, verdict: 'true' }], [createClaim(claim)]).pairs.length;

  it.each<[what: string, labelled: Omit<LabelledClaim, 'verdict'>, claim: Partial<JudgedClaim>, isSame: boolean]>([
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
      'without its result is not the whole check',
      { type: 'check', subject: 'Ann', object: 'Bob', team: 'werewolves' },
      { type: 'check', object: 'Bob' },
      false,
    ],
  ])('%s', (_what, labelled, claim, isSame) => {
    expect(pairClaims(labelled, claim)).toBe(isSame ? 1 : 0);
  });

  it('of the vote that the ballot casts is not counted', () => {
    expect(matchClaims(statement, [], [createClaim({ type: 'vote', object: 'Bob', when: 2 })]).invented).toEqual([]);
    expect(matchClaims(statement, [], [createClaim({ type: 'vote', object: 'Bob', when: 1 })]).invented).toHaveLength(
      1,
    );
  });
});
