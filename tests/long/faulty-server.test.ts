// A whole match against a server that fails one call in twelve, with every kind of fault, and counts its faults.
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { replayMatch } from '../../graph/play-match.ts';
import { draw } from '../../state/random.ts';
import { formatCallKey } from '../../state/record.ts';
import { faults, type Fault } from '../faults.ts';
import { openOpenaiServer, type OpenAIServer, type Received, type Scripted } from '../openai-server.ts';
import { readQuestion, type Question } from '../question.ts';
import { readAnswers } from '../record-folder.ts';
import { createLegalAnswer } from '../scripted-model.ts';
import { createBoard, play } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { testClock } from '../test-clock.ts';

/** Percentage of questions with a fault. Some fail three times, so that one call in twelve fails. */
const troubled = 8;
const seed = 1;

const figures = ['calls', 'asked_again', 'retries', 'fallbacks', 'refusals', 'missing'] as const;
type Figures = Record<(typeof figures)[number], number>;
type Tally = Record<string, Figures>;

const createFigures = (): Figures => ({ calls: 0, asked_again: 0, retries: 0, fallbacks: 0, refusals: 0, missing: 0 });

/** Formats the place of a question, equal for a question that is repeated. */
const formatPlace = ({ player, round, action, turn, speaker }: Question) =>
  JSON.stringify([player, round, action, turn, speaker]);

interface Trouble {
  name: string;
  fault: Fault;
  times: number;
}

/** Creates the function that assigns faults. The question decides which call fails; the kinds of faults alternate. */
function createTroubleDealer() {
  const kinds = Object.entries(faults);
  const dealt = new Map<string, Trouble | null>();
  let turn = 0;
  return (question: Question): Trouble | null => {
    const place = formatPlace(question);
    if (dealt.has(place)) return dealt.get(place)!;
    const [name, fault] = kinds[turn % kinds.length]!;
    const isTroubled = draw(seed, 'trouble', place).integer(100) < troubled && (fault.fits?.(question) ?? true);
    const times = fault.brings !== 'refusal' && turn % 3 === 1 ? 3 : 1;
    dealt.set(place, isTroubled ? { name, fault, times } : null);
    if (isTroubled) turn += 1;
    return dealt.get(place)!;
  };
}

/** A failing server with its own count of its responses, in the form of a match summary. */
function openFaultyServer() {
  const byModel: Tally = {};
  const byAction: Tally = {};
  const done: Record<string, number> = {};
  const asked = new Map<string, number>();
  const troubleOf = createTroubleDealer();
  let hanging = 0;

  const count = ({ body }: Received, what: readonly (keyof Figures)[]) => {
    const { json_schema: shape } = body['response_format'] as { json_schema: { name: string } };
    for (const [tally, key] of [
      [byModel, String(body['model'])],
      [byAction, shape.name],
    ] as const)
      for (const figure of what) (tally[key] ??= createFigures())[figure] += 1;
  };

  const script = (request: Received): Scripted => {
    const question = readQuestion(request.body.messages);
    const legal = createLegalAnswer(question);
    const place = formatPlace(question);
    const before = asked.get(place) ?? 0;
    asked.set(place, before + 1);
    const trouble = troubleOf(question);
    const again = question.attempt > 1 ? (['asked_again'] as const) : [];
    if (trouble === null || before >= trouble.times) {
      count(request, ['calls', ...again]);
      return { text: JSON.stringify(legal) };
    }
    const { name, fault } = trouble;
    done[name] = (done[name] ?? 0) + 1;
    const isAnalysis = question.action.endsWith('analysis');
    if (fault.brings === 'retry') count(request, ['retries']);
    else if (fault.brings === 'refusal')
      count(request, ['calls', 'refusals', ...(isAnalysis ? ['missing' as const] : [])]);
    else if (question.attempt === 3) count(request, ['calls', ...again, isAnalysis ? 'missing' : 'fallbacks']);
    else count(request, ['calls', ...again]);
    const scripted = fault.does(legal, question);
    if (scripted.hang) hanging += 1;
    return scripted;
  };

  return { script, byModel, byAction, done, hanging: () => hanging, released: () => (hanging = 0) };
}

const out = createTemporaryFolder();
const account = openFaultyServer();
const clock = testClock();
let underWay = 0;
/** Time passes only when nothing else can happen, so that unanswered calls time out. */
const passTime = () => {
  if (account.hanging() === 0 || account.hanging() < underWay) return;
  account.released();
  clock.expire();
};

let server: OpenAIServer;
let match: Awaited<ReturnType<typeof play>>;
const warnings: string[] = [];
const models = ['village', 'pack'] as const;
const createSpec = (model: string) => `openai:${model}?baseUrl=${server.baseUrl}`;

beforeAll(async () => {
  server = await openOpenaiServer((request) => {
    const scripted = account.script(request);
    if (scripted.hang) setImmediate(passTime);
    return scripted;
  });
  match = await play({
    out,
    id: 'faulty',
    board: createBoard(3, 1, 1, 7),
    rule: { debateTurns: 3, maxRounds: 3 },
    seed: 2,
    villagers: createSpec('village'),
    werewolves: createSpec('pack'),
    env: { OPENAI_API_KEY: 'none' },
    clock,
    onCalls: (now) => {
      underWay = now;
      setImmediate(passTime);
    },
    onWarning: (message) => warnings.push(message),
  });
});
afterAll(() => server.close());

const countFigures = (figuresByKey: Readonly<Record<string, Figures>>) =>
  Object.fromEntries(
    Object.entries(figuresByKey).map(([key, all]) => [
      key,
      Object.fromEntries(figures.map((name) => [name, all[name]])),
    ]),
  );

describe('a match against a server that fails one call in twelve', () => {
  it('meets every fault there is', () => {
    expect(Object.keys(account.done).sort()).toEqual(Object.keys(faults).sort());
    const failed = Object.values(account.done).reduce((sum, times) => sum + times, 0);
    expect(failed / server.requests.length).toBeGreaterThanOrEqual(1 / 12);
    for (const figure of figures) expect(match.summary.model_calls.total[figure]).toBeGreaterThan(0);
  });

  it('is played to its end', () => {
    expect(match.events.at(-1)).toMatchObject({ type: 'ended' });
    expect(match.summary.rounds).toBeGreaterThan(1);
  });

  it('counts retries, repeated questions, fallbacks, refusals and missing analyses by model as the server did', () => {
    expect(countFigures(match.summary.model_calls.by_model)).toEqual(
      Object.fromEntries(models.map((model) => [`openai:${model}`, account.byModel[model]])),
    );
  });

  it('counts them by action as the server did', () => {
    expect(countFigures(match.summary.model_calls.by_action)).toEqual(account.byAction);
  });

  it('makes no more calls than it counts, and waits as long as the server asks', () => {
    const { retries } = match.summary.model_calls.total;
    expect(Math.max(...clock.waits)).toBeGreaterThanOrEqual(7000);
    expect(server.requests).toHaveLength(match.summary.model_calls.total.calls + retries);
    expect(new Set(warnings).size).toBe(warnings.length);
  });

  it('records each answer once', () => {
    const names = readAnswers(path.join(out, 'faulty')).map(formatCallKey);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toHaveLength(match.summary.model_calls.total.calls);
  });

  it('is played again from its record to the same events and figures, without a call', async () => {
    const made = server.requests.length;
    const again = await replayMatch(match.folder!);
    expect(again.events).toEqual(match.events);
    expect(again.summary).toEqual(match.summary);
    expect(server.requests).toHaveLength(made);
  });
});
