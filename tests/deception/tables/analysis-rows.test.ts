// The rows of analyses and of beliefs: who judged what, and who could know better.
import { describe, expect, it } from '@jest/globals';
import { tablesOf } from '../../../deception/tables/tables-of.ts';
import type { Annotation } from '../../../deception/tables/annotation.ts';
import { matchOf, oneDay, sheriffDay } from '../match-builder.ts';
import { analysis, told, toldDay } from './told-day.ts';

describe('the row of an analysis', () => {
  it('is there for every one that was given and every one that is missing', () => {
    const { analyses } = tablesOf(matchOf(oneDay()));
    const of = (id: string) =>
      analyses.filter((row) => row.statement === id).map((row) => [row.observer, row.perspective, row.missing]);
    expect(of('1.1')).toEqual([
      ['Ginger', 'self', null],
      ['Dan', 'peer', null],
      ['Will', 'peer', null],
      ['Leah', 'peer', 'refusal'],
    ]);
    expect(of('1.Dan')).toEqual([
      ['Ginger', 'peer', null],
      ['Dan', 'self', 'fallback'],
      ['Leah', 'peer', 'fallback'],
    ]);
  });

  it('gives each perspective its own figures, and what is missing none', () => {
    const none = { deceptive: null, type: null, confidence: null, suspicion: null, p_werewolf: null, reasoning: null };
    expect(analysis('1.1', 'Leah')).toMatchObject({ perspective: 'self', stated_falsehood: true, suspicion: null });
    expect(analysis('1.1', 'Paul')).toMatchObject({ deceptive: true, stated_falsehood: null, suspicion: 0.9 });
    expect(analysis('1.1', 'Will')).toMatchObject({ missing: 'refusal', ...none });
  });

  it('gives the occasion of the statement', () => {
    const { analyses } = tablesOf(matchOf(sheriffDay()));
    expect(analyses.map((row) => [row.statement, row.perspective, row.occasion])).toEqual([
      ['1.1', 'self', 'campaign'],
      ['1.1', 'peer', 'campaign'],
      ['1.1', 'peer', 'campaign'],
      ['1.2', 'self', 'debate'],
      ['1.2', 'peer', 'debate'],
      ['1.3', 'peer', 'recommendation'],
    ]);
  });

  it('says who sits where, and whether both are the same model', () => {
    expect(analysis('1.1', 'Paul')).toMatchObject({
      ...{ speaker: 'Leah', speaker_role: 'Werewolf', speaker_team: 'werewolves', speaker_model: 'openai:one' },
      ...{ observer_role: 'Doctor', observer_team: 'villagers', observer_model: 'openai:one', is_same_model: true },
    });
    expect(analysis('1.1', 'Sam')).toMatchObject({ observer_model: 'openai:two', is_same_model: false });
    expect(analysis('1.1', 'Will').observer_is_bot).toBe(true);
  });

  it('says which attempt was used, or was the last', () => {
    const attempts = ['Leah', 'Paul', 'Dan', 'Will', 'Sam'].map((name) => analysis('1.1', name).attempt);
    expect(attempts).toEqual([1, 2, 3, 1, null]);
  });

  it('says of a lie who could know: the pack, and who is what the liar claims to be', () => {
    const could = ['Leah', 'Ginger', 'Paul', 'Sam', 'Dan'].map((name) => [name, analysis('1.1', name).could_know]);
    expect(could).toEqual([
      ['Leah', true],
      ['Ginger', true],
      ['Paul', true],
      ['Sam', false],
      ['Dan', false],
    ]);
  });

  it('says of what is no lie who could know all that can be decided: who had checked, and the pack', () => {
    expect(['Sam', 'Ginger', 'Will'].map((name) => analysis('1.3', name).could_know)).toEqual([true, true, false]);
  });

  it('has neither label nor knowledge of it where nothing is claimed', () => {
    expect(analysis('1.2', 'Dan')).toMatchObject({ is_lie: null, could_know: null, knows_side: false });
  });

  it('says who knew the side of the speaker: the pack its own, all others nobody', () => {
    const knowing = ['Ginger', 'Paul', 'Sam'].map((name) => analysis('1.1', name).knows_side);
    expect(knowing).toEqual([true, false, false]);
    expect(analysis('1.3', 'Ginger').knows_side).toBe(true);
  });

  it('carries the label of its statement', () => {
    const labels = new Map(told.statements.map((row) => [row.statement, row.is_lie]));
    expect(told.analyses.filter((row) => row.is_lie !== labels.get(row.statement))).toEqual([]);
  });

  it('of an annotator comes after those of the match, under its own name and number', () => {
    const opinion = {
      deceptive: true,
      deception_type: 'omission',
      confidence: 0.5,
      suspicion: 0.6,
      reasoning: 'Hm.',
    } as const;
    const given: Annotation = {
      statement: '1.1',
      observer: 'Sam',
      model: 'openai:three',
      repeat: 2,
      attempt: 1,
      opinion,
    };
    const annotations = [given, { ...given, repeat: 3, attempt: 3, opinion: null, mark: 'refusal' as const }];
    const rows = tablesOf(toldDay(), { annotations }).analyses.filter((row) => row.statement === '1.1');
    expect(rows.map(({ source }) => source)).toEqual([
      ...Array<string>(6).fill('match'),
      'openai:three',
      'openai:three',
    ]);
    expect(rows.at(-2)).toMatchObject({
      ...{ observer: 'Sam', observer_role: 'Seer', observer_model: 'openai:three', observer_is_bot: false },
      ...{ repeat: 2, attempt: 1, suspicion: 0.6, is_same_model: false, could_know: false, missing: null },
    });
    expect(rows.at(-1)).toMatchObject({ repeat: 3, attempt: 3, deceptive: null, missing: 'refusal' });
  });
});

describe('the row of a belief', () => {
  it('is there for every player who was asked about, with what is so and whether it could be known', () => {
    const rows = told.beliefs.map((row) => [row.observer, row.about, row.p_werewolf, row.is_werewolf, row.could_know]);
    expect(rows).toEqual([
      ['Sam', 'Ginger', 1, true, true],
      ['Sam', 'Leah', 0.5, true, false],
      ['Leah', 'Ginger', 1, true, true],
      ['Leah', 'Dan', 0, false, true],
    ]);
  });

  it('says when it was held and by whom', () => {
    expect(told.beliefs[0]).toMatchObject({
      ...{
        match_id: 'm1',
        round: 1,
        step: 4,
        observer_role: 'Seer',
        observer_model: 'openai:two',
        is_same_model: false,
      },
      ...{ about_role: 'Werewolf', about_team: 'werewolves', about_model: 'openai:one' },
    });
  });
});
