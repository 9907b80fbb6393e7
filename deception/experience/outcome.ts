// The outcome of a decision: its reward, and a reflection written by rules from the player's knowledge at the end.
import { isEventOfType } from '../../state/events.ts';
import type { ExperienceReward } from '../../state/experience-setup.ts';
import { createGame } from '../../state/deal.ts';
import type { Game, Setup } from '../../state/game.ts';
import { listSurvivors } from '../../state/night-resolution.ts';
import { getRole } from '../../state/roles/index.ts';
import { type Team, teams } from '../../state/teams.ts';
import { createView, type View } from '../../state/view.ts';
import type { MatchRecord } from '../record/match-record.ts';
import { type BoardAndRules, playRandomMatches } from '../play/random-matches.ts';
import { nameSeat } from './seat-letters.ts';

/** Returns the game as it was at the end of the match. */
function createFinalGame({ manifest: { setup }, events }: Pick<MatchRecord, 'manifest' | 'events'>): Game {
  const names = setup.players.map(({ name }) => name);
  const last = events.at(-1)!;
  return {
    ...createGame(setup),
    alivePlayers: listSurvivors(names, events),
    roundNum: last.round,
    phase: last.phase,
    gameLogs: events.filter(({ audience }) => audience !== 'moderator'),
    winner: events.find(isEventOfType('ended'))?.winner ?? null,
  };
}

/** Returns the View of a player at the end of a finished match. */
export const createFinalView = (record: Pick<MatchRecord, 'manifest' | 'events'>, player: string): View =>
  createView(createFinalGame(record), player);

/** Number of random matches from which a side's chance of winning is estimated; its standard error is at most 0.011. */
const randomMatches = 2000;

const chances = new Map<string, number>();

/** Estimates how often the village wins when everybody plays at random, 0 to 1. */
function estimateVillageChance(ground: BoardAndRules): number {
  const key = JSON.stringify([ground.board.roles, ground.rules]);
  const known = chances.get(key);
  if (known !== undefined) return known;
  let wins = 0;
  for (const { events } of playRandomMatches(ground, randomMatches, 1))
    if (events.find(isEventOfType('ended'))?.winner === 'villagers') wins++;
  chances.set(key, wins / randomMatches);
  return wins / randomMatches;
}

/** Returns 1 for the winners, 0 for the losers, and 0.5 for everybody if nobody won. */
const scoreResult = (winner: Team | null, team: Team) => (winner === null ? 0.5 : Number(winner === team));

/**
 * Returns the reward of a player's decision in a round; null if the decision has none. The reward `vote` is 1 for a
 * ballot against the other side, 0 for a ballot against the player's own side, and null if the player cast no ballot in
 * that round.

 * @example computeReward('result', record, 'Ginger', 2) // 1
 */
export function computeReward(
  reward: ExperienceReward,
  { manifest: { setup }, events }: Pick<MatchRecord, 'manifest' | 'events'>,
  player: string,
  round: number,
): number | null {
  const teamOf = (name: string) => setup.players.find((seat) => seat.name === name)!.team;
  const team = teamOf(player);
  const result = scoreResult(events.find(isEventOfType('ended'))?.winner ?? null, team);
  if (reward === 'result') return result;
  if (reward === 'rounds') {
    const rounds = Math.max(1, ...events.map((event) => event.round));
    return result === 1 ? mostRoundReward - rounds : rounds;
  }
  if (reward === 'vote') {
    const ballot = events.filter(isEventOfType('ballot')).findLast((one) => one.by === player && one.round === round);
    return ballot === undefined || ballot.mark !== undefined ? null : Number(teamOf(ballot.target) !== team);
  }
  const village = estimateVillageChance(selectBoardAndRules(setup));
  return Math.round((result - (team === 'villagers' ? village : 1 - village)) * 1e4) / 1e4;
}

const selectBoardAndRules = ({ board, rules, players }: Setup): BoardAndRules => ({
  board: { ...board, names: players.map(({ name }) => name) },
  rules,
});

/**
 * Number from which the rounds are subtracted in the reward `rounds` (equation 1 of WereWolf-Plus). The reward of a win
 * is 1000 minus the number of rounds; the reward of a loss is the number of rounds. A match without a winner counts as
 * a loss.
 */
const mostRoundReward = 1000;

/** Describes how a match ended for a member of a team. Reflections begin with it. */
export const describeResult = (winner: Team | null, team: Team): string =>
  winner === null ? 'Nobody won.' : winner === team ? 'Your side won.' : 'Your side lost.';

/** Describes what the View's owner knows about a player's role or side; null if nothing. */
function findIdentity({ events, players }: View, name: string): string | null {
  const told = [
    ...events.filter(isEventOfType('learned')).filter(({ about }) => about === name),
    ...events.filter(isEventOfType('death')).filter(({ player }) => player === name),
  ].find(({ role, team }) => (role ?? team) !== undefined);
  if (!told) return null;
  const who = nameSeat(name, players);
  return told.role === undefined
    ? `${who} was on the side of ${teams[told.team!].label}.`
    : `${who} was a ${told.role}.`;
}

/**
 * Writes a reflection by rules, without a language model: how the match ended, when the player left, and which role the
 * target had, if the player learned it. `isGood`: true advises the player to repeat the decision, false to avoid it,
 * and null gives no advice. Null is used if the reward is the result of the whole match, because that result says
 * little about one decision.
 *
 * @example writeReflection(createFinalView(record, 'Ginger'), { target: 'Dan', isGood: true }) // 'Your side won. Do the same again.'
 */
export function writeReflection(
  view: View,
  { target, isGood }: { target: string | null; isGood: boolean | null },
): string {
  const ended = view.events.find(isEventOfType('ended'));
  const left = view.events.filter(isEventOfType('death')).find(({ player }) => player === view.me);
  return [
    describeResult(ended?.winner ?? null, getRole(view.role).team),
    ...(left ? [`You left in round ${left.round}.`] : []),
    ...(target === null ? [] : [findIdentity(view, target)].filter((line) => line !== null)),
    ...(isGood === null ? [] : [isGood ? 'Do the same again.' : 'Do otherwise next time.']),
  ].join(' ');
}
