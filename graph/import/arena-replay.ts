// Replays a session of Werewolf Arena or DSGBench through the steps of this project's game.
import { isDeepStrictEqual } from 'node:util';
import { createGame } from '../../state/deal.ts';
import type { Game, Intent, Setup } from '../../state/game.ts';
import { getPower, type HeldPower } from '../../state/roles/index.ts';
import { bidStep, debateStep } from '../../state/steps/debate.ts';
import { createHolderStep, createTeamStep } from '../../state/steps/night.ts';
import { startRoundStep, summarizeStep } from '../../state/steps/round.ts';
import { syntheticVoteStep } from '../../state/steps/voting.ts';
import type { Team } from '../../state/teams.ts';
import { flattenToOneLine } from '../../state/text.ts';
import { createView } from '../../state/view.ts';
import { findAskedPlayer, findOfferedChoices, type ArenaLog, readText, type ArenaSession } from './arena-format.ts';
import {
  playRecordedStep,
  createReasoning,
  findHolders,
  listInWords,
  recordDifference,
  recordIfOver,
  type ImportReplay,
  replayBallots,
  resolveRecordedExile,
  resolveRecordedNight,
  resolveRecordedWinner,
  type UncountedBallot,
} from './recorded-game-replay.ts';

type Round = ArenaSession['rounds'][number];

/**
 * Replays a session by the rules of `setup`. Leaves out acts that the rules do not allow. Deaths, exiles and the winner
 * are taken from the session, and every difference from the rules is listed.
 *
 * @example const { events, differences } = replaySession(session, createSetup(session), winner);
 */
export function replaySession(session: ArenaSession, setup: Setup, winner: Team): Omit<ImportReplay, 'game'> {
  const replay: ImportReplay = { game: createGame(setup), events: [], differences: [], uncounted: [] };
  for (const [index, round] of session.rounds.entries()) {
    const isLast = index + 1 === session.rounds.length;
    const hasDay = round.debate.length > 0 || round.log.votes.length > 0;
    playRecordedStep(replay, startRoundStep, []);
    replayNight(replay, round);
    if (hasDay || !isLast) recordIfOver(replay);
    replay.game = { ...replay.game, phase: 'day' };
    if (hasDay) {
      replayDebate(replay, round);
      replayVote(replay, session, index);
      if (!isLast) recordIfOver(replay);
      const summaries = round.log.summaries.map(([by, log]) => ({
        by,
        value: { summary: flattenToOneLine(readText(log, 'summary')) },
      }));
      playRecordedStep(replay, summarizeStep, sortBySeat(replay.game, summaries));
    }
  }
  resolveRecordedWinner(replay, winner);
  return replay;
}

/** Returns the reasoning of an answer as a field; no field if there is none. */
const extractReasoning = (log: ArenaLog | null | undefined) => createReasoning(readText(log, 'reasoning'));

/** Sorts the answers of living players in seat order, as in a match. */
const sortBySeat = <Given extends { by: string }>({ alivePlayers }: Game, answers: readonly Given[]): Given[] =>
  alivePlayers.flatMap((name) => answers.filter(({ by }) => by === name));

/** A recorded act of a night. */
interface NightChoice {
  power: HeldPower;
  target: string;
  log: ArenaLog | null | undefined;
}

/** Lists the acts of a night in the order of this project's records. */
const listNightChoices = ({ eliminated, protected: covered, unmasked, log }: Round): NightChoice[] =>
  [
    { verb: 'eliminate', target: eliminated, log: log.eliminate },
    { verb: 'protect', target: covered, log: log.protect },
    { verb: 'unmask', target: unmasked, log: log.investigate },
  ].flatMap(({ verb, target, log }) => (target ? [{ power: getPower(verb), target, log }] : []));

/** Replays a night. */
function replayNight(replay: ImportReplay, round: Round) {
  noteMissingAtNight(replay, round);
  const leftOut = listNightChoices(round).flatMap((choice) => replayNightChoice(replay, choice));
  const { alivePlayers } = replay.game;
  resolveRecordedNight(replay, leftOut, () =>
    alivePlayers.filter((name) => !round.players.includes(name) && name !== round.exiled),
  );
}

/** Replays one act. If the project's rules do not allow the act, leaves it out and returns it. */
function replayNightChoice(replay: ImportReplay, { power, target, log }: NightChoice): Intent[] {
  const { game } = replay;
  const { all, living } = findHolders(game, power);
  const isLegal = living.some((name) => power.choices(createView(game, name)).includes(target));
  if (!isLegal) {
    const by = living.length > 0 ? living : all;
    const because = living.length === 0 ? 'nobody who can do this was alive' : 'the rules do not allow that choice';
    recordDifference(replay, 'act', `Left out: ${power.verb} by ${listInWords(by)} on ${target}, since ${because}.`);
    return [{ round: game.roundNum, verb: power.verb, by, target }];
  }
  const asked = living.find((name) => name === findAskedPlayer(log));
  const by = asked ?? living[0]!;
  const thought = asked === undefined ? {} : extractReasoning(log);
  if (power.actor === 'team')
    playRecordedStep(replay, createTeamStep(power), [{ by, value: { proposal: target, ...thought } }]);
  else playRecordedStep(replay, createHolderStep(power), [{ by, value: { target, ...thought } }]);
  return [];
}

