// Folders of sessions: stopped sessions are named and left out, and players with ids are named as their prompts name
// them.
import { cpSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findArenaSessions } from '../../../graph/import/arena-format.ts';
import { importMatches } from '../../../graph/import/import-match.ts';
import { extractMatchClaims } from '../../../deception/claims/match-claims.ts';
import { isEventOfType } from '../../../state/events.ts';
import { createTemporaryFolder } from '../../temporary-folder.ts';

const at = (...parts: string[]) => path.join(import.meta.dirname, '../../invented-games', ...parts);
const mixed = ['session_20260102_120000', 'session_20260102_130000', 'session_20260102_140000'];

describe('a folder with whole sessions and stopped ones', () => {
  it.each([
    ['its parent folder', [at('arena-mixed')]],
    ['its folders', mixed.map((name) => at('arena-mixed', name))],
  ])('given as %s gives the whole ones, and names the others', (_, folders) => {
    const { matches, leftOut, damaged } = importMatches('arena', folders, 0);
    expect(matches.map(({ report }) => report.source)).toEqual([mixed[0]]);
    expect(leftOut.map((folder) => path.basename(folder))).toEqual(mixed.slice(1));
    expect(damaged).toEqual([]);
  });

  it('is found three folders below the one that is given, and no deeper', () => {
    const root = createTemporaryFolder();
    const place = (...between: string[]) =>
      cpSync(at('arena-mixed', mixed[0]!), path.join(root, ...between, 'session'), { recursive: true });
    place('one', 'two');
    place('one', 'two', 'three');
    expect(findArenaSessions(root).whole).toEqual([path.join(root, 'one', 'two', 'session')]);
  });

  it('with stopped ones alone is refused', () => {
    expect(() => importMatches('arena', [at('arena-mixed', mixed[1]!)], 0)).toThrow('no game was played to its end');
  });
});

describe('a session whose players have ids', () => {
  const [match] = importMatches('arena', [at('arena-player-ids')], 0).matches;
  const { manifest, events, report } = match!;

  it('is imported under the names of its prompts', () => {
    expect(Object.fromEntries(manifest.setup.players.map(({ name, role }) => [name, role]))).toEqual({
      ...{ Amber: 'Villager', Birch: 'Villager', Cedar: 'Villager', Dune: 'Villager' },
      ...{ Elm: 'Werewolf', Fern: 'Werewolf', Grove: 'Doctor', Heath: 'Seer' },
    });
    expect(JSON.stringify(events)).not.toContain('player_');
    expect(report.differences).toEqual([]);
  });

  it('has its checks, deaths, exiles, statements and ballots', () => {
    const count = (type: 'statement' | 'ballot', round: number) =>
      events.filter(isEventOfType(type)).filter((event) => event.round === round).length;
    expect([count('statement', 1), count('ballot', 1), count('statement', 2), count('ballot', 2)]).toEqual([
      4, 7, 3, 5,
    ]);
    expect(events.filter(isEventOfType('learned')).map(({ about }) => about)).toEqual(['Elm', 'Fern']);
    expect(events.filter(isEventOfType('death')).map(({ player }) => player)).toEqual(['Dune', 'Elm', 'Heath', 'Fern']);
    expect(events.find(isEventOfType('ended'))?.winner).toBe('villagers');
  });

  it('has the lie of who is not the Seer', () => {
    const { claims } = extractMatchClaims({ manifest, events, answers: [] });
    const own = claims.filter(({ type, role }) => type === 'own_role' && role === 'Seer');
    expect(own.filter(({ by }) => by === 'Elm').map(({ verdict }) => verdict)).toContain('lie');
    expect(own.filter(({ by }) => by === 'Heath').map(({ verdict }) => verdict)).not.toContain('lie');
  });
});
