// Prepares a match: turns a user's plan into a set-up with board, rules and deal, and opens the models.
import { randomBytes } from 'node:crypto';
import { buildConversation, estimateMessages } from '../models/context-trimming.ts';
import type { RecallExperience } from '../models/model-client.ts';
import { type Environment, type PlayerModel, findForeignAddress, type SeatModels } from '../models/model.ts';
import { readModelSpec } from '../models/providers/index.ts';
import { dropUndefined } from '../models/model-options.ts';
import { findPrice } from '../models/providers/prices.ts';
import { createRedactor, listSecrets } from '../models/redact.ts';
import { checkTracing } from '../models/tracing.ts';
import { listSeats } from '../deception/record/match-record.ts';
import { checkMeantSeats, meantJudge } from '../deception/claims/meant-claims.ts';
import { createProvenance } from '../models/record/provenance.ts';
import { getHonestySentence } from '../prompts/rules-text.ts';
import { computeTemplatesHash, hashQuestions } from '../prompts/wording.ts';
import { getWording } from '../prompts/paraphrase.ts';
import { checkRenamedNames, getRenamer } from '../prompts/renaming.ts';
import { composeLongestFirstDay } from '../prompts/worst-case-prompt.ts';
import { type Board, readBoard } from '../state/boards.ts';
import { getMachine } from '../models/machine/machine.ts';
import { deal } from '../state/deal.ts';
import { isMatchId, isTextInTables, matchIdRule, textInTablesRule } from '../state/file-name.ts';
import type { ForkOf } from '../state/fork.ts';
import { defaultPlan, type Setup } from '../state/game.ts';
import { latestReading, type Manifest, schemaVersion } from '../state/record.ts';
import { dropPrices, dropReach, getModelLabel, identifyModel, normalizeAddress } from '../state/model-identity.ts';
import type { Rules } from '../state/rules/common-rules.ts';
import type { RuleValue, RuleValues } from '../state/rules/rule.ts';
import { resolveBoardRules } from '../state/rulebook.ts';
import { flattenToOneLine } from '../state/text.ts';
import { UsageError } from '../state/usage-error.ts';
import { mapToDealtNames, type Variant } from '../state/variants.ts';
import { type ExperiencePlan, openExperience } from './experience/open-experience.ts';
import { checkSeating, listPersonas, type Seating, seatPlayers } from './seating.ts';
import { hashText } from '../state/hash-text.ts';

/**
 * Throws a UsageError if a model's context window cannot hold the prompts of the first round. The error names the
 * model, the available and required size, and the fix.
 */
function checkContextSize(setup: Setup, seats: Readonly<Record<string, SeatModels>>): void {
  const needs = new Map<string, ReturnType<typeof findLargestPrompt>>(); // shared by players with the same role and persona
  const limited = setup.players.flatMap((player) => {
    const { name, role, persona } = player;
    const { spec, context } = seats[name]!.talk;
    if (!context) return [];
    const key = JSON.stringify([role, persona]);
    const need = needs.get(key) ?? findLargestPrompt(setup, player);
    needs.set(key, need);
    return [{ spec, context, name, ...need }];
  });
  const first = limited.find(({ tokens, context }) => tokens > context.prompt);
  if (!first) return;
  // The advice must suffice for every seat of the model, so the largest need of its seats is reported.
  const { spec, context, name, action, tokens } = findLargest(limited.filter((seat) => seat.spec === first.spec));
  const { debateOrder, debateTurns, debatePasses, maxWords } = setup.rules;
  const turns =
    debateOrder === 'bidding' ? `--rule debateTurns (${debateTurns})` : `--rule debatePasses (${debatePasses})`;
  throw new UsageError(
    `The context of ${getModelLabel(spec)}, in the seat of ${name}, cannot hold a round of these rules: ${context.prompt} of its ${context.tokens} tokens are free for a prompt, and ${action} may need ${tokens} on the first day. If the context of the server is larger, give contextTokens=${computeNeededContext(spec, context, tokens)} with the model. Otherwise lower maxTokens of the model (tokens that are kept free for the answer), ${turns} or --rule maxWords (${maxWords}).`,
  );
}

