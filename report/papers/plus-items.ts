// The tables and figures of WereWolf-Plus (2025), and the cost in its appendix C.
import type { Report, ReportedFigure } from '../../deception/summary/report-schema.ts';
import { metrics } from '../../deception/metrics/index.ts';
import { formatCommand } from '../../state/command-name.ts';
import { boards, listSeatRoles } from '../../state/boards.ts';
import { getRole, roles } from '../../state/roles/index.ts';
import { rulebook } from '../../state/rulebook.ts';
import { escapeMarkdown, formatFigure, formatWhole, missingPlaceholder } from '../format.ts';
import { drawFlow } from '../pictures/moment-pictures.ts';
import { createFigureFinder, type FigureKey } from '../report-findings.ts';
import { describeGameLoop } from './game-loop.ts';
import {
  everyMatch,
  type FigureColumn,
  listMeetings,
  type Meeting,
  type PaperContent,
  type PaperItem,
  type PaperSample,
  makeFigureTable,
} from './paper-item.ts';

// The matches that the tables cover.

const withoutSheriff: PaperSample = {
  about: 'without a Sheriff and without experience',
  includes: ({ rules, experience }) => !rules.sheriff && !experience,
};
const createArm = (arm: 'pool' | 'shuffled', hasSheriff: boolean): PaperSample => ({
  about: `${hasSheriff ? 'with' : 'without'} a Sheriff, with experience (${arm})`,
  includes: ({ rules, experience }) => rules.sheriff === hasSheriff && experience?.arm === arm,
});
const withSheriff: PaperSample = {
  about: 'with a Sheriff and without experience',
  includes: ({ rules, experience }) => rules.sheriff && !experience,
};

// Columns of scores of a model against an opponent.

/** The scores of the tables, in order. Role scores have the role's name. */
const scores = [
  { metric: 'seer_score', needs: 'a Seer' },
  { metric: 'witch_score', needs: 'a Witch who used a potion' },
  { metric: 'hunter_score', needs: 'a Hunter who shot' },
  { metric: 'guard_score', needs: 'a Guard' },
  { metric: 'werewolf_score', title: 'WereWolf', needs: 'matches that ended' },
  { metric: 'irp_votes', title: 'IRP', needs: 'ballots for exile' },
  { metric: 'irp_asked', title: 'IRP, asked', needs: 'beliefs (rule `beliefs`)' },
  { metric: 'kre', title: 'KRE', needs: 'a Seer, Witch, Hunter or Guard with a score' },
  { metric: 'vss_days', title: 'VSS', needs: 'exiles' },
] as const;
type Score = (typeof scores)[number];

const createScoreColumn = (score: Score): FigureColumn<Meeting> => ({
  title: 'title' in score ? score.title : metrics.find(({ name }) => name === score.metric)!.title.split(':')[0]!,
  needs: score.needs,
  of: ({ model, opponent }) => ({
    metric: score.metric,
    cell:
      score.metric === 'irp_asked'
        ? { could_know: 'false', observer_model: model, opponent } // a player who knows the sides has nothing to identify
        : { model, opponent },
  }),
});

const labelPairs = (pairs: readonly Meeting[]) =>
  pairs.map((pair) => ({ labels: [pair.model, pair.opponent], row: pair }));

const heldSides = 'Rows: needs matches in which one model held the whole village and one all Werewolves';

function withRows(content: PaperContent): PaperContent {
  return content.rows.length > 0 ? content : { ...content, missing: [heldSides] };
}

/** Explanation of IRP (precision in identifying roles), for Tables 2 and 4. */
const irp =
  'The paper’s “precision with which a player deduces the roles of other participants” can be read in two ways, and each has a column. IRP is `irp_votes`, the share of the village’s ballots on Werewolves, as the code of DSGBench counts. “IRP, asked” is `irp_asked`, the share of sides that players name correctly when they are asked about players whose side they could not know.';

/** Explanation of the retrieval settings for Tables 3* and 4, which use experience of earlier matches. */
const recalled =
  'The plans embed with all-MiniLM-L6-v2, the paper with `multi-qa-mpnet-base-cos-v1` (set `embedder`). The paper does not give k; 3 is our choice. The threshold is the text’s 0.5; the code has 0.3.';

