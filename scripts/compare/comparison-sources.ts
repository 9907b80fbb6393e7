// Prepares the sources of a comparison: two folders deal by deal, the models of a crossed design, or two annotators.
// Also lists the endpoints that a plan can name for each design.
import {
  type ArmRows,
  countBotSeats,
  createConditionSides,
  createModelSides,
  findSwappedModels,
  hasSameModels,
  listAnnotators,
  listContrasts,
  narrowToAnnotator,
  narrowToModel,
  pairArms,
  selectComparable,
  selectSharedJudgements,
} from '../../deception/comparison/pair-arms.ts';
import type { PlanDesign } from '../../deception/comparison/analysis-plan.ts';
import type { Comparison, NotCompared } from '../../deception/comparison/comparison-schema.ts';
import {
  CrossedCollection,
  listCrossedArms,
  listCrossedEndpoints,
  pairCrossed,
} from '../../deception/comparison/crossed-effects.ts';
import { getDealKey } from '../../deception/design/schedule.ts';
import type { ArmRecords } from '../../deception/comparison/difference-examples.ts';
import type { ContrastedFigure } from '../../deception/comparison/contrasted-figure.ts';
import { type CountedAnswers, createAnsweredMatch } from '../../deception/answers/answered-match.ts';
import { type ReadingFinding, rulesExtractor } from '../../deception/metrics/comparability.ts';
import { correctLieTurnRate, type LieCorrection, selectCorrection } from '../../deception/metrics/lie-correction.ts';
import { lieTurnRate } from '../../deception/metrics/lie-exposure.ts';
import {
  addRuleAgreement,
  judgeReading,
  countRuleAgreement,
  describeReading,
} from '../../deception/metrics/judge-reading.ts';
import { endpointMetrics } from '../../deception/metrics/index.ts';
import type { Metric } from '../../deception/metrics/metric.ts';
import { countUnjudged, describeClaimsShare, listDroppedNotes, listServerNotes } from '../../deception/summary/match-conditions.ts'; // prettier-ignore
import { listJudgeFileNotes } from '../../deception/summary/judge-file-notes.ts';
import { listPromptNotes } from '../../deception/summary/prompt-notes.ts';
import { listMemoryNotes, measureEmptyMemories } from '../../deception/summary/memory-notes.ts';
import type { LeftOut } from '../../deception/summary/report-schema.ts';
import type { MatchRow, MatchTables } from '../../deception/tables/match-tables.ts';
import { formatCommand } from '../../state/command-name.ts';
import { UsageError } from '../../state/usage-error.ts';
import { explainCrossing, nameMissingPart } from './explain-crossing.ts';
import { isOfOneTournament } from '../report/leaderboard-files.ts';
import {
  describePromptsFault,
  nameExtractor,
  type UsableMatch,
  type WantedMatches,
} from '../report/match-inventory.ts';
import { mapEntrants } from './map-entrants.ts';
import { readMatches, type RecordReading } from './read-matches.ts';

/** Fields of a comparison that are known before sums are added up. */
type Head = Pick<Comparison, 'by' | 'a' | 'b' | 'crossed' | 'unpaired' | 'notes' | 'judgements' | 'contrasts' | 'bots'>;

export interface ComparisonSources extends Head {
  deals: readonly string[];
  /** Metrics that a plan can name. */
  metrics: readonly Metric[];
  notCompared: readonly NotCompared[];
  /** Facts about the design that a plan's conditions are checked against. */
  design: PlanDesign;
  /** Whether the judge was found to read all models alike. Null if this was not tested. */
  reading: ReadingFinding | null;
  /** Reason why models cannot be compared by their claims; null if they can. */
  claims: string | null;
  /** Rows of the matches that were read. */
  rows: readonly MatchRow[];
  /** Matches that have nothing to compare. */
  leftOut: readonly LeftOut[];
  /** Metrics and matches of each arm, to find the statements behind a figure. Null for more than two arms. */
  arms: Readonly<Record<'a' | 'b', ArmRecords>> | null;
  /** Adds up the figures of each arm for each deal. */
  listContrasted: () => ContrastedFigure[];
}

