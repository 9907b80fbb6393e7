// Lies and true claims as those heard them who could know neither whether they are lies nor the speaker's side, with what
// a listener thought of the speaker just before. Detection and the shift of beliefs are made of these.
import type { AnalysisRow } from '../tables/analysis-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { listCountedClaims } from './breakdowns.ts';
import { isByListener, listLabelledJudgements } from './judgements.ts';
import type { MetricCell } from './metric.ts';

/** A listener's judgement of a statement that holds a lie, or of one that holds a true claim and no lie. */
export interface HeardClaim {
  row: AnalysisRow & { is_lie: boolean };
  /** The types of its lies, or of its true claims. */
  types: ReadonlySet<string>;
}

/** Opinions and claims that nobody can decide are neither lies nor true claims. Missing judgements are included. */
export function listHeardClaims(match: MatchTables): HeardClaim[] {
  const typesOf = indexClaimTypes(match);
  return listLabelledJudgements(match).flatMap(({ row }) => {
    const types = typesOf.get(row.statement)?.[row.is_lie ? 'lies' : 'truths'];
    return row.could_know || row.knows_side || types === undefined || types.size === 0 ? [] : [{ row, types }];
  });
}

/** By statement the types of its claims that are lies, and of those that are true. */
function indexClaimTypes(match: MatchTables) {
  const found = new Map<string, Record<'lies' | 'truths', Set<string>>>();
  for (const { statement, type, verdict, is_true: isTrue, is_hedged: isHedged } of listCountedClaims(match)) {
    const types = found.get(statement) ?? { lies: new Set(), truths: new Set() };
    found.set(statement, types);
    if (verdict === 'lie') types.lies.add(type);
    else if (isTrue && !isHedged) types.truths.add(type);
  }
  return found;
}

/**
 * The cell of a lie, and of a true claim that lies of the other side are held against: `speaker_team` and `speaker_model` are
 * the liars'. A true claim has no `speaker_model` where the liars' side has several.
 */
export function getLiarCell({ row }: HeardClaim, { match }: MatchTables): MetricCell {
  const others = row.speaker_team === 'werewolves' ? 'villagers' : 'werewolves';
  const liars = row.is_lie ? row.speaker_team : others;
  const { [`${liars}_model` as const]: heldBy } = match;
  const model = row.is_lie ? row.speaker_model : heldBy;
  return {
    ...{ source: row.source, kind: row.kind, speaker_team: liars },
    ...{ observer_team: row.observer_team, observer_model: row.observer_model },
    ...(model === null ? {} : { speaker_model: model, is_same_model: String(model === row.observer_model) }),
  };
}

/** Place of a debate statement among the day's turns, from 1; null of what is no turn, as a ballot. */
const readTurn = ({ statement, round }: AnalysisRow): number | null => {
  const turn = statement.startsWith(`${round}.`) ? Number(statement.slice(`${round}.`.length)) : NaN;
  return Number.isInteger(turn) ? turn : null;
};

/** How likely a listener was to take a player for a Werewolf so many turns into a day, as it was asked outright. */
export function createBeliefFinder({ beliefs }: Pick<MatchTables, 'beliefs'>) {
  const asked = new Map(
    beliefs.map((row) => [JSON.stringify([row.observer, row.about, row.round, row.step]), row.p_werewolf]),
  );
  const findAt = (row: AnalysisRow, after: 0 | 1): number | null => {
    const turn = row.source === 'match' ? readTurn(row) : null;
    return turn === null
      ? null
      : (asked.get(JSON.stringify([row.observer, row.speaker, row.round, turn - 1 + after])) ?? null);
  };
  return {
    /** Asked just before the statement; null where it was not. */
    before: (row: AnalysisRow) => findAt(row, 0),
    /** Asked just after it. */
    after: (row: AnalysisRow) => findAt(row, 1),
  };
}

/** What a listener thought of a speaker before a statement, and how it was asked: only answers to the same are alike. */
export interface Prior {
  value: number;
  asked: 'outright' | 'of the side' | 'of the words';
}

/**
 * The belief that was asked for just before each judged statement or, where none was, what the same listener (an annotator:
 * in the same repeat) made of the speaker's last statement in the same debate. A night and a ballot change what everybody
 * knows, so after them there is none.
 */
export function mapPriors(match: MatchTables): ReadonlyMap<AnalysisRow, Prior> {
  const beliefs = createBeliefFinder(match);
  const last = new Map<string, Prior>();
  const priors = new Map<AnalysisRow, Prior>();
  for (const row of match.analyses.filter(isByListener)) {
    const key = JSON.stringify([row.source, row.repeat, row.observer, row.speaker, row.round, nameDebate(row)]);
    const outright = beliefs.before(row);
    const prior: Prior | undefined = outright === null ? last.get(key) : { value: outright, asked: 'outright' };
    if (prior !== undefined) priors.set(row, prior);
    const given = readScore(row);
    if (row.kind === 'debate' && given !== null) last.set(key, given);
  }
  return priors;
}

function readScore({ p_werewolf: ofSide, suspicion }: AnalysisRow): Prior | null {
  if (ofSide !== null) return { value: ofSide, asked: 'of the side' };
  return suspicion === null ? null : { value: suspicion, asked: 'of the words' };
}

/** The debate of a statement, or the one that a ballot ends. */
const nameDebate = ({ kind, occasion }: AnalysisRow) => {
  if (kind === 'debate') return occasion;
  return occasion === 'pk_ballot' ? 'pk' : 'debate';
};