/** Describes how to make an experience pool from the matches of `study`, and which plan then uses the pool. */
const describePool = (study: string) =>
  `play [${study}.yaml](papers/${study}.yaml), then build and embed its pool: \`${formatCommand('pool', 'build', `runs/${study}`, '--out', `runs/${study}-pool`, '--reward', 'rounds', '--moment', 'ballot')}\`, \`${formatCommand('pool', 'embed', `runs/${study}-pool`)}\`. Then play [${study}-experience.yaml](papers/${study}-experience.yaml). Details: [experience.md](experience.md#as-in-the-papers)`;

const reconstructed =
  'The text of the paper lacks its equations: scores are [reconstructed](metrics.md#special-roles). Each has a 95 % interval, which the paper lacks.';

// Table 1: features of the frameworks.

const specialRoles = [...new Set(listSeatRoles(boards['plus-12']!))].filter((name) => {
  const { special, team } = getRole(name);
  return special && team === 'villagers';
});
const features = ['Sheriff', ...specialRoles, 'Experience', 'Multi-oppo'];

/**
 * A sign for each feature. Our copy of the paper has lost the columns of the table, so the signs come from the paper's
 * text. `?`: the text does not mention the feature. The table has four marks for Helmsman and four for ELLM, but the
 * text names only Helmsman's Sheriff, and ELLM's experience and single model.
 */
const publishedMarks = {
  'DSGBench (Tang et al., 2025)': '.✓..✓.✓',
  'Helmsman (Du and Zhang, 2024)': '✓??????',
  'ELLM (Xu et al., 2023)': '?????✓.',
  'Werewolf-Plus': '✓✓✓✓✓✓✓',
} as const;

/** Features that are neither roles nor rules, and the field of a plan that provides them. */
const planFields = { Experience: 'experience', 'Multi-oppo': 'entrants' };

/** Marks of this project's features. They are derived from the registers, so that a removed feature loses its mark. */
const ownMarks = features.map((feature) => {
  const isThere = feature === 'Sheriff' ? 'sheriff' in rulebook : roles.has(feature);
  return isThere || feature in planFields ? '✓' : '.';
});

function compareFeatures(): PaperContent {
  const others = [...roles.values()]
    .filter(({ name, special, team }) => special && team === 'villagers' && !features.includes(name))
    .map(({ name }) => name);
  const listMarks = (marks: readonly string[]) => marks.map((one) => (one === '.' ? '' : one));
  return {
    head: ['', ...features],
    rows: [
      ...Object.entries(publishedMarks).map(([name, marks]) => [name, ...listMarks([...marks])]),
      ['Wolfgraph', ...listMarks(ownMarks)],
    ],
    texts: features.length + 1,
    missing: [],
    notes: [
      'A question mark: the paper’s text does not say. The table marks four features of Helmsman, of which the text names the Sheriff, and four of ELLM, of which the text names experience.',
      `Wolfgraph also has: ${others.join(', ')}.`,
    ],
  };
}

// Figure 2: experience at the vote.

/** Stages of storing and recalling experience under `method: paper-plus`, as in the plans of Tables 3* and 4. */
const recall: readonly (readonly [stage: string, paper: string, here: string])[] = [
  [
    'What is stored',
    'a player’s “individual summary about debate before every vote stage”',
    'the same: rule `voteSummary`, and `pool build --moment ballot`',
  ],
  [
    'Reward',
    'Eq. 1, whose formula the text lacks',
    '`pool build --reward rounds`, reconstructed: 1000 − rounds of a win, the rounds of a loss',
  ],
  ['Tags', 'player, character, model', '`seat`, `role`, `from`'],
  [
    'Embedding',
    'multi-qa-mpnet-base-cos-v1',
    'all-MiniLM-L6-v2, also in the plans; the paper’s model if `embedder` names a server that has it',
  ],
  ['Query', 'the current summary', 'the same'],
  ['Filter', 'similarity of at least 0.5 (3.1; the code: 0.3)', '`threshold: 0.5`, as in the text'],
  [
    'Choice',
    'the top k by reward; k is not given',
    '`rank: reward`; `k: 3` in the plans is our choice; each with a partner for the control',
  ],
  ['Where', '“in vote stage (not including pseudo-vote)” (4.3)', 'the same: `moments: [ballot]`'],
];

