// A tournament's plan as it stands in the queue, and as a worker reads it: the queue holds names and what shapes answers;
// addresses, keys' variables, prices and limits come from each worker's own models file.
import { z } from 'zod';
import type { Entrant, TournamentPlan } from '../../deception/tournament-plan/tournament-plan.ts';
import { TournamentPlan as PlanSchema } from '../../deception/tournament-plan/tournament-plan.ts';
import { hashTournament, identifyEntrants } from '../../deception/tournament-plan/tournament-record.ts';
import type { NamedModels } from '../../models/providers/models-file.ts';
import { dropUndefined } from '../../models/model-options.ts';
import { createProvenance } from '../../models/record/provenance.ts';
import { findModelAddress, getModelLabel, identifyModel } from '../../state/model-identity.ts';
import { flattenToOneLine, parseJson, truncateBytes } from '../../state/text.ts';
import { describeIssue, UsageError } from '../../state/usage-error.ts';
import { readEngineHash } from './engine-hash.ts';
import { findPlanConflict } from '../tournament/tournament-folder.ts';
import type { QueuedTournament } from './database-rows.ts';

/** What workers must have in common with the command that queues: else their matches would be others. */
type MadeWith = z.infer<typeof MadeWith>;

const MadeWith = z.object({ wolfgraph: z.string(), templates_sha256: z.string(), engine_sha256: z.string() });

/** What is wrong with the row of a tournament, which is left alone; --remove --force takes it away. */
export class UnreadablePlan extends UsageError {
  constructor(name: string, fault: string) {
    super(
      `The plan of ${flattenToOneLine(name)} in the database cannot be read: ${flattenToOneLine(truncateBytes(fault, 500))}. Queue it anew (tournament PLAN), or remove it (tournament PLAN --remove --force).`,
    );
  }
}

function readMadeWith(): MadeWith {
  const { wolfgraph, templates_sha256 } = createProvenance({}, 0);
  return { wolfgraph, templates_sha256, engine_sha256: readEngineHash() };
}

const listModels = ({ entrants, baseline }: TournamentPlan): string[] =>
  [...Object.values(entrants), ...(baseline ? [baseline] : [])].flatMap(({ model, roles = {} }) => [
    model,
    ...Object.values(roles),
  ]);

/** With the folders of pools, which the identity of a plan leaves out: workers read them there. */
const pickPools = ({ experience, conditions }: TournamentPlan) =>
  dropUndefined({ experience, conditions }) as Partial<TournamentPlan>;

/**
 * Throws a UsageError for pools that grow: the folder of the set, where each block finds the pool of the one before, is not
 * where workers play.
 */
export function checkNoGrowth({ name, experience }: TournamentPlan): void {
  if (experience?.grow !== undefined)
    throw new UsageError(
      `${name} cannot be played by workers: with experience.grow each block of deals needs the pool of the block before, which is made where the tournament is. Leave out grow, or play it here: --no-database.`,
    );
}

/**
 * A plan for the queue. Throws a UsageError for a model with an address and no name: a worker could not tell where it is.
 *
 * @example await store.write(queuePlan(plan), { cap: plan.maxCost ?? null });
 */
export function queuePlan(plan: TournamentPlan): QueuedTournament {
  const nameless = listModels(plan).find(
    (model) => findModelAddress(model) !== undefined && getModelLabel(model) === identifyModel(model),
  );
  if (nameless !== undefined)
    throw new UsageError(
      `${identifyModel(nameless)} is asked at an address of its own, which the queue does not hold. Give it a name in a models file (models: in the plan): workers find the address under that name in their own (--models FILE).`,
    );
  return {
    name: plan.name,
    plan: JSON.stringify({ ...identifyEntrants(plan), ...pickPools(plan) }),
    plan_sha256: hashTournament(plan),
    made_with: JSON.stringify(readMadeWith()),
  };
}

/**
 * The plan as this worker plays it. Throws a UsageError where this program is of another version than the one that queued
 * it, and for a name that the worker's models file does not have or has for another model.
 */