/** Evidence that the judge reads all models alike, besides its agreement with the rules. */
export interface ReadingEvidence {
  /** Models whose statements were used to measure the judge's errors, by labels of people or of corpora. */
  measured?: readonly string[] | undefined;
  /** Measured errors of the judge. If they are known, the share of statements with a lie is corrected for them. */
  correction?: LieCorrection | undefined;
  /**
   * Whether the study is a pilot. A pilot has too few statements to show that a judge reads all models alike, so only
   * its ability to read is checked.
   */
  isPilot?: boolean | undefined;
}

/** Error for a judge that misses too many claims of the rules, so that none of its figures are compared. */
export class JudgeNotReading extends Error {
  override name = 'JudgeNotReading';
}

const noteOnCorrection =
  'The share of statements with a lie is corrected for the judge’s errors in every row, test and endpoint, with the judge’s own figures beside it; intervals and p of these rows are Student’s, over deals. No other figure made of claims is corrected.';

/** Lists the metrics of endpoints. The share of lies is corrected if the judge's errors on all statements are known. */
function listEndpointMetrics(matches: readonly MatchTables[], correction: LieCorrection | undefined) {
  const known = selectCorrection(matches, correction);
  const lies = correctLieTurnRate(known);
  return {
    counted: endpointMetrics.map((metric) => (metric.name === lieTurnRate.name ? lies : metric)),
    correctionNotes: known === undefined ? [] : [noteOnCorrection],
  };
}

/** Checks how well the judge read these matches. Throws a JudgeNotReading if it misses too many claims. */
function checkReading(matches: readonly MatchTables[], { measured = [], isPilot = false }: ReadingEvidence) {
  const models = [...new Set(matches.flatMap(({ statements }) => statements.map(({ model }) => model)))];
  const agreement = addRuleAgreement(matches.map(({ statements }) => countRuleAgreement(statements)));
  const extractors = [...new Set(matches.map(({ match }) => match.extractor))];
  const sources = { extractors, agreement, models, measured };
  const finding = judgeReading(sources);
  if (finding === 'not reading')
    throw new JudgeNotReading(
      `${describeReading(finding, agreement, 'No figures made of its claims are compared.') ?? ''} Name another judge (--judge MODEL), or compare only figures that use no claims (--no-judge).`,
    );
  if (isPilot) return { finding: null, claims: null };
  const statements = matches.flatMap((match) => match.statements);
  const isNothingRead = statements.length > 0 && statements.every((row) => row.is_judge_missing);
  return { finding, claims: describeClaimsShare(extractors, { finding, agreement, isNothingRead }) };
}

type ComparedMatch = Pick<UsableMatch, 'folder' | 'tables'>;

/** Creates the head of a comparison of two arms. */
const describeArms = (
  names: readonly [string, string],
  arms: ArmRows,
  alone: Record<'a' | 'b', readonly string[]>,
) => ({
  a: { name: names[0], matches: arms.a.length },
  b: { name: names[1], matches: arms.b.length },
  crossed: null,
  unpaired: { a: [...alone.a], b: [...alone.b] },
  contrasts: listContrasts(arms).map(({ what, a, b }) => ({ what, a: [...a], b: [...b] })),
  bots: countBotSeats([...new Set([...arms.a, ...arms.b])]),
});

/**
 * Prepares the comparison of two folders. Throws a UsageError if the folders share no deal, and if `by` is `model` but
 * the models did not change sides.
 */
