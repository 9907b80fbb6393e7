// The tables and figures of Werewolf Arena (Bailis et al. 2024), its algorithm, and the numbers of section 5.2.
import { simulate } from '../../deception/baseline/village-win-simulation.ts';
import type { MetricCell } from '../../deception/metrics/metric.ts';
import { statementCodeNames } from '../../state/statement-codes.ts';
import type { Report } from '../../deception/summary/report-schema.ts';
import { formatCommand } from '../../state/command-name.ts';
import { claimTypes } from '../../prompts/judge-office.ts';
import { escapeMarkdown, formatWhole } from '../format.ts';
import { drawBidDensity, drawBidShares, drawEntropy } from '../pictures/debate-pictures.ts';
import { drawVillageWins } from '../pictures/report-pictures.ts';
import { createFigureFinder } from '../report-findings.ts';
import { findMostMovedDay, findTellingReveal, listRevealBids, listVotesByTurn } from './debate-moments.ts';
import { describeGameLoop } from './game-loop.ts';
import {
  everyMatch,
  type FigureColumn,
  makeFigureTable,
  formatPaperFigure,
  type PaperContent,
  type PaperItem,
  type PaperMatch,
  createPictureItem,
} from './paper-item.ts';

const tournament = ['arena-gemini.yaml', 'arena-gpt.yaml', 'arena-final.yaml'];

// Table 1: Seers' reveals. As in the paper, each model has a column.

const reveals = [
  ['Per Game', 'seer_reveals_per_game'],
  ['First Reveal Round', 'seer_first_reveal_round'],
  ['First Reveal Round, of the own role alone', 'seer_first_claim_round'],
  ['Unmasked Wolf', 'seer_unmasked_rate'],
  ['Believed', 'seer_believed_rate'],
  ['Backfired', 'seer_backfired_share_of_reveals'],
  ['Backfired, over reveals of a Werewolf', 'seer_backfired_rate'],
] as const;

function listReveals([report]: readonly (Report | null)[]): PaperContent {
  const figures = report?.metrics.find(({ name }) => name === 'seer_reveals_per_game')?.figures ?? [];
  const models = [...new Set(figures.flatMap(({ cell }) => cell['model'] ?? []))].sort();
  if (!report || models.length === 0)
    return { head: [], rows: [], missing: ['Columns: needs a Seer whose statements could be read'] };
  const find = createFigureFinder(report);
  const rows = reveals.map(([title, metric]) => ({
    title,
    figures: models.map((model) => find({ metric, cell: { model } })),
  }));
  return {
    head: ['Seer Reveals', ...models.map(escapeMarkdown)],
    rows: rows.map(({ title, figures: own }) => [title, ...own.map(formatPaperFigure)]),
    missing: rows
      .filter(({ figures: own }) => own.every((figure) => (figure?.value ?? null) === null))
      .map(({ title }) => `${title}: needs Seers who reveal${title === 'Per Game' ? '' : ' somebody'}`),
    notes: report.claims_notice === null ? [] : [report.claims_notice],
  };
}

// Section 5.2.1: style, emotions and tactics.

function listCodeRates([report]: readonly (Report | null)[]): PaperContent {
  const cells = (report?.metrics.find(({ name }) => name === 'code_rate')?.figures ?? [])
    .map(({ cell }) => cell)
    .filter(({ kind, model, team }) => kind === 'debate' && model !== undefined && team !== undefined);
  const coders = [...new Set(cells.flatMap(({ coder }) => coder ?? []))].sort();
  const talkers = [...new Set(cells.map(({ model, team }) => JSON.stringify([model, team])))]
    .sort()
    .map((key) => JSON.parse(key) as [model: string, team: string]);
  const columns = talkers.map(([model, team]): FigureColumn<MetricCell | null> => ({
    title: escapeMarkdown(`${model} as ${team === 'werewolves' ? 'Werewolves' : 'Villagers'}`),
    needs: 'codings (annotate --coding)',
    of: (code) =>
      code === null
        ? { metric: 'words_per_turn', cell: { model, team } }
        : { metric: 'code_rate', cell: { ...code, kind: 'debate', model, team } },
  }));
  const rows = [
    { labels: ['', 'words per turn'], row: null },
    ...coders.flatMap((coder) => statementCodeNames.map((code) => ({ labels: [coder, code], row: { coder, code } }))),
  ];
  return coders.length === 0
    ? { head: [], rows: [], missing: ['Rows: needs codings (annotate --coding)'] }
    : {
        ...makeFigureTable(['Coder', 'Code'], rows, columns, [report ?? null]),
        notes: ['How far coders agree: `coding_retest` and `coding_alpha` of the report.'],
      };
}

