// Parts that the replays of all formats share: a recorded game is played through the steps of this project's game, with
// the recorded choices as answers. If the rules differ, the recorded events happen, and the difference is noted.
import type { GameEvent } from '../../state/events.ts';
import { addEvents, type Ballot, createEventHeader, type Game, type Intent } from '../../state/game.ts';
import { createDeath, listSurvivors, resolveNight } from '../../state/night-resolution.ts';
import type { HeldPower } from '../../state/roles/index.ts';
import type { Answer, Reply, Step } from '../../state/steps/step.ts';
import { listLeaders, resolveExile, voteStep } from '../../state/steps/voting.ts';
import { type Team, teams } from '../../state/teams.ts';
import { flattenToOneLine } from '../../state/text.ts';
import { createEnding, findWinner } from '../../state/win-conditions.ts';

/** Kinds of differences from this project's rules, each with its meaning. */
export const discrepancyKinds = {
  act: 'a night act or statement that the rules forbid and that is left out, or a disagreement of the Werewolves',
  date: 'an act that is listed under the following night',
  choices: 'a living player whom the original’s prompts did not offer as a choice',
  death: 'by the rules, others die in the night',
  exile: 'by the rules, another player is exiled, or the original does not say which tied player was exiled',
  winner: 'by the rules, the game had ended earlier, or the other side had won',
} as const;

/** A difference from this project's rules. */
export interface Discrepancy {
  round: number;
  phase: 'night' | 'day';
  kind: keyof typeof discrepancyKinds;
  /** Description in words. */
  text: string;
}

/**
 * A ballot that the original game counted in round `round`, and that this project's rules do not count.
 * `cast_in_round`: round in which it was cast, which is earlier if the ballot remained from an earlier day.
 */
export interface UncountedBallot {
  round: number;
  by: string;
  target: string;
  cast_in_round: number;
}

/** A recorded game, as far as it has been replayed. `game`: the state that follows from the recording. */
export interface ImportReplay {
  game: Game;
  readonly events: GameEvent[];
  readonly differences: Discrepancy[];
  readonly uncounted: UncountedBallot[];
}

/** Plays a step of the game with recorded answers. */
export function playRecordedStep<Value extends Reply>(
  replay: ImportReplay,
  step: Step<Value>,
  answers: readonly Answer<NoInfer<Value>>[],
) {
  const { change: { intents, ...change } = {}, events } = step.apply(replay.game, answers);
  replay.game = {
    ...replay.game,
    ...(change as Partial<Game>),
    intents: [...replay.game.intents, ...((intents ?? []) as Intent[])],
  };
  addRecordedEvents(replay, events);
}

/** Appends events. Players who die in these events leave the game. */
export function addRecordedEvents(replay: ImportReplay, events: readonly GameEvent[]) {
  replay.events.push(...events);
  const alivePlayers = listSurvivors(replay.game.alivePlayers, events);
  replay.game = { ...addEvents(replay.game, events), alivePlayers };
}

export function recordDifference({ game, differences }: ImportReplay, kind: Discrepancy['kind'], text: string) {
  differences.push({ round: game.roundNum, phase: game.phase, kind, text });
}

/** Returns private reasoning as a field of an answer; no field if there is none. */
export function createReasoning(text: string): Reply {
  const reasoning = flattenToOneLine(text);
  return reasoning === '' ? {} : { reasoning };
}

