// Summarizes the model calls of a match: number, tokens, cost and time, and the answers that failed or are missing.
import { z } from 'zod';
import { type EventOf, isEventOfType } from '../../state/events.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import type { AnswerLine, CallKey } from '../../state/record.ts';
import { createSeatFinder, type MatchRecord } from './match-record.ts';
import { sum } from '../statistics/sums.ts';

const count = z.number().int().min(0);
const known = count.nullable();

export const CallFigures = z.strictObject({
  calls: count.describe('calls that returned; one sent again after a failure counts once'),
  asked_again: count.describe('of these, second and third attempts after an unusable answer'),
  retries: count.describe('times a call was sent again (rate limit, server error, timeout)'),
  fallbacks: count.describe('questions whose answer stayed unreadable and was replaced'),
  refusals: count.describe('refused questions'),
  missing: count.describe(
    'questions for an analysis or belief not answered, refused ones included; one question covers all explanations of a ballot',
  ),
  shortened: count.describe('calls with a [shortened](#context-trimming) prompt'),
  tokens: z
    .strictObject({ in: known, out: known, cached: known, reasoning: known })
    .describe('`in`, `out`, `cached`, `reasoning`: sums of what is known; null if nothing is'),
  calls_with_unknown_tokens: count.describe('calls without token counts'),
  cost: z.number().min(0).nullable().describe('USD, sum of what is known; null if nothing is'),
  calls_with_unknown_cost: count.describe('calls of unknown cost; above 0, `cost` is a lower bound'),
});
export type CallFigures = z.infer<typeof CallFigures>;

/**
 * Values of the field `role` for models that are asked about a match after its end. Such a value takes the place of a
 * role of the game.
 */
export const askedAfterwards = ['judge', 'annotator', 'coder', 'reflection'] as const;
export type AskedAfterwards = (typeof askedAfterwards)[number];

/**
 * Returns whether a refused question was asked after the match (of a judge, for example) and not of a player in the
 * match.
 */
export const isAskedAfterwards = ({ role }: Pick<RefusalCount, 'role'>): boolean =>
  (askedAfterwards as readonly string[]).includes(role);

/**
 * Number of refused questions of one kind. `vendor` and `category` are absent if the model itself refused, and in older
 * records.
 */
export const RefusalCount = z.strictObject({
  ...{ role: z.string(), model: z.string(), action: z.string() },
  ...{ vendor: z.string().optional(), category: z.string().optional() },
  count,
});
export type RefusalCount = z.infer<typeof RefusalCount>;

export const CallSummary = z.strictObject({
  total: CallFigures.describe('[figures](#model_calls) of all calls'),
  by_role: z.record(z.string(), CallFigures).describe('the same by role, model string and action'),
  by_model: z.record(z.string(), CallFigures).describe('the same by role, model string and action'),
  by_action: z.record(z.string(), CallFigures).describe('the same by role, model string and action'),
  refusals: z
    .array(RefusalCount)
    .describe(
      'refusals by `role`, `model`, `action`, and the `vendor` and `category` of a [refusal by a server](providers.md#refusals): `count`',
    ),
  wall_ms: count.describe('milliseconds with at least one call under way'),
});
export type CallSummary = z.infer<typeof CallSummary>;

const utcDate = z.iso.datetime().pipe(z.coerce.date());

/**
 * Returns the whole milliseconds in which at least one call was running, i.e. the length of the union of the calls'
 * intervals. Pauses between the runs of a resumed match therefore do not count. Throws a ZodError for a `started_at`
 * that is not ISO 8601 in UTC.
 *
 * @example
 * computeWallTime([
 *   { started_at: '2026-01-01T00:00:00Z', ms: 300 },
 *   { started_at: '2026-01-01T00:00:00.200Z', ms: 300 },
 * ]); // 500
 */
