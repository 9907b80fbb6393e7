// The part of the summary page on what the match took.
import type { CallFigures, CallSummary } from '../deception/summary-schema.ts';
import { markdownText, table } from './markdown-text.ts';
import { duration, money, whole } from './numbers.ts';

/** Calls, tokens, cost and faults by role, model and action. */
export function callParts({ total, by_role, by_model, by_action, refusals, wall_ms }: CallSummary): string[] {
  const rows = (group: string, figures: Record<string, CallFigures>) =>
    Object.entries(figures).map(([key, one]) => [group, markdownText(key), ...callCells(one)]);
  return [
    '## Model calls',
    `Calls were under way for ${duration(wall_ms)} in all.`,
    table(
      [
        'By',
        '',
        'Calls',
        'Asked again',
        'Retries',
        'Fallbacks',
        'Refusals',
        'Missing',
        'Shortened',
        'Tokens in',
        'cached',
        'Tokens out',
        'reasoning',
        'Cost',
      ],
      [
        ['all', '', ...callCells(total)],
        ...rows('role', by_role),
        ...rows('model', by_model),
        ...rows('action', by_action),
      ],
      2,
    ),
    ...(refusals.length === 0
      ? []
      : [
          '### Refusals',
          table(
            ['Role', 'Model', 'Action', 'Refusals'],
            refusals.map(({ role, model, action, count }) => [
              ...[role, model, action].map(markdownText),
              whole(count),
            ]),
            3,
          ),
        ]),
  ];
}

const callCells = (figures: CallFigures) => [
  ...[figures.calls, figures.asked_again, figures.retries].map(whole),
  ...[figures.fallbacks, figures.refusals, figures.missing, figures.shortened].map(whole),
  ...[figures.tokens.in, figures.tokens.cached, figures.tokens.out, figures.tokens.reasoning].map(whole),
  money(figures),
];
