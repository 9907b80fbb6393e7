// The operator's log: readable lines on the console, JSON lines in the match's folder.
import path from 'node:path';
import { createLogger, format, transports, type Logger } from 'winston';
import { redactor } from '../models/redact.ts';
import { recordFiles } from '../state/record.ts';

export interface OperatorLog {
  /** One line of the story. */
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

/** `console`: whether the story is shown; warnings go to standard error unless `warnings` is false. */
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
  return {
    tell: (message) => void logger.info(message),
    warn: (message) => void logger.warn(message),
    note: (message, fields) => void logger.debug(message, fields),
    openFile: (folder) =>
      void logger.add(
        new transports.File({
          filename: path.join(folder, recordFiles.log),
          format: format.combine(safe(), format.timestamp(), format.json()),
        }),
      ),
    close: () =>
      new Promise((resolve) => {
        logger.once('finish', () => resolve());
        logger.end();
      }),
  };
}