export function prepareFolders(
  names: readonly [string, string],
  found: Record<'a' | 'b', readonly ComparedMatch[]>,
  extractor: string,
  by?: 'condition' | 'model',
  evidence: ReadingEvidence = {},
): ComparisonSources {
  const matches = { a: found.a.map(({ tables }) => tables), b: found.b.map(({ tables }) => tables) };
  const arms: ArmRows = { a: matches.a.map(({ match }) => match), b: matches.b.map(({ match }) => match) };
  const pairing = pairArms(arms);
  if (pairing.deals.length === 0)
    throw new UsageError(
      `${names[0]} and ${names[1]} share no deal: no two matches have the same board, names, seats and roles. Play both with the same --board and --seed.`,
    );
  const models = findSwappedModels(arms);
  if (by === 'model' && !models)
    throw new UsageError(
      `--by model compares two models that changed sides: all matches of ${names[0]} with X as village and Y as Werewolves, all of ${names[1]} the other way round. Found: ${[...listSidePairs(arms.a), ...listSidePairs(arms.b)].join('; ')}.`,
    );
  const swapped = by === 'condition' ? null : models;
  const { counted: all, correctionNotes } = listEndpointMetrics([...matches.a, ...matches.b], evidence.correction);
  const narrowed = swapped ? all.flatMap((metric) => narrowToModel(metric, swapped[0]) ?? []) : all;
  const isWithinModels = !swapped && hasSameModels(matches, pairing.deals);
  const reading = checkReading([...matches.a, ...matches.b], evidence);
  const { comparable, notCompared } = isWithinModels
    ? { comparable: narrowed, notCompared: [] }
    : selectComparable(narrowed, extractor, reading.finding);
  const counted = all.filter(({ name }) => comparable.some((metric) => metric.name === name));
  const deals = new Set(pairing.deals);
  const listPaired = (some: readonly ComparedMatch[]) =>
    some.filter(({ tables }) => deals.has(getDealKey(tables.match)));
  const paired = { a: listPaired(found.a), b: listPaired(found.b) };
  // If two models swapped sides, each model has played in the matches of both folders.
  const createArm = (arm: 'a' | 'b', place: 0 | 1): ArmRecords => ({
    metrics: swapped ? counted.flatMap((metric) => narrowToModel(metric, swapped[place]) ?? []) : counted,
    matches: swapped ? [...paired.a, ...paired.b] : paired[arm],
  });
  const sides = swapped ? createModelSides(counted, swapped) : createConditionSides(counted);
  return {
    ...describeArms(swapped ?? names, arms, pairing.alone),
    deals: pairing.deals,
    by: swapped ? 'model' : 'condition',
    metrics: comparable,
    notCompared,
    design: { isOfTwoModels: swapped !== null },
    rows: [...arms.a, ...arms.b],
    notes: [
      ...(isWithinModels ? [noteOnStyle(extractor)] : []),
      ...correctionNotes,
      ...(swapped ? [noteOnJoint] : []),
      ...listMemoryNotes(measureEmptyMemories([...matches.a, ...matches.b])),
    ],
    judgements: null,
    reading: reading.finding,
    claims: isWithinModels ? null : reading.claims,
    leftOut: [],
    arms: { a: createArm('a', 0), b: createArm('b', 1) },
    listContrasted: () => {
      for (const arm of ['a', 'b'] as const) for (const match of matches[arm]) sides.add(arm, match);
      return sides.listContrasted(pairing.deals);
    },
  };
}

const noteOnJoint =
  'Two models that only changed sides met only each other. Figures that depend on listeners, voters or opponents are joint: a difference cannot be attributed to one model. A crossed design separates the parts; a common panel of annotators compares how models detect.';

/**
 * Prepares the comparison of all ordered pairs of models that played the same deals. Throws a UsageError if the pairs
 * share no deal, or if these matches cannot separate any effect.
 */
