// Bots keep an account of what they say: an independent truth of what the extractor should draw.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { claimsOf, type JudgedStatement, type MatchClaims } from '../../../deception/claims/claims-of.ts';
import type { MatchRecord } from '../../../deception/match-record.ts';
import { tablesOf } from '../../../deception/tables/tables-of.ts';
import { play } from '../../table.ts';
import { liesIn } from './lies.ts';

interface Act {
  kind: string;
  target?: string;
  role?: string;
  team?: string;
}

const boards = ['classic-8', 'plus-9', 'plus-12-sheriff'];

/** What is compared, each as a name: by the claims of a statement, and by its speaker's account. */
const compared = {
  'own roles': {
    claimed: ({ claims }: JudgedStatement) =>
      claims.flatMap(({ type, role, polarity }) => (type === 'own_role' && role !== null && polarity ? [role] : [])),
    meant: (acts: Act[]) => acts.flatMap(({ kind, role }) => (kind === 'claim' ? [role!] : [])),
    recall: 0.95,
  },
  checks: {
    claimed: ({ claims, by }: JudgedStatement) =>
      claims.flatMap(({ type, subject, object, team }) =>
        type === 'check' && subject === by ? [`${object} ${team ?? 'villagers'}`] : [],
      ),
    meant: (acts: Act[]) => acts.flatMap(({ kind, target, team }) => (kind === 'report' ? [`${target} ${team}`] : [])),
    recall: 0.95,
  },
  /** Bots call suspicion an accusation, which here is stance: so there is no bound for recall. */
  accusations: {
    claimed: ({ claims }: JudgedStatement) =>
      claims.flatMap(({ type, subject }) => (type === 'accusation' ? [subject] : [])),
    meant: (acts: Act[]) =>
      acts.flatMap(({ kind, target }) => (kind === 'accuse' || kind === 'report' ? [target!] : [])),
    recall: 0,
  },
};

describe('in matches of bots', () => {
  const matches: { record: MatchRecord; claims: MatchClaims }[] = [];

  beforeAll(async () => {
    for (const [seed, board] of [...boards, ...boards].entries()) {
      const rule = { analysis: 'off', beliefs: 'off' } as const;
      const { manifest, events, lines } = await play({ board, seed, model: 'bot:classic', rules: 'plus', rule });
      const record = { manifest, events, answers: lines };
      matches.push({ record, claims: claimsOf(record) });
    }
  });

  /** The account of a statement's speaker, found by its words. */
  const accountOf = ({ events, answers }: MatchRecord, { id, by }: JudgedStatement): Act[] => {
    const event = events.find((one) => 'id' in one && one.id === id)!;
    const text = event.type === 'statement' ? event.text : event.type === 'ballot' ? event.explanation : undefined;
    const line = answers.find(
      ({ player, answer, meant }) => player === by && meant !== undefined && Object.values(answer ?? {}).includes(text),
    );
    return (line?.meant as { acts: Act[] } | undefined)?.acts ?? [];
  };

  it.each(Object.entries(compared))('%s are drawn as they were meant', (_what, { claimed, meant, recall }) => {
    const pairs = matches.flatMap(({ record, claims }) =>
      claims.statements.map((statement) => ({ got: claimed(statement), wanted: meant(accountOf(record, statement)) })),
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
    const { perClaim, coverage } = liesIn(...matches.map(({ record }) => tablesOf(record)));
    expect(perClaim).toBeGreaterThan(0);
    expect(perClaim).toBeLessThan(1);
    expect(coverage).toBeGreaterThan(0.05);
    for (const { claims } of matches)
      for (const { type, decidedBy, verdict } of claims.claims)
        if (type === 'own_role' || type === 'accusation' || verdict === 'kept') expect(decidedBy).toHaveLength(1);
  });
});
