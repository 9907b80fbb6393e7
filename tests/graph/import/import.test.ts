// Faults in the files of a session: the error names the file.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { extractMatchClaims } from '../../../deception/claims/match-claims.ts';
import { summarizeMatch } from '../../../deception/summary/match-summary.ts';
import { buildTables } from '../../../deception/tables/match-tables.ts';
import { readArena, type ArenaSession } from '../../../graph/import/arena-format.ts';
import { replaySession } from '../../../graph/import/arena-replay.ts';
import { createSetup, importArena } from '../../../graph/import/import-match.ts';
import { writeImported } from '../../../graph/import/imported-match.ts';
import { replayMatch } from '../../../graph/play-match.ts';
import { readRecord } from '../../../models/record/recorder.ts';
import { renderTranscript } from '../../../report/transcript.ts';
import { GameEvent, isEventOfType } from '../../../state/events.ts';
import { getRole } from '../../../state/roles/index.ts';
import type { Team } from '../../../state/teams.ts';
import { flattenToOneLine } from '../../../state/text.ts';
import { findFigure, computeFigures as metricFigures } from '../../deception/metrics/figures.ts';
import { createTemporaryFolder } from '../../temporary-folder.ts';
import { allFor, log as logArenaMatch, names, players, round, session, without } from './session.ts';

type Match = ReturnType<typeof importArena>;

const out = createTemporaryFolder();
const { log, ...told } = round({ left: without('Dan'), night: { eliminated: 'Dan' } });
const complete = { players, rounds: [told], winner: 'Werewolves' };

/** Creates the folder of a session. Null leaves a file out. */
function writeFolder(name: string, files: { complete?: unknown; logs?: unknown }): string {
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
    expect(readArena(writeFolder('whole', {})).winner).toBe('werewolves');
  });

  it.each<[what: string, files: { complete?: unknown; logs?: unknown }, said: RegExp]>([
    ['without a file', { logs: null }, /without.a.file contains no game_logs\.json/],
    ['with a torn file', { logs: '[{' }, /game_logs\.json is damaged: it is not JSON/],
    [
      'with another shape',
      { complete: { players } },
      /game_complete\.json does not have the format of Werewolf Arena[^]*rounds/,
    ],
    ['with files of two sessions', { logs: [] }, /1 rounds and game_logs\.json 0/],
    [
      'with a stranger',
      { complete: { ...complete, rounds: [{ ...told, exiled: 'Zed' }] } },
      /"Zed".*At the table: Ginger/,
    ],
    ['of an unfinished game', { complete: { ...complete, winner: '' } }, /the winner "".*played to their end/],
  ])('%s is refused', (what, files, said) => {
    expect(() => readArena(writeFolder(what.replaceAll(' ', '.'), files))).toThrow(said);
  });

  it('that is damaged in its packing is refused', () => {
    const where = writeFolder('packed', { complete: null });
    writeFileSync(path.join(where, 'game_complete.json.gz'), 'no gzip');
    expect(() => readArena(where)).toThrow(/game_complete\.json\.gz is damaged: it cannot be unpacked/);
  });

  it('with an unknown role is refused with the known ones', () => {
    const fools = { ...complete, players: { ...players, Dan: { role: 'Fool', model: 'm' } } };
    expect(() => importArena(writeFolder('fool', { complete: fools }), 0)).toThrow(
      /Unknown role "Fool"\. Known roles:/,
    );
  });

  it('that does not exist is told as such', () => {
    expect(() => readArena(path.join(out, 'gone'))).toThrow(/gone does not exist/);
  });
});

it('no match is written over another', () => {
  const match = importArena(writeFolder('twice', {}), 0);
  writeImported([match], path.join(out, 'runs'));
  expect(() => writeImported([match], path.join(out, 'runs'))).toThrow(/already exists/);
});

