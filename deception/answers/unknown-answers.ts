// Questions that a study's table leaves open, with the reason and the command that would answer them.
import { roundOutward, roundUp } from '../statistics/round-outward.ts';
import { formatCommandInFile } from '../../state/command-in-file.ts';
import { isPersonSpec } from '../../state/model-identity.ts';
import { describeGround, listGroundWords } from '../../state/rulebook.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { formatJudgeFlags, listJudgeWords, type JudgePlan } from '../claims/majority-claims.ts';
import type {
  AnswerDifference,
  AnswerQuestion,
  AnswerRow,
  AnswerState,
  UnknownAnswer,
} from '../metrics/answer-table-schema.ts';
import { rulesExtractor } from '../metrics/comparability.ts';

/**
 * Smallest share of a model's statements on a side that an extractor must read. If it reads less, the claims count as
 * not read.
 */
export const leastRead = 0.95;

/** Largest adjusted p at which a difference is reported as significant. */
export const differsBelow = 0.05;

/** @example isDifferent(difference) // true if its adjusted p is at most .05 */
export const isDifferent = ({ p_adjusted: p }: AnswerDifference): boolean => p !== null && p <= differsBelow;

/** Matches of a page, and how many of them the judge has not finished. */
interface UnjudgedMatches {
  judge: JudgePlan | undefined;
  /** Judge that all matches name. Set only if rules extracted the claims nonetheless. */
  named?: string | undefined;
  folders: readonly string[];
  /** Number of matches that the judge has not read to their end. */
  unjudged: number;
  /** Number of matches in the figures. */
  matches: number;
}

/**
 * Returns a caution with the command that makes the judge read the remaining matches. Also returns a caution if the
 * matches name a judge, but the built-in rules extracted the claims instead. The list is empty if the judge has read
 * all matches.
 *
 * @example listUnjudgedCautions({ judge: { models: ['openai:gpt-4o'] }, folders: ['runs/study'], unjudged: 41, matches: 108 })
 */
export function listUnjudgedCautions({ judge, named, folders, unjudged, matches }: UnjudgedMatches): string[] {
  if (judge === undefined && named !== undefined) {
    const ask = `${formatCommandInFile('report', ...folders)} ${formatJudgeFlags({ models: [named] })}`;
    return [`Rules extracted the claims, although the matches name the judge ${named}: \`${ask}\` lets it read them.`];
  }
  if (judge === undefined || unjudged === 0) return [];
  const command = `${formatCommandInFile('report', ...folders)} ${formatJudgeFlags(judge)}`;
  return [`${unjudged} of ${matches} matches are not fully judged: \`${command}\` resumes.`];
}

/** The study, as the commands in a report name it. */
export interface NamedStudy {
  /** Folders of the study. If they are unknown, the list is empty and no command is suggested. */
  folders: readonly string[];
  /** Whether rows are entrants of a tournament. Their names are not model strings. */
  isOfEntrants?: boolean | undefined;
}

interface Answered {
  study: NamedStudy;
  /** Returns the name of a model that its user typed. */
  nameModel: (model: string) => string;
  rows: readonly AnswerRow[];
  differences: readonly AnswerDifference[];
  extractors: readonly string[];
  /** Whether the judge reads unreliably, so that another judge is needed. */
  isJudgeUseless: boolean;
  deals: number;
  /** Conditions of the matches as JSON. */
  ground: string;
  /** Reason why figures made of a judge's claims cannot be compared; null if they can. */
  incomparable: string | null;
  /** Questions with figures that are not compared because they could not be corrected for the judge's errors. */
  uncorrected: readonly AnswerQuestion[];
  /** The share of each model's calls whose cost is unknown. */
  unpriced: ReadonlyMap<string, number>;
}

type Reason = Omit<UnknownAnswer, 'question'>;

