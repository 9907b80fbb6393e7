// The hash of the words of all prompts, in processes that change the source of prompts when they load it.
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { templatesHash } from '../../prompts/prompt.ts';

describe('the hash by which the wording of all prompts is named', () => {
  /** Computes the hash in a process that changes the source of prompts when it loads them. */
  function readEdited(file: string, from: string, to: string) {
    const root = path.join(import.meta.dirname, '../..');
    const program = `
      import { registerHooks } from 'node:module';
      let edited = 0;
      registerHooks({
        load: (url, context, next) => {
          const loaded = next(url, context);
          if (!url.endsWith(${JSON.stringify(file)})) return loaded;
          const source = String(loaded.source);
          if (source.includes(${JSON.stringify(from)})) edited += 1;
          return { ...loaded, source: source.replaceAll(${JSON.stringify(from)}, ${JSON.stringify(to)}) };
        },
      });
      const { createProvenance } = await import(${JSON.stringify(pathToFileURL(path.join(root, 'models/record/provenance.ts')).href)});
      process.stdout.write(JSON.stringify({ edited, hash: createProvenance({}, 0).templates_sha256 }));`;
    const env = { ...process.env, NODE_COMPILE_CACHE: path.join(tmpdir(), 'wolfgraph-compile-cache') };
    const told = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8', env });
    return JSON.parse(told) as { edited: number; hash: string };
  }

  it.each([
    ['prompts/voting.ts', 'Which of them do you vote to exile?', 'Whom of them do you vote to exile?'],
    ['prompts/history.ts', 'Nobody stood for Sheriff', 'No player stood for Sheriff'],
    ['state/roles/witch.ts', 'You have one poison for the whole game.', 'You have a poison for the whole game.'],
  ])('is another where the words that run were edited: %s, "%s"', (file, from, to) => {
    const { edited, hash } = readEdited(file, from, to);
    expect(edited).toBe(1);
    expect(hash).not.toBe(templatesHash);
  });

  it('is the usual one where a comment was edited', () => {
    expect(readEdited('prompts/voting.ts', '// Questions about', '// Three questions about')).toEqual({
      edited: 1,
      hash: templatesHash,
    });
  });
});
