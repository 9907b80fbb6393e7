// Damages the files of a record as disks, people and other programs do. The chain and seal can be made to match the
// damage.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { addLink, extendChain, extractLink } from '../../models/record/chain.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { createRecordChains, createSeal, sealSummary } from '../../models/record/seal.ts';
import { recordFiles } from '../../state/record.ts';

/** Files that can be damaged. */
export const damagedFiles = [
  ...[recordFiles.manifest, recordFiles.answers, recordFiles.events, recordFiles.summary, recordFiles.prompts],
  recordFiles.lock,
] as const;

/** One change to one file. */
export interface Damage {
  file: string;
  how: keyof typeof damageOf;
  /** Position in the file or in the line. 0 is the beginning, and 1 the end. */
  at: number;
  /** Selects the replacement. */
  choice: number;
  /** Whether to link the lines and seal the record again after the damage, so that only the contents can reveal it. */
  isForged: boolean;
}

const nestArrays = (depth: number): unknown => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);

/**
 * Replacement values: other types, numbers out of range, nested values, and names of properties that every object has.
 */
const strangeValues: readonly unknown[] = [
  ...[null, true, -1, 0, 0.5, 1e308, Number.MAX_SAFE_INTEGER, '', 'Zorro', '\ud800', '\u202e\u001b[31m', [], {}],
  ...['a'.repeat(100_000), nestArrays(2000), { constructor: 1, toString: 2 }, Array.from({ length: 300 }, () => 0)],
  ...['../../../etc/passwd', 'everyone', 'constructor', 'ended', 1e21],
];

const pickAt = <Item>(items: readonly Item[], at: number): Item | undefined =>
  items[Math.min(items.length - 1, Math.floor(at * items.length))];

/** Replaces a part of a JSON value by a strange value. */
function changePart(value: unknown, { at, choice }: Damage): unknown {
  const strange = strangeValues[choice % strangeValues.length];
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  const gather = (part: unknown) => {
    if (typeof part !== 'object' || part === null) return;
    for (const [key, held] of Object.entries(part)) {
      places.push({ holder: part as Record<string, unknown>, key });
      gather(held);
    }
  };
  gather(value);
  const place = pickAt(places, at);
  if (!place) return strange;
  if (choice % 3 === 0) delete place.holder[place.key];
  else place.holder[place.key] = strange;
  if (choice % 7 === 0) place.holder['unheard'] = strange;
  return value;
}

const changeBytes = (bytes: Buffer, { at, choice }: Damage, length: number, put: (byte: number) => number) => {
  const start = Math.floor(at * bytes.length);
  return Buffer.from(
    bytes.map((byte, index) => (index >= start && index < start + length ? put(byte + choice) : byte)),
  );
};

const changeLines = (bytes: Buffer, change: (lines: string[]) => string[]) =>
  Buffer.from(change(bytes.toString('latin1').split('\n')).join('\n'), 'latin1');

const pickLine = (lines: readonly string[], at: number) => Math.min(lines.length - 1, Math.floor(at * lines.length));

function changeJson(bytes: Buffer, damage: Damage): Buffer {
  const text = bytes.toString();
  try {
    return Buffer.from(JSON.stringify(changePart(JSON.parse(text), damage), null, 2));
  } catch {
    const lines = text.split('\n');
    const place = pickLine(lines, damage.at);
    try {
      const { text: bare } = extractLink(lines[place]!);
      const within = { ...damage, at: (damage.at * lines.length) % 1 };
      lines[place] = JSON.stringify(changePart(JSON.parse(bare), within));
    } catch {
      lines[place] = 'null';
    }
    return Buffer.from(lines.join('\n'));
  }
}

