// Finds the places of a source file where a small mistake is possible, and the mistakes: StrykerJS's operators that
// change behavior, and removed statements. Text for people (any string with a space) is left out, because snapshots and
// word tables cover it.
import ts from 'typescript';

/** A place where code can be changed, and every possible replacement. */
export interface MutablePlace {
  file: string;
  line: number;
  /** Kind of code, e.g. 'comparison'. */
  kind: string;
  /**
   * Text that is replaced. `occurrence`: its number among equal texts in the file, from 0. Together they identify the
   * place even if other code changes.
   */
  from: string;
  occurrence: number;
  /** Range of the text that is replaced. */
  start: number;
  end: number;
  replacements: readonly string[];
  /** Expression or block that is run whenever the place is reached. */
  reach: { start: number; end: number; isBlock: boolean };
}

/** Operator → operators easily mistaken for it. */
const otherOperators: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '/=': ['*='],
  '??=': ['='],
};
const operatorKinds: readonly [kind: string, operators: readonly string[]][] = [
  ['comparison', ['<', '<=', '>', '>=', '===', '!==']],
  ['logic', ['&&', '||', '??']],
  ['arithmetic', ['+', '-', '*', '/', '%', '**']],
];

/** Method → method easily mistaken for it. */
const otherMethods: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  find: 'findLast',
  findLast: 'find',
  findIndex: 'findLastIndex',
  findLastIndex: 'findIndex',
  toLowerCase: 'toUpperCase',
  toUpperCase: 'toLowerCase',
};
/** Methods that are easily forgotten: `a.sort()` becomes `a`. */
const droppedMethods = ['filter', 'sort', 'toSorted', 'toReversed', 'reverse', 'slice', 'trim', 'concat', 'flat'];

/**
 * Lists the places of a file in the order of its text.
 *
 * @example listMutablePlaces('a.ts', 'export const isMore = (a: number) => a > 1;').map(({ kind }) => kind)
 * // ['arrow', 'comparison', 'number']
 */
export function listMutablePlaces(file: string, text: string): MutablePlace[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const places: MutablePlace[] = [];
  const counts = new Map<string, number>();
  const see = (node: ts.Node) => {
    if (isErased(node)) return;
    for (const change of listChanges(node, source)) {
      const reached = findReached(change.reached ?? node);
      const from = text.slice(change.start, change.end);
      const key = JSON.stringify([change.kind, from]);
      const occurrence = counts.get(key) ?? 0;
      counts.set(key, occurrence + 1);
      places.push({
        ...{ file, kind: change.kind, from, occurrence, replacements: change.to },
        line: source.getLineAndCharacterOfPosition(change.start).line + 1,
        ...{ start: change.start, end: change.end },
        reach: { start: reached.getStart(source), end: reached.end, isBlock: ts.isBlock(reached) },
      });
    }
    ts.forEachChild(node, see);
  };
  see(source);
  return places;
}

/** Whether Node never runs the code: types, imports and other parts for the compiler. */
const isErased = (node: ts.Node) =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node);

/**
 * Finds the node that runs whenever the place is reached. For a place in a chain such as `a?.b.c()`, this is the whole
 * chain, because it is skipped as a whole.
 */
function findReached(node: ts.Node): ts.Node {
  let reached = node;
  while (
    (ts.isPropertyAccessExpression(reached.parent) ||
      ts.isElementAccessExpression(reached.parent) ||
      ts.isCallExpression(reached.parent) ||
      ts.isNonNullExpression(reached.parent)) &&
    reached.parent.expression === reached
  )
    reached = reached.parent;
  return reached;
}

interface Change {
  kind: string;
  start: number;
  end: number;
  to: readonly string[];
  /** The node that is run whenever the place is reached. Absent if it is the place itself. */
  reached?: ts.Node;
}

function listChanges(node: ts.Node, source: ts.SourceFile): Change[] {
  const whole = { start: node.getStart(source), end: node.end };
  const replace = (kind: string, ...to: string[]): Change[] => [{ kind, ...whole, to }];
  if (ts.isBinaryExpression(node)) return listOperatorChanges(node, source);
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) return listUnaryChanges(node, source);
  if (node.kind === ts.SyntaxKind.TrueKeyword) return replace('boolean', 'false');
  if (node.kind === ts.SyntaxKind.FalseKeyword) return replace('boolean', 'true');
  if (ts.isNumericLiteral(node) && !isName(node)) return replace('number', ...changeNumber(node.text));
  if (ts.isStringLiteral(node) && !isName(node) && !/\s/.test(node.text))
    return replace('word', node.text === '' ? "'mutant'" : "''");
  if (ts.isRegularExpressionLiteral(node)) return replace('pattern', `/(?!)/${/[a-z]*$/.exec(node.text)![0]}`);
  if (ts.isArrayLiteralExpression(node) && node.elements.length > 0 && !isAssigned(node)) return replace('list', '[]');
  if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node)) {
    const { expression } = node;
    if (isAssigned(node.parent)) return [];
    return [
      { kind: 'spread', start: expression.getStart(source), end: expression.end, to: ['[]'], reached: expression },
    ];
  }
  if (ts.isIfStatement(node) || ts.isConditionalExpression(node) || ts.isWhileStatement(node)) {
    const condition = ts.isConditionalExpression(node) ? node.condition : node.expression;
    const to = ts.isWhileStatement(node) ? ['false'] : ['true', 'false'];
    return [{ kind: 'condition', start: condition.getStart(source), end: condition.end, to, reached: condition }];
  }
  if (ts.isCallExpression(node)) return listCallChanges(node, source);
  if (ts.isPropertyAccessExpression(node) && node.questionDotToken)
    return [
      {
        kind: 'optional chain',
        start: node.questionDotToken.getStart(source),
        end: node.name.getStart(source),
        to: ['.'],
      },
    ];
  if (ts.isExpressionStatement(node))
    return replace('statement', ';').map((change) => ({ ...change, reached: node.expression }));
  if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) {
    const { body } = node;
    return [{ kind: 'arrow', start: body.getStart(source), end: body.end, to: ['undefined'], reached: body }];
  }
  if (ts.isBlock(node) && node.statements.length > 0 && !ts.isTryStatement(node.parent)) return replace('block', '{}');
  return [];
}