/** Lists names in a sentence: "nobody", "Dan", "Dan and Leah". */
export const listInWords = (names: readonly string[], last: 'and' | 'or' = 'and') =>
  names.length < 2 ? (names[0] ?? 'nobody') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)!}`;

/** Returns the players with the power, in seat order. */
export function findHolders({ setup, alivePlayers }: Game, { role }: HeldPower) {
  const all = setup.players.filter((player) => player.role === role.name).map(({ name }) => name);
  return { all, living: all.filter((name) => alivePlayers.includes(name)) };
}

const listDead = (events: readonly GameEvent[]) =>
  events.flatMap((event) => (event.type === 'death' ? [event.player] : []));

/**
 * Ends a night: compares the deaths under this project's rules with the recorded deaths, and then applies the recorded
 * deaths. `findRecorded`: called with the deaths under this project's rules; returns the recorded deaths. `leftOut`:
 * acts that the rules do not allow.
 */
export function resolveRecordedNight(
  replay: ImportReplay,
  leftOut: readonly Intent[],
  findRecorded: (byRules: readonly string[]) => readonly string[],
) {
  const { game } = replay;
  const outcome = resolveNight(game);
  const byRules = listDead(outcome);
  const recorded = findRecorded(byRules);
  if (listInWords(recorded) !== listInWords(byRules)) {
    const withAll = listDead(resolveNight({ ...game, intents: [...game.intents, ...leftOut] }));
    const because =
      listInWords(withAll) === listInWords(recorded)
        ? 'The original also counted what is left out here.'
        : 'The record does not explain the difference.';
    recordDifference(
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
  addRecordedEvents(replay, [...otherEvents, ...announcements]);
}

/** A ballot of a day, with its voter's reasoning. */
export interface CastBallot extends Ballot, Reply {}

/**
 * Replays the ballot of a day, in the given order. Ballots by or for players who had left do not count. Nor do the
 * ballots in `leftOver`, which are from earlier days.
 */
export function replayBallots(
  replay: ImportReplay,
  cast: readonly CastBallot[],
  leftOver: readonly UncountedBallot[] = [],
) {
  const { game } = replay;
  const round = game.roundNum;
  const isLegal = ({ by, target }: Ballot) =>
    by !== target && game.alivePlayers.includes(by) && game.alivePlayers.includes(target);
  const illegal = cast.filter((ballot) => !isLegal(ballot));
  replay.uncounted.push(...leftOver, ...illegal.map(({ by, target }) => ({ round, by, target, cast_in_round: round })));
  const counted = cast.filter(isLegal);
  playRecordedStep(
    replay,
    voteStep,
    counted.map(({ by, target, ...thought }) => ({ by, value: { vote: target, ...thought } })),
  );
}

/**
 * Ends a day: compares the exile under this project's rules with the recorded exile, and then applies the recorded
 * exile. `recorded`: null if nobody was exiled.
 */
export function resolveRecordedExile(replay: ImportReplay, recorded: string | null) {
  const { game } = replay;
  const byRules = findExiled(game, game.votes);
  const recordedEvent: GameEvent =
    recorded === null
      ? {
          ...createEventHeader(game, 'everyone'),
          type: 'no_exile',
          reason: game.setup.rules.exile === 'majority' ? 'no majority' : 'tie',
        }
      : createDeath(game, recorded, 'exile');
  const { exile, exileTies } = game.setup.rules;
  const isDrawn = exile === 'plurality' && exileTies === 'random' && listLeaders(game.votes).includes(recorded ?? '');
  if (recorded !== byRules && !isDrawn) {
    const uncounted = replay.uncounted.filter(({ round }) => round === game.roundNum);
    const withAll = findExiled(game, [...game.votes, ...uncounted]);
    const others = uncounted.filter(({ target }) => target === recorded).map(describeBallot);
    const because =
      withAll === recorded && others.length > 0
        ? `The original also counted ${others.join(', ')}.`
        : 'The record does not explain the difference.';
    recordDifference(
      replay,
      'exile',
      `Recorded as exiled: ${recorded ?? 'nobody'}; by the rules: ${byRules ?? 'nobody'}. ${because}`,
    );
  }
  addRecordedEvents(replay, [recordedEvent]);
}

/** Returns the player whom the rules exile after these ballots; null for nobody. */
function findExiled(game: Game, ballots: readonly Ballot[]): string | null {
  if (ballots.length === 0) return null;
  const outcome = resolveExile({ ...game, votes: ballots.map(({ by, target }) => ({ by, target })) });
  return outcome.type === 'death' ? outcome.player : null;
}

const describeBallot = ({ by, target, round, cast_in_round: cast }: UncountedBallot) =>
  `${by}'s ballot ${cast < round ? `of round ${cast} ` : ''}for ${target}`;

/**
 * Records a difference if, by this project's rules, one side has already won. Called where the original game continued.
 */
export function recordIfOver(replay: ImportReplay) {
  const winner = findWinner(replay.game);
  if (winner !== null)
    recordDifference(replay, 'winner', `By the rules, ${teams[winner].label} had won here; the original continued.`);
}

/** Reasons for a recorded win that this project's rules do not confirm. */
const reasons = { villagers: 'no Werewolf left', werewolves: 'Werewolves at parity' } as const;

/**
 * Ends the game: compares the winner under this project's rules with the recorded winner, and then ends the game with
 * the recorded winner.
 */
export function resolveRecordedWinner(replay: ImportReplay, winner: Team) {
  const { game } = replay;
  const byRules = findWinner(game);
  const ending = createEnding({ ...game, winner });
  if (byRules === winner) return addRecordedEvents(replay, [ending]);
  const wouldBe = byRules === null ? 'nobody' : teams[byRules].label;
  recordDifference(replay, 'winner', `Recorded as the winner: ${teams[winner].label}; by the rules: ${wouldBe}.`);
  addRecordedEvents(replay, [{ ...ending, reason: reasons[winner] }]);
}