/** Draws what a match stores, and what a later match recalls before its vote. */
function drawRecall() {
  const box = (column: number, row: number, text: string, note: string) => ({ column, row, text, note });
  return drawFlow(
    {
      name: 'experience-at-the-vote',
      title: 'Experience at the vote',
      description:
        'Left: what finished matches add to the pool, which is the summary of each player before each vote, with a reward. Right: what a player recalls from the pool before the vote that counts.',
    },
    {
      headings: ['earlier matches', 'experience pool', 'this match'],
      boxes: [
        box(0, 0, 'debate', 'all have spoken'),
        box(0, 1, 'own summary', 'voteSummary'),
        box(0, 2, 'vote', 'and the end'),
        box(1, 2, 'entry with reward', 'Eq. 1: --reward rounds'),
        box(1, 3, 'similar entries', 'threshold: 0.5'),
        box(1, 4, 'top k by reward', 'rank: reward'),
        box(2, 1, 'debate', 'all have spoken'),
        box(2, 3, 'own summary', 'the query'),
        box(2, 4, 'vote that counts', 'moments: [ballot]'),
      ],
      arrows: [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [6, 7], [7, 4], [5, 8], [7, 8]], // prettier-ignore
    },
  );
}

// Table 3: the influence of Sheriffs.

const sheriffColumns: readonly FigureColumn<Meeting>[] = [0, 1].flatMap((sample) => {
  const star = sample === 0 ? '' : '*';
  const needs = `a Sheriff who recommended somebody${sample === 0 ? '' : ', with experience'}`;
  const createInfluence = (title: string, team: string): FigureColumn<Meeting> => ({
    ...{ title: `${title}${star}`, needs, sample },
    of: ({ model, opponent }) => ({ metric: 'sheriff_influence', cell: { sheriff_team: team, model, opponent } }),
  });
  const vss = createScoreColumn(scores.at(-1)!);
  return [
    createInfluence('Good Sheriff', 'villagers'),
    createInfluence('Bad Sheriff', 'werewolves'),
    { ...vss, title: `VSS${star}`, sample, needs: sample === 0 ? vss.needs : 'exiles, with experience' },
  ];
});

// Table 4: a village with experience, and without.

const setups = ['W.O. Experience Pool', 'Vote Experience Pool', 'Shuffled pool (control)'] as const;

function compareSetups(reports: readonly (Report | null)[]): PaperContent {
  const ofVillage = scores.filter(({ metric }) => metric !== 'werewolf_score').map(createScoreColumn);
  const parts = setups.map((setup, sample) => {
    const report = reports[sample] ?? null;
    const pairs = listMeetings([report]).filter((pair) => hasVillage(report, pair));
    const rows = pairs.map((pair) => ({ labels: [setup, pair.model, pair.opponent], row: pair }));
    return makeFigureTable(['Setup', 'Village', 'Opponent'], rows, ofVillage, [report]);
  });
  const absent = setups.filter((_, at) => parts[at]!.rows.length === 0);
  const needs = [
    'matches without a Sheriff and without experience',
    'matches without a Sheriff in which the village had a pool',
    'matches without a Sheriff in which the village had a shuffled pool',
  ];
  return {
    ...parts[0]!,
    rows: parts.flatMap(({ rows }) => rows),
    missing: [
      ...absent.map((setup) => `${setup}: needs ${needs[setups.indexOf(setup)]!}`),
      ...parts.flatMap(({ rows, missing }, at) =>
        rows.length === 0 ? [] : missing.map((one) => `${setups[at]!}, ${one}`),
      ),
    ],
  };
}

/**
 * Returns whether the model played the village against the opponent. If a pair never swapped sides, only one of its two
 * rows has figures.
 */
const hasVillage = (report: Report | null, { model, opponent }: Meeting) =>
  report !== null && createFigureFinder(report)({ metric: 'vss_days', cell: { model, opponent } }) !== null;

// Appendix C: tokens and money.

