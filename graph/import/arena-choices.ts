// Whom the prompts of a session left out of the choices although the rules allow to choose them.
import type { Game } from '../../state/game.ts';
import { view } from '../../state/view.ts';
import { askedIn, choicesIn, type Session } from './arena-session.ts';
import { deedsOf, holdersOf } from './arena-deeds.ts';
import { difference, inWords, type Difference } from './differences.ts';

type Round = Session['rounds'][number];

/** Asked at nightfall. Where a prompt named no choices nothing is said. */
export function missingAtNight(game: Game, round: Round): Difference[] {
  const missing = deedsOf(round).flatMap(({ power, log }) => {
    const by = holdersOf(game, power).living.find((name) => name === askedIn(log));
    const offered = log ? choicesIn(log) : null;
    if (by === undefined || offered === null) return [];
    const left = power.choices(view(game, by)).filter((name) => !offered.includes(name));
    return left.map((name) => ({ name, verb: power.verb }));
  });
  return [...Map.groupBy(missing, ({ name }) => name)].map(([name, acts]) =>
    difference(
      game,
      'choices',
      `${name} was alive and was no choice to ${inWords(
        acts.map(({ verb }) => verb),
        'or',
      )}.`,
    ),
  );
}

/** Asked before the ballots: the living whom nobody could vote for. */
export function missingAtVote(game: Game, { log }: Round): Difference[] {
  const asked = (log.votes.at(-1) ?? []).flatMap(({ player, log: answer }) => {
    const choices = choicesIn(answer);
    return choices ? [{ player, choices }] : [];
  });
  const others = (name: string) => asked.filter(({ player }) => player !== name);
  return game.alivePlayers
    .filter((name) => others(name).length > 0 && others(name).every(({ choices }) => !choices.includes(name)))
    .map((name) => difference(game, 'choices', `${name} was alive and was no choice to vote for.`));
}
