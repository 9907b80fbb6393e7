// Migration of earlier records to the current form: a chain of pure functions, one for each version.
import { findModelAddress, identifyModel, listModelStrings } from './model-identity.ts';
import { Manifest, schemaVersion } from './record.ts';
import { describeRuleFault, fillRecordedRules, rulebook } from './rulebook.ts';
import { findActingText, flattenToOneLine, hasActingCharacters, quoteActingName } from './text.ts';
import { describeInOneLine } from './usage-error.ts';

/** A JSON object as read from a file, not yet validated. */
export type StoredObject = Readonly<Record<string, unknown>>;

/**
 * Migrates a record from one version to the next. A kind of content without a function (manifest, answers or events)
 * stays unchanged. Each function gets the file's content, which may be damaged. It leaves unknown content alone, and
 * the schemas reject it afterwards.
 *
 * Lines carry no version, and a later version may have resumed a match that an earlier version began. `answer` and
 * `event` must therefore recognize a line of the new version by its form, and return such a line unchanged.
 */
export interface RecordMigration {
  /** Version of the records that the migration reads. The result has the next version. */
  from: number;
  /** Migrates the manifest. Must not set `schema_version`, because the chain of migrations sets it. */
  manifest?: (manifest: StoredObject) => StoredObject;
  /** Migrates a line of answers.ndjson, or one of the cached answers beside a record. */
  answer?: (line: StoredObject) => StoredObject;
  /** Migrates a line of events.ndjson. */
  event?: (line: StoredObject) => StoredObject;
}

/**
 * Migrations from version 1 on, without a gap. The last one leads to `schemaVersion`. If you raise that number, add a
 * migration and a golden record of the new version. Golden records of earlier versions are never regenerated.
 */
export const recordMigrations: readonly RecordMigration[] = [
  { from: 1 }, // version 2 adds a hash chain and seals finished records; their content is the same
  { from: 2, manifest: identifyModels, answer: identifyAnswer }, // earlier model strings held options that do not affect answers
  { from: 3 }, // version 4 stores how answers are parsed and where they come from; without it the old parser is used
];

function isStoredObject(stored: unknown): stored is StoredObject {
  return typeof stored === 'object' && stored !== null && !Array.isArray(stored);
}

const isTextMap = (value: unknown): value is Record<string, string> =>
  isStoredObject(value) && Object.values(value).every((text) => typeof text === 'string');

function identifyModels(manifest: StoredObject): StoredObject {
  const { setup, made_by: madeBy } = manifest;
  if (!isStoredObject(setup) || !isStoredObject(madeBy) || !isTextMap(setup['models'])) return manifest;
  const { models } = setup;
  const { prices } = madeBy;
  const identify = ([name, text]: [string, string]): [string, string] => [name, identifyModel(text)];
  return {
    ...manifest,
    setup: { ...setup, models: Object.fromEntries(Object.entries(models).map(identify)) },
    made_by: {
      ...madeBy,
      ...listModelStrings(Object.values(models)),
      ...(isStoredObject(prices)
        ? { prices: Object.fromEntries(Object.entries(prices).map(([text, price]) => [identifyModel(text), price])) }
        : {}),
    },
  };
}

function identifyAnswer(line: StoredObject): StoredObject {
  const { model } = line;
  if (typeof model !== 'string' || identifyModel(model) === model) return line;
  const address = findModelAddress(model);
  return { ...line, model: identifyModel(model), ...(address === undefined ? {} : { address }) };
}

/**
 * Returns a stored manifest in the current form. Only tests pass another chain of `migrations`.
 *
 * @example
 * migrateManifest({ schema_version: 1, id: 'seed-1' }).schema_version; // `schemaVersion`
 */
export function migrateManifest(stored: unknown, migrations: readonly RecordMigration[] = recordMigrations): unknown {
  if (!isStoredObject(stored)) return stored;
  return migrations
    .filter(({ from }) => from >= Number(stored['schema_version']))
    .reduce<StoredObject>(
      (manifest, { from, manifest: migrate }) => ({ ...(migrate?.(manifest) ?? manifest), schema_version: from + 1 }),
      stored,
    );
}

/**
 * Returns a stored answer of any version in the current form.
 *
 * @example
 * migrateAnswer({ player: 'Ginger', ms: -1870 }); // { player: 'Ginger', ms: 0 }
 */
export const migrateAnswer = (stored: unknown, migrations: readonly RecordMigration[] = recordMigrations): unknown =>
  isStoredObject(stored)
    ? migrations.reduce<StoredObject>((line, { answer }) => answer?.(line) ?? line, mendAnswer(stored))
    : stored;

/** Returns a stored event of any version in the current form. */
export const migrateEvent = (stored: unknown, migrations: readonly RecordMigration[] = recordMigrations): unknown =>
  isStoredObject(stored)
    ? migrations.reduce<StoredObject>(
        (line, { event }) => event?.(line) ?? line,
        flattenTexts(stored, Object.keys(stored)),
      )
    : stored;

