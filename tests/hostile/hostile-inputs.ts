// Files that a command line names, damaged by an attacker or an accident, and every command that reads each file.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { CommandJob } from './command-runner.ts';
import { changeLeaf, hostileName, listLeaves, strangeValues } from './hostile-values.ts';
import { type SpecialFiles, specialKinds } from './special-files.ts';

/** Undamaged inputs that commands need besides the damaged file. */
export interface SoundInputs {
  /** The folder of a match of built-in bots. */
  record: string;
  /** The folder of another match of the same deal. */
  other: string;
  /** File written by `validate --claims --out`. */
  errors: string;
  /** The folder of a tournament of bots. */
  tournament: string;
  /** A pool of the tournament's decisions. */
  pool: string;
  /** The folder of an imported game's session: `game_complete.json` and `game_logs.json`. */
  session: string;
  /** A published game. */
  game: string;
}

type Typed = [script: CommandJob['script'], ...args: string[]];

/** A kind of file, with the commands that read it. `out`: a folder for their output. */
interface Input {
  /** File name with its extension, by which some commands recognize it. */
  name: string;
  commands: (file: string, out: string, sound: SoundInputs) => Typed[];
  /** Creates an undamaged file of this kind. JSON is valid YAML. */
  sound?: (sound: SoundInputs) => string;
}

const bots = { model: 'bot:classic' };
const tournament = { name: 'x', entrants: { a: 'bot:classic', b: 'bot:random' }, format: 'round-robin', deals: 1 };
const dry = ['--dry-run'];
const short = ['--rules', 'arena', '--rule', 'debateTurns=1', '--rule', 'maxRounds=1'];

const inputs: readonly Input[] = [
  {
    name: 'match.yaml',
    commands: (file, out) => [['match', file, '--out', path.join(out, 'runs'), ...short, ...dry]],
    sound: () =>
      JSON.stringify({ ...bots, rules: 'arena', rule: { debateTurns: 1, maxRounds: 1 }, seats: { Dan: bots } }),
  },
  {
    name: 'board.yaml',
    commands: (file, out) => [
      ['match', '--board', file, '--out', path.join(out, 'runs'), ...short, ...dry],
      ['plan', '--board', file, '--trials', '2', '--effect', '.5', ...short],
      ['simulate', '--board', file, '--games', '10'],
    ],
    sound: () => JSON.stringify({ name: 'small', roles: { Werewolf: 2, Seer: 1, Villager: 3 } }),
  },
  {
    name: 'models.yaml',
    commands: (file, out, { record, other }) => [
      ['match', '--models', file, '--out', path.join(out, 'runs'), ...short, ...dry],
      ['report', record, '--models', file, '--judge', 'gpt', '--out', path.join(out, 'report'), ...dry],
      ['compare', record, other, '--models', file, '--judge', 'gpt', '--out', path.join(out, 'compared')],
      ['annotate', record, '--models', file, '--model', 'gpt', ...dry],
      ['plan', record, '--models', file, 'gpt', '--effect', '.5'],
      ['doctor', '--models', file],
      ['validate', '--claims', '--judge', 'gpt', '--models', file, '--answers', path.join(out, 'answers'), ...dry],
      ['worker', '--models', file, '--database', 'postgres://wolf@127.0.0.1:1/none'],
    ],
    sound: () => JSON.stringify({ gpt: { model: 'openai:gpt', prices: { in: 1, out: 2 }, limits: { rpm: 5 } } }),
  },
  {
    name: 'tournament.yaml',
    commands: (file, out) => [
      ['tournament', file, '--out', path.join(out, 'played'), ...dry],
      ['tournament', file, '--out', path.join(out, 'played'), '--status'],
    ],
    sound: () => JSON.stringify(tournament),
  },
  {
    name: 'analysis-plan.yaml',
    commands: (file, out, { record, other }) => [
      ['match', '--plan', file, '--out', path.join(out, 'runs'), ...short, ...dry],
      ['compare', record, other, '--plan', file, '--out', path.join(out, 'compared')],
    ],
    sound: () =>
      JSON.stringify({
        question: 'Which?',
        deals: 1,
        endpoints: [{ metric: 'words_per_turn', of: { team: 'werewolves' } }],
      }),
  },
  {
    name: 'errors.json',
    commands: (file, out, { record }) => [
      ['report', record, '--errors', file, '--out', path.join(out, 'report'), '--no-baselines'],
    ],
    sound: ({ errors }) => readFileSync(errors, 'utf8'),
  },
];

