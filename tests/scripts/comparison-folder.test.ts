// The default folder of `compare`.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { checkComparisonFolder, chooseComparisonFolder } from '../../scripts/compare/comparison-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();
const at = (...names: string[]) => path.join(root, ...names);

describe('the folder of a comparison', () => {
  it.each([
    [['s'], 's/comparison'],
    [['s/a', 's/b'], 's/a/comparison-with-b'],
    [['s/a/', 's/b/'], 's/a/comparison-with-b'],
    [['s/a', 's/b', 's/c'], 's/a/comparison-with-b-and-c'],
    [['.', 's'], 'comparison-with-s'],
  ])('of %j is %s', (folders, expected) => {
    const chosen = chooseComparisonFolder(folders.map((name) => path.join('x', name)));
    if (folders[0] === '.') expect(chosen).toMatch(/^x\/comparison-with-s\.[0-9a-f]{8}$/);
    else expect(chosen).toBe(path.join('x', expected));
  });

  it('differs for folders of one name in different places, and for annotators', () => {
    const folders = ['x/b', 'y/b', 'z/y/b'].map((other) => chooseComparisonFolder(['x/a', other]));
    expect(new Set(folders).size).toBe(3);
    expect(chooseComparisonFolder(['x/a'], { annotators: ['bot:classic'] })).toBe('x/a/comparison-of-annotators');
  });

  it('is beside a single match, whose folder takes no other files', () => {
    mkdirSync(at('set', 'one'), { recursive: true });
    writeFileSync(at('set', 'one', 'manifest.json'), '{}');
    expect(chooseComparisonFolder([at('set', 'one'), at('set', 'two')])).toBe(at('set', 'comparison-with-two'));
  });

  it('is refused before anything is computed where it cannot be written', () => {
    writeFileSync(at('file'), '');
    expect(() => checkComparisonFolder(at('file', 'comparison'))).toThrow(/cannot be written into .*--out/);
    expect(() => checkComparisonFolder(at('set', 'new', 'comparison'))).not.toThrow();
  });
});
