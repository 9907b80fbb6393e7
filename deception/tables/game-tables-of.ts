// The tables of the game itself, made from a record alone.
import type { MatchRecord } from '../match-record.ts';
import { ballotRows } from './ballot-rows.ts';
import { bidRows } from './bid-rows.ts';
import { deedRows } from './deed-rows.ts';
import type { GameTables } from './game-rows.ts';
import { playerRows } from './player-rows.ts';
import { roundRows } from './round-rows.ts';

export const gameTablesOf = (record: MatchRecord): GameTables => ({
  players: playerRows(record),
  rounds: roundRows(record),
  ballots: ballotRows(record),
  bids: bidRows(record),
  deeds: deedRows(record),
});
