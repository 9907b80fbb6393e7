// Decides which matches to play, and how. Options override a YAML file, which overrides the manifest of a resumed
// match. All sources of options are merged in one file, so that each error can name the option as it was given.
import { type CallLimits, dropLimits, selectLimits } from '../../models/call-limits.ts';
import path from 'node:path';
import type { z } from 'zod';
import {
  mergeDesigns,
  type DesignArm,
  listModelPairs,
  listRuleArms,
  listVariantArms,
} from '../../deception/design/schedule.ts';
import type { PoolGrowth } from '../../graph/pool/pool-growth.ts';
import { type MatchPlan, prepareMatch, recoverPlan } from '../../graph/prepare-match.ts';
import type { SeatChoice } from '../../graph/seating.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { dropUndefined } from '../../models/model-options.ts';
import { type NamedModels, readModelsFile, readNamedModels, resolveModel } from '../../models/providers/models-file.ts';
import { checkPlayable, listRecordedAddresses, readManifest } from '../../models/record/recorder.ts';
import { type Board, readBoard } from '../../state/boards.ts';
import { isMatchId } from '../../state/file-name.ts';
import { defaultPlan } from '../../state/game.ts';
import {
  dropPersonOptions,
  dropReach,
  getModelLabel,
  identifyModel,
  isPersonSpec,
} from '../../state/model-identity.ts';
import { type Manifest, recordFiles } from '../../state/record.ts';
import type { RuleValue, RuleValues } from '../../state/rules/rule.ts';
import { isInactive, readRuleFlag, resolveBoardRules } from '../../state/rulebook.ts';
import { quoteForShell } from '../../state/text.ts';
import { formatCommand } from '../../state/command-name.ts';
import { describeNearName, UsageError } from '../../state/usage-error.ts';
import { mapToDealtNames } from '../../state/variants.ts';
import { defaultOut } from './command-line.ts';
import { hasMatches } from './match-folder.ts';
import { checkOutOfFile } from './own-folder.ts';
import {
  checkContents,
  isBoardFile,
  type MatchFlags,
  MatchFile,
  readBoardFile,
  readMatchFile,
} from './match-options.ts';

export interface MatchCommand {
  /** Seed of the match, or of the first match if there are several. */
  seed: number;
  /** Returns the plan of the match with this seed. */
  planOf: (seed: number) => Promise<MatchPlan>;
  /** Arms of a crossed design, each of which plays every deal; absent if the design is not crossed. */
  arms: readonly DesignArm[] | undefined;
  /**
   * Typed options with the addresses and keys of the match's models. They must be typed again to resume, because
   * addresses and keys are never taken from a record.
   */
  reach: readonly string[];
  /** Settings for playing and showing the match. */
  manner: Pick<
    MatchFile,
    | 'matches'
    | 'replicates'
    | 'dryRun'
    | 'mixWordings'
    | 'reveal'
    | 'serve'
    | 'port'
    | 'host'
    | 'operator'
    | 'json'
    | 'quiet'
    | 'report'
  > &
    CallLimits & { out: string };
  /**
   * Judge that the command line, the match file or the analysis plan names. A judge that only a record names is never
   * called.
   */
  judge: string | undefined;
  /**
   * File of the analysis plan that the final comparison follows. Undefined without a plan. Also undefined if a models
   * file defines the models' names, because the comparison would not know these names.
   */
  planFile: string | undefined;
  /** Growth of the pools while the set is played; absent if pools do not grow. */
  growth: PoolGrowth | undefined;
  /** Model strings of people who play several matches, without options; undefined if there are none. */
  people: readonly string[] | undefined;
  /** Whether no seed was given. */
  isSeedDrawn: boolean;
  /** Whether an id was typed without a match file, and no match with this id has begun. */
  isIdAlone: boolean;
}

type Wanted = Omit<
  MatchFile,
  'board' | 'models' | 'matches' | 'replicates' | keyof Design | 'dryRun' | 'mixWordings' | 'plan'
> & {
  board?: string | Board;
};

/** Conditions crossed on the same deals. */
type Design = Pick<MatchFile, 'crossed' | 'crossRules' | 'variants'>;

