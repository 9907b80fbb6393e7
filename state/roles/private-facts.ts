// The kinds of facts that the moderator may tell a player in private, besides the player's own role and team.
import type { EventOf, GameEvent } from '../events.ts';
import { UsageError } from '../usage-error.ts';

/**
 * Every kind that players' knowledge (`deception/knowledge/`) can express, by the type of the event that tells it. Each is a
 * statement about the role of one seat: "this seat has one of these roles". A relation between seats is not one ("one of your
 * neighbors is a Werewolf", "Ann and Bob are on the same side"), nor is a count. What such a fact implies would be missing from
 * every figure about lies and knowledge, so a role that tells one is refused.
 */
export const privateFacts = {
  attacked: 'whom the pack attacks this night',
  learned: 'the role or the team of one player',
} as const satisfies Partial<Record<GameEvent['type'], string>>;

export type PrivateFactKind = keyof typeof privateFacts;
export type PrivateFact = EventOf<PrivateFactKind>;

/** Throws a UsageError for a role that declares a kind of fact that knowledge cannot express. */
export function expectExpressible({ name, isTold = [] }: { name: string; isTold?: readonly string[] }): void {
  const unknown = isTold.find((kind) => !(kind in privateFacts));
  if (unknown === undefined) return;
  const kinds = Object.entries(privateFacts).map(([kind, what]) => `${kind} (${what})`);
  throw new UsageError(
    `The role "${name}" is told facts of the kind "${unknown}", which players' knowledge cannot express. ` +
      `It can express: ${kinds.join(', ')}. Write what follows from the new kind in deception/knowledge/observations.ts ` +
      'first, then add it to state/roles/private-facts.ts.',
  );
}

/**
 * Returns what a role tells its holders in private. Throws a UsageError where it is of a kind that the role does not declare.
 *
 * @example expectDeclared(getRole('Witch'), power.brief(game, 'Sam'))
 */
export function expectDeclared(
  { name, isTold = [] }: { name: string; isTold?: readonly PrivateFactKind[] },
  facts: PrivateFact[],
): PrivateFact[] {
  const other = facts.find(({ type }) => !isTold.includes(type));
  if (other)
    throw new UsageError(
      `The role "${name}" tells a fact of the kind "${other.type}", but declares ${isTold.length > 0 ? isTold.join(', ') : 'none'}. Add the kind to its isTold.`,
    );
  return facts;
}