export function computeWallTime(lines: readonly Pick<AnswerLine, 'started_at' | 'ms'>[]): number {
  const intervals = lines.map(({ started_at, ms }) => {
    const from = utcDate.parse(started_at).getTime();
    return { from, to: from + ms };
  });
  let length = 0;
  let reached = -Infinity;
  for (const { from, to } of intervals.sort((one, other) => one.from - other.from)) {
    length += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return Math.round(length);
}

/** A selection of a match's calls, and of the questions whose answer is missing. */
interface AskedCalls {
  lines: readonly AnswerLine[];
  missing: readonly EventOf<'missing'>[];
}

/**
 * Summarizes calls, tokens, cost and faults, in total and by role, model and action. Also computes the time in which at
 * least one call was running.
 */
export function summarizeCalls(record: MatchRecord): CallSummary {
  const seatOf = createSeatFinder(record.manifest);
  const asked = listAsked(record);
  const summarizeBy = (keyOf: (of: { player: string; action: string }) => string) => groupCallFigures(asked, keyOf);
  return {
    total: computeCallFigures(asked),
    by_role: summarizeBy(({ player }) => seatOf(player).role),
    by_model: summarizeBy(({ player }) => seatOf(player).model),
    by_action: summarizeBy(({ action }) => action),
    refusals: listRefusals(record),
    wall_ms: computeWallTime(record.answers),
  };
}

/**
 * Number of questions to one model with one form of structured output at the first attempt, and number of unreadable
 * answers to these first attempts. `form` is null if no form was recorded.
 */
export const AskedForm = z.strictObject({
  form: z.enum(['family', 'schema', 'json']).nullable(),
  questions: count,
  unreadable: count,
});
export type AskedForm = z.infer<typeof AskedForm>;

/** Returns whether an answer could not be parsed. Refusals and prompts that were too long do not count. */
export const isUnreadable = ({ error, mark, too_long: tooLong }: AnswerLine): boolean =>
  error !== undefined && mark !== 'refusal' && tooLong === undefined;

/**
 * Counts first attempts, and unreadable answers to first attempts, by form. With the form `family`, several questions
 * share a schema, so an answer may be of the wrong kind or an illegal choice. The question is then repeated with its
 * own schema.
 */
function countForms(lines: readonly AnswerLine[]): AskedForm[] {
  const first = lines.filter(({ attempt }) => attempt === 1);
  const byForm = Map.groupBy(first, ({ structured = null }) => structured);
  return ([...AskedForm.shape.form.unwrap().options, null] as const).flatMap((form): AskedForm[] => {
    const own = byForm.get(form) ?? [];
    return own.length === 0
      ? []
      : [{ form, questions: own.length, unreadable: own.filter((line) => isUnreadable(line)).length }];
  });
}

/** Adds up the counts of answer forms of several matches by model, sorted by model. */
export function addForms(
  servers: readonly Pick<AnsweringServers, 'model' | 'forms'>[],
): (AskedForm & { model: string })[] {
  const added = new Map<string, AskedForm & { model: string }>();
  for (const { model, forms } of servers)
    for (const one of forms) {
      const key = JSON.stringify([model, one.form]);
      const { questions = 0, unreadable = 0 } = added.get(key) ?? {};
      added.set(key, {
        ...{ model, form: one.form },
        questions: questions + one.questions,
        unreadable: unreadable + one.unreadable,
      });
    }
  return [...added].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, one]) => one);
}

/**
 * Servers that answered for one model: their addresses, and what they reported about themselves. Each value is listed
 * once, and values are sorted.
 */
export interface AnsweringServers {
  /** Name of the model; its identity if it has no name. */
  model: string;
  /** Time of the model's first call, ISO 8601 in UTC. */
  started_at: string;
  /**
   * Number of questions to the model, and number of these questions that never got a usable answer, including refusals.
   */
  questions: number;
  unanswered: number;
  addresses: readonly string[];
  model_returned: readonly string[];
  system_fingerprint: readonly string[];
  /** Upstream of a router → number of answers by that upstream. Only answers that name an upstream count. */
  upstreams: Readonly<Record<string, number>>;
  /**
   * Number of calls that were sent with the JSON schema of their answer, and number sent without it. Calls of older
   * records, which do not say this, count in neither number.
   */
  schema: { sent: number; left_out: number };
  /** Number of the model's questions by form, and number of unreadable first answers by form. */
  forms: readonly AskedForm[];
  /** Number of answers that the model gave in its reasoning field. */
  from_reasoning: number;
  /**
   * Number of answers whose public fields contained thoughts, which were moved elsewhere; and number of answers that
   * contained invented lines of dialogue, which were cut.
   */
  moved_thoughts: number;
  cut_dialogue: number;
}

/**
 * Lists the servers that answered for each model of a match, except bots, sorted by model. Omits values that a server
 * did not report.
 */
export function listAnsweringServers({
  manifest,
  answers,
}: Pick<MatchRecord, 'manifest' | 'answers'>): AnsweringServers[] {
  const asked = answers.filter(({ player }) => !manifest.setup.bots.includes(player));
  return [...Map.groupBy(asked, ({ model }) => getModelLabel(model))]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([model, lines]) => ({
      model,
      started_at: lines.map(({ started_at: at }) => at).reduce((one, other) => (other < one ? other : one)),
      questions: lines.filter(({ attempt }) => attempt === 1).length,
      unanswered: lines.filter(({ mark }) => mark !== undefined).length,
      addresses: listDifferent(lines.map(({ address }) => address ?? ownServer)),
      model_returned: listDifferent(lines.map((line) => line.model_returned)),
      system_fingerprint: listDifferent(lines.map((line) => line.system_fingerprint)),
      upstreams: countValues(lines.flatMap(({ upstream }) => upstream ?? [])),
      schema: {
        sent: lines.filter(({ schema }) => schema === true).length,
        left_out: lines.filter(({ schema }) => schema === false).length,
      },
      forms: countForms(lines),
      from_reasoning: lines.filter((line) => line.answer_from === 'reasoning').length,
      moved_thoughts: lines.filter((line) => line.moved_thoughts !== undefined).length,
      cut_dialogue: lines.filter((line) => line.cut_dialogue !== undefined).length,
    }));
}