it('games are written one by one, and nothing is in the folder before the last', () => {
  const [one, other] = ['first', 'second'].map((name) => importArena(writeFolder(name, {}), 0)) as [Match, Match];
  const beside = path.join(out, 'streamed');
  const runs = path.join(beside, 'runs');
  mkdirSync(beside);
  const listWritten = () => readdirSync(beside, { recursive: true }).map(String);
  function* take(fails: boolean) {
    yield one;
    expect(listWritten().some((file) => file.includes(path.join('first', 'events.ndjson')))).toBe(true);
    expect(existsSync(path.join(runs, 'first'))).toBe(false);
    if (fails) throw new Error('no more');
    yield other;
  }
  expect(() => writeImported(take(true), runs)).toThrow('no more');
  expect(listWritten()).toEqual([]);
  mkdirSync(runs);
  expect(writeImported(take(false), runs)).toEqual(['first', 'second'].map((name) => path.join(runs, name)));
  expect(readdirSync(beside)).toEqual(['runs']);
  expect(readdirSync(runs)).toEqual(['first', 'second']);
});

it('a match whose folder has a name that Windows keeps gets another', () => {
  expect(importArena(writeFolder('con.game', {}), 0).manifest.id).toBe('imported-con.game');
  expect(importArena(writeFolder('game..', {}), 0).manifest.id).toBe('game');
});

// Sessions of Werewolf Arena and DSGBench, replayed by the project's rules: their events, and their differences from
// these rules.

const play = (given: ArenaSession, winner: Team = 'werewolves') => replaySession(given, createSetup(given), winner);

/** One Villager leaves each night and each day, until four players are left. */
const first = round({
  left: without('Jacob', 'Ginger'),
  night: { eliminated: 'Jacob', protected: 'Dan', unmasked: 'Paul' },
  exiled: 'Ginger',
  said: [['Ginger', 'Good morning.']],
  votes: [allFor('Ginger', without('Jacob'))],
  summaries: { Scott: 'Ginger is gone.', Paul: 'All goes well.' },
});
const last = round({
  left: without('Jacob', 'Ginger', 'Scott', 'Harold'),
  night: { eliminated: 'Scott', protected: 'Dan', unmasked: 'Leah' },
  exiled: 'Harold',
  votes: [allFor('Harold', without('Jacob', 'Ginger', 'Scott'))],
});

describe('a session that followed its rules', () => {
  const { events, differences, uncounted } = play(session(first, last));

  it('has nothing that is different', () => {
    expect({ differences, uncounted }).toEqual({ differences: [], uncounted: [] });
  });

  it('gives events as a match has them', () => {
    for (const event of events) expect(GameEvent.parse(event)).toEqual(event);
    expect(
      events.filter(({ type }) => type !== 'dealt' && type !== 'ballot').map(({ type, round: of }) => `${of} ${type}`),
    ).toEqual([
      '0 acquainted',
      '1 round_started',
      ...['1 pick', '1 acted', '1 acted', '1 learned', '1 death'],
      ...['1 thought', '1 statement', '1 death', '1 summary', '1 summary'],
      '2 round_started',
      ...['2 pick', '2 acted', '2 acted', '2 learned', '2 death', '2 death', '2 ended'],
    ]);
  });

  it('tells nobody what the original told nobody', () => {
    const audienceOf = (type: GameEvent['type']) => events.find((event) => event.type === type)?.audience;
    expect(audienceOf('pick')).toEqual(['Paul', 'Leah']);
    expect(audienceOf('learned')).toEqual(['Dan']);
    expect(audienceOf('ballot')).toEqual(['Ginger']);
    expect(audienceOf('summary')).toEqual(['Scott']);
  });

  it('ends as recorded', () => {
    expect(events.at(-1)).toMatchObject({ type: 'ended', winner: 'werewolves', reason: 'Werewolves at parity' });
  });
});

