// How much a Seer is suspected before and after he reveals himself, and against Seers who do not.
import type { AnalysisRow, ClaimRow, Tables } from '../../tables/rows.ts';
import { claimsThatCount } from '../by-speaker.ts';
import { heard, ofJudgements } from '../judgements.ts';
import { judgedLevel, levelOf, meanLevel } from '../levels.ts';
import type { Metric, Tally } from '../metric.ts';
import { inRound, sameRoundDifference } from '../same-round.ts';

const role = 'Seer';

/** Outright, not as an opinion: that he is the Seer, or that he checked somebody. */
const isReveal = (claim: ClaimRow) =>
  claim.role === role &&
  claim.subject === claim.speaker &&
  claim.polarity &&
  !claim.is_hedged &&
  (claim.type === 'check' || (claim.type === 'own_role' && claim.claimed_role === role));

interface Moment {
  stage: 'before' | 'after' | 'never';
  /** Whether the Seer reveals himself in the round of the statement or earlier. */
  isRevealedInRound: boolean;
}

/** Where a statement stands to its speaker's first reveal, which itself is after it. */
function momentsOf(match: Tables): (row: AnalysisRow) => Moment {
  const places = new Map(match.statements.map((row, place) => [row.statement, { place, round: row.round }]));
  const reveals = claimsThatCount(match)
    .filter(isReveal)
    .map(({ speaker, statement }) => ({ speaker, ...places.get(statement)! }))
    .sort((one, other) => one.place - other.place);
  return ({ speaker, statement, round }) => {
    const reveal = reveals.find((one) => one.speaker === speaker);
    if (reveal === undefined) return { stage: 'never', isRevealedInRound: false };
    const isAfter = places.get(statement)!.place >= reveal.place;
    return { stage: isAfter ? 'after' : 'before', isRevealedInRound: reveal.round <= round };
  };
}

/** Suspicions of Seers, missing ones included, each with its moment. */
function suspicionsOf(match: Tables) {
  const momentOf = momentsOf(match);
  return heard(match).flatMap(({ row, cell }) => {
    const level = row.speaker_role === role ? judgedLevel(row, 'suspicion') : undefined;
    return level === undefined ? [] : [{ cell, level, round: row.round, ...momentOf(row) }];
  });
}

const seer = {
  section: 'perception',
  unit: 'suspicion',
  apart: [...ofJudgements, 'reveal'],
  by: [['observer_team']],
} as const;

export const seerSuspicion: Metric = {
  ...seer,
  name: 'seer_suspicion',
  title: 'Suspicion of the Seer before and after revealing',
  definition:
    'The mean suspicion of statements of a Seer before and after he claims for the first time to be the Seer or to have checked somebody, and of one who never does (WOLF).',
  range: [0, 1],
  tallies: (match) =>
    suspicionsOf(match).map(({ cell, level, stage }) => ({ cell: { ...cell, reveal: stage }, sums: levelOf(level) })),
  ...meanLevel,
};

/** A Seer who has not revealed himself by the end of a round is one of the others of those who have. */
function compared(match: Tables): Tally[] {
  return suspicionsOf(match).flatMap(({ cell, level, round, stage, isRevealedInRound }): Tally[] => {
    const sums = (group: 'those' | 'others') => inRound(group, round, level);
    return [
      ...(stage === 'never' ? [] : [{ cell: { ...cell, reveal: stage }, sums: sums('those') }]),
      ...(stage === 'never' ? [{ cell: { ...cell, reveal: 'before' }, sums: sums('others') }] : []),
      ...(isRevealedInRound ? [] : [{ cell: { ...cell, reveal: 'after' }, sums: sums('others') }]),
    ];
  });
}

export const seerRevealDifference: Metric = {
  ...seer,
  name: 'seer_reveal_difference',
  title: 'Suspicion of the Seer against Seers of the same round who did not reveal',
  definition:
    'Mean suspicion of Seers after revealing minus that of Seers who had not revealed by the end of the same round, and before revealing minus that of Seers who never do; rounds count by the former.',
  unit: 'difference of suspicion',
  tallies: compared,
  ...sameRoundDifference,
};
