// Tests all formats of recorded games: each is recognized by its contents, its invented games are imported, and a
// damaged game is refused with an error that names its format.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { extractMatchClaims } from '../../../deception/claims/match-claims.ts';
import { fileFormats, formatNames, importMatches } from '../../../graph/import/import-match.ts';
import { comparePromptKnowledge } from '../../../graph/import/prompt-knowledge.ts';
import { readImportedCalls, writeImported } from '../../../graph/import/imported-match.ts';
import { readRecord } from '../../../models/record/recorder.ts';
import { hashText } from '../../../state/hash-text.ts';
import { GameEvent, isEventOfType } from '../../../state/events.ts';
import { createTemporaryFolder } from '../../temporary-folder.ts';
import { whole } from './published-game.ts';

const folder = createTemporaryFolder();
const invented = path.join(import.meta.dirname, '../../invented-games');
const timeline = path.join(folder, 'kaggle-timeline');
mkdirSync(timeline);
writeFileSync(path.join(timeline, 'game.json'), JSON.stringify(whole));
writeFileSync(path.join(timeline, 'damaged.json'), JSON.stringify(whole).slice(0, 900));

/** Format → a folder with undamaged games, and a damaged one. */
const games: Readonly<Record<string, { at: string; sound: readonly string[] }>> = {
  'kaggle-episode': { at: path.join(invented, 'kaggle-native'), sound: ['episode-1', 'episode-2'] },
  'kaggle-timeline': { at: timeline, sound: ['game'] },
  aiwolf: { at: path.join(invented, 'aiwolf'), sound: ['invented-5'] },
  'secret-mafia': { at: path.join(invented, 'secret-mafia'), sound: ['invented-6'] },
};

it('has games of every format', () => {
  expect(Object.keys(games).sort()).toEqual(fileFormats.map(({ name }) => name).sort());
});

describe.each(fileFormats)('the format $name', (format) => {
  const { at, sound } = games[format.name]!;
  const { matches, damaged } = importMatches(null, [at], 0);

  it('is recognized by its contents, and its sound games are imported beside a damaged one, which is named', () => {
    expect(matches.map(({ report }) => [report.format, report.source])).toEqual(
      sound.map((name) => [format.name, name]),
    );
    expect(damaged.map(({ name }) => path.basename(name).split('.')[0])).toEqual(['damaged']);
    expect(damaged[0]!.error.message).toContain(path.join(at, 'damaged'));
  });

  it('is recognized whatever a file is called, and in folders below', () => {
    const elsewhere = path.join(folder, 'elsewhere', format.name, 'deep', 'er');
    cpSync(at, elsewhere, { recursive: true });
    const [ending] = format.endings;
    cpSync(path.join(at, `${sound[0]!}${ending!}`), path.join(elsewhere, `another-name${ending!}`));
    const found = importMatches(null, [path.join(folder, 'elsewhere', format.name)], 0);
    expect(new Set(found.matches.map(({ report }) => report.format))).toEqual(new Set([format.name]));
    expect(found.damaged.some(({ error }) => error.message.includes('are the same game'))).toBe(true);
  });

  it.each([format.name, ...format.aliases])('is accepted as --format %s', (name) => {
    expect(formatNames).toContain(name);
    expect(importMatches(name, [at], 0).matches).toHaveLength(sound.length);
  });

  it('is refused by name where another is insisted on', () => {
    const [other] = fileFormats.filter(({ name }) => name !== format.name);
    expect(() => importMatches(other!.name, [path.join(at, `${sound[0]!}${format.endings[0]!}`)], 0)).toThrow(
      `not a game of the format ${other!.name}. Leave --format out, or write --format ${format.name}.`,
    );
  });

  it('gives events as a match has them, without a difference from our rules', () => {
    for (const { events, report } of matches) {
      for (const event of events) expect(GameEvent.parse(event)).toEqual(event);
      expect(report.differences).toEqual([]);
      expect(events.at(-1)?.type).toBe('ended');
    }
  });

  it('gives records that are sealed, with what models were asked', () => {
    const out = path.join(folder, `out-${format.name}`);
    for (const [place, one] of writeImported(matches, out).entries()) {
      const record = readRecord(one);
      expect(record.seal).not.toBeNull();
      expect(record.manifest.imported?.format).toBe(format.name);
      expect(readImportedCalls(one)).toEqual(matches[place]!.calls);
    }
  });
});