describe('bids and votes after every statement', () => {
  const bids = [
    { Scott: 1, Dan: 4 },
    { Scott: 3, Paul: 2 },
  ];
  const talked = round({
    ...{ left: without('Jacob', 'Ginger'), night: { eliminated: 'Jacob' }, exiled: 'Ginger', bids },
    said: [
      ['Dan', 'I am the Seer.'],
      ['Scott', 'Are you?'],
    ],
    votes: [allFor('Dan', without('Jacob')), allFor('Ginger', without('Jacob'))],
  });
  const { events } = play(session(talked, last));

  it('are bids and synthetic votes, and the last vote counts', () => {
    expect(events.filter(isEventOfType('bid')).map(({ by, step, bid }) => [by, step, bid])).toEqual([
      ...[
        ['Scott', 0, 1],
        ['Dan', 0, 4],
      ],
      ...[
        ['Scott', 1, 3],
        ['Paul', 1, 2],
      ],
    ]);
    const tried = events.filter(isEventOfType('synthetic_vote'));
    expect(new Set(tried.map(({ step, by, target }) => (by === 'Dan' ? 'Dan' : `${step} ${target}`)))).toEqual(
      new Set(['1 Dan', 'Dan']),
    );
    expect(
      events.filter(isEventOfType('ballot')).filter(({ round: of, target }) => of === 1 && target === 'Ginger'),
    ).toHaveLength(6);
  });

  it('end with the last statement: a bid for a turn that nobody took is left out', () => {
    const more = { ...talked, bids: [...talked.bids, { Scott: 2 }] };
    const { bid } = talked.log;
    const noted = { ...more, log: { ...talked.log, bid: [...bid, bid[0]!.slice(0, 1)] } };
    expect(play(session(noted, last)).events).toEqual(events);
  });

  it('are of forty turns at most, the highest number that the rules allow', () => {
    const said = Array.from({ length: 45 }, (): [string, string] => ['Dan', 'Hm.']);
    const count = (turns: number) =>
      createSetup(session(round({ left: names, bids, said: said.slice(0, turns) }))).rules.debateTurns;
    expect([39, 40, 41, 45].map(count)).toEqual([39, 40, 40, 40]);
  });

  it('make it a match under the rules of Werewolf Arena', () => {
    const { rules } = createSetup(session(talked, last));
    expect(rules).toMatchObject({ debateOrder: 'bidding', debateTurns: 2, syntheticVotes: true, talkTemperature: 1 });
    expect(createSetup(session(first, last)).rules).toMatchObject({
      debateOrder: 'round-robin',
      talkTemperature: null,
    });
  });
});

it('the personality of a player is its persona, and nobody else has one', () => {
  const shy = { ...players, Dan: { ...players['Dan']!, personality: 'shy' } };
  const { players: seated } = createSetup({ ...session(first, last), players: shy });
  expect(seated.filter((player) => 'persona' in player)).toEqual([
    { name: 'Dan', role: 'Seer', team: 'villagers', persona: 'shy' },
  ]);
});

