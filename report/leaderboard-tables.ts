// Sentences and tables of a tournament's leaderboard, shared by all its pages: findings first, and then everything
// else.
import { type IncomparableReason, reasonTexts } from '../deception/metrics/comparability.ts';
import type { Expense, Leaderboard, RatedEntrant, Rating } from '../deception/ratings/leaderboard-schema.ts';
import { listExpenseParts } from './leaderboard-expenses.ts';
import {
  LEADERBOARD_ALPHA,
  createPartTable,
  formatCost,
  formatEstimate,
  formatLogits,
  formatP,
  formatPoints,
  formatRanks,
  formatRatio,
  formatSignedEstimate,
  tell,
  type EscapeText,
  type LeaderboardPart,
} from './leaderboard-parts.ts';
import { formatDecimal, formatWhole, missingPlaceholder, pluralize } from './format.ts';

/**
 * Maximum number of entrants for a table of pairings on the page. With more entrants, only leaderboard.json has these
 * figures.
 */
const mostInMatrix = 12;

export const nameLeaderboard = ({ name }: Leaderboard, escape: EscapeText): string =>
  name === null ? 'Leaderboard' : `Leaderboard of ${escape(name)}`;

/**
 * Lists everything that the page says under its title.
 *
 * @example listLeaderboardParts(leaderboard, escapeMarkdown)[0] // { type: 'list', items: ['20 matches on 10 deals.', …] }
 */
export function listLeaderboardParts(board: Leaderboard, escape: EscapeText): LeaderboardPart[] {
  const { ratings, pooled, expenses } = board;
  const all = [...(pooled ? [pooled] : []), ...ratings];
  return [
    ...tellBots(expenses, escape),
    ...describePlanned(board, escape).map(tell),
    ...describePromise(board).map(tell),
    ...all.flatMap((rating) => listRatingParts(rating, board, escape)),
    ...listConditionParts(board, escape),
    ...listTraitParts(board, escape),
    ...listExpenseParts(board, escape),
    { type: 'heading', level: 2, text: 'How to read this' },
    { type: 'text', text: explainIntervals(all) },
    tell(
      'Formulas, sources and validation: `docs/reference/ratings.md` of the project. A dash marks a value that these matches do not determine.',
    ),
  ];
}

/**
 * Relative tolerance. A promised half-width counts as kept if the reached half-width exceeds it by at most this
 * share.
 */
const slack = 0.15;

/**
 * Compares the precision that the dry run promised with the precision that was reached.
 *
 * @example describePromise(board)[0] // 'Precision of a difference between two scores: ± .286 promised by the dry run, ± .490 reached. …'
 */
export function describePromise({ promised }: Pick<Leaderboard, 'promised'>): string[] {
  if (promised === null) return [];
  const write = (value: number) => `± ${value.toFixed(3).replace(/^0/, '')}`;
  const { half_width: halfWidth, reached } = promised;
  const found = reached === null ? 'no interval' : write(reached);
  const isKept = reached !== null && reached <= halfWidth * (1 + slack);
  const advice = isKept
    ? ''
    : ' This is less precise than planned. Play more deals; --dry-run --precision estimates how many.';
  return [`Precision of a difference between two scores: ${write(halfWidth)} promised by the dry run, ${found} reached.${advice}`]; // prettier-ignore
}

/** Maximum number of incomplete pairings to name. Further pairings are only counted. */
const mostLacking = 5;