/**
 * Reads the command line and its files. Throws a UsageError that names the wrong and the expected value, or a
 * RecordError for an unusable manifest. `randomSeed` is used if no other seed is given.
 */
export async function readMatchCommand(
  flags: MatchFlags,
  file: string | undefined,
  randomSeed: number,
): Promise<MatchCommand> {
  const typed = readFlags(flags);
  const { plan: ofPaths, manifest: read } = file === undefined ? { plan: {} } : readMatchFile(file);
  if (file !== undefined && flags.out === undefined) checkMovedOut(file, ofPaths);
  const base = file === undefined ? ofPaths : resolvePaths(file, ofPaths);
  if (base.out !== undefined && flags.out === undefined) checkOutOfFile(file!, base.out);
  const [ofFile, ofFlags] = [takeModels(base, `${file}, models,`), takeModels(typed)];
  const named = new Map([...ofFile.named, ...ofFlags.named]);
  const asked = resolveBoard(resolveModels(mergePlans(ofFile.plan, ofFlags.plan), named));
  const {
    out = defaultOut,
    plan,
    matches: wantedMatches,
    replicates: wantedReplicates,
    dryRun,
    mixWordings,
    reveal,
    serve,
    port,
    host,
    operator,
    json,
    quiet,
    report,
    crossed,
    crossRules,
    variants,
    ...wanted
  } = dropLimits(asked);
  // The module that checks analysis plans imports all metrics and takes longer to load than the rest of this file.
  const planFiles = plan === undefined ? undefined : await import('./analysis-plan-file.ts');
  const registered = planFiles?.readPlanFile(plan!, named);
  const matches = wantedMatches ?? (wanted.id === undefined ? registered?.plan.deals : undefined);
  const replicates = wantedReplicates ?? (matches === undefined ? undefined : registered?.plan.replicates);
  const seedOfPlan = wanted.id === undefined ? registered?.plan.seed : undefined;
  const toCheck = {
    ...{ crossed, judge: wanted.judge, replicates: replicates ?? 1 },
    seed: wanted.seed ?? seedOfPlan ?? registered?.plan.seed ?? firstSeed,
  };
  if (registered)
    planFiles!.checkPlanned(registered, { deals: matches ?? 1, isTyped: wantedMatches !== undefined }, toCheck);
  checkReplicates(replicates, matches);
  if (!serve && (port !== undefined || host !== undefined))
    throw new UsageError(
      `${port === undefined ? `--host ${host}` : `--port ${port}`} needs --serve, which gives people their pages.`,
    );
  if (matches !== undefined) checkSet(matches, wanted);
  const design = { crossed, crossRules, variants };
  checkDesign(design, matches, read !== undefined);
  if (crossed !== undefined) checkModelsCrossed(wanted);
  const manifest = read ?? findStartedMatch(out, wanted.id);
  const manifestFile = read ? file! : path.join(out, wanted.id ?? '', recordFiles.manifest);
  const recorded = manifest && {
    manifest,
    addresses: listRecordedAddresses(manifest, manifestFile),
  };
  if (manifest) checkPlayable(manifest);
  if (manifest?.fork_of !== undefined)
    throw new UsageError(
      `${manifestFile} belongs to a fork of match ${manifest.fork_of.match}, which only ${formatCommand('fork')} can resume. Run the command that made it again.`,
    );
  const planSha256 = registered?.sha256 ?? (read ? undefined : manifest?.plan_sha256);
  const given = wanted.seed ?? seedOfPlan ?? manifest?.setup.seed;
  const judge = wanted.judge ?? registered?.plan.judge;
  const people = matches === undefined ? [] : listPeople(wanted);
  if (people.length > 0 && given === undefined)
    throw new UsageError(
      `--matches ${matches} with people (${people.join(', ')}) needs --seed N, because roles, seats and the order of deals follow from it. Choose a number that no player knows, and keep it: only with it can the matches be resumed.`,
    );
  return {
    judge,
    planFile: named.size === 0 ? plan : undefined,
    seed: given ?? (matches === undefined ? randomSeed : firstSeed),
    planOf: async (seed) => ({
      ...(recorded ? await continuePlan(recorded, { ...wanted, seed }, named) : { ...wanted, seed }),
      ...dropUndefined({ planSha256, judge }),
      ...(crossed && wanted.experience && { experience: { ...wanted.experience, elsewhere: nameModels(crossed) } }),
    }),
    arms: findArms(design, wanted, out),
    manner: {
      matches,
      replicates,
      dryRun,
      mixWordings,
      reveal,
      serve,
      port,
      host,
      operator,
      json,
      quiet,
      report,
      ...selectLimits(asked),
      out,
    },
    reach: [
      ...(file !== undefined && read === undefined && hasReach(ofFile) ? [file] : []),
      ...listReachFlags(flags),
      ...listServeFlags({ serve, port, host }),
    ],
    growth: findGrowth(wanted.experience, matches, out),
    people: people.length > 0 ? people : undefined,
    isSeedDrawn: given === undefined,
    isIdAlone: wanted.id !== undefined && given === undefined && file === undefined,
  };
}

