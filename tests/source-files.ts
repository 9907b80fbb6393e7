// Reads the project's own source files for the checks of its house rules.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

export interface SourceFile {
  /** Path from the root of the project, e.g. `state/roles/index.ts`. */
  file: string;
  text: string;
}

const root = path.join(import.meta.dirname, '..');

/** All TypeScript files of the project, sorted, except type declarations of packages. */
export const sourceFiles: readonly SourceFile[] = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !/^(\..*|node_modules|runs|coverage)$/.test(entry.name))
  .flatMap(({ name }) =>
    readdirSync(path.join(root, name), { recursive: true }).map((inner) => `${name}/${String(inner)}`),
  )
  .concat(readdirSync(root))
  .map((file) => file.replaceAll(path.sep, '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
  .sort()
  .map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));

/**
 * Lists the project's files that a file imports or re-exports, statically or dynamically, including type-only imports.
 */
export const listImports = ({ file, text }: SourceFile): string[] =>
  listSpecifiers(text)
    .filter((name) => name.startsWith('.'))
    .map((name) => path.posix.join(path.posix.dirname(file), name));

/** Lists the module names in `import` and `export … from`. */
export const listSpecifiers = keepPerText((text) =>
  ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName),
);

/** Globals that make a function depend on more than its arguments. */
const effects = [
  'Date',
  'process',
  'performance',
  'console',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'globalThis',
];
const chance = /^(randomBytes|randomInt|randomUUID|getRandomValues)$/;

/** A word that can occur in impure code. It may also occur in comments. */
const suspect = new RegExp(`await|async|[Rr]andom|node:|${effects.join('|')}`);

/** Finds impure code in a file: waiting, clocks, randomness and access to the process. */
export function findImpurities(text: string): string[] {
  if (!suspect.test(text)) return []; // most files, which need not be read further
  const found: string[] = [];
  visitNodes(text, (node) => {
    if (ts.isAwaitExpression(node)) found.push('await');
    if (node.kind === ts.SyntaxKind.AsyncKeyword) found.push('async');
    if (ts.isForOfStatement(node) && node.awaitModifier) found.push('for await');
    if (ts.isPropertyAccessExpression(node) && node.getText() === 'Math.random') found.push('Math.random');
    if (ts.isIdentifier(node) && chance.test(node.text)) found.push(node.text);
    if (ts.isIdentifier(node) && effects.includes(node.text) && !isName(node)) found.push(node.text);
  });
  const foreign = listSpecifiers(text).filter((name) => name.startsWith('node:') && name !== 'node:crypto');
  return [...found, ...foreign];
}

/** Whether an identifier is the name of a property, as in `x.process` or `{ process: 1 }`. */
const isName = ({ parent, ...node }: ts.Identifier) =>
  (ts.isPropertyAccessExpression(parent) && parent.name.pos === node.pos) ||
  ((ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) && parent.name.pos === node.pos);

/** Lists the words that a file contains as a whole quoted text, or as a property's name. */
export function findNames(text: string, words: readonly string[]): string[] {
  if (!words.some((word) => text.includes(word))) return [];
  const found: string[] = [];
  visitNodes(text, (node) => {
    const isText = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);
    const isProperty = ts.isIdentifier(node) && isName(node);
    if ((isText || isProperty) && words.includes(node.text)) found.push(node.text);
  });
  return found;
}

/** Finds texts in a file that name a command of the project by hand. */
export function findCommandNames(text: string): string[] {
  if (!/npm run|wolfgraph/.test(text)) return [];
  const found: string[] = [];
  visitNodes(text, (node) => {
    if (!ts.isStringLiteral(node) && !ts.isTemplateLiteralToken(node)) return;
    found.push(...(node.text.match(/\bnpm run (?!types|lint|test)[\w-]+|\b(?:npx )?wolfgraph [a-z]+/g) ?? []));
  });
  return found;
}

/** Finds regular expressions that Node 22 cannot read: a group's name twice, or flags inside. */
export function findNewPatterns(text: string): string[] {
  if (!text.includes('(?')) return [];
  const found: string[] = [];
  visitNodes(text, (node) => {
    const isPattern =
      ts.isRegularExpressionLiteral(node) || ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
    if (!isPattern) return;
    const pattern = node.getText();
    const names = [...pattern.matchAll(/\(\?<(\w+)>/g)].map(([, name]) => name!);
    found.push(...names.filter((name, index) => names.indexOf(name) < index));
    found.push(...(pattern.match(/\(\?[ims]*(?:-[ims]+)?(?<=[ims]):/g) ?? []));
  });
  return found;
}

/** Lists the names of the types that a file exports: interfaces, aliases, classes and enums. */
export function listExportedTypes(text: string): string[] {
  const found: string[] = [];
  ts.forEachChild(parseSource(text), (node) => {
    const isNamed =
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isEnumDeclaration(node);
    const isExported = isNamed && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (isExported && node.name) found.push(node.name.text);
  });
  return found;
}

/** Lists the names of the functions that a file exports, as declarations or as constants. */
export function listExportedFunctions(text: string): string[] {
  const found: string[] = [];
  ts.forEachChild(parseSource(text), (node) => {
    if (!ts.isFunctionDeclaration(node) && !ts.isVariableStatement(node)) return;
    if (!node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return;
    const named = ts.isFunctionDeclaration(node) ? [node] : node.declarationList.declarations.filter(holdsFunction);
    found.push(...named.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : [])));
  });
  return found;
}

const holdsFunction = ({ initializer }: ts.VariableDeclaration) =>
  initializer !== undefined && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));

/** Caches results by text, because several checks read the same files. */
function keepPerText<Made>(make: (text: string) => Made): (text: string) => Made {
  const kept = new Map<string, Made>();
  return (text) => {
    const made = kept.get(text) ?? make(text);
    kept.set(text, made);
    return made;
  };
}

const parseSource = keepPerText((text) =>
  ts.createSourceFile(
    'file.ts',
    text,
    { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
    true,
  ),
);

/** Visits every node of a source text. */
export function visitNodes(text: string, see: (node: ts.Node) => void) {
  const each = (node: ts.Node) => {
    see(node);
    ts.forEachChild(node, each);
  };
  each(parseSource(text));
}

/** Finds a circle of imports. Null if there is none. */
export function findCircle(imports: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): string[] | null => {
    const start = way.indexOf(file);
    if (start >= 0) return [...way.slice(start), file];
    if (done.has(file)) return null;
    for (const next of imports.get(file) ?? []) {
      const circle = walk(next, [...way, file]);
      if (circle) return circle;
    }
    done.add(file);
    return null;
  };
  for (const file of imports.keys()) {
    const circle = walk(file, []);
    if (circle) return circle;
  }
  return null;
}
