// The log: readable lines on the console, JSON lines in a match's folder.
import { once } from 'node:events';
import path from 'node:path';
import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { createLogger, format, transports } from 'winston';
import type { OpenFile } from '../../models/machine/disk.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { describeLink, isForeignLink } from '../../models/record/ndjson.ts';
import { createRedactor, listSecrets } from '../../models/redact.ts';
import { sanitizeLines } from '../../report/format.ts';
import { writePainted } from '../command/guarded-output.ts';
import { recordFiles } from '../../state/record.ts';
import type { CommandIO } from '../command/command-line.ts';

export interface Logger {
  /** Writes one line of the story, or several lines that belong together. Lines may have colors. */
  tell(line: string): void;
  warn(message: string): void;
  /** Writes to the file only. */
  note(message: string, fields: Readonly<Record<string, unknown>>): void;
  /** Also writes all later lines to a file in the match's folder. */
  openFile(folder: string): void;
  /** Resolves when everything is written. Lines logged later go to the console only. */
  close(): Promise<void>;
}

interface Shown {
  /** Whether the story is written to standard output. */
  story: boolean;
  /** Whether warnings are written to standard error. */
  warnings: boolean;
}

/** Opens the log of a command. `onLost` is called when the log's file can no longer be written. Default: a warning. */
export function openLogger(
  { stdout, stderr, env }: CommandIO,
  { story, warnings }: Shown,
  onLost = (words: string): void => void (warnings && stderr.write(`Warning: ${words}\n`)),
): Logger {
  const redactWords = createRedactor([]); // for the story: players may say any word, also one that is a secret
  const redactAll = createRedactor(listSecrets(env)); // for all other lines, which may quote servers
  const logger = createLogger({
    level: 'debug',
    silent: true, // replaced once a file is open
    format: format.combine(format.timestamp(), format.json({ deterministic: false })),
  });
  let file: Writable | null = null;
  let isClosed = false;
  const write = (level: string, message: string, fields: object = {}) => {
    if (isClosed) return; // after a failure, matches may still end and warn, and winston would throw
    const bare = stripVTControlCharacters(redactWords(message)).trim(); // colors and empty lines are only for display
    logger.log({ level, message: bare, ...fields });
  };
  return {
    tell: (line) => {
      if (story) writePainted(stdout, `${redactWords(line)}\n`);
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
      const name = path.join(folder, recordFiles.log);
      if (isForeignLink(name)) return onLost(`The log in ${folder} is not written: ${describeLink(name)}`);
      // Winston's own file transport is not used, because it swallows errors and then never ends.
      const stream = openStream(name);
      file = stream;
      const transport = new transports.Stream({ stream });
      logger.silent = false;
      logger.add(transport);
      stream.once('error', ({ message }) => {
        logger.silent = true; // the match continues, because the record is what counts
        logger.remove(transport);
        onLost(`The log in ${folder} can no longer be written: ${message}`);
      });
      stream.on('error', () => undefined);
    },
    close: async () => {
      isClosed = true;
      const finished = once(logger, 'finish');
      logger.end();
      await finished;
      const stream = file;
      if (stream === null || stream.closed) return;
      await new Promise<void>((resolve) => {
        stream.once('close', resolve); // also after an error, which was reported
        if (!stream.writableEnded) stream.end();
      });
    },
  };
}

/**
 * Opens a stream that appends lines to a file. All errors, including those of opening the file, are emitted by the
 * stream.
 */
function openStream(file: string): Writable {
  const disk = getDisk();
  let open: OpenFile | null = null;
  const attempt = (step: () => void, done: (error?: Error | null) => void) => {
    try {
      step();
      done();
    } catch (error) {
      done(error as Error);
    }
  };
  return new Writable({
    decodeStrings: false,
    construct: (done) => attempt(() => (open = disk.open(file, 'append')), done),
    write: (line: string, _encoding, done) => attempt(() => open?.write(line), done),
    destroy: (error, done) => {
      attempt(
        () => open?.close(),
        (failure) => done(error ?? failure ?? null),
      );
    },
  });
}
