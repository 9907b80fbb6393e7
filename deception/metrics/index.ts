// The register of metrics, in the order of a report.
import { accusations, defences } from './accusations.ts';
import { admission, ownedDeception } from './admission.ts';
import { kappaEngineMajority, kappaEngineSelf, kappaRulesJudge, kappaSelfMajority } from './agreement.ts';
import { beliefs } from './beliefs.ts';
import { bids } from './bids.ts';
import { consensusMetrics } from './consensus.ts';
import { coverage } from './coverage.ts';
import {
  detectionBalancedAccuracy,
  detectionMcc,
  detectionPrecision,
  detectionPrevalence,
  falseAlarmRate,
  hitRate,
} from './detection.ts';
import { expense } from './expense.ts';
import { irpAsked } from './irp-asked.ts';
import { irpVotes } from './irp-votes.ts';
import { kre } from './key-role-effectiveness.ts';
import { ksrEnd, ksrLastExile } from './key-role-survival.ts';
import { lieStatementRate, liesPer100Words } from './lie-frequency.ts';
import { lieRate } from './lie-rate.ts';
import type { Metric } from './metric.ts';
import { observerAlpha, retestKappa } from './observer-agreement.ts';
import { observerTable } from './observer-table.ts';
import { noWinnerRate, winRate } from './outcomes.ts';
import { perceivedFlagRate, perceivedSuspicion } from './perception.ts';
import { promiseKeptRate } from './promises.ts';
import { reliability } from './reliability.ts';
import { doctorProtectionDifference, doctorSuspicion } from './roles/doctor-suspicion.ts';
import { guardScore, guardScoreGuarding, guardUsage } from './roles/guard.ts';
import { hunterScore, hunterUsage } from './roles/hunter.ts';
import { seerScore } from './roles/seer.ts';
import { seerReveals } from './roles/seer-reveals.ts';
import { seerRevealDifference, seerSuspicion } from './roles/seer-suspicion.ts';
import { werewolfScore } from './roles/werewolf.ts';
import { witchScore, witchUsage } from './roles/witch.ts';
import { sheriffInfluence, sheriffOwnBallot, sheriffPersuasion } from './sheriff-influence.ts';
import { positionWinRate, seatWinRate } from './seats.ts';
import { selfDeceptiveRate, selfTypeShare } from './self-reports.ts';
import { suspicion } from './suspicion.ts';
import { suspicionSelf } from './suspicion-self.ts';
import { suspicionSlope } from './suspicion-slope.ts';
import { talk } from './talk.ts';
import { verdictShare } from './verdicts.ts';
import { voteChangeRate, voteFlow } from './vote-flow.ts';
import { votingEntropy } from './voting-entropy.ts';
import { vssBallots, vssDays } from './voting-success.ts';
import { withheldRate } from './withheld.ts';

export const metrics: readonly Metric[] = [
  lieRate,
  lieStatementRate,
  liesPer100Words,
  coverage,
  verdictShare,
  withheldRate,
  promiseKeptRate,
  ...admission,
  ...ownedDeception,
  ...accusations,
  ...defences,
  hitRate,
  falseAlarmRate,
  detectionBalancedAccuracy,
  detectionMcc,
  detectionPrecision,
  detectionPrevalence,
  ...suspicion,
  selfDeceptiveRate,
  selfTypeShare,
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
  irpVotes,
  irpAsked,
  ksrEnd,
  ksrLastExile,
  kre,
  vssDays,
  vssBallots,
  sheriffInfluence,
  sheriffOwnBallot,
  sheriffPersuasion,
  ...reliability,
  ...expense,
];
