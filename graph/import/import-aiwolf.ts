// Imports logs of the AIWolf contests through the replay of timelines. Day 0, which has only talk, becomes round 1. The
// night after day 0, in which nobody is attacked, becomes round 2 together with day 1, and so on.
import path from 'node:path';
import type { Board } from '../../state/boards.ts';
import type { GameEvent } from '../../state/events.ts';
import type { Setup } from '../../state/game.ts';
import { getPower } from '../../state/roles/index.ts';
import { UsageError } from '../../state/usage-error.ts';
import { type AiwolfLog, isAiwolfLog, type LoggedDeed, readAiwolfLog } from './aiwolf-format.ts';
import type { GameFormat, GameSource } from './game-format.ts';
import { createImportedMatch, createImportedSetup, resolveRoundRobinRules } from './imported-match.ts';
import { replayTimeline } from './timeline-replay.ts';
import type { Timeline, TimelineAct, TimelineRound } from './timeline-rounds.ts';

/** Format of logs of the AIWolf contests. */
export const aiwolf: GameFormat = {
  name: 'aiwolf',
  title: 'a log of the AIWolf contests (lines of day,event,…)',
  aliases: [],
  endings: ['.log', '.csv'],
  isRecognized: ({ text }) => isAiwolfLog(text),
  read: (source, now) => {
    const log = readAiwolfLog(source);
    return { id: source.sha256, match: createMatch(log, source, now) };
  },
};

function createMatch(log: AiwolfLog, { file, sha256 }: GameSource, now: number) {
  const setup = createSetup(log, file);
  const timeline = createTimeline(log);
  const replay = replayTimeline(timeline, setup, log.winner);
  const attacked = new Set([...log.attacks.keys()].map((day) => day + 2));
  return createImportedMatch({
    format: aiwolf.name,
    source: path.basename(file).replace(/\.[^.]+$/, ''),
    files: { [path.basename(file)]: sha256 },
    setup,
    models: Object.fromEntries(log.players.map(({ name, model }) => [name, model])),
    replay: { ...replay, events: tellAsThere(replay.events, attacked) },
    now,
  });
}

/** Returns whether a board has the role that holds a power. */
const has = ({ roles }: Pick<Board, 'roles'>, verb: string) => (roles[getPower(verb).role.name] ?? 0) > 0;

function createSetup({ players, talks }: AiwolfLog, file: string): Setup {
  const turns = Map.groupBy(talks.filter(isStatement), ({ day, by }) => `${day} ${by}`);
  const passes = [...turns.values()].map((all) => all.length);
  try {
    return createImportedSetup(
      aiwolf.name,
      players.map(({ name, role }) => ({ name, role })),
      (board) =>
        resolveRoundRobinRules(board, passes, {
          reveal: 'none',
          ...(has(board, 'unmask') ? { checkTells: 'team' } : {}),
          ...(has(board, 'guard') ? { guardSelf: false, guardRepeat: true } : {}),
        }),
    );
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`${file}: ${error.message}`) : error;
  }
}

/** Whether a line is a statement. Skip and Over mean that a player has nothing to say, now or today. */
const isStatement = ({ what }: LoggedDeed) => !/^(?:Skip|Over|ForceSkip)$/.test(what.trim()) && what.trim() !== '';

function createTimeline(log: AiwolfLog): Timeline {
  const days = Array.from({ length: log.lastDay + 1 }, (_, day) => day);
  const isOn = (day: number) => (deed: LoggedDeed) => deed.day === day;
  const isThereAfter = (day: number) =>
    new Set([
      ...[...log.talks, ...log.votes].filter((deed) => deed.day > day).map(({ by }) => by),
      ...listSurvivors(log, log.lastDay),
    ]);
  const rounds = days.map((day): TimelineRound => {
    const attack = log.attacks.get(day - 1);
    return {
      acts: [
        ...log.proposals.filter(isOn(day - 1)).map((deed) => createAct(deed, 'eliminate')),
        ...log.guards.filter(isOn(day - 1)).map((deed) => createAct(deed, 'guard')),
        ...log.divinations.filter(isOn(day - 1)).map((deed) => createAct(deed, 'unmask')),
      ],
      said: log.talks
        .filter(isOn(day))
        .filter(isStatement)
        .map(({ by, what, line }) => ({ by, day, message: what, reasoning: '', place: line })),
      cast: listLastVotes(log.votes.filter(isOn(day))).map(({ by, what, line }) => ({
        ...{ by, day, target: what, reasoning: '', place: line },
      })),
      announced: {
        picked: attack?.target ?? null,
        removed: attack?.isFatal === true ? attack.target : null,
        exiled: log.executions.get(day) ?? null,
      },
      presentFromDay: isThereAfter(day - 1),
      presentAfterDay: isThereAfter(day),
    };
  });
  return { rounds: dropEmptyEnd(rounds), survivors: listSurvivors(log, log.lastDay) };
}

const createAct = ({ by, day, what, line }: LoggedDeed, verb: string): TimelineAct => ({
  ...{ by, night: day, verb, target: what, isDatedLater: false, reasoning: '', place: line },
});

/** Keeps the last ballot of each voter, because a tied vote is held again. */
const listLastVotes = (votes: readonly LoggedDeed[]) => [...new Map(votes.map((vote) => [vote.by, vote])).values()];

const listSurvivors = ({ players, attacks, executions }: AiwolfLog, day: number): string[] => {
  const gone = new Set([
    ...[...executions].filter(([when]) => when <= day).map(([, name]) => name),
    ...[...attacks].filter(([when, { isFatal }]) => isFatal && when <= day).map(([, { target }]) => target),
  ]);
  return players.map(({ name }) => name).filter((name) => !gone.has(name));
};

/** Removes the day after the last one, which contains only the result. */
function dropEmptyEnd(rounds: readonly TimelineRound[]): readonly TimelineRound[] {
  const isEmpty = ({ acts, said, cast, announced }: TimelineRound) =>
    acts.length + said.length + cast.length === 0 && Object.values(announced).every((name) => name === null);
  const last = rounds.at(-1);
  return last !== undefined && isEmpty(last) ? rounds.slice(0, -1) : rounds;
}

/** Removes the announcements of quiet nights in which nobody was attacked. `attacked`: rounds with an attack. */
const tellAsThere = (events: readonly GameEvent[], attacked: ReadonlySet<number>): GameEvent[] =>
  events.filter((event) => event.type !== 'quiet_night' || attacked.has(event.round));
