// A comparison of two arms, or of the models of a crossed design, as a page for researchers: `comparison.md`.
import type { Comparison, Difference, NotIdentified } from '../deception/comparison/comparison-schema.ts';
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
  stripEscapes,
  missingPlaceholder,
  formatProbability,
} from './format.ts';
import { renderAnswers, tellAnswers } from './answer-table-markdown.ts';
import { renderEquivalence, renderExcluded } from './equivalence-text.ts';
import { renderLeftOut } from './report-details.ts';
import {
  countByFamily,
  describeDifference,
  familyOrder,
  findBeside,
  formatCounted,
  isAnswered,
  isAnsweredRow,
  isFound,
  listFoundDifferences,
  mostTold,
  nameArms,
  isUntested,
  listWithBeside,
  nameEffect,
  untestedWords,
} from './comparison-findings.ts';
import { formatSealed } from './report-markdown.ts';
import { formatCommandInFile } from '../state/command-in-file.ts';

/** Maximum number of lines on the page. `comparison.csv` has everything. */
const mostLines = 200;

/**
 * Renders the page as GitHub-flavored Markdown of at most 200 lines. `metrics` gives the titles of figures.
 *
 * @example
 * await writeFile('comparison.md', renderComparison(comparison, metrics));
 */
export function renderComparison(comparison: Comparison, metrics: readonly Metric[]): string {
  const { plan, primary, secondary, left_out: leftOut } = comparison;
  const titles = new Map(metrics.map(({ name, title }) => [name, title]));
  const joint = secondary.filter((row) => row.joint && row.tier === 'headline');
  const before = [
    ...renderAnswers(comparison.answers, {
      title: escapeMarkdown(nameComparison(comparison)),
      notices: listOwnNotices(comparison),
      hasDifferences: true,
    }),
    ...renderFound(comparison, titles, metrics),
    '## What was compared',
    renderOpening(comparison),
    ...renderEquivalence(comparison, titles),
    ...renderCrossed(comparison),
    ...renderContrasts(comparison),
    '## Primary endpoints',
    ...(plan === null ? [] : [describePlan(plan)]),
    describePreregistration(comparison),
    ...(primary.length === 0 ? [] : [renderDifferenceTable(primary, titles, 'Holm')]),
  ];
  const after = [
    ...renderJoint(joint.slice(0, mostJoint), titles),
    '“Deals” counts the deals with data for the figure in all compared arms. “Detectable” is the smallest true difference that this number of deals shows at α = .05 (two-sided) with a probability of .8. `docs/reference/metrics.md` of the project defines every figure, and `docs/reference/compare.md` the procedure. A dash marks a value that cannot be computed. ‡: with so few deals, such an interval is too narrow: it covers the true value in less than 93 % of studies (`docs/evidence/validation.md`).',
    ...renderNotCompared(comparison, titles),
    ...(leftOut.length === 0
      ? []
      : [
          '## Records left out',
          ...renderLeftOut(leftOut.slice(0, mostLeftOut)),
          ...(leftOut.length > mostLeftOut
            ? [`${leftOut.length - mostLeftOut} more are listed in \`comparison.json\`.`]
            : []),
        ]),
  ];
  const taken = [...before, ...after].reduce((lines, part) => lines + part.split('\n').length + 1, 0);
  const parts = [...before, ...renderTested(comparison, metrics, mostLines - taken), ...after];
  return `${parts.join('\n\n')}\n`;
}

/** Maximum number of lines about excluded differences. */
const mostExcluded = 6;

const mostLeftOut = 20;
const mostJoint = 40;

function renderFound(
  comparison: Comparison,
  titles: ReadonlyMap<string, string>,
  metrics: readonly Metric[],
): string[] {
  if (isAnswered(comparison)) return [];
  if (isUntested(comparison)) return ['## What differs', untestedWords];
  const counted = `Headlines that differ, of those tested: ${countByFamily(comparison).join('; ') || 'none could be tested'}.`;
  const found = listFoundDifferences(comparison);
  const told = found
    .slice(0, mostTold)
    .map((one) => `- ${describeDifference(one, titles, escapeMarkdown, findBeside(one, comparison, metrics))}`);
  const more = found.length > mostTold ? [`- ${found.length - mostTold} more in the table of headlines.`] : [];
  return [
    '## What differs',
    ...(found.length === 0
      ? [
          'No difference was found in a headline or endpoint (p at most .05 after Holm’s procedure). This does not show that there is none:',
          renderExcluded(comparison, titles, mostExcluded).join('\n') ||
            '- with so few deals, no size of difference is excluded.',
        ]
      : [[...told, ...more].join('\n')]),
    counted,
  ];
}

