// Answers the questions at the top of every page: who lies, who is believed, who catches lies, who wins, and how
// certain each answer is. A figure that depends on two models is attributed to one of them only if the design
// identifies that model's part, as `compare` decides. All of this is in one file, because every cell is built from the
// same study.
import { computeDifferences } from '../comparison/differences.ts';
import { oneFamily } from '../comparison/test-families.ts';
import { type Difference, type Equivalence, isSameCell } from '../comparison/comparison-schema.ts';
import type { ContrastedFigure } from '../comparison/contrasted-figure.ts';
import { createPart, listPartContrasts, type PartContrast } from '../comparison/crossed-effects.ts';
import { findIncomparableReason, type ReadingFinding, reasonTexts } from '../metrics/comparability.ts';
import { computeFigure } from '../metrics/metric-collection.ts';
import { correctedLieTurnRate } from '../metrics/lie-correction.ts';
import { lieTurnRate } from '../metrics/lie-exposure.ts';
import type { Metric } from '../metrics/metric.ts';
import { describeBotShare } from '../summary/match-conditions.ts';
import { createResampling, MIN_CLUSTERS, type Resampling } from '../statistics/bootstrap.ts';
import { pairContrast } from '../statistics/paired-test.ts';
import { createDifferenceRow } from '../ratings/build-leaderboard.ts';
import type { Rating } from '../ratings/leaderboard-schema.ts';
import { rateEntrants } from '../ratings/rate-entrants.ts';
import type { RatedMatch } from '../ratings/rating-model.ts';
import { computeCorrected, isCorrectable } from '../statistics/prediction-powered.ts';
import { boundToShare } from '../statistics/proportion.ts';
import { addSums, computeRatio, sum, type Sums } from '../statistics/sums.ts';
import { listTypedNames } from '../../state/model-identity.ts';
import type { Team } from '../../state/teams.ts';
import type {
  AnswerCell,
  AnswerDifference,
  AnswerQuestion,
  AnswerRow,
  AnswerTable,
  StudyFacts,
} from '../metrics/answer-table-schema.ts';
import { type AskedMetric, askedMetrics, type CountedAnswers } from './answered-match.ts';
import { computeOverArms, packArms } from './average-over-arms.ts';
import {
  answerCost,
  answerRead,
  boundAtAnyTime,
  countScarcest,
  createCell,
  isByRules,
  isOfClaims,
  measureRead,
  measureUnpriced,
} from './answer-cells.ts';
import { splitReplicates } from './replicate-variance.ts';
import { describeUnknown, leastRead, nameGround, type NamedStudy } from './unknown-answers.ts';

export interface AnswerOptions {
  resamples: number;
  seed: number;
  /**
   * Finding about how well the judge reads, such as that it reads all models alike. Null unless one judge read all
   * matches.
   */
  reading: ReadingFinding | null;
  /**
   * Number of planned deals of a tournament that may stop early. Intervals are then valid at any stopping time, and
   * only the leaderboard compares entrants.
   */
  sequential?: { plannedDeals: number };
  /** Chance values by question. The table shows them if all matches have the same conditions. */
  chance?: Readonly<Partial<Record<AnswerQuestion, number>>>;
  /** Text above the table of an incomplete study. Such a table compares nothing. */
  soFar?: string;
  /**
   * Caution about how the claims were extracted, if models cannot be compared by these claims. Omitted from pages that
   * compare nothing.
   */
  claims?: string | null;
  /** Further cautions above the table. */
  cautions?: readonly string[];
  /** Ratings of the leaderboard. The table uses these, so that a page never shows two scores for one entrant. */
  ratings?: readonly Rating[];
  /** Equivalence tests with margins that were named before the data were seen. The differences show their results. */
  equivalence?: readonly Equivalence[];
  /** The study's name in commands. Without it the table suggests no command. */
  study?: NamedStudy;
}

