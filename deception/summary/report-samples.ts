// The whole sample and its variants, for which headlines are shown side by side.
import type { Manifest } from '../../state/record.ts';
import { listSeats } from '../match-record.ts';
import { Collection } from '../metrics/collect.ts';
import type { Metric } from '../metrics/metric.ts';
import type { MatchTables } from '../tables/row-schemas.ts';
import { keepFirstAnswers } from '../tables/statement-tables.ts';
import type { Report, Spread } from './report-schema.ts';

/** Matches in which more of the questions had no usable answer are left out in one variant. */
export const MOST_FALLBACKS = 0.02;

/** The name of the sample that leaves nothing out. */
export const wholeSample = 'all';

export interface SampleVariant {
  /** Unique. */
  name: string;
  title: string;
  definition: string;
  metrics: readonly Metric[];
  /** What of a match belongs to it; null for nothing. */
  of: (match: MatchTables) => MatchTables | null;
}

/** The first is the whole, with all metrics; the others have the headlines, and what these are covered by. Boards are told apart where several are named. */
export function listSampleVariants(metrics: readonly Metric[], boards: readonly string[]): SampleVariant[] {
  const first = metrics.filter(({ isHeadline }) => isHeadline);
  const covering = new Set(first.map(({ coveredBy }) => coveredBy));
  const headlines = metrics
    .filter((metric) => first.includes(metric) || covering.has(metric.name))
    .map((metric) => ({ ...metric, breakdowns: [] }));
  const byBoard = boards.map((board): SampleVariant => ({
    name: `board ${board}`,
    title: `Board ${board}`,
    definition: `Matches on the board ${board}.`,
    metrics: headlines,
    of: (match) => (match.match.board === board ? match : null),
  }));
  return [
    {
      name: wholeSample,
      title: 'All matches',
      definition: 'Everything that was recorded.',
      metrics,
      of: (match) => match,
    },
    {
      name: 'few_fallbacks',
      title: 'Few fallbacks',
      definition: `Without matches in which more than ${MOST_FALLBACKS * 100} % of the questions had no usable answer, or in which that is not known, as in imported ones.`,
      metrics: headlines,
      of: (match) => ((match.match.fallback_share ?? 1) > MOST_FALLBACKS ? null : match),
    },
    {
      name: 'first_answers',
      title: 'First answers',
      definition:
        'Without statements and analyses for which a model had to be asked more than once. Where that is not known, as in imported matches, they stay.',
      metrics: headlines,
      of: keepFirstAnswers,
    },
    ...(boards.length > 1 ? byBoard : []),
  ];
}

/** Adds matches, in any order, to all samples. The match is the unit; it has the number that it is given. */
export class SampleCollections {
  readonly #samples: readonly { sample: SampleVariant; collection: Collection }[];

  constructor(samples: readonly SampleVariant[]) {
    this.#samples = samples.map((sample) => ({ sample, collection: new Collection(sample.metrics) }));
  }

  add(number: number, match: MatchTables): void {
    for (const { sample, collection } of this.#samples) {
      const part = sample.of(match);
      if (part !== null) collection.add(part, String(number));
    }
  }

  listCollected() {
    return this.#samples.map(({ sample, collection }) => ({
      sample: sample.name,
      matches: collection.size,
      cells: collection
        .listCells()
        .map(({ metric, cell, clusters }) => ({ key: { sample: sample.name, metric: metric.name, cell }, clusters })),
    }));
  }
}

// Under which conditions the matches of a sample were played, and what a reader must know where they differ.

/** What is kept of each match. */
export interface MatchConditions {
  /** Condition → its value; of models all that played. */
  conditions: Readonly<Record<string, readonly string[]>>;
  /** Null where the match was imported: another program dealt it. */
  seed: number | null;
  seats: number;
  bots: number;
}

const rulePrefix = 'rule ';

