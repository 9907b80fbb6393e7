// Plays a session of Werewolf Arena or DSGBench through the steps of our game: the recorded choices are the answers. Where
// the session went otherwise than our rules say, it goes on as recorded, and the difference is noted.
import { isDeepStrictEqual } from 'node:util';
import { createGame } from '../../state/deal.ts';
import type { EventOf, GameEvent } from '../../state/events.ts';
import { type Ballot, createEventHeader, type Game, type Intent, type Setup, addEvents } from '../../state/game.ts';
import { createDeath, listSurvivors, resolveNight } from '../../state/night-resolution.ts';
import { getPower, type HeldPower } from '../../state/roles/index.ts';
import { bidStep, debateStep } from '../../state/steps/debate.ts';
import { createHolderStep, createTeamStep } from '../../state/steps/night.ts';
import { startRoundStep, summarizeStep } from '../../state/steps/round.ts';
import type { Answer, Reply, Step } from '../../state/steps/step.ts';
import { resolveExile, syntheticVoteStep, voteStep } from '../../state/steps/voting.ts';
import { type Team, teams } from '../../state/teams.ts';
import { flattenToOneLine } from '../../state/text.ts';
import { createView } from '../../state/view.ts';
import { createEnding, findWinner } from '../../state/win-conditions.ts';
import { findAskedPlayer, findOfferedChoices, type ArenaLog, readText, type ArenaSession } from './arena-format.ts';

/**
 * A difference from our rules. `act`: an act that they do not allow; `choices`: a living player whom no prompt offered as
 * a choice; `death`, `exile`, `winner`: recorded otherwise than the rules decide by the recorded acts.
 */
export interface Discrepancy {
  round: number;
  phase: 'night' | 'day';
  kind: 'act' | 'choices' | 'death' | 'exile' | 'winner';
  /** In words. */
  text: string;
}

/** A ballot that the original counted and our rules do not. `cast_in_round` is earlier than `round` for a leftover. */
export interface UncountedBallot {
  round: number;
  by: string;
  target: string;
  cast_in_round: number;
}

/** A session as far as it has been played again; `game` follows what was recorded. */
interface Replay {
  game: Game;
  readonly events: GameEvent[];
  readonly differences: Discrepancy[];
  readonly uncounted: UncountedBallot[];
}

type Round = ArenaSession['rounds'][number];

/**
 * Plays a session again by the rules of `setup`. Acts that these do not allow are left out; deaths, exiles and the winner
 * are the recorded ones, and every difference is listed.
 *
 * @example const { events, differences } = replaySession(session, createSetup(session), winner);
 */
export function replaySession(session: ArenaSession, setup: Setup, winner: Team): Omit<Replay, 'game'> {
  const replay: Replay = { game: createGame(setup), events: [], differences: [], uncounted: [] };
  for (const [index, round] of session.rounds.entries()) {
    const isLast = index + 1 === session.rounds.length;
    const hasDay = round.debate.length > 0 || round.log.votes.length > 0;
    applyStep(replay, startRoundStep, []);
    replayNight(replay, round);
    if (hasDay || !isLast) noteIfOver(replay);
    replay.game = { ...replay.game, phase: 'day' };
    if (hasDay) {
      replayDebate(replay, round);
      replayBallots(replay, session, index);
      if (!isLast) noteIfOver(replay);
      const summaries = round.log.summaries.map(([by, log]) => ({
        by,
        value: { summary: flattenToOneLine(readText(log, 'summary')) },
      }));
      applyStep(replay, summarizeStep, sortBySeat(replay.game, summaries));
    }
  }
  appendEvents(replay, [createRecordedEnding(replay, winner)]);
  return replay;
}

/** Plays a step of the game with recorded answers. */
function applyStep<Value extends Reply>(replay: Replay, step: Step<Value>, answers: readonly Answer<NoInfer<Value>>[]) {
  const { change: { intents, ...change } = {}, events } = step.apply(replay.game, answers);
  replay.game = {
    ...replay.game,
    ...(change as Partial<Game>),
    intents: [...replay.game.intents, ...((intents ?? []) as Intent[])],
  };
  appendEvents(replay, events);
}