/** Explains a cell without a value, and names the command that fills it. */
function explainState(state: AnswerState, question: AnswerQuestion, answered: Answered): Reason | null {
  switch (state) {
    case 'not identified':
      return explainUnidentified(answered);
    case 'not asked':
      return {
        reason: 'Not asked: listeners were not asked to judge statements (analysis=off).',
        command: formatStudyOf(answered, '-asked', '--rule', 'analysis=both'),
      };
    case 'not read':
      return explainUnread(answered);
    case 'too few':
      return {
        reason: `Too few: ${question === 'catches' || question === 'false_alarms' ? 'an interval needs ten deals with a lie that has a comparable true claim, and ten with such a true claim; the table counts deals of the rarer kind' : 'an interval needs ten deals with data'}. To plan a new study, on new deals:`,
        command: formatOnStudy(answered, 'plan', '--effect', '.1'),
      };
    case 'at least':
      return question === 'cost'
        ? explainUnpriced(answered)
        : {
            reason: 'A lower bound, not ranked: rules extract few of the lies. A judge finds more.',
            command: formatOnStudy(answered, 'report', '--judge', 'MODEL'),
          };
    case 'no price':
      return explainUnpriced(answered);
    case 'known':
      return null;
  }
}

/** Explains why a cost is unknown. Prices are known only for models at their providers' own addresses. */
function explainUnpriced(answered: Answered): Reason {
  const unpriced = [...answered.unpriced].filter(([, share]) => share > 0);
  if (unpriced.length === 0)
    return { reason: 'The records hold no calls, as those of imported games do not, so the cost is unknown.', command: null }; // prettier-ignore
  const shares = unpriced.map(([model, share]) => `${share < 1 ? `${Math.max(1, Math.round(100 * share))}%` : 'all'} of the calls of ${answered.nameModel(model)}`); // prettier-ignore
  return {
    reason: `No price is known for ${shares.join(', ')}, so the cost is a lower bound. Prices are listed only for models at their provider's own address, which OPENAI_BASE_URL and baseUrl replace. Give the price in USD per million tokens.`,
    command: formatOnStudy(
      answered,
      'report',
      ...unpriced.flatMap(([model]) => ['--price', `${answered.nameModel(model)}=IN,OUT`]),
    ),
  };
}

function explainUnidentified(answered: Answered): Reason {
  const why =
    answered.rows.length > 2
      ? 'Not identified: these models did not all meet the same opponents, so the figure cannot be attributed to one of them.'
      : 'Not identified: these models met no opponent in common, so the figure cannot be attributed to either.';
  if (hasPeople(answered))
    return { reason: `${why} With people this is impossible, because a person plays each deal once.`, command: null };
  return answered.study.isOfEntrants === true
    ? { reason: `${why} A plan with \`format: crossed\` makes this possible.`, command: null }
    : { reason: `${why} A crossed design makes this possible.`, command: formatStudyOf(answered, '-crossed') };
}

function explainUnread(answered: Answered): Reason {
  const { extractors, isJudgeUseless } = answered;
  const [judge = 'MODEL'] = extractors;
  if (extractors.every((one) => one === rulesExtractor))
    return {
      reason: 'Not read: rules extract claims here, and they understand some models better than others. A judge reads them all.', // prettier-ignore
      command: formatOnStudy(answered, 'report', '--judge', 'MODEL'),
    };
  return isJudgeUseless
    ? {
        reason: 'Not read: the judge denies claims that stand in the text. Ask another.',
        command: formatOnStudy(answered, 'report', '--judge', 'MODEL'),
      }
    : {
        reason: `Not read: more than 5% of statements have no readable answer of ${judge}. “Between” says what the share would be if none or all of them held a lie, and is not a confidence interval. The command asks for the answers that are missing or unreadable. If they stay so, name another judge.`,
        command: formatOnStudy(answered, 'report', ...listJudgeWords(judge), '--retry-unread'),
      };
}

/** Returns a command on the study's folders. */
const formatOnStudy = ({ study }: Answered, command: string, ...words: readonly string[]) =>
  study.folders.length === 0 ? null : formatCommandInFile(command, ...nameFolders(study), ...words);

/**
 * Returns the study's folders. If more than two folders share a parent, as the arms of a crossed study do, returns the
 * parent instead.
 */