/** Damages the bytes of a file. Null removes the file. `other`: the same file of another record. */
const damageOf = {
  flip: (bytes, damage) => changeBytes(bytes, damage, 1, (byte) => byte ^ (1 << (damage.choice % 8))),
  zeros: (bytes, damage) => changeBytes(bytes, damage, 1 + (damage.choice % 3000), () => 0),
  noUtf8: (bytes, damage) => changeBytes(bytes, damage, 4, () => 0xff),
  cut: (bytes, { at }) => bytes.subarray(0, Math.floor(at * bytes.length)),
  grow: (bytes, { choice }) => Buffer.concat([bytes, Buffer.alloc(choice % 5000, choice % 2 ? '{"' : 10)]),
  dropLine: (bytes, { at }) => changeLines(bytes, (lines) => lines.toSpliced(pickLine(lines, at), 1)),
  doubleLine: (bytes, { at }) =>
    changeLines(bytes, (lines) => lines.toSpliced(pickLine(lines, at), 0, lines[pickLine(lines, at)]!)),
  swapLines: (bytes, { at }) =>
    changeLines(bytes, (lines) => {
      const place = pickLine(lines, at);
      return lines.toSpliced(place, 2, ...lines.slice(place, place + 2).reverse());
    }),
  lineEnds: (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n\n'), 'latin1'),
  value: changeJson,
  otherValue: changeJson,
  replace: (_bytes, _damage, other) => other,
  remove: () => null,
  folder: () => 'folder',
} satisfies Record<string, (bytes: Buffer, damage: Damage, other: Buffer | null) => Buffer | null | 'folder'>;

export const damageKinds = Object.keys(damageOf) as (keyof typeof damageOf)[];

const readIfThere = (file: string) => (getDisk().find(file)?.kind === 'file' ? getDisk().read(file) : null);

/** Damages a record. `other`: folder of another record. */
export function damageRecord(folder: string, damages: readonly Damage[], other: string): void {
  const disk = getDisk();
  for (const damage of damages) {
    const file = path.join(folder, damage.file);
    const bytes = readIfThere(file) ?? Buffer.from('{}');
    const changed = damageOf[damage.how](bytes, damage, readIfThere(path.join(other, damage.file)));
    disk.remove(file);
    if (changed === 'folder') disk.makeFolder(file);
    else if (changed) disk.write(file, changed);
  }
  if (damages.some(({ isForged }) => isForged)) forgeRecord(folder);
}

/**
 * Links all lines of a record again, and seals the record again if it was sealed. Only the contents then show the
 * change, as after an expert forgery. Leaves unreadable parts unchanged.
 */
export function forgeRecord(folder: string): string {
  const disk = getDisk();
  const getFile = (name: keyof typeof recordFiles) => path.join(folder, recordFiles[name]);
  const read = (name: keyof typeof recordFiles) => readIfThere(getFile(name))?.toString();
  const parse = (text = ''): Record<string, unknown> | null => {
    try {
      return JSON.parse(text) as Record<string, unknown> | null;
    } catch {
      return null;
    }
  };
  const manifest = parse(read('manifest'));
  const salt = manifest?.['salt'];
  const start = createRecordChains({ id: String(manifest?.['id']), ...(typeof salt === 'string' ? { salt } : {}) });
  const relink = (name: 'answers' | 'events') => {
    let chain = start[name];
    const [torn, ...lines] = (read(name) ?? '').split('\n').reverse() as [string, ...string[]];
    const linked = lines.reverse().map((line) => {
      if (!line.endsWith('}')) return `${line}\n`;
      const { text } = extractLink(line);
      chain = extendChain(chain, text);
      return `${addLink(text, chain)}\n`;
    });
    if (disk.find(getFile(name))?.kind === 'file') disk.write(getFile(name), linked.join('') + torn);
    return chain;
  };
  const chains = { answers: relink('answers'), events: relink('events') };
  const summary = parse(read('summary'));
  if (summary !== null && typeof summary === 'object')
    disk.write(
      getFile('summary'),
      `${JSON.stringify(sealSummary(summary, createSeal(folder, manifest, chains)), null, 2)}\n`,
    );
  return folder;
}

/** Hashes the readable contents of a record, ignoring white space. */
export function hashRecord(folder: string, withPrompts: boolean): string {
  const hash = createHash('sha256');
  const { manifest, answers, events, summary, prompts } = recordFiles;
  for (const name of [manifest, answers, events, summary, ...(withPrompts ? [prompts] : [])]) {
    const bytes = readIfThere(path.join(folder, name)) ?? Buffer.from('none');
    hash.update(`${name}\n`).update(readMeaning(name, bytes));
  }
  return hash.digest('hex');
}

function readMeaning(name: string, bytes: Buffer): Buffer | string {
  if (name.endsWith('.gz')) return bytes;
  if (name.endsWith('.ndjson'))
    return bytes
      .toString('latin1')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => extractLink(line.replace(/\r$/, '')).text) // without the line's link, which later links replace
      .join('\n');
  try {
    return JSON.stringify(JSON.parse(bytes.toString()));
  } catch {
    return bytes;
  }
}
