// Names that become names of folders: the same on every system.
import { describe, expect, it } from '@jest/globals';
import { isMatchId, isPortableName } from '../../state/file-name.ts';
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

  it.each(['console', 'com', 'com10', 'conan', 'a.con', 'nul-1', 'gpt-4.1', 'lpt'])(
    'like such a one is taken: %j',
    (name) => expect([isPortableName(name), isMatchId(name), isModelName(name)]).toEqual([true, true, true]),
  );
});
