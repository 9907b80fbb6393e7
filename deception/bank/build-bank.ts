// Makes the rows of a bank from a measured match. The match's tables say which statements are lies; its record has the
// questions and answers.
import { listLabelKnowers, type VerifiedStatement } from '../claims/match-claims.ts';
import { getDealKey } from '../design/schedule.ts';
import { listCountedClaims } from '../metrics/breakdowns.ts';
import { analysisActions, createAnswerFinder, type MatchRecord, statementActions } from '../record/match-record.ts';
import { mean } from '../statistics/sums.ts';
import type { AnalysisRow } from '../tables/analysis-rows.ts';
import type { ClaimRow } from '../tables/claim-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import type { StatementRow } from '../tables/statement-rows.ts';
import { type GameEvent, isEventOfType } from '../../state/events.ts';
import { draw } from '../../state/random.ts';
import type { AnswerLine } from '../../state/record.ts';
import { getRole } from '../../state/roles/index.ts';
import { readPublicStatement } from '../../state/public-statements.ts';
import {
  type BankClaim,
  type BankJudgment,
  type BankMatch,
  type BankSilence,
  type BankStatement,
  nameBankRow,
} from './bank-rows.ts';
import { findSplit } from './bank-split.ts';
import { countCharacters, findRawSpan, findStatementPart, type TextSpan } from './text-spans.ts';

/** The player whose place a detector takes, and the hash of the prompt that the detector gets. */
export interface DetectorView {
  villager: string;
  prompt_sha256: string;
}

export interface BankSources {
  record: MatchRecord;
  tables: MatchTables;
  /** Returns the hash of the prompt of an answer; null if the prompt is missing. */
  promptOf: (answer: AnswerLine) => string | null;
  /**
   * Statement → the player from whose view a detector judges the statement. A statement without such a player has no
   * entry.
   */
  views: ReadonlyMap<string, DetectorView>;
  /** Whether to include the judgments of listeners and annotators. If false, their prompts are not read. */
  withJudgments: boolean;
}

/**
 * Returns the rows of one match, in the order of its statements.
 *
 * @example buildBankMatch({ record, tables, promptOf: () => null, views: new Map(), withJudgments: false }).statements[0].claims
 */
export function buildBankMatch(sources: BankSources): BankMatch {
  const { record, tables } = sources;
  const { match } = tables;
  const deal = getDealKey(match);
  const place = { deal, split: findSplit(deal), board: match.board };
  const claims = Map.groupBy(listCountedClaims(tables), ({ statement }) => statement);
  const judgments = Map.groupBy(tables.analyses, ({ statement }) => statement);
  const answers = createAttemptFinder(record.answers);
  const thoughts = mapThoughts(record.events);
  const statements = tables.statements.map((row): BankStatement => {
    const attempts = answers(row.statement, row.speaker, getSpeechActions(row));
    const isImported = record.manifest.imported !== undefined; // its statements name no attempt
    const used =
      attempts.find(({ attempt }) => attempt === row.attempt) ?? (isImported ? attempts.at(-1) : null) ?? null;
    const raw = used?.raw ?? null;
    const part = raw === null ? null : findStatementPart(raw, row.text);
    const view = sources.views.get(row.statement);
    return {
      row: nameBankRow(match.match_id, row.statement),
      ...place,
      ...selectStatement(row),
      ...selectSpeaker(row),
      prompt_sha256: used && sources.promptOf(used),
      structured: used?.structured ?? null,
      raw,
      text: row.text,
      is_cut: row.is_cut,
      target: row.target,
      verdict: row.verdict,
      is_lie: row.is_lie,
      is_unread: row.is_judge_missing,
      claims: (claims.get(row.statement) ?? []).map((claim) =>
        createClaim(claim, { text: row.text, raw, part }, record.events),
      ),
      reasoning: readReasoning(used) ?? thoughts.get(row.statement) ?? null,
      provider_reasoning: used?.provider_reasoning ?? null,
      ...selectSelfReport(row),
      attempt: row.attempt,
      failed_attempts: attempts
        .filter(({ attempt }) => row.attempt !== null && attempt < row.attempt)
        .map(({ raw: text, error = null }) => ({ raw: text, error })),
      villager: view?.villager ?? null,
      villager_prompt_sha256: view?.prompt_sha256 ?? null,
      ...countListeners(judgments.get(row.statement) ?? []),
    };
  });
  return {
    statements,
    silences: tables.silences.map((row): BankSilence => {
      const last = answers(row.statement, row.speaker, getSpeechActions(row)).at(-1) ?? null;
      const { missing, vendor, category } = row;
      return {
        row: nameBankRow(match.match_id, row.statement),
        ...{ ...place, ...selectStatement(row), ...selectSpeaker(row), missing, vendor, category },
        prompt_sha256: last && sources.promptOf(last),
        raw: last?.raw ?? null,
      };
    }),
    judgments: sources.withJudgments ? listJudgments(sources, answers) : [],
  };
}

