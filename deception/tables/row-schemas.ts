// The schemas of all tidy tables: a row is a match, statement, claim, analysis or belief, or a player, round, ballot, bid,
// deed or call. All figures are counted from them, and the columns of exported files follow from them.
import { z } from 'zod';
import { Cause, DeceptionType, EndReason } from '../../state/events.ts';
import { Team } from '../../state/teams.ts';
import { ClaimType } from '../claims/claim.ts';
import { Verdict } from '../claims/verify-claim.ts';
import { statementOccasions } from '../statements.ts';
import { CallRow } from './call-rows.ts';

// The tables of the game itself, made from a record without reading what was said.

const text = z.string();
const count = z.int32().min(0);
const yes = z.boolean();

const match = { match_id: text.describe('id of the match') };
const when = { ...match, round: count.describe('the round, from 1') };

export const PlayerRow = z.strictObject({
  ...match,
  player: text.describe('name'),
  seat: count.describe('seat, from 1'),
  role: text.describe('role dealt, and its side'),
  team: Team.describe('role dealt, and its side'),
  is_special: yes.describe('true for every role but Villager'),
  model: text.describe('who answered for the player'),
  is_bot: yes.describe('who answered for the player'),
  survived: yes.describe('in the game at its end'),
  left_round: count
    .nullable()
    .describe('when and how the player left (`night`, `exile`, `last_act`); missing for survivors'),
  left_cause: Cause.nullable().describe(
    'when and how the player left (`night`, `exile`, `last_act`); missing for survivors',
  ),
  left_place: count.nullable().describe('place in the order of announced departures, from 1; missing for survivors'),
  has_won: yes.nullable().describe("whether the player's side won; missing without a winner"),
  speaking_position: count
    .nullable()
    .describe('place in the order of first turns in the debate of round 1, from 1; missing without a turn'),
  turns: count.describe('turns in debates, silent ones included, and words said in them'),
  words: count.describe('turns in debates, silent ones included, and words said in them'),
});
export type PlayerRow = z.infer<typeof PlayerRow>;

export const RoundRow = z.strictObject({
  ...when,
  villagers_alive: count.describe("alive at the day's first exile ballot, or at the end of a round without one"),
  werewolves_alive: count.describe("alive at the day's first exile ballot, or at the end of a round without one"),
  without_vote: text.describe('living players who had lost their vote by then, separated by spaces'),
  left_at_night: text.describe('who left in the night, separated by spaces'),
  exiled: text.nullable().describe('who was exiled; missing where nobody was'),
  exiled_role: text.nullable().describe('who was exiled; missing where nobody was'),
  exiled_team: Team.nullable().describe('who was exiled; missing where nobody was'),
  left_by_last_act: text.describe("who left by another's last act, separated by spaces"),
  sheriff: text.nullable().describe('Sheriff at that ballot; missing without one'),
  sheriff_team: Team.nullable().describe('Sheriff at that ballot; missing without one'),
  recommended: text.nullable().describe('whom the Sheriff recommended to exile'),
  turns: count.describe('turns in the debate, silent ones included, and words said in them'),
  words: count.describe('turns in the debate, silent ones included, and words said in them'),
});
export type RoundRow = z.infer<typeof RoundRow>;

/** `exile_again`: after a tie; `pseudo`: before a Sheriff's recommendation; `synthetic`: asked in private, of no effect. */
const VoteKind = z.enum(['sheriff', 'synthetic', 'pseudo', 'exile', 'exile_again']);

export const BallotRow = z.strictObject({
  ...when,
  vote: VoteKind.describe(
    '`exile`, `exile_again` (after a tie), `sheriff` (election); without effect: `pseudo` (before the Sheriff recommends), `synthetic` (asked privately after a statement)',
  ),
  step: count
    .nullable()
    .describe('`synthetic`: turns so far in the round; `sheriff`: which vote, from 1; else missing'),
  voter: text.describe('who voted'),
  voter_role: text.describe('who voted'),
  voter_team: Team.describe('who voted'),
  voter_model: text.describe('who voted'),
  voter_is_bot: yes.describe('who voted'),
  target: text.describe('for whom'),
  target_role: text.describe('for whom'),
  target_team: Team.describe('for whom'),
  is_drawn: yes.describe('chosen at random for lack of a usable answer'),
});
export type BallotRow = z.infer<typeof BallotRow>;

