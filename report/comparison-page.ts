// A comparison of two arms as a page for researchers: `comparison.md`.
import type { Comparison, Difference } from '../deception/comparison/comparison-schema.ts';
import { type IncomparableReason, reasonTexts, rulesExtractor } from '../deception/metrics/comparability.ts';
import type { Metric } from '../deception/metrics/metric.ts';
import {
  escapeMarkdown,
  formatCell,
  formatFigure,
  formatInterval,
  formatWhole,
  pluralize,
  renderTable,
  unknownDash,
} from './format.ts';
import { renderLeftOut } from './report-page.ts';

/**
 * The page as GitHub-flavoured Markdown; `metrics` give the titles of figures.
 *
 * @example
 * await writeFile('comparison.md', renderComparison(comparison, metrics));
 */
export function renderComparison(comparison: Comparison, metrics: readonly Metric[]): string {
  const { a, b, plan, primary, secondary, left_out: leftOut } = comparison;
  const titles = new Map(metrics.map(({ name, title }) => [name, title]));
  const parts = [
    `# ${escapeMarkdown(a.name)} against ${escapeMarkdown(b.name)}`,
    ...describeBotPart(comparison),
    renderOpening(comparison),
    ...renderContrasts(comparison),
    '## Primary endpoints',
    plan === null
      ? 'None were named beforehand, so everything below is exploratory. Name at most five in an `analysis.yaml`.'
      : describePlan(plan),
    ...(primary.length === 0 ? [] : [renderDifferenceTable(primary, titles, 'Holm')]),
    '## All other figures',
    'Exploratory: p adjusted by Benjamini and Hochberg’s procedure over all of them. Figures without an interval stand in `comparison.json` alone.',
    renderDifferenceTable(
      secondary.filter(({ low }) => low !== null),
      titles,
      'BH',
    ),
    '“Detectable” is the smallest true difference that so many deals show at α = .05 (two-sided) with a probability of .8. Every figure is defined in `docs/metrics.md` of the project, the procedure in `docs/compare.md`; a dash stands for what cannot be computed.',
    ...renderNotCompared(comparison, titles),
    ...(leftOut.length === 0 ? [] : ['## Records left out', ...renderLeftOut(leftOut)]),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** The warning that bots played seats or were annotators; none where no bot had a part. */
function describeBotPart({ by, a, b, bots }: Comparison): string[] {
  const isBotAsked = by === 'annotator' && [a, b].some(({ name }) => name.startsWith('bot:'));
  const did = [...(bots > 0 ? ['played'] : []), ...(isBotAsked ? ['judged'] : [])].join(' and ');
  return did === '' ? [] : [`> **Built-in bots ${did}. Their figures say nothing about any language model.**`];
}

function renderOpening(comparison: Comparison): string {
  const { by, unpaired, left_out: leftOut, resamples, seed, notes, not_compared: notCompared } = comparison;
  const alone = unpaired.a.length + unpaired.b.length;
  const lack = by === 'annotator' ? 'of which the other annotator judged nothing' : 'whose deal the other arm lacks';
  return [
    ...describeArms(comparison),
    ...(alone === 0
      ? []
      : [`- ${pluralize(alone, 'match', 'matches')} left out, ${lack} (listed in \`comparison.json\`).`]),
    ...(leftOut.length === 0
      ? []
      : [`- ${pluralize(leftOut.length, 'record is', 'records are')} left out, listed at the end.`]),
    ...notes.map((note) => `- ${escapeMarkdown(note)}`),
    ...(notCompared.length === 0
      ? []
      : [
          `- **${pluralize(notCompared.length, 'figure is', 'figures are')} not compared, since models are compared and ${comparison.claims_by === rulesExtractor ? 'rules drew the claims; name a judge (--judge MODEL) to compare them' : 'the rules have a part in them'}.** They are listed at the end.`,
        ]),
    `- The deal (names, seats, roles) is the unit: differences are paired, p and 95 % intervals come from ${resamples} random swaps of the arms within deals, seed ${seed}.`,
  ].join('\n');
}

/** What may not be compared between models, with the reason; nothing where all is compared. */
function renderNotCompared({ not_compared: notCompared }: Comparison, titles: ReadonlyMap<string, string>): string[] {
  if (notCompared.length === 0) return [];
  const describe = (reason: IncomparableReason) => {
    const found = notCompared.filter((one) => one.reason === reason).map(({ metric }) => titles.get(metric) ?? metric);
    return `- ${escapeMarkdown(reasonTexts[reason])}: ${found.map(escapeMarkdown).join('; ')}.`;
  };
  return [
    '## Figures not compared',
    'Each is left out because',
    [...new Set(notCompared.map(({ reason }) => reason))].map(describe).join('\n'),
    'Reports show them for each model by itself.',
  ];
}

function describeArms({ by, a, b, deals, judgements }: Comparison): string[] {
  const names = `A is ${escapeMarkdown(a.name)}, B is ${escapeMarkdown(b.name)}.`;
  if (judgements) {
    const { both, alone } = judgements;
    const lone = `${formatWhole(alone.a)} by A and ${formatWhole(alone.b)} by B`;
    return [
      `- Two annotators of the same statements from the views of the same listeners: ${pluralize(both, 'judgement')} that both gave, in ${pluralize(deals, 'deal')}. ${names}`,
      `- Left out because only one of them gave a readable judgement: ${lone}.`,
    ];
  }
  if (by === 'model')
    return [
      `- Two models that changed sides: each of ${pluralize(deals, 'deal')} was played by both on either side. ${names}`,
    ];
  const matches = [a, b].map((arm) => `${escapeMarkdown(arm.name)}, ${pluralize(arm.matches, 'match', 'matches')}`);
  return [`- A: ${matches[0]!}; B: ${matches[1]!}; ${pluralize(deals, 'deal')} in both.`];
}

const renderContrasts = ({ by, contrasts }: Comparison) => [
  '## What differs between the arms',
  by === 'annotator'
    ? 'The annotator alone: same statements, same views, same labels.'
    : contrasts.length === 0
      ? 'Nothing: same models on the same sides, same rules, same version.'
      : renderTable(
          ['', 'A', 'B'],
          contrasts.map(({ what, a, b }) => [what, a, b].map((value) => escapeMarkdown([value].flat().join(', ')))),
          3,
        ),
];

const describePlan = ({ question, sha256, endpoints }: NonNullable<Comparison['plan']>) =>
  [
    ...(question === null ? [] : [`> ${escapeMarkdown(question)}`]),
    `${pluralize(endpoints, 'endpoint')} named beforehand in an analysis plan with SHA-256 \`${sha256}\`; p adjusted by Holm’s procedure for all of them, with p or without.`,
  ].join('\n\n');

function renderDifferenceTable(
  differences: readonly Difference[],
  titles: ReadonlyMap<string, string>,
  adjustment: string,
): string {
  if (differences.length === 0) return 'None.';
  return renderTable(
    ['Figure', 'Of', 'A', 'B', 'A − B', '95 % interval', 'Deals', 'p', `p (${adjustment})`, 'Detectable'],
    differences.map((one) => [
      escapeMarkdown(titles.get(one.metric) ?? one.metric),
      formatCell(one.of),
      ...[one.a, one.b, one.difference].map(formatFigure),
      one.low === null ? (one.reason ?? unknownDash) : formatInterval(one),
      String(one.pairs),
      ...[one.p, one.p_adjusted].map(formatProbability),
      formatFigure(one.detectable),
    ]),
    2,
  );
}

const formatProbability = (value: number | null) =>
  value === null ? unknownDash : value < 0.001 ? '< .001' : value.toFixed(3);
