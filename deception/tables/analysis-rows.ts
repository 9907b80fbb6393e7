// Rows of all analyses of statements, and of beliefs.
import { z } from 'zod';
import { type AnswerMark, DeceptionType, type GameEvent, isEventOfType } from '../../state/events.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import type { Rules } from '../../state/rules/common-rules.ts';
import { Team } from '../../state/teams.ts';
import { listLabelKnowers } from '../claims/match-claims.ts';
import { getLieLabel } from '../claims/verify-claim.ts';
import { createTableKnowledge } from '../knowledge/player-knowledge.ts';
import { isOnTeam } from '../knowledge/propositions.ts';
import { analysisActions, createSeatFinder, listSeats, type MatchRecord } from '../record/match-record.ts';
import type { Statement } from '../record/statements.ts';
import { countColumn, matchColumn, shareColumn, statementColumns, textColumn, booleanColumn } from './columns.ts';
import type { MeasuredMatch, ReasonedOpinion } from './statement-rows.ts';

export const AnalysisRow = z.strictObject({
  ...statementColumns,
  source: textColumn.describe("`match`, or the annotator's model string"),
  repeat: countColumn.describe('number of this judgment among the source’s judgments of the statement, from 1'),
  perspective: z.enum(['self', 'peer']).describe('`self` or `peer`'),
  notes: z
    .enum(['with-notes', 'without-notes'])
    .nullable()
    .describe('`self` only: whether the speaker saw own thoughts, `with-notes` or `without-notes`'),
  speaker: textColumn.describe('who said it'),
  speaker_role: textColumn.describe('who said it'),
  speaker_team: Team.describe('who said it'),
  speaker_model: textColumn.describe('who said it'),
  observer: textColumn.describe("who judged it, in a self-report the speaker; an annotator's rows have its own model"),
  observer_role: textColumn.describe(
    "who judged it, in a self-report the speaker; an annotator's rows have its own model",
  ),
  observer_team: Team.describe("who judged it, in a self-report the speaker; an annotator's rows have its own model"),
  observer_model: textColumn.describe(
    "who judged it, in a self-report the speaker; an annotator's rows have its own model",
  ),
  observer_is_bot: booleanColumn.describe(
    "who judged it, in a self-report the speaker; an annotator's rows have its own model",
  ),
  is_same_model: booleanColumn.describe('whether speaker and judge are the same model'),
  is_lie: booleanColumn.nullable().describe('label, as in `statements`'),
  could_know: booleanColumn
    .nullable()
    .describe(
      'whether the observer could know the label from hard facts and words still in the prompt; missing without a label, true for the speaker',
    ),
  knows_side: booleanColumn.describe("whether the observer knew the speaker's side"),
  deceptive: booleanColumn.nullable().describe('as in an [assessment](#eventsndjson)'),
  type: DeceptionType.nullable().describe('as in an [assessment](#eventsndjson)'),
  confidence: shareColumn.nullable().describe('as in an [assessment](#eventsndjson)'),
  stated_falsehood: booleanColumn.nullable().describe('`self` only, as in an [assessment](#eventsndjson)'),
  suspicion: shareColumn.nullable().describe('`peer` only, as in an [assessment](#eventsndjson)'),
  p_werewolf: shareColumn.nullable().describe('`peer` only, as in an [assessment](#eventsndjson)'),
  p_deceptive: shareColumn.nullable().describe('as in an [assessment](#eventsndjson); missing under `questions=paper`'),
  p_falsehood: shareColumn.nullable().describe('as in an [assessment](#eventsndjson); missing under `questions=paper`'),
  types: textColumn.nullable().describe('`deception_types`, separated by spaces; missing under `questions=paper`'),
  missing: z.enum(['fallback', 'refusal']).nullable().describe('`fallback` or `refusal` if not obtained'),
  attempt: countColumn.nullable().describe('attempt used, or the last, from 1; missing if not recorded'),
  reasoning: textColumn.nullable().describe('private reasoning'),
});
export type AnalysisRow = z.infer<typeof AnalysisRow>;

export const BeliefRow = z.strictObject({
  ...matchColumn,
  round: countColumn.describe('when, see [words](#terms)'),
  step: countColumn.describe('when, see [words](#terms)'),
  observer: textColumn.describe('who was asked'),
  observer_role: textColumn.describe('who was asked'),
  observer_team: Team.describe('who was asked'),
  observer_model: textColumn.describe('who was asked'),
  observer_is_bot: booleanColumn.describe('who was asked'),
  about: textColumn.describe('about whom'),
  about_role: textColumn.describe('about whom'),
  about_team: Team.describe('about whom'),
  about_model: textColumn.describe('about whom'),
  is_same_model: booleanColumn.describe('whether both are the same model'),
  is_werewolf: booleanColumn.describe("whether `about` is on the Werewolves' side"),
  could_know: booleanColumn.describe('whether the observer knew that side'),
  p_werewolf: shareColumn.describe('the belief that it is so, 0…1'),
});
export type BeliefRow = z.infer<typeof BeliefRow>;

// Rows of analyses: analyses made during the match, missing analyses, and annotations.

interface ObserverJudgement {
  observer: string;
  opinion: ReasonedOpinion | null;
  missing: AnswerMark | null;
  attempt: number | null;
  annotator: string | null;
  repeat: number;
  notes: Rules['selfReport'] | null;
}

/**
 * Builds the rows in the order of statements. For each statement: the speaker's own analysis, the listeners' analyses,
 * missing analyses, then annotations.
 */
