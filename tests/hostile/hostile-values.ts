// Invalid values as JSON, and the places in a JSON text where each can be put.

/** A hostile name, with control characters, line breaks, a change of direction, a tag and a link. */
export const hostileName = 'gpt\u001b[31m\nresult: 100 %\r\u202e\u2028<b>x</b>[y](http://z.example)`|';

/** Values are JSON text, because JSON.stringify cannot write numbers out of range, or all names. */
export const strangeValues: readonly string[] = [
  ...['1e999', '-1', '"NaN"', 'null', '[]', '{}', '0.5', '-0', 'true', '""', '9007199254740993', '1e308'],
  '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  ...['"__proto__"', '"constructor"', '"toString"', '"../../../etc/passwd"', '"/dev/zero"', '"CON"'],
  ...[`${'['.repeat(3000)}${']'.repeat(3000)}`, JSON.stringify('a'.repeat(100_000)), '"\\ud800"', '[[],{},null,1e999]'],
];

/** Path of a value, outermost key first. */
export type LeafPath = readonly string[];

/**
 * Lists the paths of values in a JSON text, including objects and lists. Lists only the first entry of each list, the
 * first entry of each object whose keys are players' names, and the first of several values with the same name.
 */
export function listLeaves(text: string): string[][] {
  const found: string[][] = [];
  const seen = new Set<string>();
  const gather = (value: unknown, at: readonly string[]) => {
    const name = at.slice(-1).join('.');
    if (at.length > 0 && !seen.has(name)) found.push([...at]);
    seen.add(name);
    if (typeof value !== 'object' || value === null) return;
    const names = Object.keys(value);
    const isAlike = Array.isArray(value) || names.every((name) => /^[A-Z][a-z]+$/.test(name));
    for (const name of isAlike ? names.slice(0, 1) : names)
      gather((value as Record<string, unknown>)[name], [...at, name]);
  };
  gather(JSON.parse(text), []);
  return found;
}

const marker = '\u0000here\u0000';

/** Replaces a value by `value` (JSON). In a text of lines, the path begins with the line's number. */
export function changeLeaf(text: string, path: LeafPath, value: string): string {
  const [number, ...rest] = path;
  if (/^\d+$/.test(number!) && text.trimEnd().includes('\n{')) {
    const lines = text.split('\n');
    lines[Number(number)] = changeLeaf(lines[Number(number)]!, rest, value);
    return lines.join('\n');
  }
  const whole = JSON.parse(text) as Record<string, unknown>;
  let holder = whole;
  for (const name of path.slice(0, -1)) holder = holder[name] as Record<string, unknown>;
  holder[path.at(-1)!] = marker;
  return (
    JSON.stringify(whole, null, text.startsWith('{\n') ? 2 : undefined).replace(JSON.stringify(marker), () => value) +
    (text.endsWith('\n') ? '\n' : '')
  );
}