export const BidRow = z.strictObject({
  ...when,
  step: count.describe('turns so far in the round'),
  bidder: text.describe('who bid'),
  bidder_role: text.describe('who bid'),
  bidder_team: Team.describe('who bid'),
  bidder_model: text.describe('who bid'),
  bidder_is_bot: yes.describe('who bid'),
  bid: count.nullable().describe('the bid; missing if unreadable'),
  scale: count.describe('highest bid allowed'),
  is_mentioned: yes.describe('whether the statement before named the bidder'),
  is_speaker: yes.describe('whether the bidder got the turn'),
});
export type BidRow = z.infer<typeof BidRow>;

export const DeedRow = z.strictObject({
  ...when,
  by: text.describe('who did it; of several, the first living in seat order'),
  by_role: text.describe('who did it; of several, the first living in seat order'),
  by_team: Team.describe('who did it; of several, the first living in seat order'),
  by_model: text.describe('who did it; of several, the first living in seat order'),
  by_is_bot: yes.describe('who did it; of several, the first living in seat order'),
  is_joint: yes.describe('whether several decided it together'),
  verb: text.describe('the power or last act'),
  aim: z.enum(['harm', 'shield', 'learn']).describe('`harm`, `shield` or `learn`'),
  is_last_act: yes.describe('whether it was done on leaving the game'),
  target: text.nullable().describe('on whom; missing if unused'),
  target_role: text.nullable().describe('on whom; missing if unused'),
  target_team: Team.nullable().describe('on whom; missing if unused'),
  is_on_victim: yes
    .nullable()
    .describe('whether the target was attacked that night; missing without a target and for last acts'),
  is_fatal: yes
    .nullable()
    .describe('whether the target left that night, for any reason, or by this last act; missing without a target'),
  is_drawn: yes.describe('chosen at random for lack of a usable answer'),
});
export type DeedRow = z.infer<typeof DeedRow>;

/** What happened in one match, whatever was said. */
export interface GameTables {
  players: readonly PlayerRow[];
  rounds: readonly RoundRow[];
  ballots: readonly BallotRow[];
  bids: readonly BidRow[];
  deeds: readonly DeedRow[];
}

/** File name → shape of a row. */
const gameSchemas = {
  players: PlayerRow,
  rounds: RoundRow,
  ballots: BallotRow,
  bids: BidRow,
  deeds: DeedRow,
} as const;

// The tables of what was said and made of it, and of the match.

const large = z.number().int().min(0);
const share = z.number().min(0).max(1);

const statement = {
  ...match,
  statement: text.describe('the statement: id, round, kind, [occasion](#words-used-throughout)'),
  round: count.describe('the statement: id, round, kind, [occasion](#words-used-throughout)'),
  kind: z.enum(['debate', 'ballot']).describe('the statement: id, round, kind, [occasion](#words-used-throughout)'),
  occasion: z.enum(statementOccasions).describe('the statement: id, round, kind, [occasion](#words-used-throughout)'),
};

export const MatchRow = z.strictObject({
  ...match,
  board: text.describe('as in `manifest.json`'),
  seed: z.number().int().describe('as in `manifest.json`'),
  deal: text.describe('names and roles in seat order, `Ginger=Seer, …`; of a variant those of the deal that it varies'),
  variant: text.describe('[variant](compare.md#variants) of the deal, or `plain`'),
  analysis: text.describe('the rules of these names'),
  scores: text.describe('the rules of these names'),
  honesty: text.describe('the rules of these names'),
  coaching: text.describe('the rules of these names'),
  rules: text.describe('all rules, as JSON'),
  experience: text
    .nullable()
    .describe(
      'what players [remembered](experience.md) of earlier matches: arm, first digits of the pool (of one that grows, those of the pool it began with), settings, who, what finds entries, and wording; missing where they did not',
    ),
  experience_block: count
    .nullable()
    .describe('block of a set whose pools [grow](experience.md#learning), from 1; missing in all others'),
  villagers_model: text.nullable().describe('model string of the side; missing if it had several'),
  werewolves_model: text.nullable().describe('model string of the side; missing if it had several'),
  seats: count.describe('number of players'),
  bots: count.describe('seats played by bots'),
  winner: Team.nullable().describe('winning side; missing without a winner'),
  end_reason: EndReason.nullable().describe('why the match ended; missing if it did not'),
  rounds: count.describe('last round'),
  statements: count.describe('public statements'),
  calls: count.describe('model calls'),
  questions: count.describe('first attempts among them'),
  unanswered: count.describe('questions without a usable answer, refusals included'),
  refusals: count.describe('answers that were refusals'),
  fallback_share: share.nullable().describe('`unanswered` / `questions`; missing without questions'),
  tokens_in: large.nullable().describe('what is known of tokens and cost (USD); missing if nothing is'),
  tokens_out: large.nullable().describe('what is known of tokens and cost (USD); missing if nothing is'),
  cost: z.number().min(0).nullable().describe('what is known of tokens and cost (USD); missing if nothing is'),
  wall_ms: large.nullable().describe('milliseconds with at least one call under way; missing without calls'),
  imported: text.nullable().describe('format it was imported from; missing if played here'),
  wolfgraph: text.describe('version of Wolfgraph'),
  templates_sha256: text.describe('hash of the wording of all prompts'),
  plan_sha256: text
    .nullable()
    .describe('hash of the [plan](plan.md) that it was played under; missing if it was played without'),
  extractor: text.describe(
    "whose claims decide `verdict` and `is_lie` in all tables: `rules`, or a judge's model string",
  ),
});
export type MatchRow = z.infer<typeof MatchRow>;

