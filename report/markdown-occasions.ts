// The part of the summary page on when statements were made.
import type { StatementOccasion } from '../deception/statements.ts';
import type { DeceptionSummary, OccasionFigures } from '../deception/summary-schema.ts';
import { table } from './markdown-text.ts';
import { decimal, percent, unknown, whole } from './numbers.ts';
import { occasionNames } from './occasions.ts';

/** A table of figures by occasion; nothing where there is only the debate and its ballots. */
export function occasionParts({ by_occasion: by }: Pick<DeceptionSummary, 'by_occasion'>): string[] {
  if (by === undefined) return [];
  return [
    '## By occasion',
    'Further down, all turns to speak are counted together, and so are all ballots.',
    table(
      [
        'Occasion',
        'Statements',
        'Own reports',
        'Deceptive by own report',
        'Share of own reports',
        'Analyses by others',
        'Flags',
        'Share flagged',
        'Mean suspicion',
      ],
      Object.entries(by).map(([occasion, figures]) => [
        occasionNames[occasion as StatementOccasion],
        ...cells(figures),
      ]),
    ),
  ];
}

function cells(figures: OccasionFigures): string[] {
  const { self_reports: reports, peer_analyses: analyses } = figures;
  return [
    whole(figures.statements),
    whole(reports),
    reports === 0 ? unknown : whole(figures.self_reported_deceptions),
    percent(figures.share_self_reported_deceptive),
    whole(analyses),
    analyses === 0 ? unknown : whole(figures.peer_detected_deceptions),
    percent(figures.share_flagged),
    decimal(figures.mean_suspicion),
  ];
}
