// The register of metrics, in the order of a report.
import { accusations, defences } from './accusations.ts';
import { admission, ownedDeception } from './admission.ts';
import { kappaEngineMajority, kappaEngineSelf, kappaRulesJudge, kappaSelfMajority } from './agreement.ts';
import { beliefs } from './beliefs.ts';
import { coverage } from './coverage.ts';
import {
  detectionBalancedAccuracy,
  detectionMcc,
  detectionPrecision,
  detectionPrevalence,
  falseAlarmRate,
  hitRate,
} from './detection.ts';
import { lieStatementRate, liesPer100Words } from './lie-frequency.ts';
import { lieRate } from './lie-rate.ts';
import type { Metric } from './metric.ts';
import { observerAlpha, retestKappa } from './observer-agreement.ts';
import { noWinnerRate, winRate } from './outcomes.ts';
import { promiseKeptRate } from './promises.ts';
import { suspicion } from './suspicion.ts';
import { verdictShare } from './verdicts.ts';
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
  ...beliefs,
  kappaEngineSelf,
  kappaEngineMajority,
  kappaSelfMajority,
  kappaRulesJudge,
  observerAlpha,
  retestKappa,
  winRate,
  noWinnerRate,
];
