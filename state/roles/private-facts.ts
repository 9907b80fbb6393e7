// Kinds of facts that the moderator may tell a player in private, besides the player's own role and team.
import type { EventOf, GameEvent } from '../events.ts';
import { UsageError } from '../usage-error.ts';

/**
 * All kinds of facts that the analysis of players' knowledge can express, by the type of the event that tells them.
 * Each is a statement about the role of one seat: "this seat has one of these roles". Such a statement cannot express
 * relations between seats ("one of your neighbors is a Werewolf", "Ann and Bob are on the same side") or counts. A role
 * that tells such a fact is rejected, because figures about lies and knowledge would ignore what the fact implies.
 */
export const privateFacts = {
  attacked: 'whom the Werewolves attack this night',
  learned: 'the role or the team of one player',
} as const satisfies Partial<Record<GameEvent['type'], string>>;

export type PrivateFactKind = keyof typeof privateFacts;
export type PrivateFact = EventOf<PrivateFactKind>;

/** Throws a UsageError if a role declares a kind of fact that the analysis of players' knowledge cannot express. */
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
 * Returns the facts that a role tells its holders in private. Throws a UsageError if the role does not declare their
 * kind.
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
