// From what a user asks for to what decides a match: board, rules, deal, models, manifest.
import { createHash } from 'node:crypto';
import { createProvenance } from '../models/record/provenance.ts';
import type { SeatModels } from '../models/model-client.ts';
import type { Environment } from '../models/model.ts';
import { getHonestySentence } from '../prompts/rules-text.ts';
import { readBoard, type Board } from '../state/boards.ts';
import { deal } from '../state/deal.ts';
import { schemaVersion, type Manifest } from '../state/record.ts';
import { resolveBoardRules } from '../state/rules/rules-on-board.ts';
import { defaultPlan } from '../state/game.ts';
import type { RuleValue, RuleValues } from '../state/rules/rule.ts';
import { UsageError } from '../state/usage-error.ts';
import { checkContextSize } from './check-context-size.ts';
import { checkSeating, listPersonas, seatPlayers, type Seating } from './seating.ts';

/** What decides a match; everything has a default. */
export interface MatchPlan extends Seating {
  /** A known board or a board of one's own; `classic-8` by default. */
  board?: string | Board | undefined;
  /** A preset of rules; `wolf` by default. */
  rules?: string | undefined;
  /** Single options, which go before the board's own and the preset's. */
  rule?: Readonly<Record<string, RuleValue>> | undefined;
  /**
   * What a match was begun with before: its rules stand in place of the preset's and the board's own, and the names of
   * its board are not judged again, though they might be refused today.
   */
  recorded?: { board: Board; rules: RuleValues } | undefined;
  /** A whole number; the same seed and answers give the same match. 1 by default. */
  seed?: number | undefined;
  /** The name of the match and its folder; made from board, seed and set-up by default. */
  id?: string | undefined;
}

export interface PreparedMatch {
  manifest: Manifest;
  seats: Readonly<Record<string, SeatModels>>;
}

const safeId = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/**
 * Validates a plan and opens its models. Makes no call and writes nothing.
 * Throws a UsageError that names the value, what was expected and the known ones.
 */
export async function prepareMatch(plan: MatchPlan, env: Environment, now: number): Promise<PreparedMatch> {
  const board = resolveBoard(plan);
  const rules = resolveBoardRules(board, plan.rules ?? defaultPlan.rules, plan.rule, plan.recorded?.rules);
  const seed = plan.seed ?? defaultPlan.seed;
  if (!Number.isSafeInteger(seed)) throw new UsageError(`The seed must be a whole number, not ${seed}.`);
  if (plan.id !== undefined && !safeId.test(plan.id))
    throw new UsageError(
      `The id "${plan.id}" must be letters, digits, ".", "_" and "-", at most 100, and start with a letter or digit.`,
    );
  checkSeating(plan, board);
  const wanted = Object.keys(plan.seats ?? {});
  const dealt = deal({ board, rules, seed, wanted, personas: listPersonas(plan) });
  const seats = await seatPlayers(plan, dealt, env);
  checkContextSize(dealt, seats);
  const models = Object.values(seats).flatMap(({ choice, talk }) => [choice, talk]);
  const setup: Manifest['setup'] = {
    ...dealt,
    honesty_sentence: getHonestySentence(rules),
    models: Object.fromEntries(Object.entries(seats).map(([name, { talk }]) => [name, talk.spec])),
    bots: dealt.players.map(({ name }) => name).filter((name) => seats[name]!.talk.isBot),
  };
  const prices = Object.fromEntries(models.map(({ spec, price }) => [spec, price]));
  const hash = createHash('sha256').update(JSON.stringify(setup)).digest('hex');
  const id = plan.id ?? `${board.name}-${seed}-${hash.slice(0, 8)}`;
  return { manifest: { schema_version: schemaVersion, id, setup, made_by: createProvenance(prices, now) }, seats };
}

function resolveBoard({ board = defaultPlan.board, recorded }: MatchPlan): Board {
  if (board !== recorded?.board) return readBoard(board);
  const { names, ...unnamed } = recorded.board;
  return { ...readBoard(unnamed), names };
}

/** The plan that gives the match of a manifest again. */
export function recoverPlan({ id, setup }: Manifest): MatchPlan {
  const seats = setup.players.map(({ name, persona }) => [name, { model: setup.models[name], persona }]);
  const board = { ...setup.board, names: setup.players.map(({ name }) => name) };
  return {
    id,
    board,
    recorded: { board, rules: setup.rules },
    seed: setup.seed,
    seats: Object.fromEntries(seats) as Seating['seats'] & object,
  };
}
