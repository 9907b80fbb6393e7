// Output for people and programs. Control characters in names from files are shown as escapes, so that they do not
// control the terminal.
import { escapeHidden } from '../../state/text.ts';

/** A stream that people or programs read. */
export interface OutputStream {
  write(text: string, written?: () => void): unknown;
  isTTY?: boolean;
  columns?: number;
}

/**
 * Whether `writePainted` is writing now. Such text contains only control codes of this program, because names in it are
 * already escaped.
 */
let isPainted = false;

/**
 * Wraps a stream so that every invisible character is written as an escape. JSON readers decode the escape to the same
 * character.
 */
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
 * Whether a stream is a terminal that understands codes for colors and the cursor. With TERM=dumb, as in the output
 * panes of some editors, the codes themselves would be visible.
 *
 * @example canPaint(io.stdout, io.env);
 */
export const canPaint = (stream: Pick<OutputStream, 'isTTY'>, env: NodeJS.ProcessEnv): boolean =>
  Boolean(stream.isTTY) && env['TERM'] !== 'dumb';

/**
 * Writes text that contains colors or cursor movements. Escape names and foreign texts before (`sanitizeText`,
 * `quoteSpeech`).
 *
 * @example writePainted(io.stderr, '\r\u001b[K'); // clears the line
 */
export function writePainted(stream: OutputStream, text: string): void {
  const before = isPainted;
  isPainted = true;
  try {
    stream.write(text);
  } finally {
    isPainted = before;
  }
}

/** Wraps a stream so that `before` is called before each write. */
export const createWatchedOutput = (stream: OutputStream, before: () => void): OutputStream =>
  new Proxy(stream, {
    get(target, key) {
      const value = Reflect.get(target, key, target) as unknown;
      if (key === 'write')
        return (text: string, written?: () => void) => {
          before();
          return target.write(text, written);
        };
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