/**
 * Returns one table per condition, the condition with the most matches first.
 *
 * @example buildAnswerTables(matches, { resamples: 2000, seed: 1, reading: 'alike', study: { folders: ['runs/study'] } })[0]?.rows[0]?.cells
 */
export function buildAnswerTables(matches: readonly CountedAnswers[], options: AnswerOptions): AnswerTable[] {
  const byCondition = [...Map.groupBy(matches, ({ condition }) => condition)];
  const conditions = nameConditions(byCondition.map(([condition]) => condition));
  const isOneCondition = conditions.length === 1;
  const names = listTypedNames([...new Set(matches.flatMap(({ labels }) => labels))]);
  return byCondition
    .map(([, own], place) => buildTable(conditions[place] ?? null, own, { ...options, isOneCondition, names }))
    .sort((one, other) => other.matches - one.matches || ((one.condition ?? '') < (other.condition ?? '') ? -1 : 1));
}

/** Maximum number of rules that the name of a condition lists. */
const mostNamed = 3;

/** Names each condition by the values that differ between conditions; null for a single condition. */
function nameConditions(conditions: readonly string[]): (string | null)[] {
  if (conditions.length < 2) return [null];
  const read = conditions.map((one) => JSON.parse(one) as Record<string, unknown>);
  const names = [...new Set(read.flatMap(Object.keys))];
  const differing = names.filter((name) => new Set(read.map((one) => JSON.stringify(one[name]))).size > 1);
  const told = differing.includes('condition') ? ['condition'] : differing.slice(0, mostNamed);
  const labels = read.map((one) =>
    told.map((name) =>
      name === 'condition' ? (one[name] as string) : `${name} ${JSON.stringify(one[name]) ?? 'unset'}`,
    ),
  );
  const isTold = new Set(labels.map(String)).size === labels.length;
  const isCut = told.length < differing.length && told[0] !== 'condition';
  return labels.map((label, place) =>
    [...label, ...(isCut ? ['…'] : [])].join(', ').concat(isTold ? '' : ` (condition ${place + 1})`),
  );
}

/** The matches that share a condition, and facts about all of them. */
interface Study extends AnswerOptions {
  isOneCondition: boolean;
  /** Model → the name that its user typed. Holds only models whose two names differ. */
  names: Readonly<Record<string, string>>;
  matches: readonly CountedAnswers[];
  models: readonly string[];
  resampling: Resampling;
  extractors: readonly string[];
  /** Model → share of its statements that the extractor could read, on the side where this share is smaller. */
  readShares: ReadonlyMap<string, LeastRead>;
  isUnread: boolean;
  /** The questions. The question about lies has the corrected metric if the extractor's errors can be corrected for. */
  asked: readonly AskedMetric[];
  arms: readonly Record<Team, string>[];
  contrasts: readonly PartContrast[];
  byArm: ReadonlyMap<string, ReadonlyMap<string, readonly CountedAnswers[]>>;
  /** Returns the ratings. They are computed at the first call, because most tables have no score. */
  rating: () => Scores;
}

const nameArm = ({ werewolves, villagers }: Record<Team, string>) => JSON.stringify([werewolves, villagers]);

