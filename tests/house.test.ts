// The house rules: layers and folders import only downward, pure layers stay pure, roles are named only in their own
// files, exported types and functions have unique names, and files state their purpose. The rule that exported
// functions begin with a verb is in `eslint.config.mjs`.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { findPlaces, mutations } from '../tools/mutate/mutations.ts';
import { packagedFolders } from '../scripts/report/measurement-cache.ts';
import { roles } from '../state/roles/index.ts';
import {
  findCircle,
  findCommandNames,
  findImpurities,
  findNames,
  findNewPatterns,
  listExportedFunctions,
  listExportedTypes,
  listImports,
  listSpecifiers,
  sourceFiles,
} from './source-files.ts';

/** The top-level folders, from the lowest, each with the folders that it may import besides itself. */
const layers: Readonly<Record<string, readonly string[]>> = {
  state: [],
  prompts: ['state'],
  deception: ['state'],
  models: ['prompts', 'state'],
  nodes: ['models', 'deception', 'prompts', 'state'],
  graph: ['nodes', 'models', 'deception', 'prompts', 'state'],
  report: ['deception', 'prompts', 'state'],
  scripts: ['report', 'graph', 'nodes', 'models', 'deception', 'prompts', 'state'],
  tools: ['scripts', 'report', 'graph', 'nodes', 'models', 'deception', 'prompts', 'state'],
};

/** The folders inside each layer, from the lowest. A folder may import those listed before it. */
const inside: Readonly<Record<string, readonly string[]>> = {
  state: ['rules', 'roles', 'steps'],
  prompts: [],
  deception: [
    ...['statistics', 'record', 'design', 'play'],
    ...['knowledge', 'claims', 'experience', 'tables'],
    ...['metrics', 'baseline', 'forks', 'summary', 'comparison'],
    ...['tournament-plan', 'ratings', 'tournament', 'answers', 'bank'],
  ],
  models: ['machine', 'bots', 'human', 'providers', 'record'],
  nodes: [],
  graph: ['annotation', 'experience', 'import', 'pool', 'fork', 'tournament', 'queue'],
  report: ['pictures', 'viewer', 'seat', 'papers'],
  scripts: [
    'command',
    'console',
    'people',
    'study',
    'run',
    'validate',
    'verify',
    'redact',
    'view',
    'report',
    'compare',
    'fork',
    'plan',
    'pool',
    'export',
  ],
  tools: ['bench', 'docs', 'faults', 'mutate', 'validate'],
};

it('each layer but tools is in the hash that tells caches which program they belong to', () => {
  expect([...packagedFolders, 'tools'].sort()).toEqual(Object.keys(layers).sort());
});

/** Layers in which every file is in a folder. */
const withoutOwnFiles = ['deception'];

const getLayer = (file: string) => file.split('/')[0]!;
/** Returns the folder of a file inside its layer; null for a file directly in the layer. */
const getFolder = (file: string) => (file.split('/').length > 2 ? file.split('/')[1]! : null);
const product = sourceFiles.filter(({ file }) => getLayer(file) !== 'tests');
const listArrows = (layer: string) =>
  product
    .filter(({ file }) => getLayer(file) === layer)
    .flatMap((source) => listImports(source).map((imported) => ({ from: source.file, to: imported })));
const formatArrow = ({ from, to }: { from: string; to: string }) => `${from} imports ${to}`;
const roleNames = [...roles.keys()];

