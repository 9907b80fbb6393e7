// The leaderboard of a tournament as a page and a file for spreadsheets: `leaderboard.md` and `leaderboard.csv`.
import { stringify } from 'csv-stringify/sync';
import { reasonTexts } from '../deception/metrics/comparability.ts';
import { RATINGS_PROMISED_FROM } from '../deception/ratings/rank-ranges.ts';
import type { Expense, Leaderboard, RatedEntrant, Rating } from '../deception/ratings/leaderboard-schema.ts';
import {
  escapeMarkdown,
  formatDecimal,
  formatPercent,
  formatWhole,
  missingPlaceholder,
  pluralize,
  renderTable,
  sanitizeText,
} from './format.ts';

/** Points as of Elo: 400 stand for odds of 10. */
const pointsPerLogit = 400 / Math.LN10;
/** Above this share of questions without a usable answer a rating says as much of the replacements as of the entrant. */
const muchReplaced = 0.05;
const ALPHA = 0.05;
/** Above so many entrants the table of pairings is left to the file. */
const mostInMatrix = 12;

type Estimate = RatedEntrant['score'];

/**
 * The page as GitHub-flavoured Markdown: findings in sentences, one table, then the rest.
 *
 * @example
 * await writeFile('leaderboard.md', renderLeaderboard(leaderboard));
 */
export function renderLeaderboard(board: Leaderboard): string {
  const { name, ratings, pooled, expenses } = board;
  const all = [...(pooled ? [pooled] : []), ...ratings];
  const parts = [
    `# ${name === null ? 'Leaderboard' : `Leaderboard of ${escapeMarkdown(name)}`}`,
    ...warnOfBots(expenses),
    ...describePlanned(board),
    ...all.flatMap((rating) => renderRating(rating, board, nameRating(rating, board))),
    ...renderConditions(board),
    ...renderTraits(board),
    ...renderExpenses(board),
    '## How to read this',
    explainIntervals(all),
    ...(all.some(({ interval, deals }) => interval === 'fixed' && deals >= 10 && deals < RATINGS_PROMISED_FROM)
      ? [
          `With fewer than ${RATINGS_PROMISED_FROM} deals an interval may cover a little less than it says: in simulations 93 % of such tournaments at worst (\`docs/rating-validation.md\`).`,
        ]
      : []),
    'Formulas, sources and what was validated: `docs/ratings.md` of the project. A dash stands for what these matches cannot tell.',
  ];
  return `${parts.join('\n\n')}\n`;
}

/**
 * What stands first on the page, for the console: who scores how much, and what to beware of.
 *
 * @example stdout.write(summarizeLeaderboard(leaderboard)); // '1–2  gpt     0.61 (0.54 to 0.68)\n…'
 */
export function summarizeLeaderboard(board: Leaderboard): string {
  const { pooled, ratings } = board;
  const shown = pooled ? [pooled] : ratings;
  const lines = shown.flatMap((rating) => {
    const width = Math.max(...rating.entrants.map(({ entrant }) => entrant.length));
    const label = rating.condition === null ? [] : [`${rating.condition}:`];
    return [
      ...label,
      ...(isByRole(rating) ? [] : rating.entrants).map(({ entrant, ranks, score }) =>
        sanitizeText(`${formatRanks(ranks).padEnd(5)} ${entrant.padEnd(width)}  ${formatEstimate(score)}`).trimEnd(),
      ),
      ...describeFindings(rating),
    ];
  });
  return [...lines, ...describePlanned(board)].map((line) => `${line.replaceAll('\\', '')}\n`).join('');
}

/**
 * One row for each entrant and condition, unrounded; what is missing is an empty cell.
 *
 * @example
 * await writeFile('leaderboard.csv', renderLeaderboardCsv(leaderboard));
 */
