// The option for the form of CSV files, shared by all commands that write CSV.
import { Option } from 'commander';
import { type CsvForm, csvForms } from '../../report/csv-form.ts';

export interface CsvFlag {
  csv: CsvForm;
}

/** Creates a new option for each command, because commander stores the typed value in it. */
export const createCsvOption = (): Option =>
  new Option(
    '--csv <form>',
    'how CSV files begin: plain, or excel (with the byte order mark that Excel needs to read accents)',
  )
    .choices(csvForms)
    .default('plain');