/**
 * States the error rate of the table of headlines: how often it marks a difference if nothing differs. Empty if no
 * headline was tested.
 */
function describePromise(comparison: Comparison): string {
  const tested = comparison.secondary.filter(({ tier, joint, p_adjusted: p }) => tier === 'headline' && !joint && p !== null); // prettier-ignore
  const families = new Set(tested.map(({ family }) => family)).size;
  if (families === 0) return '';
  const whole = isAnswered(comparison) ? '; the table at the top keeps 5% as a whole' : '';
  const often = families === 1 ? 'in at most 5% of comparisons' : `in any one effect in at most 5% of comparisons, so in at least one effect in up to ${5 * families}%`; // prettier-ignore
  return `If nothing differs, this table still marks a difference ${often}${whole}. `;
}

/** Number of lines in the section, not counting the rows of its table. */
const frameOfTable = 16;

/**
 * Renders headlines and their significant finer cells in a folded table. `room`: maximum number of lines of the
 * section.
 */
function renderTested(comparison: Comparison, metrics: readonly Metric[], room: number): string[] {
  const titles = new Map(metrics.map(({ name, title }) => [name, title]));
  if (isUntested(comparison))
    return ['## Headlines', ...(isAnswered(comparison) ? [untestedWords] : []), 'All rows are in `comparison.csv`.'];
  const own = comparison.secondary.filter(({ joint }) => !joint);
  const headlines = own.filter((row) => row.tier === 'headline' && !isAnsweredRow(row, comparison));
  // Leaves out rows whose arms are equal in every deal, and rows without data.
  const told = headlines.filter(({ p, low, difference }) => p !== null || (low !== null && difference !== 0));
  const finer = own.filter((row) => row.tier === 'finer cell' && isFound(row) && !isAnsweredRow(row, comparison));
  const sorted = [...told.filter(isFound), ...told.filter((row) => !isFound(row)), ...finer];
  const rank = (row: Difference) => familyOrder.indexOf(row.family ?? 'all');
  const byFamily = [...Map.groupBy(sorted, rank)].sort(([one], [other]) => one - other).flatMap(([, rows]) => rows);
  const answered = isAnswered(comparison) ? 'Questions that the table above answers are not repeated here. ' : '';
  const most = Math.max(0, room - frameOfTable);
  const listed = sorted.length > most ? sorted.slice(0, most) : byFamily;
  const shown = listWithBeside(listed, comparison, metrics).filter((row) => !isAnsweredRow(row, comparison));
  const pairs = new Map(shown.flatMap(({ part }) => (part ? [[part.models.join('\n'), part.models]] : [])));
  const [pair] = pairs.values();
  return [
    '## Headlines',
    `${answered}Exploratory. The p of headlines is adjusted by Holm’s procedure${comparison.crossed ? ' within each effect, over all pairs of models' : ''}. Finer cells (by role, round or type) are tested only under a headline that differs, and their p is adjusted by the procedure of Benjamini and Bogomolov (2014). ${describePromise(comparison)}Not shown: ${pluralize(headlines.length - told.length, 'headline that is', 'headlines that are')} equal in both or without data, and ${pluralize(own.length - headlines.length - finer.length, 'further row')} without a finding. \`comparison.csv\` has all rows.`,
    ...(shown.length === 0
      ? []
      : [
          ...(pair && pairs.size === 1 ? [`X is ${escapeMarkdown(pair[0])}, Y is ${escapeMarkdown(pair[1])}.`] : []),
          `<details><summary>${[`${pluralize(told.length, 'headline')} (differing or not)`, ...(finer.length === 0 ? [] : [pluralize(finer.length, 'finer cell that differs', 'finer cells that differ')])].join(' and ')}</summary>`,
          renderDifferenceTable(shown, titles, 'adjusted'),
          '</details>',
          ...(shown.length < sorted.length
            ? [`${pluralize(sorted.length - shown.length, 'more row')}: \`comparison.csv\`.`]
            : []),
        ]),
  ];
}

