// What a report found, in sentences: for each model how it deceives, how it detects, how its sides fare and what it costs.
import { rulesExtractor } from '../deception/metrics/comparability.ts';
import { isSpreadOfRule, listExtractors } from '../deception/summary/match-conditions.ts';
import type { Report, ReportedFigure } from '../deception/summary/report-schema.ts';
import { formatPercent, formatPercentNumber, formatWhole, incomparableMark, narrowIntervalMark } from './format.ts';

/** A figure of the report that a sentence or a cell of a table tells. */
export interface FigureKey {
  metric: string;
  cell: Readonly<Record<string, string>>;
}

/** A sentence about a model, with the figures it is made of. */
export interface Finding {
  model: string;
  sentence: string;
  figures: FigureKey[];
}

/** What stands on the first page about a model; each figure null where the report has none. */
export interface ModelFindings {
  model: string;
  figures: Readonly<Record<HeadlineName, ReportedFigure | null>>;
}

/** Statements of debates that Werewolves made, as those heard them in the match who could not know what is true. */
const heard = { source: 'match', kind: 'debate', speaker_team: 'werewolves' };

/** The figures of the first page, by the name of their column. */
export const headlines = {
  lied: { title: 'Lied as Werewolf', of: (model: string) => createKey('lie_turn_rate', { team: 'werewolves', model }) },
  wasCaught: {
    title: 'Its lies called deceptive',
    of: (model: string) => createKey('hit_rate_within_side', { ...heard, speaker_model: model }),
  },
  caught: {
    title: 'Lies it called deceptive',
    of: (model: string) => createKey('hit_rate_within_side', { ...heard, observer_model: model }),
  },
  falseAlarms: {
    title: 'False alarms',
    of: (model: string) => createKey('false_alarm_rate_within_side', { ...heard, observer_model: model }),
  },
  wonAsWerewolves: {
    title: 'Won as Werewolves',
    of: (model: string) => createKey('win_rate', { team: 'werewolves', model }),
  },
  wonAsVillage: { title: 'Won as village', of: (model: string) => createKey('win_rate', { team: 'villagers', model }) },
  cost: { title: 'USD a match', of: (model: string) => createKey('cost_per_match', { model }) },
} as const;
export type HeadlineName = keyof typeof headlines;
export const headlineNames = Object.keys(headlines) as HeadlineName[];

function createKey(metric: string, cell: FigureKey['cell']): FigureKey {
  return { metric, cell };
}

/**
 * Finds single figures of a report.
 *
 * @example createFigureFinder(report)({ metric: 'win_rate', cell: { team: 'werewolves' } })?.value
 */
export function createFigureFinder({ metrics }: Pick<Report, 'metrics'>) {
  const indexed = new Map<string, Map<string, ReportedFigure>>(); // most metrics are never asked for
  const indexMetric = (metric: string) => {
    const figures = metrics.find(({ name }) => name === metric)?.figures ?? [];
    const index = new Map(figures.map((figure) => [nameCell(figure.cell), figure]));
    indexed.set(metric, index);
    return index;
  };
  return ({ metric, cell }: FigureKey): ReportedFigure | null =>
    (indexed.get(metric) ?? indexMetric(metric)).get(nameCell(cell)) ?? null;
}

const nameCell = (cell: FigureKey['cell']) => JSON.stringify(Object.entries(cell).sort());

/** The models of a report by name, each with the figures of the first page. */
export function listModelFindings(report: Pick<Report, 'metrics'>): ModelFindings[] {
  const find = createFigureFinder(report);
  return listModels(report).map((model) => ({
    model,
    figures: Object.fromEntries(
      headlineNames.map((name) => [name, find(headlines[name].of(model))]),
    ) as ModelFindings['figures'],
  }));
}

function listModels({ metrics }: Pick<Report, 'metrics'>): string[] {
  const wins = metrics.find(({ name }) => name === 'win_rate')?.figures ?? [];
  return [...new Set(wins.flatMap(({ cell }) => cell['model'] ?? []))].sort();
}

/**
 * The sentences about each model, in the order of the models. A figure without data is left out of its sentence, and a
 * sentence without any is left out.
 *
 * @example listFindings(report)[0]!.sentence
 * // 'As Werewolf, gpt lied in 31 % [26–36] of its public statements.'
 */
export function listFindings(report: Pick<Report, 'metrics'> & Partial<Pick<Report, 'conditions'>>): Finding[] {
  const isMixed = (report.conditions ?? []).some(
    (one) => one.values.length > 1 && (one.name === 'board' || isSpreadOfRule(one)),
  );
  return listModelFindings(report).flatMap(({ model, figures }) =>
    sentences.flatMap(({ names, write, writeOfRules = write, isWhole = false, ofOneBoard = false }) => {
      if (ofOneBoard && isMixed) return [];
      const known = names.filter((name) => isKnown(figures[name]) && !(name === 'cost' && figures[name].value === 0));
      if (known.length === 0 || (isWhole && names.some((name) => (figures[name]?.low ?? null) === null))) return [];
      const tell: Tell = (name, words) =>
        isKnown(figures[name])
          ? [
              words(
                formatFinding(name, figures[name]) + markIncomparable(figures[name]),
                formatWhole(figures[name].opportunities),
              ),
            ]
          : [];
      const sentence = `${(isReadByRules(report) ? writeOfRules : write)(model, tell)}.`;
      return [{ model, sentence, figures: known.map((name) => headlines[name].of(model)) }];
    }),
  );
}