// Section 5.2.2: how often each side speaks.

function listTurns([report]: readonly (Report | null)[]): PaperContent {
  const figures = report?.metrics.find(({ name }) => name === 'side_turns_per_round')?.figures ?? [];
  const models = [...new Set(figures.flatMap(({ cell }) => cell['model'] ?? []))].sort();
  const find = report ? createFigureFinder(report) : () => null;
  const sides = ['werewolves', 'villagers'] as const;
  return {
    head: ['Turns of a side per round', 'as Werewolves', 'as Villagers'],
    rows: models.map((model) => [
      escapeMarkdown(model),
      ...sides.map((team) => formatPaperFigure(find({ metric: 'side_turns_per_round', cell: { team, model } }))),
    ]),
    missing: models.length > 0 ? [] : ['Rows: needs matches in which one model held a whole side'],
  };
}

// Settings with which the published values of Algorithm 1 were computed.

const published = { games: 100_000, seed: 1 };

function simulateGames(): PaperContent {
  const lines = simulate({ players: 8, werewolves: 2, isProtected: true }, published.games, published.seed);
  const formatShare = (share: number) => `${(100 * share).toFixed(2)} %`;
  return {
    head: ['', 'Games', 'Village wins', '95 % interval', 'The paper'],
    rows: lines.map(({ with_seer: withSeer, games, share, interval, published: told }) => [
      withSeer ? 'With the Seer' : 'Without a Seer',
      formatWhole(games),
      formatShare(share),
      interval.map(formatShare).join(' to '),
      told === null ? '' : formatShare(told),
    ]),
    missing: [],
  };
}

// Appendix B: the words of reveals.

/** Types of claims that make a reveal; see docs/reference/metrics.md on `seer_reveals_per_game`. */
const revealing = ['own_role', 'check', 'role', 'accusation', 'defence'] as const;

const listJudgeWords = (): PaperContent => ({
  head: ['Claim', 'Description that the judge reads'],
  rows: revealing.map((type) => [`\`${type}\``, escapeMarkdown(claimTypes[type])]),
  ...{ texts: 2, missing: [], notes: [`Whole prompts: ${formatCommand('show', 'MATCH', '--prompts')}.`] },
});

const noBids = 'debates with bids, of more than one turn';

/** Returns how well a match shows a reveal, for choosing the match of the figure. Null if the match has no reveal. */
const rankReveal = (match: PaperMatch) => findTellingReveal(match)?.rank ?? null;