describe('where the original left its rules', () => {
  it("leaves out a dead Doctor's protection, and says that it had counted", () => {
    const doctorExiled = round({
      ...{ left: without('Jacob', 'Isaac'), night: { eliminated: 'Jacob', protected: 'Dan' }, exiled: 'Isaac' },
      votes: [allFor('Isaac', without('Jacob'))],
    });
    const spared = round({
      ...{ left: without('Jacob', 'Isaac', 'Dan'), night: { eliminated: 'Scott', protected: 'Scott' }, exiled: 'Dan' },
      votes: [allFor('Dan', without('Jacob', 'Isaac'))],
    });
    const end = round({ left: without('Jacob', 'Isaac', 'Dan', 'Scott'), night: { eliminated: 'Scott' } });
    const { events, differences } = play(session(doctorExiled, spared, end));
    expect(differences.map(({ round: of, kind, text }) => [of, kind, text])).toEqual([
      [2, 'act', 'Left out: protect by Isaac on Scott, since nobody who can do this was alive.'],
      [
        2,
        'death',
        'Recorded as removed: nobody; by the rules: Scott. The original also counted what is left out here.',
      ],
    ]);
    expect(events.filter(isEventOfType('quiet_night')).map((event) => event.round)).toEqual([2]);
  });

  it("keeps a dead player's ballot apart, and says that it decided", () => {
    const ballots = {
      Paul: 'Ginger',
      Leah: 'Ginger',
      Scott: 'Ginger',
      Jacob: 'Ginger',
      Ginger: 'Paul',
      Harold: 'Paul',
      Dan: 'Paul',
    };
    const { events, differences, uncounted } = play(
      session(
        {
          ...first,
          ...round({
            left: without('Jacob', 'Ginger'),
            night: { eliminated: 'Jacob' },
            exiled: 'Ginger',
            votes: [ballots],
          }),
        },
        last,
      ),
    );
    expect(uncounted).toEqual([{ round: 1, by: 'Jacob', target: 'Ginger', cast_in_round: 1 }]);
    expect(differences.map(({ text }) => text)).toEqual([
      "Recorded as exiled: Ginger; by the rules: nobody. The original also counted Jacob's ballot for Ginger.",
    ]);
    expect(events.filter(isEventOfType('ballot')).some(({ by }) => by === 'Jacob')).toBe(false);
    expect(events.filter(isEventOfType('death')).find(({ cause }) => cause === 'exile')).toMatchObject({
      player: 'Ginger',
    });
  });

  it('counts a ballot that still stood from an earlier day, and none that was cast later', () => {
    const [here, later] = [without('Jacob', 'Ginger', 'Scott'), without('Jacob', 'Ginger', 'Scott', 'Harold')];
    const second = round({
      ...{ left: later, night: { eliminated: 'Scott' }, exiled: 'Harold' },
      votes: [
        allFor(
          'Harold',
          here.filter((name) => name !== 'Isaac'),
        ),
      ], // Isaac does not vote
    });
    // All days share one dictionary of votes, in which Isaac's ballot of the first day still stands.
    const shared = { ...second, votes: [{ ...first.votes.at(-1), ...second.votes.at(-1) }] };
    const third = round({ left: ['Paul', 'Leah'], night: { eliminated: 'Dan' }, exiled: 'Isaac', votes: [{ Isaac: 'Paul', Paul: 'Isaac', Leah: 'Isaac' }] }); // prettier-ignore
    const { uncounted } = play(session(first, shared, third));
    expect(uncounted.filter(({ round: day, by }) => day === 2 && by === 'Isaac')).toEqual([
      { round: 2, by: 'Isaac', target: 'Ginger', cast_in_round: 1 },
    ]);
  });

  it('says whom the choices left out', () => {
    const cast = first.log.votes[0]!.map((vote) => ({
      ...vote,
      log: logArenaMatch(null, 'Choose from: Ginger, Scott, Harold, Paul, Leah, Isaac\n'),
    }));
    const { differences } = play(session({ ...first, log: { ...first.log, votes: [cast] } }, last));
    expect(differences.map(({ kind, text }) => [kind, text])).toEqual([
      ['choices', 'Dan was alive, but was not offered as a choice to vote for.'],
    ]);
  });

  it('says that the game was over, and that another side had won', () => {
    const more = round({ left: without('Jacob', 'Ginger', 'Scott', 'Harold', 'Dan'), night: { eliminated: 'Dan' } });
    const { differences } = play(session(first, last, more), 'villagers');
    expect(differences.map(({ round: of, phase, text }) => [of, phase, text])).toEqual([
      [2, 'day', 'By the rules, the Werewolves had won here; the original continued.'],
      [3, 'day', 'Recorded as the winner: the village; by the rules: the Werewolves.'],
    ]);
  });

  it('says that nothing explains a death', () => {
    const { differences } = play(session({ ...first, eliminated: 'Harold' }, last));
    expect(differences.map(({ text }) => text)).toEqual([
      'Recorded as removed: Jacob; by the rules: Harold. The record does not explain the difference.',
    ]);
  });
});

