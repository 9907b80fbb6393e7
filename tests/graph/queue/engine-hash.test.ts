// Workers are identified by the sources that decide matches. A commit, or sources that only queue, count or report,
// make no difference.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { engineFile, hashEngine, readEngineHash } from '../../../graph/queue/engine-hash.ts';
import { createTemporaryFolder } from '../../temporary-folder.ts';

const copy = createTemporaryFolder();
const root = path.join(import.meta.dirname, '../../..');
for (const folder of ['state', 'prompts', 'models', 'nodes', 'graph', 'deception'])
  cpSync(path.join(root, folder), path.join(copy, folder), { recursive: true });

function change(file: string, edit: (text: string) => string): void {
  writeFileSync(path.join(copy, file), edit(readFileSync(path.join(copy, file), 'utf8')));
}

describe('the hash of what makes matches', () => {
  it('is that of another copy of the same sources, however their lines end', () => {
    change('state/boards.ts', (text) => text.replaceAll('\n', '\r\n'));
    change('graph/queue/worker.ts', (text) => `${text}// queues\n`);
    change('deception/metrics/lies.ts', (text) => `${text}// counts\n`);
    expect(hashEngine(copy)).toBe(hashEngine());
  });

  it.each([
    'state/boards.ts',
    'prompts/voting.ts',
    'nodes/run-step.ts',
    'models/bots/random.ts',
    'graph/match-graph.ts',
    'deception/record/suspicion-scores.ts',
    'deception/experience/situation.ts',
    'deception/claims/extract-by-rules.ts', // which situations are described by
  ])('is another where %s is', (file) => {
    const before = hashEngine(copy);
    change(file, (text) => `${text}\nexport const more = 1;\n`);
    expect(hashEngine(copy)).not.toBe(before);
  });

  it('takes in whatever a node begins to import', () => {
    const edit = () => change('deception/metrics/lies.ts', (text) => `${text}// counts once more\n`);
    const before = hashEngine(copy);
    edit();
    expect(hashEngine(copy)).toBe(before);
    change('nodes/run-step.ts', (text) => `import '../deception/metrics/lies.ts';\n${text}`);
    const after = hashEngine(copy);
    edit();
    expect(hashEngine(copy)).not.toBe(after);
  });

  it('is the one that was made when it was packed, in a package', () => {
    const packed = path.join(copy, 'packed');
    mkdirSync(packed);
    writeFileSync(path.join(packed, engineFile), 'as-packed\n');
    expect(readEngineHash(packed)).toBe('as-packed');
  });
});