/** Lists the people of a plan, each once, by name and without options. */
const listPeople = (plan: Wanted): string[] => {
  const people = listModels(plan).filter((text) => isPersonSpec(text));
  return [...new Set(people.map(dropPersonOptions))].sort();
};

/** Lists the models that a plan names, for all seats, for sides, roles and single seats. */
const listModels = ({
  model,
  villagers,
  werewolves,
  roles = {},
  seats = {},
}: Pick<Wanted, 'model' | 'villagers' | 'werewolves' | 'roles' | 'seats'>): string[] =>
  [model, villagers, werewolves, ...Object.values(roles), ...Object.values(seats).map((seat) => seat.model)].filter(
    (text) => text !== undefined,
  );

const isReached = (text: string | undefined) => text !== undefined && dropReach(text) !== text;

/** Whether a file contains addresses or keys of models. */
const hasReach = ({ named, plan }: Named): boolean => [...named.values(), ...listModels(plan)].some(isReached);

/** Lists the options with addresses and keys of models, in the form in which they are typed. */
function listReachFlags({
  models,
  model,
  villagers,
  werewolves,
  role = {},
  seat = {},
  judge,
  allowKey = [],
}: MatchFlags): string[] {
  const pairs = [
    ...Object.entries({ models, judge }),
    ...allowKey.map((pair) => ['allow-key', pair] as const),
    ...Object.entries({ model, villagers, werewolves }).filter(([, text]) => isReached(text)),
    ...Object.entries({ role, seat }).flatMap(([name, texts]) =>
      Object.entries(texts)
        .filter(([, text]) => isReached(text))
        .map(([key, text]) => [name, `${key}=${text}`] as const),
    ),
  ];
  return pairs.flatMap(([name, text]) => (text === undefined ? [] : [`--${name}`, text]));
}

/** Lists the options for people's pages, in the form in which they are typed. */
const listServeFlags = ({ serve, port, host }: Pick<MatchFile, 'serve' | 'port' | 'host'>): string[] => [
  ...(serve ? ['--serve'] : []),
  ...(port === undefined ? [] : ['--port', String(port)]),
  ...(host === undefined ? [] : ['--host', host]),
];

/** Returns the growth of the pools. Throws a UsageError for a growing pool in a single match. */
function findGrowth(
  { grow, reward }: NonNullable<MatchFile['experience']> = {},
  matches: number | undefined,
  out: string,
): PoolGrowth | undefined {
  if (grow === undefined) return undefined;
  if (matches === undefined)
    throw new UsageError(
      `--experience-grow ${grow} needs --matches N, more than ${grow}: a pool grows between blocks.`,
    );
  return { every: grow, reward, out };
}

/** Converts paths relative to a match file into paths relative to the working directory. */
function resolvePaths(file: string, match: MatchFile): MatchFile {
  const resolve = (named: string) =>
    path.resolve(file, '..', named) === path.resolve(named) ? named : path.join(path.dirname(file), named);
  const { board, out, plan, models, experience } = match;
  return {
    ...match,
    ...(isBoardFile(board) && { board: resolve(board) }),
    ...(typeof models === 'string' && { models: resolve(models) }),
    ...(experience?.pool !== undefined && { experience: { ...experience, pool: resolve(experience.pool) } }),
    ...dropUndefined({ out: out && resolve(out), plan: plan && resolve(plan) }),
  };
}

