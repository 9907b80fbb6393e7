// A minimal terminal: computes what is on the screen after everything that a process wrote.

// eslint-disable-next-line no-control-regex -- escape sequences begin with a control character
const token = /\u001b\[([?\d;]*)([A-Za-z])|[\r\n]|[^\u001b\r\n]+/gu;

/** Returns the lines on a sufficiently large screen. Throws at an unknown escape sequence. */
export function screenOf(output: string): string {
  const lines: string[][] = [[]];
  let [row, column] = [0, 0];
  const go = (to: number) => {
    row = to;
    while (lines.length <= row) lines.push([]);
  };
  const put = (text: string) => {
    for (const character of text) {
      const line = lines[row]!;
      while (line.length < column) line.push(' ');
      line[column++] = character;
    }
  };
  const commands: Record<string, (argument: string) => void> = {
    A: (up) => go(Math.max(0, row - Number(up || 1))),
    G: (to) => (column = Number(to || 1) - 1),
    K: (what) => {
      if (what !== '' && what !== '0') throw new Error(`unknown: clear ${what}`);
      lines[row]!.length = Math.min(lines[row]!.length, column);
    },
    m: () => undefined, // colour
    h: () => undefined, // cursor, synchronised output
    l: () => undefined,
  };
  for (const [text, argument = '', command] of output.matchAll(token)) {
    if (text === '\r') column = 0;
    else if (text === '\n') go(row + 1);
    else if (command === undefined) put(text);
    else if (commands[command]) commands[command](argument);
    else throw new Error(`unknown: ${JSON.stringify(text)}`);
  }
  return lines.map((line) => line.join('')).join('\n');
}
