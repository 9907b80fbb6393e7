// The three published games: what they give by DSGBench's definitions, where they left their rules, and what reads them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { claimsOf } from '../../../deception/claims/claims-of.ts';
import { summarizeMatch } from '../../../deception/summary.ts';
import { tablesOf } from '../../../deception/tables/tables-of.ts';
import { importArena, writeImported } from '../../../graph/import/import-match.ts';
import { replayMatch } from '../../../graph/play-match.ts';
import { readRecord } from '../../../models/record/recorder.ts';
import { transcript } from '../../../report/transcript.ts';
import { isType } from '../../../state/event.ts';
import { roleNamed } from '../../../state/roles/index.ts';
import { oneLine } from '../../../state/words.ts';
import { figureIn, figuresOf as metricFigures } from '../../deception/metrics/figures.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const ids = ['session_20241117_212035', 'session_20241117_215641', 'session_20241117_221340'] as const;
const out = temporaryFolder();
const source = (id: string) => path.join(import.meta.dirname, '../../published-games', id);
const matches = new Map(ids.map((id) => [id, importArena(source(id), 0)]));
const match = (id: (typeof ids)[number]) => matches.get(id)!;
const folders = new Map(ids.map((id) => [id, writeImported(match(id), out)]));

interface Vote {
  by: string;
  target: string;
}

/** DSGBench's figures of a game, as counts. */
function figuresOf(id: (typeof ids)[number]) {
  const { manifest, events, report } = match(id);
  const seat = (name: string) => manifest.setup.players.find((player) => player.name === name)!;
  const isWolf = (name: string) => seat(name).team === 'werewolves';
  const onWolves = (votes: readonly Vote[]) => {
    const village = votes.filter(({ by }) => !isWolf(by));
    return [village.filter(({ target }) => isWolf(target)).length, village.length];
  };
  const cast = [
    ...events.filter(isType('ballot')),
    ...report.uncounted_ballots.filter(({ round, cast_in_round: castIn }) => castIn === round),
  ];
  const counted = [...events.filter(isType('ballot')), ...report.uncounted_ballots];
  const deaths = events.filter(isType('death'));
  const exiles = deaths.filter(({ cause }) => cause === 'exile');
  const gone = deaths.slice(0, deaths.indexOf(exiles.at(-1)!) + 1).map(({ player }) => player);
  const key = manifest.setup.players.filter(({ role, team }) => team === 'villagers' && roleNamed(role).special);
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
  expect(figuresOf(id)).toEqual({
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
  const tables = tablesOf({ manifest, events, answers: [] });
  const countsOf = (name: string) => {
    const { value, opportunities } = figureIn(metricFigures(name, tables))!;
    return [Math.round(value! * opportunities!), opportunities];
  };
  expect(countsOf('irp_votes')).toEqual(ballots);
  expect(countsOf('vss_days')).toEqual(exiles);
  expect(countsOf('ksr_last_exile')).toEqual(key);
  expect(countsOf('ksr_end')).toEqual(key);
});

describe('the rules, given the recorded acts', () => {
  const told = (id: (typeof ids)[number]) =>
    match(id).report.differences.map(({ round, phase, text }) => `${round} ${phase}: ${text}`);

  it('reach every recorded death and the winner of the first game, in which a dead Seer went on', () => {
    expect(told(ids[0])).toEqual([
      '2 night: Left out: unmask by Dan on Leah, since nobody who can was left.',
      '3 night: Left out: unmask by Dan on Isaac, since nobody who can was left.',
    ]);
  });

  it('reach those of the second, in which a player who was saved could not be chosen any more', () => {
    expect(told(ids[1])).toEqual([
      '2 day: David was alive and was no choice to vote for.',
      '3 night: David was alive and was no choice to eliminate, protect or unmask.',
      '3 day: David was alive and was no choice to vote for.',
    ]);
  });

  it('reach those of the third but for one exile, which the ballot of a dead player decided', () => {
    expect(told(ids[2])).toEqual([
      "2 day: Recorded as exiled: Jackson; by the rules: nobody. The original also counted Will's ballot of round 1 for Jackson.",
      '3 day: Sam was alive and was no choice to vote for.',
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
    const file = path.join(source(id), 'game_complete.json.gz');
    const { rounds } = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as {
      rounds: { debate: string[][] }[];
    };
    const said = record().events.filter(isType('statement'));
    expect(said.map(({ by, text }) => [by, text])).toEqual(
      rounds.flatMap(({ debate }) => debate.map(([by, text]) => [by, oneLine(text!)])),
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
    const said = read.events.filter(isType('statement')).map((statement) => statement.id);
    expect(claimsOf(read).statements.map((statement) => statement.id)).toEqual(said);
    expect(summarizeMatch(read)).toMatchObject({
      winner: 'werewolves',
      rounds: 3,
      model_calls: { total: { calls: 0 } },
    });
    expect(transcript(read)).toContain(`Imported (arena, ${id})`);
  });

  it('cannot be replayed, and says so', async () => {
    await expect(replayMatch(folders.get(id)!)).rejects.toThrow(`Match ${id} was imported`);
  });
});
