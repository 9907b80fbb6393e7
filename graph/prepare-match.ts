// Prepares a match: turns a plan, which is what a user asks for, into a set-up with board, rules, deal and opened models.
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
import { hashQuestions } from '../prompts/wording.ts';
import { getWording } from '../prompts/paraphrase.ts';
import { checkRenamedNames, getRenamer } from '../prompts/renaming.ts';
import { composeLongestFirstDay } from '../prompts/worst-case-prompt.ts';
import { type Board, readBoard } from '../state/boards.ts';
import { deal } from '../state/deal.ts';
import { isMatchId, isTextInTables, matchIdRule, textInTablesRule } from '../state/file-name.ts';
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
 * Refuses a model whose context window cannot hold the prompts of the first round. Throws a UsageError that names the
 * model, what its prompts may take and need, and the cure.
 */
function checkContextSize(setup: Setup, seats: Readonly<Record<string, SeatModels>>): void {
  const needs = new Map<string, ReturnType<typeof findLargestPrompt>>(); // players of the same role and persona need the same
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
  // The largest need of all seats of that model, so that the advice is enough for each.
  const { spec, context, name, action, tokens } = findLargest(limited.filter((seat) => seat.spec === first.spec));
  const { debateOrder, debateTurns, debatePasses, maxWords } = setup.rules;
  const turns =
    debateOrder === 'bidding' ? `--rule debateTurns (${debateTurns})` : `--rule debatePasses (${debatePasses})`;
  throw new UsageError(
    `The context of ${getModelLabel(spec)}, in the seat of ${name}, cannot hold a round of these rules: ${context.prompt} of its ${context.tokens} tokens are free for a prompt, and ${action} may need ${tokens} on the first day. Give contextTokens=${computeNeededContext(spec, context, tokens)} where the model is named if the server has so much, else a smaller maxTokens there (what is kept free for the answer), ${turns} or --rule maxWords (${maxWords}).`,
  );
}

/** A player's largest prompt of the first round, in tokens. */
const findLargestPrompt = (setup: Setup, player: Setup['players'][number]) =>
  findLargest(
    composeLongestFirstDay(setup, player).map((prompt) => ({
      action: prompt.action,
      tokens: estimateMessages(buildConversation(prompt, 0)),
    })),
  );

const findLargest = <Need extends { tokens: number }>(needs: readonly Need[]): Need =>
  needs.reduce((one, other) => (other.tokens > one.tokens ? other : one));

/** The context window, in tokens, that leaves so many for a prompt. */
function computeNeededContext(spec: string, context: PlayerModel['context'] & object, tokens: number): number {
  // May be more than the whole context window; a model given as an object has no options to read.
  const { maxTokens } = spec.startsWith('custom:') ? {} : readModelSpec(spec).options;
  return maxTokens === undefined
    ? context.tokens + Math.ceil(((tokens - context.prompt) * 4) / 3) // a quarter is for the answer
    : tokens + Number(maxTokens);
}

/** What a user asks for; everything has a default. */
export interface MatchPlan extends Seating {
  /** The name of a known board, or a board of your own; `classic-8` by default. */
  board?: string | Board | undefined;
  /** The name of a rule set; `wolf` by default. */
  rules?: string | undefined;
  /** Single rules, which take precedence over the board's and the rule set's. */
  rule?: Readonly<Record<string, RuleValue>> | undefined;
  /**
   * The set-up of a recorded match that is to go on: its rules take the place of the rule set's and the board's, and its
   * names are not checked again, though they might be refused today.
   */
  recorded?: { board: Board; rules: RuleValues } | undefined;
  /** Where models of that match were asked, by identity: a model whose address nothing gives now is refused. */
  recordedAddresses?: Readonly<Record<string, string>> | undefined;
  /** Another telling of the deal, or other places in it; see docs/reference/compare.md. */
  variant?: Variant | undefined;
  /** A whole number; the same seed and answers give the same match. 1 by default. */
  seed?: number | undefined;
  /**
   * Which replicate of the deal it is, from 1 (the default): another draws its bots and the providers' seeds anew, and has
   * the same deal, names and draws of the game.
   */
  replicate?: number | undefined;
  /** The name of the match and of its folder; by default board, seed and a hash of the set-up. */
  id?: string | undefined;
  /** The model string of the judge by whose claims a report measures the match; it is not asked in the match. */
  judge?: string | undefined;
  /** The hash of the analysis plan under which the match is played; see `hashPlan`. */
  planSha256?: string | undefined;
  /** What players remember of earlier matches; nothing where it is left out. */
  experience?: ExperiencePlan | undefined;
  /** Of a set whose pools grow: which block the match is of, from 1, for its manifest. */
  experienceBlock?: number | undefined;
  /** The place of the match in a tournament, for its manifest; nothing of it decides the match. */
  tournament?: Manifest['tournament'];
}

/** A match that can be played. */
export interface PreparedMatch {
  manifest: Manifest;
  seats: Readonly<Record<string, SeatModels>>;
  /** What players remember of earlier matches; undefined where they do not, or no pool is there. */
  recall?: RecallExperience | undefined;
  /** The same at once, for estimates. */
  recallQuickly?: RecallExperience | undefined;
}

