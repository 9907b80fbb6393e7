// Prints how well the rules read, as tables: node tests/labelled/print.ts
import { markdownTable } from 'markdown-table';
import { readCorpus } from './corpus.ts';
import { computeAgreement, measure, type Accuracy, type Measured, type Part, type Share } from './measure.ts';

const parts: [title: string, part: Part][] = [
  ['Test, composed', { split: 'test', origin: 'composed' }],
  ['Test, published', { split: 'test', origin: 'published' }],
  ['Test, both', { split: 'test' }],
  ['Development, both', { split: 'development' }],
];

const formatPercent = (share: number) => (100 * share).toFixed(0);

function shareText({ right, of, estimate, low, high }: Share): string {
  if (estimate === null) return 'none';
  const interval = low === null || high === null ? '' : ` (${formatPercent(low)}–${formatPercent(high)})`;
  return `${right}/${of} = ${formatPercent(estimate)} %${interval}`;
}

const createRow = (name: string, { precision, recall }: Accuracy) => [name, shareText(precision), shareText(recall)];

function renderTables(measured: Measured): string {
  const { statements, clusters, lies, claims, types, verdicts, reach, opportunities } = measured;
  const sorted = (all: Record<string, Accuracy>) =>
    Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1));
  return [
    `${statements} statements in ${clusters} situations or sessions${clusters < 10 ? ' (too few for intervals)' : ''}`,
    markdownTable([
      ['', 'precision', 'recall'],
      createRow('lie, of statements', lies.statements),
      createRow('lie, of claims', lies.claims),
      ...sorted(verdicts).map(([name, accuracy]) => createRow(`verdict ${name}`, accuracy)),
      createRow('claims', claims),
      ...sorted(types).map(([name, accuracy]) => createRow(name, accuracy)),
    ]),
    markdownTable([
      ['', 'sensitivity', 'specificity'],
      ...Object.entries(opportunities).map(([name, { sensitivity, specificity }]) => [
        name,
        shareText(sensitivity),
        shareText(specificity),
      ]),
    ]),
    `Of labelled opportunities to lie the rules draw ${shareText(reach.lies)} of the lies and ${shareText(reach.truths)} of the truths.`,
  ].join('\n\n');
}

const first = readCorpus();
const second = readCorpus('second');
for (const [title, part] of parts) {
  const { statements, lie, lieAlike, identical, verdict } = computeAgreement(first, second, part);
  const agreement = `Both passes: ${statements} statements, ${lieAlike} alike as to lies, ${identical} in every claim and field, κ ${lie?.toFixed(3) ?? 'undefined'} (lie), ${verdict?.toFixed(3) ?? 'undefined'} (verdict).`;
  process.stdout.write(`## ${title}\n\n${renderTables(measure(first, part))}\n\n${agreement}\n\n`);
}