// Three published games: their figures by DSGBench's definitions, their departures from the rules, and commands that
// read them.

const ids = ['session_20241117_212035', 'session_20241117_215641', 'session_20241117_221340'] as const;
const publishedOut = createTemporaryFolder();
const findSource = (id: string) => path.join(import.meta.dirname, '../../published-games', id);
const matches = new Map(ids.map((id) => [id, importArena(findSource(id), 0)]));
const match = (id: (typeof ids)[number]) => matches.get(id)!;
const folders = new Map(ids.map((id) => [id, writeImported([match(id)], publishedOut)[0]!]));

it('an imported match is of no variant', () => {
  const record = readRecord(folders.get(ids[0])!);
  expect(buildTables(record).match.variant).toBe('plain');
  expect(record.manifest.setup).not.toHaveProperty('variant');
});

interface Vote {
  by: string;
  target: string;
}

/** Computes, from the imported events, the figures that DSGBench reports for a game. */
function countFigures(id: (typeof ids)[number]) {
  const { manifest, events, report } = match(id);
  const seat = (name: string) => manifest.setup.players.find((player) => player.name === name)!;
  const isWolf = (name: string) => seat(name).team === 'werewolves';
  const onWolves = (votes: readonly Vote[]) => {
    const village = votes.filter(({ by }) => !isWolf(by));
    return [village.filter(({ target }) => isWolf(target)).length, village.length];
  };
  const cast = [
    ...events.filter(isEventOfType('ballot')),
    ...report.uncounted_ballots.filter(({ round, cast_in_round: castIn }) => castIn === round),
  ];
  const counted = [...events.filter(isEventOfType('ballot')), ...report.uncounted_ballots];
  const deaths = events.filter(isEventOfType('death'));
  const exiles = deaths.filter(({ cause }) => cause === 'exile');
  const gone = deaths.slice(0, deaths.indexOf(exiles.at(-1)!) + 1).map(({ player }) => player);
  const key = manifest.setup.players.filter(({ role, team }) => team === 'villagers' && getRole(role).special);
  return {
    villageBallotsOnWerewolves: onWolves(cast),
    withThoseLeftOver: onWolves(counted),
    werewolfExiles: [exiles.filter(({ player }) => isWolf(player)).length, exiles.length],
    keyRolesAliveAfterLastExile: key.filter(({ name }) => !gone.includes(name)).length / key.length,
  };
}

it.each<[(typeof ids)[number], [number, number], [number, number], [number, number], number]>([
  [ids[0], [3, 8], [4, 10], [0, 1], 0.5],
  [ids[1], [4, 12], [5, 15], [0, 2], 0.5],
  [ids[2], [5, 12], [5, 15], [0, 2], 1],
])("%s gives the figures of DSGBench's definitions", (id, ballots, counted, exiles, key) => {
  expect(countFigures(id)).toEqual({
    villageBallotsOnWerewolves: ballots,
    withThoseLeftOver: counted,
    werewolfExiles: exiles,
    keyRolesAliveAfterLastExile: key,
  });
});

it.each<[(typeof ids)[number], [number, number], [number, number], [number, number]]>([
  [ids[0], [3, 8], [0, 1], [1, 2]],
  [ids[1], [4, 12], [0, 2], [1, 2]],
  [ids[2], [5, 12], [0, 2], [2, 2]],
])('%s gives the same by the metrics of a report', (id, ballots, exiles, key) => {
  const { manifest, events } = match(id);
  const tables = buildTables({ manifest, events, answers: [] });
  const countsOf = (name: string) => {
    const { value, opportunities } = findFigure(metricFigures(name, tables))!;
    return [Math.round(value! * opportunities!), opportunities];
  };
  expect(countsOf('irp_votes')).toEqual(ballots);
  expect(countsOf('vss_days')).toEqual(exiles);
  expect(countsOf('ksr_last_exile')).toEqual(key);
  expect(countsOf('ksr_end')).toEqual(key);
});

