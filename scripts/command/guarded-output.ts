// What commands write for people and programs: whatever a name in a file holds, a terminal shows it and obeys nothing.
import { escapeHidden } from '../../state/text.ts';

/** Where a script writes what people or programs read. */
export interface OutputStream {
  write(text: string, written?: () => void): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** Whether what is written now is painted: its codes are our own, and the names in it were made visible before. */
let isPainted = false;

/** The stream, with every character that nobody sees written as its escape, in which JSON means the same. */
export const escapeOutput = (stream: OutputStream): OutputStream =>
  new Proxy(stream, {
    get(target, key) {
      const value = Reflect.get(target, key, target) as unknown;
      if (key === 'write')
        return (text: string, written?: () => void) =>
          target.write((isPainted && target.isTTY) || typeof text !== 'string' ? text : escapeHidden(text), written);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });

/**
 * Whether a stream is a terminal that obeys codes for colors and the cursor: TERM=dumb shows them as they are, as editors do that
 * run commands.
 *
 * @example canPaint(io.stdout, io.env);
 */
export const canPaint = (stream: Pick<OutputStream, 'isTTY'>, env: NodeJS.ProcessEnv): boolean =>
  Boolean(stream.isTTY) && env['TERM'] !== 'dumb';

/**
 * Writes text with colours or movements of the cursor. Names and texts of others in it must be visible already
 * (`sanitizeText`, `quoteSpeech`).
 *
 * @example writePainted(io.stderr, '\r\u001b[K'); // clears the line
 */
export function writePainted(stream: OutputStream, text: string): void {
  isPainted = true;
  try {
    stream.write(text);
  } finally {
    isPainted = false;
  }
}
