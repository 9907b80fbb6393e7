// Names and texts of foreign records stay within one line wherever they are shown; otherwise the record is left out.
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { hasActingCharacters } from '../../state/text.ts';
import { forge, rewrite } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run, smallBoard } from '../scripts/process.ts';

const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
const rules = ['--board', smallBoard, '--rule', 'debateTurns=2', '--rule', 'maxRounds=2'];
await run('match', ['--out', at('sound'), '--id', 'm', '--seed', '7', ...rules, '--quiet']);

const hostile = 'gpt\u001b[31m\nresult: 100 %\r\u202E<b>x</b>';

/** Copies the match into a set of its own, and seals it again after the change. */
function changed(set: string, file: string, change: (text: string) => string, name = 'm'): string {
  const folder = at(set, name);
  mkdirSync(at(set));
  cpSync(at('sound', 'm'), folder, { recursive: true });
  rewrite(folder, file, change);
  return forge(folder);
}

/**
 * Lists lines that no command writes itself: they begin like the second line of the hostile name, or with control
 * characters.
 */
const listActing = (text: string) =>
  text
    .split('\n')
    .filter((line) => hasActingCharacters(line.replaceAll('\t', '')) || /^(result: 100|0 faults)/.test(line));

/** Reads all text files below a folder. */
const readBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(md|html|csv|svg)$/.test(entry.name))
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));

type ManifestChange = (manifest: Record<string, unknown>) => void;
const manifestWith = (change: ManifestChange) => (text: string) => {
  const manifest = JSON.parse(text) as Record<string, unknown>;
  change(manifest);
  return `${JSON.stringify(manifest, null, 2)}\n`;
};

const renamed: [what: string, change: ManifestChange][] = [
  [
    'models',
    (manifest) => {
      const setup = manifest['setup'] as { models: Record<string, string> };
      setup.models = Object.fromEntries(Object.keys(setup.models).map((who) => [who, `openai:${hostile}`]));
    },
  ],
  ['judge', (manifest) => void (manifest['judge'] = `openai:${hostile}`)],
];

describe.each(renamed)('a record with a hostile name of its %s', (what, change) => {
  const folder = changed(what, 'manifest.json', manifestWith(change));

  it.each([
    ['show', [folder]],
    ['verify', [at(what)]],
    ['replay', [folder]],
    ['report', [folder]],
    ['report', [at('sound'), at(what), '--out', at(`${what}-report`), '--no-baselines', '--no-tables']],
    ['pool', ['build', at(what), '--out', at(`${what}-pool`)]],
    ['annotate', [at(what), '--model', 'bot:classic']],
    ['match', [path.join(folder, 'manifest.json'), '--dry-run', '--out', at('again')]],
  ] as const)('is named as damaged in one line by %s %j', async (script, args) => {
    const { stdout, stderr } = await run(script, args);
    expect(listActing(stdout)).toEqual([]);
    expect(listActing(stderr)).toEqual([]);
    expect(stdout + stderr).toContain(`${path.join(folder, 'manifest.json')} is damaged: `);
    expect(stdout + stderr).toContain(
      'holds a line break, a control character or a character that changes the direction of text',
    );
  });
});

describe('a record in a folder with a hostile name', () => {
  const name = 'match\u001b[2K\n0 faults';
  const folder = changed('folder', 'manifest.json', (text) => text, name);

  it.each([
    ['show', [folder]],
    ['verify', [at('folder')]],
    ['report', [at('sound'), at('folder'), '--out', at('folder-report'), '--no-baselines', '--no-tables']],
    ['report', [at('folder'), '--out', at('none-report'), '--no-baselines', '--no-tables']],
    ['pool', ['build', at('folder'), '--out', at('folder-pool')]],
    ['annotate', [at('folder'), '--model', 'bot:classic']],
  ] as const)('is named with its signs escaped, and left out, by %s %j', async (script, args) => {
    const { stdout, stderr } = await run(script, args);
    expect(listActing(stdout)).toEqual([]);
    expect(listActing(stderr)).toEqual([]);
    expect(stdout + stderr).toContain(String.raw`match\u001b[2K\n0 faults" is not a valid folder name`);
  });

  it('does not keep others from being reported', () => {
    expect(readFileSync(at('folder-report', 'report.md'), 'utf8')).toContain('1 match is counted');
    expect(readBelow(at('folder-report')).flatMap(listActing)).toEqual([]);
  });
});

describe('a statement that was given line breaks', () => {
  const words = 'I have nothing to say.”\n- Anna voted for Ben.\n\u202E- Ben was exiled. “';
  let text = '';
  const folder = changed('statement', 'events.ndjson', (lines) =>
    lines
      .split('\n')
      .map((line) => {
        if (text !== '' || !line.includes('"type":"statement"')) return line;
        const { chain, ...event } = JSON.parse(line) as Record<string, string>;
        text = event['text']!;
        return JSON.stringify({ ...event, text: words, chain });
      })
      .join('\n'),
  );
  const isBroken = (shown: string) => shown.split('\n').some((line) => /^[ \u202E]*- (Anna voted|Ben was)/.test(line));

  it('stands in one line in show, in the page, in tables and reports', async () => {
    expect(text).not.toBe('');
    const { code, stdout } = await run('show', [folder]);
    expect(code).toBe(0);
    expect(stdout).toContain('- Anna voted for Ben. - Ben was exiled.');
    expect(isBroken(stdout)).toBe(false);
    expect(listActing(stdout)).toEqual([]);
    expect((await run('show', [folder, '--html'])).code).toBe(0);
    expect((await run('report', [at('statement'), '--out', at('said'), '--no-baselines'])).code).toBe(0);
    const pages = [readFileSync(path.join(folder, 'match.html'), 'utf8'), ...readBelow(at('said'))];
    expect(pages.some(isBroken)).toBe(false);
    expect(pages.filter((page) => page.includes('\u202E'))).toEqual([]);
  });
});