const ownServer = 'the provider’s own';

const countValues = (values: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, { length }]) => [value, length]));

const listDifferent = (values: readonly (string | null)[]) =>
  [...new Set(values.filter((value) => value !== null))].sort();

/**
 * Returns all calls of a match, sorted by round, step, action, player and attempt, and the events of missing answers.
 */
export const listAsked = ({ answers, events }: MatchRecord): AskedCalls => ({
  lines: sortLines(answers),
  missing: events.filter(isEventOfType('missing')),
});

/** Counts the questions to which a player gave no readable answer, and the questions that the player refused. */
export function countFaults({ answers, events }: MatchRecord, player: string) {
  const { fallbacks, refusals } = computeCallFigures({
    lines: answers.filter((line) => line.player === player),
    missing: events.filter(isEventOfType('missing')).filter(({ by }) => by === player),
  });
  return { fallbacks, refusals };
}

/**
 * Computes the figures of some calls. Tokens are sums over the calls that report them, and cost is in USD. A figure is
 * null if no call reports it.
 */
export function computeCallFigures({ lines, missing }: AskedCalls): CallFigures {
  const counted = lines.flatMap(({ tokens }) => tokens ?? []);
  const costs = lines.flatMap(({ cost }) => cost ?? []);
  const unanswered = new Set(missing.map(({ round, by, action }) => getQuestionKey(round, by, action)));
  const isReplaced = ({ round, player, action, mark }: AnswerLine) =>
    mark === 'fallback' && !unanswered.has(getQuestionKey(round, player, action));
  return {
    calls: lines.length,
    asked_again: lines.filter(({ attempt }) => attempt > 1).length,
    retries: sum(lines.map(({ retries }) => retries)),
    fallbacks: lines.filter(isReplaced).length,
    refusals: lines.filter(({ mark }) => mark === 'refusal').length,
    missing: missing.length,
    shortened: lines.filter(({ left_out: leftOut }) => leftOut !== undefined).length,
    tokens: {
      in: sumKnown(counted.map((tokens) => tokens.in)),
      out: sumKnown(counted.map((tokens) => tokens.out)),
      cached: sumKnown(counted.flatMap((tokens) => (tokens.cached === null ? [] : Math.min(tokens.cached, tokens.in)))), // a server may report more cached tokens than the prompt has
      reasoning: sumKnown(counted.flatMap(({ reasoning }) => reasoning ?? [])),
    },
    calls_with_unknown_tokens: lines.length - counted.length,
    cost: sumKnown(costs),
    calls_with_unknown_cost: lines.length - costs.length,
  };
}

/** Returns a key that identifies a question. A question's answer is either replaced or missing, never both. */
const getQuestionKey = (round: number, player: string, action: string) => JSON.stringify([round, player, action]);

/** Returns the sum of the values; null if the list is empty. */
export const sumKnown = (values: readonly number[]) => (values.length === 0 ? null : sum(values));

function groupCallFigures(
  { lines, missing }: AskedCalls,
  keyOf: (of: { player: string; action: string }) => string,
): Record<string, CallFigures> {
  const linesOf = Map.groupBy(lines, keyOf);
  const missingOf = Map.groupBy(missing, ({ by, action }) => keyOf({ player: by, action }));
  return Object.fromEntries(
    [...linesOf.keys()]
      .sort()
      .map((key) => [key, computeCallFigures({ lines: linesOf.get(key)!, missing: missingOf.get(key) ?? [] })]),
  );
}

/**
 * Lists the refused questions of a match, counted and sorted by role, model, action, vendor and category.
 */
export function listRefusals({ manifest, answers }: Pick<MatchRecord, 'manifest' | 'answers'>): RefusalCount[] {
  const seatOf = createSeatFinder(manifest);
  const refused = answers
    .filter(({ mark }) => mark === 'refusal')
    .map(({ player, action, refusal }) => {
      const { role, model } = seatOf(player);
      return { role, model, action, ...refusal, count: 1 };
    });
  return addRefusals(refused);
}

/** Adds up refusals of the same kind, and sorts the kinds. */
export function addRefusals(refusals: readonly RefusalCount[]): RefusalCount[] {
  const groups = Map.groupBy(refusals, ({ role, model, action, vendor = '', category = '' }) =>
    JSON.stringify([role, model, action, vendor, category]),
  );
  return [...groups.keys()].sort().map((key) => {
    const same = groups.get(key)!;
    return { ...same[0]!, count: sum(same.map(({ count: some }) => some)) };
  });
}

/** Sorts lines by key. The order of lines in a file is arbitrary, but sums of fractions depend on the order. */
const sortLines = (lines: readonly AnswerLine[]) => {
  const keyed = lines.map((line) => ({ line, key: getSortKey(line) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0)).map(({ line }) => line);
};

const getSortKey = ({ round, step, action, player, attempt }: CallKey) =>
  JSON.stringify([round, step, action, player, attempt]);
