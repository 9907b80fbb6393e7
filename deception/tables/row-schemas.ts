// The schemas of all tidy tables: a row is a match, statement, claim, analysis or belief, or a player, round, ballot, bid,
// deed or call. All figures are counted from them, and the columns of exported files follow from them.
import { z } from 'zod';
import { Cause, DeceptionType, EndReason } from '../../state/events.ts';
import { Team } from '../../state/teams.ts';
import { ClaimType } from '../claims/claim.ts';
import { Verdict } from '../claims/verdict.ts';
import { occasions } from '../statements.ts';
import { CallRow } from './call-rows.ts';

// The tables of the game itself, made from a record without reading what was said.

const text = z.string();
const count = z.int32().min(0);
const yes = z.boolean();

const match = { match_id: text.describe('the match') };
const when = { ...match, round: count.describe('the round, from 1') };

export const PlayerRow = z.strictObject({
  ...match,
  player: text.describe('the name'),
  seat: count.describe('the place at the table, from 1'),
  role: text.describe('what was dealt, and who answered'),
  team: Team.describe('what was dealt, and who answered'),
  is_special: yes.describe('whether the role has powers that its side would miss: all but Villagers'),
  model: text.describe('what was dealt, and who answered'),
  is_bot: yes.describe('what was dealt, and who answered'),
  survived: yes.describe('whether the player was in the game at its end'),
  left_round: count
    .nullable()
    .describe('when and how the player left: `night`, `exile` or `last_act`; missing for a survivor'),
  left_cause: Cause.nullable().describe(
    'when and how the player left: `night`, `exile` or `last_act`; missing for a survivor',
  ),
  left_place: count
    .nullable()
    .describe('the place from 1 among all who left, in the order in which that was announced; missing for a survivor'),
  has_won: yes.nullable().describe('whether the own side won; missing where nobody did'),
  speaking_position: count
    .nullable()
    .describe(
      'the place from 1 in the order in which players first had the turn in the debate of round 1; missing for whoever had none',
    ),
  turns: count.describe('turns of the debate, silent ones among them, and their words; no other public turns'),
  words: count.describe('turns of the debate, silent ones among them, and their words; no other public turns'),
});
export type PlayerRow = z.infer<typeof PlayerRow>;

export const RoundRow = z.strictObject({
  ...when,
  villagers_alive: count.describe(
    "the living when the day's first ballot for exile was cast; at the round's end where there was none",
  ),
  werewolves_alive: count.describe(
    "the living when the day's first ballot for exile was cast; at the round's end where there was none",
  ),
  without_vote: text.describe('the living who have lost their vote by then, names separated by spaces; empty: nobody'),
  left_at_night: text.describe('who left in the night; names with spaces between, empty for nobody'),
  exiled: text.nullable().describe('who was exiled; missing where nobody was'),
  exiled_role: text.nullable().describe('who was exiled; missing where nobody was'),
  exiled_team: Team.nullable().describe('who was exiled; missing where nobody was'),
  left_by_last_act: text.describe('who left by the last act of another; names with spaces between, empty for nobody'),
  sheriff: text
    .nullable()
    .describe(
      'who held the badge when that ballot was cast, before whoever was exiled passed it on; missing without one',
    ),
  sheriff_team: Team.nullable().describe(
    'who held the badge when that ballot was cast, before whoever was exiled passed it on; missing without one',
  ),
  recommended: text.nullable().describe('whom the Sheriff recommended to exile'),
  turns: count.describe('turns of the debate of all players, and their words; no other public turns'),
  words: count.describe('turns of the debate of all players, and their words; no other public turns'),
});
export type RoundRow = z.infer<typeof RoundRow>;

/** `exile_again`: after a tie; `pseudo`: before a Sheriff's recommendation; `synthetic`: asked in private, of no effect. */
export const Vote = z.enum(['sheriff', 'synthetic', 'pseudo', 'exile', 'exile_again']);

