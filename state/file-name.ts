// Names that become names of files and folders: of matches, tournaments, entrants and models.

/** Names that Windows keeps for devices, in any case and before any extension. */
const reserved = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?: *\.|$)/i;

/**
 * Whether every system takes it as the name of a file: Windows keeps some names for its devices, and drops a "." or a space
 * at the end, so that two names would be one folder.
 *
 * @example [isPortableName('gpt-4.1'), isPortableName('con.1'), isPortableName('gpt.')] // [true, false, false]
 */
export const isPortableName = (name: string): boolean => !reserved.test(name) && !/[. ]$/.test(name);

/** What is expected of a name, for messages. */
export const portableNameRule = 'not end with ".", and not be a name that Windows keeps for devices (CON, NUL, COM1 …)';

const monthDate = /^\d{1,2}[-._]?[a-z]{3,9}[-._]?\d{2,4}$/i;

/** Whether a name consists of digits and separators alone, or is a number or a date in another form. */
const isNumberOrDate = (name: string) =>
  /^[\d._+T:Z-]+$/.test(name) ||
  !Number.isNaN(Number(name.replaceAll('_', ''))) ||
  /^[+-]?(?:nan|inf|infinity)$/i.test(name) ||
  monthDate.test(name);

/**
 * Whether a name stays a text in a table: programs that read CSV take names such as `1.10` and `2026-11-27` for a number and a
 * date, and then `1.10` and `1.1` are the same.
 *
 * @example [isTextInTables('study-7'), isTextInTables('7'), isTextInTables('2026-11-27')] // [true, false, false]
 */
export const isTextInTables = (name: string): boolean => !isNumberOrDate(name);

/** What is expected of a name in tables, for messages. */
export const textInTablesRule = 'not be a number or a date, for which programs that read tables would take it';

const matchId = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Whether it can be the id of a match, which is also the name of its folder. */
export const isMatchId = (id: string): boolean => matchId.test(id) && isPortableName(id);

/** What is expected of the id of a match, for messages. */
export const matchIdRule = `be letters, digits, ".", "_" and "-", at most 100, start with a letter or digit, ${portableNameRule}`;