/** Appends events; players who die in them leave the game. */
function appendEvents(replay: Replay, events: readonly GameEvent[]) {
  replay.events.push(...events);
  const alivePlayers = listSurvivors(replay.game.alivePlayers, events);
  replay.game = { ...addEvents(replay.game, events), alivePlayers };
}

function note({ game, differences }: Replay, kind: Discrepancy['kind'], text: string) {
  differences.push({ round: game.roundNum, phase: game.phase, kind, text });
}

/** The reasoning of an answer, as a field; no field where there is none. */
const withReasoning = (log: ArenaLog | null | undefined) => {
  const reasoning = flattenToOneLine(readText(log, 'reasoning'));
  return reasoning === '' ? {} : { reasoning };
};

/** The answers of living players in seat order, as in a match. */
const sortBySeat = <Given extends { by: string }>({ alivePlayers }: Game, answers: readonly Given[]): Given[] =>
  alivePlayers.flatMap((name) => answers.filter(({ by }) => by === name));

/** Names in a sentence: "nobody", "Dan", "Dan and Leah". */
const listInWords = (names: readonly string[], last: 'and' | 'or' = 'and') =>
  names.length < 2 ? (names[0] ?? 'nobody') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)!}`;

/** An act of a night as it was recorded. */
interface NightChoice {
  power: HeldPower;
  target: string;
  log: ArenaLog | null | undefined;
}

/** The acts of a night in the order of our records. */
const listNightChoices = ({ eliminated, protected: covered, unmasked, log }: Round): NightChoice[] =>
  [
    { verb: 'eliminate', target: eliminated, log: log.eliminate },
    { verb: 'protect', target: covered, log: log.protect },
    { verb: 'unmask', target: unmasked, log: log.investigate },
  ].flatMap(({ verb, target, log }) => (target ? [{ power: getPower(verb), target, log }] : []));

/** The players with the power, in seat order. */
function findHolders({ setup, alivePlayers }: Game, { role }: HeldPower) {
  const all = setup.players.filter((player) => player.role === role.name).map(({ name }) => name);
  return { all, living: all.filter((name) => alivePlayers.includes(name)) };
}

/** Plays a night. Its deaths by our rules are compared with the recorded ones, and the recorded ones happen. */
function replayNight(replay: Replay, round: Round) {
  noteMissingAtNight(replay, round);
  const leftOut = listNightChoices(round).flatMap((choice) => replayNightChoice(replay, choice));
  const { game } = replay;
  const outcome = resolveNight(game);
  const byRules = listDead(outcome);
  const recorded = game.alivePlayers.filter((name) => !round.players.includes(name) && name !== round.exiled);
  if (listInWords(recorded) !== listInWords(byRules)) {
    const withAll = listDead(resolveNight({ ...game, intents: [...game.intents, ...leftOut] }));
    const because =
      listInWords(withAll) === listInWords(recorded)
        ? 'What was left out had counted.'
        : 'Nothing recorded explains it.';
    note(
      replay,
      'death',
      `Recorded as removed: ${listInWords(recorded)}; by the rules: ${listInWords(byRules)}. ${because}`,
    );
  }
  const otherEvents = outcome.filter(({ type }) => type !== 'death' && type !== 'quiet_night');
  const announcements: GameEvent[] =
    recorded.length > 0
      ? recorded.map((name) => createDeath(game, name, 'night'))
      : [{ ...createEventHeader(game, 'everyone'), type: 'quiet_night' }];
  appendEvents(replay, [...otherEvents, ...announcements]);
}

const listDead = (events: readonly GameEvent[]) =>
  events.flatMap((event) => (event.type === 'death' ? [event.player] : []));

/** Plays one act. One that our rules do not allow is left out and returned. */
function replayNightChoice(replay: Replay, { power, target, log }: NightChoice): Intent[] {
  const { game } = replay;
  const { all, living } = findHolders(game, power);
  const isLegal = living.some((name) => power.choices(createView(game, name)).includes(target));
  if (!isLegal) {
    const by = living.length > 0 ? living : all;
    const because = living.length === 0 ? 'nobody who can was left' : 'the rules do not allow that choice';
    note(replay, 'act', `Left out: ${power.verb} by ${listInWords(by)} on ${target}, since ${because}.`);
    return [{ round: game.roundNum, verb: power.verb, by, target }];
  }
  const asked = living.find((name) => name === findAskedPlayer(log));
  const by = asked ?? living[0]!;
  const thought = asked === undefined ? {} : withReasoning(log);
  if (power.actor === 'team')
    applyStep(replay, createTeamStep(power), [{ by, value: { proposal: target, ...thought } }]);
  else applyStep(replay, createHolderStep(power), [{ by, value: { target, ...thought } }]);
  return [];
}

/** Notes the players whom the night's prompts did not offer although our rules allow to choose them. */
function noteMissingAtNight(replay: Replay, round: Round) {
  const { game } = replay;
  const missing = listNightChoices(round).flatMap(({ power, log }) => {
    const by = findHolders(game, power).living.find((name) => name === findAskedPlayer(log));
    const offered = log ? findOfferedChoices(log) : null; // without choices in the prompt there is nothing to compare
    if (by === undefined || offered === null) return [];
    const left = power.choices(createView(game, by)).filter((name) => !offered.includes(name));
    return left.map((name) => ({ name, verb: power.verb }));
  });
  for (const [name, acts] of Map.groupBy(missing, (one) => one.name)) {
    const verbs = acts.map(({ verb }) => verb);
    note(replay, 'choices', `${name} was alive and was no choice to ${listInWords(verbs, 'or')}.`);
  }
}

/** Plays a debate: statements, each with bids before it and, but for the last, synthetic votes after it, if recorded. */
function replayDebate(replay: Replay, round: Round) {
  const { debate, log } = round;
  const synthetic = log.votes.slice(0, -1); // the votes after the last statement are the ballot
  replayBids(replay, round, 0);
  for (const [turn, [by, said]] of debate.entries()) {
    const [asked, answer] = log.debate[turn] ?? [];
    const thought = asked === by ? withReasoning(answer) : {};
    applyStep(replay, debateStep, [{ by, value: { statement: flattenToOneLine(said), ...thought } }]);
    if (turn + 1 === debate.length) break;
    replayBids(replay, round, turn + 1);
    const votes = (synthetic[turn] ?? []).flatMap(({ player: voter, voted_for: target }) =>
      target === null ? [] : [{ by: voter, value: { vote: target } }],
    );
    applyStep(replay, syntheticVoteStep, sortBySeat(replay.game, votes));
  }
}

function replayBids(replay: Replay, { bids, log }: Round, turn: number) {
  const asked = new Map(log.bid[turn] ?? []);
  const given = replay.game.alivePlayers.flatMap((by) => {
    const bid = bids[turn]?.[by];
    return bid === undefined ? [] : [{ by, value: { bid, ...withReasoning(asked.get(by)) } }];
  });
  applyStep(replay, bidStep, given);
}

/** The ballot of a round, with the log of each vote. */
const listCast = ({ log }: Round) =>
  (log.votes.at(-1) ?? []).flatMap(({ player: by, voted_for: target, log: answer }) =>
    target === null ? [] : [{ by, target, answer }],
  );

/** Whether all rounds share one dictionary of votes, as in DSGBench, so that votes of earlier rounds still counted. */
const hasSharedVotes = ({ rounds }: ArenaSession) =>
  rounds.some((round) => {
    const kept = round.votes.at(-1);
    const cast = Object.fromEntries(listCast(round).map(({ by, target }) => [by, target]));
    return kept !== undefined && !isDeepStrictEqual(kept, cast);
  });

/** Ballots of earlier rounds that still counted: those of players who did not vote again. */
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

/** Plays the ballot of a round and the recorded exile. `index`: of the round in the session, from 0. */
function replayBallots(replay: Replay, session: ArenaSession, index: number) {
  const { game } = replay;
  const round = session.rounds[index]!;
  const cast = listCast(round);
  const isLegal = ({ by, target }: Ballot) =>
    by !== target && game.alivePlayers.includes(by) && game.alivePlayers.includes(target);
  const illegal = cast.filter((ballot) => !isLegal(ballot));
  const uncounted = [
    ...listLeftOver(session, index),
    ...illegal.map(({ by, target }) => ({ round: game.roundNum, by, target, cast_in_round: game.roundNum })),
  ];
  replay.uncounted.push(...uncounted);
  noteMissingAtVote(replay, round);
  const counted = cast
    .filter(isLegal)
    .map(({ by, target, answer }) => ({ by, value: { vote: target, ...withReasoning(answer) } }));
  applyStep(replay, voteStep, sortBySeat(game, counted));
  replayExile(replay, uncounted, round.exiled ?? null);
}

function replayExile(replay: Replay, uncounted: readonly UncountedBallot[], recorded: string | null) {
  const { game } = replay;
  const outcome = resolveExile(game);
  const byRules = findExiled(outcome);
  if (recorded === byRules) return appendEvents(replay, [outcome]);
  const withAll = resolveExile({
    ...game,
    votes: [...game.votes, ...uncounted.map(({ by, target }) => ({ by, target }))],
  });
  const others = uncounted.filter(({ target }) => target === recorded).map(describeBallot);
  const because =
    findExiled(withAll) === recorded
      ? `The original also counted ${others.join(', ')}.`
      : 'Nothing recorded explains it.';
  const [was, wouldBe] = [recorded, byRules].map((name) => name ?? 'nobody');
  note(replay, 'exile', `Recorded as exiled: ${was}; by the rules: ${wouldBe}. ${because}`);
  appendEvents(replay, [
    recorded === null
      ? { ...createEventHeader(game, 'everyone'), type: 'no_exile', reason: 'no majority' }
      : createDeath(game, recorded, 'exile'),
  ]);
}

const findExiled = (outcome: GameEvent) => (outcome.type === 'death' ? outcome.player : null);

const describeBallot = ({ by, target, round, cast_in_round: cast }: UncountedBallot) =>
  `${by}'s ballot ${cast < round ? `of round ${cast} ` : ''}for ${target}`;