/** Describes which planned matches were not found. Without this text, readers could not see what is missing. */
export function describePlanned({ planned, name, matches: all }: Leaderboard, escape: EscapeText): string[] {
  if (planned === null)
    return name === null
      ? []
      : ['These matches have no `tournament.json`, so it is not known whether planned matches are missing.'];
  const { matches, found, missing, others, decided_deals: decided, lacking } = planned;
  const named = lacking.slice(0, mostLacking).map(({ missing: count, matches: of, first_deal: deal, ...table }) => {
    const where = [table.pairing, table.condition, table.board].filter((part) => part !== null).map(escape);
    return `${where.join(', ')} (${formatWhole(count)} of ${formatWhole(of)}, the first on deal ${formatWhole(deal)})`;
  });
  const more = lacking.length > mostLacking ? [`and ${formatWhole(lacking.length - mostLacking)} more`] : [];
  return [
    ...(decided === null
      ? []
      : [
          `The stopping rule ended the tournament after ${pluralize(decided, 'deal')}: matches that it left unplayed are not missing.`,
        ]),
    ...(missing === 0
      ? []
      : [
          `${formatWhole(found)} of ${pluralize(matches, 'planned match', 'planned matches')} were found. Missing: ${[named.join('; '), ...more].join(' ')}. To play them, run the command that began the tournament.`,
        ]),
    ...(others === 0
      ? []
      : [
          `${formatWhole(others)} of ${pluralize(all, 'match', 'matches')} do not belong to the plan and are left out.`,
        ]),
  ];
}

// Names the condition of a rating.

const nameRating = ({ condition }: Rating, { ratings, pooled }: Leaderboard, escape: EscapeText): string | null =>
  condition === null ? (pooled && ratings.length > 1 ? 'All conditions together' : null) : escape(condition);

function listRatingParts(rating: Rating, board: Leaderboard, escape: EscapeText): LeaderboardPart[] {
  const heading = nameRating(rating, board, escape);
  return [
    { type: 'heading', level: 2, text: heading ?? 'Ratings' },
    { type: 'list', items: describeFindings(rating, escape) },
    ...(isByRole(rating) || rating.entrants.length === 0
      ? []
      : [
          {
            type: 'drawing',
            title: `Scores${heading === null ? '' : `: ${heading}`}`,
            unit: 'expected score',
            estimates: rating.entrants.map(({ entrant, score }) => ({ entrant, chance: null, ...score })),
          } as const,
          createEntrantTable(rating, board.expenses, escape),
        ]),
    ...listDifferenceParts(rating, escape),
    ...listPairingParts(rating, escape),
    ...listRoleParts(rating, escape),
  ];
}

/** Returns whether entrants are rated by role only. */
export const isByRole = ({ entrants, roles }: Rating) =>
  roles.length > 0 && entrants.every(({ score }) => score.value === null);

/**
 * States in sentences who leads, which side wins, whether the model fits, and which questions these matches cannot
 * answer.
 */
export function describeFindings(rating: Rating, escape: EscapeText): string[] {
  const { entrants, advantage, lack_of_fit: fit, refused, deals, matches, unfinished, interval } = rating;
  return [
    `${pluralize(matches, 'match', 'matches')} on ${pluralize(deals, 'deal')}${unfinished === 0 ? '' : `; ${formatWhole(unfinished)} more are left out, because their deal or an earlier deal is not over in all pairings and conditions (short matches, which end first, would count too much)`}.`,
    ...(isByRole(rating)
      ? describeRoles(rating, escape)
      : entrants.every(({ score }) => score.value === null)
        ? [describeUnrated(rating)]
        : listGroups(entrants).flatMap((group) => describeLead(group, rating, escape))),
    ...(advantage.value === null
      ? []
      : [
          `Werewolves score ${formatEstimate(advantage)} with the same entrants on both sides${advantage.low! > 0.5 ? ': Werewolves are the easier side' : advantage.high! < 0.5 ? ': Werewolves are the harder side' : ''}.`,
        ]),
    ...(fit === null
      ? []
      : [
          fit.p <= LEADERBOARD_ALPHA
            ? `This field is not transitive (p = ${formatP(fit.p)}): no strengths of entrants explain the results of all pairings, so the table of pairings says more than an order of entrants.`
            : `Strengths explain the pairings (lack of fit p = ${formatP(fit.p)}).`,
        ]),
    ...(interval === 'any time'
      ? [
          'The tournament may stop early, so intervals are confidence sequences, which hold however often one looks: the interval of each score by itself, and the intervals of all differences together.',
        ]
      : []),
    ...refused.map((sentence) => `Not answered by these matches: ${lowerFirst(escape(sentence))}`),
  ];
}