function buildTable(
  condition: string | null,
  matches: readonly CountedAnswers[],
  options: AnswerOptions & Pick<Study, 'isOneCondition' | 'names'>,
): AnswerTable {
  const deals = new Set(matches.map(({ deal }) => deal)).size;
  const study = surveyStudy(matches, deals, options);
  const partners = { werewolves: findPartners(study, 'werewolves'), villagers: findPartners(study, 'villagers') };
  const isWon = study.models.some((model) => listPartnersOf(partners, 'werewolves', model).length > 0 || listPartnersOf(partners, 'villagers', model).length > 0); // prettier-ignore
  const rows = study.models.map((model): AnswerRow => ({
    model,
    cells: [
      ...study.asked
        .filter(({ question }) => isWon || !question.startsWith('wins'))
        .map((asked) => answerByMetric(asked, model, study, listPartnersOf(partners, asked.side, model))),
      ...(isWon ? [] : [answerScore(model, study)]),
      answerRead(model, study),
      answerCost(model, study),
    ],
  }));
  const isCompared = !study.isUnread && study.sequential === undefined && study.soFar === undefined;
  const isScored = !isWon && rows.every(({ cells }) => cells.some((one) => one.question === 'score' && one.state === 'known')); // prettier-ignore
  const differences = isCompared ? [...compareAnswers(study, rows), ...(isScored ? compareScores(study) : [])] : [];
  return {
    ...{ condition, matches: matches.length, deals, facts: describeStudy(study), cautions: listCautions(study), rows },
    differences,
    names: { ...study.names },
    replicated: study.soFar === undefined ? splitReplicates(matches) : [],
    unknown: describeUnknown({
      ...{ rows, differences, deals, extractors: study.extractors, study: study.study ?? { folders: [] } },
      nameModel: (model) => study.names[model] ?? model,
      ground: matches[0]?.condition ?? '{}',
      isJudgeUseless: study.reading === 'not reading',
      incomparable: explainIncomparable(study),
      uncorrected: listUncorrected(study, rows),
      unpriced: new Map(study.models.map((model) => [model, measureUnpriced(model, study)])),
    }),
  };
}

function surveyStudy(
  matches: readonly CountedAnswers[],
  deals: number,
  options: AnswerOptions & Pick<Study, 'isOneCondition' | 'names'>,
): Study {
  const models = [...new Set(matches.flatMap(({ players }) => players.map(({ model }) => model)))].sort();
  const sided = matches.flatMap((match) => {
    const { werewolves, villagers } = match.sides;
    return werewolves === null || villagers === null ? [] : [{ arm: { werewolves, villagers }, match }];
  });
  const arms = [...new Map(sided.map(({ arm }) => [nameArm(arm), arm])).values()];
  const byArm = new Map(
    [...Map.groupBy(sided, ({ arm }) => nameArm(arm))].map(([name, own]) => [
      name,
      Map.groupBy(
        own.map(({ match }) => match),
        ({ deal }) => deal,
      ),
    ]),
  );
  const readShares = new Map(models.map((model) => [model, measureLeastRead(model, matches)]));
  const extractors = [...new Set(matches.map(({ extractor }) => extractor))].sort();
  const resampling = createResampling(deals, options.resamples, options.seed);
  let scores: Scores | undefined;
  return {
    ...options,
    ...{ matches, models, arms, byArm, readShares, extractors, resampling, asked: listAsked(matches, extractors) },
    rating: () => (scores ??= rateScores(matches, options, resampling)),
    contrasts: listPartContrasts(arms).identified.filter(({ side }) => side !== null),
    isUnread:
      !isByRules(extractors) &&
      (options.reading === 'not reading' || [...readShares.values()].some(({ share }) => share < leastRead)),
  };
}

/**
 * Lists the questions. The metric of lies is the corrected one if every player's lies as a Werewolf can be corrected
 * for the judge's errors.
 */
function listAsked(matches: readonly CountedAnswers[], extractors: readonly string[]): readonly AskedMetric[] {
  const lies = matches.flatMap(({ players }) =>
    players.flatMap((one) => (one.team === 'werewolves' ? [one.lies] : [])),
  );
  if (isByRules(extractors) || !isCorrectable(lies)) return askedMetrics;
  return askedMetrics.map((asked) => (asked.question === 'lies' ? { ...asked, metric: correctedLieTurnRate } : asked));
}

/** Share of a model's statements on a side that the extractor could read, 0 to 1. */
interface LeastRead {
  share: number;
  side: string;
}

/**
 * Computes the share of a model's statements that the extractor could read, on each side, and returns the smaller
 * share.
 */