/**
 * Returns the top of the page and the number of significant figures, in plain lines for the console.
 *
 * @example stdout.write(summarizeComparison(comparison)); // 'Built-in bots played. …\n30 deals …\n4 of 21 headlines differ …\n'
 */
export function summarizeComparison(comparison: Comparison): string {
  const endpoints = comparison.primary.filter(({ joint, p_adjusted: adjusted }) => !joint && adjusted !== null);
  const counts = countByFamily(comparison);
  const lines = [
    ...listOwnNotices(comparison),
    renderOpening(comparison),
    ...(endpoints.length === 0
      ? []
      : [
          `${endpoints.filter(isFound).length} of ${pluralize(endpoints.length, 'primary endpoint differs', 'primary endpoints differ')} (p at most .05 after Holm’s procedure). ${describeStatus(comparison)}`,
        ]),
    ...(isAnswered(comparison)
      ? []
      : [
          isUntested(comparison)
            ? untestedWords
            : `Headlines that differ (p at most .05 after Holm’s procedure): ${counts.join('; ') || 'none could be tested'}.`,
        ]),
  ];
  return `${stripEscapes(
    lines
      .join('\n')
      .replaceAll(/^(?:> |- )/gm, '')
      .replaceAll('**', ''),
  )}\n`;
}

/** Maximum number of sentences on the console. The page has more. */
const mostOnConsole = 6;

/**
 * Returns the console's text: the top of the page, and at most six significant differences.
 *
 * @example stdout.write(tellComparison(comparison, metrics));
 */
export function tellComparison(comparison: Comparison, metrics: readonly Metric[]): string {
  const titles = new Map(metrics.map(({ name, title }) => [name, title]));
  if (isAnswered(comparison)) return `${tellAnswers(comparison.answers)}\n${summarizeComparison(comparison)}`;
  const found = listFoundDifferences(comparison);
  const told = found
    .slice(0, mostOnConsole)
    .map((one) => `  ${describeDifference(one, titles, String, findBeside(one, comparison, metrics))}\n`);
  const more = found.length > mostOnConsole ? [`  ${found.length - mostOnConsole} more in comparison.md.\n`] : [];
  return `${summarizeComparison(comparison)}${[...told, ...more].join('')}`;
}

/**
 * Names what a comparison compares.
 *
 * @example nameComparison(comparison) // 'runs/a against runs/b', or 'gpt compared with o3' of a crossed design
 */
export function nameComparison({ a, b, crossed }: Comparison): string {
  if (a && b) return `${a.name} against ${b.name}`;
  const models = new Set(crossed?.arms.flatMap(({ werewolves, villagers }) => [werewolves, villagers]));
  const [first = '', ...others] = [...models].sort();
  return `${first} compared with ${new Intl.ListFormat('en').format(others)}`;
}

/**
 * Renders a separate table of the effects that depend on a model and on its opponent, so that nobody attributes them to
 * one model.
 */
const renderJoint = (joint: readonly Difference[], titles: ReadonlyMap<string, string>) =>
  joint.length === 0
    ? []
    : [
        '## Joint with the opponent',
        `**None of these effects is a property of one model.** Each also depends on the opponent, which here is always the other model: X may be flagged more often because it deceives worse, or because Y flags more. \`${formatCommandInFile('match', '--crossed', 'X', 'Y')}\` plays the pairings that separate the two. p is adjusted as for headlines and their finer cells, over these effects alone.`,
        renderDifferenceTable(joint, titles, 'adjusted'),
      ];

// Renders a crossed design: who played whom, what the arms cannot identify, and a table for each pair of models and
// each part.