/** Whether a literal is a property's name or a case label, which is not run as an expression. */
const isName = ({ parent, ...node }: ts.StringLiteral | ts.NumericLiteral) =>
  ts.isBindingElement(parent)
    ? parent.propertyName?.pos === node.pos
    : (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent) || ts.isPropertyDeclaration(parent)) &&
      parent.name.pos === node.pos;

/** Whether a literal is a target of an assignment, as in `[a, b] = pair`. */
const isAssigned = (node: ts.Node) =>
  (ts.isBinaryExpression(node.parent) &&
    node.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    node.parent.left === node) ||
  (ts.isForOfStatement(node.parent) && node.parent.initializer === node);

const changeNumber = (text: string) => (text === '0' ? ['1'] : text === '1' ? ['0', '2'] : [`(${text} + 1)`, '0']);

function listOperatorChanges(node: ts.BinaryExpression, source: ts.SourceFile): Change[] {
  const { left, operatorToken, right } = node;
  const token = operatorToken.getText(source);
  const kind = operatorKinds.find(([, operators]) => operators.includes(token))?.[0] ?? 'assignment';
  const others = otherOperators[token];
  if (!others) return [];
  const [before, after] = [left.getText(source), right.getText(source)];
  const to = others.map((other) =>
    kind === 'logic' ? `((${before}) ${other} (${after}))` : `${before} ${other} ${after}`,
  );
  // In a chain of conditions, each condition may be forgotten.
  const forgotten = kind === 'logic' ? [`(${before})`, `(${after})`] : [];
  return [{ kind, start: node.getStart(source), end: node.end, to: [...to, ...forgotten] }];
}

function listUnaryChanges(node: ts.PrefixUnaryExpression | ts.PostfixUnaryExpression, source: ts.SourceFile): Change[] {
  const operand = node.operand.getText(source);
  const whole = { start: node.getStart(source), end: node.end };
  const isBefore = ts.isPrefixUnaryExpression(node);
  if (node.operator === ts.SyntaxKind.ExclamationToken || node.operator === ts.SyntaxKind.MinusToken)
    return [{ kind: 'sign', ...whole, to: [operand] }];
  const other = { [ts.SyntaxKind.PlusPlusToken]: '--', [ts.SyntaxKind.MinusMinusToken]: '++' }[Number(node.operator)];
  if (other === undefined) return [];
  return [{ kind: 'sign', ...whole, to: [isBefore ? `${other}${operand}` : `${operand}${other}`] }];
}

function listCallChanges(node: ts.CallExpression, source: ts.SourceFile): Change[] {
  const callee = node.expression;
  if (!ts.isPropertyAccessExpression(callee)) return [];
  const method = callee.name.text;
  const other = otherMethods[method];
  if (other) return [{ kind: 'method', start: callee.name.getStart(source), end: callee.name.end, to: [other] }];
  if (!droppedMethods.includes(method)) return [];
  const object = callee.expression;
  return [{ kind: 'method', start: object.end, end: node.end, to: [''] }];
}

/** Returns the text of a file with one change. */
export const replacePlace = (text: string, { start, end }: Pick<MutablePlace, 'start' | 'end'>, to: string): string =>
  text.slice(0, start) + to + text.slice(end);

/**
 * Returns the text of a file with a probe at each place. If the global function `reach` exists, a probe calls it with
 * the place's number when the place is reached.
 *
 * @example writeProbes('f(a > 1);', [{ id: 7, reach: { start: 2, end: 7, isBlock: false } }]) // 'f((globalThis.reach?.(7), a > 1));'
 */
export function writeProbes(text: string, places: readonly (Pick<MutablePlace, 'reach'> & { id: number })[]): string {
  const inserted = places.flatMap(({ id, reach: { start, end, isBlock } }) => {
    const call = `globalThis.reach?.(${id})`;
    if (isBlock) return [{ at: start + 1, text: ` ${call};`, order: 0 }];
    return [
      // Order of insertions: of places that begin together, the longest opens first; of places that end together, the
      // shortest closes first.
      { at: start, text: `(${call}, `, order: 1e9 - end },
      { at: end, text: ')', order: -start },
    ];
  });
  // Where places touch, the place that ends closes before the next one opens.
  const sorted = inserted.toSorted((one, other) => other.at - one.at || other.order - one.order);
  return sorted.reduce((made, { at, text: more }) => made.slice(0, at) + more + made.slice(at), text);
}
