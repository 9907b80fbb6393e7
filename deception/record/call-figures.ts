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

/** Who is asked about a match when it is over; stands in the place of a role. */
export const askedAfterwards = ['judge', 'annotator', 'coder', 'reflection'] as const;
export type AskedAfterwards = (typeof askedAfterwards)[number];

/** Whether a question was asked about a match that was over, and not of a player of it. */
export const isAskedAfterwards = ({ role }: Pick<RefusalCount, 'role'>): boolean =>
  (askedAfterwards as readonly string[]).includes(role);

/** Refused questions of one kind. Vendor and category are absent where the model itself refused, and in older records. */
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
 * Whole milliseconds in which at least one call was under way: the length of the union of the calls' intervals, so that
 * pauses between the runs of a resumed match do not count.
 * Throws a ZodError for a `started_at` that is not ISO 8601 in UTC.
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

/** Some of a match's calls, with the questions among them whose answer is missing. */
interface AskedCalls {
  lines: readonly AnswerLine[];
  missing: readonly EventOf<'missing'>[];
}

/** Calls, tokens, cost and faults in all, by role, by model and by action, and the time in which calls were under way. */
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

/** Questions to one model by how it was asked at first. */
export const AskedForm = z.strictObject({
  form: z.enum(['family', 'schema', 'json']).nullable(),
  questions: count,
  unreadable: count,
});
export type AskedForm = z.infer<typeof AskedForm>;

/** Whether an answer came and could not be read; neither a refusal nor a prompt that was too long is one. */
export const isUnreadable = ({ error, mark, too_long: tooLong }: AnswerLine): boolean =>
  error !== undefined && mark !== 'refusal' && tooLong === undefined;

/**
 * Counts the first attempts among some calls by form, and those of them whose answer could not be read. An answer to the schema of a
 * family may be one of another kind, or a choice that is not legal; it is asked again with the question's own schema.
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

/** The forms of several matches by model, added up and sorted by model. */
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

/** Who answered for one model, each once and sorted: addresses of servers, and what these said of themselves. */
export interface AnsweringServers {
  /** Its own name, or the identity of the model. */
  model: string;
  /** When its first call was sent, ISO 8601 in UTC. */
  started_at: string;
  /** Questions that it was asked, and those of them without a usable answer in the end, refusals included. */
  questions: number;
  unanswered: number;
  addresses: readonly string[];
  model_returned: readonly string[];
  system_fingerprint: readonly string[];
  /** Upstream of a router → answers that it served; only of answers that name one. */
  upstreams: Readonly<Record<string, number>>;
  /** Calls that were sent with and without the JSON schema of their answer; older records do not say. */
  schema: { sent: number; left_out: number };
  /** How its questions were asked, and how many first answers to each form could not be read. */
  forms: readonly AskedForm[];
  /** Answers that stood in the reasoning field. */
  from_reasoning: number;
  /** Answers out of whose public fields thoughts were moved, and off which lines invented for others were cut. */
  moved_thoughts: number;
  cut_dialogue: number;
}

/** Who answered for each model of a match, bots left out, sorted by model. What a server did not tell is left out. */
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

/** All calls of a match, sorted by round, step, action, player and attempt. */
export const listAsked = ({ answers, events }: MatchRecord): AskedCalls => ({
  lines: sortLines(answers),
  missing: events.filter(isEventOfType('missing')),
});

/** How many questions of any action a player left without a readable answer, and how many were refused. */
export function countFaults({ answers, events }: MatchRecord, player: string) {
  const { fallbacks, refusals } = computeCallFigures({
    lines: answers.filter((line) => line.player === player),
    missing: events.filter(isEventOfType('missing')).filter(({ by }) => by === player),
  });
  return { fallbacks, refusals };
}

/**
 * The figures of some calls. Tokens are sums over the calls that tell them, cost is in USD; null where no call tells any.
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
      cached: sumKnown(counted.flatMap((tokens) => (tokens.cached === null ? [] : Math.min(tokens.cached, tokens.in)))), // a server may tell more than the prompt has
      reasoning: sumKnown(counted.flatMap(({ reasoning }) => reasoning ?? [])),
    },
    calls_with_unknown_tokens: lines.length - counted.length,
    cost: sumKnown(costs),
    calls_with_unknown_cost: lines.length - costs.length,
  };
}

/** An action is one whose answers are replaced, or one whose answers go missing, never both. */
const getQuestionKey = (round: number, player: string, action: string) => JSON.stringify([round, player, action]);

/** The sum of what is known; null where nothing is. */
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

/** The refused questions of a match by who was asked for what, and by who refused and why; sorted. */
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

/** The same refusals with those of a kind added up, sorted. */
export function addRefusals(refusals: readonly RefusalCount[]): RefusalCount[] {
  const groups = Map.groupBy(refusals, ({ role, model, action, vendor = '', category = '' }) =>
    JSON.stringify([role, model, action, vendor, category]),
  );
  return [...groups.keys()].sort().map((key) => {
    const same = groups.get(key)!;
    return { ...same[0]!, count: sum(same.map(({ count: some }) => some)) };
  });
}

/** By key: the order of lines in the file means nothing, and sums of fractions depend on theirs. */
const sortLines = (lines: readonly AnswerLine[]) => {
  const keyed = lines.map((line) => ({ line, key: getSortKey(line) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0)).map(({ line }) => line);
};

const getSortKey = ({ round, step, action, player, attempt }: CallKey) =>
  JSON.stringify([round, step, action, player, attempt]);
