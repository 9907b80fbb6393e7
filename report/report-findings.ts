// Findings of a report in sentences and tables. They describe each model's own behavior and, for pairs of models, how
// one judges the other's lies and who wins.
import { isSpreadOfRule } from '../deception/summary/match-conditions.ts';
import type { Report, ReportedFigure } from '../deception/summary/report-schema.ts';
import { formatPercent, formatPercentInterval, formatWhole, narrowIntervalMark } from './format.ts';

/** A figure of the report that a sentence or a table cell states. */
export interface FigureKey {
  metric: string;
  cell: Readonly<Record<string, string>>;
}

/** Figures about a model on the first page. A figure is null if the report does not have it. */
export interface ModelFindings {
  model: string;
  figures: Readonly<Record<HeadlineName, ReportedFigure | null>>;
}

/** Debate statements by Werewolves, as listeners judged them during the match. */
const heard = { source: 'match', kind: 'debate', speaker_team: 'werewolves' };

/** First-page figures that describe a model alone, by column name. */
export const headlines = {
  lied: {
    title: 'Statements with a provable lie, as Werewolf',
    of: (model: string) => createKey('lie_turn_rate', { team: 'werewolves', model }),
  },
  silent: {
    title: 'Silent turns, as Werewolf',
    of: (model: string) => createKey('silent_turn_rate', { team: 'werewolves', model }),
  },
  refused: {
    title: 'Refused turns, as Werewolf',
    of: (model: string) => createKey('refused_turn_rate', { team: 'werewolves', model }),
  },
} as const;
export type HeadlineName = keyof typeof headlines;
const headlineNames = Object.keys(headlines) as HeadlineName[];

/** Headlines about debate turns without a statement, which have a separate table. */
export const turnHeadlines = ['silent', 'refused'] as const;

function createKey(metric: string, cell: FigureKey['cell']): FigureKey {
  return { metric, cell };
}

/**
 * Creates a function that finds single figures of a report.
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

/** Lists the models of a report by name, each with the figures of the first page. */
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
 * Formats a share with its interval and the number of cases behind it. A dash stands for an unknown share.
 *
 * @example formatCalled(hits) // '25 % [18–33] of 120'
 */
export const formatCalled = (figure: ReportedFigure | null): string =>
  isKnown(figure) ? `${formatShareWithInterval(figure)} of ${formatWhole(figure.opportunities)}` : '–';

const heardMetrics = ['paired_detection', 'matched_hit_rate', 'matched_false_alarm_rate'] as const;

/**
 * Figures about a pair of models: how well the listener's model distinguishes lies, told by the speaker's model as
 * Werewolves, from comparable true claims.
 */
export interface HeardLies {
  speaker: string;
  listener: string;
  detection: ReportedFigure | null;
  /** Shares that the listener called deceptive: `hits` of lies, `alarms` of true claims. */
  hits: ReportedFigure | null;
  alarms: ReportedFigure | null;
}

/**
 * Lists who judged whose lies, by speaker and listener. Each figure depends on both models, so it describes the pair
 * and not one model alone.
 *
 * @example listHeard(report)[0]?.detection?.value // 0.62
 */
export function listHeard(report: Pick<Report, 'metrics'>): HeardLies[] {
  const figures = report.metrics.find(({ name }) => name === heardMetrics[0])?.figures ?? [];
  const find = createFigureFinder(report);
  return figures.flatMap(({ cell }) => {
    const { speaker_model: speaker, observer_model: listener, ...others } = cell;
    if (speaker === undefined || listener === undefined || nameCell(others) !== nameCell(heard)) return [];
    const [ofPairs, ofLies, ofTruths] = heardMetrics;
    return [
      {
        ...{ speaker, listener, detection: find(createKey(ofPairs, cell)) },
        ...{ hits: find(createKey(ofLies, cell)), alarms: find(createKey(ofTruths, cell)) },
      },
    ];
  });
}

/** Returns whether the matches have several boards or rules. Wins are then not counted together. */
export const isOfSeveralGames = ({ conditions = [] }: Partial<Pick<Report, 'conditions'>>): boolean =>
  conditions.some((one) => one.values.length > 1 && (one.name === 'board' || isSpreadOfRule(one)));

const isKnown = (figure: ReportedFigure | null): figure is ReportedFigure => figure !== null && figure.value !== null;

/** Formats a figure with its interval. */
export const formatFinding = (figure: ReportedFigure | null): string =>
  isKnown(figure) ? formatShareWithInterval(figure) : '–';

/**
 * Formats a share with its interval, or with the reason why the interval is missing.
 *
 * @example formatShareWithInterval({ value: 0.31, low: 0.26, high: 0.36 }) // '31 % [26–36]'
 */
export function formatShareWithInterval({
  value,
  low,
  high,
  reason,
  covers,
}: Pick<ReportedFigure, 'value' | 'low' | 'high' | 'reason' | 'covers'>): string {
  if (value === null) return '–';
  if (low === null || high === null) return `${formatPercent(value)} (no interval: ${reason ?? 'not computed'})`;
  return `${formatPercent(value)} ${formatPercentInterval(low, high)}${covers === null ? '' : ` ${narrowIntervalMark}`}`;
}

/** Explanation of the table of who heard whose lies. */
export const aboutHeard =
  'Each lie by one model’s Werewolves is paired with true claims of the same kind, in the same round, by players who were equally suspected before. Listeners are another model’s players who could not know the truth. Guessing gives 50 % of pairs. Read hits only together with the false alarms beside them.';

/**
 * Lists who won against whom: a row for each model as Werewolves, a column for each as village. Null if no wins by
 * known models exist, or if matches have different boards or rules.
 */
export function listHeadToHead(
  report: Pick<Report, 'metrics'> & Partial<Pick<Report, 'conditions'>>,
): { models: string[]; rows: { model: string; cells: (ReportedFigure | null)[] }[] } | null {
  const models = listModels(report);
  const find = createFigureFinder(report);
  const rows = models.map((model) => ({
    model,
    cells: models.map((opponent) => find(createKey('win_rate', { team: 'werewolves', model, opponent }))),
  }));
  return isOfSeveralGames(report) || rows.every(({ cells }) => cells.every((cell) => !isKnown(cell)))
    ? null
    : { models, rows };
}
