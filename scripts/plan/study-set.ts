// Describes a planned study as a set of matches, because the estimate of `match --dry-run` needs such a set. Also plays
// matches of built-in bots if there is no pilot.
import { type DesignArm, listModelPairs } from '../../deception/design/schedule.ts';
import { buildTables, type MatchTables } from '../../deception/tables/match-tables.ts';
import type { MatchSet } from '../../graph/match-set.ts';
import { playMatch } from '../../graph/play-match.ts';
import { type MatchPlan, recoverPlan } from '../../graph/prepare-match.ts';
import { dropUndefined } from '../../models/model-options.ts';
import type { AnswerLine, Manifest } from '../../state/record.ts';
import type { Team } from '../../state/teams.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { Design } from './endpoint-candidates.ts';
import { listSeatModels } from './study-deals.ts';
import type { StepListener } from '../command/work-progress.ts';

interface EffortSources {
  design: Design;
  /** Models of the study, or of all pairs of a crossed design. Empty if the pilot's own seats are used. */
  models: readonly string[];
  /** Manifests of the pilot; empty without one. */
  manifests: readonly Manifest[];
  /** Board and rules, used if there is no pilot. */
  ground: MatchPlan;
  /** Seed of the study's first deal. */
  seed: number;
}

/**
 * Returns the study as a set of matches. The number of its deals is left open, because dry runs do not depend on it.
 * Throws a UsageError for an imported pilot whose models cannot be asked.
 *
 * @example await playSampledRuns(planStudySet({ design, models, manifests: [], ground: {}, seed: 1 }), { env });
 */
export function planStudySet({ design, models, manifests, ground, seed }: EffortSources): MatchSet {
  if (design !== 'crossed' && models.length === 0 && manifests.length > 0) return repeatPilot(manifests, seed);
  const grounds = manifests.length > 0 ? listConditions(manifests) : [ground];
  const pairs = design === 'crossed' ? listModelPairs(models) : [];
  const isMixed = grounds.length > 1;
  // Under several conditions each arm is played once per condition, in a folder of its own.
  const grounded = new Map(
    grounds.flatMap((own, place) =>
      (pairs.length === 0 && isMixed ? [{ folder: '' }] : pairs).map((pair: DesignArm) => {
        const folder = isMixed ? `${place}/${pair.folder}` : pair.folder;
        return [folder, { ground: own, arm: { ...pair, folder } }] as const;
      }),
    ),
  );
  return {
    seed,
    matches: 1,
    planOf: (own, { folder = '' }) => ({
      ...(grounded.get(folder)?.ground ?? grounds[0]),
      seed: own,
      ...(pairs.length === 0 && models.length > 0 ? { model: models[0] } : {}),
    }),
    ...(grounded.size > 0 && { arms: [...grounded.values()].map(({ arm }) => arm) }),
  };
}

/** Lists the board and rules of each condition of the pilot, each once and without deal and models. */
function listConditions(manifests: readonly Manifest[]): MatchPlan[] {
  const found = new Map(manifests.map(({ setup }) => [JSON.stringify([setup.board, setup.rules]), setup]));
  return [...found.values()].map(({ board, rules }) => ({ board, recorded: { board, rules } }));
}

/** Returns the matches of the pilot, arm by arm. Where each side has one model, the deals are new ones. */
function repeatPilot(manifests: readonly Manifest[], seed: number): MatchSet {
  const imported = manifests.find((manifest) => manifest.imported)?.imported;
  if (imported)
    throw new UsageError(
      `The pilot was imported (${imported.format}), so its models cannot be asked here. Name those of the study with --models.`,
    );
  const arms = [
    ...Map.groupBy(manifests, ({ setup }) =>
      JSON.stringify([setup.players.map(({ name, team }) => [team, setup.models[name]]).sort(), setup.rules]),
    ).values(),
  ].map((matches, place) => ({ folder: String(place), matches }));
  return {
    seed,
    matches: 1,
    planOf: (own, { folder = '0' }) => {
      const matches = arms.find((arm) => arm.folder === folder)?.matches ?? manifests;
      const plans = matches.map((manifest) => planOtherDeal(manifest, own) ?? recoverPlan(manifest));
      return plans[(own - seed) % plans.length] ?? {};
    },
    ...(arms.length > 1 && { arms: arms.map(({ folder }) => ({ folder })) }),
  };
}

/** Plans the match on another deal. Null if several models share a side, or if players have experience or personas. */
function planOtherDeal({ setup, ...manifest }: Manifest, seed: number): MatchPlan | null {
  const { board, rules, players } = setup;
  const models = listSeatModels({ ...manifest, setup });
  const ofTeam = (wanted: Team) => [
    ...new Set(players.flatMap(({ team }, place) => (team === wanted ? [models[place]] : []))),
  ];
  const [[werewolves, ...more], [villagers, ...others]] = [ofTeam('werewolves'), ofTeam('villagers')];
  const isPlain = more.length === 0 && others.length === 0 && players.every(({ persona }) => persona === undefined);
  if (!isPlain || setup.experience !== undefined) return null;
  return {
    ...{ board, recorded: { board, rules }, seed },
    ...dropUndefined({ werewolves, villagers }),
  };
}

/** Plays matches of `bot:classic` on this board with these rules, in memory, and measures them. */
export async function playTrials(ground: MatchPlan, trials: number, onStep?: StepListener): Promise<MatchTables[]> {
  const tables: MatchTables[] = [];
  for (let seed = 1; seed <= trials; seed++) {
    onStep?.('trial matches played', seed - 1, trials);
    const answers: AnswerLine[] = [];
    let manifest: Manifest | undefined;
    const { events } = await playMatch({
      ...{ ...ground, seed, model: 'bot:classic', out: null, env: {} },
      onStart: (start) => void (manifest = start.manifest),
      onAnswer: (line) => void answers.push(line),
    });
    tables.push(buildTables({ manifest: manifest!, events, answers }));
  }
  return tables;
}