/** Returns a player's largest prompt of the first round, in tokens. */
const findLargestPrompt = (setup: Setup, player: Setup['players'][number]) =>
  findLargest(
    composeLongestFirstDay(setup, player).map((prompt) => ({
      action: prompt.action,
      tokens: estimateMessages(buildConversation(prompt, 0)),
    })),
  );

const findLargest = <Need extends { tokens: number }>(needs: readonly Need[]): Need =>
  needs.reduce((one, other) => (other.tokens > one.tokens ? other : one));

/** Returns the context window, in tokens, that leaves `tokens` tokens for a prompt. */
function computeNeededContext(spec: string, context: PlayerModel['context'] & object, tokens: number): number {
  // maxTokens may be larger than the whole context window. A model given as an object has no options to read.
  const { maxTokens } = spec.startsWith('custom:') ? {} : readModelSpec(spec).options;
  return maxTokens === undefined
    ? context.tokens + Math.ceil(((tokens - context.prompt) * 4) / 3) // a quarter is reserved for the answer
    : tokens + Number(maxTokens);
}

/** A user's plan. Everything in it has a default. */
export interface MatchPlan extends Seating {
  /** Name of a built-in board, or a board of your own. Default: `classic-8`. */
  board?: string | Board | undefined;
  /** Name of a preset of rules. Default: `wolf`. */
  rules?: string | undefined;
  /** Single rules, which override the rules of the board and the preset. */
  rule?: Readonly<Record<string, RuleValue>> | undefined;
  /**
   * Set-up in the record of a resumed match. Its rules replace the rules of preset and board. Its names are not checked
   * again, because current checks might reject them.
   */
  recorded?: { board: Board; rules: RuleValues } | undefined;
  /**
   * Recorded addresses of the resumed match's models, by identity. A model with a recorded address is rejected if no
   * address is given now.
   */
  recordedAddresses?: Readonly<Record<string, string>> | undefined;
  /** Variant of the deal: other wording or other seats; see docs/reference/compare.md. */
  variant?: Variant | undefined;
  /** Seed, a whole number. The same seed and answers give the same match. Default: 1. */
  seed?: number | undefined;
  /**
   * Number of the replicate of the deal, from 1 (the default). Another replicate has other draws of bots and other
   * provider seeds, but the same deal, names and draws of the game.
   */
  replicate?: number | undefined;
  /** Name of the match and of its folder. Default: board, seed and a hash of the set-up. */
  id?: string | undefined;
  /** Model string of the judge whose claims a report uses for this match. The judge is not called during the match. */
  judge?: string | undefined;
  /** Hash of the analysis plan under which the match is played; see `hashPlan`. */
  planSha256?: string | undefined;
  /** Experience of earlier matches. Default: none. */
  experience?: ExperiencePlan | undefined;
  /** Number of the match's block in a set with growing pools, from 1. It is written to the manifest. */
  experienceBlock?: number | undefined;
  /**
   * Origin and arm of a fork. `cutAfterRound`: the fork ends after the exile of this round. Default: no fork. Without
   * `cutAfterRound`, a fork is played to its end.
   */
  fork?: { of: ForkOf; cutAfterRound?: number | undefined } | undefined;
  /** Place of the match in a tournament. It is written to the manifest and does not affect the match. */
  tournament?: Manifest['tournament'];
}

/** A match that can be played. */
export interface PreparedMatch {
  manifest: Manifest;
  seats: Readonly<Record<string, SeatModels>>;
  /** Retrieves experiences. Undefined if no player has experience, or if no pool is given. */
  recall?: RecallExperience | undefined;
  /** Retrieves experiences synchronously, for estimates. */
  recallQuickly?: RecallExperience | undefined;
}