describe('the rules, given the recorded acts', () => {
  const listDifferences = (id: (typeof ids)[number]) =>
    match(id).report.differences.map(({ round, phase, text }) => `${round} ${phase}: ${text}`);

  it('reach every recorded death and the winner of the first game, in which a dead Seer went on', () => {
    expect(listDifferences(ids[0])).toEqual([
      '2 night: Left out: unmask by Dan on Leah, since nobody who can do this was alive.',
      '3 night: Left out: unmask by Dan on Isaac, since nobody who can do this was alive.',
    ]);
  });

  it('reach those of the second, in which a player who was saved could not be chosen any more', () => {
    expect(listDifferences(ids[1])).toEqual([
      '2 day: David was alive, but was not offered as a choice to vote for.',
      '3 night: David was alive, but was not offered as a choice to eliminate, protect or unmask.',
      '3 day: David was alive, but was not offered as a choice to vote for.',
    ]);
  });

  it('reach those of the third but for one exile, which the ballot of a dead player decided', () => {
    expect(listDifferences(ids[2])).toEqual([
      "2 day: Recorded as exiled: Jackson; by the rules: nobody. The original also counted Will's ballot of round 1 for Jackson.",
      '3 day: Sam was alive, but was not offered as a choice to vote for.',
    ]);
  });

  it.each(ids)('end %s with the Werewolves at parity', (id) => {
    expect(match(id).events.at(-1)).toMatchObject({ winner: 'werewolves', reason: 'Werewolves at parity', round: 3 });
  });
});

describe.each(ids)('the record of %s', (id) => {
  const record = () => readRecord(folders.get(id)!);

  it('is read as that of a finished match', () => {
    const { manifest, events, answers, isFinished } = record();
    expect({ isFinished, answers, events }).toEqual({ isFinished: true, answers: [], events: match(id).events });
    expect(manifest).toEqual(match(id).manifest);
  });

  it('says where it came from and who played', () => {
    const { imported, setup } = record().manifest;
    expect(imported).toEqual({ format: 'arena', source: id });
    const modelsOf = (team: string) =>
      setup.players.filter((player) => player.team === team).map(({ name }) => setup.models[name]);
    expect(new Set(modelsOf('villagers'))).toEqual(new Set(['deepseek-chat']));
    expect(new Set(modelsOf('werewolves'))).toEqual(new Set(['gpt-4o-mini']));
  });

  it('has every statement, word for word', () => {
    const file = path.join(findSource(id), 'game_complete.json.gz');
    const { rounds } = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as {
      rounds: { debate: string[][] }[];
    };
    const said = record().events.filter(isEventOfType('statement'));
    expect(said.map(({ by, text }) => [by, text])).toEqual(
      rounds.flatMap(({ debate }) => debate.map(([by, text]) => [by, flattenToOneLine(text!)])),
    );
    expect(
      said
        .filter(({ round }) => round === 2)
        .map((statement) => statement.id)
        .slice(0, 2),
    ).toEqual(['2.1', '2.2']);
  });

  it('is summarized, shown and searched for claims', () => {
    const read = record();
    const said = read.events.filter(isEventOfType('statement')).map((statement) => statement.id);
    expect(extractMatchClaims(read).statements.map((statement) => statement.id)).toEqual(said);
    expect(summarizeMatch(read)).toMatchObject({
      winner: 'werewolves',
      rounds: 3,
      model_calls: { total: { calls: 0 } },
    });
    expect(renderTranscript(read)).toContain(`Imported (arena, ${id})`);
  });

  it('cannot be replayed, and says so', async () => {
    await expect(replayMatch(folders.get(id)!)).rejects.toThrow(`Match ${id} was imported`);
  });
});