function measureLeastRead(model: string, matches: readonly CountedAnswers[]): LeastRead {
  const own = matches.flatMap(({ players }) => players.filter((one) => one.model === model));
  const shares = [...Map.groupBy(own, ({ team }) => team)].map(([team, players]): LeastRead => {
    const { read, statements } = measureRead(players);
    return { share: computeRatio(read, statements) ?? 1, side: team === 'werewolves' ? 'as Werewolf' : 'as village' };
  });
  return shares.reduce((least, one) => (one.share < least.share ? one : least), { share: 1, side: '' });
}

const formatShare = (share: number) => `${(100 * share).toFixed(0)}%`;

/** Returns the facts about the matches with which every page begins. */
function describeStudy({ matches, models, arms, extractors }: Study): StudyFacts {
  const { read, statements } = measureRead(matches.flatMap(({ players }) => players));
  return {
    ...nameGround(matches[0]?.condition ?? '{}'),
    is_crossed: models.length > 1 && arms.length === models.length ** 2,
    extractors: [...extractors],
    read: isByRules(extractors) ? null : computeRatio(read, statements),
  };
}

function listCautions(study: Study): string[] {
  const { matches, soFar, sequential, claims = null, cautions = [] } = study;
  const bots = describeBotShare(matches);
  const reading = listReadingCautions(study);
  const early =
    sequential === undefined
      ? []
      : [
          'Nothing is compared in this table: the tournament may stop early. Its intervals hold at any time (asymptotic confidence sequences), and so do the ratings of the leaderboard, which compare.',
        ];
  return [
    ...(soFar === undefined ? [] : [soFar]),
    ...(bots === null ? [] : [bots]),
    ...early,
    ...reading,
    ...(claims === null || reading.length > 0 ? [] : [claims]),
    ...cautions,
  ];
}

function listReadingCautions({ isUnread, readShares, reading, extractors, names }: Study): string[] {
  if (!isUnread) return [];
  const judge = extractors.length === 1 ? `the judge, ${extractors.join('')},` : 'the judge';
  if (reading === 'not reading')
    return [
      `Nothing is compared or ranked: ${judge} denies claims that stand in the text, and so does not read reliably.`,
    ];
  const unread = [...readShares].filter(([, { share }]) => share < leastRead);
  return [
    `Nothing is compared or ranked: ${judge} has read too few of the statements: ${unread.map(([model, { share, side }]) => `${formatShare(share)} of those of ${names[model] ?? model} ${side}`).join(', ')}. On each side, ${formatShare(leastRead)} are needed.`,
  ];
}

// Models that met the same opponents. Figures of matches between two models can be compared only within such a group.

interface Partners {
  models: readonly string[];
  opponents: readonly string[];
}

/**
 * Finds the largest group of models that played this side against the same opponents. The group has at least two
 * models, unless only one model played the side.
 */
function findPartners({ arms, models }: Study, side: Team): Partners {
  const other = side === 'werewolves' ? 'villagers' : 'werewolves';
  const met = new Map(
    [...Map.groupBy(arms, (arm) => arm[side])].map(([model, own]) => [model, new Set(own.map((arm) => arm[other]))]),
  );
  const groups = [...met.values()].map((opponents): Partners => ({
    models: [...met].filter(([, own]) => [...opponents].every((one) => own.has(one))).map(([model]) => model),
    opponents: [...opponents].sort(),
  }));
  const possible = groups.filter((group) => group.models.length > 1 || models.length === 1);
  const size = (group: Partners) => group.models.length * group.opponents.length;
  return possible.sort((one, next) => size(next) - size(one))[0] ?? { models: [], opponents: [] };
}

const listPartnersOf = (partners: Readonly<Record<Team, Partners>>, side: Team, model: string): readonly string[] =>
  partners[side].models.includes(model) ? partners[side].opponents : [];

const createArm = (side: Team, model: string, opponent: string): Record<Team, string> =>
  side === 'werewolves' ? { werewolves: model, villagers: opponent } : { werewolves: opponent, villagers: model };

