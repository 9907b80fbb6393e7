// Lists the cases that the figures in a report's pictures count, so that a reader can inspect them one by one:
// statements, listeners' judgments, matches, bids, votes. The number of cases equals the figure's numerator, or for a
// mean its denominator.
import { getJudgedLevel } from '../metrics/breakdowns.ts';
import { listBids, listDaysPresent } from '../metrics/debate.ts';
import { isByListener, listLabelledJudgements } from '../metrics/judgements.ts';
import { nameArm } from '../metrics/learning.ts';
import { listVillageBallots } from '../metrics/village-success.ts';
import { computeEntropy, listPolledDays } from '../metrics/vote-dynamics.ts';
import type { AnalysisRow } from '../tables/analysis-rows.ts';
import type { MatchRow, MatchTables } from '../tables/match-tables.ts';
import type { StatementRow } from '../tables/statement-rows.ts';
import { findBin } from './score-curves.ts';

/** A figure of a report, or a part of a figure's curve. `bin` in the cell names a tenth of a calibration curve. */
export interface CountedCell {
  metric: string;
  cell: Readonly<Record<string, string>>;
}

/** Describes how a match ended, for an example. */
export const describeOutcome = (winner: MatchRow['winner']): string =>
  winner === null ? 'nobody won' : `the ${winner === 'werewolves' ? 'Werewolves' : 'village'} won`;

/**
 * Returns the cell of an entrant's score under a condition on a leaderboard. `condition` is null if there is only one
 * condition.
 */
export const nameRatedCell = (entrant: string, condition: string | null): CountedCell => ({
  metric: 'score',
  cell: { entrant, ...(condition !== null && { condition }) },
});

/** One example: a place in a match that a figure counts. */
export interface FigureExample {
  match: string;
  /** Folder of the match. */
  folder: string;
  /** Step of the match to open in the viewer, e.g. the id of a statement; null for the whole match. */
  moment: string | null;
  round: number | null;
  /** Player who spoke or acted; null if no single player did. */
  player: string | null;
  /** The statement; null if nothing was said. */
  text: string | null;
  /** Further details that the figure counts, e.g. "caught by Will"; may be empty. */
  note: string;
}

/** All cases of one match that a figure counts. */
export interface ExampleGroup extends CountedCell {
  examples: readonly FigureExample[];
}

/** Cell of judgments about debate statements by the match's own listeners. */
const heardInMatch = { source: 'match', kind: 'debate' };

/** Lists the cases that the figures count in one match. */
export function listFigureExamples(tables: MatchTables, folder: string): ExampleGroup[] {
  const finder = createExampleFinder(tables, folder);
  return [listLies, listWins, listSuspicions, listTypes, listCalibrations, listAskedBeliefs]
    .flatMap((list) => list(tables, finder))
    .concat([listBidExamples, listTalk, listPolls, listLearning].flatMap((list) => list(tables, finder)));
}

/** Maximum number of characters that are kept of a statement. No page shows more. */
const mostCharactersKept = 1000;

type ExampleFinder = ReturnType<typeof createExampleFinder>;

/**
 * Creates functions that turn rows into examples. The example of a row that is not a statement opens the viewer at the
 * statement made at the same moment. If there is none, it opens at the first debate statement of the round.
 */
export function createExampleFinder({ statements, match }: MatchTables, folder: string) {
  const said = new Map(statements.map((row) => [row.statement, row]));
  const firstOfRound = new Map(
    statements
      .filter(({ occasion }) => occasion === 'debate')
      .toReversed()
      .map(({ round, statement }) => [round, statement]),
  );
  const place = { match: match.match_id, folder };
  return {
    ofStatement: (id: string, note = ''): FigureExample => {
      const row = said.get(id);
      const text = row?.text.slice(0, mostCharactersKept) ?? null;
      const who = { round: row?.round ?? null, player: row?.speaker ?? null, text };
      return { ...place, moment: id, ...who, note };
    },
    /** Creates the example of a round. `id`: id of the statement made at that moment; empty if there is none. */
    ofRound: (round: number, player: string | null, note: string, id = ''): FigureExample => ({
      ...{ ...place, moment: said.has(id) ? id : (firstOfRound.get(round) ?? null), round, player, text: null, note },
    }),
    ofMatch: (note: string): FigureExample => ({ ...place, moment: null, round: null, player: null, text: null, note }),
  };
}

/** Groups rows with equal values in the dimensions of `of`. Each group becomes the examples of one cell. */
function groupExamples<Row>(
  rows: readonly Row[],
  { metric, fixed = {}, of }: { metric: string; fixed?: CountedCell['cell']; of: (row: Row) => CountedCell['cell'] },
  makeExample: (row: Row) => FigureExample,
): ExampleGroup[] {
  const groups = Map.groupBy(rows, (row) => Object.values(of(row)).join('\n'));
  return [...groups.values()].map((own) => ({
    ...{ metric, cell: { ...fixed, ...of(own[0]!) } },
    examples: own.map(makeExample),
  }));
}

