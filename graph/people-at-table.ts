// People who play in a match: whether they can be asked, and what they see between questions.
import { isPersonSpec } from '../state/model-identity.ts';
import { createGame } from '../state/deal.ts';
import type { GameEvent } from '../state/events.ts';
import type { Manifest } from '../state/record.ts';
import { UsageError } from '../state/usage-error.ts';
import { createView } from '../state/view.ts';
import { extendView } from '../state/extend-view.ts';
import type { People, PersonSeat } from '../models/human/people.ts';
import { countMatches, type MatchSet } from './match-set.ts';

/**
 * Lists the seats of a match that people play, in seat order.
 *
 * @example listPersonSeats(manifest) // [{ player: 'Ginger', spec: 'human:alice' }]
 */
export const listPersonSeats = ({ setup }: Pick<Manifest, 'setup'>): PersonSeat[] =>
  setup.players.flatMap(({ name }) => {
    const spec = setup.models[name] ?? '';
    return isPersonSpec(spec) ? [{ player: name, spec }] : [];
  });

/**
 * Throws a UsageError if people play in one of several matches whose seats are not drawn, or that repeat deals. Matches
 * of such sets are played at the same time, and a person can sit at only one table; in a crossed design a person would
 * also play the same deal twice and remember it.
 */
export function checkPeopleAlone(manifest: Pick<Manifest, 'setup'>, set: MatchSet): void {
  const [seat] = listPersonSeats(manifest);
  const matches = countMatches(set);
  const isMixed = set.people !== undefined && set.listed === undefined && matches === set.matches;
  if (matches === 1 || seat === undefined || isMixed) return;
  throw new UsageError(
    `${seat.player} is played by a person (${seat.spec}), who can play one match at a time and each deal once. The planned ${matches} matches do not ensure this. Use match with --matches, --seat and --seed: it draws people and models into seats and plays each deal once. Tournaments, --crossed, --cross-rules, --variants, --replicates and --experience-grow are only for models.`,
  );
}

/** Opens the table for these seats. Throws a UsageError if no way to ask people is given. */
export async function openTable(seats: readonly PersonSeat[], people: People | undefined): Promise<void> {
  if (people) return people.open(seats);
  const [{ player, spec } = { player: '', spec: '' }] = seats;
  throw new UsageError(
    `${player} is played by a person (${spec}), but there is no terminal to ask on. Run the command in a terminal, or add --serve, which gives each person a page.`,
  );
}

/**
 * Returns a function that receives the events of a match in order. The function shows each person what that person's
 * player sees of the events.
 */
export function followAsPeople(
  manifest: Manifest,
  people: Pick<People, 'show'>,
): (events: readonly GameEvent[]) => void {
  const game = createGame(manifest.setup);
  const views = new Map(listPersonSeats(manifest).map(({ player }) => [player, createView(game, player)]));
  return (events) => {
    for (const [player, before] of views) {
      const view = extendView(before, events);
      views.set(player, view);
      people.show(view);
    }
  };
}