/** All names of a plan, for programs that are not type-checked. */
export const planNames: Readonly<Record<keyof MatchPlan, true>> = {
  ...{ board: true, rules: true, rule: true, recorded: true, variant: true, seed: true, replicate: true, id: true },
  ...{ judge: true },
  ...{ planSha256: true, experience: true, experienceBlock: true, tournament: true },
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
  const identities = Object.fromEntries(Object.entries(seats).map(([name, { talk }]) => [name, talk.spec]));
  const { entrants, sha256: tournament } = plan.tournament ?? {};
  const experience =
    (plan.experience &&
      openExperience(plan.experience, { env, setup: dealt, models: identities, entrants, tournament })) ??
    undefined;
  checkContextSize({ ...dealt, ...dropUndefined({ experience: experience?.setup }) }, seats);
  const models = Object.values(seats).flatMap(({ choice, talk }) => [choice, talk]);
  checkAddresses(models);
  checkObjects(models);
  const setup: Manifest['setup'] = {
    ...dealt,
    honesty_sentence: tellHonesty(getHonestySentence(rules), variant),
    models: identities,
    bots: dealt.players.map(({ name }) => name).filter((name) => seats[name]!.talk.isBot),
    ...dropUndefined({ experience: experience?.setup }),
  };
  const prices = Object.fromEntries(models.map(({ spec, price }) => [spec, price]));
  const hash = hashText(JSON.stringify(setup));
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
  const id = plan.id ?? `${board.name}-${seed}-${hash.slice(0, 8)}`;
  const manifest: Manifest = { schema_version: schemaVersion, id, reading: latestReading, setup, made_by };
  const named = dropUndefined({
    judge: plan.judge,
    plan_sha256: plan.planSha256,
    tournament: plan.tournament,
    experience_block: plan.experienceBlock,
    experience_grown_from: experience?.grownFrom,
    experience_seats: experience?.named && [...experience.named],
  });
  return {
    manifest: { ...manifest, ...named },
    seats,
    recall: experience?.recall,
    recallQuickly: experience?.recallQuickly,
  };
}

const dealMatch = (plan: MatchPlan, { board, rules, seed }: { board: Board; rules: Rules; seed: number }): Setup =>
  deal({
    ...{ board, rules, seed, variant: plan.variant, replicate: plan.replicate },
    ...{ wanted: Object.keys(plan.seats ?? {}), personas: listPersonas(plan) },
  });

/**
 * The deal of a plan alone: no model is opened. Throws as `prepareMatch` does.
 *
 * @example dealPlannedMatch({ board: 'classic-8', seed: 7 }).players.length // 8
 */
export function dealPlannedMatch(plan: MatchPlan): Setup {
  const board = resolveBoard(plan);
  const rules = resolveBoardRules(board, plan.rules ?? defaultPlan.rules, plan.rule, plan.recorded?.rules);
  return dealMatch(plan, { board, rules, seed: plan.seed ?? defaultPlan.seed });
}

/** Throws a UsageError for a persona that holds a key: it would stand in prompts, in the record and in reports. */
function checkPersonas(personas: ReturnType<typeof listPersonas>, env: Environment): void {
  const redact = createRedactor(listSecrets(env));
  for (const [name, persona] of Object.entries(personas)) {
    if (redact(persona) !== persona)
      throw new UsageError(
        `The persona of ${name} holds a key, or what looks like one: "${redact(persona)}". It would be sent to providers and stand in the record. Leave it out.`,
      );
  }
}

/** The sentence as it stands in the prompts of a variant. */
const tellHonesty = (sentence: string | null, variant: Variant | undefined) =>
  sentence && getRenamer({ variant: variant ?? null })(getWording({ variant: variant ?? null })(sentence));

/** Throws a UsageError for a model string that cannot be read, or is a bot's. */
function checkJudgeName(judge: string): void {
  if (readModelSpec(judge).provider === 'bot')
    throw new UsageError(
      `The judge ${judge} cannot be one: built-in bots read no statements. Name a language model, e.g. openai:gpt-4o, or ${meantJudge} for matches of bots alone.`,
    );
}

function resolveBoard({ board = defaultPlan.board, recorded }: MatchPlan): Board {
  if (board !== recorded?.board) return readBoard(board);
  const { names, ...unnamed } = recorded.board;
  return { ...readBoard(unnamed), names };
}

const ownServer = 'its own server';

/**
 * Throws a UsageError for one name that stands for two models, and for one model at two addresses: a local server answers to any name, and different models would be
 * one in records and tables.
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
        `${label} names two models, ${same} and ${spec}: in tables they would be one. Give each a name of its own.`,
      );
    called.set(label, spec);
    const address = server?.address ? normalizeAddress(server.address) : ownServer;
    const other = found.get(spec) ?? address;
    if (other !== address)
      throw new UsageError(
        `${spec} is named at two addresses, ${other} and ${address}: its answers would be those of one model in records and tables. Give each a name of its own in a models file (--models FILE), e.g. one: { model: ${spec.split('?')[0]!}, baseUrl: ${address === ownServer ? other : address} }.`,
      );
    found.set(spec, other);
  }
}

/** Throws a UsageError for one name that stands for two chat models given as objects, which nothing tells apart in a record. */
function checkObjects(models: readonly Pick<PlayerModel, 'spec' | 'chat'>[]): void {
  const found = new Map<string, PlayerModel['chat']>();
  for (const { spec, chat } of models) {
    if (!spec.startsWith('custom:')) continue; // a string, which is opened anew for every temperature
    const other = found.get(spec) ?? chat;
    if (other !== chat)
      throw new UsageError(
        `${spec} stands for two chat models: in records and tables they would be one. Give each a name, e.g. { chat, name: "${spec.replace('custom:', '')}-1" }, or seat the same object wherever it is the same model.`,
      );
    found.set(spec, other);
  }
}

/**
 * What leads to the match of a manifest again, except for how its models are reached: addresses and keys' variables are not
 * taken from a record, nor prices of models whose price is listed, by which a record could void a cap. An analysis plan is
 * not part of it: whoever plays anew names it anew. `addresses`: where its models were asked, which the plan then refuses to
 * lose.
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