/**
 * Corrects negative durations, and flattens texts to one line. Early versions measured durations by the time of day, so
 * a duration is negative if the clock was set back in the meantime. The true value is lost; 0 is the smallest possible
 * value.
 */
const mendAnswer = (line: StoredObject): StoredObject =>
  flattenTexts(typeof line['ms'] === 'number' && line['ms'] < 0 ? { ...line, ms: 0 } : line, [
    'model',
    'address',
    'model_returned',
    'system_fingerprint',
  ]);

/**
 * Flattens the named texts to one line each, as the program wrote them. A record that was edited and sealed again may
 * have line breaks in them.
 */
function flattenTexts(line: StoredObject, names: readonly string[]): StoredObject {
  const broken = names.filter((name) => typeof line[name] === 'string' && hasActingCharacters(line[name]));
  if (broken.length === 0) return line;
  return { ...line, ...Object.fromEntries(broken.map((name) => [name, flattenToOneLine(line[name] as string)])) };
}

const readVersion = (manifest: unknown) => (isStoredObject(manifest) ? manifest['schema_version'] : undefined);

/** Returns whether a newer program than this one wrote the manifest. */
export function isLaterVersion(manifest: unknown): boolean {
  const version = readVersion(manifest);
  return typeof version === 'number' && version > schemaVersion;
}

/** Returns whether the manifest has to be migrated. */
export const isEarlierVersion = (manifest: unknown) =>
  readVersion(manifest) !== schemaVersion && !isLaterVersion(manifest);

/** First version whose lines are linked and whose finished records are sealed. */
const firstSealed = 2;

/** Returns whether finished records of this version must be sealed. */
export const mustBeSealed = (schema: number) => schema >= firstSealed;

/**
 * Returns a stored manifest in the current form, with every rule. If it cannot be read, returns the reason and what to
 * do, as a text that follows the file's name.
 */
export function checkManifest(
  stored: unknown,
  migrations: readonly RecordMigration[] = recordMigrations,
): Manifest | string {
  const fault = findVersionFault(stored, migrations);
  if (fault !== null) return fault;
  const read = Manifest.safeParse(migrateManifest(stored, migrations));
  if (!read.success) return `is damaged: ${describeInOneLine(read.error)}. Restore it from a copy.`;
  const { honesty_sentence: sentence, players, ...texts } = read.data.setup;
  void sentence;
  const names = players.map(({ name, role, team }) => ({ name, role, team })); // personas may have several lines
  const acting = findActingText({ ...read.data, setup: { ...texts, players: names } });
  if (acting !== null)
    return `is damaged: ${quoteActingName(acting.join('.'))} holds a line break, a control character or a character that changes the direction of text, which names must not contain. Restore it from a copy.`;
  const { setup } = read.data;
  const unknown = Object.keys(setup.rules).filter((name) => !Object.hasOwn(rulebook, name));
  if (unknown.length > 0)
    return `is damaged: setup.rules names ${unknown.map((name) => JSON.stringify(name)).join(', ')}, which are not rules of any version of Wolfgraph. Restore it from a copy.`;
  for (const [name, value] of Object.entries(setup.rules)) {
    const fault = describeRuleFault(name, value);
    if (fault !== null) return `is damaged: setup.rules.${name} ${fault}. Restore it from a copy.`;
  }
  return { ...read.data, setup: { ...setup, rules: fillRecordedRules(setup.rules) } };
}

function findVersionFault(manifest: unknown, migrations: readonly RecordMigration[]): string | null {
  const version = readVersion(manifest);
  if (isLaterVersion(manifest))
    return `has schema_version ${String(version)}, but this version of Wolfgraph reads only up to ${schemaVersion}${readWriter(manifest)}. Update Wolfgraph, or use the version that wrote it.`;
  if (version === schemaVersion || migrations.some(({ from }) => from === version)) return null;
  const what = version === undefined ? 'no schema_version' : `schema_version ${JSON.stringify(version)}`;
  const known = schemaVersion > 1 ? `a whole number from 1 to ${schemaVersion}` : `${schemaVersion}`;
  return `is damaged: it has ${what}, which must be ${known}. Restore it from a copy, or move the folder away.`;
}

/**
 * Names the version of Wolfgraph that wrote an unreadable manifest. Empty if the manifest has no well-formed version.
 */
function readWriter(manifest: unknown): string {
  const madeBy = isStoredObject(manifest) ? manifest['made_by'] : undefined;
  const program = isStoredObject(madeBy) ? madeBy['wolfgraph'] : undefined;
  return typeof program === 'string' && /^[\w.+-]{1,40}$/.test(program) ? `; Wolfgraph ${program} wrote it` : '';
}