/** Lists the deals that every given arm played, with the sums of each arm and of each match. */
function listDeals(arms: readonly Record<Team, string>[], question: AnswerQuestion, { byArm }: Study) {
  const found = arms.map((arm) => byArm.get(nameArm(arm)) ?? new Map<string, CountedAnswers[]>());
  return [...(found[0]?.keys() ?? [])]
    .filter((deal) => found.every((own) => own.has(deal)))
    .map((deal) => {
      const matches = found.map((own) => (own.get(deal) ?? []).map(({ sums }) => sums[question] ?? {}));
      return { unit: deal, arms: matches.map((own) => addSums(own)), matches: matches.flat() };
    });
}

/** Lists a model's sums by deal, over all opponents. */
function listOwnDeals(model: string, { matches }: Study) {
  const own = matches.flatMap(({ deal, players }) =>
    players.flatMap((one) => (one.model === model && one.team === 'werewolves' ? [{ deal, sums: one.lies }] : [])),
  );
  return [...Map.groupBy(own, ({ deal }) => deal)].map(([unit, rows]) => ({
    unit,
    sums: addSums(rows.map(({ sums }) => sums)),
  }));
}

// Cells of the table.

function answerByMetric(asked: AskedMetric, model: string, study: Study, opponents: readonly string[]): AnswerCell {
  const { question, metric, cell, side } = asked;
  const isOwn = metric.isOwnDeed === true;
  if (!isOwn && isOfClaims(metric)) {
    if (!study.matches.some(({ isAsked }) => isAsked)) return createCell(question, 'not asked');
    if (isByRules(study.extractors)) return createCell(question, 'not read');
  }
  if (!isOwn && opponents.length === 0) return createCell(question, 'not identified');
  const isPart = opponents.length > 0;
  const arms = opponents.map((opponent) => createArm(side, model, opponent));
  const averaged = computeOverArms(metric, isPart ? arms.length : 1);
  const isCorrected = metric.asFound !== undefined;
  const played = listDeals(arms, question, study);
  const clusters = isPart
    ? played.map((deal) => ({ unit: deal.unit, sums: packArms(deal.arms), total: addSums(deal.arms) })) // prettier-ignore
    : listOwnDeals(model, study).map(({ unit, sums }) => ({ unit, sums: packArms([sums]), total: sums }));
  const wins = isPart && metric.isOfMatches === true ? computeBalancedWins(asked, played, study) : null;
  const figure = isCorrected
    ? figureCorrected(metric, isPart ? played.map((deal) => deal.arms) : clusters.map(({ total }) => [total])) // prettier-ignore
    : (wins ?? computeFigure({ metric: averaged, cell, clusters }, study.resampling));
  const total = addSums(clusters.map((one) => one.total));
  const [lowest, highest] = metric.bounds?.(total, cell) ?? [null, null];
  const { value, opportunities, matches: deals } = figure;
  const { low, high } = boundAtAnyTime(figure, study, [0, 1]);
  const pooled = metric.value(total);
  const isCountable = pooled !== null && opportunities !== null && question !== 'catches' && !isCorrected;
  const counted = isCountable ? Math.round(pooled * opportunities) : null;
  const chance = study.isOneCondition ? (study.chance?.[question] ?? null) : null;
  const found = { ...createCell(question, 'known'), of: opportunities, counted, deals, chance };
  const isUnread =
    isOfClaims(metric) &&
    study.isUnread &&
    (!isOwn || study.reading === 'not reading' || (study.readShares.get(model)?.share ?? 1) < leastRead);
  if (isUnread) return { ...found, state: 'not read', lowest, highest };
  const asFound = metric.asFound
    ? computeOverArms({ ...metric, value: metric.asFound }, Math.max(1, arms.length)).value(addSums(clusters.map(({ sums }) => sums))) // prettier-ignore
    : null;
  const fewest = countScarcest(averaged, clusters);
  if (value === null || (low === null && deals < MIN_CLUSTERS))
    return { ...found, state: 'too few', deals: Math.min(deals, fewest) };
  const state = isOfClaims(metric) && isByRules(study.extractors) ? 'at least' : 'known';
  const isCompared = !study.isUnread && isComparable(metric, study) && (isPart || isOwn);
  return { ...found, state, value, low, high, as_found: asFound, is_compared: isCompared && state === 'known' };
}

