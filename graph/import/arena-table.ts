// The table of a session of Werewolf Arena or DSGBench: its board, its seats, and the rules nearest to what was played.
import { boards, readBoard, type Board } from '../../state/boards.ts';
import { rulesOn } from '../../state/board-rules.ts';
import type { Rules } from '../../state/common-rules.ts';
import { roleNamed } from '../../state/roles/index.ts';
import type { RuleValue } from '../../state/rule.ts';
import type { Setup } from '../../state/setup.ts';
import type { Session } from './arena-session.ts';

/** Of another program nothing is known that could be a seed; it decides nothing that is recorded. */
const noSeed = 0;

/**
 * The set-up that a session would have had. Throws a UsageError for roles that are not known, and for a table that
 * cannot be seated.
 */
export function tableOf(session: Session): Setup {
  const board = boardOf(session);
  const players = Object.entries(session.players).map(([name, { role, personality }]) => ({
    name,
    role,
    team: roleNamed(role).team,
    ...(personality ? { persona: personality } : {}),
  }));
  return { board: { name: board.name, roles: board.roles }, rules: rulesOf(session, board), seed: noSeed, players };
}

function boardOf({ players }: Session): Board {
  const dealt = Object.values(players).map(({ role }) => role);
  const known = Object.values(boards).find(
    ({ roles }) =>
      Object.values(roles).reduce((sum, count) => sum + count, 0) === dealt.length &&
      Object.entries(roles).every(([role, count]) => dealt.filter((other) => other === role).length === count),
  );
  const roles = Object.fromEntries([...Map.groupBy(dealt, (role) => role)].map(([role, { length }]) => [role, length]));
  const { name, roles: counts } = known ?? { name: `arena-${dealt.length}`, roles };
  return readBoard({ name, roles: counts, names: Object.keys(players) });
}

/** No limit was set to words or rounds; the highest that a rule allows stands for none. */
const unlimited = { maxWords: 1000, maxRounds: 50 };

/**
 * The preset `arena`, with the advice that its prompts gave. Without bids everybody spoke once a day in seat order, as in
 * DSGBench, whose temperatures are not known.
 */
function rulesOf({ rounds }: Session, board: Board): Rules {
  const isBidFor = rounds.some(({ bids }) => bids.length > 0);
  const longest = Math.max(1, ...rounds.map(({ debate }) => debate.length));
  const most = Math.max(1, ...rounds.map(({ debate, players, exiled }) => turnsEach(debate, players, exiled)));
  const ofOrder: Record<string, RuleValue> = isBidFor
    ? { debateTurns: Math.min(longest, 40) }
    : { debateOrder: 'round-robin', debatePasses: most, choiceTemperature: null, talkTemperature: null };
  const syntheticVotes = rounds.some(({ log }) => log.votes.length > 1);
  return rulesOn(board, 'arena', { ...unlimited, ...ofOrder, syntheticVotes, coaching: 'paper' });
}

const turnsEach = (debate: readonly unknown[], left: readonly string[], exiled: string | null | undefined) =>
  Math.min(5, Math.ceil(debate.length / Math.max(1, left.length + (exiled ? 1 : 0))));
