// Output for people and programs. Control characters in names from files are made visible, so that the terminal does
// not obey them.
import { escapeHidden } from '../../state/text.ts';

/** A stream that people or programs read. */
export interface OutputStream {
  write(text: string, written?: () => void): unknown;
  isTTY?: boolean;
  columns?: number;
}

/**
 * Whether text with color codes is being written. Only this program puts control codes into such text; names in it were
 * escaped before.
 */
let isPainted = false;

/** Wraps a stream so that every invisible character is written as its escape, which means the same in JSON. */
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
 * Whether a stream is a terminal that obeys codes for colors and the cursor. With TERM=dumb, as in the output panes of
 * some editors, the codes themselves would be visible.
 *
 * @example canPaint(io.stdout, io.env);
 */
export const canPaint = (stream: Pick<OutputStream, 'isTTY'>, env: NodeJS.ProcessEnv): boolean =>
  Boolean(stream.isTTY) && env['TERM'] !== 'dumb';

/**
 * Writes text that contains colors or cursor movements. Names and texts written by others must have been made visible
 * before (`sanitizeText`, `quoteSpeech`).
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