/** Computes the mean of the arms' corrected shares, with its interval. */
function figureCorrected({ opportunities }: Metric, deals: readonly (readonly Sums[])[]) {
  const weights = (deals[0] ?? []).map((_, __, { length }) => 1 / length);
  const found = computeCorrected(deals, weights);
  const { estimate = null, low = null, high = null } = found ?? {};
  return {
    ...{ value: boundToShare(estimate), low: boundToShare(low), high: boundToShare(high), matches: deals.length },
    opportunities: opportunities(addSums(deals.flat())),
  };
}

/**
 * Lists the questions with figures that are not compared because they could not be corrected for the judge's errors.
 */
function listUncorrected({ reading, soFar, sequential, isUnread }: Study, rows: readonly AnswerRow[]) {
  if (reading !== 'measured' || isUnread || soFar !== undefined || sequential !== undefined || rows.length < 2)
    return [];
  return askedMetrics.flatMap(({ question, metric }) => {
    const cells = rows.flatMap((row) => row.cells.filter((one) => one.question === question && one.state === 'known'));
    return isOfClaims(metric) && cells.length > 1 && cells.some((one) => !one.is_compared) ? [question] : [];
  });
}

/**
 * Computes a share of matches by the function that other pages use, so that wins have one interval everywhere. Null
 * unless all arms played equally many matches, because only then does the share of all matches equal the mean over
 * opponents.
 */
function computeBalancedWins(
  { metric, cell }: AskedMetric,
  played: ReturnType<typeof listDeals>,
  { resampling }: Study,
): ReturnType<typeof computeFigure> | null {
  const countOf = (place: number) => sum(played.map((deal) => metric.opportunities(deal.arms[place] ?? {}) ?? 0));
  if (new Set((played[0]?.arms ?? []).map((_, place) => countOf(place))).size > 1) return null;
  const clusters = played.flatMap(({ unit, matches }) => matches.map((sums) => ({ unit, sums })));
  const counted = new Set(clusters.flatMap(({ unit, sums }) => (metric.opportunities(sums) ? [unit] : [])));
  return { ...computeFigure({ metric, cell, clusters }, resampling), matches: counted.size };
}

const isComparable = (metric: Metric, { extractors, reading }: Study) =>
  findIncomparableReason(metric, extractors, reading) === null;

/**
 * Explains why figures computed from claims cannot be compared. Null where they can be compared. Also null where rules
 * extracted the claims, because the cells then give the reason.
 */
function explainIncomparable({ extractors, reading, isUnread }: Study): string | null {
  if (isByRules(extractors) || isUnread) return null;
  // `listUncorrected` lists the questions whose figures cannot be corrected for measured errors.
  if (reading === 'measured') return null;
  const reason = findIncomparableReason(lieTurnRate, extractors, reading);
  return reason && reasonTexts[reason];
}

/**
 * Computes a model's score, half from its matches as Werewolves and half from its matches as village, over all
 * opponents. The table uses scores where the wins of one side cannot be attributed to a model.
 */
function answerScore(model: string, study: Study): AnswerCell {
  const rated = study.rating().entrants.find(({ entrant }) => entrant === model);
  if (rated === undefined || rated.score.reason === 'not identified') return createCell('score', 'not identified');
  const { score, matches, deals } = rated;
  const found = { ...createCell('score', 'known'), of: matches, deals };
  if (score.value === null || score.low === null) return { ...found, state: 'too few' };
  return { ...found, value: score.value, low: score.low, high: score.high };
}

/** Scores of models, and the differences between scores. */
interface Scores {
  differences: readonly Omit<Rating['differences'][number], 'evidence'>[];
  entrants: readonly Pick<Rating['entrants'][number], 'entrant' | 'score' | 'matches' | 'deals'>[];
}

