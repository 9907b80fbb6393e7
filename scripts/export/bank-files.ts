// The files of a bank: written match by match as JSON Lines and Parquet, and read again with a check of their hashes.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { BankRecord } from '../../deception/bank/bank-record.ts';
import { bankSchemas, type BankTable } from '../../deception/bank/bank-rows.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { createWriteError, readOrExplain, RecordError } from '../../models/record/ndjson.ts';
import { hashText } from '../../state/hash-text.ts';
import { parseJson } from '../../state/text.ts';
import { describeIssue, UsageError } from '../../state/usage-error.ts';
import { type Draft, dropFile, nameDraft, placeDrafts, writeDrafts } from '../command/replace-files.ts';
import { openParquetFile, type ParquetFile } from '../report/parquet-file.ts';
import { createRowSchema } from './row-schema.ts';

/** File names of a bank's record and card. */
export const bankFiles = { record: 'bank.json', card: 'README.md' } as const;

type RowOf<Table extends BankTable> = z.infer<(typeof bankSchemas)[Table]>;

interface OpenTable {
  table: BankTable;
  file: string;
  lines: ReturnType<ReturnType<typeof getDisk>['open']>;
  hash: ReturnType<typeof createHash>;
  parquet: ParquetFile<object>;
  rows: number;
  /** Whether the file of the table is still open. */
  isOpen: boolean;
}

/** A bank that is being written. */
export interface OpenBank {
  add<Table extends BankTable>(table: Table, rows: readonly RowOf<Table>[]): void;
  /**
   * Closes the tables, writes the record and card that `describe` makes from the tables' hashes, and gives all files
   * their final names. Returns the record.
   */
  finish(describe: (written: Pick<BankRecord, 'sha256' | 'files'>) => { record: BankRecord; card: string }): BankRecord;
  /** Removes everything written so far. An earlier bank in the folder stays. */
  discard(): void;
}

const nameFiles = (table: BankTable) => [`${table}.jsonl`, `${table}.parquet`] as const;

/**
 * Opens the tables of a bank in a folder, which is created if necessary. Until `finish`, all names end in `.new`.
 * Throws a RecordError that names what cannot be written.
 *
 * @example const bank = openBank('bank', ['statements', 'prompts']);
 */
export function openBank(folder: string, tables: readonly BankTable[]): OpenBank {
  const open: OpenTable[] = [];
  const disk = getDisk();
  const at = (name: string) => path.join(folder, name);
  const closeLines = () => {
    for (const one of open) {
      if (one.isOpen) one.lines.close();
      one.isOpen = false;
    }
  };
  const discard = () => {
    closeLines();
    for (const { table } of open) {
      for (const name of nameFiles(table)) dropFile(nameDraft(at(name)));
    }
  };
  const tryOn = <Result>(file: string, act: () => Result): Result => {
    try {
      return act();
    } catch (error) {
      discard();
      throw createWriteError(file, error);
    }
  };
  tryOn(folder, () => disk.makeFolder(folder));
  for (const table of tables) {
    const [lines, parquet] = nameFiles(table).map(at) as [string, string];
    const row: z.ZodObject = bankSchemas[table];
    const schema = createRowSchema(row);
    tryOn(lines, () => {
      for (const file of [lines, parquet]) dropFile(nameDraft(file));
      open.push({
        table,
        file: lines,
        lines: disk.open(nameDraft(lines), 'new'),
        hash: createHash('sha256'),
        parquet: openParquetFile<object>(nameDraft(parquet), {
          schema,
          names: Object.keys(row.shape),
          cellsOf: (name, rows) => rows.map((one) => (one as Record<string, unknown>)[name]),
          weigh: (one) => JSON.stringify(one).length,
        }),
        rows: 0,
        isOpen: true,
      });
    });
  }
  return {
    add: (table, rows) => {
      const one = open.find((other) => other.table === table);
      if (one === undefined) throw new Error(`The bank has no table "${table}".`);
      tryOn(one.file, () => {
        for (const row of rows) {
          const line = `${JSON.stringify(row)}\n`;
          one.hash.update(line);
          one.lines.write(line);
        }
        one.parquet.add(rows);
        one.rows += rows.length;
      });
    },
    finish: (describe) => {
      const files: BankRecord['files'] = {};
      const drafts: Draft[] = [];
      for (const { table, lines, parquet, hash, rows } of open) {
        const [line, columns] = nameFiles(table);
        tryOn(at(line), () => {
          lines.sync();
          parquet.close();
          files[line] = { sha256: hash.digest('hex'), rows };
          files[columns] = { sha256: hashFile(nameDraft(at(columns))), rows };
        });
        drafts.push(...nameFiles(table).map((name) => ({ draft: nameDraft(at(name)), file: at(name) })));
      }
      closeLines();
      const { record, card } = describe({ sha256: hashFiles(files), files });
      drafts.push(
        ...writeDrafts([
          [at(bankFiles.record), `${JSON.stringify(record, null, 2)}\n`],
          [at(bankFiles.card), card],
        ]),
      );
      const all = (Object.keys(bankSchemas) as BankTable[]).flatMap(nameFiles).map(at);
      const written = new Set(drafts.map(({ file }) => file));
      const outdated = all.filter((file) => !written.has(file)); // tables of an earlier bank
      placeDrafts(drafts, outdated);
      return record;
    },
    discard,
  };
}

