// Reads the two files of a session of Werewolf Arena or DSGBench.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { RecordError } from '../../models/record/record-error.ts';
import { Team } from '../../state/teams.ts';
import { UsageError } from '../../state/usage-error.ts';
import { Complete, Logs, strangerIn, type Session } from './arena-session.ts';

const names = { complete: 'game_complete.json', logs: 'game_logs.json' } as const;

export interface ArenaFiles {
  session: Session;
  winner: Team;
  /** File → SHA-256 of what it holds, unpacked. */
  files: Record<string, string>;
}

/**
 * Each file may be packed with gzip (`.gz`). Throws a UsageError for a folder without them, and a RecordError that names
 * the file for one that is damaged or of another shape, and for a session that was not played to its end.
 */
export function readArena(folder: string): ArenaFiles {
  const [complete, logs] = [readText(folder, names.complete), readText(folder, names.logs)];
  const { players, rounds, winner: side } = parsed(complete, Complete);
  const logged = parsed(logs, Logs);
  if (rounds.length !== logged.length)
    throw new RecordError(
      `${folder} is not one session: ${names.complete} has ${rounds.length} rounds and ${names.logs} ${logged.length}.`,
    );
  const session = { players, rounds: rounds.map((round, index) => ({ ...round, log: logged[index]! })) };
  const stranger = strangerIn(session);
  if (stranger !== undefined)
    throw new RecordError(
      `${folder} names "${stranger}", who is not at the table. At the table: ${Object.keys(players).join(', ')}.`,
    );
  const winner = Team.safeParse(side.toLowerCase());
  if (!winner.success)
    throw new RecordError(
      `${complete.file} has the winner "${side}", not one of ${Team.options.join(', ')}: only games that were played to their end are imported.`,
    );
  return {
    session,
    winner: winner.data,
    files: { [names.complete]: sha256(complete.text), [names.logs]: sha256(logs.text) },
  };
}

interface Source {
  file: string;
  text: string;
}

function readText(folder: string, name: string): Source {
  const file = path.join(folder, name);
  if (existsSync(file)) return { file, text: readFileSync(file, 'utf8') };
  const packed = `${file}.gz`;
  if (!existsSync(packed))
    throw new UsageError(
      existsSync(folder)
        ? `${folder} holds no ${name}. A session of Werewolf Arena or DSGBench has ${Object.values(names).join(' and ')}.`
        : `${folder} does not exist.`,
    );
  try {
    return { file: packed, text: gunzipSync(readFileSync(packed)).toString('utf8') };
  } catch {
    throw new RecordError(`${packed} is damaged: it cannot be unpacked. Restore it from a copy.`);
  }
}

function parsed<Contents>({ file, text }: Source, schema: z.ZodType<Contents>): Contents {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new RecordError(`${file} is damaged: it is not JSON. Restore it from a copy.`);
  }
  const read = schema.safeParse(value);
  if (!read.success)
    throw new RecordError(`${file} is not as Werewolf Arena and DSGBench write it:\n${z.prettifyError(read.error)}`);
  return read.data;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
