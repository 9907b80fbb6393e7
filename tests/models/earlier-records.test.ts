// Records of earlier versions are read in today's form and can be resumed.
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { openRecorder, readManifest, readRecord } from '../../models/record/recorder.ts';
import type { RecordMigration } from '../../state/record-migrations.ts';
import { called, manifestOf, said } from '../deception/match-builder.ts';
import { readContents, rewrite } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();
const manifest = manifestOf();
const answers = [called('Dan', 'bid'), called('Will', 'bid'), called('Leah', 'vote')];

/** Version 0 had other names: "name" for the id, and "seat" for a player. */
const chain: readonly RecordMigration[] = [
  {
    from: 0,
    manifest: ({ name, ...rest }) => ({ id: name, ...rest }),
    answer: ({ seat, ...line }) => (seat === undefined ? line : { player: seat, ...line }),
    event: ({ seat, ...line }) => (seat === undefined ? line : { by: seat, ...line }),
  },
  { from: 1 },
  { from: 2 },
  { from: 3 },
];

/** Copies the folder of a match that version 0 began. */
function copyEarly(name: string): string {
  const folder = path.join(root, name);
  const recorder = openRecorder(folder, manifest, () => undefined);
  for (const line of answers) recorder.put(line);
  recorder.happened([said('1.1', 'Dan')]);
  recorder.close();
  for (const name of ['answers.ndjson', 'events.ndjson'])
    rewrite(folder, name, (text) => text.replaceAll(/(,"epoch":\d+)?,"chain":"\w+"/g, '')); // version 0 linked nothing
  rewrite(folder, 'manifest.json', (text) => text.replace('_version": 4', '_version": 0').replace('"id":', '"name":'));
  rewrite(folder, 'answers.ndjson', (text) => text.replaceAll('"player":', '"seat":'));
  rewrite(folder, 'events.ndjson', (text) => text.replaceAll('"by":', '"seat":'));
  return folder;
}

describe('the record of a match of an earlier version', () => {
  it('is read in the form of today', () => {
    const folder = copyEarly('read');
    expect(readManifest(path.join(folder, 'manifest.json'), chain)).toEqual(manifest);
    expect(readRecord(folder, { migrations: chain })).toMatchObject({
      manifest,
      answers,
      events: [said('1.1', 'Dan')],
    });
  });

  it('is gone on with, and becomes one of today with the first new answer', () => {
    const folder = copyEarly('continued');
    const before = readContents(folder);
    openRecorder(folder, manifest, () => undefined, chain).close();
    expect(readContents(folder)).toEqual(before);
    const recorder = openRecorder(folder, manifest, () => undefined, chain);
    expect(recorder.answers).toEqual(answers);
    const more = [called('Will', 'debate'), called('Leah', 'debate')];
    for (const line of more) recorder.put(line);
    recorder.close();
    expect(readManifest(path.join(folder, 'manifest.json'))).toEqual(manifest);
    expect(readRecord(folder, { migrations: chain }).answers).toEqual([...answers, ...more]);
  });
});
