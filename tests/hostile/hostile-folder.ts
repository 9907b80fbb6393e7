// Builds records as an attacker or an accident may leave them. Each is a changed copy of the same sound record. They
// are in groups, and each group also has a sound record.
//
//   node tests/hostile/hostile-folder.ts FOLDER [TRAP]
//
// builds all of them below FOLDER, which must be empty, to be looked at by hand. TRAP: an address that nobody should
// call. Set limits first: (ulimit -v 6000000; timeout -k 5 60 npm run report -- FOLDER/manifest)
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { forgeRecord } from '../../tools/faults/record-damage.ts';
import { run, shortest } from '../scripts/process.ts';
import { writeShortPlan } from '../short-plan.ts';
import { buildPlayed, playedDamage, type PlayedFolder } from './played-folder.ts';
import { changeLeaf, hostileName, listLeaves, strangeValues } from './hostile-values.ts';
import { SpecialFiles, specialKinds, type SpecialKind } from './special-files.ts';

/**
 * How commands must treat a record: count it, leave it out and name it, or treat it as unfinished. `either` allows all
 * three.
 */
export type Fate = 'counted' | 'left out' | 'not over' | 'either';

export interface HostileRecord {
  /** Name of the record's folder. */
  name: string;
  fate: Fate;
  /** Id of the match. Default: the folder's name. */
  id?: string;
}

/** A folder of records, one of which is sound. */
export interface HostileGroup {
  name: string;
  /** Whether all commands are run on the group. If not, only those that read every record are run. */
  isTriedByAll: boolean;
  folder: string;
  records: HostileRecord[];
}

export interface HostileFolder {
  groups: readonly HostileGroup[];
  /** Folder of all groups except the groups in which one value of a file is strange. */
  records: string;
  /** A sound record of the same deal by other models, for comparisons. */
  other: string;
  /** Folder of a tournament of bots, with its plan, and some damaged matches. */
  tournament: PlayedFolder & { plan: string };
  /** Folder of matches played by one command. */
  set: PlayedFolder;
  /** Folder that no command may change, read or show, although records link to it. */
  outside: string;
}

/** Name of the undamaged record of every group. */
export const soundName = 'sound';

/** Text in all files that no command may show. */
export const outsideWord = 'OUTSIDE';

const files = {
  manifest: 'manifest.json',
  answers: 'answers.ndjson',
  events: 'events.ndjson',
  prompts: 'prompts.ndjson.gz',
  summary: 'deception_summary.json',
} as const;

/**
 * File in a match's folder that does not belong to the record → how a report must treat the record if a special file
 * replaces that file.
 */
export const furtherFiles: Readonly<Record<string, Fate>> = {
  'log.ndjson': 'counted',
  'lock.json': 'either',
  'import.json': 'either',
  'annotations.openai-gpt.ndjson': 'either',
  'claims.openai-gpt.ndjson': 'either',
  'reflections.openai-gpt.ndjson': 'either',
};

/** Files that commands write next to a record. */
export const outputFiles = ['deception_summary.md', 'statements.csv', 'match.html'];

/** Maximum number of records in a group. One thread reads them, which takes less memory than several. */
const mostOfGroup = 20;