export function prepareCrossed(
  folders: readonly string[],
  matches: readonly MatchTables[],
  extractor: string,
  evidence: ReadingEvidence = {},
): ComparisonSources {
  const rows = matches.map(({ match }) => match);
  const arms = listCrossedArms(rows);
  const reading = checkReading(matches, evidence);
  const { counted, correctionNotes } = listEndpointMetrics(matches, evidence.correction);
  const { parts, notCompared, design, ...narrowed } = listCrossedEndpoints(counted, arms, extractor, reading.finding);
  const { identified, missing } = parts;
  if (identified.length === 0)
    throw new UsageError(
      `${folders.join(', ')} cannot show what either model contributes. Village against Werewolves in these matches: ${listSidePairs(rows).join('; ')}. ${missing.map(({ models: [x, y], part, needs }) => `${nameMissingPart(part)} of ${x} and ${y} needs ${needs}.`).join(' ')} ${explainCrossing(folders, arms)}`,
    );
  const { deals, alone } = pairCrossed(rows, arms);
  if (deals.length === 0)
    throw new UsageError(
      `${folders.join(', ')}: no deal was played by all of these pairs: ${listSidePairs(rows).join('; ')}. Play every pair with the same --board and --seed, as ${formatCommand('match', '--crossed')} does.`,
    );
  const [first, ...others] = arms.map((arm) =>
    rows.filter((row) => row.werewolves_model === arm.werewolves && row.villagers_model === arm.villagers),
  );
  const contrasts = listContrasts({ a: first!, b: others.flat() });
  return {
    ...{ by: 'crossed', a: null, b: null, crossed: { arms, not_identified: missing }, deals },
    unpaired: { a: alone, b: [] },
    contrasts: contrasts
      .filter(({ what }) => !what.startsWith('model of'))
      .map(({ what, a, b }) => ({ what, a: [...a], b: [...b] })),
    bots: countBotSeats(rows),
    metrics: narrowed.metrics,
    notCompared,
    design,
    rows,
    notes: [...correctionNotes, ...listMemoryNotes(measureEmptyMemories(matches))],
    judgements: null,
    reading: reading.finding,
    claims: reading.claims,
    leftOut: [],
    arms: null,
    listContrasted: () => {
      const collection = new CrossedCollection(narrowed.metrics, arms);
      for (const match of matches) collection.add(match);
      return collection.listContrasted(identified, deals);
    },
  };
}

/** Notes how style affects claims, which may be compared between arms of the same models with any extractor. */
const noteOnStyle = (extractor: string) =>
  `Both arms have the same models in the same seats, so figures made of claims are compared too. ${extractor === rulesExtractor ? 'Rules extracted them, without a judge' : `${extractor} extracted them`}: if a condition changes how models speak, it also changes how well they are understood, so a difference may be one of style.`;

const listSidePairs = (rows: ArmRows['a']) => [
  ...new Set(rows.map((row) => `${row.villagers_model ?? 'several'} against ${row.werewolves_model ?? 'several'}`)),
];

/**
 * Prepares the comparison of two annotators. Throws a UsageError if an annotator has judged none of these matches, and
 * if the two annotators have judged no statement in common.
 */
function prepareAnnotators(
  folder: string,
  names: readonly [string, string],
  matches: readonly UsableMatch[],
  extractor: string,
  evidence: ReadingEvidence,
): ComparisonSources {
  const known = listAnnotators(matches.map(({ tables }) => tables));
  for (const name of names)
    if (!known.includes(name))
      throw new UsageError(
        `--annotators: "${name}" has annotated no match in ${folder}. ${known.length === 0 ? 'There are no annotations: see docs/reference/annotate.md' : `Annotators there: ${known.join(', ')}`}.`,
      );
  const judged = matches.map(({ folder: at, tables }) => ({
    at,
    match: tables.match,
    ...selectSharedJudgements(tables, names),
  }));
  const shared = judged.filter(({ both }) => both > 0);
  if (shared.length === 0)
    throw new UsageError(
      `--annotators: ${names.join(' and ')} have not judged any statement in ${folder} from the same listener's view. Annotate with the same --listeners.`,
    );
  const by = (arm: 'a' | 'b') => judged.filter(({ both, alone }) => both + alone[arm] > 0);
  const idsOf = (arm: 'a' | 'b') =>
    by(arm)
      .filter(({ both }) => both === 0)
      .map(({ match }) => match.match_id);
  const total = (count: (one: (typeof judged)[number]) => number) => judged.reduce((all, one) => all + count(one), 0);
  // The two annotators judge the same statements, so a judge that reads one model worse than others affects them
  // equally.
  checkReading(
    matches.map(({ tables }) => tables),
    { ...evidence, isPilot: true },
  );
  const { comparable: own, notCompared } = selectComparable(
    endpointMetrics.flatMap((metric) => narrowToAnnotator(metric) ?? []),
    extractor,
  );
  const deals = [...new Set(shared.map(({ match }) => getDealKey(match)))];
  const arms: ArmRows = { a: by('a').map(({ match }) => match), b: by('b').map(({ match }) => match) };
  return {
    ...describeArms(names, arms, { a: idsOf('a'), b: idsOf('b') }),
    by: 'annotator',
    deals,
    metrics: own,
    notCompared,
    design: {},
    rows: matches.map(({ tables }) => tables.match),
    notes: [],
    reading: null,
    claims: null,
    judgements: {
      both: total(({ both }) => both),
      alone: { a: total(({ alone }) => alone.a), b: total(({ alone }) => alone.b) },
    },
    leftOut: judged
      .filter(({ both, alone }) => both + alone.a + alone.b === 0)
      .map(({ at }) => ({
        folder: at,
        reason: 'not judged',
        message: `Neither ${names.join(' nor ')} has judged it.`,
      })),
    arms: {
      a: { metrics: own, matches: shared.map(({ a: tables, at: folder }) => ({ tables, folder })) },
      b: { metrics: own, matches: shared.map(({ b: tables, at: folder }) => ({ tables, folder })) },
    },
    listContrasted: () => {
      const sides = createConditionSides(own);
      for (const one of shared) for (const arm of ['a', 'b'] as const) sides.add(arm, one[arm]);
      return sides.listContrasted(deals);
    },
  };
}

