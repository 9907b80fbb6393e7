// The operator's log: readable lines on the console, JSON lines in the folder of a match.
import { createWriteStream, type WriteStream } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createRedactor, listSecrets } from '../../models/redact.ts';
import { sanitizeLines } from '../../report/format.ts';
import { recordFiles } from '../../state/record.ts';
import type { CommandIO } from '../command/exit.ts';

export interface Logger {
  /** One line of the story, or a few that belong together; may be coloured. */
  tell(line: string): void;
  warn(message: string): void;
  /** For the file alone. */
  note(message: string, fields: Readonly<Record<string, unknown>>): void;
  /** Goes on in the folder of the match too. */
  openFile(folder: string): void;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}

export interface Shown {
  /** On standard output. */
  story: boolean;
  /** On standard error. */
  warnings: boolean;
}

/** `onLost` is told that the file is not written any more; it is a warning by default. */
export function openLogger(
  { stdout, stderr, env }: CommandIO,
  { story, warnings }: Shown,
  onLost = (words: string): void => void (warnings && stderr.write(`Warning: ${words}\n`)),
): Logger {
  const redactWords = createRedactor([]); // for the story, where players may say any word
  const redactAll = createRedactor(listSecrets(env)); // for everything else, which may hold the words of servers
  let file: WriteStream | null = null;
  const write = (level: string, message: string, fields: object = {}) => {
    const bare = stripVTControlCharacters(redactWords(message)).trim(); // colours and empty lines are for the eye
    const line = { level, message: bare, ...fields, timestamp: new Date().toISOString() };
    if (file?.writable) file.write(`${JSON.stringify(line)}\n`);
  };
  return {
    tell: (line) => {
      if (story) stdout.write(`${redactWords(line)}\n`);
      write('info', line);
    },
    warn: (message) => {
      const words = sanitizeLines(redactAll(message));
      if (warnings) stderr.write(`Warning: ${words}\n`);
      write('warn', words);
    },
    note: (message, fields) => {
      const told = Object.entries(fields).map(([name, value]) => [
        name,
        typeof value === 'string' ? redactAll(value) : value,
      ]);
      write('debug', message, Object.fromEntries(told) as object);
    },
    openFile: (folder) => {
      file = createWriteStream(path.join(folder, recordFiles.log), { flags: 'a' });
      // The record is what counts: the match goes on.
      file.once('error', ({ message }) => onLost(`The log in ${folder} is not written any more: ${message}`));
      file.on('error', () => undefined);
    },
    close: () =>
      new Promise((resolve) => {
        if (file === null || file.closed) return resolve();
        file.once('close', resolve);
        if (!file.writableEnded) file.end();
      }),
  };
}