/** Files inside folders that a command line names, and the commands that read each folder. */
const heldInputs: readonly (Input & { from: (sound: SoundInputs) => string })[] = [
  ...['pool.json', 'entries.ndjson', 'vectors.json', 'vectors.bin'].map((name) => ({
    name,
    from: ({ pool }: SoundInputs) => pool,
    commands: (folder: string, out: string, { record, pool }: SoundInputs): Typed[] => [
      ['pool', 'show', folder],
      ['pool', 'check', folder],
      ['pool', 'find', folder, record, '--player', 'Jackson', '--round', '1', '--moment', 'ballot'],
      ['pool', 'merge', folder, pool, '--out', path.join(out, 'merged')],
      ['pool', 'embed', folder, ...dry],
      [
        'match',
        '--experience',
        folder,
        '--seed',
        '900',
        '--out',
        path.join(out, 'runs'),
        '--quiet',
        '--rules',
        'arena',
      ],
    ],
  })),
  ...['game_complete.json', 'game_logs.json', 'game_complete.json.gz', 'game_logs.json.gz'].map((name) => ({
    name,
    from: ({ session }: SoundInputs) => session,
    commands: (folder: string, out: string): Typed[] => [
      ['import', '--format', 'arena', folder, '--out', path.join(out, 'imported')],
    ],
  })),
  {
    name: 'game.json',
    from: ({ game }) => path.dirname(game),
    commands: (folder, out) => [['import', '--format', 'kaggle-timeline', folder, '--out', path.join(out, 'imported')]],
  },
  {
    name: 'tournament.json',
    from: ({ tournament }) => tournament,
    commands: (folder, out) => [
      ['tournament', path.join(folder, 'plan.yaml'), '--out', folder, '--status'],
      ['report', folder, '--out', path.join(out, 'report'), '--no-baselines', '--resamples', '2'],
      ['compare', folder, folder, '--out', path.join(out, 'compared')],
    ],
  },
];

/** YAML that expands: each alias stands for ten copies of the previous alias. */
const aliasBomb = `a: &a ["lol","lol","lol","lol","lol","lol","lol","lol","lol","lol"]
${'bcdefghi'
  .split('')
  .map((name, at) => {
    const before = 'abcdefgh'[at]!;
    return `${name}: &${name} [${Array.from({ length: 10 }, () => `*${before}`).join(',')}]`;
  })
  .join('\n')}
`;

const moreYaml: Readonly<Record<string, string>> = {
  'alias-bomb': aliasBomb,
  'alias-within-itself': 'a: &a [*a]\n',
  prototype: '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
  tags: 'a: !!js/function "process.exit(7)"\nb: !include /etc/passwd\n',
  'many-names': `{${Array.from({ length: 50_000 }, (_, at) => `"n${at}":1`).join(',')}}`,
  long: `name: "${'x'.repeat(900_000)}"`,
};

/** Creates all inputs below `target`. Returns the commands that read each, in chains that can run at the same time. */
export function buildInputJobs(target: string, special: SpecialFiles, sound: SoundInputs): CommandJob[][] {
  const chains: CommandJob[][] = [];
  const addChain = (name: string, commands: (out: string) => Typed[]) => {
    const jobs = commands(path.join(target, 'out', name));
    chains.push(jobs.map(([script, ...args]): CommandJob => ({ script, args })));
  };
  for (const { name, commands, sound: say } of inputs) {
    const [base, ending] = name.split('.') as [string, string];
    const addFile = (kind: string, make: (file: string) => void) => {
      const file = path.join(target, base, `${kind}.${ending}`);
      mkdirSync(path.dirname(file), { recursive: true });
      make(file);
      addChain(`${base}-${kind}`, (out) => commands(file, out, sound));
    };
    // A named pipe is no error: commands wait for it, as the user intends.
    for (const kind of specialKinds.filter((one) => !one.includes('pipe')))
      addFile(kind, (file) => special.put(kind, file));
    for (const [kind, text] of Object.entries(moreYaml)) addFile(kind, (file) => writeFileSync(file, text));
    const text = say?.(sound) ?? '{}';
    addFile('sound', (file) => writeFileSync(file, text));
    listLeaves(text).forEach((leaf, at) => {
      for (const [kind, value] of listValues(at))
        addFile(`leaf-${at}-${kind}`, (file) => writeFileSync(file, changeLeaf(text, leaf, value)));
    });
  }
  for (const { name, from, commands } of heldInputs) {
    const base = name.replace(/\W/g, '-');
    const addFolder = (kind: string, change: (file: string) => void) => {
      const folder = path.join(target, base, kind);
      cpSync(from(sound), folder, { recursive: true });
      writeFileSync(path.join(folder, 'plan.yaml'), JSON.stringify(tournament));
      if (name.endsWith('.gz')) rmSync(path.join(folder, name.replace('.gz', '')), { force: true });
      change(path.join(folder, name));
      addChain(`${base}-${kind}`, (out) => commands(folder, out, sound));
    };
    for (const kind of specialKinds) addFolder(kind, (file) => special.put(kind, file));
    const packed = name.endsWith('.gz');
    const source = path.join(from(sound), packed ? name.replace('.gz', '') : name);
    if (!existsSync(source) || name.endsWith('.bin')) continue;
    const text = readFileSync(source, 'utf8');
    const [first = ''] = name.endsWith('.ndjson') ? text.split('\n') : [text];
    listLeaves(first)
      .slice(0, packed ? 2 : 40)
      .forEach((leaf, at) => {
        for (const [kind, value] of listValues(at).slice(at % 2, (at % 2) + 1))
          addFolder(`leaf-${at}-${kind}`, (file) => {
            const changed = changeLeaf(first, leaf, value) + text.slice(first.length);
            writeFileSync(file, packed ? gzipSync(changed) : changed);
          });
      });
  }
  return chains;
}

/** Lists the replacements for the value at this position. */
const listValues = (at: number): [kind: string, json: string][] => [
  ['strange', strangeValues[at % strangeValues.length]!],
  ['text', JSON.stringify(hostileName)],
];

/** Returns the path of the only entry of a folder. */
export const findOnly = (folder: string): string => path.join(folder, readdirSync(folder)[0]!);