export const BallotRow = z.strictObject({
  ...when,
  vote: Vote.describe(
    "`exile`; `exile_again` after a tie; `pseudo` before a Sheriff's recommendation, without effect; `sheriff` for the office; `synthetic`: asked after a statement, seen by nobody, without effect",
  ),
  step: count
    .nullable()
    .describe(
      'of synthetic votes, after how many turns of the round; of votes for Sheriff, which of them from 1; missing for all others',
    ),
  voter: text.describe('who voted'),
  voter_role: text.describe('who voted'),
  voter_team: Team.describe('who voted'),
  voter_model: text.describe('who voted'),
  voter_is_bot: yes.describe('who voted'),
  target: text.describe('for whom'),
  target_role: text.describe('for whom'),
  target_team: Team.describe('for whom'),
  is_drawn: yes.describe("whether the vote was drawn in the player's stead"),
});
export type BallotRow = z.infer<typeof BallotRow>;

export const BidRow = z.strictObject({
  ...when,
  step: count.describe('the turns of the round before'),
  bidder: text.describe('who bid'),
  bidder_role: text.describe('who bid'),
  bidder_team: Team.describe('who bid'),
  bidder_model: text.describe('who bid'),
  bidder_is_bot: yes.describe('who bid'),
  bid: count.nullable().describe('the bid; missing where it could not be read'),
  scale: count.describe('the highest bid that the rules allow'),
  is_mentioned: yes.describe('whether the statement just before named the bidder'),
  is_speaker: yes.describe('whether the bidder got the turn'),
});
export type BidRow = z.infer<typeof BidRow>;