/** `extractor`: who drew the claims, `rules` or a judge's model. */
export function createMatchConditions(manifest: Manifest, extractor: string): MatchConditions {
  const { setup, made_by: madeBy, imported } = manifest;
  const roles = Object.entries(setup.board.roles).map(([role, count]) => `${count} × ${role}`);
  const rules = Object.entries(setup.rules).map(([name, value]): [string, string[]] => [
    `${rulePrefix}${name}`,
    [String(value)],
  ]);
  const markImported = (value: string) => (imported === undefined ? value : 'imported');
  return {
    conditions: {
      board: [`${setup.board.name} (${roles.join(', ')})`],
      models: [...new Set(listSeats(manifest).map(({ model }) => model))],
      'played by': [imported === undefined ? 'wolfgraph' : `imported from ${imported.format}`],
      'claims drawn by': [extractor],
      wolfgraph: [madeBy.wolfgraph],
      'wording of prompts (templates_sha256)': [markImported(madeBy.templates_sha256.slice(0, 12))],
      'sentence about lying': [markImported(setup.honesty_sentence ?? 'none')],
      ...Object.fromEntries(rules),
    },
    seed: imported === undefined ? setup.seed : null,
    seats: setup.players.length,
    bots: setup.bots.length,
  };
}

/** How often each value of each condition was met, values in the order of their letters. */
export function countSpread(matches: readonly MatchConditions[]): Spread[] {
  const names = new Set(matches.flatMap(({ conditions }) => Object.keys(conditions)));
  return [...names].map((name) => {
    const found = new Map<string, number>();
    for (const { conditions } of matches)
      for (const value of conditions[name] ?? ['not known']) found.set(value, (found.get(value) ?? 0) + 1);
    const values = [...found].map(([value, count]) => ({ value, matches: count }));
    return { name, values: values.sort((one, other) => (one.value < other.value ? -1 : 1)) };
  });
}

export const isRule = ({ name }: Spread) => name.startsWith(rulePrefix);

/** Whether the matches differ in it. Several models in every match are no difference. */
export const isMixed = ({ values }: Spread, all: number) => values.some(({ matches }) => matches < all);

export function summarizeSeeds(matches: readonly MatchConditions[]): Report['seeds'] {
  const dealt = matches.flatMap(({ seed }) => seed ?? []);
  const seeds = [...new Set(dealt)].sort((one, other) => one - other);
  return { matches: dealt.length, different: seeds.length, lowest: seeds[0] ?? null, highest: seeds.at(-1) ?? null };
}

/** Said above figures in which bots have a part; null where they have none. */
export function describeBotShare(matches: readonly Pick<MatchConditions, 'seats' | 'bots'>[]): string | null {
  const withBots = matches.filter(({ bots }) => bots > 0);
  if (withBots.length === 0) return null;
  const areAlone = withBots.every(({ seats, bots }) => bots === seats);
  if (areAlone && withBots.length === matches.length)
    return `Built-in bots played in all seats of ${phraseAll(matches.length)}. These figures say nothing about any language model.`;
  const where = areAlone ? 'all seats' : 'seats';
  return `Built-in bots played in ${where} of ${withBots.length} of ${matches.length} matches. Figures in which these have a part say nothing about any language model.`;
}

const phraseAll = (count: number) => (count === 1 ? 'the one match' : `all ${count} matches`);

/** What a reader must know before the figures, one sentence or two each. */
export function listNotes(spread: readonly Spread[], seeds: Report['seeds'], all: number): string[] {
  const mixed = spread.filter((one) => isMixed(one, all));
  const [rules, others] = [mixed.filter(isRule), mixed.filter((one) => !isRule(one))];
  const ruleNames = rules.map(({ name }) => name.slice(rulePrefix.length));
  return [
    ...others.map(
      ({ name, values }) =>
        `The matches differ in: ${name}. ${values.map(({ value, matches }) => `${value} in ${matches}`).join('; ')}.`,
    ),
    ...(rules.length === 0
      ? []
      : [`The matches were played under different rules: ${ruleNames.join(', ')} are not the same in all of them.`]),
    ...(mixed.length === 0
      ? []
      : ['Where conditions differ, pooled figures describe this mixture and no single condition.']),
    ...(seeds.different < seeds.matches
      ? [
          `Only ${seeds.different} of ${seeds.matches} seeds are different: matches with the same seed may share their deal.`,
        ]
      : []),
    ...(seeds.matches < all
      ? [
          `${all - seeds.matches} of ${all} matches ${all - seeds.matches === 1 ? 'was' : 'were'} imported: without seed, and without what is known of failed answers, so not among “Few fallbacks”.`,
        ]
      : []),
  ];
}
