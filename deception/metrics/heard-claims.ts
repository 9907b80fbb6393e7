// Lies and true claims, as heard by listeners who could know neither the label nor the speaker's side. Each entry
// includes the listener's prior opinion of the speaker. Metrics of detection and belief shift are computed from these
// entries.
import type { AnalysisRow } from '../tables/analysis-rows.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { listCountedClaims } from './breakdowns.ts';
import { isByListener, listLabelledJudgements } from './judgements.ts';
import type { MetricCell } from './metric.ts';

/** A listener's judgment of a statement. The statement holds a lie, or it holds a true claim and no lie. */
export interface HeardClaim {
  row: AnalysisRow & { is_lie: boolean };
  /** Types of the statement's lies, or types of its true claims if it has no lie. */
  types: ReadonlySet<string>;
}

/**
 * Lists the judgments of statements that hold a lie or a true claim, including missing judgments. Opinions and
 * undecidable claims are neither lies nor true claims.
 */
export function listHeardClaims(match: MatchTables): HeardClaim[] {
  const typesOf = indexClaimTypes(match);
  return listLabelledJudgements(match).flatMap(({ row }) => {
    const types = typesOf.get(row.statement)?.[row.is_lie ? 'lies' : 'truths'];
    return row.could_know || row.knows_side || types === undefined || types.size === 0 ? [] : [{ row, types }];
  });
}

/** Maps each statement to the types of its lies and the types of its true claims. */
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
 * Returns the cell of a lie, or of a true claim to which the other side's lies are compared. In both cases
 * `speaker_team` and `speaker_model` describe the liars. A true claim has no `speaker_model` if the liars' side has
 * several models.
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

/**
 * Returns the number of a debate statement among the day's turns, from 1; null for other statements, such as ballots.
 */
const readTurn = ({ statement, round }: AnalysisRow): number | null => {
  const turn = statement.startsWith(`${round}.`) ? Number(statement.slice(`${round}.`.length)) : NaN;
  return Number.isInteger(turn) ? turn : null;
};

/**
 * Creates functions that find a listener's stated probability that the speaker is a Werewolf, for each turn of the day.
 */
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
    /** Returns the belief stated just before the statement; null if none was asked for. */
    before: (row: AnalysisRow) => findAt(row, 0),
    /** Returns the belief stated just after the statement; null if none was asked for. */
    after: (row: AnalysisRow) => findAt(row, 1),
  };
}

/**
 * A listener's opinion of a speaker before a statement, and the kind of question that asked for it. Only answers to the
 * same kind of question are comparable.
 */
export interface Prior {
  value: number;
  asked: 'outright' | 'of the side' | 'of the words';
}

/**
 * Maps each judgment to the listener's prior opinion. The prior is the belief stated just before the statement. If
 * there is no such belief, the prior is the listener's judgment of the speaker's previous statement in the same debate
 * (for an annotator, in the same repeat). Nights and ballots change what everybody knows, so no prior is taken from
 * before a night or a ballot.
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

/** Returns the debate to which a statement belongs; for a ballot, the debate that the ballot ends. */
const nameDebate = ({ kind, occasion }: AnalysisRow) => {
  if (kind === 'debate') return occasion;
  return occasion === 'pk_ballot' ? 'pk' : 'debate';
};