/**
 * Throws a UsageError if a file's matches are in the folder that earlier versions used: these versions read the file's
 * `out` relative to the working directory. Without the error, the matches would be played and paid for again.
 */
function checkMovedOut(file: string, { out }: MatchFile): void {
  const now = out === undefined ? undefined : resolvePaths(file, { out }).out!;
  if (out === undefined || now === undefined || now === out || !hasMatches(out) || hasMatches(now)) return;
  throw new UsageError(
    `${file} says out: ${out}, which is relative to the file: ${now}. That folder has no matches, but ${path.resolve(out)} has: an earlier version read the path relative to the working directory. To resume those matches, add --out ${quoteForShell(out)}; to start again, add --out ${quoteForShell(now)}.`,
  );
}

/** Default seed of the first of several matches. With a random seed, the matches could not be resumed. */
const firstSeed = 1;

/** Throws a UsageError for options that are allowed only for a single match. */
function checkSet(matches: number, { id, seed = firstSeed }: Wanted) {
  if (id !== undefined)
    throw new UsageError(
      `--id ${id} names one match, but --matches ${matches} plays several, whose ids are made from board, seed and set-up. Remove one of the two.`,
    );
  if (seed > Number.MAX_SAFE_INTEGER - matches)
    throw new UsageError(
      `--seed ${seed} is too large for ${matches} matches with successive seeds. Choose a smaller one.`,
    );
}

/** Throws a UsageError for replicates without a number of deals. */
function checkReplicates(replicates: number | undefined, matches: number | undefined) {
  if (replicates !== undefined && matches === undefined)
    throw new UsageError(
      `--replicates ${replicates} needs --matches N, the number of deals to play ${replicates} times each, e.g. --matches 50.`,
    );
}

const designFlags: Readonly<Record<keyof Design, string>> = {
  crossed: '--crossed',
  crossRules: '--cross-rules',
  variants: '--variants',
};

/** Throws a UsageError for a design without a number of deals, and for a design combined with a manifest. */
function checkDesign(design: Design, matches: number | undefined, isOfManifest: boolean) {
  const name = (Object.keys(designFlags) as (keyof Design)[]).find((one) => design[one] !== undefined);
  if (name === undefined) return;
  const flag = designFlags[name];
  if (matches === undefined)
    throw new UsageError(`${flag} needs --matches N, the number of deals that every arm plays, e.g. --matches 50.`);
  if (isOfManifest)
    throw new UsageError(
      `${flag} starts a study, but a manifest resumes one match. Name a YAML file, or give options only.`,
    );
}

/**
 * Finds the arms of the design. If an earlier version began the study, uses the folders of that version. Throws like
 * `listArms`.
 */
function findArms(design: Design, wanted: Wanted, out: string): DesignArm[] | undefined {
  const earlier = listArms(design, wanted, (text) => text);
  const isBegun = earlier?.some(({ folder }) => getDisk().exists(path.join(out, folder))) ?? false;
  return isBegun ? earlier : listArms(design, wanted);
}

/** Lists the names by which seats may refer to these models. */
const nameModels = (models: readonly string[]) =>
  models.flatMap((model) => [identifyModel(model), getModelLabel(model)]);

/**
 * Lists the arms of the design; undefined if there is no design. Throws a UsageError for a design that cannot be
 * played.
 */
function listArms(
  { crossed, crossRules, variants }: Design,
  wanted: Wanted,
  nameOf?: (text: string) => string,
): DesignArm[] | undefined {
  if (variants !== undefined && wanted.variant !== undefined)
    throw new UsageError(
      `--variants plays several variants, but --variant ${wanted.variant} only one. Remove one of the two.`,
    );
  const designs = [
    ...(crossed ? [listModelPairs(crossed, nameOf)] : []),
    ...(crossRules ? [listRuleArms(crossRules, createIdleFinder(crossRules, wanted))] : []),
    ...(variants === undefined ? [] : [listVariantArms(variants)]),
  ];
  return designs.length === 0 ? undefined : mergeDesigns(designs);
}

/**
 * Creates a function that returns whether a crossed rule has no effect under the given values of the other crossed
 * rules.
 */
