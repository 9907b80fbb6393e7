// The operator's log: readable lines on the console, JSON lines in the match's folder.
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { createLogger, format, transports, type Logger } from 'winston';
import { redactor } from '../../models/record/redact.ts';
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

const redact = redactor([]);

const safe = format((info) => ({ ...info, message: redact(String(info.message)) }));

/** Colours and empty lines are for the eye. */
const bare = format((info) => ({ ...info, message: stripVTControlCharacters(String(info.message)).trim() }));

/** `story`: whether it is shown; warnings go to standard error unless `warnings` is false. */
export function openOperatorLog({ story, warnings }: { story: boolean; warnings: boolean }): OperatorLog {
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
    warn: (message) => void logger.warn(message),
    note: (message, fields) => void logger.debug(message, fields),
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
        if (logger.writable) logger.warn(`The log is not written any more: ${error.message}`);
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