/**
 * Returns the scores of the leaderboard, so that a score has one interval everywhere. Computes the scores in the same
 * way if there is no leaderboard, or if its rating covers several boards: the table is about one.
 */
function rateScores(
  matches: readonly CountedAnswers[],
  study: Pick<AnswerOptions, 'ratings' | 'sequential'>,
  resampling: Resampling,
): Scores {
  const { condition = null } = JSON.parse(matches[0]?.condition ?? '{}') as { condition?: string | null };
  const known = study.ratings?.find((rating) => rating.condition === condition);
  const isOfOneBoard = new Set(known?.pairings.map(({ board }) => board)).size < 2;
  if (known && isOfOneBoard && known.matches <= matches.length) return known;
  const { entrants, differences } = rateEntrants(matches.flatMap(describeRated), { resampling });
  return {
    entrants: entrants.map((one) => ({
      ...one,
      score: { ...one.score, ...boundAtAnyTime({ ...one.score, matches: one.deals }, study, [0, 1]) },
    })),
    differences: differences.map(createDifferenceRow),
  };
}

/** Converts a match to the form that ratings need. Returns an empty list for an unfinished match. */
function describeRated({ deal, condition, players }: CountedAnswers): RatedMatch[] {
  if (players.some(({ won }) => won === null)) return [];
  const winner = players.find(({ won, seats }) => won === seats)?.team ?? null;
  const seats = players.flatMap(({ model, team, seats: count }) =>
    Array.from({ length: count }, () => ({ entrant: model, team, role: team })),
  );
  return [{ deal, context: condition, winner, seats }];
}

// Differences between models.

/**
 * Returns all differences that the design identifies. Holm's procedure adjusts p over all questions and pairs of
 * models, because readers take the table as one answer. At most 5% of tables about equal models then report any
 * difference.
 */
function compareAnswers(study: Study, rows: readonly AnswerRow[]): AnswerDifference[] {
  const isFilled = (model: string, question: AnswerQuestion) =>
    rows.find((row) => row.model === model)?.cells.some((one) => one.question === question && one.is_compared) === true;
  const contrasted = study.asked.flatMap((asked) =>
    listContrasted(asked, study).filter(
      ({ part }) => part?.models.every((model) => isFilled(model, asked.question)) === true,
    ),
  );
  const { secondary } = computeDifferences(contrasted, [], study.resampling, oneFamily);
  return study.asked.flatMap(({ question, metric, cell }) =>
    secondary.flatMap((row): AnswerDifference[] => {
      const found = readRow(row, metric, cell);
      if (found === null) return [];
      const side = row.part?.side ?? null;
      return [
        { question, ...found, equivalence: findEquivalence(study, { metric, cell, models: found.models, side }) },
      ];
    }),
  );
}

/** Finds the equivalence test of a difference; null if no margin was named for it. */
function findEquivalence(
  { equivalence = [] }: Study,
  {
    metric,
    cell,
    models,
    side,
  }: Pick<AskedMetric, 'metric' | 'cell'> & { models: readonly string[]; side: Team | null },
): AnswerDifference['equivalence'] {
  const one = equivalence.find(
    ({ metric: name, of, part }) =>
      name === metric.name &&
      isSameCell(of, cell) &&
      part?.side === side &&
      part.models.join('\n') === models.join('\n'),
  );
  if (one === undefined) return null;
  const { margin, low, high, is_equivalent } = one;
  return { margin, low, high, is_equivalent };
}

/**
 * Compares the wins of two models that changed sides. With more models, each model met different opponents, so scores
 * are not compared. Scores are tested as a family of their own, like the ranks of a leaderboard.
 */
function compareScores({ models, rating }: Study): AnswerDifference[] {
  const [x, y, ...more] = models;
  return x === undefined || y === undefined || more.length > 0 ? [] : listRatedDifference([x, y], rating());
}

