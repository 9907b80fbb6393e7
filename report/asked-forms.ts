// Forms in which models were asked for structured answers, in one line and in a table.
import type { Report } from '../deception/summary/report-schema.ts';
import { escapeMarkdown, formatCount, formatWhole, renderTable } from './format.ts';

type AskedReport = Pick<Report, 'asked_as'>;

/** Maximum number of models and forms that the line names. */
const mostNamed = 6;

const unrecorded = 'not recorded';

/** Returns whether any record says how a model was asked. Records of earlier versions do not. */
const isRecorded = ({ asked_as: asked }: AskedReport) => asked.some(({ form }) => form !== null);

/**
 * Returns one line that says how each model was asked and how many of its first answers could not be read. Empty if no
 * record says it.
 *
 * @example listFormLines({ asked_as: [{ model: 'gpt', form: 'family', questions: 50, unreadable: 2 }] });
 * // ['Models were asked for answers by (structured): gpt family, 2 of 50 first answers unreadable.']
 */
export function listFormLines(report: AskedReport): string[] {
  if (!isRecorded(report)) return [];
  const told = report.asked_as.map(
    ({ model, form, questions, unreadable }) =>
      `${model} ${form ?? unrecorded}, ${formatWhole(unreadable)} of ${formatWhole(questions)} first answers unreadable`,
  );
  const more = told.length > mostNamed ? [`${told.length - mostNamed} more in report.json`] : [];
  return [`Models were asked for answers by (structured): ${[...told.slice(0, mostNamed), ...more].join('; ')}.`];
}

/** Renders the table of how each model was asked; empty if no record says it. */
export function renderForms(report: AskedReport): string[] {
  if (!isRecorded(report)) return [];
  return [
    '### How models were asked',
    'By model and form (`structured`): questions, and of these the ones whose first answer could not be read. With `family`, which has one schema for many questions, an answer of another kind or with a choice that is not legal is one of them; it is asked again with the schema of the question.',
    renderTable(
      ['Model', 'Form', 'Questions', 'Unreadable at first'],
      report.asked_as.map(({ model, form, questions, unreadable }) => [
        escapeMarkdown(model),
        form ?? unrecorded,
        formatCount(questions),
        formatCount(unreadable),
      ]),
      2,
    ),
  ];
}