export const DeedRow = z.strictObject({
  ...when,
  by: text.describe('who did it; of a deed of several, the first living of them in seat order'),
  by_role: text.describe('who did it; of a deed of several, the first living of them in seat order'),
  by_team: Team.describe('who did it; of a deed of several, the first living of them in seat order'),
  by_model: text.describe('who did it; of a deed of several, the first living of them in seat order'),
  by_is_bot: yes.describe('who did it; of a deed of several, the first living of them in seat order'),
  is_joint: yes.describe('whether several settled on it'),
  verb: text.describe('the power or last act'),
  aim: z.enum(['harm', 'shield', 'learn']).describe('what it aims at: `harm`, `shield` or `learn`'),
  is_last_act: yes.describe('whether it was done on leaving the game'),
  target: text.nullable().describe('on whom; missing where it was left undone'),
  target_role: text.nullable().describe('on whom; missing where it was left undone'),
  target_team: Team.nullable().describe('on whom; missing where it was left undone'),
  is_on_victim: yes
    .nullable()
    .describe('whether the target was attacked in the same night; missing without a target, and for last acts'),
  is_fatal: yes
    .nullable()
    .describe('whether the target left in that night, by whatever, or by that last act; missing without a target'),
  is_drawn: yes.describe("whether it was drawn in the player's stead"),
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
  statement: text.describe('the statement: id, round, kind and [occasion](#words-used-throughout)'),
  round: count.describe('the statement: id, round, kind and [occasion](#words-used-throughout)'),
  kind: z.enum(['debate', 'ballot']).describe('the statement: id, round, kind and [occasion](#words-used-throughout)'),
  occasion: z.enum(occasions).describe('the statement: id, round, kind and [occasion](#words-used-throughout)'),
};

export const MatchRow = z.strictObject({
  ...match,
  board: text.describe('as in `manifest.json`'),
  seed: z.number().int().describe('as in `manifest.json`'),
  deal: text.describe(
    'who sat where with which role: `Ginger=Seer, …` in seat order; equal in matches of the same deal',
  ),
  analysis: text.describe('rules of these names'),
  scores: text.describe('rules of these names'),
  honesty: text.describe('rules of these names'),
  coaching: text.describe('rules of these names'),
  rules: text.describe('all rules as JSON'),
  villagers_model: text.nullable().describe('the model string of the side; missing where several sat there'),
  werewolves_model: text.nullable().describe('the model string of the side; missing where several sat there'),
  seats: count.describe('players'),
  bots: count.describe('seats in which no language model sat'),
  winner: Team.nullable().describe('`villagers` or `werewolves`; missing where the match did not end or nobody won'),
  end_reason: EndReason.nullable().describe('why the match ended; missing where it did not'),
  rounds: count.describe('the last round'),
  statements: count.describe('public statements'),
  calls: count.describe('calls of models'),
  questions: count.describe('calls that were a first attempt'),
  unanswered: count.describe('questions of which no attempt could be used, replaced or not; refusals among them'),
  refusals: count.describe('answers that were refusals'),
  fallback_share: share.nullable().describe('`unanswered` over `questions`; missing without questions'),
  tokens_in: large.nullable().describe('what is known of them, cost in USD; missing where nothing is'),
  tokens_out: large.nullable().describe('what is known of them, cost in USD; missing where nothing is'),
  cost: z.number().min(0).nullable().describe('what is known of them, cost in USD; missing where nothing is'),
  wall_ms: large.nullable().describe('milliseconds in which at least one call was under way; missing without calls'),
  imported: text
    .nullable()
    .describe('the format that the record was imported from; missing where the match was played here'),
  wolfgraph: text.describe('version of this project'),
  templates_sha256: text.describe('hash of the wording of all prompts'),
  extractor: text.describe(
    "who drew the claims behind `verdict` and `is_lie` in all tables: `rules`, or a judge's model string",
  ),
});
export type MatchRow = z.infer<typeof MatchRow>;

export const StatementRow = z.strictObject({
  ...statement,
  honesty: text.describe('rules of these names'),
  coaching: text.describe('rules of these names'),
  speaker: text.describe('who said it'),
  role: text.describe('who said it'),
  team: Team.describe('who said it'),
  model: text.describe('who said it'),
  is_bot: yes.describe('who said it'),
  target: text
    .nullable()
    .describe('whom the ballot names, or whom the Sheriff recommends to exile; missing for all other statements'),
  text: text.describe('what was said'),
  words: count.describe('how many words'),
  is_cut: yes.describe('whether it was longer than the rules allow and cut'),
  attempt: count
    .nullable()
    .describe('which attempt at the answer was used, from 1; missing where the record has none, as imported ones'),
  claims: count.describe('what the statement claims'),
  verifiable_claims: count.describe('claims that the record can decide'),
  opportunities: count.describe('claims about the own role, checks, night acts and votes whose truth the speaker knew'),
  lies: count.describe('`opportunities` that are lies: the lie rate is the sum of `lies` over that of `opportunities`'),
  verdict: Verdict.nullable().describe('the gravest [verdict](#table-claims) of its claims; missing without claims'),
  is_lie: yes
    .nullable()
    .describe(
      'the label: whether `verdict` is `lie`; missing where nothing can be said: no claim that can be decided, or `insincere`, which no listener can see',
    ),
  verdict_rules: Verdict.nullable().describe('the verdict by the claims that rules drew'),
  verdict_judge: Verdict.nullable().describe('the verdict by the claims of a judge; missing without one'),
  is_judge_missing: yes.describe(
    'whether the judge gave no readable answer: what the statement claims is then missing, which is not “no claims”; false without a judge',
  ),
  is_withheld: yes
    .nullable()
    .describe(
      'whether the speaker has found living Werewolves by a check, not named since, and names none of them; missing where there are none, for ballots, and where this or an earlier statement that may name them could not be read',
    ),
  self_deceptive: yes.nullable().describe('the self-report; missing where there is none'),
  self_stated_falsehood: yes.nullable().describe('the self-report; missing where there is none'),
  self_type: DeceptionType.nullable().describe('the self-report; missing where there is none'),
  self_confidence: share.nullable().describe('the self-report; missing where there is none'),
  self_reasoning: text.nullable().describe('the self-report; missing where there is none'),
  is_self_missing: yes.describe('whether the self-report was asked for and not obtained'),
  peer_analyses: count.describe('analyses by others that could be read'),
  peer_missing: count.describe('analyses by others that were asked for and not obtained'),
  peer_flags: count.nullable().describe('`peer_analyses` that call it deceptive; missing where there are none'),
  flagged_by_majority: yes.nullable().describe('whether these are more than half; missing where there are none'),
  mean_suspicion: share.nullable().describe('means over `peer_analyses`, 0…1; missing where there are none'),
  mean_p_werewolf: share.nullable().describe('means over `peer_analyses`, 0…1; missing where there are none'),
});
export type StatementRow = z.infer<typeof StatementRow>;

export const ClaimRow = z.strictObject({
  ...statement,
  extractor: text.describe("`rules`, or the judge's model string"),
  claim: text.describe("the statement's id and the claim's place in it: `2.3#1`"),
  speaker: text.describe('who said it'),
  role: text.describe('who said it'),
  team: Team.describe('who said it'),
  model: text.describe('who said it'),
  type: ClaimType.describe(
    "`own_role`, `role` (another's), `accusation`, `defence`, `check`, `act`, `vote`, `departure`, `speech` (that somebody said something) or `promise` (of the own vote)",
  ),
  subject: text.describe('of whom it is claimed; `everybody` for a vote of all'),
  object: text.nullable().describe('whom it was done to, who was voted for or accused'),
  claimed_role: text
    .nullable()
    .describe('what somebody is said to be or to have been found to be: a role, or a side where no role is named'),
  claimed_team: Team.nullable().describe(
    'what somebody is said to be or to have been found to be: a role, or a side where no role is named',
  ),
  verbs: text.describe('powers that the words may mean, joined by spaces'),
  cause: Cause.nullable().describe('how somebody left; missing where it was not said'),
  claimed_round: z
    .int32()
    .nullable()
    .describe('in which round something happened or will; missing where it was not said'),
  polarity: yes.describe('false where the claim is that it is not so'),
  is_hedged: yes.describe('whether it was said as an opinion'),
  is_presupposed: yes.describe('whether it was only taken for granted, in a noun or a clause of time'),
  verdict: Verdict.describe(
    "`lie` (known by the speaker to be false), `insincere` (against the own belief), `forgotten` (about what was said: false, and the words that show it no longer stood in the speaker's prompt), `error` (false, not known), `unwarranted` (true, not known), `true`, `unverifiable`; of promises `kept`, `broken`, `moot`",
  ),
  is_true: yes.nullable().describe('by the record; missing where it does not say'),
  is_known: yes.describe('whether the speaker knew that it is so, or that it is not'),
  is_opportunity: yes.describe('whether the lie rate counts it'),
  words: text.describe('the words on which it rests, and from which character of the text to which'),
  words_from: count.describe('the words on which it rests, and from which character of the text to which'),
  words_to: count.describe('the words on which it rests, and from which character of the text to which'),
  decided_by: text.describe('the lines of `events.ndjson` that decide it, from 1, joined by spaces'),
});
export type ClaimRow = z.infer<typeof ClaimRow>;

export const AnalysisRow = z.strictObject({
  ...statement,
  source: text.describe(
    '`match` where it was made in the course of play, else the model string that judged the record afterwards',
  ),
  repeat: count.describe('which of its judgements, from 1'),
  perspective: z.enum(['self', 'peer']).describe('`self` or `peer`'),
  speaker: text.describe('who said it'),
  speaker_role: text.describe('who said it'),
  speaker_team: Team.describe('who said it'),
  speaker_model: text.describe('who said it'),
  observer: text.describe(
    "who analysed it; the speaker in a self-report. The model is the one that judged: the seat's, or the annotator",
  ),
  observer_role: text.describe(
    "who analysed it; the speaker in a self-report. The model is the one that judged: the seat's, or the annotator",
  ),
  observer_team: Team.describe(
    "who analysed it; the speaker in a self-report. The model is the one that judged: the seat's, or the annotator",
  ),
  observer_model: text.describe(
    "who analysed it; the speaker in a self-report. The model is the one that judged: the seat's, or the annotator",
  ),
  observer_is_bot: yes.describe(
    "who analysed it; the speaker in a self-report. The model is the one that judged: the seat's, or the annotator",
  ),
  is_same_model: yes.describe('whether speaker and judge are the same model'),
  is_lie: yes.nullable().describe('the label, as in `statements`'),
  could_know: yes
    .nullable()
    .describe(
      'whether the observer could know the label from hard facts and the words still in the prompt: of a lie that it is false, of others whether all their claims that can be decided are so; missing without a label, true for the speaker',
    ),
  knows_side: yes.describe('whether the observer knew on which side the speaker is'),
  deceptive: yes.nullable().describe('as in an [assessment](#eventsndjson)'),
  type: DeceptionType.nullable().describe('as in an [assessment](#eventsndjson)'),
  confidence: share.nullable().describe('as in an [assessment](#eventsndjson)'),
  stated_falsehood: yes.nullable().describe('`self` only, as in an [assessment](#eventsndjson)'),
  suspicion: share.nullable().describe('`peer` only, as in an [assessment](#eventsndjson)'),
  p_werewolf: share.nullable().describe('`peer` only, as in an [assessment](#eventsndjson)'),
  missing: z
    .enum(['fallback', 'refusal'])
    .nullable()
    .describe('`fallback` or `refusal` where the analysis was not obtained'),
  attempt: count
    .nullable()
    .describe('which attempt was used, or was the last, from 1; missing where the record has none'),
  reasoning: text.nullable().describe('private reasoning'),
});
export type AnalysisRow = z.infer<typeof AnalysisRow>;

export const BeliefRow = z.strictObject({
  ...match,
  round: count.describe('when, see [words](#words-used-throughout)'),
  step: count.describe('when, see [words](#words-used-throughout)'),
  observer: text.describe('whose belief it is'),
  observer_role: text.describe('whose belief it is'),
  observer_team: Team.describe('whose belief it is'),
  observer_model: text.describe('whose belief it is'),
  observer_is_bot: yes.describe('whose belief it is'),
  about: text.describe('about whom'),
  about_role: text.describe('about whom'),
  about_team: Team.describe('about whom'),
  about_model: text.describe('about whom'),
  is_same_model: yes.describe('whether both are the same model'),
  is_werewolf: yes.describe('whether `about` is on the side of the Werewolves'),
  could_know: yes.describe('whether the observer knew on which side `about` is'),
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

export interface Column {
  name: string;
  type: ColumnType;
  isNullable: boolean;
}

export type TableName = keyof typeof tableSchemas;
export const tableNames = Object.keys(tableSchemas) as readonly TableName[];

/** A row of any table; a missing value is null. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** The rows that a match adds to each table. */
export const groupRowsByTable = ({ match, ...others }: MatchTables): Readonly<Record<TableName, readonly Row[]>> => ({
  matches: [match],
  ...others,
});

/**
 * The columns of a table, in the order in which they stand in a file.
 * @example
 * getColumns('matches')[0]; // { name: 'match_id', type: 'text', isNullable: false }
 */
export const getColumns = (table: TableName): readonly Column[] => columns.get(table)!;

/** The part of a JSON schema that a column type follows from. */
interface JsonSchemaShape {
  type?: string | string[] | undefined;
  anyOf?: JsonSchemaShape[] | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
}

const columns: ReadonlyMap<TableName, readonly Column[]> = new Map(
  tableNames.map((table) => {
    const { properties } = z.toJSONSchema(tableSchemas[table]) as { properties: Record<string, JsonSchemaShape> };
    return [table, Object.entries(properties).map(([name, shape]) => createColumn(name, shape))];
  }),
);

function createColumn(name: string, shape: JsonSchemaShape): Column {
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