function listCosts([report]: readonly (Report | null)[]): PaperContent {
  const find = report ? createFigureFinder(report) : () => null;
  const figures = report?.metrics.find(({ name }) => name === 'calls_per_match')?.figures ?? [];
  const models = figures.flatMap(({ cell }) =>
    cell['model'] !== undefined && Object.keys(cell).length === 1 ? [cell['model']] : [],
  );
  const total = (figure: ReportedFigure | null) =>
    figure?.value == null ? null : figure.value * (figure.opportunities ?? 0);
  const rows = models.map((model) => {
    const of = (metric: string): FigureKey => ({ metric, cell: { model } });
    const [calls, tokensIn, tokensOut, cost] = (
      ['calls_per_match', 'tokens_in_per_match', 'tokens_out_per_match', 'cost_per_match'] as const
    ).map((metric) => total(find(of(metric))));
    const unknown = find(of('cost_unknown_rate'))?.value ?? null;
    return { model, calls: calls!, tokensIn: tokensIn!, tokensOut: tokensOut!, cost: cost!, unknown };
  });
  const formatTotal = (value: number | null) => (value === null ? missingPlaceholder : formatWhole(Math.round(value)));
  const known = rows.flatMap(({ cost }) => cost ?? []);
  const all = known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0);
  const isBound = rows.some(({ unknown, cost }) => cost === null || (unknown !== null && unknown > 0));
  return {
    head: ['Model', 'Calls', 'Tokens in', 'Tokens out', 'USD', 'Calls of unknown cost'],
    rows: [
      ...rows.map(({ model, calls, tokensIn, tokensOut, cost, unknown }) => [
        escapeMarkdown(model),
        ...[calls, tokensIn, tokensOut].map(formatTotal),
        ...[formatFigure(cost), formatFigure(unknown)],
      ]),
      ['all', '', '', '', formatFigure(all), ''],
    ].slice(rows.length === 0 ? 1 : 0),
    missing: [
      ...(rows.length === 0 ? ['Rows: needs calls, which imported matches lack'] : []),
      ...(rows.length > 0 && all === null ? ['USD: needs models with known prices'] : []),
    ],
    notes: isBound && all !== null ? ['The sum is a lower bound: the cost of some calls is not known.'] : [],
  };
}