/** Without a judge a figure of lies is a lower bound: what the rules can prove. */
function isReadByRules({ conditions = [] }: Partial<Pick<Report, 'conditions'>>): boolean {
  const extractors = listExtractors(conditions);
  return extractors.length > 0 && extractors.every((extractor) => extractor === rulesExtractor);
}

const markIncomparable = ({ comparable }: ReportedFigure) => (comparable ? '' : ` ${incomparableMark}`);

const isKnown = (figure: ReportedFigure | null): figure is ReportedFigure => figure !== null && figure.value !== null;

type Tell = (name: HeadlineName, words: (share: string, of: string) => string) => string[];

type WriteFinding = (model: string, tell: Tell) => string;

interface FindingSentence {
  names: HeadlineName[];
  write: WriteFinding;
  /** Where rules read the claims. */
  writeOfRules?: WriteFinding;
  /** Whether none of its figures is told without the others, nor without an interval. */
  isWhole?: true;
  /** Whether boards and presets differ too much in it to be told together. */
  ofOneBoard?: true;
}

const sentences: FindingSentence[] = [
  {
    names: ['lied'],
    write: (model, tell) =>
      tell('lied', (share) => `As Werewolf, ${model} lied in ${share} of its public statements`).join(''),
    writeOfRules: (model, tell) =>
      tell(
        'lied',
        (share) =>
          `At least ${share} of the public statements of ${model} as Werewolf hold a lie that the rules can prove`,
      ).join(''),
  },
  {
    // Hits alone say nothing: whoever calls everything deceptive has most of them.
    names: ['caught', 'falseAlarms'],
    isWhole: true,
    write: (model, tell) =>
      `Listening without knowing, ${model} called deceptive ${[
        ...tell('caught', (share, of) => `${share} of the Werewolves’ lies (${of} judgments)`),
        ...tell('falseAlarms', (share, of) => `${share} of their other statements (${of})`),
      ].join(' and ')}`,
  },
  {
    names: ['wonAsWerewolves', 'wonAsVillage'],
    ofOneBoard: true,
    write: (model, tell) =>
      [
        ...tell('wonAsWerewolves', (share) => `where ${model} played the Werewolves, its side won ${share}`),
        ...tell('wonAsVillage', (share) => `where ${model} played the village, its side won ${share}`),
      ]
        .join('; ')
        .replace(/^where/, 'Where'),
  },
  { names: ['cost'], write: (model, tell) => tell('cost', (usd) => `${model} cost USD ${usd} a match`).join('') },
];

/** The value of a headline with its interval, and what chance gives, e.g. "31 % [26–36] (by chance 50 %)". */
export function formatFinding(name: HeadlineName, figure: ReportedFigure | null): string {
  if (!isKnown(figure)) return '–';
  const chance = figure.chance === null || name === 'cost' ? '' : ` (by chance ${formatPercent(figure.chance)})`;
  return `${name === 'cost' ? formatAmount(figure) : formatShareWithInterval(figure)}${chance}`;
}

/** @example formatShareWithInterval({ value: 0.31, low: 0.26, high: 0.36 }) // '31 % [26–36]' */
export function formatShareWithInterval({
  value,
  low,
  high,
  reason,
  covers,
}: Pick<ReportedFigure, 'value' | 'low' | 'high' | 'reason' | 'covers'>): string {
  if (value === null) return '–';
  if (low === null || high === null) return `${formatPercent(value)} (no interval: ${reason ?? 'not computed'})`;
  return `${formatPercent(value)} [${formatPercentNumber(low)}–${formatPercentNumber(high)}]${covers === null ? '' : ` ${narrowIntervalMark}`}`;
}

const formatAmount = ({ value, low, high }: ReportedFigure) =>
  low === null || high === null ? value!.toFixed(4) : `${value!.toFixed(4)} [${low.toFixed(4)}–${high.toFixed(4)}]`;

/** Who won against whom: a row for each model as Werewolves, a column for each as village; null with fewer than two. */
export function listHeadToHead(
  report: Pick<Report, 'metrics'>,
): { models: string[]; rows: { model: string; cells: (ReportedFigure | null)[] }[] } | null {
  const models = listModels(report);
  const find = createFigureFinder(report);
  const rows = models.map((model) => ({
    model,
    cells: models.map((opponent) => find(createKey('win_rate', { team: 'werewolves', model, opponent }))),
  }));
  return models.length < 2 || rows.every(({ cells }) => cells.every((cell) => !isKnown(cell)))
    ? null
    : { models, rows };
}
