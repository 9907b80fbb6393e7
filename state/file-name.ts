// Names that become names of files and folders: matches, tournaments, entrants and models.

/** Names that Windows reserves for devices, in any case and before any extension. */
const reserved = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?: *\.|$)/i;

/**
 * Returns whether every system accepts the name for a file. Windows reserves some names for devices and drops a "." or
 * a space at the end, so that two names could mean one folder.
 *
 * @example [isPortableName('gpt-4.1'), isPortableName('con.1'), isPortableName('gpt.')] // [true, false, false]
 */
export const isPortableName = (name: string): boolean => !reserved.test(name) && !/[. ]$/.test(name);

/** Rule for portable names, as words that follow "must" in messages. */
export const portableNameRule =
  'not end with ".", and not be a name that Windows reserves for devices (CON, NUL, COM1 …)';

const monthDate = /^\d{1,2}[-._]?[a-z]{3,9}[-._]?\d{2,4}$/i;

/** Returns whether a name consists only of digits and separators, or is a number or a date in another form. */
const isNumberOrDate = (name: string) =>
  /^[\d._+T:Z-]+$/.test(name) ||
  !Number.isNaN(Number(name.replaceAll('_', ''))) ||
  /^[+-]?(?:nan|inf|infinity)$/i.test(name) ||
  monthDate.test(name);

/**
 * Returns whether programs that read CSV keep the name as text. They would read `1.10` as a number, equal to `1.1`, and
 * `2026-11-27` as a date.
 *
 * @example [isTextInTables('study-7'), isTextInTables('7'), isTextInTables('2026-11-27')] // [true, false, false]
 */
export const isTextInTables = (name: string): boolean => !isNumberOrDate(name);

/** Rule for names in tables, as words that follow "must" in messages. */
export const textInTablesRule = 'not look like a number or a date, since spreadsheet programs would convert it';

const matchId = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Returns whether the name can be the id of a match, which is also the name of its folder. */
export const isMatchId = (id: string): boolean => matchId.test(id) && isPortableName(id);

/** Rule for match ids, as words that follow "must" in messages. */
export const matchIdRule = `have only letters, digits, ".", "_" and "-", at most 100 of them, start with a letter or digit, ${portableNameRule}`;