export const StatementRow = z.strictObject({
  ...statement,
  honesty: text.describe('the rules of these names'),
  coaching: text.describe('the rules of these names'),
  speaker: text.describe('who said it'),
  role: text.describe('who said it'),
  team: Team.describe('who said it'),
  model: text.describe('who said it'),
  is_bot: yes.describe('who said it'),
  target: text.nullable().describe('whom the ballot names, or the Sheriff recommends to exile; else missing'),
  text: text.describe('the words'),
  words: count.describe('number of words'),
  is_cut: yes.describe('whether it was cut for its length'),
  attempt: count.nullable().describe('which attempt was used, from 1; missing if not recorded (imports)'),
  claims: count.describe('number of claims'),
  verifiable_claims: count.describe('claims the record can decide'),
  opportunities: count.describe('claims about own role, checks, night acts and votes whose truth the speaker knew'),
  lies: count.describe('`opportunities` that are lies'),
  verdict: Verdict.nullable().describe('gravest [verdict](#table-claims) of its claims; missing without claims'),
  is_lie: yes
    .nullable()
    .describe(
      'the label: whether `verdict` is `lie`; missing if no claim can be decided or the verdict is `insincere`',
    ),
  verdict_rules: Verdict.nullable().describe("verdict by the rules' claims"),
  verdict_judge: Verdict.nullable().describe("verdict by the judge's claims; missing without a judge"),
  judge_retest: z
    .number()
    .nullable()
    .describe(
      'how far the repeats of a judge agree, 0 to 1: mean F1 of their claims; missing unless asked several times',
    ),
  judge_types: text
    .nullable()
    .describe('types of the claims that each judge found, separated by " | "; missing with fewer than two judges'),
  is_judge_missing: yes.describe(
    'whether the judge gave no readable answer (unlike an answer without claims); false without a judge',
  ),
  is_withheld: yes
    .nullable()
    .describe(
      'whether the speaker has found living Werewolves by a check, has not named them since, and names none here; missing without such Werewolves, for ballots, and if this or an earlier statement that may name them was unreadable',
    ),
  self_deceptive: yes.nullable().describe('the self-report; missing without one'),
  self_stated_falsehood: yes.nullable().describe('the self-report; missing without one'),
  self_type: DeceptionType.nullable().describe('the self-report; missing without one'),
  self_confidence: share.nullable().describe('the self-report; missing without one'),
  self_reasoning: text.nullable().describe('the self-report; missing without one'),
  is_self_missing: yes.describe('whether a self-report was asked for and not obtained'),
  peer_analyses: count.describe('readable analyses by others'),
  peer_missing: count.describe('analyses by others asked for and not obtained'),
  peer_flags: count.nullable().describe('`peer_analyses` that call it deceptive; missing without any'),
  flagged_by_majority: yes.nullable().describe('whether these are more than half; missing without any'),
  mean_suspicion: share.nullable().describe('means over `peer_analyses`, 0…1; missing without any'),
  mean_p_werewolf: share.nullable().describe('means over `peer_analyses`, 0…1; missing without any'),
});
export type StatementRow = z.infer<typeof StatementRow>;

