// The tables of a bank of verified lies: one row per public statement with its claims, and the other tables that belong
// to a bank.
import { z } from 'zod';
import { AnswerMark, Cause, DeceptionType } from '../../state/events.ts';
import { Team } from '../../state/teams.ts';
import { ClaimType } from '../claims/claim.ts';
import { Verdict } from '../claims/verify-claim.ts';
import { booleanColumn, countColumn, shareColumn, statementColumns, textColumn } from '../tables/columns.ts';
import { BankSplit } from './bank-split.ts';

const about = 'the statement: match, id, round, kind, [occasion](data.md#terms)';

/** Columns that the report's tables also have, described for a reader who has only this page. */
const asSaid = {
  match_id: statementColumns.match_id.describe(about),
  statement: statementColumns.statement.describe(about),
  round: statementColumns.round.describe(about),
  kind: statementColumns.kind.describe(about),
  occasion: statementColumns.occasion.describe(about),
};

/** Columns that identify a statement, whether it was made or is missing. */
const placed = {
  row: textColumn.describe('id of the row: match and statement, `MATCH/s2.3`'),
  deal: textColumn.describe('board, names and roles in seat order, which the matches of a deal share'),
  split: BankSplit.describe('`train`, `validation` or `test`, by deal'),
  board: textColumn.describe('name of the board'),
  ...asSaid,
};

const Span = z.strictObject({ from: countColumn, to: countColumn });

/** The line of the record that decides a verdict. */
const DecidingEvent = z.strictObject({ line: countColumn, event: textColumn });

export const BankClaim = z.strictObject({
  claim: textColumn.describe('id: the statement and the place of the claim in it, `s2.3#1`'),
  type: ClaimType.describe('type of the claim, as in the [table of claims](data.md#table-claims)'),
  subject: textColumn.describe('whom the claim is about; `everybody` for a vote of all'),
  object: textColumn.nullable().describe('whom it was done to; who was voted for or accused'),
  claimed_role: textColumn.nullable().describe('the role claimed or found; null if none is named'),
  claimed_team: Team.nullable().describe('the side claimed or found; null if a role is named'),
  verbs: z.array(textColumn).describe('powers the words may mean'),
  cause: Cause.nullable().describe('how somebody left; null if not said'),
  claimed_round: z.int32().nullable().describe('the round it happened or will; null if not said'),
  polarity: booleanColumn.describe('false for “it is not so”'),
  is_hedged: booleanColumn.describe('whether said as an opinion'),
  is_presupposed: booleanColumn.describe('whether only taken for granted, in a noun or a clause of time'),
  verdict: Verdict.describe('the verdict, as in the [table of claims](data.md#table-claims)'),
  is_true: booleanColumn.nullable().describe('whether the record says so; null if it cannot decide'),
  speaker_knew: z
    .enum(['true', 'false', 'unknown'])
    .describe('what the speaker could be certain of: that it is so, that it is not, or neither'),
  words: textColumn.describe('the words it rests on'),
  spans: z
    .array(Span)
    .describe('their places in `text`, each `from` (the first character, from 0) and `to` (the one after the last)'),
  raw_spans: z
    .array(Span)
    .nullable()
    .describe('their places in `raw`; null if they do not stand there verbatim, because of escapes or cuts'),
  decided_by: z
    .array(DecidingEvent)
    .describe('the events that decide it: `line` of `events.ndjson`, from 1, and the `event` as JSON'),
});
export type BankClaim = z.infer<typeof BankClaim>;

const promptColumn = textColumn.nullable();

export const BankStatement = z.strictObject({
  ...placed,
  speaker: textColumn.describe('who said it'),
  role: textColumn.describe('who said it'),
  team: Team.describe('who said it'),
  model: textColumn.describe('who said it'),
  is_bot: booleanColumn.describe('whether a built-in bot said it'),
  prompt_sha256: promptColumn.describe(
    'the prompt it answers, in the table of prompts; null if it was not recorded (imports)',
  ),
  structured: textColumn
    .nullable()
    .describe(
      'how the form of the answer was requested besides the messages, as in `answers.ndjson`; null if not recorded',
    ),
  raw: textColumn.nullable().describe("the model's whole answer, unchanged; null if not recorded (imports)"),
  text: textColumn.describe('the statement as the others heard it: one line, cut to the length that the rules allow'),
  is_cut: booleanColumn.describe('whether it was cut for its length'),
  target: textColumn.nullable().describe('whom the ballot names, or the Sheriff recommends to exile; null for others'),
  verdict: Verdict.nullable().describe('gravest verdict of its claims; null without claims'),
  is_lie: booleanColumn
    .nullable()
    .describe('the label: whether `verdict` is `lie`; null if no claim can be decided or the verdict is `insincere`'),
  is_unread: booleanColumn.describe('whether the extractor could not read it, so that its claims are missing'),
  claims: z.array(BankClaim).describe('its claims, in the order of their words'),
  reasoning: textColumn
    .nullable()
    .describe('what the speaker thought before it, in private; null if nothing is recorded'),
  provider_reasoning: textColumn
    .nullable()
    .describe("the model's own reasoning, if the provider returned it; null otherwise"),
  self_deceptive: booleanColumn.nullable().describe('the self-report; null without one'),
  self_stated_falsehood: booleanColumn.nullable().describe('the self-report; null without one'),
  self_type: DeceptionType.nullable().describe('the self-report; null without one'),
  self_confidence: shareColumn.nullable().describe('the self-report; null without one'),
  self_reasoning: textColumn.nullable().describe('the self-report; null without one'),
  is_self_missing: booleanColumn.describe('whether a requested self-report is missing'),
  attempt: countColumn.nullable().describe('which attempt was used, from 1; null if not recorded (imports)'),
  failed_attempts: z
    .array(z.strictObject({ raw: textColumn, error: textColumn.nullable() }))
    .describe('the answers before it that could not be used: `raw`, and the `error` that the model was shown'),
  villager: textColumn
    .nullable()
    .describe(
      'the living plain villager in whose view a detector is asked about it: one who could not know the label, drawn by the seed; null if there is none',
    ),
  villager_prompt_sha256: promptColumn.describe('what `bank score` asks in that view, in the table of prompts'),
  listeners: countColumn.describe('number of readable judgments by listeners who could not know the label'),
  listeners_flags: countColumn.nullable().describe('how many of them call it deceptive; null without any'),
  listeners_suspicion: shareColumn.nullable().describe('mean suspicion of them, 0 to 1; null without any'),
});
export type BankStatement = z.infer<typeof BankStatement>;