function renderCrossed({ crossed }: Comparison): string[] {
  if (!crossed) return [];
  const { arms, not_identified: missing } = crossed;
  return [
    '## Who played whom',
    renderTable(
      ['Werewolves', 'Village', 'Matches'],
      arms.map(({ werewolves, villagers, matches }) => [
        ...[werewolves, villagers].map(escapeMarkdown),
        String(matches),
      ]),
      2,
    ),
    'Differences are X − Y. **As Werewolf** and **as village** compare X and Y on that side. **As speaker** compares them before the same listeners, **as listener** before the same speakers, and **as opponent** as what other models play against. Each is a mean over the models of the other side that both X and Y met. The **interaction** is how much more the Werewolves of X differ from the Werewolves of Y against the village of X than against the village of Y. If the interaction is large, the other differences say little about other opponents. All parts add up on the scale of the figure.',
    `Judgments between members of a side count for that side. To tell who deceives better from who listens worse, read rows that name speakers and listeners of different sides. To compare how well models detect lies, use a common panel (\`${formatCommandInFile('annotate')}\`, then \`compare --annotators\`), in which all judge the same statements.`,
    ...(missing.length === 0
      ? []
      : [
          `**Not identified:** ${missing.map(({ models: [x, y], part, needs }) => `${nameMissing(part)} of ${escapeMarkdown(x)} and ${escapeMarkdown(y)}, which needs ${needs}`).join('; ')}. ${missing.some(({ part }) => part === 'interaction') ? 'Without the interaction, a difference holds only for the opponents it was measured against.' : ''}`.trim(),
        ]),
  ];
}

const nameMissing = (part: NotIdentified['part']) =>
  part === 'interaction' ? 'the interaction' : `the difference ${nameEffect({ name: part, side: null })}`;

/** Lists the cautions that the tables at the top do not have. */
export const listOwnNotices = (comparison: Comparison): string[] =>
  comparison.answers.length > 0 && comparison.by !== 'annotator' ? [] : describeBotPart(comparison);

/** Warns that bots played seats or were annotators; empty if no bot took part. */
function describeBotPart({ by, a, b, bots }: Comparison): string[] {
  const isBotAsked = by === 'annotator' && [a, b].some((arm) => arm?.name.startsWith('bot:'));
  const did = [...(bots > 0 ? ['played'] : []), ...(isBotAsked ? ['judged'] : [])].join(' and ');
  return did === '' ? [] : [`Built-in bots ${did}. Their figures say nothing about any language model.`];
}

function renderOpening(comparison: Comparison): string {
  const { by, unpaired, left_out: leftOut, resamples, seed, notes, not_compared: notCompared } = comparison;
  const alone = unpaired.a.length + unpaired.b.length;
  const lack =
    by === 'annotator'
      ? 'because the other annotator judged nothing in it'
      : `because ${by === 'crossed' ? 'another' : 'the other'} arm lacks the deal`;
  return [
    ...describeArms(comparison),
    ...describeFewDeals(comparison),
    `- ${pluralize(comparison.records.matches, 'record')} read, ${formatSealed(comparison.records)}.`,
    ...(alone === 0
      ? []
      : [`- ${pluralize(alone, 'match', 'matches')} left out, ${lack} (listed in \`comparison.json\`).`]),
    ...(leftOut.length === 0
      ? []
      : [
          `- ${pluralize(leftOut.length, 'record is', 'records are')} left out, listed at the end of \`comparison.md\`.`,
        ]),
    ...notes.map((note) => `- ${escapeMarkdown(note)}`),
    ...(notCompared.length === 0
      ? []
      : [
          `- **${pluralize(notCompared.length, 'figure is', 'figures are')} not compared between models: ${explainNotCompared(comparison)}.** The end of \`comparison.md\` lists them.`,
        ]),
    `- The unit is the deal (names, seats, roles). Differences are paired by deal. p and 95 % intervals come from ${resamples} random swaps of the arms within deals (seed ${seed}). With fewer than ten deals, p is exact over all swaps, and there is no interval.`,
  ].join('\n');
}

const fewestForIntervals = 10;

/**
 * States the smallest p that so few deals can give, and whether any difference can be found. Empty with ten deals or
 * more.
 */
