// Reads logs of the AIWolf contests, as the server of the natural-language division writes them. Each line is
// day,event,… without a header or quotes; only the last field may contain commas.
import { RecordError } from '../../models/record/ndjson.ts';
import { findRecordedRole } from '../../state/roles/index.ts';
import type { Team } from '../../state/teams.ts';
import type { GameSource } from './game-format.ts';

/** A player, with the agent's number, role and entrant as the log states them. */
export interface LoggedPlayer {
  /** Number of the agent in the log. */
  index: string;
  name: string;
  role: string;
  /** Name of the entrant. */
  model: string;
}

/** A line of the log about an act of a player. */
export interface LoggedDeed {
  day: number;
  by: string;
  /** Target of the act, or the text. */
  what: string;
  /** Number of the line, from 1. */
  line: number;
}

/** A log in which names replace the players' numbers. */
export interface AiwolfLog {
  players: readonly LoggedPlayer[];
  talks: readonly LoggedDeed[];
  votes: readonly LoggedDeed[];
  divinations: readonly LoggedDeed[];
  guards: readonly LoggedDeed[];
  proposals: readonly LoggedDeed[];
  /** Day → target of the attack in the night after that day, and whether the attack succeeded. */
  attacks: ReadonlyMap<number, { target: string; isFatal: boolean }>;
  /** Day → the player who was executed. */
  executions: ReadonlyMap<number, string>;
  lastDay: number;
  winner: Team;
}

const winners: Readonly<Record<string, Team>> = { VILLAGER: 'villagers', WEREWOLF: 'werewolves' };

/** Returns whether a text begins like a log of the AIWolf contests. */
export const isAiwolfLog = (text: string): boolean => /^\s*0,status,\d+,[A-Z]+,(?:ALIVE|DEAD),/.test(text);

/** Replaces "Agent[04]" by "Agent 4", also within texts. Agents have no names of their own. */
const nameAgents = (text: string) => text.replace(/\bAgent\[0*(\d+)\]/g, 'Agent $1');

/**
 * Reads a log. Throws a RecordError if the log is damaged or the game was not played to its end. The error names the
 * file, the line and what was expected there.
 *
 * @example readAiwolfLog(readGameSource('2025.log')).winner // 'villagers'
 */
export function readAiwolfLog({ file, text }: Pick<GameSource, 'file' | 'text'>): AiwolfLog {
  const lines = text.split(/\r?\n/).map((line, place) => ({ fields: line.split(','), line: place + 1 }));
  const told = lines.filter(({ fields }) => fields.length > 1);
  const refuse = (line: number, why: string) => new RecordError(`${file}, line ${line} is damaged: ${why}`);
  const players = new Map<string, LoggedPlayer>();
  for (const { fields, line } of told) {
    const [, event, index = '', role = '', , model = '', ...name] = fields;
    if (event !== 'status' || players.has(index)) continue;
    const known = findRecordedRole(role)?.name;
    if (known === undefined) throw refuse(line, `unknown role ${JSON.stringify(role)}.`);
    players.set(index, { index, role: known, model, name: nameAgents(name.join(',').trim()) || `Agent ${index}` });
  }
  const nameOf = (index: string | undefined, line: number) => {
    const player = players.get(index ?? '');
    if (!player) throw refuse(line, `the game has no agent ${JSON.stringify(index)}.`);
    return player.name;
  };
  const dayOf = (day: string | undefined, line: number) => {
    if (day === undefined || !/^\d{1,3}$/.test(day)) throw refuse(line, `${JSON.stringify(day)} is no day.`);
    return Number(day);
  };
  const list = (event: string) => told.filter(({ fields }) => fields[1] === event);
  const listDeeds = (event: string) =>
    list(event).map(({ fields: [day, , by, target], line }): LoggedDeed => ({
      ...{ day: dayOf(day, line), by: nameOf(by, line), what: nameOf(target, line), line },
    }));
  for (const { fields, line } of list('divine'))
    if (!['HUMAN', 'WEREWOLF'].includes(fields[4] ?? ''))
      throw refuse(line, `the result of a divination is HUMAN or WEREWOLF, not ${JSON.stringify(fields[4])}.`);
  const [result] = list('result').slice(-1);
  const winner = winners[result?.fields.at(-1) ?? ''];
  if (winner === undefined)
    throw new RecordError(
      `${file} has no line with the result (VILLAGER or WEREWOLF): only games that were played to their end are imported.`,
    );
  return {
    players: [...players.values()],
    talks: list('talk').map(({ fields: [day, , , , by, ...said], line }) => ({
      ...{ day: dayOf(day, line), by: nameOf(by, line), what: nameAgents(said.join(',')), line },
    })),
    votes: listDeeds('vote'),
    divinations: listDeeds('divine'),
    guards: listDeeds('guard'),
    proposals: listDeeds('attackVote'),
    attacks: new Map(
      list('attack').flatMap(({ fields: [day, , target, isFatal], line }) =>
        target === '-1' ? [] : [[dayOf(day, line), { target: nameOf(target, line), isFatal: isFatal === 'true' }]],
      ),
    ),
    executions: new Map(
      list('execute').map(({ fields: [day, , target], line }) => [dayOf(day, line), nameOf(target, line)]),
    ),
    lastDay: Math.max(...told.map(({ fields: [day], line }) => dayOf(day, line))),
    winner,
  };
}
