// The folder of a finished match as one value, which the database stores until somebody collects it.
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import type { TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import { extendChain, extractLink, extractSalt, hasLink } from '../../models/record/chain.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { unpackGzip } from '../../models/machine/unpack.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { createRecordChains, hashJson } from '../../models/record/seal.ts';
import { GameEvent } from '../../state/events.ts';
import { Manifest, recordFiles, Seal } from '../../state/record.ts';
import type { Team } from '../../state/teams.ts';
import { parseJson } from '../../state/text.ts';

/** Files of a record. Its lock and log are not copied. */
const packedFiles = [
  ...[recordFiles.manifest, recordFiles.answers, recordFiles.events, recordFiles.prompts, recordFiles.summary],
] as const;

/** Contents of each file in base64, by name of the file. */
const Packed = z.record(z.enum(packedFiles), z.string());

/** Maximum size of an unpacked record in bytes. Records of this program are smaller. */
const mostUnpacked = 2 ** 27;

/**
 * Packs the folder of a match. Throws RecordError if it is too large to be unpacked.
 *
 * @example await store.finish(attempt, { record: packRecord(folder), ...match });
 */
export function packRecord(folder: string): Buffer {
  const files = packedFiles.map((name) => [
    name,
    getDisk().read(path.join(folder, name), mostUnpacked).toString('base64'),
  ]);
  const text = Buffer.from(JSON.stringify(Object.fromEntries(files)));
  if (text.length > mostUnpacked)
    throw new RecordError(
      `The record of this match has ${text.length} bytes, but the database stores at most ${mostUnpacked}. Play the tournament without a database: --no-database.`,
    );
  return gzipSync(text);
}

/** Unpacks the files into a folder that must not exist. Throws RecordError if the value is not a record. */
export function unpackRecord(packed: Uint8Array, folder: string): void {
  const files = readPacked(packed);
  const disk = getDisk();
  disk.makeFolder(folder);
  for (const [name, contents] of Object.entries(files))
    disk.write(path.join(folder, name), Buffer.from(contents, 'base64'), true);
  disk.syncFolder(folder);
}

function readPacked(packed: Uint8Array): z.infer<typeof Packed> {
  const files = Packed.safeParse(unzip(packed)).data;
  if (files === undefined) throw new RecordError('it is not a packed record');
  return files;
}

function unzip(packed: Uint8Array): unknown {
  try {
    return parseJson(unpackGzip(packed, mostUnpacked).toString());
  } catch {
    return null; // reported as not a record
  }
}

/** The part of a summary that is needed to verify the winner. */
const SealedSummary = z.object({ seal: Seal });

/**
 * Returns the winner in the record; null for nobody. Writes nothing. The manifest must belong to the match, and
 * manifest and events must match the seal; otherwise throws RecordError.
 *
 * @example readPackedWinner(await store.readRecord(key), match) // 'werewolves'
 */
export function readPackedWinner(packed: Uint8Array, match: TournamentMatch): Team | null {
  const files = readPacked(packed);
  const readText = (name: (typeof packedFiles)[number]) => Buffer.from(files[name], 'base64').toString();
  const stored = parseJson(readText(recordFiles.manifest));
  const manifest = Manifest.safeParse(stored).data;
  if (manifest === undefined || !isOfMatch(manifest, match)) throw new RecordError('it belongs to another match');
  const seal = SealedSummary.safeParse(parseJson(readText(recordFiles.summary))).data?.seal;
  if (seal?.manifest !== hashJson(stored)) throw new RecordError('its manifest does not match its seal');
  const lines = readText(recordFiles.events).split('\n').slice(0, -1);
  let chain = createRecordChains(manifest).events;
  for (const line of lines) {
    const { text, link } = extractLink(line);
    chain = extendChain(chain, text);
    if (link === null || !hasLink(chain, link)) throw new RecordError('its events do not match their chain of hashes');
  }
  if (chain.hash !== seal.events.chain) throw new RecordError('its events do not match their seal');
  const last = GameEvent.safeParse(parseJson(extractSalt(extractLink(lines.at(-1) ?? '').text).text)).data;
  if (last?.type !== 'ended') throw new RecordError('its match is not finished');
  return last.winner;
}

/** Returns whether the manifest belongs to this match, and to no other one of the tournament. */
function isOfMatch({ setup, tournament }: Manifest, match: TournamentMatch): boolean {
  const { deal, replicate, pairing, condition, seats } = match;
  return (
    setup.seed === match.seed &&
    setup.replicate === replicate &&
    setup.board.name === match.board.name &&
    tournament?.deal === deal &&
    tournament.pairing === pairing &&
    tournament.condition === condition &&
    seats.every(({ player, entrant }) => tournament.entrants[player] === entrant)
  );
}
