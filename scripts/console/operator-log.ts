// The operator's log: readable lines on the console, JSON lines in the match's folder.
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createLogger, format, transports, type Logger } from 'winston';
import { redactor, secretsIn } from '../../models/record/redact.ts';
import { plainLines } from '../../report/plain-text.ts';
import { recordFiles } from '../../state/record.ts';

export interface OperatorLog {
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

/** For the story, where players may say any word. */
const redact = redactor([]);

/** For everything else, which may hold the words of servers. */
const redactAll = redactor(secretsIn(process.env));

const safe = format((info) => ({ ...info, message: redact(String(info.message)) }));

/** Colours and empty lines are for the eye. */
const bare = format((info) => ({ ...info, message: stripVTControlCharacters(String(info.message)).trim() }));

interface Shown {
  story: boolean;
  /** On standard error. */
  warnings: boolean;
  /** Told that the file is not written any more; warns of it by default. */
  onLost?: (words: string) => void;
}

export function openOperatorLog({ story, warnings, onLost }: Shown): OperatorLog {
  const line = format.printf(({ level, message }) =>
    level === 'warn' ? `Warning: ${String(message)}` : String(message),
  );
  const shown = new transports.Console({
    level: story ? 'info' : 'warn',
    silent: !story && !warnings,
    stderrLevels: ['error', 'warn'],
    format: format.combine(safe(), line),
  });
  const logger: Logger = createLogger({ level: 'debug', transports: [shown] });
  let file: WriteStream | undefined;
  return {
    tell: (message) => void logger.info(message),
    warn: (message) => void logger.warn(plainLines(redactAll(message))),
    note: (message, fields) => {
      const told = Object.entries(fields).map(([name, value]) => [
        name,
        typeof value === 'string' ? redactAll(value) : value,
      ]);
      logger.debug(message, Object.fromEntries(told));
    },
    openFile: (folder) => {
      // Not winston's own file transport: it swallows errors, and then never ends.
      file = createWriteStream(path.join(folder, recordFiles.log), { flags: 'a' });
      const written = new transports.Stream({
        stream: file,
        format: format.combine(safe(), bare(), format.timestamp(), format.json()),
      });
      logger.add(written);
      file.on('error', (error) => {
        logger.remove(written); // the record is what counts: the match goes on
        const words = `The log in ${folder} is not written any more: ${error.message}`;
        if (onLost) onLost(words);
        else if (logger.writable) logger.warn(words);
        else if (warnings) process.stderr.write(`Warning: ${words}\n`); // a short match is over before its file fails
      });
    },
    close: async () => {
      const told = once(logger, 'finish');
      logger.end();
      await told;
      if (file?.writable) await new Promise<void>((resolve) => file?.end(resolve));
    },
  };
}