// Statements.

function listLies({ statements }: MatchTables, { ofStatement }: ExampleFinder): ExampleGroup[] {
  const lies = statements.filter((row) => row.is_lie === true && row.kind === 'debate' && !row.is_judge_missing);
  const metric = 'lie_turn_rate';
  const makeExample = ({ statement }: StatementRow) => ofStatement(statement);
  return [
    ...groupExamples(
      lies.filter(({ team }) => team === 'werewolves'),
      { metric, of: ({ team, model }) => ({ team, model }) },
      makeExample,
    ),
    ...groupExamples(lies, { metric, of: ({ team, round }) => ({ team, round: String(round) }) }, makeExample),
  ];
}

function listTypes({ statements }: MatchTables, { ofStatement }: ExampleFinder): ExampleGroup[] {
  const reported = statements.filter(
    ({ kind, team, self_type: type }) => kind === 'debate' && team === 'werewolves' && type !== null,
  );
  const how = { metric: 'self_type_share', fixed: { kind: 'debate', team: 'werewolves' } };
  return groupExamples(reported, { ...how, of: (row) => ({ type: row.self_type! }) }, ({ statement }) =>
    ofStatement(statement),
  );
}

// Judgments by listeners.

/**
 * Lists judgments of debate statements by the match's own listeners. Excludes listeners who knew the answer from the
 * game.
 */
const listUnknowing = (tables: MatchTables) =>
  listLabelledJudgements(tables)
    .map(({ row }) => row)
    .filter((row) => !row.could_know && isHeardInMatch(row));

const isHeardInMatch = ({ source, kind }: AnalysisRow) => source === 'match' && kind === 'debate';

const tellSuspicion = ({ observer, suspicion }: AnalysisRow) => `${observer}’s suspicion ${tellShare(suspicion!)}`;
const tellShare = (share: number) => `${(100 * share).toFixed(0)} %`;

function listSuspicions({ analyses }: MatchTables, { ofStatement }: ExampleFinder): ExampleGroup[] {
  const judged = analyses.filter(
    (row) =>
      isByListener(row) &&
      row.source === 'match' &&
      row.kind === 'debate' &&
      typeof getJudgedLevel(row, 'suspicion') === 'number',
  );
  return groupExamples(
    judged,
    {
      ...{ metric: 'perceived_suspicion', fixed: heardInMatch },
      of: ({ speaker_role, round }) => ({ speaker_role, round: String(round) }),
    },
    (row) => ofStatement(row.statement, tellSuspicion(row)),
  );
}

/** Returns the calibration bin of a score, named by the lower end of its tenth, e.g. `0.3`. */
const nameBin = (score: number) => (findBin(score) / 10).toFixed(1);

function listCalibrations(tables: MatchTables, { ofStatement }: ExampleFinder): ExampleGroup[] {
  const suspected = listUnknowing(tables).filter(({ suspicion }) => suspicion !== null);
  const believed = tables.analyses.filter(
    (row) =>
      isByListener(row) &&
      !row.knows_side &&
      row.source === 'match' &&
      row.kind === 'debate' &&
      row.p_werewolf !== null,
  );
  return [false, true].flatMap((byModel) => [
    ...groupExamples(
      suspected,
      {
        ...{ metric: 'suspicion_roc_auc', fixed: { ...heardInMatch, could_know: 'false' } },
        of: (row) => ({ bin: nameBin(row.suspicion!), ...(byModel && { observer_model: row.observer_model }) }),
      },
      (row) => ofStatement(row.statement, `${tellSuspicion(row)}; ${row.is_lie ? 'a lie' : 'no lie'}`),
    ),
    ...groupExamples(
      believed,
      {
        ...{ metric: 'belief_roc_auc', fixed: heardInMatch },
        of: (row) => ({ bin: nameBin(row.p_werewolf!), ...(byModel && { observer_model: row.observer_model }) }),
      },
      ({ statement, observer, speaker, speaker_team: team, p_werewolf: given }) =>
        ofStatement(statement, tellBelief(observer, speaker, given!, team === 'werewolves')),
    ),
  ]);
}

const tellBelief = (observer: string, about: string, given: number, isSo: boolean) =>
  `${observer} gave ${tellShare(given)} to ${about} being a Werewolf, which is ${isSo ? 'true' : 'false'}`;

