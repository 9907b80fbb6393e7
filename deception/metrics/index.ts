// The register of metrics: all that a report shows, in its order.
import { accusations, defences } from './accusations.ts';
import { liesBelievedRate, shifts } from './belief-shift.ts';
import { bids, talk } from './debate.ts';
import {
  detectionBalancedAccuracy,
  detectionMcc,
  detectionPrecision,
  detectionPrevalence,
  falseAlarmRate,
  hitRate,
  suspicion,
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
  counterClaims,
  falsePowerClaims,
  firstLieHazard,
  firstLieRound,
  firstLieTurn,
  lieTurnRate,
} from './lie-exposure.ts';
import {
  admission,
  coverage,
  lieRate,
  liesPer100Words,
  lieStatementRate,
  ownedDeception,
  promiseKeptRate,
  verdictShare,
  withheldRate,
} from './lies.ts';
import type { Metric } from './metric.ts';
import { monitorGap } from './monitor-gap.ts';
import { noWinnerRate, positionWinRate, seatWinRate, winRate } from './outcomes.ts';
import { beliefs, perceivedFlagRate, perceivedSuspicion, suspicionSlope } from './perception.ts';
import { expenseMetrics, reliability } from './reliability.ts';
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
import { falseAlarmRateWithinSide, hitRateWithinSide, suspicionRocAucWithinSide } from './within-side.ts';

export const metrics: readonly Metric[] = [
  lieTurnRate,
  falsePowerClaims,
  counterClaims,
  firstLieHazard,
  firstLieTurn,
  firstLieRound,
  liesBelievedRate,
  withheldRate,
  lieRate,
  lieStatementRate,
  liesPer100Words,
  coverage,
  verdictShare,
  promiseKeptRate,
  ...admission,
  ...ownedDeception,
  ...accusations,
  ...defences,
  suspicionRocAucWithinSide,
  hitRateWithinSide,
  falseAlarmRateWithinSide,
  ...shifts,
  hitRate,
  falseAlarmRate,
  detectionBalancedAccuracy,
  detectionMcc,
  detectionPrecision,
  detectionPrevalence,
  ...suspicion,
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
  ...beliefs,
  kappaEngineSelf,
  kappaEngineMajority,
  kappaSelfMajority,
  kappaRulesJudge,
  judgeRetest,
  judgeAlpha,
  observerAlpha,
  retestKappa,
  winRate,
  noWinnerRate,
  seatWinRate,
  positionWinRate,
  ...bids,
  ...talk,
  votingEntropy,
  ...consensusMetrics,
  voteChangeRate,
  voteFlow,
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
  sheriffInfluence,
  sheriffOwnBallot,
  sheriffPersuasion,
  ...reliability,
  ...expenseMetrics,
];

/**
 * What a comparison tests: what the models cost and left unanswered stands in reports, and as endpoints would only add to
 * what is adjusted for.
 */
export const endpointMetrics: readonly Metric[] = metrics.filter(({ section }) => section !== 'reliability');
