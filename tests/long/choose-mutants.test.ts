// The choice of mutants: drawn by seed, or on the lines that a branch changes, and only those that compile.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  chooseAtRandom,
  chooseOnLines,
  createCompileCheck,
  hashMutant,
  type Mutant,
  readChangedLines,
} from '../../tools/mutate/choose-mutants.ts';
import { listMutablePlaces } from '../../tools/mutate/mutable-places.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const takeAll = (mutants: readonly Mutant[]) => mutants.map(() => true);
const createFile = (lines: number) => Array.from({ length: lines }, (_, line) => `f(${line + 2});`).join('\n');
const places = [
  ...listMutablePlaces('state/a.ts', createFile(50)),
  ...listMutablePlaces('report/a.ts', createFile(200)),
];
const choose = (seed: number, some = places, checkCompiling = takeAll) =>
  chooseAtRandom(some, { count: 30, seed, checkCompiling });
const countIn = (layer: string, mutants: readonly Mutant[]) =>
  mutants.filter(({ file }) => file.startsWith(layer)).length;

describe('mutants at random', () => {
  it('are the same for a seed, and others for another', () => {
    expect(choose(1)).toEqual(choose(1));
    expect(choose(1).map(hashMutant)).not.toEqual(choose(2).map(hashMutant));
  });

  it('are spread over layers by the square root of their places', () => {
    expect([countIn('state', choose(1)), countIn('report', choose(1))]).toEqual([10, 20]);
  });

  it('stay where other lines come before them', () => {
    const moved = [...listMutablePlaces('state/a.ts', `\n\n${createFile(50)}`), ...places.slice(100)];
    expect(choose(1, moved).map(hashMutant)).toEqual(choose(1).map(hashMutant));
  });

  it('are drawn anew where they do not compile', () => {
    const onlyNumbers = choose(1, places, (mutants) => mutants.map(({ kind }) => kind === 'number'));
    expect(onlyNumbers).toHaveLength(30);
    expect(new Set(onlyNumbers.map(({ kind }) => kind))).toEqual(new Set(['number']));
  });
});

describe('mutants of a branch', () => {
  const diff = ['+++ b/state/a.ts', '@@ -1,0 +3,2 @@', '+f(4);', '+f(5);', '@@ -9 +12 @@', '@@ -20,3 +22,0 @@'].join(
    '\n',
  );

  it('stand on the lines that it adds or changes', () => {
    expect(readChangedLines(diff)).toEqual(new Map([['state/a.ts', new Set([3, 4, 12])]]));
    const chosen = chooseOnLines(places, readChangedLines(diff), takeAll);
    expect(chosen.filter(({ kind }) => kind === 'number').map(({ file, from }) => [file, from])).toEqual([
      ['state/a.ts', '4'],
      ['state/a.ts', '5'],
      ['state/a.ts', '13'],
    ]);
    expect(chooseOnLines(places, readChangedLines(diff), (all) => all.map(() => false))).toEqual([]);
  });
});

describe('the compiler', () => {
  const text = "export const end = (text: string): string => text.padStart(3, 'x').trim();";
  const options = { strict: true, noEmit: true, target: 'ES2024', module: 'NodeNext', types: [], skipLibCheck: true };

  it('refuses mutants that it would name, and takes those that only tests can notice', () => {
    const root = createTemporaryFolder();
    writeFileSync(path.join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
    writeFileSync(path.join(root, 'a.ts'), text);
    const create = (from: string, to: string): Mutant => {
      const place = listMutablePlaces('a.ts', text).find((one) => one.from === from)!;
      return { ...place, to };
    };
    const mutants = [create("'x'", "''"), create("'x'", '4'), create('.trim()', ''), create('3', 'three')];
    expect(createCompileCheck(root)(mutants)).toEqual([true, false, true, false]);
  });
});