/** Names of all fields of a plan, to find unknown fields in plans of programs that are not type-checked. */
export const planNames: Readonly<Record<keyof MatchPlan, true>> = {
  ...{ board: true, rules: true, rule: true, recorded: true, variant: true, seed: true, replicate: true, id: true },
  ...{ judge: true },
  ...{ planSha256: true, experience: true, experienceBlock: true, fork: true, tournament: true },
  ...{ recordedAddresses: true, model: true, villagers: true, werewolves: true, roles: true, seats: true },
};

/**
 * Validates a plan, deals the roles and opens the models. Makes no call and writes nothing. `now`: milliseconds since
 * 1970. Throws a UsageError that names the unusable value, what was expected and the known values.
 *
 * @example const { manifest, seats } = await prepareMatch({ board: 'classic-8', seed: 7 }, process.env, Date.now());
 */
export async function prepareMatch(plan: MatchPlan, env: Environment, now: number): Promise<PreparedMatch> {
  const board = resolveBoard(plan);
  const rules = resolveBoardRules(board, plan.rules ?? defaultPlan.rules, plan.rule, plan.recorded?.rules);
  const seed = plan.seed ?? defaultPlan.seed;
  if (!Number.isSafeInteger(seed)) throw new UsageError(`The seed must be a whole number, not ${seed}.`);
  const { replicate } = plan;
  if (replicate !== undefined && !(Number.isSafeInteger(replicate) && replicate >= 1))
    throw new UsageError(`The replicate must be a whole number from 1 up, not ${replicate}.`);
  if (plan.id !== undefined && !isMatchId(plan.id))
    throw new UsageError(`The id "${flattenToOneLine(plan.id)}" must ${matchIdRule}.`);
  if (plan.id !== undefined && plan.recorded === undefined && !isTextInTables(plan.id))
    throw new UsageError(`The id "${plan.id}" must ${textInTablesRule}. Give e.g. --id match-${plan.id}.`);
  checkTracing(env);
  checkSeating(plan, board);
  if (plan.judge !== undefined && plan.judge !== meantJudge) checkJudgeName(plan.judge);
  checkPersonas(listPersonas(plan), env);
  const { variant } = plan;
  const dealt = dealMatch(plan, { board, rules, seed });
  if (variant === 'renamed') checkRenamedNames(dealt.players.map(({ name }) => name));
  const seats = await seatPlayers(plan, dealt, env, plan.recordedAddresses);
  await (hashing ??= takeTurns(computeTemplatesHash()));
  const identities = Object.fromEntries(Object.entries(seats).map(([name, { talk }]) => [name, talk.spec]));
  const { entrants, sha256: tournament } = plan.tournament ?? {};
  const experience =
    (plan.experience &&
      openExperience(plan.experience, { env, setup: dealt, models: identities, entrants, tournament })) ??
    undefined;
  const people = rules.disclose
    ? dealt.players.map(({ name }) => name).filter((name) => seats[name]?.talk.isPerson)
    : undefined;
  checkContextSize({ ...dealt, ...dropUndefined({ people, experience: experience?.setup }) }, seats);
  const models = Object.values(seats).flatMap(({ choice, talk }) => [choice, talk]);
  checkAddresses(models);
  checkObjects(models);
  const setup: Manifest['setup'] = {
    ...dealt,
    honesty_sentence: tellHonesty(getHonestySentence(rules), variant),
    models: identities,
    bots: dealt.players.map(({ name }) => name).filter((name) => seats[name]!.talk.isBot),
    ...dropUndefined({ people, experience: experience?.setup, cut_after_round: plan.fork?.cutAfterRound }),
  };
  const prices = Object.fromEntries(models.map(({ spec, price }) => [spec, price]));
  const hash = hashText(JSON.stringify(setup, dropSilentRule));
  if (plan.judge === meantJudge) checkMeantSeats('this match', listSeats({ setup }));
  const texts = models.flatMap(({ text }) => text ?? []);
  const asked = models.filter(({ isBot }) => !isBot);
  const addresses = Object.fromEntries(
    asked.flatMap((model) => {
      const address = findForeignAddress(model);
      return address === undefined ? [] : [[model.spec, address]];
    }),
  );
  const made_by = {
    ...createProvenance(prices, now, texts, asked.length === 0 ? undefined : addresses),
    questions_sha256: { ...hashQuestions(setup) },
  };
  const hasPeople = models.some(({ isPerson }) => isPerson);
  // Ids of matches with people do not contain the seed: people may see the id, and the roles follow from the seed.
  const id = plan.id ?? `${board.name}-${hasPeople ? 'people' : seed}-${hash.slice(0, 8)}`;
  const manifest: Manifest = { schema_version: schemaVersion, id, reading: latestReading, setup, made_by };
  const named = dropUndefined({
    judge: plan.judge,
    plan_sha256: plan.planSha256,
    tournament: plan.tournament,
    fork_of: plan.fork?.of,
    experience_block: plan.experienceBlock,
    experience_grown_from: experience?.grownFrom,
    experience_seats: experience?.named && [...experience.named],
  });
  const salt = hasPeople ? { salt: randomBytes(32).toString('hex') } : {};
  return {
    manifest: { ...manifest, ...salt, ...named },
    seats,
    recall: experience?.recall,
    recallQuickly: experience?.recallQuickly,
  };
}