describe('the layers', () => {
  it('are all the folders there are', () => {
    expect([...new Set(product.map(({ file }) => getLayer(file)))].sort()).toEqual(Object.keys(layers).sort());
  });

  it.each(Object.entries(layers))('%s imports nothing of ours but from itself and %j', (layer, below) => {
    const upward = listArrows(layer).filter(({ to }) => ![layer, ...below].includes(getLayer(to)));
    expect(upward.map(formatArrow)).toEqual([]);
  });

  it.each(Object.keys(layers))('%s has a place for each folder inside it, and for no other', (layer) => {
    const own = product.filter(({ file }) => getLayer(file) === layer).map(({ file }) => getFolder(file));
    expect([...new Set(own.filter((folder) => folder !== null))].sort()).toEqual([...inside[layer]!].sort());
  });

  it.each(Object.entries(inside))('inside %s, a folder imports only those before it: %j', (layer, order) => {
    const upward = listArrows(layer)
      .map((arrow) => ({ ...arrow, places: [getFolder(arrow.from), getFolder(arrow.to)] }))
      .filter(({ to, places }) => getLayer(to) === layer && places.every((folder) => folder !== null))
      .filter(({ places: [from, to] }) => order.indexOf(to!) > order.indexOf(from!));
    expect(upward.map(formatArrow)).toEqual([]);
  });

  it.each(Object.keys(layers))('inside %s, no folder imports a file beside it that needs the folder', (layer) => {
    const name = (file: string) => file.split('/').slice(0, 2).join('/');
    const arrows = listArrows(layer).filter(({ from, to }) => getLayer(to) === layer && name(from) !== name(to));
    const own = Map.groupBy(arrows, ({ from }) => name(from));
    expect(findCircle(new Map([...own].map(([from, some]) => [from, some.map(({ to }) => name(to))])))).toBeNull();
  });

  it.each(withoutOwnFiles)('%s has all its files in folders', (layer) => {
    const loose = product.filter(({ file }) => getLayer(file) === layer && getFolder(file) === null);
    expect(loose.map(({ file }) => file)).toEqual([]);
  });

  it('import files that are there', () => {
    const known = new Set(sourceFiles.map(({ file }) => file));
    const lost = sourceFiles.flatMap((source) =>
      listImports(source)
        .filter((imported) => imported.endsWith('.ts') && !known.has(imported))
        .map((imported) => `${source.file} imports ${imported}`),
    );
    expect(lost).toEqual([]);
  });

  it('have no circle among their files, types included', () => {
    expect(findCircle(new Map(sourceFiles.map((source) => [source.file, listImports(source)])))).toBeNull();
  });
});

describe('the pure layers', () => {
  const pure = product.filter(({ file }) => ['state', 'prompts', 'deception'].includes(getLayer(file)));

  it('wait for nothing and know no clock, no chance and no process', () => {
    const impure = pure.flatMap(({ file, text }) => findImpurities(text).map((what) => `${file}: ${what}`));
    expect(impure).toEqual([]);
  });
});

describe('all code', () => {
  it('has no regular expression that Node 22 cannot read', () => {
    const found = sourceFiles.flatMap(({ file, text }) => findNewPatterns(text).map((what) => `${file}: ${what}`));
    expect(found.filter((line) => !line.startsWith('tests/house.test.ts'))).toEqual([]);
  });
});

describe('a command of ours', () => {
  /** Files that name commands by hand, each with the reason. */
  const exceptions: Readonly<Record<string, string>> = {
    'state/command-name.ts': 'is what messages name them by',
    'state/command-in-file.ts': 'is what reports and pages name them by',
    'scripts/wolfgraph.ts': 'is reached by the name wolfgraph alone',
  };

  it('is named by state/command-name.ts or command-in-file.ts, so that a reader can type it', () => {
    const shared = product.filter(({ file }) => getLayer(file) !== 'tools' && !Object.hasOwn(exceptions, file));
    const named = shared.flatMap(({ file, text }) => findCommandNames(text).map((name) => `${file}: ${name}`));
    expect(named).toEqual([]);
  });
});

describe('a thread of a command', () => {
  it('names commands as its process does', () => {
    const threads = product.filter(({ file, text }) => file.startsWith('scripts/') && text.includes('isMainThread'));
    expect(threads.length).toBeGreaterThan(1);
    const untold = threads.filter(({ text }) => !text.includes("import '../command/start-prefix.ts';"));
    expect(untold.map(({ file }) => file)).toEqual([]);
  });
});

