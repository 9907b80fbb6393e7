// Renders an extractor's accuracy as Markdown for a document.
import {
  formatMoney,
  formatPercent,
  formatPercentBounds,
  formatWhole,
  pluralize,
  sanitizeText,
} from '../../../report/format.ts';
import { markdownTable } from 'markdown-table';
import type { JudgeUsage } from './read-judged-corpora.ts';
import type { ClaimAccuracy, MeasuredClaims, ShareOverMoments, PartAccuracy } from './score-claims.ts';

/** All measurements of one extractor. */
export interface MeasuredExtractor {
  extractor: string;
  corpora: readonly string[];
  split: string;
  measured: MeasuredClaims;
  /** Accuracy of the second labels, measured against the first labels. Null if there are no second labels. */
  readers: MeasuredClaims | null;
  /** Measurements that exist only for judges. */
  judge:
    | (AboutJudge & {
        /**
         * Accuracy without the guard's questions, which are about claims that the rules extract and the judge lacks.
         */
        unguarded: MeasuredClaims;
        repeats: number;
        /** Krippendorff's α between judges, over the types of claims in a statement. */
        alpha: number | null;
        /** Each of several judges alone. */
        each: readonly (AboutJudge & { model: string; measured: MeasuredClaims })[];
      })
    | null;
}

interface AboutJudge {
  /** Mean F1 between the claims of two repeats of the same question. Null if each question was asked once. */
  retest: number | null;
  dropped: number;
  effort: JudgeUsage;
}

type Estimate = Pick<ShareOverMoments, 'estimate' | 'low' | 'high' | 'method'>;

function formatEstimate({ estimate, low, high, method }: Estimate): string {
  if (estimate === null) return '–';
  const interval =
    low === null || high === null ? '' : ` (${formatPercentBounds(low, high)}${method === 'exact' ? '*' : ''})`;
  return `${formatPercent(estimate)}${interval}`;
}

const formatShare = (share: ShareOverMoments) =>
  share.estimate === null ? '–' : `${share.right}/${share.of} = ${formatEstimate(share)}`;

const formatF1 = (f1: number | null) => f1?.toFixed(2) ?? '–';

const formatAccuracy = ({ precision, recall, f1 }: ClaimAccuracy) => [
  formatShare(precision),
  formatShare(recall),
  formatF1(f1),
];

const head = ['precision', 'recall', 'F1'];

const renderTable = (rows: string[][]) =>
  markdownTable(rows, { align: ['l', ...rows[0]!.slice(1).map(() => 'r' as const)] });

const renderParts = (name: string, parts: Readonly<Record<string, PartAccuracy>>) =>
  renderTable([
    [name, 'statements', 'claims: precision', 'recall', 'F1', 'lies by statement: precision', 'recall'],
    ...Object.entries(parts).map(([part, { statements, claims, lies }]) => [
      part,
      formatWhole(statements),
      ...formatAccuracy(claims),
      formatShare(lies.precision),
      formatShare(lies.recall),
    ]),
  ]);

