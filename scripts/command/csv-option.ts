// The option that says how files of CSV are written, which all commands that write some take.
import { Option } from 'commander';
import { type CsvForm, csvForms } from '../../report/csv-form.ts';

export interface CsvFlag {
  csv: CsvForm;
}

/** A new option for each command, as commander keeps what was typed in it. */
export const createCsvOption = (): Option =>
  new Option(
    '--csv <form>',
    'how CSV files begin: plain, or excel, with the byte order mark by which Excel knows their letters',
  )
    .choices(csvForms)
    .default('plain');
