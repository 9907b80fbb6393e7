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
 * record says how models were asked.
 *
 * @example listFormLines({ asked_as: [{ model: 'gpt', form: 'family', questions: 50, unreadable: 2 }] }); // ['Form of
 * structured answers (structured) by model: gpt family, 2 of 50 first answers unreadable.']
 */
export function listFormLines(report: AskedReport): string[] {
  if (!isRecorded(report)) return [];
  const told = report.asked_as.map(
    ({ model, form, questions, unreadable }) =>
      `${model} ${form ?? unrecorded}, ${formatWhole(unreadable)} of ${formatWhole(questions)} first answers unreadable`,
  );
  const more = told.length > mostNamed ? [`${told.length - mostNamed} more in report.json`] : [];
  return [`Form of structured answers (structured) by model: ${[...told.slice(0, mostNamed), ...more].join('; ')}.`];
}

/** Renders the table of how each model was asked. Empty if no record says how models were asked. */
export function renderForms(report: AskedReport): string[] {
  if (!isRecorded(report)) return [];
  return [
    '### How models were asked',
    'Questions by model and form (`structured`), and the number of first answers that could not be read. The form `family` has one schema for many questions. Under it, an answer to another kind of question, or with an illegal choice, counts as unreadable; the question is then asked again with its own schema.',
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