/** Renders the page as Markdown. */
export function renderAccuracy({ extractor, corpora, split, measured, readers, judge }: MeasuredExtractor): string {
  const { statements, moments, unread, types, verdicts, lies, reach, errors, reweighted } = measured;
  const part = split === 'both' ? 'both parts' : `the ${split} part`;
  return [
    `# Claims extracted by ${extractor}`,
    [
      `On ${part} of ${corpora.join(', ')}: ${pluralize(statements, 'labeled statement')} at ${pluralize(moments, 'moment')}.`,
      ...(unread > 0 ? [`${pluralize(unread, 'statement')} could not be read.`] : []),
      'Intervals are 95 % intervals, clustered by moment. An interval with * is exact and counts moments as trials, because fewer than ten moments have data or all are equal. Whether a claim is hedged is not compared.',
    ].join(' '),
    renderTable([
      ['', ...head],
      ['claims', ...formatAccuracy(measured.claims)],
      ['claims, including presupposed', ...formatAccuracy(measured.withPresupposed)],
      ...(judge
        ? [
            ['claims, without the guard', ...formatAccuracy(judge.unguarded.claims)],
            ['the same, including presupposed', ...formatAccuracy(judge.unguarded.withPresupposed)],
          ]
        : []),
      ['lies, by statement', ...formatAccuracy(lies.statements)],
      ['lies, by claim', ...formatAccuracy(lies.claims)],
    ]),
    '## By type',
    renderTable([
      ['type', ...head, 'precision, including presupposed', 'recall', 'F1'],
      ...Object.entries(types).map(([type, one]) => [
        `\`${type}\``,
        ...formatAccuracy(one.plain),
        ...formatAccuracy(one.withPresupposed),
      ]),
    ]),
    '## By verdict of the statement',
    renderTable([
      ['verdict', ...head],
      ...Object.entries(verdicts).map(([name, one]) => [name, ...formatAccuracy(one)]),
    ]),
    '## By writer',
    renderParts('writer', measured.writers),
    '## By board',
    renderParts('board', measured.boards),
    '## By side',
    renderParts('said by', measured.sides),
    `Reweighted to ${formatPercent(reweighted.share)} of statements by the Werewolves' side: claims at a precision of ${formatEstimate(reweighted.claims.precision)} and a recall of ${formatEstimate(reweighted.claims.recall)}, lies by statement at ${formatEstimate(reweighted.lies.precision)} and ${formatEstimate(reweighted.lies.recall)}.`,
    '## Errors for which lie rates are corrected',
    'The errors of `lie_turn_rate` are shares of all debate statements, so a lie from which no claim is extracted counts as missed. The other errors are shares of the opportunities to lie that are both labeled and extracted.',
    renderTable([
      ['', 'lies called lies', 'others not called lies'],
      ...Object.entries(errors).map(([name, { sensitivity, specificity }]) => [
        `\`${name}\``,
        formatShare(sensitivity),
        formatShare(specificity),
      ]),
    ]),
    'Errors of `lie_turn_rate` by writer. A report corrects the lies of a model by the errors for that model.',
    renderTable([
      ['writer', 'lies called lies', 'others not called lies'],
      ...Object.entries(measured.writers).map(
        ([
          writer,
          {
            errors: { lie_turn_rate: own },
          },
        ]) => [writer, ...[own.sensitivity, own.specificity].map(formatShare)],
      ),
    ]),
    `The extractor finds ${formatShare(reach.lies)} of the labeled lies about the speaker, and ${formatShare(reach.truths)} of the truths.`,
    '## Agreement',
    readers === null
      ? 'There is one set of labels.'
      : `Second labels against the first, ${pluralize(readers.statements, 'statement')}: F1 ${formatF1(readers.claims.f1)} of claims, ${formatF1(readers.withPresupposed.f1)} including presupposed; of lies ${formatF1(readers.lies.statements.f1)} by statement (Cohen’s κ ${formatF1(readers.lieKappa)}) and ${formatF1(readers.lies.claims.f1)} by claim.`,
    ...(judge === null ? [] : [renderJudge(judge)]),
  ]
    .join('\n\n')
    .concat('\n');
}

function renderJudge({ repeats, alpha, each, ...about }: NonNullable<MeasuredExtractor['judge']>): string {
  const again =
    about.retest === null
      ? ''
      : ` Asked ${pluralize(repeats, 'time')}: F1 ${formatF1(about.retest)} between answers (test–retest).`;
  if (each.length === 0) return `The judge: ${renderEffort(about)}${again}`;
  return [
    `${pluralize(each.length, 'judge')} together (a claim counts if more than half of them extract it): ${renderEffort(about)}${again} Krippendorff’s α between judges, for the types of claims in a statement: ${formatF1(alpha)}.`,
    renderTable([
      ['judge alone', ...head, 'lies by statement: precision', 'recall', 'test–retest', 'calls', 'cost'],
      ...each.map(({ model, measured: { claims, lies }, retest, effort }) => [
        sanitizeText(model),
        ...formatAccuracy(claims),
        formatShare(lies.statements.precision),
        formatShare(lies.statements.recall),
        formatF1(retest),
        formatWhole(effort.calls),
        formatCost(effort),
      ]),
    ]),
  ].join('\n\n');
}

function renderEffort({ dropped, effort }: AboutJudge): string {
  const { calls, tokens } = effort;
  const took = tokens === null ? '' : `, ${formatWhole(tokens.in)} tokens in and ${formatWhole(tokens.out)} out`;
  return `${pluralize(calls, 'call')}${took}; ${formatCost(effort)}. ${pluralize(dropped, 'claim')} could not be accepted.`;
}

const formatCost = ({ cost }: JudgeUsage) =>
  cost === null ? 'cost unknown' : formatMoney({ cost, calls_with_unknown_cost: 0 });