/** Two folders of matches. */
interface ComparedFolders extends WantedMatches, ReadingEvidence {
  folders: readonly [string, string];
  by?: 'condition' | 'model' | undefined;
}

/** The folders of a crossed design. */
interface ComparedModels extends WantedMatches, ReadingEvidence {
  crossed: readonly string[];
  by?: 'crossed' | undefined;
}

/** Two annotators of one folder's matches, by model string. */
interface ComparedAnnotators extends WantedMatches, ReadingEvidence {
  folder: string;
  annotators: readonly [string, string];
}

/** Records to compare, in one of three designs. */
export type ComparedRecords = ComparedFolders | ComparedModels | ComparedAnnotators;

/** Records that were read, and those left out with the reasons. */
interface Prepared {
  sources: ComparisonSources;
  /** Data of the table at the top of pages; empty for annotators. */
  answered: readonly CountedAnswers[];
  /** Whether that table's rows are entrants of a tournament. */
  isOfEntrants: boolean;
  /** Maps each model to the entrant that it played as, if each model is one entrant alone. */
  entrantNames: Readonly<Record<string, string>>;
  /** Whether any match names a judge. The match's page then opens with that judge's claims. */
  isJudged: boolean;
  /** Number of matches that the judge has not read to their end. */
  unjudged: number;
  records: Comparison['records'];
  /** Notes on changed prompts, and on models whose answers came from several servers. */
  recordNotes: readonly string[];
  leftOut: readonly LeftOut[];
}

/** Lists the answers as in a report: by entrant if all matches are of one tournament, else by model. */
export function listAnswered(
  matches: readonly UsableMatch[],
  correction?: LieCorrection,
): Pick<Prepared, 'answered' | 'isOfEntrants' | 'entrantNames'> {
  const isOfEntrants = isOfOneTournament(new Set(matches.map(({ manifest }) => manifest.tournament?.name ?? null)));
  const answered = matches.map(({ manifest, tables }) =>
    createAnsweredMatch(tables, isOfEntrants ? manifest.tournament : undefined, correction),
  );
  return { answered, isOfEntrants, entrantNames: isOfEntrants ? mapEntrants(matches) : {} };
}

const surveyRecords = (
  matches: readonly UsableMatch[],
  serverNotes: readonly string[] = listServerNotes(matches),
): Pick<Prepared, 'isJudged' | 'unjudged' | 'records' | 'recordNotes'> => ({
  recordNotes: [
    ...listJudgeFileNotes(matches.map(({ judgeFault }) => judgeFault)),
    ...listDroppedNotes(matches),
    ...listPromptNotes(matches.map(describePromptsFault)),
    ...serverNotes,
  ],
  isJudged: matches.some(({ manifest }) => manifest.judge !== undefined),
  unjudged: countUnjudged(matches),
  records: { matches: matches.length, sealed: matches.filter(({ isSealed }) => isSealed).length },
});

