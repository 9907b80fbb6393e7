// Sentences of a report: what they state, and what they omit.
import { describe, expect, it } from '@jest/globals';
import type { Report, ReportedFigure } from '../../deception/summary/report-schema.ts';
import { listHeadToHead, listHeard } from '../../report/report-findings.ts';
import { renderReport } from '../../report/report-markdown.ts';
import { names } from '../deception/match-builder.ts';
import { createSeerDisputes, reportOn } from '../deception/summary/report-builder.ts';

describe('the sentences of a report', () => {
  const models = Object.fromEntries(names.map((name, seat) => [name, seat % 2 === 0 ? 'openai:x' : 'openai:y']));
  const ofModels = reportOn(createSeerDisputes(12, { models }));
  const figure = (cell: ReportedFigure['cell'], value: number, changes: Partial<ReportedFigure> = {}) => ({
    ...{ ...ofModels.metrics[0]!.figures[0]!, cell, value, low: value - 0.1, high: value + 0.1, opportunities: 70 },
    ...{ chance: 0.9, covers: null, comparable: true, matches: 12, ...changes },
  });
  const reportWith = (figures: Readonly<Record<string, readonly ReportedFigure[]>>): Report => ({
    ...ofModels,
    metrics: [
      ...ofModels.metrics.filter(({ name }) => !(name in figures)),
      ...Object.entries(figures).map(([name, own]) => ({ ...ofModels.metrics[0]!, name, figures: [...own] })),
    ],
  });

  const heard = { source: 'match', kind: 'debate', speaker_team: 'werewolves' };
  const pair = { ...heard, speaker_model: 'openai:x', observer_model: 'openai:y' };
  const alone = [
    { ...heard, observer_model: 'openai:y' },
    { ...heard, speaker_model: 'openai:x' },
  ];
  const wins = { team: 'werewolves', model: 'openai:x' };
  const reportOnPair = (changes: Partial<ReportedFigure> = {}) =>
    reportWith({
      paired_detection: [pair, ...alone].map((cell) => figure(cell, 0.7)),
      matched_hit_rate: [pair, ...alone].map((cell) => figure(cell, 0.4)),
      matched_false_alarm_rate: [pair, ...alone].map((cell) => figure(cell, 0.2, changes)),
      win_rate: [
        ...[figure(wins, 0.49), figure({ ...wins, opponent: 'openai:y' }, 0.51)],
        figure({ team: 'villagers', model: 'openai:y' }, 0.48),
      ],
    });
  it('tells how lies were heard of who told and who heard them, with false alarms, numbers and intervals, once', () => {
    expect(renderReport(reportOnPair())).toMatch(
      /\| openai:x \| openai:y \| +70 % \[60–80\] \| +70 \| +12 \| +40 % \[30–50\] of 70 \| +20 % \[10–30\] of 70 \|/,
    );
    expect(listHeard(reportOnPair())).toHaveLength(1);
  });

  it('attributes to a model nothing that takes two, on no line of the page', () => {
    const page = renderReport(reportOnPair());
    expect(page).toContain('| openai:x | openai:y | ');
    const lines = page.split('\n').filter((line) => /openai:x/.test(line) && /\b(?:48|49|70|40) %/.test(line));
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toContain('openai:y');
    expect(page).not.toMatch(/4[89] %/); // wins against all opponents that it met
  });

  it('tells no wins of several boards or rules together, nor of chance in any', () => {
    expect(listHeadToHead(reportOnPair())?.models).toEqual(['openai:x', 'openai:y']);
    for (const name of ['board', 'rule debateTurns']) {
      const conditions = [
        ...ofModels.conditions.filter((one) => one.name !== name),
        { name, values: ['1', '2'].map((value) => ({ value, matches: 6 })) },
      ];
      const mixed = { ...reportOnPair(), conditions };
      expect(listHeadToHead(mixed)).toBeNull();
      expect(renderReport(mixed)).not.toMatch(/51 %|by chance 90 %/);
      expect(renderReport(mixed)).toContain('Wins are counted separately by board and rules');
    }
  });
});