/** Items in the order of the paper. */
export const plusItems: readonly PaperItem[] = [
  {
    ...{ id: 'plus-1', paper: 'plus', number: 'Table 1', title: 'Roles and features of frameworks' },
    source: 'nothing',
    ...{ plans: [], needs: 'nothing', make: compareFeatures },
    where: 'no file: printed from the registers of roles and rules',
    differs:
      'The table has a row for Wolfgraph. The paper’s text lost the columns of some marks. The marks of DSGBench follow from the text; most marks of Helmsman and ELLM are left open (?).',
  },
  {
    ...{ id: 'plus-figure-1', paper: 'plus', number: 'Figure 1', title: 'Game flow' },
    source: 'match',
    ...{ plans: ['plus-8.yaml', 'plus-12.yaml'], needs: 'a match' },
    choice: 'the first match with a Sheriff, or else the first',
    rank: ({ tables }) => (tables.rounds.some(({ sheriff }) => sheriff !== null) ? 1 : 0),
    make: describeGameLoop,
    where: '`events.ndjson` of a match; the graph of all nodes is in [ARCHITECTURE](../ARCHITECTURE.md#six-concepts)',
    differs:
      'The drawing and the list show the steps of a match that was played. How the preset `plus` differs: [above](#werewolf-plus).',
  },
  {
    ...{ id: 'plus-figure-2', paper: 'plus', number: 'Figure 2', title: 'Experience at the vote' },
    source: 'nothing',
    ...{ plans: ['plus-8-experience.yaml', 'plus-12-experience.yaml'], needs: 'nothing' },
    make: () => ({
      head: ['Stage', 'The paper', 'Wolfgraph, `method: paper-plus`'],
      rows: recall,
      ...{ texts: 3, missing: [], notes: ['Options: docs/guides/experience.md.'], picture: drawRecall() },
    }),
    where: '`remembered` events of a match, `remembered_entries` of reports',
    differs:
      'The table names the option of each stage. The text lacks Eq. 1, which is reconstructed. What each option does, and what the papers did: [experience.md](experience.md#as-in-the-papers).',
  },
  {
    ...{ id: 'plus-2', paper: 'plus', number: 'Table 2', title: 'Scores of models against each other, 12 players' },
    source: 'figures',
    ...{ plans: ['plus-12.yaml'], samples: [withoutSheriff] },
    needs: 'matches without a Sheriff, each side held by one model',
    make: (reports) =>
      withRows(
        makeFigureTable(
          ['LLM Model', 'Against'],
          labelPairs(listMeetings(reports)),
          scores.map(createScoreColumn),
          reports,
        ),
      ),
    where:
      '`report.json` and `figures.csv`: `seer_score`, `witch_score`, `hunter_score`, `guard_score`, `werewolf_score`, `irp_votes`, `kre`, `vss_days`, cells `model`, `opponent`; `irp_asked`, cells `could_know`, `observer_model`, `opponent`',
    differs: `${reconstructed} ${irp} The opponent has its own column. Boards and rules are those of the matches: the paper has 12 players, of whom 4 are Werewolves.`,
  },
  {
    ...{
      id: 'plus-3',
      paper: 'plus',
      number: 'Tables 3 and 3*',
      title: 'Influence of Sheriffs, without and with (*) experience',
    },
    source: 'figures',
    ...{
      plans: ['plus-8.yaml', 'plus-8-experience.yaml'],
      samples: [withSheriff, createArm('pool', true)],
    },
    needs: 'matches with a Sheriff, each side held by one model; for 3* also matches with experience',
    first: describePool('plus-8'),
    make: (reports) =>
      withRows(makeFigureTable(['LLM Model', 'Against'], labelPairs(listMeetings(reports)), sheriffColumns, reports)),
    where:
      '`sheriff_influence`, cells `sheriff_team` (villagers: good), `model`, `opponent`; `vss_days`, cells `model`, `opponent`. An ordinary report mixes matches with and without experience; `--table plus-3` keeps them apart',
    differs: `${reconstructed} The published code of WereWolf-Plus counts the change [the wrong way round](metrics.md#sheriff_influence). Both folders have matches without experience, so the columns without asterisk count twenty games per configuration, where the paper has ten. To count ten, report only \`runs/plus-8\`. ${recalled}`,
  },
  {
    ...{ id: 'plus-4', paper: 'plus', number: 'Table 4', title: 'A village with and without experience, 12 players' },
    source: 'figures',
    ...{ plans: ['plus-12-experience.yaml'] },
    samples: [withoutSheriff, createArm('pool', false), createArm('shuffled', false)],
    needs: 'matches without a Sheriff, each side held by one model, without experience and with it',
    first: describePool('plus-12'),
    make: compareSetups,
    where: 'as Table 2, for the matches of each arm; `experience` in `matches.csv` names the arm',
    differs: `${reconstructed} ${irp} ${recalled} A third setup, not in the paper, is a control: players get as many remembered entries, but from unrelated situations. All models that played a village have rows; the paper has only Doubao. The paper’s rows without experience repeat its Table 2; here they come from new matches, on the same deals as the matches with experience.`,
  },
  {
    ...{ id: 'plus-appendix-c', paper: 'plus', number: 'Appendix C', title: 'Tokens and cost' },
    source: 'figures',
    ...{ plans: [], samples: [everyMatch], needs: 'matches that were played here', make: listCosts },
    where:
      '`calls_per_match`, `tokens_in_per_match`, `tokens_out_per_match`, `cost_per_match`, times their matches; `calls.csv`',
    differs:
      'Counted from the calls; the paper estimates from logs. USD by the [prices](providers.md#prices) of the day, cached tokens at their own price; the paper has yuan (179.74 in all). Its prices per million tokens, in and out: GPT-4o-mini $1.10 and $4.40, over seven times those of our table; “Deepseek-v1” ¥4 and ¥16, none of them cached; Doubao ¥5 and ¥9. Our table has no prices of DeepSeek and Doubao: without `prices` in [models.yaml](papers/models.yaml) their cost is unknown.',
  },
];