/** Computation of the wording's hash, once a process: it takes longer than the event loop should be blocked. */
let hashing: Promise<void> | undefined;

/** Runs each step in a turn of the event loop of its own. */
async function takeTurns(steps: Generator<undefined, void>): Promise<void> {
  const { clock } = getMachine();
  do await clock.takeTurn();
  while (!steps.next().done);
  await clock.takeTurn();
}

/** Leaves out the rule `disclose` if it is off, so that ids stay the same as before the rule existed. */
const dropSilentRule = (key: string, value: unknown): unknown =>
  key === 'disclose' && value === false ? undefined : value;

const dealMatch = (plan: MatchPlan, { board, rules, seed }: { board: Board; rules: Rules; seed: number }): Setup =>
  deal({
    ...{ board, rules, seed, variant: plan.variant, replicate: plan.replicate },
    ...{ wanted: Object.keys(plan.seats ?? {}), personas: listPersonas(plan) },
  });

/**
 * Returns the deal of a plan without opening models. Throws like `prepareMatch`.
 *
 * @example dealPlannedMatch({ board: 'classic-8', seed: 7 }).players.length // 8
 */
export function dealPlannedMatch(plan: MatchPlan): Setup {
  const board = resolveBoard(plan);
  const rules = resolveBoardRules(board, plan.rules ?? defaultPlan.rules, plan.rule, plan.recorded?.rules);
  return dealMatch(plan, { board, rules, seed: plan.seed ?? defaultPlan.seed });
}

/** Throws a UsageError for a persona that contains a key: it would appear in prompts, in the record and in reports. */
function checkPersonas(personas: ReturnType<typeof listPersonas>, env: Environment): void {
  const redact = createRedactor(listSecrets(env));
  for (const [name, persona] of Object.entries(personas)) {
    if (redact(persona) !== persona)
      throw new UsageError(
        `The persona of ${name} contains a key, or something that looks like one: "${redact(persona)}". It would be sent to providers and stored in the record. Leave it out.`,
      );
  }
}

/** Returns the sentence about lying in the wording of a variant. */
const tellHonesty = (sentence: string | null, variant: Variant | undefined) =>
  sentence && getRenamer({ variant: variant ?? null })(getWording({ variant: variant ?? null })(sentence));

/** Throws a UsageError for an invalid model string, and for the model string of a bot. */
function checkJudgeName(judge: string): void {
  if (readModelSpec(judge).provider === 'bot')
    throw new UsageError(
      `${judge} cannot be the judge: built-in bots read no statements. Name a language model, e.g. openai:gpt-4o, or ${meantJudge} for matches of bots alone.`,
    );
}