/** Reads the records. Throws a UsageError for arms with nothing in common, and a RecordError if none is usable. */
export const readComparedRecords = (options: ComparedRecords, reading: RecordReading): Promise<Prepared> => {
  if ('folders' in options) return readFolders(options, reading);
  return 'crossed' in options ? readCrossed(options, reading) : readAnnotators(options, reading);
};

/** Reads a crossed design. A match that several of the folders contain counts once. */
async function readCrossed(
  { crossed: folders, by, judge, presupposed, prices, isUnreadShown, ...evidence }: ComparedModels,
  reading: RecordReading,
): Promise<Prepared> {
  const wanted: WantedMatches = { judge, presupposed, prices, isUnreadShown, unanswered: 'not read' };
  const { matches, leftOut } = await readMatches(folders, wanted, reading);
  const sides = by === 'crossed' ? null : splitSides(matches);
  const sources = sides
    ? prepareFolders([folders.join(', '), folders.join(', ')], sides, nameExtractor(judge), 'model', evidence)
    : prepareCrossed(
        folders,
        matches.map(({ tables }) => tables),
        nameExtractor(judge),
        evidence,
      );
  return { sources, ...surveyRecords(matches), ...listAnswered(matches, evidence.correction), leftOut };
}

/** Splits matches by the Werewolves' model, for two models that only swapped sides. Null for any other design. */
function splitSides(matches: readonly UsableMatch[]): Record<'a' | 'b', readonly UsableMatch[]> | null {
  const byWerewolves = Map.groupBy(matches, ({ tables }) => tables.match.werewolves_model);
  // In arm `a`, the village has the model whose name comes first in the alphabet, as in the table of answers.
  const [a, b, ...more] = [...byWerewolves].sort(([one], [other]) => ((one ?? '') < (other ?? '') ? 1 : -1)).map(([, played]) => played); // prettier-ignore
  if (a === undefined || b === undefined || more.length > 0) return null;
  const arms = { a: a.map(({ tables }) => tables.match), b: b.map(({ tables }) => tables.match) };
  return findSwappedModels(arms) === null ? null : { a, b };
}

async function readFolders(
  { folders, by, judge, presupposed, prices, isUnreadShown, ...evidence }: ComparedFolders,
  reading: RecordReading,
): Promise<Prepared> {
  const wanted: WantedMatches = { judge, presupposed, prices, isUnreadShown, unanswered: 'not read' };
  const a = await readMatches([folders[0]], wanted, reading);
  const b = await readMatches([folders[1]], wanted, reading);
  const sources = prepareFolders(folders, { a: a.matches, b: b.matches }, nameExtractor(judge), by, evidence);
  const listArmNotes = (arm: string, matches: readonly UsableMatch[]) =>
    listServerNotes(matches).map((note) => `${arm}: ${note}`);
  const serverNotes = [...listArmNotes(folders[0], a.matches), ...listArmNotes(folders[1], b.matches)];
  const records = surveyRecords([...a.matches, ...b.matches], serverNotes);
  const answered = listAnswered(
    [...new Map([...a.matches, ...b.matches].map((match) => [match.tables.match.match_id, match])).values()],
    evidence.correction,
  );
  return { sources, ...records, ...answered, leftOut: [...a.leftOut, ...b.leftOut] };
}

async function readAnnotators(
  { folder, annotators, judge, presupposed, prices, ...evidence }: ComparedAnnotators,
  reading: RecordReading,
): Promise<Prepared> {
  const { matches, leftOut } = await readMatches([folder], { judge, presupposed, prices }, reading);
  const sources = prepareAnnotators(folder, annotators, matches, nameExtractor(judge), evidence);
  return {
    sources,
    ...surveyRecords(matches),
    answered: [],
    isOfEntrants: false,
    entrantNames: {},
    leftOut: [...leftOut, ...sources.leftOut],
  };
}
