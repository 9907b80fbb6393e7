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

const matchId = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** Whether it can be the id of a match, which is also the name of its folder. */
export const isMatchId = (id: string): boolean => matchId.test(id) && isPortableName(id);

/** What is expected of the id of a match, for messages. */
export const matchIdRule = `be letters, digits, ".", "_" and "-", at most 100, start with a letter or digit, ${portableNameRule}`;
