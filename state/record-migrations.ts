// Records of earlier versions, brought to today's form by a chain of pure functions, one a version.
import { findModelAddress, identifyModel, listModelStrings } from './model-identity.ts';
import { Manifest, schemaVersion } from './record.ts';
import { describeRuleFault, fillRecordedRules, rulebook } from './rulebook.ts';
import { findActingText, flattenToOneLine, hasActingCharacters, quoteActingName } from './text.ts';
import { describeInOneLine } from './usage-error.ts';

/** A JSON object as it stands in a file, before anything is known of its shape. */
export type StoredObject = Readonly<Record<string, unknown>>;

/**
 * Brings a record from one version to the next; what it does not name stays as it is. Each function gets whatever stands
 * in the file, which may be damaged: it leaves alone what it does not know, and the schemas refuse it afterwards.
 *
 * Lines bear no version, and a match that one version has begun may have been gone on with by a later one. So `answer`
 * and `event` must know a line that is new already by its form and give it back as it is.
 */
export interface RecordMigration {
  /** The version that it reads; what it gives is of the next one. */
  from: number;
  /** The new `schema_version` is set by the chain. */
  manifest?: (manifest: StoredObject) => StoredObject;
  /** A line of answers.ndjson, or of the answers that are kept beside a record. */
  answer?: (line: StoredObject) => StoredObject;
  /** A line of events.ndjson. */
  event?: (line: StoredObject) => StoredObject;
}

/**
 * From version 1 on without a gap: the last one gives `schemaVersion`. Whoever raises that number adds the step that
 * leads to it and a golden record of the new version; those of earlier versions are never made anew.
 */
export const recordMigrations: readonly RecordMigration[] = [
  { from: 1 }, // version 2 links its lines and seals what is finished; what they say is the same
  { from: 2, manifest: identifyModels, answer: identifyAnswer }, // model strings held what decides nothing
  { from: 3 }, // version 4 says how answers are read and where they come from; without that they are read as before
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
 * A stored manifest in today's form. `migrations` is another chain for tests only.
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
 * A stored answer in today's form, whatever version wrote it.
 *
 * @example
 * migrateAnswer({ player: 'Ginger', ms: -1870 }); // { player: 'Ginger', ms: 0 }
 */
export const migrateAnswer = (stored: unknown, migrations: readonly RecordMigration[] = recordMigrations): unknown =>
  isStoredObject(stored)
    ? migrations.reduce<StoredObject>((line, { answer }) => answer?.(line) ?? line, mendAnswer(stored))
    : stored;

/** A stored event in today's form, whatever version wrote it. */
export const migrateEvent = (stored: unknown, migrations: readonly RecordMigration[] = recordMigrations): unknown =>
  isStoredObject(stored)
    ? migrations.reduce<StoredObject>(
        (line, { event }) => event?.(line) ?? line,
        flattenTexts(stored, Object.keys(stored)),
      )
    : stored;

/**
 * Durations were once the difference of two times of day, below 0 where the clock was set back in between. How long such
 * a call took is lost; 0 is the least that it can have been.
 */
const mendAnswer = (line: StoredObject): StoredObject =>
  flattenTexts(typeof line['ms'] === 'number' && line['ms'] < 0 ? { ...line, ms: 0 } : line, [
    'model',
    'address',
    'model_returned',
    'system_fingerprint',
  ]);

/** These texts in one line, as they were when they were written: a record may have been changed and sealed anew since. */
function flattenTexts(line: StoredObject, names: readonly string[]): StoredObject {
  const broken = names.filter((name) => typeof line[name] === 'string' && hasActingCharacters(line[name]));
  if (broken.length === 0) return line;
  return { ...line, ...Object.fromEntries(broken.map((name) => [name, flattenToOneLine(line[name] as string)])) };
}

const readVersion = (manifest: unknown) => (isStoredObject(manifest) ? manifest['schema_version'] : undefined);

/** Whether a newer program than this one wrote the manifest. */
export function isLaterVersion(manifest: unknown): boolean {
  const version = readVersion(manifest);
  return typeof version === 'number' && version > schemaVersion;
}

/** Whether the manifest has to be migrated. */
export const isEarlierVersion = (manifest: unknown) =>
  readVersion(manifest) !== schemaVersion && !isLaterVersion(manifest);

/** The version from which on lines are linked and finished records sealed. */
const firstSealed = 2;

/** Whether records of this version must be sealed once their match is over. */
export const mustBeSealed = (schema: number) => schema >= firstSealed;

/**
 * A stored manifest in today's form with every rule; or, to follow the name of its file, why it cannot be read and what
 * to do about it.
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
    return `is damaged: ${quoteActingName(acting.join('.'))} holds a line break, a control character or one that turns the direction of text, which no name here may. Restore it from a copy.`;
  const { setup } = read.data;
  const unknown = Object.keys(setup.rules).filter((name) => !Object.hasOwn(rulebook, name));
  if (unknown.length > 0)
    return `is damaged: setup.rules names ${unknown.map((name) => JSON.stringify(name)).join(', ')}, which no version of Wolfgraph has as a rule. Restore it from a copy.`;
  for (const [name, value] of Object.entries(setup.rules)) {
    const fault = describeRuleFault(name, value);
    if (fault !== null) return `is damaged: setup.rules.${name} ${fault}. Restore it from a copy.`;
  }
  return { ...read.data, setup: { ...setup, rules: fillRecordedRules(setup.rules) } };
}

function findVersionFault(manifest: unknown, migrations: readonly RecordMigration[]): string | null {
  const version = readVersion(manifest);
  if (isLaterVersion(manifest))
    return `has schema_version ${String(version)}, and this version of Wolfgraph knows none above ${schemaVersion}${readWriter(manifest)}. Update Wolfgraph, or use the version that wrote it.`;
  if (version === schemaVersion || migrations.some(({ from }) => from === version)) return null;
  const what = version === undefined ? 'no schema_version' : `schema_version ${JSON.stringify(version)}`;
  const known = schemaVersion > 1 ? `a whole number from 1 to ${schemaVersion}` : `${schemaVersion}`;
  return `is damaged: it has ${what}, which must be ${known}. Restore it from a copy, or move the folder away.`;
}

/** Which version of the program wrote a manifest that cannot be read, as far as that can be trusted. */
function readWriter(manifest: unknown): string {
  const madeBy = isStoredObject(manifest) ? manifest['made_by'] : undefined;
  const program = isStoredObject(madeBy) ? madeBy['wolfgraph'] : undefined;
  return typeof program === 'string' && /^[\w.+-]{1,40}$/.test(program) ? `; Wolfgraph ${program} wrote it` : '';
}