/** Notes the living players whom no prompt of the ballot offered. */
function noteMissingAtVote(replay: Replay, { log }: Round) {
  const asked = (log.votes.at(-1) ?? []).flatMap(({ player, log: answer }) => {
    const choices = findOfferedChoices(answer);
    return choices ? [{ player, choices }] : [];
  });
  for (const name of replay.game.alivePlayers) {
    const others = asked.filter(({ player }) => player !== name);
    if (others.length > 0 && others.every(({ choices }) => !choices.includes(name)))
      note(replay, 'choices', `${name} was alive and was no choice to vote for.`);
  }
}

/** Notes where the game would be over by our rules. */
function noteIfOver(replay: Replay) {
  const winner = findWinner(replay.game);
  if (winner !== null)
    note(replay, 'winner', `By the rules ${teams[winner].label} had won here; the original went on.`);
}

/** The reason for the recorded winner's win where our rules give none. */
const reasons = { villagers: 'no Werewolf left', werewolves: 'Werewolves at parity' } as const;

function createRecordedEnding(replay: Replay, winner: Team): EventOf<'ended'> {
  const { game } = replay;
  const byRules = findWinner(game);
  if (byRules === winner) return createEnding({ ...game, winner });
  const wouldBe = byRules === null ? 'nobody' : teams[byRules].label;
  note(replay, 'winner', `Recorded as the winner: ${teams[winner].label}; by the rules: ${wouldBe}.`);
  return { ...createEnding({ ...game, winner }), reason: reasons[winner] };
}