/** Returns a hash over the names and hashes of all files, so that any change shows. */
const hashFiles = (files: BankRecord['files']): string =>
  hashText(
    Object.entries(files)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { sha256 }]) => `${sha256}  ${name}\n`)
      .join(''),
  );

/** Number of bytes to read at a time. */
const piece = 2 ** 20;

function hashFile(file: string): string {
  const hash = createHash('sha256');
  const open = getDisk().open(file, 'read');
  try {
    const bytes = new Uint8Array(piece);
    for (let read = open.read(bytes); read > 0; read = open.read(bytes)) hash.update(bytes.subarray(0, read));
  } finally {
    open.close();
  }
  return hash.digest('hex');
}

/** Size limit of a bank's table when read, in bytes. */
const largestTable = 500 * 2 ** 20;

/**
 * Reads the record of a bank. Throws a UsageError for a folder without one, and a RecordError for a damaged one.
 *
 * @example readBank('bank').counts.lies
 */
export function readBank(folder: string): BankRecord {
  const file = path.join(folder, bankFiles.record);
  if (!getDisk().exists(file))
    throw new UsageError(
      `${folder} is not a bank: it contains no ${bankFiles.record}. "export lies STUDY --out ${folder}" makes one.`,
    );
  const read = BankRecord.safeParse(parseJson(readOrExplain(file, () => getDisk().readText(file))), {
    error: describeIssue,
  });
  if (!read.success)
    throw new RecordError(
      `${file} is damaged: ${z.prettifyError(read.error)}. Restore it from a copy, or export again.`,
    );
  return read.data;
}

/**
 * Reads the rows of a bank's table. Throws a RecordError if the file was changed.
 *
 * @example readBankTable('bank', readBank('bank'), 'statements').filter(({ is_lie }) => is_lie)
 */
export function readBankTable<Table extends BankTable>(
  folder: string,
  { files }: Pick<BankRecord, 'files'>,
  table: Table,
): RowOf<Table>[] {
  const [name] = nameFiles(table);
  const file = path.join(folder, name);
  const text = readOrExplain(file, () => getDisk().readText(file, largestTable));
  if (hashText(text) !== files[name]?.sha256)
    throw new RecordError(
      `${file} was changed: its hash differs from that in ${bankFiles.record}. Restore it from a copy, or export again.`,
    );
  const schema = bankSchemas[table] as unknown as z.ZodType<RowOf<Table>>; // TypeScript cannot infer that the schema belongs to this table
  return text
    .split('\n')
    .slice(0, -1)
    .map((line, place) => {
      const read = schema.safeParse(parseJson(line), { error: describeIssue });
      if (!read.success)
        throw new RecordError(`${file}, line ${place + 1} is damaged: ${z.prettifyError(read.error)}. Export again.`);
      return read.data;
    });
}
