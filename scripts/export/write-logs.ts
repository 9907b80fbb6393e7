// `export inspect` and `export chat`: matches as logs of Inspect, and seats as chats with rewards.
import path from 'node:path';
import { formatJudges, type JudgePlan } from '../../deception/claims/majority-claims.ts';
import { rulesExtractor } from '../../deception/metrics/comparability.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { createWriteError } from '../../models/record/ndjson.ts';
import { buildInspectLog, type InspectMatch } from '../../report/inspect-log.ts';
import { buildSeatChats } from '../../report/recorded-chat.ts';
import type { CommandIO } from '../command/command-line.ts';
import { dropFile, nameDraft, placeDrafts, writeDrafts } from '../command/replace-files.ts';
import { readEachMatch } from '../compare/read-matches.ts';
import { describeLeftOut, readSources, type UsableMatch } from '../report/match-inventory.ts';
import type { MeasurementCache } from '../report/measurement-cache.ts';
import { readRecordedCalls } from './recorded-calls.ts';

/** Matches to export, and where to write them. */
export interface LogOptions {
  folders: readonly string[];
  /** A folder for `inspect`, a file for `chat`. */
  out: string;
  judge: JudgePlan | undefined;
  cache: MeasurementCache | null;
}

/** A summary of what was written (files, and rows or samples in them) and of what was left out. */
export interface WrittenLogs {
  files: readonly string[];
  count: number;
  leftOut: number;
}

async function readMatch({ folder, tables }: UsableMatch, judge: JudgePlan | undefined): Promise<InspectMatch> {
  const { record } = await readSources(folder, { judge });
  return { manifest: record.manifest, events: record.events, tables, calls: await readRecordedCalls(folder, record) };
}

/** Number of matches in one log. Both this program and Inspect's viewer hold a whole log in memory. */
const matchesPerLog = 20;

/**
 * Writes the matches as logs of Inspect. Each match is one sample, and each log has at most 20 samples. Throws as
 * `readEachMatch` does, and a RecordError that names what cannot be written.
 *
 * @example (await writeInspect({ folders: ['runs'], out: 'logs', judge: undefined, cache: null }, io)).files
 */
export async function writeInspect(options: LogOptions, io: Pick<CommandIO, 'stderr' | 'step'>): Promise<WrittenLogs> {
  const { folders, out, judge, cache } = options;
  const files: string[] = [];
  let waiting: InspectMatch[] = [];
  let count = 0;
  const write = () => {
    if (waiting.length === 0) return;
    const name = path.basename(path.resolve(folders[0] ?? 'runs'));
    const log = buildInspectLog(waiting, { name, claimsBy: judge ? formatJudges(judge) : rulesExtractor });
    files.push(...placeDrafts(writeDrafts([[path.join(out, nameLog(log.eval)), `${JSON.stringify(log)}\n`]])));
    waiting = [];
  };
  getDisk().makeFolder(out);
  const leftOut = await readEachMatch(
    folders,
    { judge },
    {
      cache,
      onStep: io.step,
      see: async (match) => {
        waiting.push(await readMatch(match, judge));
        count += 1;
        if (waiting.length === matchesPerLog) write();
      },
    },
  );
  write();
  for (const one of leftOut) io.stderr.write(`${describeLeftOut(one)}\n`);
  return { files, count, leftOut: leftOut.length };
}

/**
 * Returns the name of a log in the form that Inspect's viewer sorts by: `2026-01-31T12-00-00+00-00_wolfgraph_ID.json`.
 */
const nameLog = ({ created, task_id: id }: { created: string; task_id: string }) =>
  `${created.slice(0, 19).replaceAll(':', '-')}+00-00_wolfgraph_${id.replace(/[^A-Za-z0-9-]/g, '-')}.json`;

/**
 * Writes one line of JSON for each seat. Throws as `readEachMatch` does, and a RecordError that names what cannot be
 * written. If it throws, an earlier file remains.
 *
 * @example (await writeChats({ folders: ['runs'], out: 'seats.jsonl', judge: undefined, cache: null }, io)).count
 */
export async function writeChats(options: LogOptions, io: Pick<CommandIO, 'stderr' | 'step'>): Promise<WrittenLogs> {
  const { folders, out, judge, cache } = options;
  const draft = nameDraft(out);
  let count = 0;
  try {
    getDisk().makeFolder(path.dirname(path.resolve(out)));
    dropFile(draft); // left by a command that was killed, or a link
    const lines = getDisk().open(draft, 'new');
    try {
      const leftOut = await readEachMatch(
        folders,
        { judge },
        {
          cache,
          onStep: io.step,
          see: async (match) => {
            const { tables, calls } = await readMatch(match, judge);
            const seats = buildSeatChats(tables, calls);
            lines.write(seats.map((seat) => `${JSON.stringify(seat)}\n`).join(''));
            count += seats.length;
          },
        },
      );
      for (const one of leftOut) io.stderr.write(`${describeLeftOut(one)}\n`);
      return { files: placeDrafts([{ draft, file: out }]), count, leftOut: leftOut.length };
    } finally {
      lines.close();
    }
  } catch (error) {
    dropFile(draft);
    throw error instanceof Error && 'code' in error ? createWriteError(out, error) : error;
  }
}