const lowerFirst = (text: string) => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;

const reasons: Readonly<Record<string, string>> = {
  'too few': 'a rating needs an interval, and an interval needs ten deals or more',
  'not identified': 'the schedule does not connect the entrants',
  'any time': 'these matches have no score whose interval holds however often one looks',
  unstable: 'too many resamples of these deals cannot be rated',
};

const describeUnrated = ({ entrants }: Rating): string => {
  if (entrants.length === 0) return 'Nobody is rated yet: the first block of deals is not over.';
  const reason = entrants[0]!.score.reason ?? '';
  return `Nobody is rated: ${reasons[reason] ?? reason}.`;
};

/** Names the best entrant in each role. */
const describeRoles = ({ roles }: Rating, escape: EscapeText): string[] =>
  [...Map.groupBy(roles, ({ role }) => role)].map(([role, own]) => {
    const name = escape(role);
    const known = own.filter(({ score }) => score.value !== null);
    const [best] = known.toSorted((one, other) => other.score.value! - one.score.value!);
    if (!best)
      return `As ${name} nobody is rated: ${reasons[own[0]!.score.reason ?? ''] ?? own[0]!.score.reason ?? ''}.`;
    const apart =
      best.ranks?.[1] === 1
        ? 'significantly more than with any other entrant'
        : 'not significantly more than with every other entrant';
    return `With ${escape(best.entrant)} as ${name} its side scores ${formatEstimate(best.score)}, ${apart}.`;
  });

const listGroups = (entrants: readonly RatedEntrant[]): RatedEntrant[][] =>
  [...Map.groupBy(entrants, ({ group }) => group).values()].filter(
    (own) => own.length > 1 && own.some(({ score }) => score.value !== null),
  );

function describeLead(group: readonly RatedEntrant[], { differences, interval }: Rating, escape: EscapeText): string[] {
  const [best] = group;
  const isApart = ({ p_adjusted: adjusted }: Rating['differences'][number]) =>
    adjusted !== null && (interval === 'any time' || adjusted <= LEADERBOARD_ALPHA); // any time: significant at the plan's level
  const own = differences.filter(({ pair }) => group.some(({ entrant }) => pair.includes(entrant)));
  const ofBest = own.filter((one) => one.pair.includes(best!.entrant) && isApart(one)).length;
  const [name, others] = [escape(best!.entrant), group.length - 1];
  const lead = `${name} scores ${formatEstimate(best!.score)} against the ${others === 1 ? 'other' : `${others} others`}`;
  if (!own.some(isApart)) {
    const isTested = own.some(({ reason }) => reason === null);
    return [
      isTested
        ? `${lead}, but no two of ${pluralize(group.length, 'entrant')} differ significantly.`
        : `${lead}. ${describeTooFew(own)}`,
    ];
  }
  if (ofBest === others)
    return [others === 1 ? `${lead}: the two differ significantly.` : `${lead}, significantly more than each of them.`];
  return [`${lead}; it differs significantly from ${ofBest} of ${others}.`];
}

/** Explains why nobody is ranked. */
function describeTooFew(own: Rating['differences']): string {
  const telling = own.map(({ informative }) => informative ?? 0);
  const most = Math.max(...telling);
  const cause =
    most === 0
      ? 'the two entrants of a pair scored the same in every deal'
      : `the two entrants of a pair scored differently in at most ${pluralize(most, 'deal')}, and no test of so few deals can reach .05`;
  return `Nobody is ranked: ${cause}. Play more deals, or a board on which the weaker side wins more often.`;
}

