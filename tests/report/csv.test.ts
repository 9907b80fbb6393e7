// The CSV tables: one row a statement, one row an analysis.
import { describe, expect, it } from '@jest/globals';
import { analysesCsv, statementsCsv } from '../../report/csv.ts';
import { matchOf, oneDay, owned, said, sheriffDay, voted } from '../deception/match-builder.ts';

/** Rows by column, of a table whose cells hold no quotes, commas or line breaks. */
const read = (csv: string) => {
  const [head, ...lines] = csv.trimEnd().split('\n');
  const columns = head!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, at) => [columns[at]!, cell])));
};

describe('the table of statements', () => {
  const rows = read(statementsCsv(matchOf(oneDay())));

  it('has a row for every statement, in order, and none for silence', () => {
    expect(rows.map(({ statement, kind, speaker }) => [statement, kind, speaker])).toEqual([
      ['1.1', 'debate', 'Ginger'],
      ['1.2', 'debate', 'Dan'],
      ['1.Ginger', 'ballot', 'Ginger'],
      ['1.Dan', 'ballot', 'Dan'],
    ]);
  });

  it('says what the speaker reports and what the others make of it', () => {
    expect(rows[0]).toMatchObject({
      match_id: 'm1',
      role: 'Werewolf',
      model: 'openai:two',
      is_bot: 'false',
      self_deceptive: 'true',
      self_stated_falsehood: 'true',
      self_type: 'fabrication',
      peer_analyses: '2',
      peer_flags: '1',
      flagged_by_majority: 'false',
      mean_p_werewolf: '0.25',
    });
    expect(Number(rows[0]!['mean_suspicion'])).toBeCloseTo((0.9 + 0.2) / 2, 12);
    expect(rows[2]).toMatchObject({ target: 'Dan', self_type: 'omission' });
  });

  it('tells campaign, recommendation and PK from the debate, and a second ballot from the first', () => {
    const told = read(statementsCsv(matchOf(sheriffDay())));
    expect(told.map(({ statement, kind, occasion, target }) => [statement, kind, occasion, target])).toEqual([
      ['1.1', 'debate', 'campaign', ''],
      ['1.2', 'debate', 'debate', ''],
      ['1.3', 'debate', 'recommendation', 'Dan'],
      ['1.Ginger', 'ballot', 'ballot', 'Dan'],
      ['1.4', 'debate', 'pk', ''],
      ['1.pk.Ginger', 'ballot', 'pk_ballot', 'Dan'],
    ]);
  });

  it('leaves cells empty for what is missing', () => {
    expect(rows[3]).toMatchObject({
      self_deceptive: '',
      self_stated_falsehood: '',
      self_type: '',
      self_confidence: '',
    });
    expect(read(statementsCsv(matchOf([said('1.1', 'Dan')])))[0]).toMatchObject({
      ...{ peer_analyses: '0', peer_flags: '', flagged_by_majority: '', mean_suspicion: '', mean_p_werewolf: '' },
    });
  });

  it('has its columns also where nothing was said', () => {
    expect(statementsCsv(matchOf([]))).toMatch(/^match_id,board,.*,mean_p_werewolf\n$/);
  });

  it('quotes what would break a row', () => {
    const text = 'I said "no", twice.';
    expect(statementsCsv(matchOf([said('1.1', 'Dan', { text })]))).toContain(',"I said ""no"", twice.",');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('starts no formula with %j', (text) => {
    const explained = voted(1, 'Dan', 'Will', { explanation: text });
    const csv = statementsCsv(matchOf([said('1.1', 'Dan', { text }), explained]));
    expect(csv.match(/,"?'[=+\-@\t\r]/g)).toHaveLength(2);
    expect(csv).not.toMatch(/,"?[=+\-@\t\r]/);
  });
});

describe('the table of analyses', () => {
  const rows = read(analysesCsv(matchOf(oneDay())));

  it('has a row for every analysis and for every one that is missing', () => {
    const of = (id: string) =>
      rows
        .filter(({ statement }) => statement === id)
        .map(({ observer, perspective, missing }) => [observer, perspective, missing]);
    expect(of('1.1')).toEqual([
      ['Ginger', 'self', ''],
      ['Dan', 'peer', ''],
      ['Will', 'peer', ''],
      ['Leah', 'peer', 'refusal'],
    ]);
    expect(of('1.Dan')).toEqual([
      ['Ginger', 'peer', ''],
      ['Dan', 'self', 'fallback'],
      ['Leah', 'peer', 'fallback'],
    ]);
  });

  it('gives each perspective its own figures and leaves the others empty', () => {
    expect(rows[0]).toMatchObject({ deceptive: 'true', type: 'fabrication', stated_falsehood: 'true', suspicion: '' });
    expect(rows[1]).toMatchObject({ deceptive: 'true', stated_falsehood: '', suspicion: '0.9', p_werewolf: '0.25' });
    expect(rows[3]).toMatchObject({ deceptive: '', type: '', confidence: '', suspicion: '', reasoning: '' });
  });

  it('gives the occasion of the statement', () => {
    const told = read(analysesCsv(matchOf(sheriffDay())));
    expect(told.map(({ statement, perspective, occasion }) => [statement, perspective, occasion])).toEqual([
      ['1.1', 'self', 'campaign'],
      ['1.1', 'peer', 'campaign'],
      ['1.1', 'peer', 'campaign'],
      ['1.2', 'self', 'debate'],
      ['1.2', 'peer', 'debate'],
      ['1.3', 'peer', 'recommendation'],
    ]);
  });

  it('says who sits where', () => {
    expect(rows[1]).toMatchObject({
      ...{ speaker: 'Ginger', speaker_role: 'Werewolf', speaker_team: 'werewolves', speaker_model: 'openai:two' },
      ...{ observer: 'Dan', observer_role: 'Seer', observer_team: 'villagers', observer_model: 'openai:one' },
    });
  });

  it('starts no formula with private reasoning either', () => {
    const events = [said('1.1', 'Dan'), owned('1.1', 'Dan', 'none', { reasoning: '=HYPERLINK(1)' })];
    expect(analysesCsv(matchOf(events))).toContain(",'=HYPERLINK(1)\n");
  });
});
