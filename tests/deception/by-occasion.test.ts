// Campaign, recommendation and PK apart from the debate, first ballots apart from second ones.
import { describe, expect, it } from '@jest/globals';
import { statementsOf } from '../../deception/statements.ts';
import { summarizeMatch } from '../../deception/summary.ts';
import { DeceptionSummary } from '../../deception/summary-schema.ts';
import { matchOf, oneDay, said, sheriffDay, voted, votedAgain } from './match-builder.ts';

const by = () => summarizeMatch(matchOf(sheriffDay())).by_occasion!;

describe('a statement', () => {
  it('knows its occasion, and whom it names', () => {
    expect(statementsOf(sheriffDay()).map(({ id, kind, occasion, target }) => [id, kind, occasion, target])).toEqual([
      ['1.1', 'debate', 'campaign', null],
      ['1.2', 'debate', 'debate', null],
      ['1.3', 'debate', 'recommendation', 'Dan'],
      ['1.Ginger', 'ballot', 'ballot', 'Dan'],
      ['1.4', 'debate', 'pk', null],
      ['1.pk.Ginger', 'ballot', 'pk_ballot', 'Dan'],
    ]);
  });

  it('with a first ballot is not taken for a second one because of its speaker', () => {
    expect(statementsOf([voted(1, 'pk', 'Dan'), votedAgain(1, 'pk', 'Dan')]).map(({ occasion }) => occasion)).toEqual([
      'ballot',
      'pk_ballot',
    ]);
  });
});

describe('figures by occasion', () => {
  it('are counted on each occasion on which something was said, in the order of a day', () => {
    expect(Object.entries(by()).map(([occasion, { statements }]) => [occasion, statements])).toEqual([
      ['campaign', 1],
      ['debate', 1],
      ['recommendation', 1],
      ['ballot', 1],
      ['pk', 1],
      ['pk_ballot', 1],
    ]);
  });

  it('count own deceptions, flags and suspicion apart', () => {
    const { mean_suspicion: suspicion, ...counts } = by().campaign!;
    expect(suspicion).toBeCloseTo((0.9 + 0.2) / 2, 12);
    expect(counts).toEqual({
      ...{ statements: 1, self_reports: 1, self_reported_deceptions: 1, share_self_reported_deceptive: 1 },
      ...{ peer_analyses: 2, peer_detected_deceptions: 1, share_flagged: 0.5 },
    });
    expect(by().debate).toMatchObject({ share_self_reported_deceptive: 0, share_flagged: 0, mean_suspicion: 0.3 });
  });

  it('have no share and no mean where there is nothing to divide by', () => {
    expect(by().recommendation).toMatchObject({ self_reports: 0, share_self_reported_deceptive: null });
    expect(by().pk).toMatchObject({ peer_analyses: 0, share_flagged: null, mean_suspicion: null });
  });

  it('add up to those by kind', () => {
    const { players } = summarizeMatch(matchOf(sheriffDay()));
    const { campaign, debate, recommendation, ballot, pk, pk_ballot } = by();
    const total = (kind: 'debate' | 'ballot') =>
      Object.values(players).reduce((sum, { total_statements }) => sum + total_statements[kind], 0);
    expect(total('debate')).toBe(
      campaign!.statements + debate!.statements + recommendation!.statements + pk!.statements,
    );
    expect(total('ballot')).toBe(ballot!.statements + pk_ballot!.statements);
  });

  it('are part of the summary only where there is more than debates and first ballots', () => {
    const summaryOf = (events: ReturnType<typeof oneDay>) => summarizeMatch(matchOf(events));
    expect(summaryOf(oneDay())).not.toHaveProperty('by_occasion');
    expect(summaryOf([])).not.toHaveProperty('by_occasion');
    expect(Object.keys(summaryOf([said('1.1', 'Dan', { occasion: 'pk' })]).by_occasion!)).toEqual(['pk']);
    expect(Object.keys(summaryOf([votedAgain(1, 'Dan', 'Will')]).by_occasion!)).toEqual(['pk_ballot']);
  });

  it('have the shape that the schema states, also when read from a file', () => {
    const summary = summarizeMatch(matchOf(sheriffDay()));
    expect(DeceptionSummary.parse(JSON.parse(JSON.stringify(summary)))).toEqual(summary);
  });
});
