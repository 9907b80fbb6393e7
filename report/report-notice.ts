// What the console says of a report: what a reader must know of it, so that nobody has to open the page for that.
import type { Report } from '../deception/summary/report-schema.ts';
import { pluralize, sanitizeText } from './format.ts';

const mostListed = 10;

/** Lines: how many matches are counted, what differs between them, and which records were left out and why. */
export function renderReportNotice({ matches, bot_notice: notice, notes, left_out: leftOut }: Report): string {
  const listed = leftOut.slice(0, mostListed);
  const rest = leftOut.length - listed.length;
  return [
    `${pluralize(matches, 'match is', 'matches are')} reported.`,
    ...(notice === null ? [] : [notice]),
    ...notes,
    ...(leftOut.length === 0 ? [] : [`${pluralize(leftOut.length, 'record is', 'records are')} left out:`]),
    ...listed.map(({ folder, reason, message }) => `  ${folder} (${reason}): ${message}`),
    ...(rest === 0 ? [] : [`  and ${rest} more; all are listed in report.md.`]),
  ]
    .map((line) => `${/^ */.exec(line)![0]}${sanitizeText(line)}\n`)
    .join('');
}