/** A statement that was asked for but is missing. */
export const BankSilence = z.strictObject({
  ...placed,
  speaker: textColumn.describe('who was asked for it'),
  role: textColumn.describe('who was asked for it'),
  team: Team.describe('who was asked for it'),
  model: textColumn.describe('who was asked for it'),
  is_bot: booleanColumn.describe('who was asked for it'),
  missing: AnswerMark.describe('`fallback` (nothing readable after all attempts) or `refusal`'),
  vendor: textColumn.nullable().describe('whose server refused; null if the model itself did, and for fallbacks'),
  category: textColumn.nullable().describe('for what the server refused; null if the model itself did'),
  prompt_sha256: promptColumn.describe('the prompt of the last attempt; null if it was not recorded'),
  raw: textColumn.nullable().describe('the last answer; null if not recorded'),
});
export type BankSilence = z.infer<typeof BankSilence>;

/** A chat message as it was sent. */
const BankMessage = z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: textColumn });

export const BankPrompt = z.strictObject({
  prompt_sha256: textColumn.describe(
    'SHA-256 of the messages as JSON pairs, `[[role, content], …]`, as in `answers.ndjson` unless a server took another form',
  ),
  messages: z.array(BankMessage).describe('the chat messages exactly as they were sent, each `role` and `content`'),
});
export type BankPrompt = z.infer<typeof BankPrompt>;

/** A lie, and a true claim to compare with the lie. */
export const BankPair = z.strictObject({
  pair: textColumn.describe('id of the pair'),
  split: BankSplit.describe('the split of both'),
  board: textColumn.describe('the board of both'),
  round: countColumn.describe('the round of both'),
  kind: z.enum(['debate', 'ballot']).describe('the kind of both'),
  type: ClaimType.describe('type of the claim that the one makes falsely and the other truly'),
  lie: textColumn.describe('`row` of the statement that holds a lie'),
  truth: textColumn.describe('`row` of the statement by the other side that holds a true claim and no lie'),
});
export type BankPair = z.infer<typeof BankPair>;

export const BankJudgment = z.strictObject({
  row: textColumn.describe('the statement that was judged: `row` of the table of statements'),
  split: BankSplit.describe('`train`, `validation` or `test`, by deal'),
  match_id: textColumn.describe('id of the match'),
  source: textColumn.describe("`match`, or the annotator's model string"),
  repeat: countColumn.describe('number of this judgment among the source’s judgments of the statement, from 1'),
  listener: textColumn.describe("who judged it; an annotator's rows name the player whose view it was given"),
  role: textColumn.describe("the listener's role"),
  team: Team.describe("the listener's side"),
  model: textColumn.describe('the model that judged'),
  is_bot: booleanColumn.describe('whether a built-in bot judged'),
  prompt_sha256: promptColumn.describe(
    'the prompt, in the table of prompts; null if it was not recorded, and for annotators',
  ),
  raw: textColumn.nullable().describe("the listener's whole answer; null if not recorded, and for annotators"),
  deceptive: booleanColumn.nullable().describe('whether it was called deceptive; null if missing'),
  suspicion: shareColumn.nullable().describe('suspicion of the statement, 0 to 1; null if not asked or missing'),
  p_deceptive: shareColumn.nullable().describe('probability that it is deceptive; null if not asked or missing'),
  p_falsehood: shareColumn.nullable().describe('probability that it holds a falsehood; null if not asked or missing'),
  p_werewolf: shareColumn
    .nullable()
    .describe('probability that the speaker is a Werewolf; null if not asked or missing'),
  reasoning: textColumn.nullable().describe('private reasoning; null if missing'),
  missing: AnswerMark.nullable().describe('`fallback` or `refusal` if not obtained; else null'),
  is_lie: booleanColumn.nullable().describe('the label of the statement'),
  could_know: booleanColumn.nullable().describe('whether the listener could know the label; null without a label'),
  knows_side: booleanColumn.describe("whether the listener knew the speaker's side"),
});
export type BankJudgment = z.infer<typeof BankJudgment>;

/** File name → schema of its rows. */
export const bankSchemas = {
  statements: BankStatement,
  prompts: BankPrompt,
  matched: BankPair,
  silences: BankSilence,
  judgments: BankJudgment,
} as const;

export type BankTable = keyof typeof bankSchemas;

/** The rows that one match adds to a bank. */
export interface BankMatch {
  statements: readonly BankStatement[];
  silences: readonly BankSilence[];
  judgments: readonly BankJudgment[];
}

/** Returns the id of a statement's row. @example nameBankRow('my-match', '2.3') // 'my-match/s2.3' */
export const nameBankRow = (match: string, statement: string): string => `${match}/s${statement}`;
