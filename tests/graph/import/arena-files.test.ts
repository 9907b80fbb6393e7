// The files of a session: what is wrong with them is said, with the name of the file.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readArena } from '../../../graph/import/arena-format.ts';
import { importArena, writeImported } from '../../../graph/import/import-match.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { players, round, without } from './session.ts';

const out = temporaryFolder();
const { log, ...told } = round({ left: without('Dan'), night: { eliminated: 'Dan' } });
const complete = { players, rounds: [told], winner: 'Werewolves' };

/** A session's folder; a file that is null is not there. */
function folder(name: string, files: { complete?: unknown; logs?: unknown }): string {
  const where = path.join(out, name);
  mkdirSync(where);
  const { complete: game = complete, logs = [log] } = files;
  for (const [file, contents] of Object.entries({ 'game_complete.json': game, 'game_logs.json': logs }))
    if (contents !== null)
      writeFileSync(path.join(where, file), typeof contents === 'string' ? contents : JSON.stringify(contents));
  return where;
}

describe('a folder', () => {
  it('is read where nothing is wrong with it', () => {
    expect(readArena(folder('whole', {})).winner).toBe('werewolves');
  });

  it.each<[what: string, files: { complete?: unknown; logs?: unknown }, said: RegExp]>([
    ['without a file', { logs: null }, /without.a.file holds no game_logs\.json/],
    ['with a torn file', { logs: '[{' }, /game_logs\.json is damaged: it is not JSON/],
    ['with another shape', { complete: { players } }, /game_complete\.json is not as Werewolf Arena[^]*rounds/],
    ['with files of two sessions', { logs: [] }, /1 rounds and game_logs\.json 0/],
    [
      'with a stranger',
      { complete: { ...complete, rounds: [{ ...told, exiled: 'Zed' }] } },
      /"Zed".*At the table: Ginger/,
    ],
    ['of an unfinished game', { complete: { ...complete, winner: '' } }, /the winner "".*played to their end/],
  ])('%s is refused', (what, files, said) => {
    expect(() => readArena(folder(what.replaceAll(' ', '.'), files))).toThrow(said);
  });

  it('that is damaged in its packing is refused', () => {
    const where = folder('packed', { complete: null });
    writeFileSync(path.join(where, 'game_complete.json.gz'), 'no gzip');
    expect(() => readArena(where)).toThrow(/game_complete\.json\.gz is damaged: it cannot be unpacked/);
  });

  it('with an unknown role is refused with the known ones', () => {
    const fools = { ...complete, players: { ...players, Dan: { role: 'Fool', model: 'm' } } };
    expect(() => importArena(folder('fool', { complete: fools }), 0)).toThrow(/Unknown role "Fool"\. Known roles:/);
  });

  it('that does not exist is told as such', () => {
    expect(() => readArena(path.join(out, 'gone'))).toThrow(/gone does not exist/);
  });
});

it('no match is written over another', () => {
  const match = importArena(folder('twice', {}), 0);
  writeImported(match, path.join(out, 'runs'));
  expect(() => writeImported(match, path.join(out, 'runs'))).toThrow(/is there already/);
});
