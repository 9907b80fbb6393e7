// Forms of CSV files, an option of every command that writes CSV.

/** Forms of a CSV file. `excel` begins with a byte order mark; `plain` does not. */
export const csvForms = ['plain', 'excel'] as const;
export type CsvForm = (typeof csvForms)[number];

const byteOrderMark = '\uFEFF';

/**
 * Returns a CSV text with the beginning that the reading program needs. Excel needs a byte order mark: without it,
 * Excel reads the file in the system's encoding and garbles "José".
 *
 * @example formatCsvFile('name\nJosé\n', 'excel').codePointAt(0); // 0xfeff
 */
export const formatCsvFile = (text: string, form: CsvForm): string =>
  form === 'excel' ? `${byteOrderMark}${text}` : text;