function createIdleFinder(
  crossed: object,
  { board: named = defaultPlan.board, rules = defaultPlan.rules, rule }: Wanted,
) {
  const twice = Object.keys(crossed).find((name) => rule?.[name] !== undefined);
  if (twice !== undefined)
    throw new UsageError(`--cross-rules crosses ${twice}, but --rule sets it. Remove one of the two.`);
  const board = readBoard(named);
  const beside = resolveBoardRules(board, rules, rule);
  const unknown = Object.keys(crossed).find((name) => !Object.hasOwn(beside, name));
  if (unknown !== undefined)
    throw new UsageError(
      `--cross-rules: unknown rule ${JSON.stringify(unknown)}. ${describeNearName(unknown, Object.keys(beside))}Known rules: ${Object.keys(beside).join(', ')}.`,
    );
  return (name: string, values: RuleValues) => isInactive(name, { ...beside, ...values }, board);
}

/** Throws a UsageError for models that are given with a crossed design, because the design says who plays. */
function checkModelsCrossed(wanted: Wanted) {
  const seated = Object.values(wanted.seats ?? {}).some(({ model }) => model !== undefined);
  const others = [
    ...(['model', 'villagers', 'werewolves'] as const).filter((name) => wanted[name] !== undefined),
    ...(Object.keys(wanted.roles ?? {}).length > 0 ? ['roles'] : []),
    ...(seated ? ['seats'] : []),
  ];
  if (others.length > 0)
    throw new UsageError(
      `--crossed assigns its models itself, each to all seats of a side. Remove the models given for: ${others.join(', ')}.`,
    );
}

/** Returns the typed options in the form that a YAML file would have. */
function readFlags({
  rule = [],
  crossRules,
  role = {},
  seat = {},
  experience: pool,
  experienceSeats,
  experienceGrow,
  allowKey,
  status,
  report,
  ...flags
}: MatchFlags): MatchFile {
  void [allowKey, status]; // both options were already read when the command started
  const experience = dropUndefined({ pool, seats: experienceSeats && [...experienceSeats], grow: experienceGrow });
  for (const [name, value] of Object.entries(flags)) {
    const schema: z.ZodType = MatchFile.shape[name as keyof typeof flags];
    checkContents(
      `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${String(value)}`,
      schema,
      value,
    );
  }
  const seats = Object.entries(seat).map(([name, model]) => [name, { model }]);
  return {
    ...flags,
    ...(report === false && { report }), // true is only the default value of --no-report, which a file may override
    ...(Object.keys(experience).length > 0 && { experience }),
    rule: Object.fromEntries(rule.map(readRuleFlag)),
    ...(crossRules && { crossRules: readCrossedRules(crossRules) }),
    roles: role,
    seats: Object.fromEntries(seats) as MatchFile['seats'],
  };
}

/** Throws a UsageError for a rule that is crossed twice, because the last value would silently replace the first. */
function readCrossedRules(flags: readonly string[]): Record<string, RuleValue[]> {
  const read = flags.map(readCrossedRule);
  const twice = read.find(([name], place) => read.findIndex(([other]) => other === name) !== place);
  if (twice) throw new UsageError(`--cross-rules crosses ${twice[0]} twice. Give all its values in one item.`);
  return Object.fromEntries(read);
}

/** Throws a UsageError for anything but `key=value,value`. */
function readCrossedRule(flag: string): [name: string, values: RuleValue[]] {
  const [, name, text] = /^(\w+)=(.+)$/.exec(flag) ?? [];
  if (name === undefined || text === undefined)
    throw new UsageError(`--cross-rules takes key=value,value, e.g. analysis=both,off, not "${flag}".`);
  return [name, text.split(',').map((value) => readRuleFlag(`${name}=${value}`)[1])];
}

/** Merges two plans. The second plan overrides the first, seat by seat. */
function mergePlans(base: Unnamed, over: Unnamed): Unnamed {
  const names = Object.keys({ ...base.seats, ...over.seats });
  return {
    ...base,
    ...over,
    ...((base.experience ?? over.experience) && { experience: { ...base.experience, ...over.experience } }),
    rule: { ...base.rule, ...over.rule },
    roles: { ...base.roles, ...over.roles },
    seats: Object.fromEntries(names.map((name) => [name, { ...base.seats?.[name], ...over.seats?.[name] }])),
  };
}

