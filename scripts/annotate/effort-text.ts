// What is left to annotate, as people read it.
import { allOfEffort } from '../../graph/inquiry-effort.ts';
import { sum } from '../../deception/ratios.ts';
import { counted, money, whole } from '../../report/numbers.ts';
import { capText } from '../console/estimate-text.ts';
import type { Survey } from './survey.ts';

export function effortText(surveys: readonly Survey[], maxCost: number | undefined): string {
  const questions = sum(surveys.map((survey) => survey.questions));
  const { calls, tokens, cost } = allOfEffort(surveys.map(({ left }) => left));
  const answered = questions - calls;
  const found = `${counted(surveys.length, 'match', 'matches')}, ${counted(questions, 'question')}${answered === 0 ? '' : `, ${whole(answered)} answered already`}.`;
  if (calls === 0) return `${found} Nothing is left to ask.`;
  const price = cost === null ? 'cost unknown' : `cost ${money({ cost, calls_with_unknown_cost: 0 })}`;
  const took = tokens === null ? '' : `, about ${whole(tokens.in)} tokens in and ${whole(tokens.out)} out`;
  const spent = sum(surveys.map(({ paid }) => paid));
  const cap = capText({ matches: surveys.length, cost }, { maxCost, spent });
  return [`${found} To ask: ${counted(calls, 'call')}${took}; ${price}.`, ...(cap === null ? [] : [cap])].join('\n');
}
