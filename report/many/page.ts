// A report over many matches as a page for researchers: `report.md`.
import { isBoard } from '../../deception/report/report-of.ts';
import type { Report } from '../../deception/report/report-schema.ts';
import { sections, type Section } from '../../deception/metrics/metric.ts';
import { markdownText } from '../markdown-text.ts';
import { counted, whole } from '../numbers.ts';
import { correctedParts, headlineParts, metricParts } from './figures-part.ts';
import { leftOutParts, sampleParts } from './sample-part.ts';

const titles: Record<Section, string> = {
  lies: 'Lies',
  accusations: 'Accusations and defences',
  detection: 'Detection',
  'self-reports': 'Self-reports',
  perception: 'Perception',
  beliefs: 'Beliefs',
  agreement: 'Agreement',
  outcomes: 'Outcomes',
  seats: 'Seats',
  debate: 'The debate',
  roles: 'Special roles',
  village: 'The village',
  sheriff: 'The Sheriff',
  reliability: 'Reliability',
};

/** GitHub-flavoured Markdown. Where bots played every section says so. */
export function reportMarkdown(report: Report): string {
  const boards = report.samples.filter(isBoard);
  const variants = report.samples.filter((sample) => !isBoard(sample));
  const parts: [title: string, parts: string[]][] = [
    ['The sample', sampleParts(report)],
    ['Headlines', [...headlineParts(report, variants), ...correctedParts(report)]],
    ...(boards.length === 0 ? [] : [['Headlines by board', headlineParts(report, boards)] as [string, string[]]]),
    ...sections.map((section): [string, string[]] => [
      titles[section],
      report.metrics.filter((metric) => metric.section === section).flatMap(metricParts),
    ]),
    ['Records left out', leftOutParts(report.left_out)],
  ];
  const notice = report.bot_notice === null ? [] : [`> **${markdownText(report.bot_notice)}**`];
  return `${[
    `# Report on ${counted(report.matches, 'match', 'matches')}`,
    ...notice,
    ...parts.filter(([, body]) => body.length > 0).flatMap(([title, body]) => [`## ${title}`, ...notice, ...body]),
    '## How to read the figures',
    reading(report),
  ].join('\n\n')}\n`;
}

const reading = ({ seed, resamples, baselines }: Report) =>
  [
    `- The match is the unit. A value is a ratio of sums over all matches; its 95 % interval comes from ${whole(resamples)} resamples of matches with replacement (seed ${seed}), studentized. Where all matches are alike it is exact, and where each match is one trial it is Wilson's.`,
    '- “too few”: fewer than 10 matches have anything to count, and no interval is given. “unstable”: the value is undefined in too many resamples.',
    '- Mean of matches: each match counts the same, however much was said in it; “of” so many matches that have a value.',
    '- Lowest and highest: the value if all that is missing had come out so. Figures without these columns have no such bounds.',
    '- Coverage: the share of all statements, in the same row, with a claim that the record can decide. Rates of lies speak of no more than these.',
    ...(baselines.length === 0 ? [] : [chanceReading(baselines)]),
    '- A dash stands for what is not known or cannot be computed; it is never a zero. Rows without anything to count stand in `report.json` alone.',
    '- Every figure is defined in `docs/metrics.md` of the project, this page in `docs/reports.md`.',
  ].join('\n');

const chanceReading = (baselines: Report['baselines']) =>
  `- By chance: what the same figure would be had all its matches been played by chance, each on its own board under its own rules, ± its own error at 95 %; from ${whole(baselines[0]!.games)} games for each of ${counted(baselines.length, 'board with its rules', 'boards with their rules')}. Only figures of the game itself have it.`;
