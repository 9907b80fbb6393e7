// The folder of a finished match as one value: what the database keeps of it until somebody collects it.
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import type { TournamentMatch } from '../../deception/tournament-plan/tournament-schedule.ts';
import { extendChain, extractLink, hasLink } from '../../models/record/chain.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { unpackGzip } from '../../models/machine/unpack.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { createRecordChains, hashJson } from '../../models/record/seal.ts';
import { GameEvent } from '../../state/events.ts';
import { Manifest, recordFiles, Seal } from '../../state/record.ts';
import type { Team } from '../../state/teams.ts';
import { parseJson } from '../../state/text.ts';

/** The files that a record consists of; its lock and log stay where it was played. */
const packedFiles = [
  ...[recordFiles.manifest, recordFiles.answers, recordFiles.events, recordFiles.prompts, recordFiles.summary],
] as const;

/** File name → contents in base64. */
const Packed = z.record(z.enum(packedFiles), z.string());

/** Bytes: a record that is larger unpacked is none of ours. */
const mostUnpacked = 2 ** 27;

/**
 * Packs the folder of a match. Throws RecordError for one that is too large to be unpacked.
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
      `The record of this match takes ${text.length} bytes, and the database keeps ${mostUnpacked} at most. Play the tournament without a database: --no-database.`,
    );
  return gzipSync(text);
}

/** Writes the files into a folder that is not there yet. Throws RecordError for what is no record. */
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
  if (files === undefined) throw new RecordError('it is no packed record');
  return files;
}

function unzip(packed: Uint8Array): unknown {
  try {
    return parseJson(unpackGzip(packed, mostUnpacked).toString());
  } catch {
    return null; // told as no record
  }
}

/** The part of a seal that the winner hangs on. */
const SealedSummary = z.object({ seal: Seal });

/**
 * Who won, as the record says; null: nobody. Nothing is written: the manifest must be that of the match, and manifest and
 * events must be as they were sealed. Throws RecordError where they are not.
 *
 * @example readPackedWinner(await store.readRecord(key), match) // 'werewolves'
 */
export function readPackedWinner(packed: Uint8Array, match: TournamentMatch): Team | null {
  const files = readPacked(packed);
  const readText = (name: (typeof packedFiles)[number]) => Buffer.from(files[name], 'base64').toString();
  const stored = parseJson(readText(recordFiles.manifest));
  const manifest = Manifest.safeParse(stored).data;
  if (manifest === undefined || !isOfMatch(manifest, match)) throw new RecordError('it is that of another match');
  const seal = SealedSummary.safeParse(parseJson(readText(recordFiles.summary))).data?.seal;
  if (seal?.manifest !== hashJson(stored)) throw new RecordError('its manifest is not as it was sealed');
  const lines = readText(recordFiles.events).split('\n').slice(0, -1);
  let chain = createRecordChains(manifest.id).events;
  for (const line of lines) {
    const { text, link } = extractLink(line);
    chain = extendChain(chain, text);
    if (link === null || !hasLink(chain, link)) throw new RecordError('its events are not as they were written');
  }
  if (chain.hash !== seal.events.chain) throw new RecordError('its events are not as they were sealed');
  const last = GameEvent.safeParse(parseJson(extractLink(lines.at(-1) ?? '').text)).data;
  if (last?.type !== 'ended') throw new RecordError('it is not that of a finished match');
  return last.winner;
}

/** Whether it is the manifest of this match, and of no other one of the tournament. */
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
