// Claimants: whose claims to powers and whose checks are to be believed.
import type { Scene } from './scene.ts';

/** Somebody trusted whose check found the suspect to be a Werewolf. */
export function credibleReporter(scene: Scene, suspect: string) {
  const report = scene.reports.findLast(
    ({ target, team, by }) => target === suspect && team === 'werewolves' && by !== scene.me,
  );
  return report && scene.view.alive.includes(report.by) && scene.outward.of(report.by) < 0.4 ? report.by : undefined;
}

/** Somebody who claims the same as a claimant. */
export function rivalOf({ claims }: Scene, claimant: string) {
  const roles = claims.filter(({ by }) => by === claimant).map(({ role }) => role);
  return claims.find(({ by, role }) => by !== claimant && roles.includes(role))?.by;
}