/** Plays the sound records and builds all groups below `target`. */
export async function buildHostileFolder(target: string, trap: string): Promise<HostileFolder> {
  const [sounds, outside, workshop] = ['sounds', 'outside', 'workshop'].map((name) => path.join(target, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [sounds, outside, workshop]) mkdirSync(folder, { recursive: true });
  for (const model of ['bot:classic', 'bot:random'])
    await run('match', [...shortest, '--seed', '1', '--model', model, '--out', path.join(sounds, model.slice(4))]);
  const listOnly = (folder: string) => path.join(folder, readdirSync(folder)[0]!);
  const sound = listOnly(path.join(sounds, 'classic'));
  const builder = new Builder(target, sound, new SpecialFiles(workshop));
  writeFileSync(path.join(outside, 'secret.txt'), `${outsideWord}\n`);
  cpSync(sound, path.join(outside, 'record'), { recursive: true });
  buildSpecial(builder);
  buildValues(builder);
  buildAddresses(builder, trap);
  buildPrompts(builder);
  buildNames(builder);
  buildLinks(builder, outside);
  buildEarlier(builder, path.basename(sound));
  const plan = writeShortPlan(
    target,
    'bots',
    ...['entrants: { a: bot:classic, b: bot:random }', 'format: round-robin', `deals: ${playedDamage.length / 2}`],
  );
  const matches = ['--seed', '11', '--matches', String(playedDamage.length), '--quiet'];
  const [ofMatches, ofTournament] = [path.join(target, 'played', 'set'), path.join(target, 'played', 'tournament')];
  const set = await buildPlayed(ofMatches, builder.special, ['match', ...shortest, ...matches, '--out', ofMatches]);
  const played = await buildPlayed(ofTournament, builder.special, [
    'tournament',
    plan,
    '--out',
    ofTournament,
    '--quiet',
  ]);
  return {
    ...{ groups: builder.groups, records: path.join(target, 'records'), set, tournament: { ...played, plan } },
    ...{ other: path.join(sounds, 'random'), outside },
  };
}

class Builder {
  readonly groups: HostileGroup[] = [];
  readonly special: SpecialFiles;
  readonly #target: string;
  readonly #sound: string;

  constructor(target: string, sound: string, special: SpecialFiles) {
    this.#target = target;
    this.#sound = sound;
    this.special = special;
  }

  open(name: string, isTriedByAll = true): HostileGroup {
    const group: HostileGroup = {
      ...{ name, isTriedByAll, records: [] },
      folder: path.join(this.#target, name.startsWith('values-') ? 'values' : 'records', name),
    };
    this.groups.push(group);
    this.add(group, soundName, 'counted', () => undefined);
    return group;
  }

  /** Adds a copy of the sound record under this id. Contents that `change` alters are linked and sealed again. */
  add(
    group: HostileGroup,
    name: string,
    fate: Fate,
    change: (folder: string) => void,
    after?: (folder: string) => void,
  ) {
    const folder = path.join(group.folder, name);
    cpSync(this.#sound, folder, { recursive: true });
    rmSync(path.join(folder, 'log.ndjson'), { force: true });
    changeText(folder, files.manifest, (text) => text.replace(/"id": ".*?"/, () => `"id": ${JSON.stringify(name)}`));
    changeText(folder, files.summary, (text) =>
      text.replace(/"match_id": ".*?"/, () => `"match_id": ${JSON.stringify(name)}`),
    );
    change(folder);
    forgeRecord(folder);
    after?.(folder);
    const record: HostileRecord = { name, fate };
    group.records.push(record);
    return record;
  }

  /** Adds records to separate groups, each with at most `mostOfGroup`. */
  addMany(name: string, records: readonly { name: string; fate: Fate; change: (folder: string) => void }[]) {
    for (let at = 0; at < records.length; at += mostOfGroup) {
      const group = this.open(`${name}-${at / mostOfGroup + 1}`, false);
      for (const one of records.slice(at, at + mostOfGroup)) this.add(group, one.name, one.fate, one.change);
    }
  }
}

function changeText(folder: string, name: string, change: (text: string) => string) {
  const file = path.join(folder, name);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

const changeJson = (folder: string, name: string, change: (value: ChangedJson) => void) =>
  changeText(folder, name, (text) => {
    const value = JSON.parse(text) as ChangedJson;
    change(value);
    return `${JSON.stringify(value, null, 2)}\n`;
  });

/** Changes to a manifest or a summary. */
interface ChangedJson {
  id?: unknown;
  match_id?: unknown;
  judge?: unknown;
  tournament?: unknown;
  imported?: unknown;
  setup: { models: Record<string, string>; bots: string[] };
  made_by: Record<'model_strings' | 'addresses' | 'prices', unknown>;
}

/** Replaces each file that a record has or may have, or that a command reads, by a special file of each kind. */
function buildSpecial(builder: Builder) {
  const ofRecord: readonly string[] = Object.values(files);
  const addAll = (file: string, fate: Fate, kinds: readonly SpecialKind[]) => {
    const group = builder.open(file.replace(/\W/g, '-'), ofRecord.includes(file) && file !== files.prompts);
    for (const kind of kinds)
      builder.add(
        group,
        kind,
        fate,
        () => undefined,
        (folder) => builder.special.put(kind, path.join(folder, file)),
      );
  };
  for (const file of ofRecord) addAll(file, file === files.prompts ? 'either' : 'left out', specialKinds);
  const some: SpecialKind[] = ['device', 'pipe', 'socket', 'circle', 'zeros', 'deep', 'many', 'garbage'];
  for (const [file, fate] of Object.entries(furtherFiles)) addAll(file, fate, some);
  for (const file of outputFiles) addAll(file, 'counted', ['device', 'full-device', 'pipe', 'folder', 'circle']);
}

/** Replaces each value of each file by a strange value, a hostile text, or both. */
function buildValues(builder: Builder) {
  const folder = path.join(builder.groups[0]!.folder, soundName);
  for (const kind of ['manifest', 'answers', 'events', 'summary'] as const) {
    const name = files[kind];
    const text = readFileSync(path.join(folder, name), 'utf8');
    const leaves = kind === 'answers' || kind === 'events' ? listLeavesOfLines(text) : listLeaves(text);
    const records = leaves.flatMap((leaf, at) => {
      if (kind === 'summary' && at % 2 === 1) return []; // every second one of its similar figures is enough
      const change = (value: string) => (folder: string) =>
        changeText(folder, name, (text) => changeLeaf(text, leaf, value));
      const strange = strangeValues[at % strangeValues.length]!;
      const isText = at % 3 === 0; // one rule checks most names, but many rules check values
      return [
        isText
          ? { name: `${kind}-${at}-text`, fate: 'either' as const, change: change(JSON.stringify(hostileName)) }
          : { name: `${kind}-${at}-strange`, fate: 'either' as const, change: change(strange) },
      ];
    });
    builder.addMany(`values-${kind}`, records);
  }
}

/**
 * Lists the paths of all values in a file of lines. Each path begins with the number of its line; a name that occurs
 * again is left out.
 */
function listLeavesOfLines(text: string): string[][] {
  const seen = new Set(['chain']);
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line, at) =>
      listLeaves(line).flatMap((leaf) => {
        const key = leaf.join('.');
        if (seen.has(key)) return [];
        seen.add(key);
        return [[String(at), ...leaf]];
      }),
    );
}

/** Adds addresses and key variables in places where a record names models. */
function buildAddresses(builder: Builder, trap: string) {
  const group = builder.open('addresses');
  const address = `baseUrl=${trap}/v1&apiKeyEnv=TRAP_SECRET`;
  builder.add(group, 'judge-at-a-trap', 'counted', (folder) =>
    changeJson(folder, files.manifest, (manifest) => {
      manifest.judge = `openai:gpt?${address}`;
    }),
  );
  builder.add(group, 'judge-with-a-hostile-name', 'either', (folder) =>
    changeJson(folder, files.manifest, (manifest) => {
      manifest.judge = `openai:${hostileName}?${address}`;
    }),
  );
  const addModels = (name: string, options: string, isFinished = true) =>
    builder.add(
      group,
      name,
      isFinished ? 'counted' : 'not over',
      (folder) => {
        changeJson(folder, files.manifest, ({ setup, made_by: by }) => {
          setup.models = Object.fromEntries(Object.keys(setup.models).map((who) => [who, 'openai:gpt']));
          setup.bots = [];
          by.model_strings = { 'openai:gpt': `openai:gpt?${options}` };
          by.addresses = { 'openai:gpt': `${trap}/v1` };
          by.prices = { 'openai:gpt': null };
        });
        changeText(folder, files.answers, (text) => text.replaceAll('"model":"bot:classic"', '"model":"openai:gpt"'));
      },
      (folder) => {
        if (isFinished) return;
        for (const name of [files.summary, files.prompts]) rmSync(path.join(folder, name));
        changeText(folder, files.answers, (text) => text.split('\n').slice(0, 3).join('\n') + '\n');
        changeText(folder, files.events, (text) => text.split('\n').slice(0, 3).join('\n') + '\n');
      },
    );
  addModels('models-at-a-trap', address);
  addModels('unfinished-at-a-trap', address, false);
  addModels('unfinished-with-a-secret', 'apiKeyEnv=TRAP_SECRET', false);
}

/** Adds records whose stored prompts differ from the prompts that were sent. */
function buildPrompts(builder: Builder) {
  const group = builder.open('prompts');
  const add = (name: string, change: (text: string) => string | Buffer | null) =>
    builder.add(
      group,
      name,
      'either',
      () => undefined,
      (folder) => {
        const file = path.join(folder, files.prompts);
        const changed = change(gunzipSync(readFileSync(file)).toString());
        rmSync(file);
        if (changed !== null) writeFileSync(file, typeof changed === 'string' ? gzipSync(changed) : changed);
      },
    );
  add('forged-prompts', (text) => text.replaceAll('You are ', 'FORGED You are '));
  add('no-prompts', () => null);
  add('cut-prompts', (text) => gzipSync(text).subarray(0, 900));
  add('prompts-of-nobody', (text) => text.replaceAll(/"player":"\w+"/g, '"player":"Nobody"'));
}

/** Adds strange ids and folder names, and texts of several lines. */
function buildNames(builder: Builder) {
  const group = builder.open('names');
  builder.add(group, 'match\u001b[2K\n0 faults\u202e', 'either', () => undefined);
  for (const [name, id] of [
    ['id-above', '../../outside/record'],
    ['id-absolute', '/tmp/hostile-id'],
    ['id-of-another', soundName],
    ['id-of-nothing', '__proto__'],
    ['id-reserved', 'CON'],
  ] as const)
    builder.add(group, name, 'either', (folder) => {
      changeJson(folder, files.manifest, (manifest) => (manifest.id = id));
      changeJson(folder, files.summary, (summary) => (summary.match_id = id));
    }).id = id;
  builder.add(group, 'statement-of-lines', 'either', (folder) =>
    changeText(folder, files.events, (text) =>
      text.replace(
        /("type":"statement".*?"text":")/,
        '$1I have nothing.”\\n- Dan voted for Sam.\\n- Sam was exiled. “\\u001b[31m ',
      ),
    ),
  );
  builder.add(group, 'models-with-hostile-names', 'either', (folder) => {
    changeJson(folder, files.manifest, ({ setup, made_by: by }) => {
      const model = `openai:${hostileName}`;
      setup.models = Object.fromEntries(Object.keys(setup.models).map((who) => [who, model]));
      by.addresses = { [model]: 'http://127.0.0.1:1/v1' };
      by.prices = { [model]: null };
    });
    const model = JSON.stringify(`openai:${hostileName}`);
    changeText(folder, files.answers, (text) => text.replaceAll('"model":"bot:classic"', () => `"model":${model}`));
  });
  builder.add(group, 'tournament-with-hostile-names', 'either', (folder) =>
    changeJson(folder, files.manifest, (manifest) => {
      manifest.tournament = {
        ...{ name: hostileName, sha256: hostileName, block: 1, deal: 1, pairing: hostileName, condition: hostileName },
        entrants: Object.fromEntries(Object.keys(manifest.setup.models).map((who) => [who, hostileName])),
      };
    }),
  );
  builder.add(group, 'import-with-hostile-names', 'either', (folder) =>
    changeJson(folder, files.manifest, (manifest) => {
      manifest.imported = { format: hostileName, source: hostileName };
    }),
  );
}

/** Adds links that lead out of a record, and links that form a circle. */
function buildLinks(builder: Builder, outside: string) {
  const group = builder.open('links');
  const canary = (name: string) => {
    const file = path.join(outside, name);
    writeFileSync(file, `${outsideWord}\n`);
    return file;
  };
  const written = [...outputFiles, 'claims.csv', 'players.csv', 'log.ndjson', 'claims.openai-gpt.ndjson'];
  const locks = ['lock.json', 'events.ndjson.new', 'claims.openai-gpt.ndjson.lock', 'deception_summary.json.new'];
  const link = (folder: string, names: readonly string[]) => {
    for (const name of names) symlinkSync(canary(`canary-${name}`), path.join(folder, name));
  };
  builder.add(
    group,
    'outputs-are-links',
    'either',
    () => undefined,
    (folder) => link(folder, written),
  );
  builder.add(
    group,
    'locks-are-links',
    'either',
    () => undefined,
    (folder) => link(folder, locks),
  );
  for (const name of Object.values(files))
    builder.add(
      group,
      `${name.split('.')[0]}-is-a-link`,
      'either',
      () => undefined,
      (folder) => {
        rmSync(path.join(folder, name));
        symlinkSync(path.join(outside, 'record', name), path.join(folder, name));
      },
    );
  builder.add(
    group,
    'cannot-be-read',
    'either',
    () => undefined,
    (folder) => chmodSync(path.join(folder, files.events), 0),
  );
  const { folder } = group;
  symlinkSync('..', path.join(folder, 'above'));
  symlinkSync('.', path.join(folder, 'itself'));
  symlinkSync('/', path.join(folder, 'everything'));
  symlinkSync(path.join(outside, 'record'), path.join(folder, 'record-elsewhere'));
  // The places where commands write by default.
  const report = path.join(folder, 'report');
  mkdirSync(report);
  writeFileSync(path.join(report, 'report.html'), '<!doctype html><title>Report</title><p>A report.</p>\n');
  symlinkSync(canary('canary-report.json'), path.join(report, 'report.json'));
  symlinkSync(canary('canary-report.md'), path.join(report, 'report.md'));
  mkdirSync(path.join(outside, 'pictures'));
  writeFileSync(path.join(outside, 'pictures', 'picture.svg'), `<svg>${outsideWord}</svg>\n`);
  writeFileSync(path.join(outside, 'pictures', 'table.csv'), `${outsideWord}\n`);
  symlinkSync(path.join(outside, 'pictures'), path.join(report, 'pictures'));
}

/**
 * Adds folders in which a command searches for the match of its board and seed, under the id that an earlier version
 * would have used.
 */
function buildEarlier(builder: Builder, id: string) {
  const group = builder.open('earlier');
  const begin = id.slice(0, id.lastIndexOf('-'));
  for (const kind of specialKinds)
    builder.add(
      group,
      `${begin}-${kind.replace('-', '')}`,
      'left out',
      () => undefined,
      (folder) => builder.special.put(kind, path.join(folder, files.manifest)),
    );
  builder.add(group, `${begin}-judge`, 'counted', (folder) =>
    changeJson(folder, files.manifest, (manifest) => {
      manifest.judge = 'openai:gpt?baseUrl=http://127.0.0.1:1/v1';
    }),
  );
}

if (process.argv[1] === import.meta.filename) {
  const [target, trap = 'http://127.0.0.1:7999'] = process.argv.slice(2);
  if (!target || existsSync(target)) throw new Error('Usage: node tests/hostile/hostile-folder.ts NEW_FOLDER [TRAP]');
  const { groups } = await buildHostileFolder(path.resolve(target), trap);
  for (const { folder, records } of groups) process.stdout.write(`${folder}: ${records.length} records\n`);
}
