// A comparison of two arms as a page for researchers: `comparison.md`.
import type { Comparison, Difference } from '../deception/comparison/comparison-schema.ts';
import type { Metric } from '../deception/metrics/metric.ts';
import { cellText, figureNumber, intervalText } from './many/figure-text.ts';
import { leftOutParts } from './many/sample-part.ts';
import { markdownText, table } from './markdown-text.ts';
import { counted, unknown, whole } from './numbers.ts';

/** `metrics` give the names of endpoints in words. */
export function comparisonMarkdown(comparison: Comparison, metrics: readonly Metric[]): string {
  const { a, b, plan, primary, secondary, left_out: leftOut } = comparison;
  const titles = new Map(metrics.map(({ name, title }) => [name, title]));
  const parts = [
    `# ${markdownText(a.name)} against ${markdownText(b.name)}`,
    ...botNotice(comparison),
    opening(comparison),
    ...contrastParts(comparison),
    '## Primary endpoints',
    plan === null
      ? 'None were named beforehand, so everything below is exploratory. Name at most five in an `analysis.yaml`.'
      : planText(plan),
    ...(primary.length === 0 ? [] : [rows(primary, titles, 'Holm')]),
    '## All other figures',
    'Exploratory: p adjusted by Benjamini and Hochberg’s procedure over all of them. Figures without an interval stand in `comparison.json` alone.',
    rows(
      secondary.filter(({ low }) => low !== null),
      titles,
      'BH',
    ),
    '“Detectable” is the smallest true difference that so many deals show at α = .05 (two-sided) with a probability of .8. Every figure is defined in `docs/metrics.md` of the project, the procedure in `docs/compare.md`; a dash stands for what cannot be computed.',
    ...(leftOut.length === 0 ? [] : ['## Records left out', ...leftOutParts(leftOut)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Bots sat in seats, or were asked afterwards. */
function botNotice({ by, a, b, bots }: Comparison): string[] {
  const isBotAsked = by === 'annotator' && [a, b].some(({ name }) => name.startsWith('bot:'));
  const did = [...(bots > 0 ? ['played'] : []), ...(isBotAsked ? ['judged'] : [])].join(' and ');
  return did === '' ? [] : [`> **Built-in bots ${did}. Their figures say nothing about any language model.**`];
}

function opening(comparison: Comparison): string {
  const { by, unpaired, left_out: leftOut, resamples, seed } = comparison;
  const alone = unpaired.a.length + unpaired.b.length;
  const lack = by === 'annotator' ? 'of which the other annotator judged nothing' : 'whose deal the other arm lacks';
  return [
    ...armsText(comparison),
    ...(alone === 0
      ? []
      : [`- ${counted(alone, 'match', 'matches')} left out, ${lack} (listed in \`comparison.json\`).`]),
    ...(leftOut.length === 0
      ? []
      : [`- ${counted(leftOut.length, 'record is', 'records are')} left out, listed at the end.`]),
    `- The deal (names, seats, roles) is the unit: differences are paired, p and 95 % intervals come from ${resamples} random swaps of the arms within deals, seed ${seed}.`,
  ].join('\n');
}

function armsText({ by, a, b, deals, judgements }: Comparison): string[] {
  const names = `A is ${markdownText(a.name)}, B is ${markdownText(b.name)}.`;
  if (judgements) {
    const { both, alone } = judgements;
    const lone = `${whole(alone.a)} by A and ${whole(alone.b)} by B`;
    return [
      `- Two annotators of the same statements from the views of the same listeners: ${counted(both, 'judgement')} that both gave, in ${counted(deals, 'deal')}. ${names}`,
      `- Left out because only one of them gave a readable judgement: ${lone}.`,
    ];
  }
  if (by === 'model')
    return [
      `- Two models that changed sides: each of ${counted(deals, 'deal')} was played by both on either side. ${names}`,
    ];
  const matches = [a, b].map((arm) => `${markdownText(arm.name)}, ${counted(arm.matches, 'match', 'matches')}`);
  return [`- A: ${matches[0]!}; B: ${matches[1]!}; ${counted(deals, 'deal')} in both.`];
}

const contrastParts = ({ by, contrasts }: Comparison) => [
  '## What differs between the arms',
  by === 'annotator'
    ? 'The annotator alone: same statements, same views, same labels.'
    : contrasts.length === 0
      ? 'Nothing: same models on the same sides, same rules, same version.'
      : table(
          ['', 'A', 'B'],
          contrasts.map(({ what, a, b }) => [what, a, b].map((value) => markdownText([value].flat().join(', ')))),
          3,
        ),
];

const planText = ({ question, sha256, endpoints }: NonNullable<Comparison['plan']>) =>
  [
    ...(question === null ? [] : [`> ${markdownText(question)}`]),
    `${counted(endpoints, 'endpoint')} named beforehand in an analysis plan with SHA-256 \`${sha256}\`; p adjusted by Holm’s procedure for all of them, with p or without.`,
  ].join('\n\n');

function rows(differences: readonly Difference[], titles: ReadonlyMap<string, string>, adjustment: string): string {
  if (differences.length === 0) return 'None.';
  return table(
    ['Figure', 'Of', 'A', 'B', 'A − B', '95 % interval', 'Deals', 'p', `p (${adjustment})`, 'Detectable'],
    differences.map((one) => [
      markdownText(titles.get(one.metric) ?? one.metric),
      cellText(one.of),
      ...[one.a, one.b, one.difference].map(figureNumber),
      one.low === null ? (one.reason ?? unknown) : intervalText(one),
      String(one.pairs),
      ...[one.p, one.p_adjusted].map(probability),
      figureNumber(one.detectable),
    ]),
    2,
  );
}

const probability = (value: number | null) => (value === null ? unknown : value < 0.001 ? '< .001' : value.toFixed(3));
