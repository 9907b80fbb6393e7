// Measures how often the table of answers, which every page shows, reports a difference between two equal models.
import { type CountedAnswers, createAnsweredMatch } from '../../deception/answers/answered-match.ts';
import { buildAnswerTables } from '../../deception/answers/build-answer-tables.ts';
import { meantJudge, readMeantClaims } from '../../deception/claims/meant-claims.ts';
import { listModelPairs, listScheduledMatches } from '../../deception/design/schedule.ts';
import { isDifferent } from '../../deception/answers/unknown-answers.ts';
import { type AnswerQuestion, answerQuestions } from '../../deception/metrics/answer-table-schema.ts';
import type { MatchRecord } from '../../deception/record/match-record.ts';
import { buildTables } from '../../deception/tables/match-tables.ts';
import { playMatch } from '../../graph/play-match.ts';
import { prepareMatch } from '../../graph/prepare-match.ts';
import { BotModel } from '../../models/bots/bot-model.ts';
import { createScriptedMind } from '../../models/bots/scripted/scripted-mind.ts';
import { draw } from '../../state/random.ts';
import type { AnswerLine } from '../../state/record.ts';
import { listBrokenParts } from './part-comparisons.ts';

/**
 * Sizes of the validation: number of deals in the pool, number of deals in a study drawn from the pool, number of
 * studies, and number of random swaps behind each p.
 */
export interface EqualAnswersSize {
  readonly deals: number;
  readonly size: number;
  readonly repetitions: number;
  readonly resamples: number;
}

export const equalAnswersSizes = {
  whole: { deals: 60, size: 40, repetitions: 400, resamples: 99 },
  quick: { deals: 5, size: 12, repetitions: 20, resamples: 99 },
} as const satisfies Record<string, EqualAnswersSize>;

/**
 * A question (or the whole table), the number of studies that tested it, and the number in which the table reports a
 * difference.
 */
export interface CalledDifferent {
  readonly question: AnswerQuestion | 'any';
  readonly tested: number;
  readonly any: number;
  readonly comparisons: number;
}

const models = ['x', 'y'] as const;

/**
 * Plays a crossed study of `bot:classic` under two salts, X and Y, like `match --crossed` with analyses by listeners.
 * Reads it like `report --judge bot:meant`.
 */
export async function playEqualModels(deals: number, seed: number): Promise<CountedAnswers[]> {
  const seeds = Array.from({ length: deals }, (_, deal) => seed + deal);
  const matches: CountedAnswers[] = [];
  for (const scheduled of listScheduledMatches(seeds, listModelPairs([...models])))
    matches.push(await playSalted(scheduled));
  return matches;
}

const ground = { board: 'classic-8', rule: { analysis: 'peer', analyzeBallots: false } } as const;

async function playSalted({ seed, villagers, werewolves }: { seed: number; villagers: string; werewolves: string }) {
  const { manifest } = await prepareMatch({ ...ground, seed }, {}, 0);
  const sides = { villagers, werewolves };
  const createBot = (model: string) => {
    const salt = 1 + models.findIndex((name) => name === model);
    return new BotModel('bot:classic', createScriptedMind({ lie: 0.6, detect: 0.6 }), salt);
  };
  const bots = { villagers: createBot(villagers), werewolves: createBot(werewolves) };
  const answers: AnswerLine[] = [];
  const { events } = await playMatch({
    ...{ ...ground, seed, out: null },
    seats: Object.fromEntries(manifest.setup.players.map(({ name, team }) => [name, { model: bots[team] }])),
    onAnswer: (line) => void answers.push(line),
  });
  const named = Object.fromEntries(manifest.setup.players.map(({ name, team }) => [name, sides[team]]));
  const setup = { ...manifest.setup, models: named, bots: Object.keys(named) };
  const record: MatchRecord = { manifest: { ...manifest, setup }, events, answers };
  const { board, rules, players } = setup;
  const claims = readMeantClaims(record, { board, rules, players: players.map(({ name }) => name) });
  const judge = { name: meantJudge, extract: ({ id }: { id: string }) => claims.get(id) ?? null };
  return createAnsweredMatch(buildTables(record, { judge }));
}

/**
 * Draws studies from a pool that two equal models played. In each deal, the models' labels are exchanged with
 * probability ½, so that no true difference exists. Counts the tables that report a difference (p ≤ .05, adjusted).
 *
 * @example measureEqualAnswers(await playEqualModels(60, 1), equalAnswersSizes.whole, 1)[0]?.any
 */
export function measureEqualAnswers(
  pool: readonly CountedAnswers[],
  { size, repetitions, resamples }: EqualAnswersSize,
  seed: number,
): CalledDifferent[] {
  const deals = [...Map.groupBy(pool, ({ deal }) => deal).values()].map((own) => [own, own.map(exchangeModels)]);
  const random = draw(seed, 'equal answers');
  const counted = new Map(([...answerQuestions, 'any'] as const).map((question) => [question, { tested: 0, any: 0 }]));
  for (let repetition = 0; repetition < repetitions; repetition++) {
    const study = Array.from({ length: size }, (_, place) => {
      const drawn = deals[random.integer(deals.length)]?.[random.integer(2)] ?? [];
      return drawn.map((match) => ({ ...match, deal: String(place) }));
    }).flat();
    const tables = buildAnswerTables(study, { resamples, seed: repetition + 1, reading: 'alike' });
    const tested = tables.flatMap(({ differences }) => differences).filter(({ p_adjusted: p }) => p !== null);
    for (const [question, own] of counted) {
      const rows = tested.filter((row) => question === 'any' || row.question === question);
      if (rows.length > 0) own.tested += 1;
      if (rows.some(isDifferent)) own.any += 1;
    }
  }
  return [...counted].flatMap(([question, found]) =>
    found.tested === 0 ? [] : [{ question, ...found, comparisons: repetitions }],
  );
}

/** Exchanges the labels of the two models in a match, including the names of sums. */
function exchangeModels(match: CountedAnswers): CountedAnswers {
  const [x, y] = models;
  const exchange = (name: string) => {
    if (name === x) return y;
    return name === y ? x : name;
  };
  const renamed = Object.entries(match.sums).map(([question, sums]) => [
    question,
    Object.fromEntries(
      Object.entries(sums).map(([name, amount]) => [name.split('\t').map(exchange).join('\t'), amount]),
    ),
  ]);
  const { werewolves, villagers } = match.sides;
  return {
    ...match,
    sides: { werewolves: werewolves && exchange(werewolves), villagers: villagers && exchange(villagers) },
    sums: Object.fromEntries(renamed) as CountedAnswers['sums'],
    players: match.players.map((one) => ({ ...one, model: exchange(one.model) })),
    costs: match.costs.map((one) => ({ ...one, model: exchange(one.model) })),
  };
}

/** Lists the questions whose answers call equal models different in more than 5% of studies. */
export const listBrokenAnswers = (rows: readonly CalledDifferent[]): CalledDifferent[] => listBrokenParts(rows);