function describeFewDeals({ deals }: Comparison): string[] {
  if (deals >= fewestForIntervals) return [];
  const least = 2 ** (1 - deals);
  const found =
    least > 0.05
      ? 'so **no difference can be found at α = .05, however large**: play six deals or more'
      : 'and more if some deals show no difference';
  return [
    `- Too few deals for intervals, so differences are tested exactly. The smallest p that ${pluralize(deals, 'deal')} can give is ${formatProbability(least)}, ${found}.`,
  ];
}

/** Returns the main reason why figures are not compared between models, as a clause. */
function explainNotCompared({ claims_by: extractor, not_compared: notCompared }: Comparison): string {
  if (extractor === rulesExtractor) return 'rules extracted the claims; name a judge (--judge MODEL) to compare them';
  const isByRules = notCompared.every(({ reason }) => reason === 'claims of the rules beside a judge');
  return isByRules
    ? 'rules extracted some of the claims'
    : 'nothing shows that the judge reads all models’ statements alike';
}

/** Lists metrics that cannot be compared between models, with the reason; empty if all can. */
function renderNotCompared({ not_compared: notCompared }: Comparison, titles: ReadonlyMap<string, string>): string[] {
  if (notCompared.length === 0) return [];
  const describe = (reason: IncomparableReason) => {
    const found = notCompared.filter((one) => one.reason === reason).map(({ metric }) => titles.get(metric) ?? metric);
    return `- ${escapeMarkdown(reasonTexts[reason])}: ${found.map(escapeMarkdown).join('; ')}.`;
  };
  return [
    '## Figures not compared',
    'Reasons, each with its figures:',
    [...new Set(notCompared.map(({ reason }) => reason))].map(describe).join('\n'),
    'Reports show these figures for each model separately.',
  ];
}

function describeArms({ by, a, b, crossed, deals, judgements }: Comparison): string[] {
  if (crossed || !a || !b)
    return [
      `- A crossed design: ${pluralize(crossed?.arms.length ?? 0, 'ordered pair')} of models, ${pluralize(deals, 'deal')} that every pair played.`,
    ];
  const names = `A is ${escapeMarkdown(a.name)}, B is ${escapeMarkdown(b.name)}.`;
  if (judgements) {
    const { both, alone } = judgements;
    const lone = `${formatWhole(alone.a)} by A and ${formatWhole(alone.b)} by B`;
    return [
      `- Two annotators judged the same statements from the views of the same listeners: ${pluralize(both, 'judgment')} by both, in ${pluralize(deals, 'deal')}. ${names}`,
      `- Left out because only one of them gave a readable judgment: ${lone}.`,
    ];
  }
  if (by === 'model')
    return [
      `- Two models that changed sides: in each of ${pluralize(deals, 'deal')}, both played both sides. ${names}`,
    ];
  const matches = [a, b].map((arm) => `${escapeMarkdown(arm.name)}, ${pluralize(arm.matches, 'match', 'matches')}`);
  return [`- A: ${matches[0]!}; B: ${matches[1]!}; ${pluralize(deals, 'deal')} in both.`];
}

const renderContrasts = ({ by, contrasts }: Comparison) => [
  `## What differs between the arms${by === 'crossed' ? ' besides models' : ''}`,
  by === 'annotator'
    ? 'Only the annotator: statements, views and labels are the same.'
    : contrasts.length === 0
      ? `Nothing: ${by === 'crossed' ? '' : 'same models on the same sides, '}same rules, same version.`
      : renderTable(
          by === 'crossed' ? ['', 'First arm', 'Others'] : ['', 'A', 'B'],
          contrasts.map(({ what, a, b }) => [what, a, b].map((value) => escapeMarkdown([value].flat().join(', ')))),
          3,
        ),
];

/** Describes whether the endpoints are confirmatory: 'Preregistered: yes; confirmatory.' */
function describeStatus({ preregistration: { status, deals_planned: planned, sample } }: Comparison): string {
  if (status !== 'preregistered') return 'Preregistered: no; exploratory.';
  if (planned === null || sample === null) return 'Preregistered: yes; exploratory.';
  return sample === 'reached'
    ? 'Preregistered: yes; confirmatory.'
    : 'Preregistered: yes; exploratory, since the sample size was not kept.';
}

