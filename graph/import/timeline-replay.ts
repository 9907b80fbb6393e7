// Replays a published game of Kaggle's Game Arena through the steps of this project's game.
import { createGame } from '../../state/deal.ts';
import { type Ballot, createEventHeader, type Game, type Intent, type Setup } from '../../state/game.ts';
import { listNightEffects } from '../../state/night-resolution.ts';
import { type HeldPower, powers } from '../../state/roles/index.ts';
import { debateStep } from '../../state/steps/debate.ts';
import { createHolderStep, createTeamStep } from '../../state/steps/night.ts';
import { startRoundStep } from '../../state/steps/round.ts';
import { listLeaders } from '../../state/steps/voting.ts';
import type { Team } from '../../state/teams.ts';
import { flattenToOneLine } from '../../state/text.ts';
import { createView } from '../../state/view.ts';
import {
  addRecordedEvents,
  createReasoning,
  findHolders,
  listInWords,
  playRecordedStep,
  recordDifference,
  recordIfOver,
  type ImportReplay,
  replayBallots,
  resolveRecordedExile,
  resolveRecordedNight,
  resolveRecordedWinner,
} from './recorded-game-replay.ts';
import type { Timeline, TimelineAct, TimelineRound } from './timeline-rounds.ts';

/**
 * Replays a game by the rules of `setup`. Acts and statements that the rules do not allow are left out. Picks, deaths,
 * exiles and the winner are taken from the recording, and every difference from the rules is listed.
 *
 * @example const { events, differences } = replayTimeline(gatherRounds(game), setup, game.winner);
 */
export function replayTimeline(
  { rounds, survivors }: Timeline,
  setup: Setup,
  winner: Team,
): Omit<ImportReplay, 'game'> {
  const replay: ImportReplay = { game: createGame(setup), events: [], differences: [], uncounted: [] };
  for (const [index, round] of rounds.entries()) {
    const isLast = index + 1 === rounds.length;
    const hasDay = round.said.length > 0 || round.cast.length > 0 || round.announced.exiled !== null;
    playRecordedStep(replay, startRoundStep, []);
    replayNight(replay, round, survivors);
    if (hasDay || !isLast) recordIfOver(replay);
    replay.game = { ...replay.game, phase: 'day' };
    if (!hasDay) continue;
    replayDebate(replay, round);
    replayVote(replay, round, rounds[index + 1]?.announced.picked ?? null);
    if (!isLast) recordIfOver(replay);
  }
  compareSurvivors(replay, survivors);
  resolveRecordedWinner(replay, winner);
  return replay;
}

/** Records a difference if the players left at the end are not the announced survivors. */
function compareSurvivors(replay: ImportReplay, survivors: readonly string[] | null) {
  const left = listInWords(replay.game.alivePlayers);
  if (survivors !== null && listInWords(survivors) !== left)
    recordDifference(replay, 'death', `Survivors by the record: ${listInWords(survivors)}; by the events: ${left}.`);
}

function replayNight(replay: ImportReplay, round: TimelineRound, survivors: readonly string[] | null) {
  for (const { by, verb, night, isDatedLater } of round.acts) {
    if (isDatedLater)
      recordDifference(
        replay,
        'date',
        `The original lists ${by}'s act (${verb}) under night ${night + 1}; it is imported as an act of night ${night}.`,
      );
  }
  const leftOut = powers.flatMap((power) => {
    const acts = round.acts.filter(({ verb }) => verb === power.verb);
    const legal = acts.filter((act) => isAllowed(replay, power, act));
    if (power.actor === 'team') replayPick(replay, power, legal, round);
    else for (const act of legal) playHolderAct(replay, power, act);
    return acts.filter((act) => !legal.includes(act));
  });
  resolveRecordedNight(
    replay,
    leftOut.map(({ verb, by, target }): Intent => ({ round: replay.game.roundNum, verb, by: [by], target })),
    (byRules) => findRemoved(replay, round, survivors) ?? byRules,
  );
}

/** Returns whether the rules allow an act. Records a difference if they do not. */
function isAllowed(replay: ImportReplay, power: HeldPower, { by, verb, target }: TimelineAct): boolean {
  const { game } = replay;
  const isAlive = findHolders(game, power).living.includes(by);
  if (isAlive && power.choices(createView(game, by)).includes(target)) return true;
  const because = isAlive ? 'the rules do not allow that choice' : `${by} had left`;
  recordDifference(replay, 'act', `Left out: ${verb} by ${by} on ${target}, since ${because}.`);
  return false;
}

