// What the sentences of a report may tell, and what they leave out.
import { describe, expect, it } from '@jest/globals';
import { listFindings } from '../../report/report-findings.ts';
import { names } from '../deception/match-builder.ts';
import { createSeerDisputes, reportOn } from '../deception/summary/report-builder.ts';

describe('the sentences of a report', () => {
  const models = Object.fromEntries(names.map((name, seat) => [name, seat % 2 === 0 ? 'openai:x' : 'openai:y']));
  const ofModels = reportOn(createSeerDisputes(12, { models }));

  it('tells no hits without the false alarms, nor without their numbers and intervals', () => {
    const figures = (metric: string, value: number) => ({
      ...{ name: metric, unit: 'share' },
      figures: [
        {
          ...ofModels.metrics[0]!.figures[0]!,
          ...{ cell: { source: 'match', kind: 'debate', speaker_team: 'werewolves', observer_model: 'openai:x' } },
          ...{
            value,
            low: value - 0.1,
            high: value + 0.1,
            opportunities: 70,
            chance: null,
            covers: null,
            comparable: true,
          },
        },
      ],
    });
    const tell = (hits: unknown, alarms: unknown) => {
      const others = ofModels.metrics.filter(({ name }) => !/^(hit|false_alarm)_rate_within_side$/.test(name));
      const report = { ...ofModels, metrics: [...others, hits, alarms] as typeof ofModels.metrics };
      return listFindings(report).flatMap(({ sentence }) => (sentence.startsWith('Listening') ? [sentence] : []));
    };
    const [hits, alarms] = [figures('hit_rate_within_side', 0.4), figures('false_alarm_rate_within_side', 0.2)];
    expect(tell(hits, alarms)).toEqual([
      'Listening without knowing, openai:x called deceptive 40 % [30–50] of the Werewolves’ lies (70 judgments) and 20 % [10–30] of their other statements (70).',
    ]);
    expect(tell(hits, { ...alarms, figures: [] })).toEqual([]);
    expect(
      tell(hits, { ...alarms, figures: alarms.figures.map((one) => ({ ...one, low: null, high: null })) }),
    ).toEqual([]);
  });

  it('tells no wins of several boards or rules in one sentence', () => {
    const isOfWins = ({ sentence }: { sentence: string }) => sentence.includes('its side won');
    expect(listFindings(ofModels).some(isOfWins)).toBe(true);
    for (const name of ['board', 'rule debateTurns']) {
      const conditions = [
        ...ofModels.conditions.filter((one) => one.name !== name),
        { name, values: ['1', '2'].map((value) => ({ value, matches: 6 })) },
      ];
      expect(listFindings({ ...ofModels, conditions }).some(isOfWins)).toBe(false);
    }
  });
});
