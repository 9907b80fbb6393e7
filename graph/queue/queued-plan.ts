// A tournament's plan in the queue, and the plan as a worker reads it. The queue stores models' names and the options
// that shape answers. Addresses, names of variables that hold keys, prices and limits come from each worker's models
// file.
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

/** Versions that workers must share with the command that queues; otherwise their matches would differ. */
type MadeWith = z.infer<typeof MadeWith>;

const MadeWith = z.object({ wolfgraph: z.string(), templates_sha256: z.string(), engine_sha256: z.string() });

/** Signals an invalid row of a tournament. The tournament is not touched; --remove --force removes it. */
export class UnreadablePlan extends UsageError {
  constructor(name: string, fault: string) {
    super(
      `The plan of ${flattenToOneLine(name)} in the database cannot be read: ${flattenToOneLine(truncateBytes(fault, 500))}. Queue it again (tournament PLAN), or remove it (tournament PLAN --remove --force).`,
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

/**
 * Picks the fields of a plan that name folders of pools. A plan's identity does not include these folders, but workers
 * read the pools there.
 */
const pickPools = ({ experience, conditions }: TournamentPlan) =>
  dropUndefined({ experience, conditions }) as Partial<TournamentPlan>;

/**
 * Throws a UsageError for growing pools: workers do not have the set's folder, where each block finds the pool of the
 * previous block.
 */
export function checkNoGrowth({ name, experience }: TournamentPlan): void {
  if (experience?.grow !== undefined)
    throw new UsageError(
      `${name} cannot be played by workers: with experience.grow, each block of deals needs the pool of the previous block, which is built only on the machine that holds the tournament's folder. Leave out grow, or play it here: --no-database.`,
    );
}

/**
 * Converts a plan for the queue. Throws a UsageError for a model with an address and no name, because a worker could
 * not know the address.
 *
 * @example await store.write(queuePlan(plan), { cap: plan.maxCost ?? null });
 */
export function queuePlan(plan: TournamentPlan): QueuedTournament {
  const nameless = listModels(plan).find(
    (model) => findModelAddress(model) !== undefined && getModelLabel(model) === identifyModel(model),
  );
  if (nameless !== undefined)
    throw new UsageError(
      `${identifyModel(nameless)} has its own address, but the queue stores no addresses. Name the model in a models file (models: in the plan). Workers look up the address under that name in their own models file (--models FILE).`,
    );
  return {
    name: plan.name,
    plan: JSON.stringify({ ...identifyEntrants(plan), ...pickPools(plan) }),
    plan_sha256: hashTournament(plan),
    made_with: JSON.stringify(readMadeWith()),
  };
}

/**
 * Returns the plan as this worker plays it. Throws a UsageError if another version of the program queued it, or if the
 * worker's models file lacks a name, or uses the name for another model.
 */
export function readQueuedPlan(queued: QueuedTournament, named: NamedModels): TournamentPlan {
  const differing = listVersionDifferences(queued);
  if (differing.length > 0)
    throw new UsageError(
      `${queued.name} was queued by another version of Wolfgraph: ${differing.join('; ')}. This version would play other matches. Install that version here, or queue the tournament with this version under another name.`,
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

/**
 * Resolves a model by the worker's models file. Never uses an address from the queue: anybody with write access to the
 * queue could otherwise have keys sent anywhere.
 */
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
      `${tournament} is played by ${label}, which stands for ${identity} in the queue, but for ${identifyModel(own)} in this worker's models file. Name the same model in both.`,
    );
  return own;
}

/** Lists how this program differs from the program that queued a tournament. Throws UnreadablePlan. */
export function listVersionDifferences({ name, made_with: made }: QueuedTournament): string[] {
  const theirs = MadeWith.safeParse(parseJson(made)).data;
  if (theirs === undefined) throw new UnreadablePlan(name, 'the version that queued it is missing');
  const own = readMadeWith();
  return (['wolfgraph', 'templates_sha256', 'engine_sha256'] as const)
    .filter((key) => theirs[key] !== own[key])
    .map((key) => `${key} ${flattenToOneLine(truncateBytes(theirs[key], 80))}, here ${own[key]}`);
}

/** Returns the `templates_sha256` of the program that queued a tournament; null if the row does not say. */
export const readQueuedWording = ({ made_with: made }: QueuedTournament): string | null =>
  MadeWith.safeParse(parseJson(made)).data?.templates_sha256 ?? null;

/**
 * Parses a plan in the database, with models by identity. Throws UnreadablePlan if it is not a plan, or does not match
 * its stored name and hash.
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
  if (hashTournament(plan) !== hash) throw new UnreadablePlan(name, 'its hash differs from the stored hash');
  return plan;
}

/** Throws a UsageError that names the difference if the database has another tournament under the plan's name. */
export function checkQueuedPlan(queued: QueuedTournament, plan: TournamentPlan): void {
  if (queued.plan_sha256 === hashTournament(plan)) return;
  const refusal = findPlanConflict(identifyEntrants(parseQueuedPlan(queued)), identifyEntrants(plan));
  if (refusal !== null)
    throw new UsageError(
      `The database already has another tournament named ${plan.name}. ${refusal} Under the same name you may only raise deals and change maxCost; for another plan choose another name.`,
    );
}

/** Returns the plan with the addresses of its pools replaced by the folders that the queue names. */
export const addPools = (queued: QueuedTournament, plan: TournamentPlan): TournamentPlan => ({
  ...plan,
  ...pickPools(parseQueuedPlan(queued)),
});

/** Returns whether a plan in the database equals a command's plan, extends it, or is extended by it. */
export function isSamePlan(queued: QueuedTournament, plan: TournamentPlan): boolean {
  if (queued.plan_sha256 === hashTournament(plan)) return true;
  const [theirs, own] = [identifyEntrants(parseQueuedPlan(queued)), identifyEntrants(plan)];
  return findPlanConflict(theirs, own) === null || findPlanConflict(own, theirs) === null;
}