type AsAsked = Pick<StatementRow, 'match_id' | 'statement' | 'round' | 'kind' | 'occasion'>;

const selectStatement = ({ match_id, statement, round, kind, occasion }: AsAsked) => ({
  ...{ match_id, statement: `s${statement}`, round, kind, occasion },
});

type Speaker = Pick<StatementRow, 'speaker' | 'role' | 'team' | 'model' | 'is_bot'>;

const selectSpeaker = ({ speaker, role, team, model, is_bot }: Speaker) => ({ speaker, role, team, model, is_bot });

const selectSelfReport = (row: StatementRow) => ({
  self_deceptive: row.self_deceptive,
  self_stated_falsehood: row.self_stated_falsehood,
  self_type: row.self_type,
  self_confidence: row.self_confidence,
  self_reasoning: row.self_reasoning,
  is_self_missing: row.is_self_missing,
});

const getSpeechActions = ({ kind }: Pick<StatementRow, 'kind'>): readonly string[] =>
  kind === 'debate' ? statementActions : ['vote'];

/**
 * Creates a function that lists all attempts at an answer, in order. The list is empty for an answer that was not
 * recorded.
 */
function createAttemptFinder(lines: readonly AnswerLine[]) {
  const find = createAnswerFinder(lines);
  const nameQuestion = ({ round, step, action, player }: AnswerLine) => JSON.stringify([round, step, action, player]);
  const asked = Map.groupBy(lines, nameQuestion);
  return (...wanted: Parameters<typeof find>): AnswerLine[] => {
    const last = find(...wanted);
    const all = (last && asked.get(nameQuestion(last))) ?? [];
    return all.toSorted((one, other) => one.attempt - other.attempt);
  };
}

/** Maps each statement to its speaker's last thought before it. Used for records without answers. */
function mapThoughts(events: readonly GameEvent[]): ReadonlyMap<string, string> {
  const thoughts = new Map<string, string>();
  /** Player → the player's last thought, until a statement follows it. */
  const open = new Map<string, string>();
  for (const event of events) {
    if (isEventOfType('thought')(event) && (statementActions.includes(event.action) || event.action === 'vote'))
      open.set(event.by, event.reasoning);
    const said = readPublicStatement(event);
    const thought = said && open.get(said.by);
    if (!said || thought === undefined || thought === null) continue;
    thoughts.set(said.id, thought);
    open.delete(said.by);
  }
  return thoughts;
}

function readReasoning(line: AnswerLine | null): string | null {
  const { reasoning } = (line?.answer ?? {}) as { reasoning?: unknown };
  return typeof reasoning === 'string' && reasoning !== '' ? reasoning : null;
}

interface SpokenWords {
  text: string;
  raw: string | null;
  /** Part of `raw` that contains the statement; null if it was not found. */
  part: TextSpan | null;
}