/** Items in the order of the paper. */
export const arenaItems: readonly PaperItem[] = [
  {
    ...{ id: 'arena-figure-1', paper: 'arena', number: 'Figure 1', title: 'Game loop' },
    source: 'match',
    ...{ plans: tournament, needs: 'a match', choice: 'the longest match' },
    rank: ({ tables }) => tables.match.rounds,
    make: describeGameLoop,
    where: '`events.ndjson` of a match; the graph of all nodes is in [ARCHITECTURE](../ARCHITECTURE.md#six-concepts)',
    differs: 'The drawing and the list show the steps of a match that was played.',
  },
  {
    ...{ id: 'arena-figure-2', paper: 'arena', number: 'Figure 2', title: 'Bids after the Seer reveals a Werewolf' },
    source: 'match',
    ...{ plans: tournament, needs: 'a Seer who names a Werewolf in a debate with bids' },
    choice: 'the match in which, after a Seer named a living Werewolf, the Werewolves outbid the village most',
    rank: rankReveal,
    make: listRevealBids,
    where: '`bids.csv`; reasoning: `thought` events of `events.ndjson`',
    differs:
      'Bars, with every bidder, replace the drawing; the reasoning is in the table. A rule chooses the match; the paper chose an example.',
  },
  createPictureItem({
    ...{
      id: 'arena-figure-3a',
      paper: 'arena',
      number: 'Figure 3a',
      title: 'Distribution of bids at each turn of the debate',
    },
    ...{ plans: tournament, samples: [everyMatch], needs: noBids },
    draw: (report) => drawBidShares(report, 'bid-shares'),
    texts: 2,
    where: '`bid_share`, cells `scale`, `bid`, `turn`; `pictures/bid-shares.svg`',
    differs: 'The numbers are next to the picture, with intervals over deals.',
  }),
  createPictureItem({
    ...{
      id: 'arena-figure-3b',
      paper: 'arena',
      number: 'Figure 3b',
      title: 'The same for players mentioned in the turn before',
    },
    ...{
      plans: tournament,
      samples: [everyMatch],
      needs: `${noBids}, in which statements name others`,
    },
    draw: (report) => drawBidShares(report, 'bid-shares-mentioned'),
    texts: 2,
    where: '`bid_share`, cells `scale`, `bid`, `turn`, `is_mentioned`; `pictures/bid-shares-mentioned.svg`',
    differs: 'Like Figure 3a. Turn 1 is missing, because no turn precedes it.',
  }),
  {
    ...{ id: 'arena-figure-4', paper: 'arena', number: 'Figure 4', title: 'Votes during one debate' },
    source: 'match',
    ...{ plans: tournament, needs: 'synthetic votes (rule `syntheticVotes`)' },
    choice: 'the debate in which most votes changed',
    rank: (match) => findMostMovedDay(match)?.moves ?? null,
    make: listVotesByTurn,
    where:
      '`ballots.csv`, `vote` = `synthetic`; statements: `statements.csv`; over all matches: `vote_change_rate`, `vote_flow`',
    differs: 'The statements are in the table, not beside the bars. A rule chooses the match.',
  },
  createPictureItem({
    ...{ id: 'arena-figure-5', paper: 'arena', number: 'Figure 5', title: 'Villager win ratios, by who played whom' },
    ...{
      plans: tournament,
      samples: [everyMatch],
      needs: 'matches between sides of one model each',
    },
    draw: drawVillageWins,
    texts: 2,
    where:
      '`win_rate`, cells `team` = `villagers`, `model`, `opponent`; `pictures/head-to-head.svg` has the Werewolves’ wins',
    differs: 'Each cell has its interval, which for five games spans 43 to 65 of 100 points.',
  }),
  {
    ...{
      id: 'arena-5-2-1',
      paper: 'arena',
      number: 'Section 5.2.1',
      title: 'Communication style, emotions and manipulation tactics',
    },
    source: 'figures',
    ...{ plans: ['arena-final.yaml'], samples: [everyMatch], make: listCodeRates },
    needs: 'codings of statements (`annotate --coding`)',
    first: `play [arena-final.yaml](papers/arena-final.yaml) and code its statements: \`${formatCommand('annotate', 'runs/arena-final', '--model', 'openai:gpt-4o', '--coding')}\``,
    where: '`code_rate`, cells `coder`, `kind`, `code`, `model`, `team`; `words_per_turn`; `codings.csv`',
    differs:
      'The paper describes styles and gives examples. Here a model [codes](annotate.md#style-emotion-and-tactics) every statement by the terms of the paper; figures have intervals, and the agreement of coders is measured. The table needs codings; `words_per_turn` is also in an ordinary report. The preset limits statements to 80 words (`maxWords`) and the paper does not, so differences in length are smaller. To compare lengths, put `rule: { maxWords: 1000 }` into the plan.',
  },
  {
    ...{ id: 'arena-5-2-2', paper: 'arena', number: 'Section 5.2.2', title: 'How often each side speaks' },
    source: 'figures',
    ...{ plans: ['arena-final.yaml'], samples: [everyMatch], make: listTurns },
    needs: 'matches in which one model held a whole side',
    where: '`side_turns_per_round`, cells `team`, `model`; `words_per_round`, `words_per_turn`',
    differs:
      'With intervals. The two sides of a debate share its turns: [one difference, told twice](published-claims.md#werewolf-arena).',
  },
  createPictureItem({
    ...{ id: 'arena-figure-6', paper: 'arena', number: 'Figure 6', title: 'Density of bids, by model and side' },
    ...{ plans: ['arena-final.yaml'], samples: [everyMatch], needs: 'bids of more than one value' },
    draw: drawBidDensity,
    texts: 3,
    where: '`bid_share`, cells `scale`, `bid`, `model`, `team`; `pictures/bid-density.svg`',
    differs:
      'A field for each model and side, with the share of each bid and its interval, since bids are whole numbers. The kernel is Gaussian with Scott’s bandwidth; the paper does not name its own.',
  }),
  {
    ...{ id: 'arena-1', paper: 'arena', number: 'Table 1', title: 'Seer performance by model' },
    source: 'figures',
    ...{ plans: tournament, samples: [everyMatch], make: listReveals },
    needs: 'matches with a Seer; to compare models also a judge (`--judge`)',
    where:
      '`seer_reveals_per_game`, `seer_first_reveal_round`, `seer_first_claim_round`, `seer_unmasked_rate`, `seer_believed_rate`, `seer_backfired_share_of_reveals`, cell `model`',
    differs:
      'Shares are from 0 to 1, with intervals. Rounds count from 0, as the paper’s 0.00 shows. Reveals are counted from claims that rules or a judge extracted, not by Gemini 1.5 Pro with the prompt of appendix B. The first reveal round counts any reveal, because a reported check also reveals the Seer; the next row counts only claims of the role itself. The row “Backfired” divides by all reveals, which fits the paper’s numbers. The last row divides by reveals of a Werewolf, as the paper’s text says. Gemini and GPT have no separate column headings.',
  },
  {
    ...{
      id: 'arena-algorithm-1',
      paper: 'arena',
      number: 'Algorithm 1',
      title: 'Games without talk, with and without a Seer (Appendix A)',
    },
    source: 'nothing',
    ...{ plans: [], needs: 'nothing', make: simulateGames },
    where: 'no file: the command `simulate` plays it, also for other boards ([simulate.md](simulate.md))',
    differs:
      'With the Seer the village wins 47 %, not 100 %: [published-claims.md](published-claims.md#werewolf-arena).',
  },
  {
    ...{ id: 'arena-appendix-b', paper: 'arena', number: 'Appendix B', title: 'How reveals of the Seer are found' },
    source: 'nothing',
    ...{ plans: [], needs: 'nothing', make: listJudgeWords },
    where: '`claims.csv`; cached answers of the judge beside each match',
    differs:
      'The paper shows its prompt only as a picture, so the prompt cannot be used; the paper asked Gemini 1.5 Pro. Here a judge of your choice (`--judge`) is asked for all claims of a statement, and reveals are [counted from them](metrics.md#seer_reveals_per_game).',
  },
  createPictureItem({
    ...{
      id: 'arena-figure-7',
      paper: 'arena',
      number: 'Figure 7',
      title: 'Voting entropy by turn, a line for each round, with consensus points (Appendix C, Equations 1 and 2)',
    },
    ...{
      plans: tournament,
      samples: [everyMatch],
      needs: 'synthetic votes (rule `syntheticVotes`) after more than one turn',
    },
    draw: drawEntropy,
    texts: 2,
    where: '`voting_entropy`, cells `round`, `index`; `consensus_point`, cell `round`; `pictures/voting-entropy.svg`',
    differs:
      'Error bars are 95 % intervals over deals, where the paper has one standard error. The last index is the ballot itself. `consensus_rate` is the share of days that reach consensus.',
  }),
];
