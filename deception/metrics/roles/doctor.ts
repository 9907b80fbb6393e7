// Suspicion of a Doctor on the day after a protection. Compares protections that saved somebody with protections that
// saved nobody.
import type { AnalysisRow } from '../../tables/analysis-rows.ts';
import type { DeedRow } from '../../tables/game-rows.ts';
import type { MatchTables } from '../../tables/match-tables.ts';
import { createLevelSums, createRoundSums, getJudgedLevel, meanLevel, sameRoundDifference } from '../breakdowns.ts';
import { listJudgements, judgementStrata } from '../judgements.ts';
import type { Metric } from '../metric.ts';

const role = 'Doctor';

/**
 * Whether the deed is a protection by a Doctor. Protections that were drawn at random count too, because their effect
 * on the next day is the same.
 */
const isProtection = ({ by_role: byRole, aim, target }: DeedRow) =>
  byRole === role && aim === 'shield' && target !== null;

/**
 * Classifies a protection. It succeeded if it saved the target from an attack. Null if nobody was attacked, if another
 * player saved the victim, or if the fatal act is uncertain because somebody else harmed the protected or attacked
 * player.
 */
function classifyProtection(deed: DeedRow, deeds: readonly DeedRow[]): 'succeeded' | 'failed' | null {
  if (deed.is_on_victim === true && deed.is_fatal === false) return 'succeeded';
  const harms = deeds.filter((one) => one.round === deed.round && one.aim === 'harm' && !one.is_last_act);
  const fatal = harms.filter((one) => one.is_joint && one.is_fatal === true);
  const others = harms.filter((one) => !one.is_joint && one.target !== null).map(({ target }) => target);
  const isUnclear = [deed, ...fatal].some(({ target }) => others.includes(target));
  return fatal.length === 0 || isUnclear ? null : 'failed';
}

function createProtectionFinder({ deeds }: MatchTables) {
  const protections = deeds.filter(isProtection);
  return ({ speaker, round }: AnalysisRow) => {
    const deed = protections.find((one) => one.by === speaker && one.round === round);
    return deed === undefined ? null : classifyProtection(deed, deeds);
  };
}

/** Lists suspicions of Doctors on the day after a protection whose outcome is known, including missing suspicions. */
function listDoctorSuspicions(match: MatchTables) {
  const outcomeBefore = createProtectionFinder(match);
  return listJudgements(match).flatMap(({ row, cell }) => {
    const outcome = row.speaker_role === role ? outcomeBefore(row) : null;
    const level = getJudgedLevel(row, 'suspicion');
    return outcome === null || level === undefined ? [] : [{ cell, level, outcome, round: row.round }];
  });
}

const doctor = { section: 'perception', breakdowns: [['observer_team']] } as const;

export const doctorSuspicion: Metric = {
  ...doctor,
  name: 'doctor_suspicion',
  title: 'Suspicion of the Doctor after protecting',
  definition:
    'Mean suspicion of a Doctor’s statements on the day after a protection that saved the victim, and after one that did not (WOLF).',
  notes:
    '`protection` is `succeeded` (the protected player was attacked and stayed) or `failed` (an attack was fatal that night). Left out: nights without an attack or a protection, with the victim saved by somebody else, or with other harm (a Witch’s) to the victim or the protected player. Randomly chosen protections count.',
  unit: 'suspicion',
  range: [0, 1],
  strata: [...judgementStrata, 'protection'],
  count: (match) =>
    listDoctorSuspicions(match).map(({ cell, level, outcome }) => ({
      cell: { ...cell, protection: outcome },
      sums: createLevelSums(level),
    })),
  ...meanLevel,
};

export const doctorProtectionDifference: Metric = {
  ...doctor,
  name: 'doctor_protection_difference',
  title: 'Suspicion of the Doctor after saving against Doctors of the same round who failed',
  definition:
    'Mean suspicion of Doctors on the day after a protection that saved the victim minus that of Doctors in the same round whose protection did not. Rounds are weighted by the judgments of the former.',
  unit: 'difference of suspicion',
  strata: judgementStrata,
  count: (match) =>
    listDoctorSuspicions(match).map(({ cell, level, outcome, round }) => ({
      cell,
      sums: createRoundSums(outcome === 'succeeded' ? 'those' : 'others', round, level),
    })),
  ...sameRoundDifference,
};