/** Returns the difference of two entrants as the leaderboard states it. */
function listRatedDifference(models: [string, string], { entrants, differences }: Scores): AnswerDifference[] {
  const [a, b] = models.map((model) => entrants.find(({ entrant }) => entrant === model)?.score.value ?? null);
  const one = differences.find(({ pair }) => models.every((model) => pair.includes(model)));
  if (one === undefined || one.difference === null || a == null || b == null) return [];
  const isTurned = one.pair[0] !== models[0];
  const turn = (value: number | null) => (isTurned && value !== null ? -value : value);
  const [low, high] = isTurned ? [turn(one.high), turn(one.low)] : [one.low, one.high];
  const p = one.reason === null ? one.p_adjusted : null;
  return [{ question: 'score', models, a, b, difference: turn(one.difference), low, high, p_adjusted: p, deals: one.informative ?? 0, equivalence: null, as_found: null }]; // prettier-ignore
}

/**
 * Converts a row of a comparison to a difference in the answer table. The figure may be the row's own, or one of the
 * figures that were merged into the row. A merged figure can be the complement (1 minus the row's value). Null if the
 * row is about another figure.
 */
function readRow(
  row: Difference,
  metric: Metric,
  cell: AskedMetric['cell'],
): Omit<AnswerDifference, 'question' | 'equivalence'> | null {
  const isIt = (one: { metric: string; of: AskedMetric['cell'] }) =>
    one.metric === metric.name && isSameCell(one.of, cell);
  const other = isIt(row) ? null : row.also.find(isIt);
  if (other === undefined || row.part === null) return null;
  const { a, b, difference, low, high, p_adjusted: adjusted, pairs: deals } = row;
  const turned = other?.is_complement === true;
  const complement = (one: number | null) => (turned && one !== null ? 1 - one : one);
  const negative = (one: number | null) => (turned && one !== null ? -one : one);
  return {
    ...{ models: row.part.models, a: complement(a), b: complement(b), difference: negative(difference) },
    ...{ low: negative(turned ? high : low), high: negative(turned ? low : high), p_adjusted: adjusted, deals },
    as_found: row.as_found?.difference ?? null,
  };
}

function listContrasted({ question, metric, cell, side }: AskedMetric, study: Study): ContrastedFigure[] {
  const parts = study.contrasts.filter((part) => part.side === side);
  const known = parts.map((part): ContrastedFigure => ({
    ...{ metric, cell, contrast: part.contrast, isJoint: false, part: createPart(part, metric, cell) },
    deals: listDeals(
      part.arms.flatMap((place) => study.arms[place] ?? []),
      question,
      study,
    ).map(({ arms }) => arms),
  }));
  return metric.isOwnDeed === true ? [...known, ...listOwnContrasted({ metric, cell }, study, parts)] : known;
}

/** Lists the pairs of models that share no opponent and are compared only by their own behavior. */
function listOwnContrasted(
  { metric, cell }: Pick<AskedMetric, 'metric' | 'cell'>,
  study: Study,
  parts: readonly PartContrast[],
): ContrastedFigure[] {
  const isKnown = (pair: readonly string[]) => parts.some(({ models }) => models.join('\n') === pair.join('\n'));
  const own = new Map(
    study.models.map((model) => [
      model,
      new Map(listOwnDeals(model, study).map(({ unit, sums }) => [unit, sums] as const)),
    ]),
  );
  const pairs = study.models.flatMap((x, place) => study.models.slice(place + 1).map((y): [string, string] => [x, y]));
  return pairs
    .filter((pair) => !isKnown(pair))
    .map((pair) => {
      const [a, b] = pair.map((model) => own.get(model) ?? new Map<string, Sums>());
      const deals = [...(a ?? [])].flatMap(([deal, sums]) => {
        const other = b?.get(deal);
        return other === undefined ? [] : [[sums, other]];
      });
      const part = { name: 'actor' as const, side: 'werewolves' as const, models: pair, opponents: [] };
      return { metric, cell, deals, contrast: pairContrast, isJoint: false, part };
    })
    .filter(({ deals }) => deals.length > 0);
}