export function readQueuedPlan(queued: QueuedTournament, named: NamedModels): TournamentPlan {
  const differing = listVersionDifferences(queued);
  if (differing.length > 0)
    throw new UsageError(
      `${queued.name} was queued by another version of Wolfgraph: ${differing.join('; ')}. Its matches would be others. Install that version here, or queue it anew with this one under another name.`,
    );
  const plan = parseQueuedPlan(queued);
  checkNoGrowth(plan);
  const resolve = (model: string) => resolveQueuedModel(queued.name, model, named);
  const resolveEntrant = ({ model, roles, ...entrant }: Entrant): Entrant => ({
    model: resolve(model),
    ...entrant,
    ...(roles && { roles: Object.fromEntries(Object.entries(roles).map(([role, text]) => [role, resolve(text)])) }),
  });
  return {
    ...plan,
    entrants: Object.fromEntries(
      Object.entries(plan.entrants).map(([name, entrant]) => [name, resolveEntrant(entrant)]),
    ),
    ...(plan.baseline && { baseline: resolveEntrant(plan.baseline) }),
  };
}

/** Never an address of the queue's: whoever can write there could have a key sent anywhere. */
function resolveQueuedModel(tournament: string, text: string, named: NamedModels): string {
  const identity = identifyModel(text);
  const label = getModelLabel(identity);
  if (label === identity) return identity;
  const own = named.get(label);
  if (own === undefined)
    throw new UsageError(
      `${tournament} is played by a model named ${label} (${identity}), which this worker's models file does not name. Name it there: --models FILE.`,
    );
  if (identifyModel(own) !== identity)
    throw new UsageError(
      `${tournament} is played by ${label}, which stands for ${identity} there and for ${identifyModel(own)} in this worker's models file. Make them the same.`,
    );
  return own;
}

/** In what this program differs from the one that queued a tournament. Throws UnreadablePlan. */
export function listVersionDifferences({ name, made_with: made }: QueuedTournament): string[] {
  const theirs = MadeWith.safeParse(parseJson(made)).data;
  if (theirs === undefined) throw new UnreadablePlan(name, 'it does not say by which version it was queued');
  const own = readMadeWith();
  return (['wolfgraph', 'templates_sha256', 'engine_sha256'] as const)
    .filter((key) => theirs[key] !== own[key])
    .map((key) => `${key} ${flattenToOneLine(truncateBytes(theirs[key], 80))}, here ${own[key]}`);
}

/** The `templates_sha256` of the program that queued a tournament; null where it does not say. */
export const readQueuedWording = ({ made_with: made }: QueuedTournament): string | null =>
  MadeWith.safeParse(parseJson(made)).data?.templates_sha256 ?? null;

/**
 * A plan as the database holds it, models by their identity. Throws UnreadablePlan for what is no plan, or is not the one
 * whose name and hash stand beside it.
 */
export function parseQueuedPlan({ name, plan: text, plan_sha256: hash }: QueuedTournament): TournamentPlan {
  const stored = parseJson(text);
  if (stored === undefined) throw new UnreadablePlan(name, 'it is not JSON');
  const { data: plan, error } = PlanSchema.safeParse(stored, { error: describeIssue });
  if (plan === undefined) {
    const [{ path, message }] = error.issues as [z.core.$ZodIssue];
    throw new UnreadablePlan(name, `${path.join('.')} ${message}`);
  }
  if (plan.name !== name) throw new UnreadablePlan(name, `it is named ${plan.name}`);
  if (hashTournament(plan) !== hash) throw new UnreadablePlan(name, 'it does not have the hash that stands beside it');
  return plan;
}

/** Throws a UsageError that names the difference where the database holds another tournament under the name of a plan. */
export function checkQueuedPlan(queued: QueuedTournament, plan: TournamentPlan): void {
  if (queued.plan_sha256 === hashTournament(plan)) return;
  const refusal = findPlanConflict(identifyEntrants(parseQueuedPlan(queued)), identifyEntrants(plan));
  if (refusal !== null)
    throw new UsageError(
      `The database holds another tournament named ${plan.name}. ${refusal} Under the same name deals may be raised and maxCost changed; for another plan choose another name.`,
    );
}

/** The plan with its pools where the queue names them. */
export const addPools = (queued: QueuedTournament, plan: TournamentPlan): TournamentPlan => ({
  ...plan,
  ...pickPools(parseQueuedPlan(queued)),
});

/** Whether one of a plan in the database and the one that a command has is the other, or an extension of it. */
export function isSamePlan(queued: QueuedTournament, plan: TournamentPlan): boolean {
  if (queued.plan_sha256 === hashTournament(plan)) return true;
  const [theirs, own] = [identifyEntrants(parseQueuedPlan(queued)), identifyEntrants(plan)];
  return findPlanConflict(theirs, own) === null || findPlanConflict(own, theirs) === null;
}
