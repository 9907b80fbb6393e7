// Reads CSV strictly by RFC 4180, so that a cell that breaks a row is found.

/** Returns the rows of a text whose lines end in a line feed, the header first. Throws if the text is not CSV. */
export function readCsv(text: string): string[][] {
  if (!text.endsWith('\n')) throw new Error('The last row does not end.');
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\n]*))([,\n])/uy;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const [, quoted, bare, end] = cell.exec(text) ?? [];
    if (end === undefined) throw new Error(`This is no cell: ${text.slice(at, at + 80)}`);
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? bare!);
    if (end === '\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

/** Reads CSV as objects by column. Throws if a row has a different number of cells than the header. */
export function readTable(text: string): Record<string, string>[] {
  const [head, ...rows] = readCsv(text);
  return rows.map((row) => {
    if (row.length !== head!.length)
      throw new Error(`${row.length} cells under ${head!.length} heads: ${row.join('|')}`);
    return Object.fromEntries(row.map((value, at) => [head![at]!, value]));
  });
}