export function renderLeaderboardCsv({ ratings, pooled, expenses }: Leaderboard): string {
  const rows = [...ratings, ...(pooled ? [{ ...pooled, condition: 'pooled' }] : [])].flatMap((rating) =>
    rating.entrants.map((one) => {
      const spent = expenses.find(({ entrant }) => entrant === one.entrant);
      return {
        ...{ condition: rating.condition, interval: rating.interval, entrant: one.entrant, group: one.group },
        ...{ best_rank: one.ranks?.[0] ?? null, worst_rank: one.ranks?.[1] ?? null },
        ...{ matches: one.matches, deals: one.deals },
        ...spreadEstimate('score', one.score),
        ...spreadEstimate('werewolves', one.werewolves),
        ...spreadEstimate('villagers', one.villagers),
        ...spreadEstimate('strength', one.strength),
        ...spreadEstimate('strength_as_werewolves', one.strength_as_werewolves),
        ...spreadEstimate('strength_as_village', one.strength_as_village),
        ...spreadEstimate('points', scaleEstimate(one.strength, pointsPerLogit)),
        ...{ cost_per_match: spent?.cost_per_match ?? null, calls: spent?.calls ?? null },
        ...{ questions: spent?.questions ?? null, fallbacks: spent?.fallbacks ?? null },
        ...{ missing: spent?.missing ?? null, refusals: spent?.refusals ?? null },
      };
    }),
  );
  return stringify(rows, { header: true, cast: { string: sanitizeText }, escape_formulas: true });
}

const spreadEstimate = (name: string, { value, low, high }: Estimate) => ({
  ...{ [name]: value, [`${name}_low`]: low, [`${name}_high`]: high },
});

const scaleEstimate = ({ value, low, high, reason }: Estimate, factor: number): Estimate => {
  const scale = (one: number | null) => (one === null ? null : one * factor);
  return { value: scale(value), low: scale(low), high: scale(high), reason };
};

/** Tables that are named; the others are counted. */
const mostLacking = 5;

/** What of the plan was not found, since nobody sees what is not there. */
function describePlanned({ planned, name, matches: all }: Leaderboard): string[] {
  if (planned === null)
    return name === null
      ? []
      : ['No `tournament.json` lies beside these matches, so it is not known whether some of its plan are missing.'];
  const { matches, found, missing, others, decided_deals: decided, lacking } = planned;
  const named = lacking.slice(0, mostLacking).map(({ missing: count, matches: of, first_deal: deal, ...table }) => {
    const where = [table.pairing, table.condition, table.board].filter((part) => part !== null).map(escapeMarkdown);
    return `${where.join(', ')} (${formatWhole(count)} of ${formatWhole(of)}, the first on deal ${formatWhole(deal)})`;
  });
  const more = lacking.length > mostLacking ? [`and ${formatWhole(lacking.length - mostLacking)} more`] : [];
  return [
    ...(decided === null
      ? []
      : [
          `The stopping rule ended the tournament after ${pluralize(decided, 'deal')}: what it left unplayed is not missing.`,
        ]),
    ...(missing === 0
      ? []
      : [
          `${formatWhole(found)} of ${pluralize(matches, 'match', 'matches')} of the plan are there. Missing: ${[named.join('; '), ...more].join(' ')}. The command that began the tournament plays them.`,
        ]),
    ...(others === 0
      ? []
      : [`${formatWhole(others)} of ${pluralize(all, 'match', 'matches')} are none of the plan, and left out.`]),
  ];
}

// One rating.

const nameRating = ({ condition }: Rating, { ratings, pooled }: Leaderboard): string | null =>
  condition === null ? (pooled && ratings.length > 1 ? 'All conditions together' : null) : escapeMarkdown(condition);

function renderRating(rating: Rating, board: Leaderboard, heading: string | null): string[] {
  const findings = describeFindings(rating).map((sentence) => `- ${sentence}`);
  return [
    ...(heading === null ? [] : [`## ${heading}`]),
    findings.join('\n'),
    ...(isByRole(rating) || rating.entrants.length === 0 ? [] : [renderEntrants(rating, board.expenses)]),
    ...renderDifferences(rating),
    ...renderPairings(rating),
    ...renderRoles(rating),
  ];
}

/** Whether entrants are rated by role alone. */
const isByRole = ({ entrants, roles }: Rating) =>
  roles.length > 0 && entrants.every(({ score }) => score.value === null);

