// Sentences and tables about the effects of statements, shared by Markdown and HTML.
import type { Effect, EffectCell, EffectEstimate, EffectsReport } from '../deception/forks/estimate-effects.ts';
import { outcomeMeasures } from '../deception/forks/outcome-measures.ts';
import { formatFigure, formatInterval, formatPercent, formatWhole, missingPlaceholder, pluralize } from './format.ts';

/** A study of forks and its results. */
export interface ForkReport extends EffectsReport {
  /** Settings of the study, in words. */
  study: {
    folders: readonly string[];
    where: string;
    /** Names of arms from `nameForkArm`. The first is `keep`. */
    arms: readonly string[];
    until: 'vote' | 'end';
    seed: number;
    neutral: string;
    /** Extractor of claims: `rules`, or a judge. */
    extractor: string;
  };
  statements: number;
  matches: number;
  deals: number;
  forks: number;
  /** Number of statements whose speaker, or a listener, is a built-in bot. */
  withBots: number;
}

export interface TextTable {
  title: string;
  /** Notes above the table. */
  notes: readonly string[];
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** Number of columns, from the left, that hold text instead of numbers. */
  texts: number;
}

export const forkReportTitle = 'Effects of the statements';

/** Formats the effect with its interval, or with the reason why the interval is missing. */
const formatEffect = ({ effect, low, high, reason }: EffectEstimate): string => {
  if (effect === null) return missingPlaceholder;
  const value = `${effect > 0 ? '+' : ''}${formatFigure(effect)}`;
  return low === null ? `${value} (${reason})` : `${value} [${formatInterval({ low, high })}]`;
};

const isWhole = ({ of }: Effect) => Object.keys(of).length === 0;

const dimensions: Readonly<Record<keyof EffectCell, string>> = {
  role: 'role',
  claim: 'kind of claim',
  round: 'round',
  speaker_model: 'speaker’s model',
  listener_model: 'listener’s model',
};

const nameDimension = (of: EffectCell): string =>
  (Object.keys(of) as (keyof EffectCell)[]).map((key) => dimensions[key]).join(' and ');

const effectHead = ['keep', 'arm', 'Effect', 'Statements', 'Deals'];
const listEffectCells = (effect: Effect) => [
  ...[formatFigure(effect.keep), formatFigure(effect.other), formatEffect(effect)],
  ...[formatWhole(effect.statements), formatWhole(effect.deals)],
];

const nameOutcome = ({ outcome, listeners }: Effect): string =>
  `${outcomeMeasures[outcome].title}${listeners === 'unknowing' ? ', those who could not know' : ''}`;

/** Describes what a study covers. */
export function describeForkStudy({ study, statements, matches, deals, forks, withBots }: ForkReport): string[] {
  const { where, arms, until, extractor, neutral } = study;
  return [
    `${pluralize(statements, 'statement')} of ${pluralize(matches, 'match', 'matches')} (${pluralize(deals, 'deal')}) for which ${where} holds; claims were read by ${extractor === 'rules' ? 'the rules' : extractor}.`,
    `${pluralize(forks, 'fork')} in the arms ${arms.join(', ')}, played ${until === 'vote' ? 'until the vote of the day' : 'to the end'}.${arms.includes('neutral') ? ` The neutral sentence: “${neutral}”` : ''}`,
    'Effect = keep − arm: the outcome after the statement as it was said, minus the outcome of the same moment in the other arm. Brackets: 95% confidence intervals, clustered by deal.',
    ...(withBots > 0
      ? [
          'Built-in bots played in these matches. These figures are not evidence about language models, and language models may have another spread.',
        ]
      : []),
  ];
}

/** Lists all tables of a study, in the order of the page. */
export function listForkTables(report: ForkReport): TextTable[] {
  return [
    ...listWholeTables(report),
    ...listMovedTable(report),
    ...listComplianceTables(report),
    ...listBreakdownTables(report),
    ...listRankedTable(report),
    listDefinitions(report),
  ].filter(({ rows }) => rows.length > 0);
}

