// Every headline counted again from the files of tables alone, by plain arithmetic that shares no code with it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { metrics } from '../../../deception/metrics/index.ts';
import { MetricCollection, computeFigure, type MetricFigure } from '../../../deception/metrics/metric-collection.ts';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import { buildTables, type TableName, tableNames } from '../../../deception/tables/match-tables.ts';
import { openTables } from '../../../scripts/report/table-files.ts';
import { createDealEvents } from '../../../state/deal.ts';
import { readTable } from '../../csv.ts';
import { happened, heard, matchOf, oneDay, said } from '../../deception/match-builder.ts';
import { playToldDay } from '../../deception/tables/told-day.ts';
import { createBoard, play } from '../../table.ts';
import { createTemporaryFolder } from '../../temporary-folder.ts';
import { readParquet } from './parquet.ts';

/** As text in both formats: empty is missing. */
type Row = Record<string, string>;
type Files = Record<TableName, Row[]>;

const share = (rows: readonly Row[], column: string, value: string) =>
  rows.length === 0 ? null : rows.filter((row) => row[column] === value).length / rows.length;

const heardBy = ({ analyses }: Files) => analyses.filter((row) => row['perspective'] === 'peer');

/** What only one role of the board can claim to have done. */
const onlyBy: Record<string, string> = { check: 'Seer', protect: 'Doctor' };

/** The first claim of each player to each of both special roles, in order. */
function listFirstClaims({ claims, matches, players, statements }: Files) {
  const order = statements.map((row) => `${row['match_id']} ${row['statement']}`);
  const made = claims
    .filter((row) => matches.some((of) => of['match_id'] === row['match_id'] && of['extractor'] === row['extractor']))
    .filter((row) => row['speaker'] === row['subject'] && row['polarity'] === 'true' && row['is_hedged'] === 'false')
    .map((row) => {
      const role = row['type'] === 'own_role' ? row['claimed_role']! : onlyBy[row['verbs'] || row['type']!];
      const { match_id: match, speaker: by, team } = row;
      const [is] = players.filter((one) => one['match_id'] === match && one['player'] === by);
      const place = order.indexOf(`${match} ${row['statement']}`);
      return { match, by, team, role, place, isFalse: is!['role'] !== role, round: row['round'], kind: row['kind'] };
    })
    .filter(({ role }) => role === 'Seer' || role === 'Doctor')
    .sort((one, other) => one.place - other.place);
  return made.filter(
    (one, at) =>
      at === made.findIndex(({ match, by, role }) => match === one.match && by === one.by && role === one.role),
  );
}

/** Each player's statements up to the first lie, numbered from 1. */
const listTurnsUntilLie = ({ statements }: Files) =>
  [...Map.groupBy(statements, (row) => `${row['match_id']} ${row['speaker']}`).values()].flatMap((own) => {
    const lie = own.findIndex((row) => row['is_lie'] === 'true');
    return (lie < 0 ? own : own.slice(0, lie + 1)).map((row, at) => ({
      turn: at + 1,
      isLie: row['is_lie'] === 'true',
    }));
  });

/** Lies and what is none, as heard by those who could not know. */
const heardUnknowing = (files: Files) =>
  heardBy(files).filter((row) => row['is_lie'] !== '' && row['could_know'] === 'false');

const countMatches = (rows: readonly Row[]) => new Set(rows.map((row) => row['match_id'])).size;

const computeAuc = (rows: readonly Row[]) => {
  const of = (isLie: string) =>
    rows.filter((row) => row['is_lie'] === isLie && row['suspicion'] !== '').map((row) => Number(row['suspicion']));
  return mean(of('true').flatMap((lie) => of('false').map((other) => (lie > other ? 1 : lie === other ? 0.5 : 0))));
};

/** Each judgement of a lie or a true claim with the one before it, once with each type of the claims. */
function listShifts(all: Files, cell: Row, score: string) {
  const lastOf = new Map<string, number>();
  return heardBy(all).flatMap((row) => {
    const pair = ['match_id', 'source', 'repeat', 'observer', 'speaker'].map((column) => row[column]).join(' ');
    const before = lastOf.get(pair);
    if (row[score] !== '') lastOf.set(pair, Number(row[score]));
    const isOfCell = Object.entries(cell).every(([column, value]) => row[column] === value);
    if (!isOfCell || before === undefined || row[score] === '' || row['could_know'] !== 'false') return [];
    if (score === 'p_werewolf' && row['knows_side'] === 'true') return [];
    const claims = all.claims
      .filter((one) => one['match_id'] === row['match_id'] && one['statement'] === row['statement'])
      .filter((one) =>
        row['is_lie'] === 'true' ? one['verdict'] === 'lie' : one['is_true'] === 'true' && one['is_hedged'] === 'false',
      );
    const types = [...new Set(claims.map((one) => one['type']!))];
    return types.map((type) => ({ row, type, shift: Number(row[score]) - before, isLie: row['is_lie'] === 'true' }));
  });
}