/** In sentences: who leads, which side wins, whether the model fits, and what these matches cannot tell. */
function describeFindings(rating: Rating): string[] {
  const { entrants, advantage, lack_of_fit: fit, refused, deals, matches, unfinished, interval } = rating;
  return [
    `${pluralize(matches, 'match', 'matches')} on ${pluralize(deals, 'deal')}${unfinished === 0 ? '' : `; ${formatWhole(unfinished)} more are left out: of deals that are not over in all pairings and conditions, or of later ones, since short matches end first`}.`,
    ...(isByRole(rating)
      ? describeRoles(rating)
      : entrants.every(({ score }) => score.value === null)
        ? [describeUnrated(rating)]
        : listGroups(entrants).flatMap((group) => describeLead(group, rating))),
    ...(advantage.value === null
      ? []
      : [
          `Werewolves score ${formatEstimate(advantage)} with the same entrants on both sides${advantage.low! > 0.5 ? ': theirs is the easier side' : advantage.high! < 0.5 ? ': theirs is the harder side' : ''}.`,
        ]),
    ...(fit === null
      ? []
      : [
          fit.p <= ALPHA
            ? `This field is not transitive (p = ${formatP(fit.p)}): some pairings end otherwise than any strengths could have it, so an order of entrants says less than the table of pairings.`
            : `Strengths explain the pairings (lack of fit p = ${formatP(fit.p)}).`,
        ]),
    ...(interval === 'any time'
      ? [
          'The tournament may stop early, so intervals hold at any time, however often one looked (confidence sequences): those of scores each for itself, those of differences all together.',
        ]
      : []),
    ...refused.map((sentence) => `Not told by these matches: ${lowerFirst(escapeMarkdown(sentence))}`),
  ];
}

const lowerFirst = (text: string) => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;

const reasons: Readonly<Record<string, string>> = {
  'too few': 'an interval takes ten deals or more, and without one there is no rating',
  'not identified': 'their schedule does not connect them',
  'any time': 'these matches have no score whose interval holds however often one looks',
  unstable: 'too many resamples of these deals cannot be rated',
};

const describeUnrated = ({ entrants }: Rating): string => {
  if (entrants.length === 0) return 'Nobody is rated: not even the first block of deals is over.';
  const reason = entrants[0]!.score.reason ?? '';
  return `Nobody is rated: ${reasons[reason] ?? reason}.`;
};

/** Who is best in each role. */
const describeRoles = ({ roles }: Rating): string[] =>
  [...Map.groupBy(roles, ({ role }) => role)].map(([role, own]) => {
    const name = escapeMarkdown(role);
    const known = own.filter(({ score }) => score.value !== null);
    const [best] = known.toSorted((one, other) => other.score.value! - one.score.value!);
    if (!best)
      return `As ${name} nobody is rated: ${reasons[own[0]!.score.reason ?? ''] ?? own[0]!.score.reason ?? ''}.`;
    const apart = best.ranks?.[1] === 1 ? 'more than every other' : 'but is not told apart from all others';
    return `With ${escapeMarkdown(best.entrant)} as ${name} its side scores ${formatEstimate(best.score)}, ${apart}.`;
  });

const listGroups = (entrants: readonly RatedEntrant[]): RatedEntrant[][] =>
  [...Map.groupBy(entrants, ({ group }) => group).values()].filter(
    (own) => own.length > 1 && own.some(({ score }) => score.value !== null),
  );

function describeLead(group: readonly RatedEntrant[], { differences, interval }: Rating): string[] {
  const [best] = group;
  const isApart = ({ p_adjusted: adjusted }: Rating['differences'][number]) =>
    adjusted !== null && (interval === 'any time' || adjusted <= ALPHA); // any time: at the level of the plan
  const own = differences.filter(({ pair }) => group.some(({ entrant }) => pair.includes(entrant)));
  const ofBest = own.filter((one) => one.pair.includes(best!.entrant) && isApart(one)).length;
  const [name, others] = [escapeMarkdown(best!.entrant), group.length - 1];
  const lead = `${name} scores ${formatEstimate(best!.score)} against the ${others === 1 ? 'other' : `${others} others`}`;
  if (!own.some(isApart)) return [`${lead}, but no two of ${pluralize(group.length, 'entrant')} are told apart.`];
  if (ofBest === others)
    return [others === 1 ? `${lead}: the two are told apart.` : `${lead}, more than every one of them.`];
  return [`${lead}; it is told apart from ${ofBest} of ${others}.`];
}

