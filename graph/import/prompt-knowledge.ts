// Compares the facts that players are assumed to know with the prompts that the original recorded. A fact that no
// prompt contains may not have been told in that game.
import { type GameEvent, isEventOfType } from '../../state/events.ts';
import { findNames } from '../../state/name-reader.ts';

/** The part of a recorded call that is needed here. */
interface AskedCall {
  round: number;
  player: string;
  prompt: string | null;
}

/** Counts of facts that players are assumed to know, and of the facts that their prompts contain. */
export interface PromptKnowledge {
  /** Number of recorded prompts. `naming_own_role`: how many of them name the role of the player who was asked. */
  prompts: number;
  naming_own_role: number;
  /**
   * Number of pairs of a private fact (a check, a partner) and a later prompt. `private_facts_named`: in how many pairs
   * the prompt names the fact.
   */
  private_facts: number;
  private_facts_named: number;
}

interface ToldFact {
  by: string;
  round: number;
  /** Player whose role or side was told. `role`: null if only the side was told. */
  about: string;
  role: string | null;
}

/**
 * Counts how many prompts name the player's own role. Also counts how many of the private facts that the record tells a
 * player occur in that player's later prompts. Returns null for a record without prompts.
 *
 * @example comparePromptKnowledge(calls, events, new Map([['Dan', 'Seer']]))?.naming_own_role
 */
export function comparePromptKnowledge(
  calls: readonly AskedCall[],
  events: readonly GameEvent[],
  roles: ReadonlyMap<string, string>,
): PromptKnowledge | null {
  const asked = calls.flatMap(({ prompt, ...call }) => (prompt === null ? [] : [{ ...call, prompt }]));
  if (asked.length === 0) return null;
  const facts = listFacts(events);
  const pairs = asked.flatMap((call) =>
    facts.filter(({ by, round }) => by === call.player && round < call.round).map((fact) => ({ ...fact, call })),
  );
  const hasWord = (prompt: string, word: string) => prompt.toLowerCase().includes(word.toLowerCase());
  return {
    prompts: asked.length,
    naming_own_role: asked.filter(({ prompt, player }) => hasWord(prompt, roles.get(player) ?? '')).length,
    private_facts: pairs.length,
    private_facts_named: pairs.filter(
      ({ about, role, call: { prompt } }) =>
        findNames(prompt, [about]).length > 0 && (role === null || hasWord(prompt, role)),
    ).length,
  };
}

const listFacts = (events: readonly GameEvent[]): ToldFact[] => [
  ...events
    .filter(isEventOfType('learned'))
    .map(({ by, round, about, role = null }): ToldFact => ({ by, round, about, role })),
  ...events
    .filter(isEventOfType('acquainted'))
    .flatMap(({ players, round }) =>
      players.flatMap((by) =>
        players.filter((about) => about !== by).map((about): ToldFact => ({ by, round, about, role: null })),
      ),
    ),
];