function createClaim(row: ClaimRow, { text, raw, part }: SpokenWords, events: readonly GameEvent[]): BankClaim {
  const span = { from: row.words_from, to: row.words_to };
  const inRaw = raw === null || part === null ? null : findRawSpan(raw, part, text, span);
  const lines = row.decided_by === '' ? [] : row.decided_by.split(' ').map(Number);
  return {
    claim: `s${row.claim}`,
    type: row.type,
    subject: row.subject,
    object: row.object,
    claimed_role: row.claimed_role,
    claimed_team: row.claimed_team,
    verbs: row.verbs === '' ? [] : row.verbs.split(' '),
    cause: row.cause,
    claimed_round: row.claimed_round,
    polarity: row.polarity,
    is_hedged: row.is_hedged,
    is_presupposed: row.is_presupposed,
    verdict: row.verdict,
    is_true: row.is_true,
    speaker_knew: nameKnowledge(row),
    words: row.words,
    spans: [countCharacters(text, span)],
    raw_spans: raw === null || inRaw === null ? null : [countCharacters(raw, inRaw)],
    decided_by: lines.map((line) => ({ line, event: JSON.stringify(events[line - 1]) })),
  };
}

function nameKnowledge({ is_known: isKnown, is_true: isTrue }: ClaimRow): BankClaim['speaker_knew'] {
  if (!isKnown || isTrue === null) return 'unknown';
  return isTrue ? 'true' : 'false';
}

/**
 * Whether a judgment counts in the figures of listeners. It does not count if the listener could know the label or knew
 * the speaker's side, and so had nothing to detect.
 */
const isListener = ({ source, perspective, could_know, knows_side, missing }: AnalysisRow) =>
  source === 'match' && perspective === 'peer' && could_know === false && !knows_side && missing === null;

function countListeners(analyses: readonly AnalysisRow[]) {
  const heard = analyses.filter(isListener);
  const flags = heard.filter(({ deceptive }) => deceptive === true).length;
  return {
    listeners: heard.length,
    listeners_flags: heard.length === 0 ? null : flags,
    listeners_suspicion: mean(heard.flatMap(({ suspicion }) => suspicion ?? [])),
  };
}

function listJudgments({ tables, promptOf }: BankSources, answers: ReturnType<typeof createAttemptFinder>) {
  const split = findSplit(getDealKey(tables.match));
  return tables.analyses.flatMap((row): BankJudgment[] => {
    if (row.perspective !== 'peer') return [];
    const line =
      row.source === 'match'
        ? (answers(row.statement, row.observer, analysisActions[row.kind].peer).find(
            ({ attempt }) => attempt === row.attempt,
          ) ?? null)
        : null;
    return [
      {
        row: nameBankRow(row.match_id, row.statement),
        split,
        match_id: row.match_id,
        source: row.source,
        repeat: row.repeat,
        listener: row.observer,
        role: row.observer_role,
        team: row.observer_team,
        model: row.observer_model,
        is_bot: row.observer_is_bot,
        prompt_sha256: line && promptOf(line),
        raw: line?.raw ?? null,
        deceptive: row.deceptive,
        suspicion: row.suspicion,
        p_deceptive: row.p_deceptive,
        p_falsehood: row.p_falsehood,
        p_werewolf: row.p_werewolf,
        reasoning: row.reasoning,
        missing: row.missing,
        is_lie: row.is_lie,
        could_know: row.could_know,
        knows_side: row.knows_side,
      },
    ];
  });
}

/**
 * Chooses the player in whose place a detector is asked: a living villager without powers who heard the statement and
 * could not know its label. The match's seed chooses between several such players. If a statement has no label, nobody
 * could know the label.
 *
 * @example chooseVillager(record, judged, seed) // 'Ginger'
 */
export function chooseVillager({ manifest }: Pick<MatchRecord, 'manifest'>, said: VerifiedStatement): string | null {
  const { players, seed } = manifest.setup;
  const knowers = [...listLabelKnowers(said), ...said.sideKnownTo];
  const isPlain = (name: string) => {
    const seat = players.find((player) => player.name === name);
    return seat?.team === 'villagers' && !getRole(seat.role).special;
  };
  const open = said.listeners.filter((name) => isPlain(name) && !knowers.includes(name));
  return draw(seed, 'detector', said.id).shuffle(open)[0] ?? null;
}