export const ClaimRow = z.strictObject({
  ...statement,
  extractor: text.describe("`rules`, or the judge's model string"),
  claim: text.describe("statement id and the claim's place in it: `2.3#1`"),
  speaker: text.describe('who said it'),
  role: text.describe('who said it'),
  team: Team.describe('who said it'),
  model: text.describe('who said it'),
  type: ClaimType.describe(
    "`own_role`, `role` (another's), `accusation`, `defence`, `check`, `act`, `vote`, `departure`, `speech` (that somebody said something) or `promise` (of one's own vote)",
  ),
  subject: text.describe('whom the claim is about; `everybody` for a vote of all'),
  object: text.nullable().describe('whom it was done to; who was voted for or accused'),
  claimed_role: text.nullable().describe('the role claimed or found, or the side if no role is named'),
  claimed_team: Team.nullable().describe('the role claimed or found, or the side if no role is named'),
  verbs: text.describe('powers the words may mean, separated by spaces'),
  cause: Cause.nullable().describe('how somebody left; missing if not said'),
  claimed_round: z.int32().nullable().describe('the round it happened or will; missing if not said'),
  polarity: yes.describe('false for “it is not so”'),
  is_hedged: yes.describe('whether said as an opinion'),
  is_presupposed: yes.describe('whether only taken for granted, in a noun or a clause of time'),
  verdict: Verdict.describe(
    "`lie` (false, and the speaker knew), `insincere` (against the speaker's belief), `forgotten` (false, about words no longer in the speaker's prompt), `error` (false, not known), `unwarranted` (true, not known), `true`, `unverifiable`; of promises `kept`, `broken`, `moot`",
  ),
  is_true: yes.nullable().describe('whether the record says so; missing if it cannot decide'),
  is_known: yes.describe('whether the speaker knew if it is true'),
  is_opportunity: yes.describe('whether the lie rate counts it'),
  words: text.describe('the words it rests on, and their place in `text` by character'),
  words_from: count.describe('the words it rests on, and their place in `text` by character'),
  words_to: count.describe('the words it rests on, and their place in `text` by character'),
  decided_by: text.describe('lines of `events.ndjson` that decide it, from 1, separated by spaces'),
});
export type ClaimRow = z.infer<typeof ClaimRow>;

export const AnalysisRow = z.strictObject({
  ...statement,
  source: text.describe("`match`, or the annotator's model string"),
  repeat: count.describe('which of its judgements of the statement, from 1'),
  perspective: z.enum(['self', 'peer']).describe('`self` or `peer`'),
  notes: z
    .enum(['with-notes', 'without-notes'])
    .nullable()
    .describe('`self` only: whether the speaker saw own thoughts, `with-notes` or `without-notes`'),
  speaker: text.describe('who said it'),
  speaker_role: text.describe('who said it'),
  speaker_team: Team.describe('who said it'),
  speaker_model: text.describe('who said it'),
  observer: text.describe("who judged it, in a self-report the speaker; an annotator's rows have its own model"),
  observer_role: text.describe("who judged it, in a self-report the speaker; an annotator's rows have its own model"),
  observer_team: Team.describe("who judged it, in a self-report the speaker; an annotator's rows have its own model"),
  observer_model: text.describe("who judged it, in a self-report the speaker; an annotator's rows have its own model"),
  observer_is_bot: yes.describe("who judged it, in a self-report the speaker; an annotator's rows have its own model"),
  is_same_model: yes.describe('whether speaker and judge are the same model'),
  is_lie: yes.nullable().describe('label, as in `statements`'),
  could_know: yes
    .nullable()
    .describe(
      'whether the observer could know the label from hard facts and words still in the prompt; missing without a label, true for the speaker',
    ),
  knows_side: yes.describe("whether the observer knew the speaker's side"),
  deceptive: yes.nullable().describe('as in an [assessment](#eventsndjson)'),
  type: DeceptionType.nullable().describe('as in an [assessment](#eventsndjson)'),
  confidence: share.nullable().describe('as in an [assessment](#eventsndjson)'),
  stated_falsehood: yes.nullable().describe('`self` only, as in an [assessment](#eventsndjson)'),
  suspicion: share.nullable().describe('`peer` only, as in an [assessment](#eventsndjson)'),
  p_werewolf: share.nullable().describe('`peer` only, as in an [assessment](#eventsndjson)'),
  p_deceptive: share.nullable().describe('as in an [assessment](#eventsndjson); missing under `questions=paper`'),
  p_falsehood: share.nullable().describe('as in an [assessment](#eventsndjson); missing under `questions=paper`'),
  types: text.nullable().describe('`deception_types`, separated by spaces; missing under `questions=paper`'),
  missing: z.enum(['fallback', 'refusal']).nullable().describe('`fallback` or `refusal` if not obtained'),
  attempt: count.nullable().describe('attempt used, or the last, from 1; missing if not recorded'),
  reasoning: text.nullable().describe('private reasoning'),
});
export type AnalysisRow = z.infer<typeof AnalysisRow>;

