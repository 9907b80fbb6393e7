// The rows of analyses: those of the match, those that went missing, and those of annotators.
import { isType, type Mark } from '../../state/event.ts';
import { isLie, labelKnownTo } from '../claims/label.ts';
import type { Statement } from '../statements.ts';
import type { Opinion } from './annotation.ts';
import { analysesOf } from '../answers-about.ts';
import type { Measured } from './measured.ts';
import type { AnalysisRow } from './rows.ts';

interface Judged {
  observer: string;
  opinion: Opinion | null;
  missing: Mark | null;
  attempt: number | null;
  annotator: string | null;
  repeat: number;
}

/** In the order of the statements: the speaker's own, the others', those that are missing, then annotations. */
export function analysisRows(match: Measured): AnalysisRow[] {
  const absent = match.record.events.filter(isType('missing'));
  const annotations = Map.groupBy(match.annotations, ({ statement }) => statement);
  return match.statements.flatMap((said) => {
    const inMatch = { annotator: null, repeat: 1 };
    const attempt = (name: string) =>
      match.attemptOf(said.id, name, analysesOf[said.kind][name === said.by ? 'self' : 'peer']);
    const given = [...(said.selfReport ? [said.selfReport] : []), ...said.peers].map((opinion): Judged => ({
      ...inMatch,
      observer: opinion.by,
      opinion,
      missing: null,
      attempt: attempt(opinion.by),
    }));
    const missing = absent
      .filter(({ statements }) => statements.includes(said.id))
      .map(({ by, mark }): Judged => ({
        ...inMatch,
        observer: by,
        opinion: null,
        missing: mark,
        attempt: attempt(by),
      }));
    const annotated = (annotations.get(said.id) ?? []).map(
      ({ observer, model, repeat, attempt: used, opinion, mark }): Judged => ({
        observer,
        opinion,
        missing: opinion ? null : (mark ?? 'fallback'),
        attempt: used,
        annotator: model,
        repeat,
      }),
    );
    const known = knowledgeOf(match, said);
    return [...given, ...missing, ...annotated].map((one) => row(match, said, one, known(one.observer)));
  });
}

type Known = Pick<AnalysisRow, 'is_lie' | 'could_know' | 'knows_side'>;

function row(match: Measured, said: Statement, judgement: Judged, known: Known) {
  const { observer, opinion, missing, attempt, annotator, repeat } = judgement;
  const [speaker, judge] = [match.seatOf(said.by), match.seatOf(observer)];
  const model = annotator ?? judge.model;
  return {
    match_id: match.record.manifest.id,
    statement: said.id,
    round: said.round,
    kind: said.kind,
    occasion: said.occasion,
    source: annotator ?? 'match',
    repeat,
    perspective: observer === said.by ? 'self' : 'peer',
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
    missing,
    attempt,
    reasoning: opinion?.reasoning ?? null,
  } satisfies AnalysisRow;
}

/** What an observer could know of the statement's label and of the speaker's side. */
function knowledgeOf({ judgedOf }: Measured, { id, by }: Statement): (observer: string) => Known {
  const judged = judgedOf(id);
  const label = isLie(judged.verdict);
  const knowLabel = [by, ...labelKnownTo(judged)];
  const knowSide = [by, ...judged.sideKnownTo];
  return (observer) => ({
    is_lie: label,
    could_know: label === null ? null : knowLabel.includes(observer),
    knows_side: knowSide.includes(observer),
  });
}