function createEntrantTable(
  { entrants, interval }: Rating,
  expenses: readonly Expense[],
  escape: EscapeText,
): LeaderboardPart {
  const spentBy = new Map(expenses.map((one) => [one.entrant, one]));
  const isGrouped = new Set(entrants.map(({ group }) => group)).size > 1;
  const hasStrength = interval === 'fixed' && entrants.some(({ strength }) => strength.value !== null);
  return createPartTable(
    [
      ...(isGrouped ? ['Group'] : []),
      ...['Ranks', 'Entrant', 'Score', 'As Werewolves', 'As the village'],
      ...(hasStrength ? ['Log-odds', 'Points'] : []),
      ...['Matches', 'USD a match', 'Fallbacks', 'Refusals'],
    ],
    entrants.map((one) => {
      const spent = spentBy.get(one.entrant);
      return [
        ...(isGrouped ? [String(one.group + 1)] : []),
        ...[formatRanks(one.ranks), escape(one.entrant)],
        ...[one.score, one.werewolves, one.villagers].map(formatEstimate),
        ...(hasStrength ? [formatLogits(one.strength), formatPoints(one.strength)] : []),
        ...[formatWhole(one.matches), formatCost(spent)],
        ...[formatRatio(spent?.fallbacks, spent?.questions), formatRatio(spent?.refusals, spent?.questions)],
      ];
    }),
    isGrouped ? 3 : 2,
  );
}

// Differences and pairings.

function listDifferenceParts(rating: Rating, escape: EscapeText): LeaderboardPart[] {
  const isAnyTime = rating.interval === 'any time';
  const overall = rating.differences.map((one) => ({ role: null, ...one }));
  const inRoles = rating.role_differences.map((one) => ({ ...one, evidence: null }));
  const tables = [overall, inRoles].flatMap((rows) => {
    const known = rows.filter(({ low }) => low !== null);
    return known.length === 0 || known.length > (mostInMatrix * (mostInMatrix - 1)) / 2 ? [] : [known];
  });
  if (tables.length === 0) return [];
  return [
    { type: 'heading', level: 3, text: 'Differences' },
    tell(
      isAnyTime
        ? 'Difference: how much more the first entrant scores, with its confidence sequence (all pairs share the level). W: evidence that the two differ.'
        : 'Difference: how much more the first entrant scores, or in a row of a role, its side with the first entrant in the role. Deals that differ: deals (or blocks of deals) in which the two score differently. p: from exchanging the two within deals, adjusted by Holm’s procedure over all pairs of a table. “Too few”: so few deals cannot show a difference at .05.',
    ),
    ...tables.map((known) =>
      createPartTable(
        ['Entrants', 'Difference', ...(isAnyTime ? ['W'] : ['Deals that differ', 'p'])],
        known
          .toSorted((one, other) => Math.abs(other.difference!) - Math.abs(one.difference!))
          .map(({ role, pair, difference, low, high, p_adjusted: adjusted, evidence, informative, reason }) => [
            `${role === null ? '' : `${escape(role)}: `}${pair.map(escape).join(' – ')}`,
            formatSignedEstimate(difference!, { low: low!, high: high! }),
            ...(isAnyTime
              ? [evidence?.toPrecision(3) ?? '>10³⁰⁸']
              : [formatWhole(informative), reason === 'too few' || adjusted === null ? 'too few' : formatP(adjusted)]),
          ]),
      ),
    ),
  ];
}