function renderEntrants({ entrants, interval }: Rating, expenses: readonly Expense[]): string {
  const spentBy = new Map(expenses.map((one) => [one.entrant, one]));
  const isGrouped = new Set(entrants.map(({ group }) => group)).size > 1;
  const hasStrength = interval === 'fixed' && entrants.some(({ strength }) => strength.value !== null);
  return renderTable(
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
        ...[formatRanks(one.ranks), escapeMarkdown(one.entrant)],
        ...[one.score, one.werewolves, one.villagers].map(formatEstimate),
        ...(hasStrength ? [formatLogits(one.strength), formatPoints(one.strength)] : []),
        ...[formatWhole(one.matches), formatCost(spent)],
        ...[formatShareOf(spent?.fallbacks, spent?.questions), formatShareOf(spent?.refusals, spent?.questions)],
      ];
    }),
    isGrouped ? 3 : 2,
  );
}

const formatRanks = (ranks: RatedEntrant['ranks']) =>
  ranks === null ? missingPlaceholder : ranks[0] === ranks[1] ? String(ranks[0]) : `${ranks[0]}–${ranks[1]}`;

/** "0.61 (0.54 to 0.68)". */
const formatEstimate = ({ value, low, high }: Pick<Estimate, 'value' | 'low' | 'high'>) =>
  value === null || low === null || high === null
    ? missingPlaceholder
    : `${formatShare(value)} (${formatShare(low)} to ${formatShare(high)})`;

const formatShare = (value: number) => formatDecimal(value);
const formatSigned = (value: number) => `${value > 0 ? '+' : ''}${formatShare(value)}`;

const formatLogits = ({ value, low, high }: Estimate) =>
  value === null ? missingPlaceholder : `${formatSigned(value)} (${formatSigned(low!)} to ${formatSigned(high!)})`;

const formatPoints = (strength: Estimate) => {
  const { value, low, high } = scaleEstimate(strength, pointsPerLogit);
  const print = (one: number) => `${one > 0 ? '+' : ''}${one.toFixed(0)}`;
  return value === null ? missingPlaceholder : `${print(value)} (${print(low!)} to ${print(high!)})`;
};

const formatP = (p: number) => (p < 0.001 ? '<.001' : p.toFixed(3).replace(/^0/, ''));

const formatCost = (spent: Expense | undefined) =>
  spent?.cost_per_match == null
    ? missingPlaceholder
    : `${spent.calls_with_unknown_cost > 0 ? 'at least ' : ''}${spent.cost_per_match.toFixed(spent.cost_per_match < 1 ? 4 : 2)}`;

const formatShareOf = (part: number | undefined, whole: number | undefined) =>
  part === undefined || !whole
    ? missingPlaceholder
    : `${formatPercent(part / whole)}${part / whole > muchReplaced ? ' (!)' : ''}`;

// Differences and pairings.

function renderDifferences({ differences, interval }: Rating): string[] {
  const known = differences.filter(({ low }) => low !== null);
  if (known.length === 0 || known.length > (mostInMatrix * (mostInMatrix - 1)) / 2) return [];
  const isAnyTime = interval === 'any time';
  return [
    '### Differences',
    isAnyTime
      ? 'How much more the first scores, with its confidence sequence (level shared among the pairs), and the evidence W that they differ.'
      : 'How much more the first scores, and p adjusted by Holm’s procedure over all pairs.',
    renderTable(
      ['Entrants', 'Difference', isAnyTime ? 'W' : 'p'],
      known
        .toSorted((one, other) => Math.abs(other.difference!) - Math.abs(one.difference!))
        .map(({ pair, difference, low, high, p_adjusted: adjusted, evidence }) => [
          pair.map(escapeMarkdown).join(' – '),
          `${formatSigned(difference!)} (${formatSigned(low!)} to ${formatSigned(high!)})`,
          isAnyTime
            ? evidence === null
              ? '>10³⁰⁸'
              : evidence.toPrecision(3)
            : adjusted === null
              ? missingPlaceholder
              : formatP(adjusted),
        ]),
    ),
  ];
}

