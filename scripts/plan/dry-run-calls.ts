// Estimates the use of a study's matches by dry runs of its own set-up; plays matches of built-in bots if there is no
// pilot.
import { listModelPairs } from '../../deception/design/schedule.ts';
import { buildTables, type MatchTables } from '../../deception/tables/match-tables.ts';
import { type DryRun, playDryRun } from '../../graph/dry-run-match.ts';
import { playMatch } from '../../graph/play-match.ts';
import { stripExperience, setBeliefs, setTurn } from '../../graph/estimate.ts';
import { dealPlannedMatch, type MatchPlan, prepareMatch, recoverPlan } from '../../graph/prepare-match.ts';
import type { AnswerLine, Manifest } from '../../state/record.ts';
import { UsageError } from '../../state/usage-error.ts';
import { addSilentPolicy } from '../../models/key-policy.ts';
import { addMissingKeys } from '../../models/providers/index.ts';
import type { Design } from './endpoint-candidates.ts';

/** Maximum number of dry runs, unless there are more arms: each has equally many. */
const sampleSize = 10;

interface EffortSources {
  design: Design;
  models: readonly string[];
  /** Manifests of the pilot; empty without one. */
  manifests: readonly Manifest[];
  /** Board and rules without a pilot. */
  ground: MatchPlan;
}

/**
 * Plays dry runs, equally many of each arm. Without `models` they are the pilot's. Throws a UsageError for a set-up
 * that cannot be played.
 */
export async function playDryRuns(sources: EffortSources, env: NodeJS.ProcessEnv): Promise<DryRun[]> {
  const plans = listPlans(sources);
  const keyed = addSilentPolicy(addMissingKeys(JSON.stringify(plans), env));
  const played: DryRun[] = [];
  for (const plan of plans) played.push(await playDryRun(await prepareMatch(plan, keyed, 0)));
  return played;
}

/**
 * Plays one dry run of each arm as it is and one with `beliefs=each-statement`, whose difference is what beliefs cost.
 * Throws like `playDryRuns`.
 */
export async function playBeliefRuns(
  sources: EffortSources,
  env: NodeJS.ProcessEnv,
): Promise<{ asked: DryRun[]; unasked: DryRun[] }> {
  const plans = listPlansOfArms(sources);
  const keyed = addSilentPolicy(addMissingKeys(JSON.stringify(plans), env));
  const play = async (plan: MatchPlan) => playDryRun(await prepareMatch(plan, keyed, 0));
  const [asked, unasked]: [DryRun[], DryRun[]] = [[], []];
  for (const plan of plans) {
    unasked.push(await play(stripExperience(plan)));
    asked.push(await play(setBeliefs(plan)));
  }
  return { asked, unasked };
}

/**
 * Plays some dry runs of each arm with either value of the rule `turn`; null if nobody bids in some arm, or if players
 * have a pool. Throws like `playDryRuns`.
 */
export async function playTurnRuns(
  sources: EffortSources,
  env: NodeJS.ProcessEnv,
): Promise<Record<'bid' | 'draft', DryRun[]> | null> {
  const plans = listPlansOfArms(sources, turnRuns);
  if (plans.some((plan) => plan.experience !== undefined || dealPlannedMatch(plan).rules.debateOrder !== 'bidding'))
    return null;
  const keyed = addSilentPolicy(addMissingKeys(JSON.stringify(plans), env));
  const play = async (turn: 'bid' | 'draft') => {
    const runs: DryRun[] = [];
    for (const plan of plans) runs.push(await playDryRun(await prepareMatch(setTurn(plan, turn), keyed, 0)));
    return runs;
  };
  return { bid: await play('bid'), draft: await play('draft') };
}

/** Wanted number of dry runs with each value of the rule `turn`. */
const turnRuns = 4;

/** Lists plans of each arm, equally many and at least one, `wanted` in all. */
function listPlansOfArms(sources: EffortSources, wanted = 1): MatchPlan[] {
  const byArm = Map.groupBy(listPlans(sources), ({ model, villagers, werewolves, seats }) =>
    JSON.stringify([
      model,
      villagers,
      werewolves,
      Object.values(seats ?? {})
        .map((seat) => JSON.stringify(seat))
        .sort(),
    ]),
  );
  return [...byArm.values()].flatMap((own) => own.slice(0, Math.max(1, Math.floor(wanted / byArm.size))));
}

function listPlans({ design, models, manifests, ground }: EffortSources): MatchPlan[] {
  if (models.length === 0 && manifests.length > 0) return listPilotPlans(manifests);
  const arms: Pick<MatchPlan, 'model' | 'villagers' | 'werewolves'>[] =
    design === 'crossed'
      ? listModelPairs(models).map(({ villagers, werewolves }) => ({ villagers, werewolves }))
      : [{ model: models[0] }];
  const grounds = manifests.length > 0 ? manifests.map(takeGround) : [ground];
  const perArm = Math.max(1, Math.floor(sampleSize / arms.length));
  return Array.from({ length: perArm }, (_, seed) => grounds[seed % grounds.length]!).flatMap((own, place) =>
    arms.map((arm): MatchPlan => ({ ...own, seed: place + 1, ...arm })),
  );
}

/** Takes the board and the rules of a match, for any deal and models. */
function takeGround(manifest: Manifest): MatchPlan {
  const { board, recorded } = recoverPlan(manifest);
  return { board, recorded };
}

function listPilotPlans(manifests: readonly Manifest[]): MatchPlan[] {
  const imported = manifests.find((manifest) => manifest.imported);
  if (imported)
    throw new UsageError(
      `The pilot was imported (${imported.imported!.format}), so its models cannot be asked here. Name those of the study with --models.`,
    );
  const byArm = Map.groupBy(manifests, ({ setup }) =>
    JSON.stringify([setup.players.map(({ name, team }) => [team, setup.models[name]]).sort(), setup.rules]),
  );
  const perArm = Math.max(1, Math.floor(sampleSize / byArm.size));
  return [...byArm.values()].flatMap((own) => own.slice(0, perArm)).map((manifest) => recoverPlan(manifest));
}

/** Plays matches of `bot:classic` on this board with these rules, in memory, and measures them. */
export async function playTrials(ground: MatchPlan, trials: number): Promise<MatchTables[]> {
  const tables: MatchTables[] = [];
  for (let seed = 1; seed <= trials; seed++) {
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
