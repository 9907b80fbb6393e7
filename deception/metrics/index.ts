// The register of metrics: all metrics that a report shows, in the report's order.
import { accusationMetrics, defenceMetrics } from './accusations.ts';
import { beliefShiftMetrics, liesCalledHonest, truthsCalledHonest } from './belief-shift.ts';
import { codeRate, codingAlpha, codingRetest } from './codings.ts';
import { bidMetrics, speechMetrics } from './debate.ts';
import {
  detectionBalancedAccuracy,
  detectionMcc,
  detectionPrecision,
  detectionPrevalence,
  suspicionMetrics,
} from './detection.ts';
import {
  kappaEngineMajority,
  kappaEngineSelf,
  judgeAlpha,
  judgeRetest,
  kappaRulesJudge,
  kappaSelfMajority,
  observerAlpha,
  retestKappa,
} from './label-agreement.ts';
import {
  ballotLieRate,
  counterClaims,
  falsePowerClaims,
  firstLieHazard,
  firstLieMedianRound,
  firstLieMedianTurn,
  firstLieRound,
  firstLieTurn,
  lieTurnRate,
  refusedTurnRate,
  silentTurnRate,
} from './lie-exposure.ts';
import {
  admissionMetrics,
  verifiableClaimRate,
  lieRate,
  liesPer100Words,
  lieStatementRate,
  ownedDeception,
  promiseKeptRate,
  verdictShare,
  withheldRate,
} from './lies.ts';
import { memoryMetrics } from './memories.ts';
import type { Metric } from './metric.ts';
import { monitorGap } from './monitor-gap.ts';
import { noWinnerRate, positionWinRate, seatWinRate, winRate } from './outcomes.ts';
import { beliefMetrics, perceivedFlagRate, perceivedSuspicion, suspicionSlope } from './perception.ts';
import { expenseMetrics, reliabilityMetrics } from './reliability.ts';
import { doctorProtectionDifference, doctorSuspicion } from './roles/doctor.ts';
import {
  guardScore,
  guardScoreGuarding,
  guardUsage,
  hunterScore,
  hunterUsage,
  witchScore,
  witchUsage,
} from './roles/role-scores.ts';
import { learningVotes, learningWins } from './learning.ts';
import { seerRevealDifference, seerReveals, seerScore, seerSuspicion } from './roles/seer.ts';
import { werewolfScore } from './roles/werewolf.ts';
import { observerTable, selfDeceptiveRate, selfTypeShare, suspicionSelf } from './self-reports.ts';
import { sheriffInfluence, sheriffOwnBallot, sheriffPersuasion } from './sheriff-influence.ts';
import {
  identificationPrecisionByBeliefs,
  identificationPrecisionByVotes,
  keyRoleEffectiveness,
  keyRoleSurvivalAtEnd,
  keyRoleSurvivalAfterLastExile,
  exilePrecisionByBallots,
  exilePrecisionByDays,
} from './village-success.ts';
import { consensusMetrics, voteChangeRate, voteFlow, votingEntropy } from './vote-dynamics.ts';
import { matchedFalseAlarmRate, matchedHitRate, pairedDetection } from './paired-detection.ts';

export const metrics: readonly Metric[] = [
  lieTurnRate,
  ballotLieRate,
  silentTurnRate,
  refusedTurnRate,
  falsePowerClaims,
  counterClaims,
  firstLieHazard,
  firstLieTurn,
  firstLieRound,
  firstLieMedianTurn,
  firstLieMedianRound,
  liesCalledHonest,
  truthsCalledHonest,
  withheldRate,
  lieRate,
  lieStatementRate,
  liesPer100Words,
  verifiableClaimRate,
  verdictShare,
  promiseKeptRate,
  ...admissionMetrics,
  ...ownedDeception,
  ...accusationMetrics,
  ...defenceMetrics,
  pairedDetection,
  matchedHitRate,
  matchedFalseAlarmRate,
  ...beliefShiftMetrics,
  detectionBalancedAccuracy,
  detectionMcc,
  detectionPrecision,
  detectionPrevalence,
  ...suspicionMetrics,
  selfDeceptiveRate,
  selfTypeShare,
  ...monitorGap,
  ...observerTable,
  ...suspicionSelf,
  perceivedSuspicion,
  perceivedFlagRate,
  suspicionSlope,
  seerSuspicion,
  seerRevealDifference,
  doctorSuspicion,
  doctorProtectionDifference,
  ...beliefMetrics,
  kappaEngineSelf,
  kappaEngineMajority,
  kappaSelfMajority,
  kappaRulesJudge,
  judgeRetest,
  judgeAlpha,
  observerAlpha,
  retestKappa,
  codingRetest,
  codingAlpha,
  winRate,
  noWinnerRate,
  seatWinRate,
  positionWinRate,
  ...bidMetrics,
  ...speechMetrics,
  votingEntropy,
  ...consensusMetrics,
  voteChangeRate,
  voteFlow,
  codeRate,
  seerScore,
  ...seerReveals,
  witchScore,
  witchUsage,
  hunterScore,
  hunterUsage,
  guardScore,
  guardScoreGuarding,
  guardUsage,
  werewolfScore,
  identificationPrecisionByVotes,
  identificationPrecisionByBeliefs,
  keyRoleSurvivalAtEnd,
  keyRoleSurvivalAfterLastExile,
  keyRoleEffectiveness,
  exilePrecisionByDays,
  exilePrecisionByBallots,
  learningVotes,
  learningWins,
  sheriffInfluence,
  sheriffOwnBallot,
  sheriffPersuasion,
  ...reliabilityMetrics,
  ...memoryMetrics,
  ...expenseMetrics,
];

/**
 * Metrics that a comparison tests. Excludes costs and missing answers, which appear in reports only: testing them would
 * merely increase the number of tests.
 */
export const endpointMetrics: readonly Metric[] = metrics.filter(({ section }) => section !== 'reliability');