function listPairingParts({ pairings, entrants, interval }: Rating, escape: EscapeText): LeaderboardPart[] {
  const names = entrants.map(({ entrant }) => entrant);
  if (pairings.length === 0 || names.length > mostInMatrix) return [];
  const boards = [...new Set(pairings.map(({ board }) => board))];
  return [
    { type: 'heading', level: 3, text: 'Head to head' },
    tell(
      `Score of the Werewolves in each pairing${interval === 'fixed' ? '. Brackets: the score that the ratings predict; ≠ marks pairings in which the two differ significantly (Holm at .05)' : ''}.`,
    ),
    ...boards.flatMap((board) => [
      ...(boards.length > 1 ? [tell(`On ${escape(board)}:`)] : []),
      createPartTable(
        ['Werewolves / village', ...names.map(escape)],
        names
          .filter((name) => pairings.some(({ werewolves }) => werewolves === name))
          .map((werewolves) => [
            escape(werewolves),
            ...names.map((villagers) => {
              const own = pairings.find(
                (one) => one.board === board && one.werewolves === werewolves && one.villagers === villagers,
              );
              if (!own) return missingPlaceholder;
              const isMissed = own.p_adjusted !== null && own.p_adjusted <= LEADERBOARD_ALPHA;
              return `${formatDecimal(own.found)}${interval === 'fixed' ? ` (${formatDecimal(own.fitted)})` : ''}${isMissed ? ' ≠' : ''}`;
            }),
          ]),
      ),
    ]),
  ];
}

function listRoleParts({ roles }: Rating, escape: EscapeText): LeaderboardPart[] {
  if (roles.every(({ score, strength }) => score.value === null && strength.value === null)) return [];
  return [
    { type: 'heading', level: 3, text: 'By role' },
    tell(
      'Score: expected score of the side with the entrant in all seats of the role and average entrants in all other seats. Log-odds: above the mean of all who held the role.',
    ),
    createPartTable(
      ['Role', 'Entrant', 'Ranks', 'Score', 'Log-odds', 'Deals'],
      roles.map(({ role, entrant, ranks, score, strength, deals }) => [
        ...[escape(role), escape(entrant), formatRanks(ranks), formatEstimate(score)],
        ...[formatLogits(strength), formatWhole(deals)],
      ]),
      2,
    ),
  ];
}

// Conditions, traits and expenses.

const isAnyTime = (ratings: readonly Rating[]) => ratings.some(({ interval }) => interval === 'any time');

function listConditionParts({ conditions, ratings }: Leaderboard, escape: EscapeText): LeaderboardPart[] {
  if (conditions.length === 0) return [];
  return [
    { type: 'heading', level: 2, text: 'Effects of conditions' },
    tell(
      `Difference: how much more an entrant scores under the first condition than under the second, paired by deal; ${isAnyTime(ratings) ? 'confidence sequences, whose level all rows share' : 'p adjusted by Holm’s procedure over all rows'}.`,
    ),
    createPartTable(
      ['Conditions', 'Entrant', 'Difference', 'p', 'Deals'],
      conditions.map(({ a, b, entrant, difference, low, high, p_adjusted: p, deals }) => [
        `${escape(a)} – ${escape(b)}`,
        escape(entrant),
        difference === null ? missingPlaceholder : formatSignedEstimate(difference, { low: low!, high: high! }),
        p === null ? missingPlaceholder : formatP(p),
        formatWhole(deals),
      ]),
      2,
    ),
  ];
}

/** Advice for traits whose claims were not all extracted by one judge. */
const nameJudge = 'Name one judge (`--judge`).';
const cures: Readonly<Record<IncomparableReason, string>> = {
  'claims drawn by rules': nameJudge,
  'claims drawn by several': nameJudge,
  'claims of the rules beside a judge': nameJudge,
  'judge not shown to read models alike':
    'Measure its errors on statements of these models (`--errors`), or label a sample (`--gold`).',
  'judge errors not corrected': 'The first table has the corrected share of lies.',
  'judge not reading': 'Name another judge.',
};

