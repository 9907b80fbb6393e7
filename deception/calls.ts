// What a match took: model calls, tokens, money and time, and what could not be had of the models.
import { isType, type EventOf } from '../state/event.ts';
import type { AnswerLine, CallKey } from '../state/record.ts';
import { seatFinder, type MatchRecord } from './match-record.ts';
import { sum } from './ratios.ts';
import type { CallFigures, CallSummary } from './summary-schema.ts';
import { wallTime } from './wall-time.ts';

interface Asked {
  lines: readonly AnswerLine[];
  missing: readonly EventOf<'missing'>[];
}

/** Calls, tokens, cost and faults in all, by role, by model and by action, and the time in which calls were under way. */
export function callsOf(record: MatchRecord): CallSummary {
  const seatOf = seatFinder(record.manifest);
  const asked = askedOf(record);
  const by = (keyOf: (of: { player: string; action: string }) => string) => figuresByKey(asked, keyOf);
  return {
    total: figuresOf(asked),
    by_role: by(({ player }) => seatOf(player).role),
    by_model: by(({ player }) => seatOf(player).model),
    by_action: by(({ action }) => action),
    refusals: refusalsOf(asked, (player) => seatOf(player)),
    wall_ms: wallTime(record.answers),
  };
}

/** Everything that was asked, in the order of keys. */
export const askedOf = ({ answers, events }: MatchRecord): Asked => ({
  lines: inOrder(answers),
  missing: events.filter(isType('missing')),
});

/** Questions that a player left without a readable answer, of whatever action. */
export function faultsOf({ answers, events }: MatchRecord, player: string) {
  const { fallbacks, refusals } = figuresOf({
    lines: answers.filter((line) => line.player === player),
    missing: events.filter(isType('missing')).filter(({ by }) => by === player),
  });
  return { fallbacks, refusals };
}

/** The figures of some calls, and of what went missing among them. */
export function figuresOf({ lines, missing }: Asked): CallFigures {
  const counted = lines.flatMap(({ tokens }) => tokens ?? []);
  const costs = lines.flatMap(({ cost }) => cost ?? []);
  const unanswered = new Set(missing.map(({ round, by, action }) => moment(round, by, action)));
  const isReplaced = ({ round, player, action, mark }: AnswerLine) =>
    mark === 'fallback' && !unanswered.has(moment(round, player, action));
  return {
    calls: lines.length,
    asked_again: lines.filter(({ attempt }) => attempt > 1).length,
    retries: sum(lines.map(({ retries }) => retries)),
    fallbacks: lines.filter(isReplaced).length,
    refusals: lines.filter(({ mark }) => mark === 'refusal').length,
    missing: missing.length,
    shortened: lines.filter(({ left_out: leftOut }) => leftOut !== undefined).length,
    tokens: {
      in: known(counted.map((tokens) => tokens.in)),
      out: known(counted.map((tokens) => tokens.out)),
      cached: known(counted.flatMap(({ cached }) => cached ?? [])),
      reasoning: known(counted.flatMap(({ reasoning }) => reasoning ?? [])),
    },
    calls_with_unknown_tokens: lines.length - counted.length,
    cost: known(costs),
    calls_with_unknown_cost: lines.length - costs.length,
  };
}

/** An action is one whose answers are replaced, or one whose answers go missing, never both. */
const moment = (round: number, player: string, action: string) => JSON.stringify([round, player, action]);

/** The sum of what is known; null where nothing is. */
export const known = (values: readonly number[]) => (values.length === 0 ? null : sum(values));

function figuresByKey(
  { lines, missing }: Asked,
  keyOf: (of: { player: string; action: string }) => string,
): Record<string, CallFigures> {
  const linesOf = Map.groupBy(lines, keyOf);
  const missingOf = Map.groupBy(missing, ({ by, action }) => keyOf({ player: by, action }));
  return Object.fromEntries(
    [...linesOf.keys()]
      .sort()
      .map((key) => [key, figuresOf({ lines: linesOf.get(key)!, missing: missingOf.get(key) ?? [] })]),
  );
}

function refusalsOf({ lines }: Asked, seatOf: (player: string) => { role: string; model: string }) {
  const refused = lines
    .filter(({ mark }) => mark === 'refusal')
    .map(({ player, action }) => ({ role: seatOf(player).role, model: seatOf(player).model, action }));
  const groups = Map.groupBy(refused, ({ role, model, action }) => JSON.stringify([role, model, action]));
  return [...groups.keys()].sort().map((key) => ({ ...groups.get(key)![0]!, count: groups.get(key)!.length }));
}

/** By key: the order of lines in the file means nothing, and sums of fractions depend on theirs. */
const inOrder = (lines: readonly AnswerLine[]) => {
  const keyed = lines.map((line) => ({ line, key: sortKey(line) }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0)).map(({ line }) => line);
};

const sortKey = ({ round, step, action, player, attempt }: CallKey) =>
  JSON.stringify([round, step, action, player, attempt]);