function renderPairings({ pairings, entrants, interval }: Rating): string[] {
  const names = entrants.map(({ entrant }) => entrant);
  if (pairings.length === 0 || names.length > mostInMatrix) return [];
  const boards = [...new Set(pairings.map(({ board }) => board))];
  return [
    '### Head to head',
    `The Werewolves’ score of each pairing${interval === 'fixed' ? ', in brackets as the ratings have it; ≠ marks where the two differ (Holm at .05)' : ''}.`,
    ...boards.flatMap((board) => [
      ...(boards.length > 1 ? [`On ${escapeMarkdown(board)}:`] : []),
      renderTable(
        ['Werewolves ＼ village', ...names.map(escapeMarkdown)],
        names
          .filter((name) => pairings.some(({ werewolves }) => werewolves === name))
          .map((werewolves) => [
            escapeMarkdown(werewolves),
            ...names.map((villagers) => {
              const own = pairings.find(
                (one) => one.board === board && one.werewolves === werewolves && one.villagers === villagers,
              );
              if (!own) return missingPlaceholder;
              const isMissed = own.p_adjusted !== null && own.p_adjusted <= ALPHA;
              return `${formatShare(own.found)}${interval === 'fixed' ? ` (${formatShare(own.fitted)})` : ''}${isMissed ? ' ≠' : ''}`;
            }),
          ]),
      ),
    ]),
  ];
}

function renderRoles({ roles }: Rating): string[] {
  if (roles.every(({ score, strength }) => score.value === null && strength.value === null)) return [];
  return [
    '### By role',
    'The side’s expected score with the entrant in all seats of the role, at a table that is else the mean of all who sat there; log-odds above the mean of those who held the role.',
    renderTable(
      ['Role', 'Entrant', 'Ranks', 'Score', 'Log-odds', 'Deals'],
      roles.map(({ role, entrant, ranks, score, strength, deals }) => [
        ...[escapeMarkdown(role), escapeMarkdown(entrant), formatRanks(ranks), formatEstimate(score)],
        ...[formatLogits(strength), formatWhole(deals)],
      ]),
      2,
    ),
  ];
}

// Conditions, traits and expenses.

const isAnyTime = (ratings: readonly Rating[]) => ratings.some(({ interval }) => interval === 'any time');

function renderConditions({ conditions, ratings }: Leaderboard): string[] {
  if (conditions.length === 0) return [];
  return [
    '## What conditions change',
    `How much more an entrant scores under the first condition than under the second, deal by deal; ${isAnyTime(ratings) ? 'confidence sequences, whose level all rows share' : 'p adjusted by Holm’s procedure over all rows'}.`,
    renderTable(
      ['Conditions', 'Entrant', 'Difference', 'p', 'Deals'],
      conditions.map(({ a, b, entrant, difference, low, high, p_adjusted: p, deals }) => [
        `${escapeMarkdown(a)} – ${escapeMarkdown(b)}`,
        escapeMarkdown(entrant),
        difference === null
          ? missingPlaceholder
          : `${formatSigned(difference)} (${formatSigned(low!)} to ${formatSigned(high!)})`,
        p === null ? missingPlaceholder : formatP(p),
        formatWhole(deals),
      ]),
      2,
    ),
  ];
}

