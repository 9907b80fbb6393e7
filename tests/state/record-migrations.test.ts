// Records of every version can be read: the chain of migrations, its requirements, and golden records of each version.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { GameEvent } from '../../state/events.ts';
import {
  checkManifest,
  migrateAnswer,
  migrateEvent,
  migrateManifest,
  recordMigrations,
  type RecordMigration,
  type StoredObject,
} from '../../state/record-migrations.ts';
import { AnswerLine, Manifest, recordFiles, schemaVersion } from '../../state/record.ts';

const golden = path.join(import.meta.dirname, '..', 'golden');
const goldens = readdirSync(golden, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);

const textIn = (name: string, file: string) => readFileSync(path.join(golden, name, file), 'utf8');
const manifestIn = (name: string) => JSON.parse(textIn(name, recordFiles.manifest)) as StoredObject;
const readBefore = new Map<string, readonly StoredObject[]>();
function readLines(name: string, file: string): readonly StoredObject[] {
  const lines =
    readBefore.get(`${name}/${file}`) ??
    textIn(name, file)
      .split('\n')
      .slice(0, -1)
      .map((line) => frozen(withoutLink(JSON.parse(line) as StoredObject)));
  readBefore.set(`${name}/${file}`, lines);
  return lines;
}
/**
 * Lists lines that a migration changes. They are compared as one list, because one `expect` per line takes most of the
 * time.
 */
const listChanged = (lines: readonly StoredObject[], migrate: (line: StoredObject) => unknown) =>
  lines.map((line) => [line, migrate(line)]).filter(([line, migrated]) => !isDeepStrictEqual(migrated, line));

/** Returns a line without its link to earlier lines. */
function withoutLink({ chain, epoch, ...line }: StoredObject): StoredObject {
  void [chain, epoch];
  return line;
}

/**
 * Version -1 had other names: "name" for the id and "seats" for players. Version 0 had no honesty sentence, and wrote
 * rounds as words.
 */
const chain: readonly RecordMigration[] = [
  {
    from: -1,
    manifest: ({ name, ...rest }) => ({ id: name, ...rest }),
    answer: ({ seat, ...line }) => (seat === undefined ? line : { player: seat, ...line }),
  },
  {
    from: 0,
    manifest: (manifest) => ({ ...manifest, honest: null }),
    answer: (line) => (typeof line['round'] === 'string' ? { ...line, round: Number(line['round']) } : line),
    event: (line) => (typeof line['round'] === 'string' ? { ...line, round: Number(line['round']) } : line),
  },
];

const frozen = <Value extends object>(value: Value): Value => {
  for (const part of Object.values(value) as unknown[]) if (typeof part === 'object' && part !== null) frozen(part);
  return Object.freeze(value);
};

describe('the chain of migrations', () => {
  it('leads from version 1 to that of today, one step a version', () => {
    expect(recordMigrations.map(({ from }) => from)).toEqual(
      Array.from({ length: schemaVersion - 1 }, (_, index) => index + 1),
    );
  });

  it('has a golden record of each version', () => {
    const versions = new Set(goldens.map((name) => manifestIn(name)['schema_version']));
    expect([...versions].sort()).toEqual(Array.from({ length: schemaVersion }, (_, index) => index + 1));
  });

  it('brings a manifest from its own version on to that of today', () => {
    const now = { schema_version: 1, id: 'a', honest: null };
    expect(migrateManifest(frozen({ schema_version: -1, name: 'a' }), chain)).toEqual(now);
    expect(migrateManifest(frozen({ schema_version: 0, id: 'a' }), chain)).toEqual(now);
    expect(migrateManifest(frozen({ schema_version: 1, id: 'a' }), chain)).toEqual({ schema_version: 1, id: 'a' });
  });

  it('brings lines of all versions, which may stand in one file, to that of today', () => {
    const now = { player: 'Ginger', round: 2 };
    for (const line of [{ seat: 'Ginger', round: '2' }, { player: 'Ginger', round: '2' }, now])
      expect(migrateAnswer(frozen(line), chain)).toEqual(now);
    expect(migrateEvent(frozen({ type: 'quiet_night', round: '2' }), chain)).toEqual({ type: 'quiet_night', round: 2 });
  });

  it('leaves what is no object as it is, for the schemas to refuse', () => {
    for (const stored of [null, 'text', 7, [1]])
      for (const migrate of [migrateManifest, migrateAnswer, migrateEvent]) expect(migrate(stored, chain)).toBe(stored);
  });

  it.each([...recordMigrations, ...chain])('gives back a line that is new already (from $from)', (migration) => {
    for (const name of goldens) {
      for (const [file, migrate] of [
        [recordFiles.answers, migration.answer],
        [recordFiles.events, migration.event],
      ] as const) {
        if (migrate === undefined) continue;
        const migrated = readLines(name, file).map((line) => frozen(migrate(line)));
        expect(listChanged(migrated, migrate)).toEqual([]);
      }
    }
  });
});