describe('native episodes of Kaggle', () => {
  const [named, numbered] = importMatches(null, [path.join(invented, 'kaggle-native')], 0).matches;
  const told = ({ events }: NonNullable<typeof named>, names: readonly string[]) => ({
    deaths: events
      .filter(isEventOfType('death'))
      .map(({ round, cause, player }) => [round, cause, names.indexOf(player)]),
    learned: events.filter(isEventOfType('learned')).map(({ about, role }) => [names.indexOf(about), role]),
    said: [1, 2].map((round) => events.filter(isEventOfType('statement')).filter((one) => one.round === round).length),
    voted: [1, 2].map((round) => events.filter(isEventOfType('ballot')).filter((one) => one.round === round).length),
    winner: events.find(isEventOfType('ended'))?.winner,
  });
  const names = ['Ivo', 'Mara', 'Nils', 'Petra', 'Rosa', 'Tom', 'Ulla', 'Vera'];
  const numbers = names.map((_, place) => `Player ${place + 1}`);

  it('have the deaths, checks, statements, ballots and winner of the game', () => {
    expect(told(named!, names)).toEqual({
      deaths: [[1, 'night', 5], [1, 'exile', 0], [2, 'exile', 1]],
      learned: [[0, 'Werewolf'], [1, 'Werewolf']],
      said: [7, 6],
      voted: [7, 6],
      winner: 'villagers',
    }); // prettier-ignore
  });

  it('are the same game under numbers for names', () => {
    expect(told(numbered!, numbers)).toEqual(told(named!, names));
  });

  it.each([
    ['names', 0, names],
    ['numbers', 1, numbers],
  ] as const)('have the lies of the game, under %s', (_what, place, own) => {
    const { manifest, events } = [named!, numbered!][place]!;
    const { claims } = extractMatchClaims({ manifest, events, answers: [] });
    const lies = claims
      .filter(({ verdict }) => verdict === 'lie')
      .map(({ by, type, role }) => [own.indexOf(by), type, role]);
    expect(lies).toEqual([
      [0, 'own_role', 'Seer'],
      [1, 'own_role', 'Villager'],
    ]);
  });

  it('keep every prompt, completion, token and cost, at the place of what came of it', () => {
    const { calls, events } = named!;
    const count = (action: string) => calls.filter((call) => call.action === action).length;
    expect([count('debate'), count('vote'), count('unmask') + count('protect') + count('eliminate')]).toEqual([
      13, 13, 7,
    ]);
    for (const call of calls) {
      expect(call).toMatchObject({ tokens: { in: 320, out: 40 }, cost: 0.0004, error: null });
      expect(call.prompt).toContain(`You are ${call.player}`);
    }
    const said = calls.filter(({ action }) => action === 'debate');
    expect(
      said.map(({ round, step, player, raw }) => [
        `${round}.${step + 1}`,
        player,
        (JSON.parse(raw!) as { message: string }).message,
      ]),
    ).toEqual(events.filter(isEventOfType('statement')).map(({ id, by, text }) => [id, by, text]));
  });
});

it('what players are taken to know is held to the prompts that an episode records', () => {
  const [match] = importMatches(null, [path.join(invented, 'kaggle-native', 'episode-1.json')], 0).matches;
  const told = match!.report.prompt_knowledge;
  expect(told).toMatchObject({ prompts: 33, naming_own_role: 33, private_facts_named: 0 });
  const roles = new Map([['Nils', 'Seer']]);
  const calls = match!.calls.map((call) => ({ ...call, prompt: `You are ${call.player}. Ivo is a Werewolf.` }));
  const seer = calls.filter(({ player, round }) => player === 'Nils' && round === 2);
  expect(comparePromptKnowledge(seer, match!.events, roles)).toEqual({
    ...{ prompts: 3, naming_own_role: 0, private_facts: 3, private_facts_named: 3 },
  });
  expect(comparePromptKnowledge([], match!.events, roles)).toBeNull();
});