const playHolderAct = (replay: ImportReplay, power: HeldPower, { by, target, reasoning }: TimelineAct) =>
  playRecordedStep(replay, createHolderStep(power), [{ by, value: { target, ...createReasoning(reasoning) } }]);

/** Replays the Werewolves' choice: their proposals, then their recorded pick. */
function replayPick(replay: ImportReplay, power: HeldPower, acts: readonly TimelineAct[], round: TimelineRound) {
  const proposals = acts.map(({ by, target }) => ({ by, target }));
  const recorded = round.announced.picked ?? round.announced.removed;
  const target = recorded ?? listLeaders(proposals)[0];
  if (target === undefined) return;
  const { game } = replay;
  const step = createTeamStep(power);
  const answers = acts.map(({ by, target: proposal, reasoning }) => ({
    by,
    value: { proposal, ...createReasoning(reasoning) },
  }));
  if (answers.length > 0 && proposals.every((proposal) => proposal.target === target))
    return playRecordedStep(replay, step, answers);
  recordDifference(replay, 'act', `${describeProposals(proposals)} Recorded as picked: ${target}.`);
  const { all, living } = findHolders(game, power);
  const proposed = answers.length > 0 ? step.apply(game, answers).events.filter(({ type }) => type !== 'pick') : [];
  replay.game = { ...game, intents: [...game.intents, { round: game.roundNum, verb: power.verb, by: living, target }] };
  addRecordedEvents(replay, [...proposed, { ...createEventHeader(game, all), type: 'pick', verb: power.verb, target }]);
}

function describeProposals(proposals: readonly Ballot[]): string {
  const each = proposals.map(({ by, target }) => `${by} ${target}`).join(', ');
  if (proposals.length === 0) return 'The Werewolves proposed nobody whom the rules allow.';
  return listLeaders(proposals).length > 1
    ? `The Werewolves disagreed (${each}) and did not propose a second time, as the rules require.`
    : `The Werewolves made other proposals (${each}).`;
}

/**
 * Returns the player who was removed in the night, as a list; empty if nobody was. If nothing was announced, the
 * attacked player counts as removed if absent afterwards. Returns null if the outcome is unknown, or if nobody could be
 * removed.
 */
function findRemoved(
  { game }: ImportReplay,
  round: TimelineRound,
  survivors: readonly string[] | null,
): string[] | null {
  const target = round.announced.removed ?? findAttacked(game);
  if (target === undefined || !game.alivePlayers.includes(target)) return null;
  if (round.announced.removed !== null) return [target];
  if (round.presentFromDay.has(target)) return [];
  return survivors !== null || round.said.length + round.cast.length > 0 ? [target] : null;
}

/** Returns the player whom the Werewolves attack this night. */
const findAttacked = (game: Game) => listNightEffects(game).find((effect) => effect.kind === 'attack')?.target;

function replayDebate(replay: ImportReplay, { said }: TimelineRound) {
  for (const { by, message, reasoning } of said) {
    if (replay.game.alivePlayers.includes(by)) {
      const value = { statement: flattenToOneLine(message), ...createReasoning(reasoning) };
      playRecordedStep(replay, debateStep, [{ by, value }]);
    } else recordDifference(replay, 'act', `Left out: a statement by ${by}, who was no longer in the game.`);
  }
}

/**
 * Replays the ballot of a day and the recorded exile. `nextPicked`: the player whom the Werewolves chose in the
 * following night.
 */
function replayVote(replay: ImportReplay, round: TimelineRound, nextPicked: string | null) {
  const { cast, announced } = round;
  if (cast.length === 0 && announced.exiled === null) return;
  replayBallots(
    replay,
    cast.map(({ by, target, reasoning }) => ({ by, target, ...createReasoning(reasoning) })),
  );
  resolveRecordedExile(replay, announced.exiled ?? findExiled(replay, round, nextPicked));
}

/**
 * Returns who was exiled: a player with the most ballots who was not present afterwards. Null if there is no such
 * player.
 */
function findExiled(
  replay: ImportReplay,
  { presentAfterDay }: TimelineRound,
  nextPicked: string | null,
): string | null {
  const leaders = listLeaders(replay.game.votes);
  const gone = leaders.filter((name) => !presentAfterDay.has(name) && name !== nextPicked);
  if (gone.length > 1)
    recordDifference(
      replay,
      'exile',
      `${listInWords(gone)} were tied, and the record does not say who was exiled. Imported as exiled: ${gone[0]!}.`,
    );
  return gone[0] ?? null;
}
