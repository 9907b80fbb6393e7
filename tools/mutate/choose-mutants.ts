// Chooses mutants: at random over the layers of the product, or on the lines that a branch changes. Mutants that do not
// compile are left out, because they do not test the tests.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { hashText } from '../../state/hash-text.ts';
import { draw } from '../../state/random.ts';
import { replacePlace, listMutablePlaces, type MutablePlace } from './mutable-places.ts';

/** A place with one of its replacements. */
export interface Mutant extends MutablePlace {
  to: string;
}

/** The top-level folder of a file. */
export const getLayer = (file: string) => file.split('/')[0]!;

/** Reads the places of all files. */
export const listPlacesOf = (root: string, files: readonly string[]): MutablePlace[] =>
  files.flatMap((file) => listMutablePlaces(file, readFileSync(path.join(root, file), 'utf8')));

/**
 * Returns a key of a place that does not depend on changes elsewhere, so that the same seed keeps drawing the same
 * mutants.
 */
const getPlaceKey = ({ file, kind, from, occurrence }: MutablePlace) => [file, kind, from, occurrence];

/** Draws one mutation of a place. The draw depends only on the seed and the place. */
const drawMutant = (place: MutablePlace, seed: number): Mutant => ({
  ...place,
  to: draw(seed, 'replacement', ...getPlaceKey(place)).pick(place.replacements),
});

/** Returns a name for a mutant that stays the same as long as its place exists. */
export const hashMutant = (mutant: Mutant): string => hashText(JSON.stringify([...getPlaceKey(mutant), mutant.to]));

/** Returns, for each mutant, whether it compiles. */
type CompileCheck = (mutants: readonly Mutant[]) => boolean[];

/**
 * Draws `count` mutants that compile. Each layer gets a share proportional to the square root of its number of places,
 * so that small layers also have a useful interval. Within a layer, all places are equally likely.
 *
 * @example chooseAtRandom(places, { count: 400, seed: 1, checkCompiling: createCompileCheck(root) })
 */
export function chooseAtRandom(
  places: readonly MutablePlace[],
  { count, seed, checkCompiling }: { count: number; seed: number; checkCompiling: CompileCheck },
): Mutant[] {
  const layers = [...Map.groupBy(places, ({ file }) => getLayer(file)).values()];
  const whole = layers.reduce((sum, { length }) => sum + Math.sqrt(length), 0);
  const ranked = layers.map((own) => {
    const ranks = new Map(own.map((place) => [place, hashText(JSON.stringify([seed, ...getPlaceKey(place)]))]));
    const wanted = Math.round((count * Math.sqrt(own.length)) / whole);
    const order = own.toSorted((one, other) => (ranks.get(one)! < ranks.get(other)! ? -1 : 1));
    // Draws more than wanted, because only about two in three mutants compile.
    return { wanted, drawn: order.slice(0, 2 * wanted + 20).map((place) => drawMutant(place, seed)) };
  });
  const all = ranked.flatMap(({ drawn }) => drawn);
  const checks = checkCompiling(all);
  const compiling = new Set(all.filter((_, at) => checks[at]));
  return ranked.flatMap(({ wanted, drawn }) => drawn.filter((mutant) => compiling.has(mutant)).slice(0, wanted));
}

/** Chooses mutants that compile on the lines that `changed` names. */
export function chooseOnLines(
  places: readonly MutablePlace[],
  changed: ReadonlyMap<string, ReadonlySet<number>>,
  checkCompiling: CompileCheck,
): Mutant[] {
  const drawn = places.filter(({ file, line }) => changed.get(file)?.has(line)).map((place) => drawMutant(place, 0));
  const checks = checkCompiling(drawn);
  return drawn.filter((_, at) => checks[at]);
}

/**
 * Reads the lines that a diff without context adds or changes, by file.
 *
 * @example readChangedLines('+++ b/state/view.ts\n@@ -3,0 +4,2 @@').get('state/view.ts') // Set { 4, 5 }
 */
export function readChangedLines(diff: string): Map<string, Set<number>> {
  const changed = new Map<string, Set<number>>();
  let lines = new Set<number>();
  for (const line of diff.split('\n')) {
    const file = /^\+\+\+ b\/(.*)$/.exec(line)?.[1];
    if (file !== undefined) changed.set(file, (lines = new Set()));
    const [, first, length = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    for (let at = 0; first !== undefined && at < Number(length); at++) lines.add(Number(first) + at);
  }
  return changed;
}

/** Codes of compiler errors that a mutant may cause: something is no longer used or reached. */
const harmless = new Set([6133, 6138, 6192, 6196, 6198, 7027]);

/**
 * Creates a function that checks whether mutants compile. Mutants of different files are compiled together.
 *
 * @example createCompileCheck(root)(mutants) // [true, false]
 */
export function createCompileCheck(root: string): CompileCheck {
  const config = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file));
  const { options, fileNames } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  return (mutants) => {
    const host = ts.createCompilerHost(options);
    const sources = new Map<string, ts.SourceFile | undefined>();
    let changed = new Map<string, ts.SourceFile>();
    const read = host.getSourceFile.bind(host);
    host.getSourceFile = (file, ...rest) => {
      if (!sources.has(file)) sources.set(file, read(file, ...rest));
      return changed.get(file) ?? sources.get(file);
    };
    const results = new Map<Mutant, boolean>();
    let program: ts.Program | undefined;
    for (let round = [...mutants]; round.length > 0; round = round.filter((mutant) => !results.has(mutant))) {
      const together = [...new Map(round.map((mutant) => [path.join(root, mutant.file), mutant]))];
      changed = new Map(
        together.map(([file, mutant]) => {
          const text = replacePlace(readFileSync(file, 'utf8'), mutant, mutant.to);
          return [file, ts.createSourceFile(file, text, ts.ScriptTarget.Latest)];
        }),
      );
      program = ts.createProgram(fileNames, options, host, program);
      for (const [file, mutant] of together) {
        const source = program.getSourceFile(file);
        const errors = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
        results.set(
          mutant,
          errors.every(({ code }) => harmless.has(code)),
        );
      }
    }
    return mutants.map((mutant) => results.get(mutant)!);
  };
}