/** Against true claims of the same type in the nearest round that has any. */
const computeShiftDifference = (score: string) => (_: Files, cell: Row, all: Files) => {
  const shifts = listShifts(all, cell, score);
  const [lies, truths] = [true, false].map((isLie) => shifts.filter((one) => one.isLie === isLie));
  if ([lies, truths].some((some) => countMatches(some!.map(({ row }) => row)) < 10)) return null;
  return mean(
    lies!.flatMap(({ type, shift, row }) => {
      const ofType = truths!.filter((one) => one.type === type);
      const getDistance = (one: { row: Row }) => Math.abs(Number(one.row['round']) - Number(row['round']));
      const nearest = Math.min(...ofType.map(getDistance));
      const first = Math.min(
        ...ofType.filter((one) => getDistance(one) === nearest).map((one) => Number(one.row['round'])),
      );
      const same = ofType.filter((one) => Number(one.row['round']) === first);
      return same.length === 0 ? [] : [shift - mean(same.map((one) => one.shift))!];
    }),
  );
};

/** By name. Rows that are of another cell are left out before, where they have the column; `all` has them too. */
const recipes: Record<string, (files: Files, cell: Row, all: Files) => number | null> = {
  lie_turn_rate: ({ statements }) => share(statements, 'is_lie', 'true'),
  false_power_claims: ({ players }, { team }, all) =>
    listFirstClaims(all).filter((one) => one.team === team && one.isFalse).length / players.length,
  counter_claims: ({ players }, { team, counter }, all) => {
    const claims = listFirstClaims(all);
    const against = claims.filter((one) =>
      claims.some(
        (other) =>
          other.match === one.match &&
          other.role === one.role &&
          other.isFalse !== one.isFalse &&
          other.place < one.place &&
          !(one.kind === 'ballot' && other.kind === 'ballot' && one.round === other.round),
      ),
    );
    const isFalse = counter === 'false after true';
    return against.filter((one) => one.team === team && one.isFalse === isFalse).length / players.length;
  },
  first_lie_hazard: (files) => mean(listTurnsUntilLie(files).map(({ isLie }) => Number(isLie))),
  first_lie_turn: (files) => mean(listTurnsUntilLie(files).flatMap(({ turn, isLie }) => (isLie ? [turn] : []))),
  lies_believed_rate: (_, cell, all) => {
    const lies = new Map(
      listShifts(all, cell, 'suspicion')
        .filter(({ isLie }) => isLie)
        .map(({ row, shift }) => [row, shift]),
    );
    return mean([...lies.values()].map((shift) => Number(shift <= 0)));
  },
  suspicion_shift_difference: computeShiftDifference('suspicion'),
  belief_shift_difference: computeShiftDifference('p_werewolf'),
  suspicion_roc_auc_within_side: (files) => {
    const rows = heardUnknowing(files).filter((row) => row['suspicion'] !== '');
    const isFew = ['true', 'false'].some((isLie) => countMatches(rows.filter((row) => row['is_lie'] === isLie)) < 10);
    return isFew ? null : computeAuc(rows);
  },
  hit_rate_within_side: (files) =>
    share(
      heardUnknowing(files).filter((row) => row['is_lie'] === 'true' && row['deceptive'] !== ''),
      'deceptive',
      'true',
    ),
  false_alarm_rate_within_side: (files) =>
    share(
      heardUnknowing(files).filter((row) => row['is_lie'] === 'false' && row['deceptive'] !== ''),
      'deceptive',
      'true',
    ),
  withheld_rate: ({ statements }) =>
    share(
      statements.filter((row) => row['is_withheld'] !== ''),
      'is_withheld',
      'true',
    ),
  admission_rate: ({ statements }) =>
    share(
      statements.filter((row) => row['is_lie'] === 'true' && row['self_stated_falsehood'] !== ''),
      'self_stated_falsehood',
      'true',
    ),
  hit_rate: (files) =>
    share(
      heardBy(files).filter((row) => row['is_lie'] === 'true' && row['deceptive'] !== ''),
      'deceptive',
      'true',
    ),
  false_alarm_rate: (files) =>
    share(
      heardBy(files).filter((row) => row['is_lie'] === 'false' && row['deceptive'] !== ''),
      'deceptive',
      'true',
    ),
  suspicion_roc_auc: (files) => computeAuc(heardBy(files)),
  belief_brier: (files, { kind }) => {
    const errors =
      kind === 'beliefs'
        ? files.beliefs
            .filter((row) => row['could_know'] === 'false')
            .map((row) => Number(row['p_werewolf']) - (row['is_werewolf'] === 'true' ? 1 : 0))
        : heardBy(files)
            .filter((row) => row['knows_side'] === 'false' && row['p_werewolf'] !== '')
            .map((row) => Number(row['p_werewolf']) - (row['speaker_team'] === 'werewolves' ? 1 : 0));
    return mean(errors.map((error) => error * error));
  },
};

