// Redaction: removes all words from the record of a match, so that nothing that a person said can be read in it or
// guessed from a hash. The links of the lines and a new seal remain.
import path from 'node:path';
import { GameEvent } from '../../state/events.ts';
import { type Manifest, recordFiles } from '../../state/record.ts';
import { parseJson } from '../../state/text.ts';
import { formatCommand } from '../../state/command-name.ts';
import { getDisk } from '../machine/machine.ts';
import { addLink, type Chain, extendChain, extractLink, extractSalt, hasLink } from './chain.ts';
import { takeLock } from './lock.ts';
import { readTextLines, RecordError } from './ndjson.ts';
import { readDocument } from './read-document.ts';
import { readManifest, writeManifest, writeWhole } from './recorder.ts';
import { createRecordChains, createSeal, findBrokenSeals, readSeal, sealSummary } from './seal.ts';

/** Files that a redacted record keeps; all others are removed. */
const keptFiles: readonly string[] = [
  ...[recordFiles.manifest, recordFiles.answers, recordFiles.events, recordFiles.summary, recordFiles.lock],
];

/** Types of events that contain only names, roles and outcomes: no text, and nothing that a player decided. */
const wordlessEvents: readonly GameEvent['type'][] = [
  ...(['dealt', 'acquainted', 'round_started', 'death', 'quiet_night', 'elected', 'no_sheriff', 'tie'] as const),
  ...(['no_exile', 'exile_survived', 'ended'] as const),
];

/** A line of a chained file. */
interface LinkedLine {
  line: string;
  /** Chain up to and including the line. */
  chain: Chain;
  isRemoved: boolean;
}

/**
 * Returns the hash in a removed line; null for any other line. A removed line contains only the full hash of the chain,
 * to which the next line is linked.
 */
const readRemoved = (text: string): string | null => /^\{"redacted":"([0-9a-f]{64})"\}$/.exec(text)?.[1] ?? null;

/**
 * Follows the links of a file. Skips lines that a process wrote after another process had taken over the match. Returns
 * null if a link is wrong or the file cannot be read.
 */
function followLinks(file: string, start: Chain): LinkedLine[] | null {
  const found: LinkedLine[] = [];
  for (const line of readTextLines(file)) {
    const { text, link } = extractLink(line);
    if (link === null) return null;
    const removed = readRemoved(text);
    const follow = (chain: Chain): Chain =>
      removed === null ? extendChain(chain, text) : { ...chain, lines: chain.lines + 1, hash: removed };
    let place = found.length; // number of lines before this line in the chain; the last lines may be strays
    const getChainBefore = () => found[place - 1]?.chain ?? start;
    while (place >= 0 && !hasLink(follow(getChainBefore()), link)) place -= 1;
    if (place < 0 && readEpoch(text) < readEpoch(extractLink(found.at(-1)?.line ?? '').text)) continue; // a stray
    if (place < 0) return null;
    const chain = follow(getChainBefore());
    found.splice(place);
    found.push({ line, chain, isRemoved: removed !== null });
  }
  return found;
}

function readEpoch(text: string): number {
  const { epoch } = (parseJson(text) ?? {}) as { epoch?: unknown };
  return typeof epoch === 'number' ? epoch : 0;
}

/** Returns whether a line of events contains no words of players. `text`: the line without its chain link. */
function isWordless(text: string): boolean {
  const event = GameEvent.safeParse(parseJson(extractSalt(text).text));
  return event.success && wordlessEvents.includes(event.data.type);
}

/**
 * Returns the file without words, and the file's chain. Lines without salts are left out, because their content could
 * be guessed from their hashes. Lines with wrong links are left out, because they prove nothing.
 */
function redactLines(file: string, start: Chain, canStay: (text: string) => boolean): { text: string; chain: Chain } {
  const nothing = { text: '', chain: start };
  let lines: LinkedLine[] | null;
  try {
    lines = followLinks(file, start);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return nothing;
  }
  const isSalted = lines?.every(
    ({ line, isRemoved }) => isRemoved || extractSalt(extractLink(line).text).salt !== null,
  );
  if (lines === null || isSalted !== true) return nothing;
  const text = lines.map(({ line, chain, isRemoved }) =>
    isRemoved || canStay(extractLink(line).text) ? line : addLink(JSON.stringify({ redacted: chain.hash }), chain),
  );
  return { text: text.map((line) => `${line}\n`).join(''), chain: lines.at(-1)?.chain ?? start };
}

