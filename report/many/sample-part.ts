// The part of a report on the matches behind it: how many, under which conditions, and which were left out.
import { isMixed, isRule } from '../../deception/report/conditions.ts';
import type { LeftOut, Report, Spread } from '../../deception/report/report-schema.ts';
import { markdownText, table } from '../markdown-text.ts';
import { counted, whole } from '../numbers.ts';

/** What differs between the matches first, then what is the same in all. */
export function sampleParts({ matches, notes, conditions, seeds, left_out: leftOut }: Report): string[] {
  const mixed = conditions.filter((one) => isMixed(one, matches));
  const same = conditions.filter((one) => !mixed.includes(one));
  const rules = same.filter(isRule);
  return [
    [
      `- ${counted(matches, 'match is', 'matches are')} counted.`,
      ...(leftOut.length === 0
        ? []
        : [`- ${counted(leftOut.length, 'record is', 'records are')} left out, listed at the end.`]),
      ...(seeds.matches === 0 ? [] : [`- ${counted(seeds.different, 'seed')}, ${seeds.lowest} to ${seeds.highest}.`]),
      ...notes.map((note) => `- **${markdownText(note)}**`),
    ].join('\n'),
    ...(mixed.length === 0
      ? ['All conditions are the same in all matches.']
      : ['### What differs', table(['Condition', 'Value', 'Matches'], mixed.flatMap(rowsOf), 2)]),
    '### What is the same in all matches',
    [
      ...same.filter((one) => !isRule(one)).map((one) => `- ${markdownText(one.name)}: ${valuesOf(one)}`),
      ...(rules.length === 0
        ? []
        : [`- rules: ${rules.map((one) => `${markdownText(one.name.slice(5))} ${valuesOf(one)}`).join(', ')}`]),
    ].join('\n'),
  ];
}

const valuesOf = ({ values }: Spread) => values.map(({ value }) => markdownText(value)).join('; ');

const rowsOf = ({ name, values }: Spread) =>
  values.map(({ value, matches }, at) => [at === 0 ? markdownText(name) : '', markdownText(value), whole(matches)]);

/** Every record that has no part in the figures, with the reason. */
export const leftOutParts = (leftOut: readonly LeftOut[]): string[] =>
  leftOut.length === 0
    ? []
    : [
        table(
          ['Folder', 'Why', 'What was found'],
          leftOut.map(({ folder, reason, message }) => [folder, reason, message].map(markdownText)),
          3,
        ),
      ];
