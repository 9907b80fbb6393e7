// Figure 3: what a provider's prompt cache would serve, and what a match takes of tokens.
import { readRecord } from '../../models/record/recorder.ts';
import { atLeast, rounded, type Figure } from './figure.ts';
import { wordsOfText } from './legal-answer.ts';
import { cacheCounts, inAll, type CacheCount } from './prompt-cache.ts';
import { sentPrompts } from './sent-prompts.ts';
import type { TimedMatches, Workbench } from './workbench.ts';

export async function cacheShare({ timedMatches, tell }: Workbench): Promise<Figure[]> {
  const all = await timedMatches();
  tell('the share of prompts that a cache would serve');
  const counted = all.map((timed) => ({ timed, counts: countsOf(timed) }));
  return [
    {
      what: 'Prompt tokens from a cache',
      target: atLeast(70, '70 %'),
      measured: counted.map(({ timed, counts }) => ({ of: timed.variant.name, ...percentage(inAll(counts.values())) })),
      how: `the longest prefix in common with any prompt of the match that was answered before this one was sent, from 1,024 tokens in steps of 128, 4 characters a token, texts of ${wordsOfText} words`,
    },
    ...counted.map(({ timed, counts }) => ({
      what: `Of these by action, ${timed.variant.name}`,
      target: null,
      measured: [...counts].map(([action, count]) => ({ of: action, ...percentage(count) })),
      how: `the same; ${inAll(counts.values()).prompts} prompts of ${timed.played.matches.length} matches`,
    })),
    {
      what: 'Tokens of a match',
      target: null,
      measured: all.map(tokensOf),
      how: 'the mean of these matches, 4 characters a token',
    },
  ];
}

const percentage = ({ cached, tokens }: CacheCount) => rounded((100 * cached) / tokens, 1, ' %');

function tokensOf({ variant, played }: TimedMatches) {
  const answers = played.matches.flatMap(({ folder }) => readRecord(folder).answers);
  const sum = (direction: 'in' | 'out') => answers.reduce((total, { tokens }) => total + (tokens?.[direction] ?? 0), 0);
  const perMatch = (count: number) => Math.round(count / played.matches.length).toLocaleString('en');
  const shown = `${perMatch(sum('in'))} in, ${perMatch(sum('out'))} out, ${perMatch(answers.length)} calls`;
  return { of: variant.name, shown, number: null };
}

/** By action, of all matches of a variant; a cache serves each match for itself. */
function countsOf({ played }: TimedMatches): Map<string, CacheCount> {
  const matches = played.matches.map(({ folder }) => cacheCounts(sentPrompts(folder)));
  const byAction = Map.groupBy(
    matches.flatMap((counts) => [...counts]),
    ([action]) => action,
  );
  return new Map([...byAction].map(([action, counts]) => [action, inAll(counts.map(([, count]) => count))]));
}