/**
 * Separates the named models of a file or command line from its other settings. `what`: beginning of error messages
 * about models that are given in full.
 */
function takeModels({ models, ...plan }: MatchFile, what = ''): Named {
  if (models === undefined) return { named: new Map(), plan };
  return { named: typeof models === 'string' ? readModelsFile(models) : readNamedModels(what, models), plan };
}

type Unnamed = Omit<MatchFile, 'models'>;

interface Named {
  named: NamedModels;
  plan: Unnamed;
}

/** Resolves names of models to model strings. Throws a UsageError for an unknown name. */
function resolveModels({ roles = {}, seats = {}, ...plan }: Unnamed, named: NamedModels): Unnamed {
  const resolve = (text: string) => resolveModel(text, named);
  const { model, villagers, werewolves, judge, crossed } = plan;
  const single = Object.entries(dropUndefined({ model, villagers, werewolves, judge }));
  return {
    ...plan,
    ...Object.fromEntries(single.map(([name, text]) => [name, resolve(text)])),
    ...(crossed && { crossed: crossed.map(resolve) }),
    roles: Object.fromEntries(Object.entries(roles).map(([role, text]) => [role, resolve(text)])),
    seats: Object.fromEntries(
      Object.entries(seats).map(([name, seat]) => [
        name,
        { ...seat, ...(seat.model && { model: resolve(seat.model) }) },
      ]),
    ),
  };
}

function resolveBoard({
  board,
  ...rest
}: Omit<MatchFile, 'models'>): Wanted &
  Design &
  Pick<MatchFile, 'matches' | 'replicates' | 'dryRun' | 'mixWordings' | 'plan'> {
  if (board === undefined) return rest;
  return { ...rest, board: readBoardFile(board as string | Board) }; // a board given in full is already checked
}

/** Finds the manifest of a match with this id that has already begun in the folder. */
function findStartedMatch(out: string, id: string | undefined) {
  if (id === undefined || !isMatchId(id)) return undefined; // an invalid id is refused before the match begins
  const file = path.join(out, id, recordFiles.manifest);
  return getDisk().exists(file) ? readManifest(file) : undefined;
}

/**
 * Returns the model string that the current models file gives to a recorded model, possibly with a new address. Returns
 * the recorded string if the name now stands for another model.
 */
function findPresentString(before: SeatChoice['model'], named: NamedModels): SeatChoice['model'] {
  const present = typeof before === 'string' ? named.get(getModelLabel(before)) : undefined;
  return present !== undefined && identifyModel(present) === identifyModel(before as string) ? present : before;
}

/**
 * Returns a manifest's plan with the typed changes. Models can be changed by seat, by role, by side or for all seats.
 */
async function continuePlan(
  { manifest, addresses }: { manifest: Manifest; addresses: Readonly<Record<string, string>> },
  wanted: Wanted,
  named: NamedModels,
): Promise<MatchPlan> {
  const { seats: seated = {}, ...kept } = recoverPlan(manifest, addresses);
  const { model, villagers, werewolves, roles = {}, seats = {}, ...rest } = wanted;
  const game = {
    ...{ ...kept, id: undefined, ...rest, recorded: rest.rules === undefined ? kept.recorded : undefined },
    ...((kept.experience ?? rest.experience) && { experience: { ...kept.experience, ...rest.experience } }),
  };
  const sides = { villagers, werewolves };
  const names = Object.fromEntries(Object.keys({ ...seated, ...seats }).map((name) => [name, {}]));
  // Deals the roles without models first: another seed changes the players' roles, and models may be given by role or
  // side.
  const { setup } = (await prepareMatch({ ...game, seats: names, experience: undefined }, {}, 0)).manifest;
  const dealtNames = mapToDealtNames(setup);
  const chosen = setup.players.map(({ name: called, role, team }): [string, SeatChoice] => {
    const name = dealtNames.get(called)!;
    const before = seated[name] as SeatChoice | undefined;
    const choice = seats[name]?.model ?? roles[role] ?? sides[team] ?? model ?? findPresentString(before?.model, named);
    return [name, { model: choice, persona: seats[name]?.persona ?? before?.persona }];
  });
  return { ...game, roles, seats: Object.fromEntries(chosen) };
}