function resolveBoard({ board = defaultPlan.board, recorded }: MatchPlan): Board {
  if (board !== recorded?.board) return readBoard(board);
  const { names, ...unnamed } = recorded.board;
  return { ...readBoard(unnamed), names };
}

const ownServer = 'its own server';

/**
 * Throws a UsageError if one name stands for two models, or if one model has two addresses. A local server answers to
 * any model name, so records and tables would merge different models.
 *
 * @example checkAddresses(Object.values(seats).map(({ talk }) => talk));
 */
export function checkAddresses(models: readonly Pick<PlayerModel, 'spec' | 'server'>[]): void {
  const found = new Map<string, string>();
  const called = new Map<string, string>();
  for (const { spec, server } of models) {
    const label = getModelLabel(spec);
    const same = called.get(label) ?? spec;
    if (same !== spec)
      throw new UsageError(
        `${label} names two models, ${same} and ${spec}: tables would merge them. Give each a name of its own.`,
      );
    called.set(label, spec);
    const address = server?.address ? normalizeAddress(server.address) : ownServer;
    const other = found.get(spec) ?? address;
    if (other !== address)
      throw new UsageError(
        `${spec} is given at two addresses, ${other} and ${address}: records and tables would treat them as one model. Give each a name of its own in a models file (--models FILE), for example: my-server: { model: ${spec.split('?')[0]!}, baseUrl: ${address === ownServer ? other : address} }.`,
      );
    found.set(spec, other);
  }
}

/**
 * Throws a UsageError if one name stands for two chat models given as objects, which a record could not distinguish.
 */
function checkObjects(models: readonly Pick<PlayerModel, 'spec' | 'chat'>[]): void {
  const found = new Map<string, PlayerModel['chat']>();
  for (const { spec, chat } of models) {
    if (!spec.startsWith('custom:')) continue; // a string, which is opened separately for every temperature
    const other = found.get(spec) ?? chat;
    if (other !== chat)
      throw new UsageError(
        `${spec} stands for two chat models: records and tables would merge them. Give each a name, e.g. { chat, name: "${spec.replace('custom:', '')}-1" }. If they are one model, pass the same object for all its seats.`,
      );
    found.set(spec, other);
  }
}

/**
 * Returns a plan that prepares the match of a manifest again. Addresses and variables of keys are never taken from a
 * record. Prices of models with a listed price are not taken either, because a record could disable a cap with them.
 * The analysis plan is not included: a command that plays the match again must name it. `addresses`: recorded addresses
 * of the models, which the plan must then give.
 *
 * @example recoverPlan(manifest, listRecordedAddresses(manifest, file));
 */
export function recoverPlan(
  { id, setup, judge, made_by: { model_strings: texts = {} } }: Manifest,
  addresses: Readonly<Record<string, string>> = {},
): MatchPlan {
  const dealtNames = mapToDealtNames(setup);
  const recoverModel = (identity: string) => {
    const text = texts[identity] ?? identity;
    return omitListedPrice(dropReach(identifyModel(text) === identity ? text : identity));
  };
  const seats = setup.players.map(({ name, persona }) => [
    dealtNames.get(name)!,
    { model: recoverModel(setup.models[name]!), persona },
  ]);
  const board = { ...setup.board, names: setup.players.map(({ name }) => name) };
  return {
    id,
    board,
    recorded: { board, rules: setup.rules },
    recordedAddresses: addresses,
    seed: setup.seed,
    seats: Object.fromEntries(seats) as Seating['seats'] & object,
    ...dropUndefined({ judge: judge && dropReach(judge), variant: setup.variant, replicate: setup.replicate }),
    ...(setup.experience && { experience: { recorded: setup.experience } }),
  };
}

const omitListedPrice = (text: string): string => {
  if (dropPrices(text) === text) return text;
  const { provider, model } = readModelSpec(text);
  return findPrice(provider, model) === null ? text : dropPrices(text);
};