function listTraitParts(
  { traits: all, refused_traits: refused, ratings, answers }: Leaderboard,
  escape: EscapeText,
): LeaderboardPart[] {
  // Whether the table of answers already answers the trait's question.
  const isAnswered = ({ metric }: TraitOfBoard) =>
    answers.length > 0 && !isAnyTime(ratings) && ['lie_turn_rate', 'paired_detection'].includes(metric);
  const traits = all.map((one) => ({ ...one, boards: one.boards.filter((board) => !isAnswered(board)) }));
  const shown = traits.filter(({ boards }) => boards.some(({ rows }) => rows.some(({ value }) => value !== null)));
  const missing = [...Map.groupBy(refused, ({ reason }) => reason)].map(
    ([reason, own]) =>
      `Not compared: ${own.map(({ title }) => lowerFirst(title)).join(', ')}; ${reasonTexts[reason].replace(/^it/, 'each')}. ${cures[reason]}`,
  );
  if (shown.length === 0 && missing.length === 0) return [];
  return [
    { type: 'heading', level: 2, text: 'Deception and detection' },
    ...(shown.length > 0 && isAnyTime(ratings)
      ? [
          tell(
            'The tournament may stop early. Figures are means over deals with data. Brackets: the confidence sequence of each figure by itself. Ranks: those that the differences leave open; all pairs of a table share their level.',
          ),
        ]
      : []),
    ...shown.flatMap(({ condition, boards }) => [
      ...(condition === null ? [] : [{ type: 'heading', level: 3, text: escape(condition) } as const]),
      ...boards
        .filter(({ rows }) => rows.some(({ value }) => value !== null))
        .flatMap((trait) => listOneTrait(trait, escape)),
    ]),
    ...(missing.length === 0 ? [] : [{ type: 'list', items: missing } as const]),
  ];
}

function listOneTrait(
  { title, question, metric, unit, best, chance, rows, is_identified: isIdentified }: TraitOfBoard,
  escape: EscapeText,
): LeaderboardPart[] {
  const isRanked = best !== null && rows.some(({ ranks }) => ranks !== null);
  return [
    {
      type: 'text',
      lead: title,
      text: `(\`${metric}\`). ${question}${best === null ? '' : ` ${best === 'high' ? 'High' : 'Low'} is good.`}${chance === null ? '' : ` By chance ${formatDecimal(chance)}.`}${isIdentified ? '' : ` ${notIdentified}`}`,
    },
    { type: 'drawing', title, unit, estimates: rows.map((row) => ({ ...row, chance })) },
    createPartTable(
      [...(isRanked ? ['Ranks'] : []), 'Entrant', 'Figure', 'Deals with data'],
      rows.map(({ entrant, ranks, value, low, high, deals }) => [
        ...(isRanked ? [formatRanks(ranks)] : []),
        ...[escape(entrant), formatEstimate({ value, low, high }), formatWhole(deals)],
      ]),
      isRanked ? 2 : 1,
    ),
  ];
}

type TraitOfBoard = Leaderboard['traits'][number]['boards'][number];

const notIdentified =
  'Not ranked: the figure depends on both sides, and these entrants met different opponents. A crossed design (`match --crossed`, or a plan with `format: crossed`) and `compare` separate the two.';

function tellBots(expenses: readonly Expense[], escape: EscapeText): LeaderboardPart[] {
  const bots = expenses.filter(({ is_bot: isBot }) => isBot).map(({ entrant }) => escape(entrant));
  if (bots.length === 0) return [];
  return [
    {
      ...{ type: 'text', lead: 'Built-in bots' },
      text: `played as ${bots.join(', ')}. Their figures, and how others judged them, are not evidence about language models.`,
    },
  ];
}

const explainIntervals = (ratings: readonly Rating[]): string =>
  isAnyTime(ratings)
    ? 'A score is the mean over deals of the share of matches won, half as Werewolves and half as the village. Brackets: its confidence sequence at the plan’s level (default: 95 %), which holds for each score by itself, however often one looks. Ranks: those that the differences leave open.'
    : 'A score is the share of matches that an entrant is expected to win against the others, half as Werewolves and half as the village; a match that nobody wins counts half. Brackets: its 95 % interval over deals. Ranks: those that tests leave open (exchanging two entrants within deals, Holm at .05 over all pairs); an entrant with too few deals has none. Log-odds and points (400 for odds of 10) are above the mean of all entrants.';