function nameFolders({ folders }: NamedStudy): readonly string[] {
  const parents = new Set(folders.map((folder) => /^(.+)[\\/][^\\/]+[\\/]*$/.exec(folder)?.[1]));
  const [parent, ...more] = parents;
  return folders.length > 2 && parent !== undefined && more.length === 0 ? [parent] : folders;
}

/** Returns whether a person is among the models. People cannot play a crossed study. */
const hasPeople = ({ rows }: Answered) => rows.some(({ model }) => isPersonSpec(model));

/**
 * Returns the command that plays these models in a crossed study, in a new folder beside the study's folder. Returns
 * null if people play, or if no folder is known.
 */
const formatStudyOf = (answered: Answered, suffix: string, ...words: readonly string[]) => {
  const { study, rows, deals, ground, nameModel } = answered;
  const [folder] = nameFolders(study);
  if (folder === undefined || study.isOfEntrants === true || hasPeople(answered)) return null;
  const models = rows.map(({ model }) => nameModel(model));
  const who = models.length === 1 ? ['--model', ...models] : ['--crossed', ...models];
  const many = String(Math.max(deals, fewestDeals));
  return formatCommandInFile(
    'match',
    ...who,
    ...listRulesWords(ground, words),
    ...words,
    '--matches',
    many,
    '--out',
    `${folder.replace(/[\\/]+$/, '')}${suffix}`,
  );
};

/** Lists the command-line words that set the study's board and rules. Omits the rules that `words` sets. */
function listRulesWords(ground: string, words: readonly string[]): string[] {
  const { board, rules } = splitGround(ground);
  const set = words.map((word) => word.split('=')[0]);
  const kept = Object.entries(rules).filter(([name]) => !set.includes(name));
  return board === undefined ? [] : listGroundWords(board, Object.fromEntries(kept));
}

/** Splits the conditions of a match, as JSON, into its board and its rules. */
function splitGround(ground: string): { board?: string | undefined; rules: RuleValues } {
  const { board, ...rest } = JSON.parse(ground) as { board?: string } & RuleValues;
  return { board, rules: Object.fromEntries(Object.entries(rest).filter(([name]) => !ofNoRule.includes(name))) };
}

/**
 * Names the board and the rules of a match, whose conditions are given as JSON. Each name is null if it is unknown.
 *
 * @example nameGround('{"board":"classic-8"}') // { board: 'classic-8', rules: null }
 */
export function nameGround(ground: string): { board: string | null; rules: string | null } {
  const { board, rules } = splitGround(ground);
  if (board === undefined || Object.keys(rules).length === 0) return { board: board ?? null, rules: null };
  return { board, rules: describeGround(board, rules) };
}

/** Names of conditions of a match that are not rules. */
const ofNoRule: readonly string[] = ['condition', 'experience'];

/** Number of deals below which a study can show only large differences. */
const fewestDeals = 30;

const uncorrectedReason =
  'Not compared: nothing shows that the judge reads all models alike, and its measured errors do not correct this figure. They correct the share of lies alone: how often the lies that the judge misses are believed or caught is not known.';

/**
 * Lists the open questions, one entry per reason. The questions that were tested without finding a difference come
 * last.
 */
export function describeUnknown(answered: Answered): UnknownAnswer[] {
  const { rows, differences, incomparable, uncorrected, nameModel } = answered;
  const found = rows.flatMap(({ cells }) =>
    cells.flatMap(({ question, state }) => {
      const explained = question === 'read' ? null : explainState(state, question, answered);
      return explained === null ? [] : [{ question, ...explained }];
    }),
  );
  const open = [...new Map(found.map((one) => [JSON.stringify(one), one])).values()];
  const named = differences.map(({ models: [a, b], ...one }): AnswerDifference => ({
    ...one,
    models: [nameModel(a), nameModel(b)],
  }));
  const tested = [...Map.groupBy(named, ({ question }) => question)].flatMap(([question, own]) =>
    own.some(isDifferent) ? [] : [{ question, reason: describeExcluded(question, own), command: null }],
  );
  return [
    ...(incomparable === null
      ? []
      : [{ question: 'lies' as const, reason: `Not compared: ${incomparable}.`, command: null }]),
    ...uncorrected.map((question) => ({ question, reason: uncorrectedReason, command: null })),
    ...open,
    ...tested,
  ];
}

