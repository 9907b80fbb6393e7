// Mutations of source texts: the places that can be mutated, by kind, and the mutated texts.
import { describe, expect, it } from '@jest/globals';
import { stripTypeScriptTypes } from 'node:module';
import { runInNewContext } from 'node:vm';
import { listMutablePlaces, replacePlace, writeProbes } from '../../../tools/mutate/mutable-places.ts';

/** Returns every mutated text, each with the kind of place that was changed. */
const listMutants = (text: string) =>
  listMutablePlaces('a.ts', text).flatMap((place) =>
    place.replacements.map((to) => [place.kind, replacePlace(text, place, to)]),
  );
const listOfKind = (kind: string, text: string) =>
  listMutants(text).flatMap(([other, mutant]) => (other === kind ? [mutant] : []));

describe('a mistake', () => {
  it.each([
    ['comparison', 'f(a < b);', ['f(a <= b);', 'f(a >= b);']],
    ['comparison', 'f(a === b);', ['f(a !== b);']],
    ['arithmetic', 'f(a + b);', ['f(a - b);']],
    ['logic', 'f(a && b);', ['f(((a) || (b)));', 'f((a));', 'f((b));']],
    ['logic', 'f(a ?? b);', ['f(((a) && (b)));', 'f((a));', 'f((b));']],
    ['assignment', 'a += b;', ['a -= b;']],
    ['boolean', 'f(true, false);', ['f(false, false);', 'f(true, true);']],
    ['number', 'f(0, 1, 7);', ['f(1, 1, 7);', 'f(0, 0, 7);', 'f(0, 2, 7);', 'f(0, 1, (7 + 1));', 'f(0, 1, 0);']],
    ['word', "f('a', '', 'two words');", ["f('', '', 'two words');", "f('a', 'mutant', 'two words');"]],
    ['pattern', 'f(/a+/u);', ['f(/(?!)/u);']],
    ['list', 'f([a, b]);', ['f([]);']],
    ['spread', 'f([...a]);', ['f([...[]]);']],
    ['condition', 'if (a) f();', ['if (true) f();', 'if (false) f();']],
    ['condition', 'f(a ? b : c);', ['f(true ? b : c);', 'f(false ? b : c);']],
    ['condition', 'while (a) f();', ['while (false) f();']],
    ['method', 'f(a.some(b));', ['f(a.every(b));']],
    ['method', 'f(a.filter(b).length);', ['f(a.length);']],
    ['optional chain', 'f(a?.b);', ['f(a.b);']],
    ['sign', 'f(!a, -b, c++);', ['f(a, -b, c++);', 'f(!a, b, c++);', 'f(!a, -b, c--);']],
    ['statement', 'f();', [';']],
    ['arrow', 'const f = () => a;', ['const f = () => undefined;']],
    ['block', 'function f() { g(); }', ['function f() {}']],
  ])('of the kind %s in %s', (kind, text, mutants) => {
    expect(listOfKind(kind, text)).toEqual(mutants);
  });

  it.each([
    "import a from 'a';",
    "export { a } from 'a';",
    "type A = 'a' | 1;",
    "interface A { a: 'a' }",
    "let a: 'a';",
    'let a;',
    "const { 'a': b } = a;",
    'const { 0: b } = a;',
  ])('is none in %s', (text) => {
    expect(listMutants(text)).toEqual([]);
  });

  it('is in no name of a property and in nothing that is assigned to', () => {
    expect(listMutants("const a = { 'b': c, 1: d };")).toEqual([]);
    expect(listOfKind('list', '[a, b] = c;')).toEqual([]);
    expect(listOfKind('spread', '[...a] = c;')).toEqual([]);
  });

  it('is known by what it replaces and how often that came before, wherever it stands', () => {
    const places = listMutablePlaces('a.ts', 'f(1);\nf(2);\nf(1);').filter(({ kind }) => kind === 'number');
    expect(places.map(({ from, occurrence, line }) => [from, occurrence, line])).toEqual([
      ['1', 0, 1],
      ['2', 0, 2],
      ['1', 1, 3],
    ]);
  });
});

describe('a probe', () => {
  const text = `
    const double = (a: number) => a * 2;
    class Counter {
      count = 0;
      add(by?: { size: number }) {
        if (by?.size !== undefined && by.size > 1) { this.count += double(by.size); }
        else this.count++;
        return [this.count, ...[1, 2].filter((one) => one > 1)];
      }
    }
    const counter = new Counter();
    result.push(counter.add(), counter.add({ size: 3 }), counter.add({ size: 1 }));`;
  const run = (source: string) => {
    const [result, reached] = [[] as unknown[], [] as number[]];
    runInNewContext(stripTypeScriptTypes(source), { result, reach: (id: number) => reached.push(id) });
    return { result, reached };
  };

  it('changes nothing of what code does, and tells which places are reached', () => {
    const places = listMutablePlaces('a.ts', text).map((place, id) => ({ ...place, id }));
    const probed = run(writeProbes(text, places));
    expect(probed.result).toEqual(run(text).result);
    expect(probed.result).toEqual([
      [1, 2],
      [7, 2],
      [8, 2],
    ]);
    expect([...new Set(probed.reached)].sort((a, b) => a - b)).toEqual(places.map(({ id }) => id));
  });

  it('tells nothing of a place that is not reached', () => {
    const unused = 'const f = () => 7; result.push(1);';
    const places = listMutablePlaces('a.ts', unused).map((place, id) => ({ ...place, id }));
    const reached = run(writeProbes(unused, places)).reached.map((id) => places[id]!.from);
    expect(reached).toContain('1');
    expect(reached).not.toContain('7');
  });
});
