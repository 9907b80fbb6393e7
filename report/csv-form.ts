// How files of CSV begin: an option of every command that writes some.

/** How files of CSV begin. */
export const csvForms = ['plain', 'excel'] as const;
export type CsvForm = (typeof csvForms)[number];

const byteOrderMark = '\uFEFF';

/**
 * A text of CSV as it begins in a file: for Excel, which takes a file without a byte order mark for one in the letters of the
 * system and makes of "José" other letters, with that mark.
 *
 * @example formatCsvFile('name\nJosé\n', 'excel').codePointAt(0); // 0xfeff
 */
export const formatCsvFile = (text: string, form: CsvForm): string =>
  form === 'excel' ? `${byteOrderMark}${text}` : text;
