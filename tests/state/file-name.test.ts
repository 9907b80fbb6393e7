// Names that become names of folders: the same on every system.
import { describe, expect, it } from '@jest/globals';
import { isMatchId, isPortableName, isTextInTables } from '../../state/file-name.ts';
import { isModelName } from '../../state/model-identity.ts';

describe('a name', () => {
  it.each([
    'CON',
    'con',
    'Nul',
    'aux.txt',
    'PRN.a.b',
    'COM1',
    'com9.ndjson',
    'LPT0',
    'com¹',
    'CONIN$',
    'nul .txt',
    'gpt.',
    'gpt ',
    '..',
  ])('that Windows keeps or cuts is refused: %j', (name) =>
    expect([isPortableName(name), isMatchId(name), isModelName(name)]).toEqual([false, false, false]),
  );

  it.each(['7', '1.10', '-5', '1e5', '0x1F', '1_000', '2026-11-27', '20261127T10', '27-Nov-2026', 'NaN', 'inf'])(
    'that programs that read tables take for a number or a date is no name of a model, and no id: %s',
    (name) => expect([isTextInTables(name), isModelName(name)]).toEqual([false, false]),
  );

  it.each(['gpt-4', '4o', 'o1', 'nano', 'session_20241117_221340', 'classic-8-7-1a2b3c4d', 'None-such', '7b', 'march'])(
    'that is a word in tables is taken: %s',
    (name) => expect([isTextInTables(name), isModelName(name)]).toEqual([true, true]),
  );

  it.each(['console', 'com', 'com10', 'conan', 'a.con', 'nul-1', 'gpt-4.1', 'lpt'])(
    'like such a one is taken: %j',
    (name) => expect([isPortableName(name), isMatchId(name), isModelName(name)]).toEqual([true, true, true]),
  );
});