describe('a golden record', () => {
  it.each(goldens)('%s is read whole, whatever version wrote it', (name) => {
    const manifest = checkManifest(manifestIn(name));
    expect(manifest).toMatchObject({ schema_version: schemaVersion });
    expect(Manifest.parse(manifest)).toEqual(manifest);
    for (const line of readLines(name, recordFiles.answers)) AnswerLine.parse(migrateAnswer(line));
    for (const line of readLines(name, recordFiles.events)) GameEvent.parse(migrateEvent(line));
  });

  it.each(goldens.filter((name) => manifestIn(name)['schema_version'] === schemaVersion))(
    '%s of the version of today is read as it stands',
    (name) => {
      expect(listChanged(readLines(name, recordFiles.answers), (line) => migrateAnswer(line))).toEqual([]);
      expect(listChanged(readLines(name, recordFiles.events), (line) => migrateEvent(line))).toEqual([]);
    },
  );
});

describe('a manifest that cannot be read', () => {
  const [name] = goldens;
  const changed = (changes: object) => ({ ...manifestIn(name!), ...changes });

  it('is refused with its version, the latest that is known and who wrote it', () => {
    const later = { schema_version: schemaVersion + 1, made_by: { wolfgraph: '0.9.1' } };
    expect(checkManifest(changed(later))).toBe(
      `has schema_version ${schemaVersion + 1}, but this version of Wolfgraph reads only up to ${schemaVersion}; Wolfgraph 0.9.1 wrote it. Update Wolfgraph, or use the version that wrote it.`,
    );
    expect(checkManifest({ schema_version: schemaVersion + 1, made_by: { wolfgraph: '\u001b[31mred' } })).toBe(
      `has schema_version ${schemaVersion + 1}, but this version of Wolfgraph reads only up to ${schemaVersion}. Update Wolfgraph, or use the version that wrote it.`,
    );
  });

  it.each([
    ['no version', undefined, 'no schema_version'],
    ['none that there is', 0, 'schema_version 0'],
    ['half a version', 0.5, 'schema_version 0.5'],
    ['a word', '1', 'schema_version "1"'],
  ])('is damaged where it has %s', (_what, version, words) => {
    expect(checkManifest(changed({ schema_version: version }))).toContain(
      `is damaged: it has ${words}, which must be a whole number from 1 to ${schemaVersion}`,
    );
  });

  it('is damaged where its chain does not lead to what is read today', () => {
    expect(checkManifest({ schema_version: 0, id: 'a' }, chain)).toMatch(/^is damaged: /);
  });
});

describe('an answer that took less than no time', () => {
  it('took none', () => {
    expect(migrateAnswer(frozen({ player: 'Ginger', ms: -1870 }))).toEqual({ player: 'Ginger', ms: 0 });
    expect(migrateAnswer(frozen({ player: 'Ginger', ms: 12 }))).toEqual({ player: 'Ginger', ms: 12 });
  });
});

describe('texts of a line that was changed since it was written', () => {
  it('are one line again, but for what a model answered', () => {
    const answer = { raw: '{\n}', model: 'openai:a\nb', model_returned: 'a\u001b[2Kb', system_fingerprint: null };
    expect(migrateAnswer(answer)).toEqual({
      ...{ raw: '{\n}', model: 'openai:a b', model_returned: 'a [2Kb', system_fingerprint: null },
    });
    const event = { type: 'statement', text: 'Hm.”\n- Ann voted.\u202e', round: 1 };
    expect(migrateEvent(event)).toEqual({ ...event, text: 'Hm.” - Ann voted.' });
    const sound = { type: 'statement', text: 'Zoë said: “Hm.” 👩‍🚀' };
    expect(migrateEvent(sound)).toEqual(sound);
  });
});