describe('logs of AIWolf', () => {
  const [match] = importMatches(null, [path.join(invented, 'aiwolf')], 0).matches;
  const { manifest, events, report } = match!;
  const sound = readFileSync(path.join(invented, 'aiwolf', 'invented-5.log'), 'utf8');
  const importText = (text: string) => {
    const at = path.join(folder, `log-${hashText(text).slice(0, 8)}.log`);
    writeFileSync(at, text);
    return importMatches('aiwolf', [at], 0).matches[0]!;
  };

  it('have day 0 as round 1, without a night, and the votes, deaths and winner of the game', () => {
    const count = (type: 'statement' | 'ballot') =>
      [1, 2, 3].map((round) => events.filter((one) => one.type === type && one.round === round).length);
    expect([count('statement'), count('ballot')]).toEqual([
      [3, 7, 3],
      [0, 5, 2],
    ]);
    expect(events.filter(isEventOfType('death')).map(({ round, cause, player }) => [round, cause, player])).toEqual([
      [2, 'exile', 'Dina'],
      [3, 'night', 'Asha'],
      [3, 'exile', 'Cato'],
    ]);
    expect(events.filter(isEventOfType('quiet_night'))).toEqual([]);
    expect(events.find(isEventOfType('ended'))).toMatchObject({ winner: 'villagers', reason: 'no Werewolf left' });
    expect(report.uncounted_ballots).toEqual([{ round: 3, by: 'Cato', target: 'Cato', cast_in_round: 3 }]);
  });

  it('count the Possessed as human in checks and among those who know each other, and let it win with the Werewolves', () => {
    expect(events.filter(isEventOfType('learned')).map(({ about, team }) => [about, team])).toEqual([
      ['Dina', 'villagers'],
      ['Cato', 'werewolves'],
    ]);
    expect(events.find(isEventOfType('acquainted'))?.players).toEqual(['Cato']);
    expect(manifest.setup.players.find(({ role }) => role === 'Possessed')?.team).toBe('werewolves');
  });

  it('have the lies of the game', () => {
    const { claims } = extractMatchClaims({ manifest, events, answers: [] });
    const lies = claims.filter(({ verdict }) => verdict === 'lie').map(({ by, round, type }) => [by, round, type]);
    expect(lies).toEqual([
      ['Dina', 2, 'own_role'],
      ['Dina', 2, 'check'],
      ['Cato', 3, 'own_role'],
    ]);
    expect(claims.filter(({ by, verdict }) => by === 'Enzo' && verdict === 'true').length).toBeGreaterThan(1);
  });

  it('may end their lines with a carriage return, and have Japanese or numbered names', () => {
    const same = importText(sound.replaceAll('\n', '\r\n'));
    expect(same.events).toEqual(events);
    const names = { Asha: 'アサヒ', Bram: 'ミナト', Cato: 'サクラ', Dina: 'ヒカリ', Enzo: 'ユウキ' };
    const japanese = importText(
      Object.entries(names).reduce((text, [one, other]) => text.replaceAll(one, other), sound),
    );
    const { claims } = extractMatchClaims({ ...japanese, answers: [] });
    expect(claims.filter(({ verdict }) => verdict === 'lie').map(({ by }) => by)).toEqual([
      'ヒカリ',
      'ヒカリ',
      'サクラ',
    ]);
    const numbered = importText(sound.replaceAll(/,(?:Asha|Bram|Cato|Dina|Enzo)\n/g, ',\n'));
    expect(numbered.manifest.setup.players.map(({ name }) => name)).toEqual(
      [1, 2, 3, 4, 5].map((one) => `Agent ${one}`),
    );
  });

  it('tell a Medium what the last exile was', () => {
    const withMedium = importText(sound.replaceAll('2,VILLAGER', '2,MEDIUM'));
    const learned = withMedium.events.filter(isEventOfType('learned')).filter(({ by }) => by === 'Bram');
    expect(learned.map(({ about, team, round }) => [about, team, round])).toEqual([['Dina', 'villagers', 3]]);
    expect(() => extractMatchClaims({ ...withMedium, answers: [] })).not.toThrow();
  });

  it.each([
    ['an unknown role', sound.replaceAll('POSSESSED', 'FOX'), /line 4 is damaged: unknown role "FOX"/],
    ['an unknown agent', sound.replace('1,vote,1,4', '1,vote,1,9'), /line \d+ is damaged: the game has no agent "9"/],
    ['no end', sound.replace(/3,result.*/, ''), /has no line with the result/],
  ])('are refused with %s', (_what, text, said) => {
    expect(() => importText(text)).toThrow(said);
  });
});

