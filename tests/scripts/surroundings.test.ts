// Output of `doctor` about the file of keys, files that stop commands, the terminal and signals.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { playMatch } from '../../graph/play-match.ts';
import { describeEnvFile, describeSignals } from '../../scripts/command/surroundings.ts';
import { describeRecordFiles, describeReport, describeSecondPlays } from '../../scripts/command/unusable-files.ts';
import { recordFiles } from '../../state/record.ts';
import { createBoard } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run } from './process.ts';

const out = createTemporaryFolder();
const text = 'OPENAI_API_KEY=sk-live-0123456789abcdefghij\nOPENAI_BASE_URL=http://127.0.0.1:8000/v1\n';
const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n';

/** Creates a folder whose `.env` contains these bytes. */
function createFolder(name: string, contents: string | Buffer): string {
  const folder = path.join(out, name);
  mkdirSync(folder);
  writeFileSync(path.join(folder, '.env'), contents);
  return folder;
}

describe('a file .env', () => {
  it.each([
    ['UTF-8', Buffer.from(text), /^2 variables in .+\.env$/],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`), /^2 variables in .+\.env$/],
    ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le'), /^2 variables in .+\.env \(UTF-16 text\)/],
  ])('in %s is read', (name, contents, words) => {
    const { state, says } = describeEnvFile(createFolder(name, contents));
    expect({ state, says }).toEqual({ state: 'fine', says: expect.stringMatching(words) });
    expect(says).not.toContain('sk-live');
  });

  it('that is a pointer of git-lfs is a fault, with what to run', () => {
    const { state, says } = describeEnvFile(createFolder('lfs', pointer));
    expect({ state, says }).toEqual({ state: 'fault', says: expect.stringMatching(/git-lfs pointer .*git lfs pull/) });
  });

  it('without a variable says what a line is, and none is none', () => {
    expect(describeEnvFile(createFolder('empty', '# keys\n'))).toEqual({
      state: 'none',
      says: expect.stringContaining('NAME=value'),
    });
    expect(describeEnvFile(out)).toEqual({ state: 'none', says: 'none in this folder' });
  });
});

describe('the matches of a folder', () => {
  const study = createTemporaryFolder();

  it('whose files are not what their names say are faults, with what to do, and missing files are none', () => {
    const records = ['sound', 'pointer', 'pipe'].map((name) => path.join(study, name));
    for (const record of records) {
      mkdirSync(record, { recursive: true });
      writeFileSync(path.join(record, recordFiles.manifest), '{}');
    }
    expect(describeRecordFiles(records)).toEqual({ state: 'fine', says: 'the files of 3 matches can be opened' });
    writeFileSync(path.join(records[1]!, recordFiles.events), pointer);
    mkdirSync(path.join(records[2]!, recordFiles.answers));
    expect(describeRecordFiles(records)).toEqual({
      state: 'fault',
      says: `2 of 3 matches cannot be read, the first because ${path.join(records[1]!, recordFiles.events)} is a git-lfs pointer to a file that was not downloaded. Run "git lfs pull" in its folder`,
    });
  });

  it('have a report that can be replaced, unless its command was killed while it replaced it', () => {
    const report = path.join(study, 'report');
    expect(describeReport(report)).toBeNull();
    mkdirSync(path.join(report, 'pictures'), { recursive: true });
    writeFileSync(path.join(report, 'matches.csv'), 'match\n');
    expect(describeReport(report)?.state).toBe('fine');
    writeFileSync(path.join(report, 'pictures', 'lies.svg.old'), '<svg/>');
    expect(describeReport(report)).toEqual({
      state: 'fault',
      says: expect.stringMatching(/report was being replaced when .* killed, .*: run the command again$/),
    });
  });
});

describe('the matches of a folder', () => {
  const plays = path.join(out, 'plays');
  const record = (set: string, id: string, answers: string) => {
    const folder = path.join(plays, set, id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, recordFiles.manifest), '{}');
    writeFileSync(path.join(folder, recordFiles.answers), answers);
    return folder;
  };

  it('that were played twice are told as replicates, and copies as copies', () => {
    const records = [record('s1', 'a', 'one'), record('s2', 'a', 'two'), record('s1', 'b', 'b')];
    expect(describeSecondPlays([records[0]!, records[2]!])).toBeNull();
    expect(describeSecondPlays(records)?.says).toMatch(/^1 match is in .*1 other play, .*0 copies/);
    const copied = [...records, record('backup', 'a', 'one'), record('backup', 'b', 'b')];
    expect(describeSecondPlays(copied)).toEqual({
      state: 'none',
      says: expect.stringMatching(
        /^2 matches are in several folders: 1 other play, .* replicates .* 2 copies, .*name the folders/,
      ),
    });
  });

  it('may have tables of an earlier version, whose ids read as numbers', () => {
    const report = path.join(plays, 'report');
    mkdirSync(report);
    const write = (row: string) => writeFileSync(path.join(report, 'statements.csv'), `match_id,statement,round\n${row}\n`); // prettier-ignore
    write('a,s1.10,1');
    expect(describeReport(report)).toMatchObject({ state: 'fine' });
    write('a,1.10,1');
    expect(describeReport(report)).toEqual({ state: 'none', says: expect.stringMatching(/1\.10 .* numbers: report again$/) }); // prettier-ignore
  });
});

describe('doctor', () => {
  it('names a report and a comparison whose command was killed while it replaced them, and matches played twice', async () => {
    const runs = path.join(out, 'killed');
    for (const name of ['report', 'comparison'])
      mkdirSync(path.join(runs, `.wolfgraph-old-${name}`), { recursive: true });
    for (const set of ['s1', 's2']) {
      mkdirSync(path.join(runs, set, 'a'), { recursive: true });
      writeFileSync(path.join(runs, set, 'a', recordFiles.manifest), '{}');
      writeFileSync(path.join(runs, set, 'a', recordFiles.summary), set);
      writeFileSync(path.join(runs, set, 'a', recordFiles.answers), set);
    }
    const { code, stdout } = await run('doctor', ['--out', runs]);
    expect(code).toBe(1);
    for (const name of ['report', 'comparison'])
      expect(stdout).toMatch(new RegExp(`^FAULT +${name} .*killed.*run the command again`, 'm'));
    expect(stdout).toMatch(/^- +plays +1 match is in/m);
  });

  it('says what TERM=dumb does and what to set instead, and that SIGUSR1 is ignored where no system shows it', async () => {
    const { code, stdout } = await run('doctor', ['--out', out], { env: { TERM: 'dumb' } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^- +terminal +TERM=dumb, .*set TERM=xterm-256color$/m);
    const blocked = { NODE_OPTIONS: '--no-warnings --disable-sigusr1' };
    expect(describeSignals(blocked, [], 'linux').state).toBe('fine');
    for (const told of [describeSignals(blocked, [], 'darwin'), describeSignals({}, ['--disable-sigusr1'], 'darwin')])
      expect(told).toEqual({ state: 'none', says: expect.stringMatching(/^SIGUSR1 .*Let your batch system send SIGTERM$/) }); // prettier-ignore
    expect(describeSignals({}, [], 'darwin').state).toBe('fine');
  });

  it('finds nothing of the kind in a usual shell', async () => {
    const { stdout } = await run('doctor', ['--out', out]);
    expect(stdout).toMatch(/^ok +terminal +supports colors/m);
    expect(stdout).toMatch(/^ok +signals +SIGUSR1 stops a command/m);
  });

  it('counts unfinished matches, and says which cannot be resumed because the wording of prompts changed, and what to do', async () => {
    const runs = path.join(out, 'unfinished');
    for (const id of ['kept', 'reworded']) {
      const { folder } = await playMatch({
        out: runs,
        id,
        seed: 1,
        board: createBoard(2, 1, 0, 3),
        rule: { maxRounds: 1, debateTurns: 1 },
      });
      rmSync(path.join(folder!, recordFiles.summary));
    }
    const say = async () =>
      (await run('doctor', ['--out', runs])).stdout.split('\n').find((line) => /^- +unfinished/.test(line));
    expect(await say()).toMatch(/2 unfinished matches in .*: run their command again to resume$/);
    const manifest = path.join(runs, 'reworded', recordFiles.manifest);
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(/("vote": ")[0-9a-f]{12}/, '$1000000000000'));
    expect(await say()).toMatch(
      /2 unfinished .* of which 1 cannot be resumed, because .* \(vote\)\. Finish them with the version that began them \(Wolfgraph .*\), or play new matches into another --out$/,
    );
  });

  it('says which parts of traces are hidden, and how to hide the others', async () => {
    const { stdout } = await run('doctor', ['--out', out], {
      env: { LANGSMITH_TRACING: 'true', LANGSMITH_API_KEY: 'lsv2-test', LANGSMITH_HIDE_INPUTS: 'true' },
    });
    expect(stdout).toMatch(
      /^ok +LangSmith .*; inputs hidden; to hide outputs, set LANGSMITH_HIDE_OUTPUTS=true; to hide metadata, /m,
    );
  });
});
