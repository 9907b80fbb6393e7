// Text of models and people on its way to a terminal: whatever it holds, it stays quoted speech.
import { oneLine, singleQuoted } from '../state/words.ts';

/** One line without control, bidirectional or other invisible characters. */
export const plain = (text: string) => oneLine(text);

/** The same for each line of a message, with its indentation. */
export const plainLines = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => /^ */.exec(line)![0] + plain(line))
    .join('\n');

/** In quotation marks that the text cannot close: those within it become single ones. */
export const speech = (text: string) => `“${singleQuoted(plain(text))}”`;