export const BeliefRow = z.strictObject({
  ...match,
  round: count.describe('when, see [words](#words-used-throughout)'),
  step: count.describe('when, see [words](#words-used-throughout)'),
  observer: text.describe('who was asked'),
  observer_role: text.describe('who was asked'),
  observer_team: Team.describe('who was asked'),
  observer_model: text.describe('who was asked'),
  observer_is_bot: yes.describe('who was asked'),
  about: text.describe('about whom'),
  about_role: text.describe('about whom'),
  about_team: Team.describe('about whom'),
  about_model: text.describe('about whom'),
  is_same_model: yes.describe('whether both are the same model'),
  is_werewolf: yes.describe("whether `about` is on the Werewolves' side"),
  could_know: yes.describe('whether the observer knew that side'),
  p_werewolf: share.describe('the belief that it is so, 0…1'),
});
export type BeliefRow = z.infer<typeof BeliefRow>;

/** The tables of one match. */
export interface MatchTables extends GameTables {
  match: MatchRow;
  /** In the order in which they were made. */
  statements: readonly StatementRow[];
  /** Of all extractors. */
  claims: readonly ClaimRow[];
  analyses: readonly AnalysisRow[];
  beliefs: readonly BeliefRow[];
  calls: readonly CallRow[];
}

/** File name → shape of a row. */
export const tableSchemas = {
  matches: MatchRow,
  statements: StatementRow,
  claims: ClaimRow,
  analyses: AnalysisRow,
  beliefs: BeliefRow,
  calls: CallRow,
  ...gameSchemas,
} as const;

// The tables as files hold them: rows of cells, under columns whose types follow from the schema of a row.

/** `int32` and `int64` are whole numbers, `double` any. */
export type ColumnType = 'text' | 'boolean' | 'int32' | 'int64' | 'double';

export interface TableColumn {
  name: string;
  type: ColumnType;
  isNullable: boolean;
}

export type TableName = keyof typeof tableSchemas;
export const tableNames = Object.keys(tableSchemas) as readonly TableName[];

/** A row of any table; a missing value is null. */
export type TableRow = Readonly<Record<string, string | number | boolean | null>>;

/** The rows that a match adds to each table. */
export const groupRowsByTable = ({
  match,
  ...others
}: MatchTables): Readonly<Record<TableName, readonly TableRow[]>> => ({
  matches: [match],
  ...others,
});

/**
 * The columns of a table, in the order in which they stand in a file.
 * @example
 * getColumns('matches')[0]; // { name: 'match_id', type: 'text', isNullable: false }
 */
export const getColumns = (table: TableName): readonly TableColumn[] => columns.get(table)!;

/** The part of a JSON schema that a column type follows from. */
interface JsonSchemaShape {
  type?: string | string[] | undefined;
  anyOf?: JsonSchemaShape[] | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
}

const columns: ReadonlyMap<TableName, readonly TableColumn[]> = new Map(
  tableNames.map((table) => {
    const { properties } = z.toJSONSchema(tableSchemas[table]) as { properties: Record<string, JsonSchemaShape> };
    return [table, Object.entries(properties).map(([name, shape]) => createColumn(name, shape))];
  }),
);

function createColumn(name: string, shape: JsonSchemaShape): TableColumn {
  const alternatives = (shape.anyOf ?? [shape]).flatMap((one) =>
    [one.type ?? []].flat().map((type) => ({ ...one, type })),
  );
  const [value, ...others] = alternatives.filter(({ type }) => type !== 'null');
  const types: Readonly<Record<string, ColumnType>> = {
    string: 'text',
    boolean: 'boolean',
    number: 'double',
    integer: (value?.maximum ?? Infinity) < 2 ** 31 && (value?.minimum ?? -Infinity) >= -(2 ** 31) ? 'int32' : 'int64',
  };
  const type = types[value?.type ?? ''];
  if (type === undefined || others.length > 0)
    throw new TypeError(`Column "${name}" is no text, boolean or number: ${JSON.stringify(shape)}.`);
  return { name, type, isNullable: alternatives.some((one) => one.type === 'null') };
}