function listAskedBeliefs({ beliefs }: MatchTables, { ofRound }: ExampleFinder): ExampleGroup[] {
  const asked = beliefs.filter((row) => !row.could_know);
  return [false, true].flatMap((byModel) =>
    groupExamples(
      asked,
      {
        ...{ metric: 'belief_roc_auc', fixed: { source: 'match', kind: 'beliefs' } },
        of: (row) => ({ bin: nameBin(row.p_werewolf), ...(byModel && { observer_model: row.observer_model }) }),
      },
      ({ round, step, observer, about, p_werewolf: given, is_werewolf: isSo }) =>
        ofRound(round, observer, tellBelief(observer, about, given, isSo), `${round}.${step}`),
    ),
  );
}

// Matches.

function listWins({ match }: MatchTables, { ofMatch }: ExampleFinder): ExampleGroup[] {
  const { winner, end_reason: reason, villagers_model: villagers, werewolves_model: werewolves } = match;
  if (reason === null) return [];
  const ending = describeOutcome(winner);
  const several = 'several models';
  const example = ofMatch(`${ending}; Werewolves ${werewolves ?? several}, village ${villagers ?? several}`);
  const cells = [
    ...(werewolves === null || villagers === null
      ? []
      : [{ team: 'werewolves', model: werewolves, opponent: villagers }]),
  ];
  return cells.map((cell) => ({ metric: 'win_rate', cell, examples: [example] }));
}

// Examples from days: bids, turns and votes.

function listBidExamples(tables: MatchTables, { ofRound }: ExampleFinder): ExampleGroup[] {
  const bids = listBids(tables).filter(({ row }) => row.bid !== null);
  const mentioned = bids.filter(({ row }) => row.is_mentioned);
  type Bid = (typeof bids)[number];
  const list = (some: readonly Bid[], metric: string, of: (bid: Bid) => CountedCell['cell']) =>
    groupExamples(some, { metric, of }, ({ row: { round, step, bidder, bid, scale } }) =>
      ofRound(round, bidder, `${bidder} bid ${bid} of ${scale}`, `${round}.${step + 1}`),
    );
  const getValue = ({ row: { scale, bid } }: Bid) => ({ scale: String(scale), bid: String(bid) });
  return [
    ...list(bids, 'bid_height', ({ row, turn }) => ({ turn: String(turn), is_mentioned: String(row.is_mentioned) })),
    ...list(bids, 'bid_share', (one) => ({ ...getValue(one), turn: String(one.turn) })),
    ...list(mentioned, 'bid_share', (one) => ({ ...getValue(one), turn: String(one.turn), is_mentioned: 'true' })),
    ...list(bids, 'bid_share', (one) => ({
      ...getValue(one),
      ...{ model: one.row.bidder_model, team: one.row.bidder_team },
    })),
  ];
}

function listTalk(tables: MatchTables, { ofRound }: ExampleFinder): ExampleGroup[] {
  const days = tables.players.flatMap((row) => listDaysPresent(row, tables).map((round) => ({ row, round })));
  const said = Map.groupBy(
    tables.statements.filter(({ occasion }) => occasion === 'debate'),
    ({ round, speaker }) => `${round} ${speaker}`,
  );
  return groupExamples(
    days,
    { metric: 'turns_per_round', of: ({ row: { model, team } }) => ({ model, team }) },
    ({ row: { player }, round }) => {
      const own = said.get(`${round} ${player}`) ?? [];
      return ofRound(round, player, `${player} said something ${tellTimes(own.length)}`, own[0]?.statement);
    },
  );
}

const tellTimes = (count: number) => (count === 1 ? 'once' : `${count} times`);

const listPolls = (tables: MatchTables, { ofRound }: ExampleFinder): ExampleGroup[] =>
  groupExamples(
    listPolledDays(tables).flatMap(({ round: { round }, polls }) =>
      polls.filter((poll) => computeEntropy(poll) !== null).map((poll) => ({ round, ...poll })),
    ),
    { metric: 'voting_entropy', of: ({ round, index }) => ({ round: String(round), index: String(index) }) },
    ({ round, votes }) => {
      const counts = [...Map.groupBy(votes, ({ target }) => target)].sort(
        ([, one], [, other]) => other.length - one.length,
      );
      const told = counts.map(([target, { length }]) => `${target} ${length}`).join(', ');
      return ofRound(round, null, `votes: ${told}`, `${round}.${votes[0]?.step ?? ''}`);
    },
  );

function listLearning(tables: MatchTables, { ofRound }: ExampleFinder): ExampleGroup[] {
  const { experience_block: block } = tables.match;
  if (block === null) return [];
  return groupExamples(
    listVillageBallots(tables).filter((row) => row.target_team === 'werewolves'),
    { metric: 'learning_votes', of: () => ({ experience: nameArm(tables), block: String(block) }) },
    ({ round, voter, target }) => ofRound(round, voter, `${voter} voted for ${target}`, `${round}.${voter}`),
  );
}
