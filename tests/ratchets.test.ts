// Counts of patterns that make code harder to read or less safe. They may only fall: whoever removes an occurrence
// lowers the number here.
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { sourceFiles, visitNodes } from './source-files.ts';

const unwrap = (node: ts.Node): ts.Node => (ts.isParenthesizedExpression(node) ? unwrap(node.expression) : node);

/** Counted patterns in files of the product, without its tests. */
const counted = {
  /** Non-null assertions such as `value!`: nothing checks that the value exists. */
  nonNullAssertions: ts.isNonNullExpression,
  /** Nested ternaries such as `a ? b : c ? d : e`. */
  nestedTernaries: (node: ts.Node) =>
    ts.isConditionalExpression(node) &&
    [node.condition, node.whenTrue, node.whenFalse].some((part) => ts.isConditionalExpression(unwrap(part))),
  /** Boolean parameters: a call like `show(match, true)` does not say what is true. */
  booleanParameters: (node: ts.Node) =>
    ts.isParameter(node) &&
    (node.type?.kind === ts.SyntaxKind.BooleanKeyword ||
      node.initializer?.kind === ts.SyntaxKind.TrueKeyword ||
      node.initializer?.kind === ts.SyntaxKind.FalseKeyword),
} satisfies Record<string, (node: ts.Node) => boolean>;

type Counted = keyof typeof counted;

const most: Readonly<Record<Counted, number>> = {
  nonNullAssertions: 1107,
  nestedTernaries: 136,
  booleanParameters: 104,
};

function countIn(text: string): Record<Counted, number> {
  const counts = { nonNullAssertions: 0, nestedTernaries: 0, booleanParameters: 0 };
  visitNodes(text, (node) => {
    for (const [name, isCounted] of Object.entries(counted) as [Counted, (node: ts.Node) => boolean][])
      if (isCounted(node)) counts[name]++;
  });
  return counts;
}

describe('in the product', () => {
  const counts = sourceFiles.filter(({ file }) => !file.startsWith('tests/')).map(({ text }) => countIn(text));

  it.each(Object.keys(counted) as Counted[])(
    'the number of %s does not rise, and is the number that stands here',
    (name) => {
      const total = counts.reduce((sum, one) => sum + one[name], 0);
      expect(total).toBe(most[name]);
    },
  );
});

describe('what is counted', () => {
  it('is each of the three where it stands, in parentheses too', () => {
    expect(
      countIn('const a = b!.c; const d = e ? f : (g ? h : i); const k = (l: boolean, m = false) => l && m;'),
    ).toEqual({
      nonNullAssertions: 1,
      nestedTernaries: 1,
      booleanParameters: 2,
    });
  });

  it('is nothing else', () => {
    expect(countIn('const a = !b; const c = d ? e : f; const g = (h: { i: boolean }) => h.i !== true;')).toEqual({
      nonNullAssertions: 0,
      nestedTernaries: 0,
      booleanParameters: 0,
    });
  });
});