describe('traces of SecretMafia', () => {
  const file = path.join(invented, 'secret-mafia', 'invented-6.jsonl');
  interface Trace {
    game_id: number;
    player_id: number;
    observations: string;
    rewards: string;
  }
  type Turn = [time: string, turn: { observation: string; action: string }];
  const readSound = () =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Trace);
  const importAll = (records: readonly unknown[]) => {
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
    const at = path.join(folder, `traces-${hashText(text).slice(0, 8)}.jsonl`);
    writeFileSync(at, text);
    return importMatches('textarena', [at], 0);
  };
  /** Returns the records after `alter` has changed the turns of one player. */
  const change = (seat: number, alter: (turns: Turn[]) => Turn[]) =>
    readSound().map((record) =>
      record.player_id === seat
        ? {
            ...record,
            observations: JSON.stringify(
              Object.fromEntries(alter(Object.entries(JSON.parse(record.observations) as object) as Turn[])),
            ),
          }
        : record,
    );
  const [match] = importMatches(null, [file], 0).matches;

  it('have six seats, and the deaths, checks, words, ballots and winner of the game', () => {
    const { manifest, events, calls } = match!;
    expect(manifest.setup.players.map(({ name, role }) => [name, role])).toEqual([
      ['Player 0', 'Villager'],
      ['Player 1', 'Werewolf'],
      ['Player 2', 'Seer'],
      ['Player 3', 'Doctor'],
      ['Player 4', 'Werewolf'],
      ['Player 5', 'Villager'],
    ]);
    expect(manifest.setup.models['Player 5']).toBe('vendor/invented-b');
    expect(events.filter(isEventOfType('death')).map(({ round, cause, player }) => [round, cause, player])).toEqual([
      [1, 'night', 'Player 5'],
      [1, 'exile', 'Player 1'],
      [2, 'exile', 'Player 4'],
    ]);
    expect(events.filter(isEventOfType('learned')).map(({ about, team }) => [about, team])).toEqual([
      ['Player 1', 'werewolves'],
      ['Player 4', 'werewolves'],
    ]);
    const count = (type: 'statement' | 'ballot') =>
      [1, 2].map((round) => events.filter((one) => one.type === type && one.round === round).length);
    expect([count('statement'), count('ballot')]).toEqual([
      [10, 8],
      [5, 4],
    ]);
    expect(events.at(-1)).toMatchObject({ winner: 'villagers', reason: 'no Werewolf left' });
    expect(calls.map(({ raw }) => raw)).toContain('My ballot: [1]');
    expect(calls.every(({ prompt, tokens, cost }) => prompt === null && tokens === null && cost === null)).toBe(true);
  });

  it('have the lies of the game, in its own words for the roles', () => {
    const { claims } = extractMatchClaims({ ...match!, answers: [] });
    const lies = claims
      .filter(({ verdict }) => verdict === 'lie')
      .map(({ by, round, type, role }) => [by, round, type, role]);
    expect(lies).toEqual([
      ['Player 1', 1, 'own_role', 'Doctor'],
      ['Player 1', 1, 'act', null],
      ['Player 4', 1, 'own_role', 'Villager'],
      ['Player 4', 2, 'own_role', 'Seer'],
      ['Player 4', 2, 'check', null],
    ]);
  });

  it('name illegal moves, which the moderator had made again, and count none of them', () => {
    const tried = change(0, (turns) =>
      turns.flatMap(([time, turn]): Turn[] => {
        if (!/^\[\d\]$/.test(turn.action)) return [[time, turn]];
        const [, before, seconds] = /^(.*:)(\d\d)/.exec(time)!;
        return [
          [`${before!}${seconds!}.0001+00`, { ...turn, action: 'I would rather not say.' }],
          [
            `${before!}${seconds!}.6+00`,
            { observation: '[-1] Player 0 tried an invalid move. Once more.', action: turn.action },
          ],
        ];
      }),
    );
    const [played] = importAll(tried).matches;
    expect(played!.report.differences).toEqual(
      [1, 2].map((round) => ({
        ...{ round, phase: 'day', kind: 'act' },
        text: 'Left out: an illegal move by Player 0 (vote), who was asked again.',
      })),
    );
    expect(played!.events).toEqual(match!.events);
    expect(played!.calls.filter(({ error }) => error !== null).map(({ player, action }) => [player, action])).toEqual(
      [1, 2].map(() => ['Player 0', 'vote']),
    );
  });

  it('may stand in one file, several games of them, in any order and with stored objects', () => {
    const records = readSound();
    const others = records.map((record) => ({
      ...record,
      game_id: 8,
      observations: JSON.parse(record.observations) as unknown,
      rewards: JSON.parse(record.rewards) as unknown,
    }));
    const { matches } = importAll([...others, ...records].reverse());
    expect(matches.map(({ manifest }) => manifest.id.split('-').at(-1))).toEqual(['7', '8']);
    for (const one of matches) expect(one.events).toEqual(match!.events);
  });

  it.each([
    [
      'a player who acted is missing',
      () => readSound().filter((one) => one.player_id !== 3),
      /ends before|out of turn/,
    ],
    [
      'an answer is missing',
      () => change(0, (turns) => turns.filter((_, place) => place !== 1)),
      /out of turn, at 2026-01-05T10:00:.*round 1\)/,
    ],
    [
      'a player was removed for illegal moves',
      () =>
        change(0, (turns) =>
          turns.map(([time, turn], place) => [
            time,
            place === 3
              ? { ...turn, observation: '[-1] Player 4 has been eliminated by making an invalid move.' }
              : turn,
          ]),
        ),
      /removed Player 4 for illegal moves/,
    ],
    [
      'nobody won',
      () => readSound().map((one) => ({ ...one, rewards: '{"0":0,"1":0,"2":0,"3":0,"4":0,"5":0}' })),
      /name no side as the winner/,
    ],
    ['a record is there twice', () => [...readSound(), ...readSound().slice(0, 1)], /has 2 records of Player 0/],
    [
      'a time is none',
      () => change(0, (turns) => turns.map(([, turn], place) => [`turn ${place}`, turn])),
      /"turn 0", which is not a time/,
    ],
    [
      'a role is unknown',
      () =>
        change(0, (turns) =>
          turns.map(([time, turn]) => [time, { ...turn, observation: turn.observation.replace('Villager', 'Jester') }]),
        ),
      /names the unknown role "Jester"/,
    ],
    [
      'no role is named',
      () =>
        change(0, (turns) =>
          turns.map(([time, turn]) => [
            time,
            { ...turn, observation: turn.observation.replace(/\brole:?\s+\w+/i, 'side') },
          ]),
        ),
      /names no role/,
    ],
  ] as const)('are refused by name where %s', (_what, create, said) => {
    expect(() => importAll(create())).toThrow(said);
  });
});

it('a file without a game is left out, and a folder without one refused', () => {
  const empty = path.join(folder, 'empty');
  mkdirSync(empty);
  writeFileSync(path.join(empty, 'labels.json'), '{"a": 1}');
  expect(() => importMatches(null, [empty], 0)).toThrow(
    'contains no game of a known format. Known formats: sessions of Werewolf Arena',
  );
  writeFileSync(path.join(empty, 'game.json'), readFileSync(path.join(timeline, 'game.json')));
  expect(importMatches(null, [empty], 0).leftOut).toEqual([path.join(empty, 'labels.json')]);
});

it.each(['arena', 'dsgbench'])('sessions are found without a name and as %s', (name) => {
  const at = path.join(invented, 'arena-player-ids');
  expect(importMatches(null, [at], 0).matches).toHaveLength(1);
  expect(importMatches(name, [at], 0).matches).toHaveLength(1);
});
