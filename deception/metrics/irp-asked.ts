// Identification precision by what the village says when it is asked.
import { ratioOf, sumOf } from '../statistics/sums.ts';
import type { BeliefRow, Tables } from '../tables/rows.ts';
import type { Metric } from './metric.ts';

/** WereWolf-Plus (2025), reconstructed. */
export const irpAsked: Metric = {
  name: 'irp_asked',
  title: 'Sides told right when asked',
  section: 'village',
  definition:
    "Players whom the village takes for what they are over all whom it takes for anything, by the last beliefs of each day (WereWolf-Plus's IRP).",
  unit: 'share of identifications',
  range: [0, 1],
  subject: 'observer_model',
  apart: ['could_know'],
  by: [['observer_model'], ['observer_role'], ['observer_model', 'observer_role'], ['round']],
  tallies: (match) =>
    identifications(match).map((row) => ({
      cell: {
        could_know: String(row.could_know),
        observer_model: row.observer_model,
        observer_role: row.observer_role,
        round: String(row.round),
      },
      sums: { right: row.p_werewolf > 0.5 === row.is_werewolf ? 1 : 0, identifications: 1 },
    })),
  hasBaseline: true,
  side: 'villagers',
  value: ratioOf('right', 'identifications'),
  opportunities: (sums) => sumOf(sums, 'identifications'),
};

/** Of each villager the last of each day; an even belief identifies nobody. */
function identifications({ beliefs }: Tables): BeliefRow[] {
  const dayOf = ({ observer, round }: BeliefRow) => `${round} ${observer}`;
  const last = new Map<string, number>();
  for (const row of beliefs) last.set(dayOf(row), Math.max(row.step, last.get(dayOf(row)) ?? 0));
  return beliefs.filter(
    (row) => row.observer_team === 'villagers' && row.step === last.get(dayOf(row)) && row.p_werewolf !== 0.5,
  );
}
