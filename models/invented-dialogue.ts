// Detects lines that a model invents for other players or the moderator, after the statement of the player whom it
// plays.
import { createNameCache, getNameSource, listLongestFirst } from '../state/name-reader.ts';
import { narratorNames } from '../state/player-names.ts';

/** A statement's speaker, and all other players of the match. */
interface Speaker {
  me: string;
  players: readonly string[];
}

/**
 * Cuts a statement where its model begins to write lines of other speakers. Such a line begins with the name of another
 * player or of the moderator, followed by a colon. The first line is never cut, because a name at its beginning
 * addresses somebody. List items are not cut either. The speaker's own name before a line is removed.
 *
 * @example dropInventedDialogue('I pass.\nWill: I am the Seer.', { me: 'Sam', players: ['Sam', 'Will'] }) // { said: 'I pass.', invented: 'Will: I am the Seer.' }
 */
export function dropInventedDialogue(text: string, { me, players }: Speaker): { said: string; invented: string } {
  const isOther = findLabelFinder([...players.filter((name) => name !== me), ...narratorNames]);
  const own = findOwnLabel([me]);
  const lines = text.split(/\r\n|[\n\r\u0085\u2028\u2029]/);
  const first = lines.findIndex((line) => line.trim() !== '');
  const cut = lines.findIndex((line, index) => index > first && isOther(line));
  const kept = cut < 0 ? lines : lines.slice(0, cut);
  const said = kept.map((line) => line.replace(own, '')).join('\n');
  return { said, invented: cut < 0 ? '' : lines.slice(cut).join('\n') };
}

const emphasis = String.raw`(?:\*{1,3}|_{1,3})`;

/**
 * Creates a pattern for the beginning of a line that names its speaker, which may be in bold or in brackets. Lines that
 * begin with a dash, a number or a quotation mark do not match, because they are list items or quotations. `more`:
 * pattern of what may follow the name.
 */
const createLabelPattern = (names: readonly string[], more = '') =>
  new RegExp(
    String.raw`^\s*${emphasis}?(?:\[\s*)?(?<name>(?:the )?(?:${listLongestFirst(names).map(getNameSource).join('|')}))(?:\s*\])?${more}\s*${emphasis}?\s*[:：]\s*${emphasis}?[^\S\n]*`,
    'iu',
  );

/**
 * Returns a function that finds a label with one of these names. A name in lower case is not a label: "will: …" begins
 * with the verb. The role may follow the name.
 */
const findLabelFinder = createNameCache((names) => {
  const label = createLabelPattern(names, String.raw`(?:\s*\([^()]{1,40}\))?`);
  return (line: string) => /\p{Lu}/u.test(label.exec(line)?.groups?.['name'] ?? '');
});

const findOwnLabel = createNameCache((names) => createLabelPattern(names));