const listWholeTables = ({ effects, study }: ForkReport): TextTable[] =>
  study.arms.slice(1).map((arm) => ({
    title: `keep against ${arm}`,
    notes:
      arm === 'silence'
        ? ['The arm silence has no statement to judge, so the arms are compared only at the vote.']
        : [],
    head: ['Outcome', ...effectHead],
    rows: effects
      .filter((one) => one.arm === arm && isWhole(one) && !one.isSelected)
      .map((one) => [nameOutcome(one), ...listEffectCells(one)]),
    texts: 1,
  }));

const listMovedTable = ({ moved }: ForkReport): TextTable[] => [
  {
    title: 'Statements that moved the vote',
    notes: [
      'Share of statements after which the arm exiled another player than keep, minus the share after which a second replay of keep did so, because any two continuations may differ.',
    ],
    head: ['Arm', 'Differs from keep', 'keep differs from itself', 'Moved the vote', 'Statements', 'Deals'],
    rows: moved
      .filter(({ statements }) => statements > 0)
      .map((one) => [
        ...[one.arm, formatPercent(one.differs), formatPercent(one.floor), formatEffect(one)],
        ...[formatWhole(one.statements), formatWhole(one.deals)],
      ]),
    texts: 1,
  },
];

const listComplianceTables = ({ compliance, effects }: ForkReport): TextTable[] => [
  {
    title: 'Statements of speakers who were asked again',
    notes: [
      'Their claims were extracted like those of the study’s statements. The effects above count everybody who was asked, whatever they said.',
    ],
    head: ['Arm', 'Asked', 'Read', 'Without a lie', 'Share'],
    rows: compliance.map(({ arm, statements, read, withoutLie }) => [
      ...[arm, formatWhole(statements), formatWhole(read), formatWhole(withoutLie)],
      formatPercent(read === 0 ? null : withoutLie / read),
    ]),
    texts: 1,
  },
  {
    title: 'Only where no lie was told (selected)',
    notes: [
      'Speakers chose whether to comply, so these statements are a selection of the study’s: differences may come from the selection.',
    ],
    head: ['Arm', 'Outcome', ...effectHead],
    rows: effects
      .filter(({ isSelected }) => isSelected)
      .map((one) => [one.arm, nameOutcome(one), ...listEffectCells(one)]),
    texts: 2,
  },
];

/** Lists one table for each dimension in which the statements or listeners differ. */
function listBreakdownTables({ effects }: ForkReport): TextTable[] {
  const parts = effects.filter((one) => !isWhole(one) && !one.isSelected);
  return [...Map.groupBy(parts, ({ of }) => nameDimension(of))].map(([dimension, own]) => {
    const keys = Object.keys(own[0]?.of ?? {}) as (keyof EffectCell)[];
    return {
      title: `By ${dimension}`,
      notes: keys.includes('claim') ? ['A statement counts once with each kind of claim that it makes.'] : [],
      head: [...keys.map((key) => dimensions[key]), 'Arm', 'Outcome', ...effectHead],
      rows: own.map((one) => [
        ...keys.map((key) => String(one.of[key])),
        ...[one.arm, nameOutcome(one), ...listEffectCells(one)],
      ]),
      texts: keys.length + 2,
    };
  });
}

const listRankedTable = ({ ranked }: ForkReport): TextTable[] => [
  {
    title: 'Single statements',
    notes: [
      'Chosen by their effect in single replays, then replayed afresh; only the fresh replays are shown. ± is the standard error over replays.',
    ],
    head: ['Statement', 'Arm', 'Outcome', 'Effect', 'Replays'],
    rows: ranked.map(({ match, statement, arm, outcome, effect, se, replays }) => [
      ...[`${match}/${statement}`, arm, outcomeMeasures[outcome].title],
      `${effect > 0 ? '+' : ''}${formatFigure(effect)}${se === null ? '' : ` ± ${formatFigure(se)}`}`,
      formatWhole(replays),
    ]),
    texts: 3,
  },
];

const listDefinitions = ({ effects }: ForkReport): TextTable => ({
  title: 'Definitions',
  notes: [],
  head: ['Outcome', 'Definition'],
  rows: [...new Set(effects.map(({ outcome }) => outcome))].map((outcome) => [
    outcomeMeasures[outcome].title,
    outcomeMeasures[outcome].definition,
  ]),
  texts: 2,
});
