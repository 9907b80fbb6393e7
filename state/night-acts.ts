// Who acts at night, and what a team's proposals come to.
import { leaders, tally } from './ballots.ts';
import { draw } from './draw.ts';
import type { GameEvent } from './event.ts';
import type { Game } from './game.ts';
import { pass } from './role.ts';
import type { HeldPower } from './roles/index.ts';
import type { Ballot, Intent } from './rows.ts';
import { view } from './view.ts';

const holders = (game: Game, { role }: HeldPower) => game.alivePlayers.filter((name) => game.roles[name] === role.name);

/** What the moderator tells the living holders before they are asked, in seat order. */
export const briefings = (game: Game, power: HeldPower): GameEvent[] =>
  power.brief ? holders(game, power).flatMap((name) => power.brief!(game, name)) : [];

/** The living who hold the power and have somebody to use it on, in seat order, each with the legal targets. */
export const options = (game: Game, power: HeldPower): { by: string; targets: string[] }[] =>
  holders(game, power)
    .map((by) => ({ by, targets: power.choices(view(game, by)) }))
    .filter(({ targets }) => targets.length > 0);

/** The living who hold the power and have somebody to use it on, in seat order. */
export const actors = (game: Game, power: HeldPower) => options(game, power).map(({ by }) => by);

/**
 * Whether anybody may have a use for the power tonight. Judged by what was known at nightfall, so that the routers of
 * nodes that act side by side, which do not see each other's writes, agree.
 */
export function isReady(game: Game, power: HeldPower): boolean {
  const nightfall = { ...game, gameLogs: game.gameLogs.filter((event) => !isTonight(game, event)) };
  return holders(game, power).some((name) => {
    const seen = view(nightfall, name);
    return power.isReady ? power.isReady(seen) : power.choices(seen).length > 0;
  });
}

const isTonight = ({ roundNum }: Game, { round, phase }: GameEvent) => round === roundNum && phase === 'night';

/** Who of the living of a team proposes: all of them, or one drawn by the seed. */
export const proposers = ({ setup, roundNum }: Game, team: readonly string[]): readonly string[] =>
  setup.rules.pack === 'one' && team.length > 1 ? [draw(setup.seed, 'picker', roundNum).pick(team)] : team;

/** Whether those of a team who propose learn of each other's proposals: where there is but one, the choice is alone. */
export const isCouncil = ({ setup }: Game, team: readonly string[]) => setup.rules.pack === 'vote' && team.length > 1;

/** Whether a council has to propose once more. */
export const isDivided = (proposals: readonly Ballot[]) => tally(proposals).length !== 1;

/** Whom a team settles on: the most proposed, in a tie by lot. Throws a RangeError where nothing was proposed. */
export const pickAmong = ({ setup, roundNum }: Game, proposals: readonly Ballot[]): string =>
  draw(setup.seed, 'pick', roundNum).pick(leaders(proposals));

/** What waits for the night to be resolved; nothing where a power was used on nobody. */
export const intentOf = ({ roundNum }: Game, { verb }: HeldPower, by: readonly string[], target: string): Intent[] =>
  target === pass ? [] : [{ round: roundNum, verb, by: [...by], target }];
