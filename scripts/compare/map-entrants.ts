// Names of entrants for the models of a tournament, so that a comparison names them as its table does.
import type { UsableMatch } from '../report/match-inventory.ts';

/** Maps models to entrants. Empty if a model is several entrants, or an entrant several models. */
export function mapEntrants(matches: readonly UsableMatch[]): Record<string, string> {
  const pairs = matches.flatMap(({ manifest: { setup, tournament } }) =>
    Object.entries(tournament?.entrants ?? {}).map(
      ([player, entrant]) => [setup.models[player] ?? '', entrant] as const,
    ),
  );
  const names = new Map(pairs);
  const isOneToOne = pairs.every(([model, entrant]) => names.get(model) === entrant);
  return isOneToOne && new Set(names.values()).size === names.size ? Object.fromEntries(names) : {};
}