/** Says whether a difference was found, and the largest difference that the intervals of all pairs still allow. */
function describeExcluded(question: AnswerQuestion, own: readonly AnswerDifference[]): string {
  const bounds = own.map(({ low, high }) => (low === null || high === null ? null : Math.max(-low, high)));
  const found = describeTest(question, own);
  const equal = describeEquivalence(question, own);
  if (bounds.some((one) => one === null))
    return `${found}, and there are too few deals to say how large a difference could be.${equal}`;
  const most = roundUp(Math.max(...(bounds as number[])), 2);
  return `${found}; a difference above ${formatSize(question, most)} is excluded.${equal}`;
}

/** Says what the test found, or why there was none. */
function describeTest(question: AnswerQuestion, own: readonly AnswerDifference[]): string {
  if (own.some(({ p_adjusted: p }) => p !== null)) return `No significant difference${describeLargest(question, own)}`;
  return own.every(({ difference }) => difference === 0)
    ? 'The figures are equal'
    : 'The figures differ in too few deals for a test';
}

/**
 * Describes the largest tested difference with its interval and p, as " (x − y: −32 points [−65 to 2], p = .065 after
 * Holm’s procedure)". "No significant difference" alone would hide a large estimate.
 */
function describeLargest(question: AnswerQuestion, own: readonly AnswerDifference[]): string {
  const sizes = own.map((one) => (one.p_adjusted === null ? 0 : Math.abs(one.difference ?? 0)));
  const largest = own[sizes.indexOf(Math.max(...sizes))];
  if (largest?.difference == null || largest.p_adjusted === null) return '';
  const { models, difference, low, high, p_adjusted: p } = largest;
  const bounds = low === null || high === null ? null : roundOutward({ low, high }, 2);
  const interval = bounds === null ? '' : ` [${formatNumber(question, bounds.low)} to ${formatNumber(question, bounds.high)}]`; // prettier-ignore
  const rounded = formatNumber(question, difference);
  const unit = isOfHundredths(question) ? '' : nameUnit(rounded);
  const which = own.length > 1 ? 'largest: ' : '';
  return ` (${which}${models.join(' − ')}: ${rounded}${unit}${interval}, p = ${p.toFixed(3).replace(/^0/, '')} after Holm’s procedure)`;
}

const isOfHundredths = (question: AnswerQuestion) => question === 'catches' || question === 'score';

/**
 * Formats a difference in the unit of the question. A negative difference gets a true minus sign (−) instead of a
 * hyphen.
 */
const formatNumber = (question: AnswerQuestion, value: number) =>
  (isOfHundredths(question) ? value.toFixed(2).replace(/^(-?)0\./, '$1.') : (100 * value).toFixed(0))
    .replace(/^-(0?\.?0*)$/, '$1')
    .replace('-', '−');

const nameUnit = (points: string) => (/^−?1$/.test(points) ? ' point' : ' points');

/** Formats a size in the unit of the question. */
function formatSize(question: AnswerQuestion, size: number): string {
  if (isOfHundredths(question)) return size.toFixed(2).replace(/^0/, '');
  const points = String(Number((100 * size).toFixed(1)));
  return `${points}${nameUnit(points)}`;
}

/**
 * Returns a sentence that says whether all pairs with a margin are equal within their margin; empty if no pair has a
 * margin.
 */
function describeEquivalence(question: AnswerQuestion, own: readonly AnswerDifference[]): string {
  const tested = own.flatMap(({ equivalence }) => equivalence ?? []);
  const [first] = tested;
  if (first === undefined) return '';
  const within = `within ±${formatSize(question, first.margin)}`;
  if (tested.every(({ is_equivalent: isEqual }) => isEqual === true))
    return ` Equal ${within}: the 90% interval lies inside.`;
  return ` Not shown to be equal ${within} either: the 90% interval ${tested.some(({ low }) => low === null) ? 'is not known' : 'reaches further'}.`;
}