/**
 * Notes players who were not among the choices of the night's prompts, although the project's rules allow choosing
 * them.
 */
function noteMissingAtNight(replay: ImportReplay, round: Round) {
  const { game } = replay;
  const missing = listNightChoices(round).flatMap(({ power, log }) => {
    const by = findHolders(game, power).living.find((name) => name === findAskedPlayer(log));
    const offered = log ? findOfferedChoices(log) : null; // null: the prompt lists no choices to compare
    if (by === undefined || offered === null) return [];
    const left = power.choices(createView(game, by)).filter((name) => !offered.includes(name));
    return left.map((name) => ({ name, verb: power.verb }));
  });
  for (const [name, acts] of Map.groupBy(missing, (one) => one.name)) {
    const verbs = acts.map(({ verb }) => verb);
    recordDifference(
      replay,
      'choices',
      `${name} was alive, but was not offered as a choice to ${listInWords(verbs, 'or')}.`,
    );
  }
}

/**
 * Replays a debate. If the session recorded them, bids precede each statement, and synthetic votes follow each
 * statement except the last.
 */
function replayDebate(replay: ImportReplay, round: Round) {
  const { debate, log } = round;
  const synthetic = log.votes.slice(0, -1); // the votes after the last statement are the ballot
  replayBids(replay, round, 0);
  for (const [turn, [by, said]] of debate.entries()) {
    const [asked, answer] = log.debate[turn] ?? [];
    const thought = asked === by ? extractReasoning(answer) : {};
    playRecordedStep(replay, debateStep, [{ by, value: { statement: flattenToOneLine(said), ...thought } }]);
    if (turn + 1 === debate.length) break;
    replayBids(replay, round, turn + 1);
    const votes = (synthetic[turn] ?? []).flatMap(({ player: voter, voted_for: target }) =>
      target === null ? [] : [{ by: voter, value: { vote: target } }],
    );
    playRecordedStep(replay, syntheticVoteStep, sortBySeat(replay.game, votes));
  }
}

function replayBids(replay: ImportReplay, { bids, log }: Round, turn: number) {
  const asked = new Map(log.bid[turn] ?? []);
  const given = replay.game.alivePlayers.flatMap((by) => {
    const bid = bids[turn]?.[by];
    return bid === undefined ? [] : [{ by, value: { bid, ...extractReasoning(asked.get(by)) } }];
  });
  playRecordedStep(replay, bidStep, given);
}

/** Lists the ballot of a round, with the log of each vote. */
const listCast = ({ log }: Round) =>
  (log.votes.at(-1) ?? []).flatMap(({ player: by, voted_for: target, log: answer }) =>
    target === null ? [] : [{ by, target, answer }],
  );

/** Whether all rounds share one dictionary of votes, as in DSGBench. Votes of earlier rounds then still counted. */
const hasSharedVotes = ({ rounds }: ArenaSession) =>
  rounds.some((round) => {
    const kept = round.votes.at(-1);
    const cast = Object.fromEntries(listCast(round).map(({ by, target }) => [by, target]));
    return kept !== undefined && !isDeepStrictEqual(kept, cast);
  });

/** Lists ballots of earlier rounds that still counted because their voters did not vote again. */
function listLeftOver(session: ArenaSession, index: number): UncountedBallot[] {
  if (!hasSharedVotes(session)) return [];
  const round = index + 1;
  const today = listCast(session.rounds[index]!).map(({ by }) => by);
  const before = session.rounds
    .slice(0, index)
    .flatMap((earlier, at) =>
      listCast(earlier).map(({ by, target }) => ({ round, by, target, cast_in_round: at + 1 })),
    );
  const last = new Map(before.map((ballot) => [ballot.by, ballot]));
  return [...last.values()].filter(({ by }) => !today.includes(by));
}

/** Replays the ballot of a round and the recorded exile. `index`: number of the round in the session, from 0. */
function replayVote(replay: ImportReplay, session: ArenaSession, index: number) {
  const round = session.rounds[index]!;
  noteMissingAtVote(replay, round);
  const cast = listCast(round).map(({ by, target, answer }) => ({ by, target, ...extractReasoning(answer) }));
  const living = sortBySeat(replay.game, cast);
  replayBallots(
    replay,
    [...living, ...cast.filter((ballot) => !living.includes(ballot))],
    listLeftOver(session, index),
  );
  resolveRecordedExile(replay, round.exiled ?? null);
}

/** Notes living players who were not among the choices in the prompts of the ballot. */
function noteMissingAtVote(replay: ImportReplay, { log }: Round) {
  const asked = (log.votes.at(-1) ?? []).flatMap(({ player, log: answer }) => {
    const choices = findOfferedChoices(answer);
    return choices ? [{ player, choices }] : [];
  });
  for (const name of replay.game.alivePlayers) {
    const others = asked.filter(({ player }) => player !== name);
    if (others.length > 0 && others.every(({ choices }) => !choices.includes(name)))
      recordDifference(replay, 'choices', `${name} was alive, but was not offered as a choice to vote for.`);
  }
}