export function buildAnalysisRows(match: MeasuredMatch): AnalysisRow[] {
  const absent = match.record.events.filter(isEventOfType('missing'));
  const annotations = Map.groupBy(match.annotations, ({ statement }) => statement);
  return match.statements.flatMap((said) => {
    const inMatch = { annotator: null, repeat: 1 };
    const { selfReport } = match.record.manifest.setup.rules;
    const getNotes = (observer: string) => (observer === said.by ? selfReport : null);
    const findAttempt = (name: string) =>
      match.attemptOf(said.id, name, analysisActions[said.kind][name === said.by ? 'self' : 'peer']);
    const given = [...(said.selfReport ? [said.selfReport] : []), ...said.peers].map((opinion): ObserverJudgement => ({
      ...inMatch,
      observer: opinion.by,
      opinion,
      missing: null,
      attempt: findAttempt(opinion.by),
      notes: getNotes(opinion.by),
    }));
    const missing = absent
      .filter(({ statements }) => statements.includes(said.id))
      .map(({ by, mark }): ObserverJudgement => ({
        ...inMatch,
        observer: by,
        opinion: null,
        missing: mark,
        attempt: findAttempt(by),
        notes: getNotes(by),
      }));
    const annotated = (annotations.get(said.id) ?? []).map(
      ({ observer, model, repeat, attempt: used, opinion, mark, notes = null }): ObserverJudgement => ({
        observer,
        opinion,
        missing: opinion ? null : (mark ?? 'fallback'),
        attempt: used,
        annotator: model,
        repeat,
        notes,
      }),
    );
    const known = createObserverKnowledge(match, said);
    return [...given, ...missing, ...annotated].map((one) => buildAnalysisRow(match, said, one, known(one.observer)));
  });
}

type LabelKnowledge = Pick<AnalysisRow, 'is_lie' | 'could_know' | 'knows_side'>;

function buildAnalysisRow(match: MeasuredMatch, said: Statement, judgement: ObserverJudgement, known: LabelKnowledge) {
  const { observer, opinion, missing, attempt, annotator, repeat, notes } = judgement;
  const [speaker, judge] = [match.seatOf(said.by), match.seatOf(observer)];
  const model = annotator === null ? judge.model : getModelLabel(annotator);
  return {
    match_id: match.record.manifest.id,
    statement: said.id,
    round: said.round,
    kind: said.kind,
    occasion: said.occasion,
    source: annotator === null ? 'match' : model,
    repeat,
    perspective: observer === said.by ? 'self' : 'peer',
    notes,
    speaker: said.by,
    speaker_role: speaker.role,
    speaker_team: speaker.team,
    speaker_model: speaker.model,
    observer,
    observer_role: judge.role,
    observer_team: judge.team,
    observer_model: model,
    observer_is_bot: annotator === null ? judge.isBot : annotator.startsWith('bot:'),
    is_same_model: speaker.model === model,
    ...known,
    deceptive: opinion?.deceptive ?? null,
    type: opinion?.deception_type ?? null,
    confidence: opinion?.confidence ?? null,
    stated_falsehood: opinion?.stated_falsehood ?? null,
    suspicion: opinion?.suspicion ?? null,
    p_werewolf: opinion?.p_werewolf ?? null,
    p_deceptive: opinion?.p_deceptive ?? null,
    p_falsehood: opinion?.p_falsehood ?? null,
    types: opinion?.deception_types?.join(' ') ?? null,
    missing,
    attempt,
    reasoning: opinion?.reasoning ?? null,
  } satisfies AnalysisRow;
}

/**
 * Creates a function that returns the statement's label, whether an observer could know this label, and whether the
 * observer knew the speaker's side.
 */
function createObserverKnowledge(
  { judgedOf }: MeasuredMatch,
  { id, by }: Statement,
): (observer: string) => LabelKnowledge {
  const judged = judgedOf(id);
  const label = getLieLabel(judged.verdict);
  const knowLabel = [by, ...listLabelKnowers(judged)];
  const knowSide = [by, ...judged.sideKnownTo];
  return (observer) => ({
    is_lie: label,
    could_know: label === null ? null : knowLabel.includes(observer),
    knows_side: knowSide.includes(observer),
  });
}

// Rows of beliefs: a player's probabilities that other players are Werewolves, and whether the player could know the
// truth.

/** Builds one row for each observer and other player, each time that beliefs were asked for. */
export function buildBeliefRows({ manifest, events }: MatchRecord): BeliefRow[] {
  if (!events.some(({ type }) => type === 'beliefs')) return [];
  const { board, rules } = manifest.setup;
  const seatOf = createSeatFinder(manifest);
  const table = createTableKnowledge({ board, rules, players: listSeats(manifest).map(({ name }) => name) });
  const buildObserverRows = (event: Extract<GameEvent, { type: 'beliefs' }>): BeliefRow[] => {
    const observer = seatOf(event.by);
    const known = table.of(event.by);
    known.advanceTo(event);
    return Object.entries(event.p_werewolf).map(([about, belief]) => {
      const seat = seatOf(about);
      return {
        match_id: manifest.id,
        round: event.round,
        step: event.step,
        observer: event.by,
        observer_role: observer.role,
        observer_team: observer.team,
        observer_model: observer.model,
        observer_is_bot: observer.isBot,
        about,
        about_role: seat.role,
        about_team: seat.team,
        about_model: seat.model,
        is_same_model: seat.model === observer.model,
        is_werewolf: seat.side === 'werewolves',
        could_know: known.evaluate(isOnTeam(about, 'werewolves')) !== 'unknown',
        p_werewolf: belief,
      };
    });
  };
  return events.flatMap((event) => {
    if (event.type === 'beliefs') return buildObserverRows(event);
    table.see(event);
    return [];
  });
}