/** Returns whether a folder holds a redacted record. Throws a RecordError if its manifest cannot be read. */
export const isRedactedRecord = (folder: string): boolean =>
  readManifest(path.join(folder, recordFiles.manifest)).redacted !== undefined;

/**
 * Removes all words from a record: answers, prompts, reasoning, statements, judges' answers and everything else in its
 * folder. Names, roles, deaths and the outcome stay, with the link of each removed line. The record counts as redacted
 * from the first step on; if redaction is interrupted, calling it again completes it. `people`: names (in records) of
 * the people who asked for it. Throws a RecordError if another process holds the record or it cannot be written.
 *
 * @example redactRecord('runs/a', ['human:alice']);
 */
export function redactRecord(folder: string, people: readonly string[]): void {
  const disk = getDisk();
  const getFile = (name: string) => path.join(folder, name);
  const lock = takeLock(getFile(recordFiles.lock));
  try {
    const manifest = removeWords(readManifest(getFile(recordFiles.manifest)), people);
    writeManifest(getFile(recordFiles.manifest), manifest);
    for (const { name } of disk.list(folder)) if (!keptFiles.includes(name)) disk.remove(getFile(name));
    const start = createRecordChains(manifest);
    const answers = redactLines(getFile(recordFiles.answers), start.answers, () => false);
    const events = redactLines(getFile(recordFiles.events), start.events, isWordless);
    writeWhole(getFile(recordFiles.answers), answers.text);
    writeWhole(getFile(recordFiles.events), events.text);
    const chains = { answers: answers.chain, events: events.chain };
    const seal = createSeal(folder, JSON.parse(JSON.stringify(manifest)), chains);
    writeWhole(
      getFile(recordFiles.summary),
      `${JSON.stringify(sealSummary({ redacted: manifest.redacted }, seal), null, 2)}\n`,
    );
  } finally {
    lock.release();
  }
}

/** Returns the manifest without the secret of the salts, and without words that a fork gave to a player. */
function removeWords({ salt, ...manifest }: Manifest, people: readonly string[]): Manifest {
  void salt;
  const all = [...new Set([...(manifest.redacted?.people ?? []), ...people])].sort();
  const { text, ...fork } = manifest.fork_of ?? { text: undefined };
  void text;
  return { ...manifest, ...('match' in fork ? { fork_of: fork } : {}), redacted: { people: all } };
}

/**
 * Lists the faults of a redacted record: wrong links or a wrong seal, and files that redaction should have removed.
 * Empty if the redaction is complete.
 */
export function findRedactionFaults(folder: string): string[] {
  const getFile = (name: string) => path.join(folder, name);
  const again = `Run ${formatCommand('redact')} again for this person`;
  const manifest = readManifest(getFile(recordFiles.manifest));
  const others = getDisk()
    .list(folder)
    .filter(({ name }) => !keptFiles.includes(name));
  const faults = others.map(({ name }) => `${getFile(name)} does not belong to a redacted record. ${again}.`);
  const sealed = readSeal(folder);
  const start = createRecordChains(manifest);
  const [answers, events] = [
    followLinks(getFile(recordFiles.answers), start.answers),
    followLinks(getFile(recordFiles.events), start.events),
  ];
  if (sealed === null || answers === null || events === null || !('redacted' in sealed.summary))
    return [...faults, `${folder} is not redacted completely, or was changed afterwards. ${again}.`];
  const chains = {
    answers: answers.at(-1)?.chain ?? start.answers,
    events: events.at(-1)?.chain ?? start.events,
  };
  const stored = parseJson(readDocument(getFile(recordFiles.manifest)));
  const broken = findBrokenSeals(folder, sealed, { manifest: stored, chains }, true);
  const words = answers.some(({ isRemoved }) => !isRemoved);
  return [
    ...faults,
    ...broken.map((fault) => `${fault}. ${again}.`),
    ...(words ? [`${getFile(recordFiles.answers)} still holds answers. ${again}.`] : []),
  ];
}