/** Describes whether the plan's endpoints are confirmatory, and why not. */
function describePreregistration(comparison: Comparison): string {
  const { plan, preregistration, deals } = comparison;
  const { status, played_under: playedUnder, deals_planned: planned, sample } = preregistration;
  const under = playedUnder
    .map(
      ({ sha256, matches }) =>
        `${pluralize(matches, 'match', 'matches')} ${sha256 === null ? 'without a plan' : `under \`${sha256}\``}`,
    )
    .join(', ');
  if (plan === null)
    return status === 'no plan'
      ? `None: no plan was named, neither before the matches nor for this comparison. Everything below is exploratory. \`${formatCommandInFile('plan')}\` writes one for further matches.`
      : `None: the matches were played under a plan (${under}), but this command does not name it. Name its file with \`--plan\`; without it, everything below is exploratory.`;
  const opening = `**${describeStatus(comparison).replace('P', 'p')}**`;
  if (status !== 'preregistered')
    return `${opening} ${
      status === 'another plan'
        ? `The matches were played under another plan: ${under}.`
        : `This plan did not exist before the first call: ${under}.`
    }`;
  const matches = `The manifest of every match has held the plan’s hash since before the match’s first call`;
  if (planned === null || sample === null)
    return `${opening} ${matches}, but the plan names no number of deals, so nobody can tell whether the figures decided when to stop.`;
  const count = `${pluralize(deals, 'deal')} of ${formatWhole(planned)} planned`;
  if (sample === 'reached') return `${opening} ${matches}; ${count}.`;
  return `${opening} ${matches}; ${count}: ${sample === 'exceeded' ? 'more than planned were played.' : 'play the rest with the same command, then compare again.'}`;
}

const describePlan = ({ question, sha256, endpoints, alpha }: NonNullable<Comparison['plan']>) =>
  [
    ...(question === null ? [] : [`> ${escapeMarkdown(question)}`]),
    `${pluralize(endpoints, 'endpoint')} in an analysis plan with SHA-256 \`${sha256}\`. Holm’s procedure adjusts p over all endpoints, including those without a p. Level: α = ${alpha}.`,
  ].join('\n\n');

function renderDifferenceTable(
  differences: readonly Difference[],
  titles: ReadonlyMap<string, string>,
  adjustment: string,
): string {
  if (differences.length === 0) return 'None.';
  const hasPairs = new Set(differences.map(({ part }) => part?.models.join('\n'))).size > 1;
  const namesOfArms = nameArms(differences);
  return renderTable(
    ['Figure', 'Of', ...namesOfArms, '95 % interval', 'Deals', 'p', `p (${adjustment})`, 'Detectable'],
    differences.map((one) => [
      escapeMarkdown(titles.get(one.metric) ?? one.metric),
      `${formatCell(one.of)}${one.part ? `; ${one.joint ? 'joint with the opponent' : nameEffect(one.part)}${hasPairs ? ` of ${one.part.models.map(escapeMarkdown).join(' − ')}` : ''}` : ''}`,
      ...listFigures(one),
      one.low === null ? describeNoInterval(one) : formatInterval(one),
      String(one.pairs),
      ...[one.p, one.p_adjusted].map(formatProbability),
      formatFigure(one.detectable),
    ]),
    2,
  );
}

/** Lists the figures of both arms and their difference. The figure by the judge alone follows each corrected figure. */
const listFigures = ({ a, b, difference, cases_a: ofA, cases_b: ofB, as_found: found }: Difference): string[] => [
  `${formatCounted(a, ofA)}${found === null ? '' : ` (judge: ${formatFigure(found.a)})`}`,
  `${formatCounted(b, ofB)}${found === null ? '' : ` (judge: ${formatFigure(found.b)})`}`,
  `${formatFigure(difference)}${found === null ? '' : ` (judge: ${formatFigure(found.difference)})`}`,
];

const describeNoInterval = ({ reason, least_p: least }: Difference) =>
  `${reason ?? missingPlaceholder}${least === null ? '' : `; least p ${formatProbability(least)}`}`;