function renderTraits({ traits, refused_traits: refused, ratings }: Leaderboard): string[] {
  const shown = traits.filter(({ boards }) => boards.some(({ rows }) => rows.some(({ value }) => value !== null)));
  const missing = [...Map.groupBy(refused, ({ reason }) => reason)].map(
    ([reason, own]) =>
      `Not compared: ${own.map(({ title }) => lowerFirst(title)).join(', ')}; ${reasonTexts[reason].replace(/^it/, 'each')}. Name one judge (\`--judge\`).`,
  );
  if (shown.length === 0 && missing.length === 0) return [];
  return [
    '## Deception and detection',
    ...(shown.length > 0 && isAnyTime(ratings)
      ? [
          'The tournament may stop early: figures are means over deals with data, in brackets the confidence sequence of each for itself; ranks are those that differences leave open, whose level all pairs of a table share.',
        ]
      : []),
    ...shown.flatMap(({ condition, boards }) => [
      ...(condition === null ? [] : [`### ${escapeMarkdown(condition)}`]),
      ...boards.filter(({ rows }) => rows.some(({ value }) => value !== null)).flatMap(renderTrait),
    ]),
    ...(missing.length === 0 ? [] : [missing.map((line) => `- ${line}`).join('\n')]),
  ];
}

const renderTrait = ({
  title,
  question,
  metric,
  best,
  chance,
  rows,
}: Leaderboard['traits'][number]['boards'][number]): string[] => [
  `**${title}** (\`${metric}\`). ${question}${best === null ? '' : ` ${best === 'high' ? 'High' : 'Low'} is good.`}${chance === null ? '' : ` By chance ${formatShare(chance)}.`}`,
  renderTable(
    [...(best === null ? [] : ['Ranks']), 'Entrant', 'Figure', 'Deals with data'],
    rows.map(({ entrant, ranks, value, low, high, deals }) => [
      ...(best === null ? [] : [formatRanks(ranks)]),
      ...[escapeMarkdown(entrant), formatEstimate({ value, low, high }), formatWhole(deals)],
    ]),
    best === null ? 1 : 2,
  ),
];

function renderExpenses({ expenses }: Leaderboard): string[] {
  if (expenses.every(({ calls }) => calls === 0)) return [];
  const efficient = expenses.filter(({ is_efficient: isSo }) => isSo === true);
  const known = expenses.filter(({ is_efficient: isSo }) => isSo !== null);
  return [
    '## What it took',
    ...(known.length < 2
      ? []
      : efficient.length === known.length
        ? ['Nobody scores as much or more than another for less money.']
        : [
            `Most score for the money: ${efficient.map(({ entrant }) => escapeMarkdown(entrant)).join(', ')}. For every other entrant there is one that scores as much or more and costs less.`,
          ]),
    renderTable(
      ['Entrant', 'Matches', 'Calls', 'Tokens in', 'Tokens out', 'USD a match', 'Seconds a call', 'Fallbacks', 'Missing', 'Refusals'], // prettier-ignore
      expenses.map((one) => [
        ...[escapeMarkdown(one.entrant), formatWhole(one.matches), formatWhole(one.calls)],
        ...[formatWhole(one.tokens_in), formatWhole(one.tokens_out), formatCost(one)],
        one.seconds_per_call === null ? missingPlaceholder : one.seconds_per_call.toFixed(2),
        ...[one.fallbacks, one.missing, one.refusals].map((part) => formatShareOf(part, one.questions)),
      ]),
    ),
    `Shares are of all questions; (!) marks more than ${formatPercent(muchReplaced)}: a figure then says much of what stood in for an answer.`,
  ];
}

const warnOfBots = (expenses: readonly Expense[]): string[] => {
  const bots = expenses.filter(({ is_bot: isBot }) => isBot).map(({ entrant }) => escapeMarkdown(entrant));
  if (bots.length === 0) return [];
  return [
    `> **Built-in bots** played as ${bots.join(', ')}. Their figures, and what others made of them, say nothing about any language model.`,
  ];
};

const explainIntervals = (ratings: readonly Rating[]): string =>
  isAnyTime(ratings)
    ? 'A score is the mean over deals of the share won, half as Werewolves and half as the village; in brackets its confidence sequence at the level of the plan (95 % if not said), which holds however often one looks, for each score by itself. Ranks are those that the differences leave open.'
    : 'A score is the share that an entrant is expected to win against the others, half as Werewolves and half as the village, a match that nobody wins counting half; in brackets its 95 % interval (studentized bootstrap over deals). Ranks are those that tests leave open (Holm at .05 over all pairs). Log-odds and points (400 for odds of 10) are above the mean of the field.';
