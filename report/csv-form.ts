// The start of CSV files, an option of every command that writes some.

/** Forms in which a CSV file can begin. */
export const csvForms = ['plain', 'excel'] as const;
export type CsvForm = (typeof csvForms)[number];

const byteOrderMark = '\uFEFF';

/**
 * Returns a CSV text with the start for its reader. Excel needs a byte order mark; without it, it reads the file in the
 * system's encoding and garbles "José".
 *
 * @example formatCsvFile('name\nJosé\n', 'excel').codePointAt(0); // 0xfeff
 */
export const formatCsvFile = (text: string, form: CsvForm): string =>
  form === 'excel' ? `${byteOrderMark}${text}` : text;