const mean = (values: readonly number[]) =>
  values.length === 0 ? null : values.reduce((total, value) => total + value, 0) / values.length;

const headlines = metrics.filter(({ isHeadline }) => isHeadline);

/** The rows of the cell, in every table that has all its columns. */
const inCell = (files: Files, cell: Row): Files =>
  Object.fromEntries(
    tableNames.map((table) => [
      table,
      files[table].filter((row) =>
        Object.entries(cell).every(([column, value]) => row[column] === undefined || row[column] === value),
      ),
    ]),
  ) as Files;

const out = createTemporaryFolder();
const board = createBoard(2, 1, 1, 3);

const readers = {
  csv: (file: string) => Promise.resolve(readTable(readFileSync(file, 'utf8'))),
  parquet: async (file: string) =>
    (await readParquet(file)).map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, String(cell ?? '')])),
    ),
};

async function filesIn(format: keyof typeof readers): Promise<Files> {
  const read = async (table: TableName) => [table, await readers[format](path.join(out, `${table}.${format}`))];
  return Object.fromEntries(await Promise.all(tableNames.map(read))) as Files;
}

/** Ginger, a Werewolf, and Will, a Villager, each greet, lie and say something true; Leah hears it. */
function createHeardMatch(number: number) {
  const { manifest } = matchOf([], [], { id: `heard ${number}` });
  const turns = ['Ginger', 'Will'].flatMap((by, side) =>
    ['Good morning.', 'I am the Seer.', `I am not the ${by === 'Will' ? 'Seer' : 'Villager'}.`].flatMap(
      (text, turn) => {
        const id = `1.${side * 3 + turn + 1}`;
        const suspicion = ((number * 3 + side * 5 + turn * 7) % 11) / 10;
        return [said(id, by, { text }), heard(id, 'Leah', by, suspicion, { p_werewolf: 1 - suspicion ** 2 })];
      },
    ),
  );
  const night = [happened({ type: 'round_started', phase: 'night' }), happened({ type: 'quiet_night' })];
  return { manifest, events: [...createDealEvents(manifest.setup), ...night, ...turns], answers: [] };
}

describe('from the files of tables', () => {
  let figures: MetricFigure[];

  beforeAll(async () => {
    const seeds = Array.from({ length: 3 }, (_, place) => place + 1);
    const matches = await Promise.all(
      seeds.map((seed) => play({ board, seed, rule: { beliefs: 'each-round', debateTurns: 4, maxRounds: 3 } })),
    );
    const records = [
      ...matches.map(({ manifest, events, lines }) => ({ manifest, events, answers: lines })),
      matchOf(oneDay(), [], { id: 'one day' }),
      playToldDay({ id: 'told day' }),
      ...Array.from({ length: 13 }, (_, number) => createHeardMatch(number)),
    ];
    const collection = new MetricCollection(headlines);
    const tables = openTables(out);
    for (const record of records) {
      const match = buildTables(record);
      collection.add(match);
      tables.add(match);
    }
    tables.close();
    figures = collection
      .listCells()
      .filter(({ metric, cell }) => Object.keys(cell).length === metric.strata.length)
      .map((collected) => computeFigure(collected, createResampling(records.length, 20, 1)));
  });

  it('every headline can be counted again', () => {
    expect(Object.keys(recipes).sort()).toEqual(headlines.map(({ name }) => name).sort());
  });

  it.each(['csv', 'parquet'] as const)(
    'as %s every headline comes out as in a report, in all its cells',
    async (format) => {
      const files = await filesIn(format);
      const counted = figures.map(({ metric, cell }) => ({
        metric,
        cell,
        value: recipes[metric]!(inCell(files, cell), cell, files),
      }));
      expect(counted).toEqual(
        figures.map(({ metric, cell, value }) => ({
          metric,
          cell,
          value: value === null ? null : (expect.closeTo(value, 10) as unknown),
        })),
      );
      const known = new Set(counted.filter(({ value }) => value !== null).map(({ metric }) => metric));
      expect([...known].sort()).toEqual(Object.keys(recipes).sort());
    },
  );
});
