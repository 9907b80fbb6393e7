// Text of models and people on its way to a terminal: whatever it holds, it stays quoted speech.
import { oneLine } from '../prompts/fields.ts';

/** One line without control, bidirectional or other invisible characters. */
export const plain = (text: string) => oneLine(text.toWellFormed());

/** In quotation marks that the text cannot close: those within it become single ones. */
export const speech = (text: string) => `“${plain(text).replace(/["“”„‟«»]/gu, "'")}”`;
