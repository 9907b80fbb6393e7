// An estimate as people read it: in full, and as one line before matches are played.
import Table from 'cli-table3';
import { assumptions, type Estimate, type EstimatedEffort } from '../../graph/estimate.ts';
import { counted, money, unknown, whole } from '../../report/numbers.ts';
import { plain } from '../../report/plain-text.ts';
import { roughTime } from './rough-time.ts';
import { seedsText } from './set-header.ts';

const words = (text: string, width: number) => text.replace(new RegExp(`(.{1,${width}})( |$)`, 'g'), '$1\n').trimEnd();

/** With how it was taken. `concurrency` is the limit on calls under way that it was made for. */
export function estimateText(estimate: Estimate, concurrency: number): string {
  const { matches, seeds, callsOfOne, models, tokens } = estimate;
  const table = new Table({
    head: ['Model', 'Calls', 'Tokens in', 'Tokens out', 'Cost'],
    colAligns: ['left', 'right', 'right', 'right', 'right'],
    style: { head: [], border: [], compact: true },
  });
  const rows: [string, EstimatedEffort][] = Object.entries(models);
  if (rows.length > 1) rows.push(['all', estimate]);
  for (const [name, effort] of rows) table.push([plain(name), ...rowOf(effort)]);
  const { least, most } = callsOfOne;
  return [
    `Estimate for ${counted(matches, 'match', 'matches')}:`,
    table.toString(),
    timeText(estimate, concurrency),
    '',
    words(
      `Taken from ${counted(seeds.length, 'match', 'matches')} of built-in bots on the same board with the same rules, ${seedsText(seeds[0]!, seeds.length)}, scaled. They took ${least === most ? whole(least) : `${whole(least)} to ${whole(most)}`} calls each; matches of language models may be shorter or longer.`,
      100,
    ),
    ...(tokens === null || tokens.in === 0 ? [] : [words(assumed, 100)]),
  ].join('\n');
}

/** The same for programs, in the style of the other files. */
export const estimateJson = ({ callsOfOne, ...estimate }: Estimate, concurrency: number): string =>
  JSON.stringify({
    ...estimate,
    calls_of_one: callsOfOne,
    assumptions: {
      concurrency,
      characters_per_token: assumptions.charactersPerToken,
      seconds_per_answer: assumptions.secondsPerAnswer,
      words: assumptions.words,
    },
  });

/** What has been spent in USD before, and what may be. */
interface Money {
  maxCost: number | undefined;
  spent: number;
}

/** Before matches are played. */
export function estimateLine(estimate: Estimate, money: Money): string {
  const { matches, calls, tokens, cost, seconds, seeds } = estimate;
  const parts = [
    `${counted(calls, 'call')}, ${whole(tokens?.in ?? null)} tokens in, ${whole(tokens?.out ?? null)} out`,
    `cost ${costText(cost)}`,
    `about ${roughTime(seconds * 1000)}`,
  ];
  const from = `${counted(seeds.length, 'match', 'matches')} of bots`;
  const line = `Estimate for ${counted(matches, 'match', 'matches')}, from ${from}: ${parts.join('; ')} (--dry-run says how).`;
  return [line, capText(estimate, money)].filter((text) => text !== null).join('\n');
}

/** A warning where the cap would be reached; else null. */
export const capText = ({ matches, cost }: Pick<Estimate, 'matches' | 'cost'>, { maxCost, spent }: Money) =>
  matches > 0 && maxCost !== undefined && cost !== null && spent + cost > maxCost
    ? `By this estimate the cap of USD ${maxCost} is reached before the end.`
    : null;

const rowOf = ({ calls, tokens, cost }: EstimatedEffort) => [
  whole(calls),
  tokens === null ? unknown : whole(tokens.in),
  tokens === null ? unknown : whole(tokens.out),
  costText(cost),
];

const costText = (cost: number | null) => (cost === null ? 'unknown' : money({ cost, calls_with_unknown_cost: 0 }));

function timeText({ seconds, latencies }: Estimate, concurrency: number): string {
  if (latencies === 0) return 'Time: built-in bots answer at once.';
  return words(
    `Time: about ${roughTime(seconds * 1000)}, with ${assumptions.secondsPerAnswer} s an answer, ${Math.round(latencies)} answers that wait for one another in a match, and at most ${counted(concurrency, 'call')} under way. What a provider allows in a minute may make it longer.`,
    100,
  );
}

const { reasoning, summary, other } = assumptions.words;

const assumed = `Assumed: ${assumptions.charactersPerToken} characters a token; ${reasoning} words of reasoning in every answer, statements as long as the rules allow, summaries of ${summary} words, other texts of ${other}; no question asked twice; no discount for cached prompts; no reasoning of a model's own, which some providers charge as answer.`;