describe('a dependency that docs/development.md justifies', () => {
  it('is there', () => {
    const page = readFileSync('docs/development.md', 'utf8');
    const section = page.split('\n## ').find((part) => part.startsWith('Dependencies with one maintainer'))!;
    const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].map(([, cell]) => cell!);
    const named = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
      readFileSync('package.json', 'utf8'),
    ) as Record<string, Record<string, string>>;
    const known = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe('what keeps records', () => {
  /** Files that may use the machine directly, each with the reason. */
  const exceptions: Readonly<Record<string, string>> = {
    'models/machine/': 'is what all others reach them through',
    'report/viewer/viewer-app.ts': 'runs in a browser',
    'report/seat/seat-app.ts': 'runs in a browser',
    'tools/bench': 'measures this machine',
    'tools/docs.ts': 'writes the project itself anew',
    'scripts/doctor.ts': 'asks how much room the disk has, which no match needs to know',
    'tools/mutate': 'changes the project itself',
    'scripts/studio.ts': "prepares a folder for another program, LangGraph's server",
    'scripts/report/measurement-cache.ts': 'knows files of a cache by more than the machine tells',
    'tools/validate/validation-cache.ts': 'lists the sources of the project itself',
    'scripts/report/table-files.ts': 'the library for Parquet writes files itself',
  };
  const direct =
    /from 'node:(fs|fs\/promises|child_process)'|\b(performance\.|setTimeout|setInterval)\b|Date\.now\(|new Date\(\)/;
  /** Functions that open a file, or decompress without a limit. */
  const opening =
    /\b(readFileSync|readFile|openSync|createReadStream|openAsBlob|readSync)\b|\b(gunzip|inflate(Raw)?|brotliDecompress|zstdDecompress)(Sync)?\(|\bunzipSync\b|\bcreate(G?unzip|Inflate\w*|BrotliDecompress|ZstdDecompress)\b/i;
  /** Files that may use these functions, each with the reason. */
  const openers: Readonly<Record<string, string>> = {
    'tools/bench': 'reads what it has just written itself',
    'tools/docs.ts': 'reads the project itself',
    'tools/faults': 'reads what it has just played itself',
    'tools/mutate': 'reads the project itself',
    'scripts/studio.ts': 'reads a file of the project itself',
  };
  const dropComments = (text: string) => text.replace(/^\s*(\/\/|\/?\*).*$/gm, '');
  const reaching = product.filter(({ text }) => direct.test(dropComments(text))).map(({ file }) => file);

  it('reaches files, time and processes through models/machine/ alone, with all that plays and reads matches', () => {
    const isExcepted = (file: string) => Object.keys(exceptions).some((place) => file.startsWith(place));
    expect(reaching.filter((file) => !isExcepted(file))).toEqual([]);
  });

  it('opens and unpacks files in models/machine/ alone, with its checks and limits', () => {
    const isAllowed = (file: string) =>
      file.startsWith('models/machine/') || Object.keys(openers).some((place) => file.startsWith(place));
    const found = product.filter(({ text }) => opening.test(dropComments(text).replaceAll(/^import .*$/gm, '')));
    expect(found.map(({ file }) => file).filter((file) => !isAllowed(file))).toEqual([]);
    const isNeeded = (place: string) => found.some(({ file }) => file.startsWith(place));
    expect(Object.keys(openers).filter((place) => !isNeeded(place))).toEqual([]);
  });

  it('has no exception that none needs any more', () => {
    expect(Object.keys(exceptions).filter((place) => !reaching.some((file) => file.startsWith(place)))).toEqual([]);
  });
});

describe('a model of a string', () => {
  it('is opened in one place, which asks whether its key may be sent', () => {
    const opener = 'models/providers/index.ts';
    const opening = product
      .filter(({ text }) =>
        /\bopener\.open\(|\b(openaiProviders|anthropic|bedrock|googleGenai|ollama|vertexai)\b[^\n]*\.open\(|\bproviders\b[^\n]*\.open\(/.test(
          text,
        ),
      )
      .map(({ file }) => file);
    expect(opening).toEqual([opener]);
    const { text } = product.find(({ file }) => file === opener)!;
    expect(text.match(/\.open\(/g)).toHaveLength(1);
    expect(text).toMatch(/\.open\(spec, options, given\)[^]*?checkSpecReach\(spec, given\.env\)[^]*?return opened;/);
  });

  it('takes its keys from the environment that a command was given, which says where they may be sent', () => {
    const naming = product
      .filter(
        ({ file, text }) =>
          file.startsWith('scripts/') && /process\.env/.test(text.replace(/^\s*(\/\/|\/?\*).*$/gm, '')),
      )
      .map(({ file }) => file);
    // These files use the environment to hide keys in errors, for programs that choose their own models, and to prepare
    // another program's folder.
    expect(naming.sort()).toEqual(['scripts/command/command-line.ts', 'scripts/package-api.ts', 'scripts/studio.ts']);
  });
});

describe('a role', () => {
  it('is named nowhere outside state/roles/, state/boards.ts and metrics about that role', () => {
    const own = ['state/roles/', 'deception/metrics/roles/', 'state/boards.ts'];
    const shared = product.filter(({ file }) => !own.some((place) => file.startsWith(place)));
    const named = shared.flatMap(({ file, text }) => findNames(text, roleNames).map((name) => `${file}: ${name}`));
    expect(named).toEqual([]);
  });
});

describe('an exported', () => {
  it.each([
    ['type', listExportedTypes],
    ['function', listExportedFunctions],
  ])('%s has a name that no other file exports one by', (_what, list) => {
    const places = Map.groupBy(
      product.flatMap(({ file, text }) => [...new Set(list(text))].map((name) => ({ name, file }))),
      ({ name }) => name,
    );
    const twice = [...places.values()].filter(({ length }) => length > 1);
    expect(twice.map((found) => found.map(({ name, file }) => `${name} in ${file}`))).toEqual([]);
  });
});

describe('an example in a comment', () => {
  it('is of the function or class that it stands over', () => {
    const documented =
      /\/\*\*(?<comment>(?:(?!\*\/)[^])*?@example(?:(?!\*\/)[^])*)\*\/\s*\n\s*export (?:async )?(?:function\*?|const|class) (?<name>\w+)/g;
    const stale = product.flatMap(({ file, text }) =>
      [...text.matchAll(documented)]
        .map(({ groups }) => groups as { comment: string; name: string })
        .filter(({ comment, name }) => !new RegExp(`\\b${name}\\b`).test(comment.split('@example')[1]!))
        .map(({ name }) => `${name} in ${file}`),
    );
    expect(stale).toEqual([]);
  });
});

describe('a file', () => {
  it('has a name in kebab-case', () => {
    const others = sourceFiles.filter(
      ({ file }) => !/^([a-z0-9]+(-[a-z0-9]+)*[/])*[a-z0-9]+(-[a-z0-9]+)*(\.test)?\.ts$/.test(file),
    );
    expect(others.map(({ file }) => file)).toEqual([]);
  });

  it('opens with a comment that says what it is for', () => {
    const silent = sourceFiles.filter(({ text }) => !/^\/\/ [A-Z0-9`][^\n]{10,}\n/.test(text));
    expect(silent.map(({ file }) => file)).toEqual([]);
  });

  it('of over 500 lines says in its first lines why it is so long', () => {
    const long = sourceFiles.filter(({ text }) => text.trimEnd().split('\n').length > 500);
    const silent = long.filter(({ text }) => !/^(\/\/ .*\n)*\/\/ .*\b[Oo]ne file(?:,| because\b)/.test(text));
    expect(silent.map(({ file }) => file)).toEqual([]);
  });
});

describe('a mistake of npm run mutate', () => {
  it('stands once in the product', () => {
    expect(findPlaces(mutations)).toHaveLength(mutations.length);
  });
});

describe('these checks see', () => {
  it.each([
    ["import { a } from './a.ts';"],
    ["import type { A } from './a.ts';"],
    ["import './a.ts';"],
    ["export { a } from './a.ts';"],
    ["export type * from './a.ts';"],
    ["const load = () => import('./a.ts');"],
    ["type A = import('./a.ts').A;"],
  ])('an import in %s', (text) => {
    expect(listSpecifiers(text)).toEqual(['./a.ts']);
  });

  it.each([
    ["const text = 'See npm run show -- runs.';", ['npm run show']],
    ['const text = `npm run report -- ${folder} and npx wolfgraph view`;', ['npm run report', 'npx wolfgraph view']],
    ["// npm run show\nconst text = 'npm run types';", []],
  ])('a command that is named by hand in %s', (text, found) => {
    expect(findCommandNames(text)).toEqual(found);
  });

  it.each([
    ['const a = /(?<x>a)|(?<x>b)/;', ['x']],
    ['const a = new RegExp(`(?<x>a)${b}|(?<x>c)`);', ['x']],
    ['const a = /(?i:a)(?-i:b)(?:c)(?<=d)(?=e)(?<!f)(?!g)/;', ['(?i:', '(?-i:']],
    ['const a = [/(?<x>a)/, /(?<x>b)/];', []],
  ])('what is too new in %s', (text, found) => {
    expect(findNewPatterns(text)).toEqual(found);
  });

  it('where an import leads', () => {
    const text = "import '../game.ts'; import './seer.ts'; import 'zod';";
    expect(listImports({ file: 'state/roles/doctor.ts', text })).toEqual(['state/game.ts', 'state/roles/seer.ts']);
  });

  it.each([
    ['await x;', ['await']],
    ['const f = async () => 1;', ['async']],
    ['const now = new Date();', ['Date']],
    ['const now = Date.now();', ['Date']],
    ['const luck = Math.random();', ['Math.random']],
    ["const home = process.env['HOME'];", ['process']],
    ['setTimeout(f, 10);', ['setTimeout']],
    ["import { readFileSync } from 'node:fs';", ['node:fs']],
    ["import { randomInt } from 'node:crypto';", ['randomInt']],
    ["import { createHash } from 'node:crypto'; const text = 'the process of a Date'; // await", []],
    ['const x = { process: 1 }; const y = x.process; const z = Math.max(1, 2);', []],
  ])('what is impure in %s', (text, found) => {
    expect(findImpurities(text)).toEqual(found);
  });

  it.each([
    ["const role = 'Seer';", ['Seer']],
    ['const role = `Seer`;', ['Seer']],
    ["if (roles['Seer']) f();", ['Seer']],
    ['const f = { Seer: 1 };', ['Seer']],
    ['const f = roles.Seer;', ['Seer']],
    ["type Special = 'Seer' | 'Doctor';", ['Seer', 'Doctor']],
    ["const text = 'The Seer checks a player.'; // 'Seer'", []],
    ["import { seer } from './seer.ts';", []],
  ])('a role named in %s', (text, found) => {
    expect(findNames(text, roleNames)).toEqual(found);
  });

  it.each([
    ['export interface A { b: 1 }', ['A']],
    ['export type A = 1; type B = 2;', ['A']],
    ['export class A {} export abstract class B {} export enum C { d }', ['A', 'B', 'C']],
    ['export const A = 1; interface B { c: 1 }', []],
  ])('an exported type in %s', (text, found) => {
    expect(listExportedTypes(text)).toEqual(found);
  });

  it.each([
    ['export function a() {} export async function b() {}', ['a', 'b']],
    ['export const a = () => 1, b = 2; export const c = function () {};', ['a', 'c']],
    ['function a() {} const b = () => 1; export class C {}', []],
  ])('an exported function in %s', (text, found) => {
    expect(listExportedFunctions(text)).toEqual(found);
  });

  it('a circle', () => {
    const circle = new Map([
      ['a', ['b', 'c']],
      ['b', []],
      ['c', ['d']],
      ['d', ['a']],
    ]);
    expect(findCircle(circle)).toEqual(['a', 'c', 'd', 'a']);
    expect(
      findCircle(
        new Map([
          ['a', ['b', 'c']],
          ['b', ['c']],
          ['c', []],
        ]),
      ),
    ).toBeNull();
  });
});
